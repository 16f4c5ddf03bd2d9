package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// otherMetrics puts a metric that can be split so in the place of one that cannot: of its family, of a like name, or of the
// rows in between, the nearest first.
func (r *resolver) otherMetrics(c candidate, finer string) []edit {
	type ranked struct {
		edit edit
		rank int
	}
	var all []ranked
	for _, m := range r.metrics {
		for i := range r.model.Metrics {
			o := &r.model.Metrics[i]
			if o.Hidden {
				continue
			}
			facts := r.leafEntities(o)
			if len(facts) != 1 || !r.reaches(facts[0], c.entity.Name) {
				continue
			}
			if rank := r.distance(m, o, finer); rank >= 0 {
				all = append(all, ranked{r.renamed(m.Name, o.Name), rank})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return a.rank - b.rank })
	var edits []edit
	for _, x := range all[:min(len(all), 4)] {
		edits = append(edits, x.edit)
	}
	return edits
}

// distance says how far a metric is from another that it may stand in for; -1: too far.
func (r *resolver) distance(m, o *semantic.Metric, finer string) int {
	near := strings.EqualFold(o.Entity, finer) && leafy(o)
	switch {
	case o.Family != "" && strings.EqualFold(o.Family, m.Family):
		return 0
	case nearness(plain(m.Name), plain(o.Name)) >= 0 || sharesWord(m, o):
		return 1
	case near && o.Unit == m.Unit && o.Reducer == m.Reducer:
		return 2
	case near && m.Unit != "" && o.Unit == m.Unit:
		return 3
	}
	return -1
}

// sharesWord says whether the names of two metrics have a word in common that says more than how they are counted.
func sharesWord(m, o *semantic.Metric) bool {
	common := []string{"count", "total", "number", "average", "mean", "share", "rate", "ratio", "year", "month", "week", "last"}
	words := strings.Split(strings.ToLower(o.Name), "_")
	return slices.ContainsFunc(strings.Split(strings.ToLower(m.Name), "_"), func(w string) bool {
		return len(w) > 3 && !slices.Contains(common, w) && slices.Contains(words, w)
	})
}

// countedFrom counts the members that a metric counts, each once, over the rows of the many side. Metrics that add amounts
// up have no such form.
func (r *resolver) countedFrom(many string) []edit {
	if len(r.metrics) != 1 || len(r.q.From) > 0 {
		return nil
	}
	m := r.metrics[0]
	name, ok := r.countedName(m)
	if !ok {
		return nil
	}
	count := "COUNT(DISTINCT " + (Dim{Name: name}).String() + ")"
	label := text.Say("frameql.repair_use", "name", count+" FROM "+(Dim{Name: many}).String())
	return []edit{r.edited(label, func(q *Query) {
		for i := range q.Select {
			if e := q.Select[i].Expr; e != nil && strings.EqualFold(e.Metric, m.Name) && e.Filter == nil && e.At == nil {
				if q.Select[i].As == "" {
					q.Select[i].As = m.Name
				}
				q.Select[i].Expr = &Expr{Reduce: "count", Dist: true, Of: &Expr{Metric: name}}
			}
		}
		q.From = []string{many}
	})}
}

// countedName gives the entity or the column whose values a metric counts, each once.
func (r *resolver) countedName(m *semantic.Metric) (string, bool) {
	e := r.entity(m.Entity)
	switch {
	case m.Filter != "":
	case m.Expr == "*":
		return e.Name, len(e.Key) == 1
	case m.Reducer == semantic.CountDistinct && dimensionOf(e, m.Expr) != nil:
		return e.Name + "." + dimensionOf(e, m.Expr).Name, true
	}
	return "", false
}

// oneMember asks for the rows that have one member among others, where a member is known.
func (r *resolver) oneMember(d Dim, c candidate) []edit {
	if c.dim == nil || r.env.Values == nil {
		return nil
	}
	values, _ := r.env.Values(c.entity.Name + "." + c.dim.Name)
	if len(values) == 0 {
		return nil
	}
	condition := &Pred{Quant: "any", Entity: c.entity.Name, Pred: &Pred{Dim: c.entity.Name + "." + c.dim.Name, Op: "eq", Val: &Value{Kind: String, Text: values[0]}}}
	return []edit{r.edited(text.Say("frameql.repair_only", "name", condition.String()), func(q *Query) {
		q.drop(d.String())
		if q.Where != nil {
			condition = flattened(&Pred{And: []*Pred{q.Where, condition}})
		}
		q.Where = condition
	})}
}

// nearby puts dimensions of a like name that the sources reach in the place of one that they do not.
func (r *resolver) nearby(d Dim, c candidate) []edit {
	if c.dim == nil {
		return nil
	}
	var edits []edit
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if slices.ContainsFunc(r.sources, func(s *source) bool { return len(r.plainest(r.shortest(s.entity.Name, e.Name))) != 1 }) {
			continue
		}
		for k := range e.Dimensions {
			if o := &e.Dimensions[k]; o.Type == c.dim.Type && o.PII == "" && nearness(plain(c.dim.Name), plain(o.Name)) >= 0 {
				edits = append(edits, r.renamed(d.Name, e.Name+"."+o.Name))
			}
		}
	}
	return edits[:min(len(edits), 2)]
}

// available gives what a person would split the rows of a fact by: texts and flags of all that it leads to, the nearest first.
func (r *resolver) available(fact string) []string {
	type reachedEntity struct {
		entity *semantic.Entity
		hops   int
	}
	var all []reachedEntity
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if paths := r.plainest(r.shortest(fact, e.Name)); len(paths) == 1 {
			all = append(all, reachedEntity{e, len(paths[0])})
		}
	}
	slices.SortStableFunc(all, func(a, b reachedEntity) int { return a.hops - b.hops })
	var names []string
	for _, x := range all {
		for k := range x.entity.Dimensions {
			if d := &x.entity.Dimensions[k]; (d.Type == semantic.Text || d.Type == semantic.Boolean) && d.PII == "" && !slices.Contains(x.entity.Key, d.Name) && len(names) < 8 {
				names = append(names, x.entity.Name+"."+d.Name)
			}
		}
	}
	return names
}
