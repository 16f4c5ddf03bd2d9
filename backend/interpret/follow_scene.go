package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// scene is the query that a follow-up goes on from, with what its parts are in the model.
type scene struct {
	ix      *Index
	env     frameql.Env
	turn    Turn
	query   *frameql.Query
	plan    *frameql.Plan
	lead    lead
	numbers []int              // items of SELECT that are numbers
	columns []int              // items of SELECT that are dimensions
	members []*semantic.Entity // entities of the grain: one row a member
	guess   bool               // the person never saw it answered: the best guess of a question back
}

// sceneOf takes a query apart; ok is false for one that this model no longer understands.
func (ix *Index) sceneOf(t Turn, env frameql.Env) (*scene, bool) {
	plan := frameql.Try(t.Query, env)
	if plan == nil {
		return nil, false
	}
	s := &scene{ix: ix, env: env, turn: t, plan: plan}
	s.show(plan.Query)
	if s.query.At != nil {
		for _, d := range s.query.At.Dims {
			if e := ix.entities[d.Name]; e != nil {
				s.members = append(s.members, e)
			}
		}
	}
	s.lead = s.leadOf()
	return s, s.lead.rows != nil
}

// show takes a query for what the scene shows.
func (s *scene) show(q *frameql.Query) {
	s.query, s.numbers, s.columns = q, nil, nil
	for i, item := range q.Select {
		if item.Dim == nil {
			s.numbers = append(s.numbers, i)
		} else {
			s.columns = append(s.columns, i)
		}
	}
}

// leadOf gives the choice that the query is bound around.
func (s *scene) leadOf() lead {
	t := target{}
	switch {
	case len(s.numbers) > 0:
		t = s.operand(s.query.Select[s.numbers[0]].Expr)
	case len(s.members) > 0:
		t.entity = s.members[0]
	case len(s.columns) > 0:
		t = s.dimension(s.query.Select[s.columns[0]].Dim.Name)
	}
	rows := s.ix.entities[s.plan.Fact]
	if rows == nil {
		return lead{}
	}
	if t.metric == nil && t.entity == nil {
		t.entity = rows
	}
	return lead{slot: -1, t: t, rows: rows, event: s.ix.event(t.metric, rows)}
}

// operand gives the metric or the column that a number is made of.
func (s *scene) operand(e *frameql.Expr) target {
	for e != nil {
		switch {
		case e.Metric != "":
			if m := s.ix.metrics[e.Metric]; m != nil {
				return target{metric: m}
			}
			if i := slices.IndexFunc(s.query.With, func(d frameql.Def) bool { return d.Name == e.Metric }); i >= 0 {
				e = s.query.With[i].Expr
				continue
			}
			return s.dimension(e.Metric)
		case e.Star:
			if len(s.query.From) == 1 {
				return target{entity: s.ix.entities[s.query.From[0]]}
			}
			return target{}
		case e.Of != nil:
			e = e.Of
		case len(e.Args) > 0:
			e = e.Args[0]
		default:
			return target{}
		}
	}
	return target{}
}

// averagesColumn says whether a metric sums up an attribute of its rows.
func (ix *Index) averagesColumn(m *semantic.Metric) bool {
	return m.Leaf() && ix.dimension(m.Entity, m.Expr) != nil
}

func (s *scene) dimension(name string) target {
	entity, dim, _ := cutName(name)
	if d := s.ix.dimension(entity, dim); d != nil {
		return target{entity: s.ix.entities[entity], dim: d}
	}
	return target{}
}

// lists says whether the query shows members without a number.
func (s *scene) lists() bool { return len(s.numbers) == 0 && len(s.members) > 0 }

// values says whether the query shows the different values of a dimension.
func (s *scene) values() bool {
	return len(s.numbers) == 0 && len(s.members) == 0 && len(s.columns) > 0
}

// referents gives what a pronoun may stand for, the likeliest first: the members that are shown, the values that are
// shown, the things that were counted or whose numbers were summed up.
func (s *scene) referents() []target {
	var out []target
	add := func(t target) {
		if t.entity != nil && !slices.ContainsFunc(out, func(o target) bool { return o.entity == t.entity && o.dim == t.dim }) {
			t.score, t.owned = 0, true
			out = append(out, t)
		}
	}
	for i := len(s.members) - 1; i >= 0; i-- {
		add(target{entity: s.members[i]})
	}
	add(target{entity: s.counted()})
	if len(s.members) == 0 {
		for _, i := range s.columns {
			if d := s.query.Select[i].Dim; d.Grain == "" {
				add(s.dimension(d.Name))
			}
		}
	}
	if s.lead.t.metric == nil || s.ix.counter(s.lead.rows) == s.lead.t.metric || s.ix.averagesColumn(s.lead.t.metric) {
		add(target{entity: s.lead.rows}) // what was counted, or has the attribute; the rows behind an amount are nobody's subject
	}
	return out
}

// counted gives whom the query counts through other rows, by their key: the customers of "how many customers placed them?". nil: nobody.
func (s *scene) counted() *semantic.Entity {
	if len(s.numbers) != 1 || s.query.Select[s.numbers[0]].Expr == nil {
		return nil
	}
	e := s.query.Select[s.numbers[0]].Expr
	t := s.operand(e)
	if !e.Dist || e.Reduce != "count" || t.dim == nil || !slices.Equal(t.entity.Key, []string{t.dim.Name}) {
		return nil
	}
	return t.entity
}

// conditions gives the parts of WHERE.
func (s *scene) conditions() []*frameql.Pred { return frameql.Conjuncts(s.query.Where) }

// cut says whether fewer members are shown than meet the conditions: a ranking, a limit, a condition on a number.
func (s *scene) cut() bool {
	return s.query.Top != nil || s.query.Limit != nil || s.query.Having != nil
}

// showsOne says whether the query shows one member only.
func (s *scene) showsOne() bool {
	return s.query.Limit != nil && *s.query.Limit == 1 || s.query.Top != nil && s.query.Top.N == 1 && s.query.Top.Per == nil || s.single()
}

// narrowed says whether the query is about less than all rows.
func (s *scene) narrowed() bool {
	return s.query.Where != nil || s.query.Time != nil || s.cut()
}

// aboutOf names what a condition is about, to tell which one another replaces.
func aboutOf(p *frameql.Pred) string {
	switch {
	case p.Quant != "":
		return "rows " + p.Entity
	case p.Not != nil:
		return aboutOf(p.Not)
	case len(p.Or) > 0:
		return aboutOf(p.Or[0])
	case len(p.And) > 0:
		return aboutOf(p.And[0])
	case p.Dim != "":
		return p.Dim
	case p.Left != nil:
		return p.Left.String()
	default:
		return p.Out
	}
}
