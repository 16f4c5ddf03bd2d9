package interpret

import (
	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// usual gives the expression of a column that is asked for without a reducer: the total of what adds up, else the average,
// by the metric that the author declared for it.
func (ix *Index) usual(t target) *frameql.Expr {
	if !t.dim.NonAdditive {
		if m := ix.declared(t, semantic.Sum); m != nil {
			return &frameql.Expr{Metric: m.Name}
		}
		if ix.declared(t, semantic.Avg) == nil {
			return &frameql.Expr{Reduce: "sum", Of: &frameql.Expr{Metric: dimensionName(t)}}
		}
	}
	if m := ix.declared(t, semantic.Avg); m != nil {
		return &frameql.Expr{Metric: m.Name}
	}
	return &frameql.Expr{Reduce: "avg", Of: &frameql.Expr{Metric: dimensionName(t)}}
}

// declared gives the metric that reduces a column as it stands; nil when none is declared.
func (ix *Index) declared(t target, by semantic.Reducer) *semantic.Metric {
	for i := range ix.model.Metrics {
		m := &ix.model.Metrics[i]
		if m.Leaf() && !m.Hidden && m.Filter == "" && m.Entity == t.entity.Name && m.Expr == t.dim.Name && m.Reducer == by {
			return m
		}
	}
	return nil
}

// averaged says whether a column that is asked for without a reducer is averaged.
func (ix *Index) averaged(t target) bool {
	return t.dim.NonAdditive || ix.declared(t, semantic.Sum) == nil && ix.declared(t, semantic.Avg) != nil
}

// refusalOf says why a query is refused, with queries that work.
func (ix *Index) refusalOf(q *frameql.Query, env frameql.Env) (frameql.Refusal, bool) {
	if d := ix.sumsUp(q); d != nil {
		return ix.refuseSum(q, d, env), true
	}
	if _, refusals := frameql.Resolve(q, env); len(refusals) > 0 {
		return refusals[0], true
	}
	return frameql.Refusal{}, false
}

// refuseSum refuses a total of something that does not add up: a total of prices is no price. The average is offered.
// Code NON_ADDITIVE_GRAIN.
func (ix *Index) refuseSum(q *frameql.Query, d *semantic.Dimension, env frameql.Env) frameql.Refusal {
	r := frameql.Refusal{Code: "NON_ADDITIVE_GRAIN", Message: text.Say("interpret.no_sum", "what", labelOf(d.Label, d.Name)), Facts: map[string]any{"dimension": d.Name}}
	if repaired := averaging(q); frameql.Try(repaired, env) != nil {
		r.Repairs = []frameql.Repair{{Label: ix.Phrase(repaired), FrameQL: repaired.String(), Query: repaired}}
	}
	return r
}

// sumsUp gives the column whose total a query asks for although it does not add up; nil when there is none.
func (ix *Index) sumsUp(q *frameql.Query) *semantic.Dimension {
	for _, item := range q.Select {
		if d := ix.senseless(item.Expr); d != nil {
			return d
		}
	}
	return nil
}

// senseless gives the column that an expression adds up although it does not add up; nil when there is none.
func (ix *Index) senseless(e *frameql.Expr) *semantic.Dimension {
	if e == nil || e.Of == nil {
		return nil
	}
	if owner, name, ok := cutName(e.Of.Metric); ok && e.Reduce == "sum" {
		if d := ix.dimension(owner, name); d != nil && d.NonAdditive {
			return d
		}
	}
	return ix.senseless(e.Of)
}

// averaging copies a query with averages in the place of its totals over columns.
func averaging(q *frameql.Query) *frameql.Query {
	out := *q
	swap := func(e *frameql.Expr) *frameql.Expr {
		if e == nil || e.Reduce != "sum" || e.Of == nil {
			return e
		}
		other := *e
		other.Reduce = "avg"
		return &other
	}
	out.Select = append([]frameql.Item{}, q.Select...)
	for i := range out.Select {
		out.Select[i].Expr = swap(out.Select[i].Expr)
	}
	if q.Top != nil {
		top := *q.Top
		top.By.Expr = swap(top.By.Expr)
		out.Top = &top
	}
	out.Order = append([]frameql.Order{}, q.Order...)
	for i := range out.Order {
		out.Order[i].Expr = swap(out.Order[i].Expr)
	}
	return &out
}
