package frameql

import (
	"regexp"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

func typeWord(t semantic.Type) string { return text.Say("frameql.type_" + string(t)) }

// refuseReducer says that a reducer makes no sense there, with the one that does.
func (r *resolver) refuseReducer(e *Expr, what, own string) {
	var edits []edit
	switch own {
	case "":
	case "count":
		edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", "COUNT(*)"), e, says("COUNT(*)")))
	default:
		edits = append(edits, r.spliced(text.Say("frameql.repair_only", "name", own), e, Dim{Name: own}.String))
	}
	edits = append(edits, r.withoutExpr(e))
	r.refuse(e, refusal("REDUCER_NOT_ALLOWED", "frameql.reducer_not_allowed", "expression", e.String(), "name", what), edits...)
}

// refuseDistinct says that a reducer looks at every row.
func (r *resolver) refuseDistinct(e *Expr) {
	plain := e.clone()
	plain.Dist = false
	r.refuse(e, refusal("REDUCER_NOT_ALLOWED", "frameql.no_distinct", "expression", e.String()),
		r.spliced(text.Say("frameql.repair_use", "name", plain.String()), e, plain.String), r.withoutExpr(e))
}

// refuseSumOfRate says that a price or a rate has an average and no sum.
func (r *resolver) refuseSumOfRate(e *Expr) {
	average := "AVG(" + e.Of.String() + ")"
	r.refuse(e, refusal("REDUCER_NOT_ALLOWED", "frameql.sum_of_rate", "expression", e.String(), "name", e.Of.String()),
		r.spliced(text.Say("frameql.repair_use", "name", average), e, says(average)), r.withoutExpr(e))
}

// refuseOfIdentifier says that a number which says which thing is meant is counted, and neither added up nor averaged.
func (r *resolver) refuseOfIdentifier(e *Expr) {
	count := "COUNT(DISTINCT " + e.Of.String() + ")"
	r.refuse(e, refusal("REDUCER_NOT_ALLOWED", "frameql.of_identifier", "expression", e.String(), "name", e.Of.String()),
		r.spliced(text.Say("frameql.repair_use", "name", count), e, says(count)), r.withoutExpr(e))
}

// refuseNotNumeric says that text or dates cannot be added or averaged.
func (r *resolver) refuseNotNumeric(e *Expr, t semantic.Type) {
	count := "COUNT(DISTINCT " + e.Of.String() + ")"
	r.refuse(e, refusal("TYPE_MISMATCH", "frameql.not_numeric", "expression", e.String(), "name", e.Of.String(), "type", typeWord(t)),
		r.spliced(text.Say("frameql.repair_use", "name", count), e, says(count)), r.withoutExpr(e))
}

// refuseUnits says that two amounts of different units cannot be added or compared.
func (r *resolver) refuseUnits(node any, a, b string) {
	var edits []edit
	if e, ok := node.(*Expr); ok {
		for _, arg := range e.Args {
			edits = append(edits, r.spliced(text.Say("frameql.repair_only", "name", arg.String()), e, arg.String))
		}
	}
	if p, ok := node.(*Pred); ok {
		edits = append(edits, r.withoutCondition(p))
	}
	r.refuse(node, refusal("MIXED_UNITS", "frameql.mixed_units", "one", a, "other", b), edits...)
}

// rewritten puts a changed comparison in the place of one.
func (r *resolver) rewritten(p *Pred, change func(c *Pred)) edit {
	changed := func() string {
		c := p.clone()
		change(c)
		return c.String()
	}
	return r.spliced(text.Say("frameql.repair_use", "name", changed()), p, changed)
}

// refuseNullComparison says that nothing equals NULL.
func (r *resolver) refuseNullComparison(p *Pred, left operand) {
	r.refuse(p, refusal("TYPE_MISMATCH", "frameql.null_comparison", "name", left.name),
		r.rewritten(p, func(c *Pred) {
			op := "is_null"
			if c.Op == "ne" || strings.HasPrefix(c.Op, "not_") {
				op = "not_null"
			}
			*c = Pred{Dim: c.Dim, Grain: c.Grain, Out: c.Out, Left: c.Left, Op: op}
		}), r.withoutCondition(p))
}

// refuseNotText says that a pattern needs a text.
func (r *resolver) refuseNotText(p *Pred, left operand) {
	r.refuse(p, refusal("TYPE_MISMATCH", "frameql.not_text", "name", left.name, "type", typeWord(left.value.Type)), r.withoutCondition(p))
}

// refuseUnlike says that two columns of different kinds cannot be compared.
func (r *resolver) refuseUnlike(p *Pred, left, right operand) {
	r.refuse(p, refusal("TYPE_MISMATCH", "frameql.unlike", "name", left.name, "type", typeWord(left.value.Type),
		"other", right.name, "other_type", typeWord(right.value.Type)), r.withoutCondition(p))
}

var yearForm = regexp.MustCompile(`^\d{4}$`)

// refuseValue says that a value does not fit the column, with the spelling that does.
func (r *resolver) refuseValue(p *Pred, left operand, v Value, t semantic.Type) {
	var w printer
	w.value(v)
	shown := w.String()
	fits := func(to Value) edit {
		return r.rewritten(p, func(c *Pred) {
			if c.Val != nil && *c.Val == v {
				c.Val = &to
			}
			for i := range c.Vals {
				if c.Vals[i] == v {
					c.Vals[i] = to
				}
			}
		})
	}
	var edits []edit
	switch {
	case left.grain != "":
	case t == semantic.Text && (v.Kind == Number || v.Kind == Bool):
		edits = append(edits, fits(Value{Kind: String, Text: v.Text}))
	case t.Numeric() && v.Kind == String && isDecimal(v.Text):
		edits = append(edits, fits(Value{Kind: Number, Text: v.Text}))
	case t == semantic.Boolean && v.Kind == String && (strings.EqualFold(v.Text, "true") || strings.EqualFold(v.Text, "false")):
		edits = append(edits, fits(Value{Kind: Bool, Text: strings.ToLower(v.Text)}))
	case t.Temporal() && (v.Kind == String || v.Kind == Number && yearForm.MatchString(v.Text)):
		if use, bad := r.calendar.literal(v.Text); bad == nil && use.Grain != "day" && p.Dim != "" {
			edits = append(edits, r.rewritten(p, func(c *Pred) { c.Grain = use.Grain }))
		}
	}
	edits = append(edits, r.withoutCondition(p))
	key, kind := "frameql.value_type", typeWord(t)
	if left.grain != "" {
		key, kind = "frameql.value_grain", left.grain
	}
	r.refuse(p, refusal("TYPE_MISMATCH", key, "name", left.name, "type", kind, "value", shown), edits...)
}

// refuseNotBoolean says that ANY and ALL ask of what is true or false.
func (r *resolver) refuseNotBoolean(e *Expr, t semantic.Type) {
	count := "COUNT(" + e.Of.String() + ")"
	r.refuse(e, refusal("TYPE_MISMATCH", "frameql.not_boolean", "expression", e.String(), "name", e.Of.String(), "type", typeWord(t)),
		r.spliced(text.Say("frameql.repair_use", "name", count), e, says(count)), r.withoutExpr(e))
}

// refuseParameter says what a reducer takes besides its values.
func (r *resolver) refuseParameter(e *Expr) {
	right := e.clone()
	right.Params = nil
	if e.Reduce == "percentile" {
		right.Params = []Value{{Kind: Number, Text: "0.9"}}
	}
	r.refuse(e, refusal("INVALID_QUERY", "frameql.reducer_parameter", "expression", e.String(), "right", right.String()),
		r.spliced(text.Say("frameql.repair_use", "name", right.String()), e, right.String), r.withoutExpr(e))
}
