package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

const (
	mostNearest = 2 // questions that a refusal offers
	nearestOf   = 3 // things of a kind that are tried
)

// nearest gives questions that work and keep as much as possible of what was understood: the best reading when one resolves, else a number that was
// named, or one that goes with what was named, by the thing, for the value and in the period of the question.
func (ix *Index) nearest(t thought, env frameql.Env) []frameql.Repair {
	if len(t.resolved) > 0 {
		best := t.resolved[0]
		if _, coverage := best.draft.unreadWords(); best.draft.doubt == "" && coverage >= confidenceToAnswer && ix.offers(best.query) {
			return []frameql.Repair{best.repair(ix)}
		}
	}
	if t.best == nil || !t.best.recognised() {
		return ix.starters(env, nil)
	}
	m := t.best.mentioned()
	var out []frameql.Repair
	for _, metric := range m.metrics {
		if len(out) == mostNearest {
			break
		}
		for _, q := range m.queries(metric) {
			if frameql.Try(q, env) != nil && ix.offers(q) {
				out = append(out, frameql.Repair{Label: ix.Phrase(q), FrameQL: q.String(), Query: q})
				break
			}
		}
	}
	if len(out) == 0 {
		return ix.starters(env, nil)
	}
	return out
}

// offers says whether a query may be offered: not when its own words are out of scope.
func (ix *Index) offers(q *frameql.Query) bool {
	return ix.beyond(ix.english.tokenise(ix.Phrase(q))) == nil
}

// mention is what a question names, whatever is asked of it.
type mention struct {
	ix      *Index
	metrics []*semantic.Metric // most likely first
	groups  []target           // things and dimensions to split by
	values  []target
	during  *frameql.During
}

// mentioned gathers what the pieces name. Without a number the counts of what was named come first, then the prominent ones.
func (d *draft) mentioned() mention {
	m := mention{ix: d.ix}
	var counts []*semantic.Metric
	for _, p := range d.pieces {
		if p.kind != namePiece {
			continue
		}
		for _, n := range p.names[:min(len(p.names), nearestOf)] {
			switch {
			case n.metric != nil:
				m.metrics = append(m.metrics, n.metric)
			case n.value != nil:
				m.values = append(m.values, n)
			case isEntity(n):
				m.groups = append(m.groups, n)
				if c := d.ix.counter(n.entity); c != nil {
					counts = append(counts, c)
				}
			case isMember(n) && !isTemporal(n):
				m.groups = append(m.groups, n)
			}
		}
	}
	if len(m.metrics) == 0 {
		m.metrics = append(d.ix.prominence(), counts...)
		if len(m.groups) > 0 && len(counts) > 0 {
			m.metrics = append(counts, m.metrics...)
		}
	}
	seen := map[*semantic.Metric]bool{}
	m.metrics = slices.DeleteFunc(m.metrics, func(x *semantic.Metric) bool {
		again := seen[x]
		seen[x] = true
		return again
	})
	m.metrics = m.metrics[:min(len(m.metrics), nearestOf)]
	m.groups = m.groups[:min(len(m.groups), nearestOf)]
	m.values = m.values[:min(len(m.values), nearestOf)]
	if p := d.period; p != nil && !p.Open {
		m.during = &frameql.During{Period: p.Asked}
	}
	return m
}

// queries asks for a metric with as much as possible of what was named, richest first.
func (m mention) queries(metric *semantic.Metric) []*frameql.Query {
	var out []*frameql.Query
	during := []*frameql.During{nil}
	if m.during != nil {
		during = []*frameql.During{m.during, nil}
	}
	nothing := []target{{}}
	for _, time := range during {
		for _, value := range append(slices.Clone(m.values), nothing...) {
			for _, group := range append(slices.Clone(m.groups), nothing...) {
				out = append(out, m.query(metric, group, value, time))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *frameql.Query) int { return clauses(b) - clauses(a) })
	return out
}

func (m mention) query(metric *semantic.Metric, group, value target, during *frameql.During) *frameql.Query {
	q := &frameql.Query{V: 1, Time: during}
	switch {
	case group.dim != nil:
		q.Select = append(q.Select, frameql.Item{Dim: &frameql.Dim{Name: dimensionName(group)}})
	case group.entity != nil:
		for _, name := range m.ix.display(group.entity) {
			q.Select = append(q.Select, frameql.Item{Dim: &frameql.Dim{Name: group.entity.Name + "." + name}})
		}
		q.At = &frameql.Grain{Dims: []frameql.Dim{{Name: group.entity.Name}}}
	}
	q.Select = append(q.Select, frameql.Item{Expr: &frameql.Expr{Metric: metric.Name}})
	if value.dim != nil {
		v := literalOf(value.dim, *value.value)
		q.Where = &frameql.Pred{Dim: dimensionName(value), Op: "eq", Val: &v}
	}
	return q
}

// clauses counts what a query keeps of the question beside its number.
func clauses(q *frameql.Query) int {
	n := 0
	for _, kept := range []bool{len(q.Select) > 1, q.Where != nil, q.Time != nil} {
		if kept {
			n++
		}
	}
	return n
}
