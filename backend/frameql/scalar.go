package frameql

import (
	"strconv"
	"strings"

	"assay/backend/semantic"
)

// scalar is a bound expression: of one row of the source, or of one row of the grouped result. Each dialect writes it.
//
//	col            a column of the source: node and text (its physical name)
//	key leaf       a column of the grouped result, by index
//	num str bool null date timestamp time   a literal, text
//	+ - * / neg    "/" gives missing instead of dividing by zero, and a floating number
//	= <> < <= > >= and or not is_null not_null in not_in
//	like contains starts_with               args: the text and a str
//	case           args: when, then, ..., [else] with hasElse
//	call           text: a function of the expression grammar
//	trunc          text: a time grain; shift: months for fiscal grains, days for weeks
type scalar struct {
	op      string
	text    string
	args    []*scalar
	node    int
	index   int
	shift   int
	hasElse bool
	typ     semantic.Type // empty: not known
	unit    string
}

// signature is equal for equal expressions.
func (s *scalar) signature() string {
	if s == nil {
		return "-"
	}
	var b strings.Builder
	s.sign(&b)
	return b.String()
}

func (s *scalar) sign(b *strings.Builder) {
	b.WriteString(s.op + " " + strconv.Quote(s.text) + " " + strconv.Itoa(s.node) + " " + strconv.Itoa(s.index) + " " +
		strconv.Itoa(s.shift) + " " + strconv.FormatBool(s.hasElse) + "(")
	for _, a := range s.args {
		a.sign(b)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

// each visits the expression and everything in it.
func (s *scalar) each(visit func(*scalar)) {
	if s == nil {
		return
	}
	visit(s)
	for _, a := range s.args {
		a.each(visit)
	}
}

// uses says whether an op stands anywhere in the expression.
func (s *scalar) uses(op string) bool {
	found := false
	s.each(func(x *scalar) { found = found || x.op == op })
	return found
}

func and(all ...*scalar) *scalar {
	var whole *scalar
	for _, s := range all {
		switch {
		case s == nil:
		case whole == nil:
			whole = s
		default:
			whole = &scalar{op: "and", args: []*scalar{whole, s}, typ: semantic.Boolean}
		}
	}
	return whole
}

// arithmetic gives a op b with the type of the result.
func arithmetic(op string, a, b *scalar) *scalar {
	s := &scalar{op: op, args: []*scalar{a, b}, typ: wider(a.typ, b.typ)}
	if op == "/" {
		s.typ = semantic.Float
	}
	if op == "+" || op == "-" {
		s.unit = a.unit
		if s.unit == "" {
			s.unit = b.unit
		}
	}
	if op == "*" && (isPlainNumber(a) || isPlainNumber(b)) || op == "/" && isPlainNumber(b) {
		s.unit = a.unit + b.unit // one of them has none
	}
	return s
}

func isPlainNumber(s *scalar) bool { return s.op == "num" || s.op == "neg" && s.args[0].op == "num" }

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
		return &scalar{op: "neg", args: []*scalar{{op: "num", text: rest, typ: t}}, typ: t}
	}
	return &scalar{op: "num", text: digits, typ: t}
}
