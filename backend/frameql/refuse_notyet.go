package frameql

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// refuseNotYet names every construct that the grammar has and this resolver cannot do, with what remains without it.
func (r *resolver) refuseNotYet() {
	q := r.q
	if q.Explain {
		r.notYet(nil, "EXPLAIN", r.edited(text.Say("frameql.repair_without", "what", "EXPLAIN"), func(q *Query) { q.Explain = false }))
	}
	if len(q.With) > 0 {
		r.notYet(nil, "WITH", r.edited(text.Say("frameql.repair_without", "what", "WITH"), func(q *Query) { q.With = nil }))
	}
	if len(q.Compare) > 0 {
		r.notYet(&q.Compare[0], "COMPARE TO", r.edited(text.Say("frameql.repair_without", "what", "COMPARE TO"), func(q *Query) { q.Compare = nil }))
	}
	if q.Fill != "" {
		r.notYet(nil, "FILL", r.edited(text.Say("frameql.repair_without", "what", "FILL"), func(q *Query) { q.Fill = "" }))
	}
	if len(q.Totals) > 0 {
		r.notYet(nil, "TOTALS", r.edited(text.Say("frameql.repair_without", "what", "TOTALS"), func(q *Query) { q.Totals = nil }))
	}
	for _, o := range q.Options {
		r.notYet(nil, "OPTIONS ("+o.Name+")", r.edited(text.Say("frameql.repair_without", "what", "OPTIONS"), func(q *Query) { q.Options = nil }))
	}
	if t := q.Top; t != nil && t.Other {
		r.notYet(t, "TOP WITH OTHER", r.edited(text.Say("frameql.repair_without", "what", "WITH OTHER"), func(q *Query) { q.Top.Other = false }))
	}
	if t := q.Top; t != nil && t.Per != nil {
		r.notYet(t, "TOP PER", r.edited(text.Say("frameql.repair_without", "what", "PER"), func(q *Query) { q.Top.Per = nil }))
	}
	if g := q.At; g != nil && (g.IgnoreFilters || len(g.IgnoreDims) > 0) {
		r.notYet(g, "IGNORING", r.edited(text.Say("frameql.repair_without", "what", "IGNORING"), func(q *Query) {
			q.At.IgnoreFilters, q.At.IgnoreDims = false, nil
		}))
	}
	for _, e := range r.expressions() {
		r.notYetExpr(e)
	}
	r.notYetPred(q.Where)
	r.notYetPred(q.Having)
}

func (r *resolver) notYet(node any, what string, edits ...edit) {
	r.refuse(node, refusal("NOT_YET", "frameql.not_yet", "construct", what), edits...)
}

// refuseNotYetNamed names something that is not a keyword: a metric over two facts, a composite key.
func (r *resolver) refuseNotYetNamed(what string, edits ...edit) { r.notYet(nil, what, edits...) }

func (r *resolver) notYetExpr(e *Expr) {
	if e == nil {
		return
	}
	plain := func(x *Expr) string { return text.Say("frameql.repair_only", "name", x.String()) }
	switch {
	case e.Fn != "":
		edits := []edit{r.spliced(plain(e.Of), e, e.Of.String), r.withoutExpr(e)}
		if r.shows(e.Of) { // it stands there already
			slices.Reverse(edits)
		}
		r.notYet(e, strings.ToUpper(e.Fn), edits...)
	case e.At != nil:
		c := e.clone()
		c.At = nil
		if e.Op == "at" {
			c = e.Args[0]
		}
		r.notYet(e, text.Say("frameql.expression_grain", "grain", grainText(e.At)), r.spliced(plain(c), e, c.String), r.withoutExpr(e))
	case e.Reduce != "" && (!readyReducers[e.Reduce] || len(e.Params) > 0):
		edits := []edit{r.withoutExpr(e)}
		if e.Reduce == "percentile" && e.Of != nil {
			c := e.clone()
			c.Reduce, c.Params = "median", nil
			edits = append([]edit{r.spliced(plain(c), e, c.String)}, edits...)
		}
		r.notYet(e, strings.ToUpper(e.Reduce), edits...)
	case e.Reduce != "" && e.Of != nil && (e.Of.Reduce != "" || e.Of.Filter != nil):
		r.notYet(e, text.Say("frameql.nested_reducer"), r.spliced(plain(e.Of), e, e.Of.String))
	}
	r.notYetExpr(e.Of)
	for _, a := range e.Args {
		r.notYetExpr(a)
	}
	r.notYetPred(e.Filter)
}

// shows says whether SELECT has a column that reads the same.
func (r *resolver) shows(e *Expr) bool {
	return slices.ContainsFunc(r.q.Select, func(it Item) bool { return it.text() == e.String() })
}

func grainText(g *Grain) string {
	var w printer
	w.grain(g)
	return "AT " + w.String()
}

func (r *resolver) notYetPred(p *Pred) {
	if p == nil {
		return
	}
	switch {
	case p.Quant != "":
		edits := []edit{r.withoutCondition(p)}
		if p.Quant == "any" {
			edits = append([]edit{r.throughRows(p)}, edits...)
		}
		r.notYet(p, strings.ToUpper(p.Quant)+" "+quoted(p.Entity), edits...)
	case p.Op == "in_top":
		r.notYet(p, "IN TOP", r.withoutCondition(p))
	case p.Expr != nil && p.Dim != "":
		r.notYet(p, text.Say("frameql.computed_operand"), r.withoutCondition(p))
	case p.Expr != nil && p.Expr.At != nil:
		r.notYet(p, text.Say("frameql.computed_operand"), r.withoutCondition(p))
		r.notYetExpr(p.Left)
	}
	r.notYetPred(p.Not)
	for _, c := range slices.Concat(p.And, p.Or) {
		r.notYetPred(c)
	}
}

// withoutCondition leaves a whole conjunct of WHERE or HAVING out.
func (r *resolver) withoutCondition(p *Pred) edit {
	return r.edited(text.Say("frameql.repair_without", "what", shorten(p.String(), 60)), func(q *Query) {
		drop := p.String()
		is := func(c *Pred) bool { return c.String() == drop }
		q.Where, q.Having = q.Where.without(is), q.Having.without(is)
	})
}

// throughRows reads the rows of the entity that ANY names: those members that have such a row are what remains.
func (r *resolver) throughRows(p *Pred) edit {
	return r.edited(text.Say("frameql.repair_from", "name", p.Entity), func(q *Query) {
		drop := p.String()
		q.Where = q.Where.without(func(c *Pred) bool { return c.String() == drop })
		if p.Pred != nil {
			inner := p.Pred.clone()
			if q.Where != nil {
				inner = flattened(&Pred{And: []*Pred{q.Where, inner}})
			}
			q.Where = inner
		}
		q.From = []string{p.Entity}
	})
}
