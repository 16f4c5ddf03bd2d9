package frameql

import (
	"regexp"
	"strings"
	"time"

	"assay/backend/semantic"
)

// condition binds a predicate over rows; nil after a refusal. Names in it become canonical.
func (r *resolver) condition(p *Pred) *scalar {
	switch {
	case len(p.And) > 0:
		return r.connected("and", p.And, r.condition)
	case len(p.Or) > 0:
		return r.connected("or", p.Or, r.condition)
	case p.Not != nil:
		return negated(r.condition(p.Not))
	case p.Quant != "": // told as NOT_YET
		if e := r.entity(p.Entity); e != nil {
			p.Entity = e.Name
		} else {
			r.refuseUnknown(Dim{Name: p.Entity}, p, forFilter)
		}
		return nil
	}
	b, ok := r.dimension(Dim{Name: p.Dim, Grain: p.Grain}, p, forFilter)
	if !ok {
		return nil
	}
	p.Dim, p.Grain = b.name.Name, b.name.Grain
	keys := r.keyRefs(b)
	if len(keys) != 1 {
		r.refuseNoKey(b, p)
		return nil
	}
	left := operand{value: r.cut(keys[0]), grain: b.grain, name: b.name.String()}
	if p.Expr != nil {
		r.touch(p.Expr) // told as NOT_YET
		return nil
	}
	return r.compare(p, left, func(d *Dim) (operand, bool) {
		other, ok := r.dimension(*d, d, forFilter)
		if !ok {
			return operand{}, false
		}
		keys := r.keyRefs(other)
		if len(keys) != 1 {
			r.refuseNoKey(other, d)
			return operand{}, false
		}
		*d = other.name
		return operand{value: r.cut(keys[0]), grain: other.grain, name: other.name.String()}, true
	})
}

func (r *resolver) connected(op string, all []*Pred, bind func(*Pred) *scalar) *scalar {
	var whole *scalar
	failed := false
	for _, p := range all {
		s := bind(p)
		switch {
		case s == nil:
			failed = true
		case whole == nil:
			whole = s
		default:
			whole = &scalar{op: op, args: []*scalar{whole, s}, typ: semantic.Boolean}
		}
	}
	if failed {
		return nil
	}
	return whole
}

func negated(s *scalar) *scalar {
	if s == nil {
		return nil
	}
	return &scalar{op: "not", args: []*scalar{s}, typ: semantic.Boolean}
}

// operand is one side of a comparison.
type operand struct {
	value *scalar
	grain string
	name  string // for messages
}

