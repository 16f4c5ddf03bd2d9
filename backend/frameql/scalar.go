package frameql

import (
	"strconv"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// scalar is a bound expression, as the compiler takes it.
type scalar = compile.Scalar

// signature is equal for equal expressions.
func signature(s *scalar) string {
	var b strings.Builder
	sign(&b, s)
	return b.String()
}

func sign(b *strings.Builder, s *scalar) {
	if s == nil {
		b.WriteByte('-')
		return
	}
	b.WriteString(s.Op)
	b.WriteByte(' ')
	b.WriteString(strconv.Quote(s.Text))
	number := func(n int) {
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(n))
	}
	number(s.Node)
	number(s.Index)
	number(s.Ctx)
	number(s.N)
	number(s.Shift)
	for _, k := range s.Keys {
		number(k)
	}
	b.WriteString(s.Unit + " " + s.Param + " " + s.Zone + " " + s.From)
	if s.HasElse {
		b.WriteByte('!')
	}
	if s.Sub != nil { // a query of its own; equal only to itself
		b.WriteString(" sub" + pointer(s.Sub))
	}
	b.WriteByte('(')
	for _, a := range s.Args {
		sign(b, a)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

// pointer tells a value from every other of its kind that lives at the same time.
func pointer(s *compile.Sub) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		b.WriteString(n.Entity + "/")
	}
	for _, p := range s.On {
		sign(&b, p.Parent)
		sign(&b, p.Own)
	}
	for _, w := range s.Where {
		sign(&b, w)
	}
	if s.Lookup != nil {
		for _, k := range s.Lookup.Keys {
			sign(&b, k)
		}
		for _, o := range s.Lookup.Query.Outputs {
			sign(&b, o.Cell)
		}
		for _, l := range s.Lookup.Query.Leaves {
			b.WriteString(leafSignature(&l))
		}
	}
	return b.String()
}

// leafSignature is equal for equal aggregates.
func leafSignature(l *compile.Leaf) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(l.Source) + l.Reducer + strconv.FormatBool(l.Distinct) + strconv.FormatBool(l.Zero) +
		strconv.FormatBool(l.Discrete) + l.Param + " " + l.Map.Kind + strconv.Itoa(l.Map.N) + l.Map.Unit + strconv.Itoa(l.Map.Offset) + l.Map.OffsetUnit + " ")
	for _, s := range []*scalar{l.Expr, l.Filter, l.Time, l.Map.Cut} {
		sign(&b, s)
	}
	if l.Pick != nil {
		b.WriteString("pick" + strconv.FormatBool(l.Pick.Last))
		for _, s := range l.Pick.Per {
			sign(&b, s)
		}
	}
	return b.String()
}

// each visits the expression and everything in it, not the queries of its lookups.
func each(s *scalar, visit func(*scalar)) {
	if s == nil {
		return
	}
	visit(s)
	for _, a := range s.Args {
		each(a, visit)
	}
	if s.Sub != nil {
		for _, p := range s.Sub.On {
			each(p.Parent, visit)
		}
		if s.Sub.Lookup != nil {
			for _, k := range s.Sub.Lookup.Keys {
				each(k, visit)
			}
		}
	}
}

func isTrue(op string, args ...*scalar) *scalar {
	return &scalar{Op: op, Args: args, Type: semantic.Boolean}
}

// and joins conditions; those that are not there do not count.
func and(all ...*scalar) *scalar {
	var whole *scalar
	for _, s := range all {
		switch {
		case s == nil:
		case whole == nil:
			whole = s
		default:
			whole = isTrue("and", whole, s)
		}
	}
	return whole
}

// arithmetic gives a op b with the type of the result.
func arithmetic(op string, a, b *scalar) *scalar {
	s := &scalar{Op: op, Args: []*scalar{a, b}, Type: wider(a.Type, b.Type)}
	if op == "/" {
		s.Type = semantic.Float
	}
	if op == "+" || op == "-" {
		s.Currency = a.Currency
		if s.Currency == "" {
			s.Currency = b.Currency
		}
	}
	if op == "*" && (isPlainNumber(a) || isPlainNumber(b)) || op == "/" && isPlainNumber(b) {
		s.Currency = a.Currency + b.Currency // one of them has none
	}
	return s
}

func isPlainNumber(s *scalar) bool { return s.Op == "num" || s.Op == "neg" && s.Args[0].Op == "num" }

func wider(a, b semantic.Type) semantic.Type {
	for _, t := range []semantic.Type{semantic.Float, semantic.Decimal, semantic.Integer} {
		if a == t || b == t {
			return t
		}
	}
	if a == "" {
		return b
	}
	return a
}

func numberLiteral(digits string) *scalar {
	t := semantic.Integer
	if strings.ContainsAny(digits, ".eE") {
		t = semantic.Decimal
	}
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		return &scalar{Op: "neg", Args: []*scalar{{Op: "num", Text: rest, Type: t}}, Type: t}
	}
	return &scalar{Op: "num", Text: digits, Type: t}
}

// withUnit gives the expression with another unit.
func withUnit(s *scalar, unit string) *scalar {
	c := *s
	c.Currency = unit
	return &c
}
