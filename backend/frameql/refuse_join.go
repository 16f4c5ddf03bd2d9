package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// refuseNotConformed says that one of several facts does not lead to a dimension.
func (r *resolver) refuseNotConformed(d Dim, c reached, place any, want use) {
	var without []string
	var with []string
	for i, s := range r.sources {
		if len(c.paths[i]) == 0 {
			without = append(without, s.entity.Name)
		} else {
			with = append(with, s.entity.Name)
		}
	}
	pairs := []any{"name", d.dottedName(), "without", strings.Join(r.wordsOf(without), ", "), "with", strings.Join(r.wordsOf(with), ", ")}
	if want != forGrain {
		var edits []edit
		if p, ok := place.(*Pred); ok {
			edits = append(edits, r.filterOnly(p, with), r.withoutCondition(p))
		}
		r.refuse(place, refusal("FILTER_NOT_CONFORMED", "frameql.filter_not_conformed", pairs...), append(edits, r.only(with)...)...)
		return
	}
	r.refuse(place, refusal("NOT_CONFORMED", "frameql.not_conformed", pairs...), append([]edit{r.without(d.String())}, r.only(with)...)...)
}

func (r *resolver) wordsOf(entities []string) []string {
	var all []string
	for _, e := range entities {
		all = append(all, r.entityWords(e))
	}
	return all
}

// standsOn says whether all rows of a metric are those of some entities.
func (r *resolver) standsOn(m *semantic.Metric, entities []string) bool {
	for _, e := range r.leafEntities(m) {
		found := false
		for _, o := range entities {
			found = found || strings.EqualFold(e, o)
		}
		if !found {
			return false
		}
	}
	return true
}

// filterOnly moves a condition to the metrics that can be asked it, where every number is one of metrics.
func (r *resolver) filterOnly(p *Pred, entities []string) edit {
	if len(r.rowSource)+len(r.q.With) > 0 {
		return edit{}
	}
	return r.edited(text.Say("frameql.repair_filter", "names", strings.Join(r.wordsOf(entities), ", ")), func(q *Query) {
		drop := p.String()
		q.Where = q.Where.without(func(c *Pred) bool { return c.String() == drop })
		for i := range q.Select {
			it := &q.Select[i]
			plain := it.As == "" && it.Expr != nil && bareMetric(it.Expr)
			r.narrow(it.Expr, p, entities)
			if plain && it.Expr.Filter != nil {
				it.As = it.Expr.Metric
			}
		}
	})
}

// narrow puts a filter on the metrics of an expression whose rows are those of some entities.
func (r *resolver) narrow(e *Expr, p *Pred, entities []string) {
	if e == nil {
		return
	}
	if m := r.metric(e.Metric); m != nil && r.standsOn(m, entities) {
		filter := p.clone()
		if e.Filter != nil {
			filter = flattened(&Pred{And: []*Pred{e.Filter, filter}})
		}
		e.Filter = filter
	}
	r.narrow(e.Of, p, entities)
	for _, a := range e.Args {
		r.narrow(a, p, entities)
	}
}

// only keeps the metrics that stand on some entities.
func (r *resolver) only(entities []string) []edit {
	var kept []string
	for _, m := range r.metrics {
		if r.standsOn(m, entities) {
			kept = append(kept, m.Name)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return []edit{r.edited(text.Say("frameql.repair_only", "name", strings.Join(kept, ", ")), func(q *Query) {
		for _, m := range r.metrics {
			if !r.standsOn(m, entities) {
				q.drop(m.Name)
			}
		}
	})}
}

// refuseWhoseRows says that COUNT(*) may count the rows of several facts.
func (r *resolver) refuseWhoseRows(e *Expr) {
	var names []string
	var edits []edit
	for _, s := range r.sources {
		names = append(names, s.entity.Name)
		if count := "COUNT(" + (Dim{Name: s.entity.Name}).String() + ")"; e.Reduce == "count" {
			edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", count), e, says(count)))
		}
	}
	edits = append(edits, r.withoutExpr(e))
	why := refusal("FROM_REQUIRED", "frameql.whose_rows", "expression", e.String(), "names", strings.Join(names, ", "))
	why.Facts["candidates"] = names
	r.refuse(e, why, edits...)
}

// refuseNotUnique says that the far side of a join was measured to have several rows for one value.
func (r *resolver) refuseNotUnique(j *semantic.Join, place any) {
	var columns []string
	for _, on := range j.On {
		columns = append(columns, j.To+"."+on.To)
	}
	pairs := []any{"from", j.From, "to", j.To, "key", strings.Join(columns, ", ")}
	key := "frameql.not_unique"
	if r.env.Distinct != nil && len(j.On) == 1 {
		if values, rows := r.env.Distinct(columns[0]), r.rows(j.To); values > 0 && rows > values {
			key = "frameql.not_unique_by"
			pairs = append(pairs, "rows", rows, "values", values)
		}
	}
	var edits []edit
	switch x := place.(type) {
	case *Dim:
		edits = append(edits, r.without(x.String()))
	case *Pred:
		edits = append(edits, r.withoutCondition(x))
	case *Expr:
		edits = append(edits, r.withoutExpr(x))
	}
	r.refuse(place, refusal("ATTESTATION_TOO_LOW", key, pairs...), edits...)
}

// refuseJoinColumns says that a join of the model names columns that are not there.
func (r *resolver) refuseJoinColumns(j *semantic.Join, on semantic.ColumnPair) {
	r.refuseModel(j.From+" -> "+j.To, text.Say("frameql.join_columns", "from", on.From, "to", on.To))
}

// refuseUnrelated says that the rows of a quantifier have nothing in common with those that are read.
func (r *resolver) refuseUnrelated(p *Pred, fact, many *semantic.Entity, bridges []bridge) {
	if len(bridges) == 0 {
		r.refuse(p, refusal("UNREACHABLE_DIMENSION", "frameql.unreachable", "fact", fact.Name, "name", many.Name), r.withoutCondition(p))
		return
	}
	var ways []string
	var edits []edit
	for _, b := range bridges {
		if slices.Contains(ways, b.entity.Name) {
			continue
		}
		ways = append(ways, b.entity.Name)
		through := *p
		through.Entity = b.entity.Name
		edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", shorten(through.String(), 60)), p, through.String))
	}
	why := refusal("AMBIGUOUS_JOIN_PATH", "frameql.ambiguous_path", "name", many.Name, "entity", many.Name, "from", fact.Name, "candidates", strings.Join(ways, ", "))
	why.Facts["candidates"] = ways
	r.refuse(p, why, append(edits, r.withoutCondition(p))...)
}

// refuseAmbiguousMeeting says that the rows of a quantifier are related in several ways.
func (r *resolver) refuseAmbiguousMeeting(p *Pred, fact, many *semantic.Entity, paths [][]int) {
	var ways []string
	for _, path := range paths {
		ways = append(ways, r.waypointOf(path))
	}
	why := refusal("AMBIGUOUS_JOIN_PATH", "frameql.ambiguous_path", "name", many.Name, "entity", many.Name, "from", fact.Name,
		"candidates", strings.Join(ways, ", "))
	why.Facts["candidates"] = ways
	r.refuse(p, why, r.withoutCondition(p))
}