var comparisonSigns = map[string]string{"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

// compare binds one comparison, whose types must fit.
func (r *resolver) compare(p *Pred, left operand, other func(*Dim) (operand, bool)) *scalar {
	test := func(op string, args ...*scalar) *scalar {
		return &scalar{op: op, args: append([]*scalar{left.value}, args...), typ: semantic.Boolean}
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
		if t := left.value.typ; t != "" && t != semantic.Text {
			r.refuseNotText(p, left)
			return nil
		}
		s = test(op, &scalar{op: "str", text: p.Val.Text, typ: semantic.Text})
	default:
		sign := comparisonSigns[op]
		if p.Val != nil {
			l := r.literalFor(*p.Val, left, p)
			if l == nil {
				return nil
			}
			return test(sign, l)
		}
		right, ok := other(p.ValDim)
		if !ok {
			return nil
		}
		if !comparable(left.value.typ, right.value.typ) {
			r.refuseUnlike(p, left, right)
			return nil
		}
		if u, v := left.value.unit, right.value.unit; u != "" && v != "" && !strings.EqualFold(u, v) {
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

var (
	decimalForm   = regexp.MustCompile(`^-?\d{1,38}(\.\d{1,38})?$`)
	timestampForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$`)
	timeForm      = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$`)
)

func isDecimal(s string) bool { return decimalForm.MatchString(s) }

// literalFor writes a value in the type of the other side; nil after a refusal.
func (r *resolver) literalFor(v Value, left operand, p *Pred) *scalar {
	t := left.value.typ
	if v.Kind == Null {
		r.refuseNullComparison(p, left)
		return nil
	}
	if left.grain != "" && left.grain != "hour" {
		if s := r.periodStart(v, left.grain); s != nil {
			return s
		}
		r.refuseValue(p, left, v, t)
		return nil
	}
	switch {
	case t == "":
		return plainLiteral(v)
	case t == semantic.Text && v.Kind == String:
		return &scalar{op: "str", text: v.Text, typ: t}
	case t.Numeric() && v.Kind == Number:
		return numberLiteral(v.Text)
	case t == semantic.Boolean && v.Kind == Bool:
		return &scalar{op: "bool", text: v.Text, typ: t}
	case t == semantic.Time && v.Kind == String && timeForm.MatchString(v.Text):
		return &scalar{op: "time", text: v.Text, typ: t}
	case t.Temporal() && v.Kind == String:
		if s := temporalLiteral(v.Text, t); s != nil {
			return s
		}
	}
	r.refuseValue(p, left, v, t)
	return nil
}

func plainLiteral(v Value) *scalar {
	switch v.Kind {
	case Number:
		return numberLiteral(v.Text)
	case Bool:
		return &scalar{op: "bool", text: v.Text, typ: semantic.Boolean}
	default:
		return &scalar{op: "str", text: v.Text}
	}
}

// temporalLiteral reads an ISO date, or a timestamp for a column of timestamps.
func temporalLiteral(s string, t semantic.Type) *scalar {
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return &scalar{op: "date", text: s, typ: semantic.Date}
	}
	if t != semantic.Timestamp || !timestampForm.MatchString(s) {
		return nil
	}
	s = strings.Replace(s, "T", " ", 1)
	if strings.Count(s, ":") == 1 {
		s += ":00"
	}
	if _, err := time.Parse("2006-01-02 15:04:05.999999", s); err != nil {
		return nil
	}
	return &scalar{op: "timestamp", text: s, typ: t}
}

// periodStart reads the value that a time cut by a grain is compared with: 1997, '1997-Q2', '1997-05', 'FY1998' or the
// first day of the unit.
func (r *resolver) periodStart(v Value, grain string) *scalar {
	if v.Kind != String && v.Kind != Number {
		return nil
	}
	use, bad := r.calendar.literal(v.Text)
	if bad != nil {
		return nil
	}
	if use.Grain != grain && !(use.Grain == "day" && r.calendar.start(use.From, grain).Equal(use.From)) {
		return nil
	}
	return &scalar{op: "date", text: use.From.Format(time.DateOnly), typ: semantic.Date}
}

// bindHaving binds the condition on outputs and expressions.
func (r *resolver) bindHaving() {
	if r.q.Having == nil {
		return
	}
	r.q.Having = flattened(r.q.Having)
	r.bound.having = r.havingCondition(r.q.Having)
}

func (r *resolver) havingCondition(p *Pred) *scalar {
	switch {
	case len(p.And) > 0:
		return r.connected("and", p.And, r.havingCondition)
	case len(p.Or) > 0:
		return r.connected("or", p.Or, r.havingCondition)
	case p.Not != nil:
		return negated(r.havingCondition(p.Not))
	case p.Quant != "":
		return nil // told as NOT_YET
	}
	var left operand
	var ok bool
	if p.Out != "" {
		left, p.Out, ok = r.outcome(p.Out, p)
	} else {
		left = operand{value: r.expr(p.Left), name: p.Left.String()}
		ok = left.value != nil
	}
	if p.Expr != nil {
		right := r.expr(p.Expr)
		if right == nil || !ok || p.Op == "in_top" {
			return nil
		}
		if u, v := left.value.unit, right.unit; u != "" && v != "" && !strings.EqualFold(u, v) {
			r.refuseUnits(p, u, v)
			return nil
		}
		return &scalar{op: comparisonSigns[p.Op], args: []*scalar{left.value, right}, typ: semantic.Boolean}
	}
	if !ok {
		return nil
	}
	return r.compare(p, left, func(d *Dim) (operand, bool) {
		o, name, ok := r.outcome(d.dottedName(), d)
		*d = dotted{segments: strings.Split(name, ".")}.dim()
		return o, ok
	})
}

// dottedName is the name with its grain, as sort keys and HAVING hold names.
func (d Dim) dottedName() string {
	if d.Grain != "" {
		return d.Name + "." + d.Grain
	}
	return d.Name
}

// outcome binds a name in HAVING or a sort key: an output, a metric, or a dimension of the result. It gives the name as
// canonical text spells it.
func (r *resolver) outcome(name string, place any) (operand, string, bool) {
	for _, o := range r.bound.outputs {
		if strings.EqualFold(o.column.Name, name) {
			grain := ""
			if o.key >= 0 {
				grain = r.bound.keys[o.key].ref.grain
			}
			return operand{value: o.expr, grain: grain, name: o.column.Name}, o.column.Name, true
		}
	}
	if m := r.metric(name); m != nil {
		if r.fact == nil {
			return operand{}, m.Name, false
		}
		s := r.metricValue(m, nil, 0)
		return operand{value: s, name: m.Name}, m.Name, s != nil
	}
	if r.aliases[strings.ToLower(name)] {
		return operand{}, name, false // an output whose own problem is told already
	}
	d := dotted{segments: strings.Split(name, ".")}.dim()
	if len(r.meanings(d)) == 0 && !timeGrains[strings.ToUpper(name)] {
		r.refuseUnknown(d, place, forGrain)
		return operand{}, name, false
	}
	b, ok := r.dimension(d, place, forGrain)
	if !ok {
		return operand{}, name, false
	}
	keys := r.keyRefs(b)
	if len(keys) != 1 {
		r.refuseSortKey(b.name.String(), place)
		return operand{}, name, false
	}
	for i, k := range r.bound.keys {
		if k.ref.same(keys[0]) {
			return operand{value: r.keyScalar(i), grain: b.grain, name: b.name.String()}, b.name.dottedName(), true
		}
	}
	if !r.determined(keys[0]) {
		r.refuseSortKey(b.name.String(), place)
		return operand{}, name, false
	}
	return operand{value: r.keyScalar(r.addKey(keys[0], false)), grain: b.grain, name: b.name.String()}, b.name.dottedName(), true
}
