package frameql

import (
	"strings"

	"assay/backend/semantic"
)

// condition binds a predicate over rows, for each source; nil after a refusal. Names in it become canonical.
func (r *resolver) condition(p *Pred) []*scalar {
	switch {
	case len(p.And) > 0:
		return r.connectedRows("and", p.And)
	case len(p.Or) > 0:
		return r.connectedRows("or", p.Or)
	case p.Not != nil:
		inner := r.condition(p.Not)
		for i := range inner {
			inner[i] = isTrue("not", inner[i])
		}
		return inner
	case p.Quant != "":
		return r.quantified(p)
	case p.Left != nil:
		return r.computedLeft(p)
	}
	b, ok := r.dimension(Dim{Name: p.Dim, Grain: p.Grain}, p, forFilter)
	if !ok {
		return nil
	}
	p.Dim, p.Grain = b.name.Name, b.name.Grain
	if p.Op == "in_top" {
		return r.inTop(p, b)
	}
	left, ok := r.rowOperands(b, p)
	if !ok {
		return nil
	}
	right, ok := r.rightSide(p)
	if !ok {
		return nil
	}
	if b.dim != nil && !b.axis {
		r.checkValues(p, b)
	}
	return r.compared(p, left, right)
}

// rightSide binds what a comparison compares with, for every source: a computed number or a dimension. nil and true: a
// literal.
func (r *resolver) rightSide(p *Pred) ([]operand, bool) {
	switch {
	case p.Expr != nil:
		right := r.computed(p.Expr, p)
		return right, right != nil
	case p.ValDim != nil:
		b, ok := r.dimension(*p.ValDim, p.ValDim, forFilter)
		if !ok {
			return nil, false
		}
		*p.ValDim = b.name
		return r.rowOperands(b, p.ValDim)
	}
	return nil, true
}

// compared binds the comparison of two sides for every source; nil after a refusal.
func (r *resolver) compared(p *Pred, left, right []operand) []*scalar {
	var all []*scalar
	for s := range r.sources {
		var other operand
		if right != nil {
			other = right[s]
		}
		c := r.compare(p, left[s], other)
		if c == nil {
			return nil
		}
		all = append(all, c)
	}
	return all
}

// rowOperands gives the value of a dimension for each source.
func (r *resolver) rowOperands(b ref, place any) ([]operand, bool) {
	keys := r.keyRefs(b)
	if len(keys) != 1 {
		r.refuseNoKey(b, place)
		return nil, false
	}
	var all []operand
	for s := range r.sources {
		v := r.on(keys[0], s)
		if v == nil {
			return nil, false
		}
		o := operand{value: v, grain: b.grain, name: b.name.String()}
		if b.axis {
			o.grain = b.unit()
		}
		all = append(all, o)
	}
	return all, true
}

func (r *resolver) connectedRows(op string, all []*Pred) []*scalar {
	var whole []*scalar
	failed := false
	for _, p := range all {
		c := r.condition(p)
		switch {
		case c == nil:
			failed = true
		case whole == nil:
			whole = c
		default:
			for s := range whole {
				whole[s] = isTrue(op, whole[s], c[s])
			}
		}
	}
	if failed {
		return nil
	}
	return whole
}

// connected joins conditions over cells, of those that are not refused.
func (r *resolver) connected(op string, all []*Pred, bind func(*Pred) *scalar) *scalar {
	var whole *scalar
	for _, p := range all {
		s := bind(p)
		switch {
		case s == nil:
		case whole == nil:
			whole = s
		default:
			whole = isTrue(op, whole, s)
		}
	}
	return whole
}

func negated(s *scalar) *scalar {
	if s == nil {
		return nil
	}
	return isTrue("not", s)
}

// operand is one side of a comparison.
type operand struct {
	value *scalar
	grain string
	name  string // for messages
}

var comparisonSigns = map[string]string{"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

// compare binds one comparison, whose types must fit; the right side is given where it is not a value.
func (r *resolver) compare(p *Pred, left, right operand) *scalar {
	test := func(op string, args ...*scalar) *scalar {
		return isTrue(op, append([]*scalar{left.value}, args...)...)
	}
	op, isNot := strings.CutPrefix(p.Op, "not_")
	if p.Op == "not_null" || p.Op == "is_null" {
		return test(p.Op)
	}
	var s *scalar
	switch op {
	case "in":
		var list []*scalar
		for _, v := range p.Vals {
			l := r.literalFor(v, left, p)
			if l == nil {
				return nil
			}
			list = append(list, l)
		}
		if isNot {
			return test("not_in", list...)
		}
		return test("in", list...)
	case "between":
		low, high := r.literalFor(p.Vals[0], left, p), r.literalFor(p.Vals[1], left, p)
		if low == nil || high == nil {
			return nil
		}
		s = and(test(">=", low), test("<=", high))
	case "like", "contains", "starts_with":
		if t := left.value.Type; t != "" && t != semantic.Text {
			r.refuseNotText(p, left)
			return nil
		}
		s = test(op, &scalar{Op: "str", Text: p.Val.Text, Type: semantic.Text})
	default:
		sign := comparisonSigns[op]
		if p.Val != nil {
			l := r.literalFor(*p.Val, left, p)
			if l == nil {
				return nil
			}
			return test(sign, l)
		}
		if right.value == nil {
			return nil
		}
		if !comparable(left.value.Type, right.value.Type) {
			r.refuseUnlike(p, left, right)
			return nil
		}
		if u, v := left.value.Currency, right.value.Currency; u != "" && v != "" && !strings.EqualFold(u, v) {
			r.refuseUnits(p, u, v)
			return nil
		}
		s = test(sign, right.value)
	}
	if isNot {
		return negated(s)
	}
	return s
}

func comparable(a, b semantic.Type) bool {
	return a == "" || b == "" || a == b || a.Numeric() && b.Numeric() || a.Temporal() && b.Temporal()
}
