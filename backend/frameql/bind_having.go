package frameql

import (
	"strings"

	"assay/backend/text"
)

// bindHaving binds the condition on outputs and expressions.
func (r *resolver) bindHaving() {
	if r.q.Having == nil {
		return
	}
	r.q.Having = flattened(r.q.Having)
	r.bound.Having = r.havingCondition(r.q.Having)
}

func (r *resolver) havingCondition(p *Pred) *scalar {
	switch {
	case len(p.And) > 0:
		return r.connected("and", p.And, r.havingCondition)
	case len(p.Or) > 0:
		return r.connected("or", p.Or, r.havingCondition)
	case p.Not != nil:
		return negated(r.havingCondition(p.Not))
	case p.Quant != "" || p.Op == "in_top":
		r.refuseRowsInHaving(p)
		return nil
	}
	st := stand{keys: r.grain}
	var left operand
	var ok bool
	if p.Out != "" {
		left, p.Out, ok = r.outcome(p.Out, p)
	} else {
		left = operand{value: r.expr(p.Left, st), name: p.Left.String()}
		ok = left.value != nil
	}
	var right operand
	switch {
	case p.Expr != nil:
		right = operand{value: r.expr(p.Expr, st), name: p.Expr.String()}
	case p.ValDim != nil:
		var name string
		right, name, _ = r.outcome(p.ValDim.dottedName(), p.ValDim)
		*p.ValDim = dotted{segments: strings.Split(name, ".")}.dim()
	}
	if !ok {
		return nil
	}
	return r.compare(p, left, right)
}

// refuseRowsInHaving says that a condition on rows stands behind HAVING.
func (r *resolver) refuseRowsInHaving(p *Pred) {
	var edits []edit
	if p.Quant != "" {
		edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", "WHERE"), func(q *Query) {
			drop := p.String()
			q.Having = q.Having.without(func(c *Pred) bool { return c.String() == drop })
			moved := p.clone()
			if q.Where != nil {
				moved = flattened(&Pred{And: []*Pred{q.Where, moved}})
			}
			q.Where = moved
		}))
	}
	r.refuse(p, refusal("INVALID_QUERY", "frameql.rows_in_having", "condition", shorten(p.String(), 60)), append(edits, r.withoutCondition(p))...)
}

// dottedName is the name with its grain, as sort keys and HAVING hold names.
func (d Dim) dottedName() string {
	if d.Grain != "" {
		return d.Name + "." + d.Grain
	}
	return d.Name
}

// outcome binds a name in HAVING or a sort key: an output, a definition, a metric, or a dimension of the result. It gives
// the name as canonical text spells it.
func (r *resolver) outcome(name string, place any) (operand, string, bool) {
	if o := r.outputNamed(name); o != nil {
		grain := ""
		if o.key >= 0 {
			grain = r.keys[o.key].ref.grain
		}
		return operand{value: o.cell, grain: grain, name: o.column.Name}, o.column.Name, true
	}
	st := stand{keys: r.grain}
	if def := r.definition(name); def != nil {
		s := r.expr(def, st)
		return operand{value: s, name: name}, name, s != nil
	}
	if m := r.metric(name); m != nil {
		if len(r.sources) == 0 {
			return operand{}, m.Name, false
		}
		s := r.metricValue(m, st, 0)
		return operand{value: s, name: m.Name}, m.Name, s != nil
	}
	if r.aliases[strings.ToLower(name)] {
		return operand{}, name, false // an output whose own problem is told already
	}
	return r.keyOutcome(dotted{segments: strings.Split(name, ".")}.dim(), name, place)
}

// outputNamed gives the column of a name; nil when there is none, and for flags.
func (r *resolver) outputNamed(name string) *output {
	for i := range r.outputs {
		if o := &r.outputs[i]; o.flag == "" && strings.EqualFold(o.column.Name, name) {
			return o
		}
	}
	return nil
}

func (r *resolver) keyOutcome(d Dim, name string, place any) (operand, string, bool) {
	b, ok := r.dimension(d, place, forGrain)
	if !ok {
		return operand{}, name, false
	}
	refs := r.keyRefs(b)
	if len(refs) != 1 {
		r.refuseSortKey(b.name.String(), place)
		return operand{}, name, false
	}
	out := func(k int) (operand, string, bool) {
		return operand{value: r.keyScalar(k), grain: b.grain, name: b.name.String()}, b.name.dottedName(), true
	}
	for _, k := range r.grain {
		if r.keys[k].ref.same(refs[0]) {
			return out(k)
		}
	}
	if !r.determined(refs[0], r.grain) {
		r.refuseSortKey(b.name.String(), place)
		return operand{}, name, false
	}
	return out(r.determinedKey(refs[0], r.grain))
}
