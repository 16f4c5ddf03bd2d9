package compile

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Number is an exact number of a table of the store: its type there, and what it lies between.
type Number struct {
	Type  string `json:"type"`            // INTEGER, BIGINT or DECIMAL(width,scale)
	Least string `json:"least,omitempty"` // empty: the type alone bounds it
	Most  string `json:"most,omitempty"`
}

// bounded is what DuckDB makes of an expression of exact numbers, and what its value lies between. DuckDB takes the
// width of a result from the types of the operands: too little where they are narrow, so that the statement fails, and
// 128 bits, which are several times slower, where one of them is wide. The values decide here.
type bounded struct {
	bits         int // of an integer: 32, 64 or 128; 0: it is a decimal
	width, scale int // digits, all and behind the point
	least, most  *big.Int
	literal      bool // an integer that stands in the query
}

// narrow is how many digits a decimal of 64 bits has, and widest those of one of 128.
const (
	narrow = 18
	widest = 38
)

func powerOf10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// within says whether every value has so many digits.
func (e bounded) within(digits int) bool {
	end := powerOf10(digits)
	return e.most.Cmp(end) < 0 && e.least.CmpAbs(end) < 0 && e.most.CmpAbs(end) < 0
}

// held says whether an integer type holds every value.
func (e bounded) held(bits int) bool {
	end := new(big.Int).Lsh(big.NewInt(1), uint(bits-1)) //nolint:gosec // 32 to 128
	return e.most.Cmp(end) < 0 && e.least.Cmp(new(big.Int).Neg(end)) >= 0
}

// fewest gives the narrowest integer type that holds every value; 128 bits where none does, so that the engine says so.
func (e bounded) fewest() int {
	for _, bits := range []int{32, 64} {
		if e.held(bits) {
			return bits
		}
	}
	return 128
}

func integerType(bits int) string {
	return map[int]string{32: "INTEGER", 64: "BIGINT", 128: "HUGEINT"}[bits]
}

func integer(bits int) bounded {
	end := new(big.Int).Lsh(big.NewInt(1), uint(bits-1)) //nolint:gosec // 32 to 128
	return bounded{
		bits: bits, width: map[int]int{32: 10, 64: 19, 128: widest}[bits],
		least: new(big.Int).Neg(end), most: new(big.Int).Sub(end, big.NewInt(1)),
	}
}

func decimal(width, scale int) bounded {
	most := new(big.Int).Sub(powerOf10(width), big.NewInt(1))
	return bounded{width: width, scale: scale, least: new(big.Int).Neg(most), most: most}
}

// bounded reads a column of a table.
func (n *Number) bounded() (bounded, bool) {
	var e bounded
	var width, scale int
	switch {
	case n.Type == "INTEGER":
		e = integer(32)
	case n.Type == "BIGINT":
		e = integer(64)
	case n.Type == "HUGEINT":
		e = integer(128)
	default:
		if _, err := fmt.Sscanf(n.Type, "DECIMAL(%d,%d)", &width, &scale); err != nil || width > widest || scale > width {
			return e, false
		}
		e = decimal(width, scale)
	}
	least, below := scaled(n.Least, e.scale)
	most, above := scaled(n.Most, e.scale)
	if n.Least != "" && n.Most != "" && below && above {
		e.least, e.most = least, most
	}
	return e, true
}

// number is what a column that holds the values is.
func (e bounded) number() *Number {
	n := &Number{Type: integerType(e.bits), Least: pointed(e.least, e.scale), Most: pointed(e.most, e.scale)}
	if e.bits == 0 {
		n.Type = fmt.Sprintf("DECIMAL(%d,%d)", e.width, e.scale)
	}
	return n
}

// pointed writes an integer of so many decimal places.
func pointed(x *big.Int, scale int) string {
	return new(big.Rat).SetFrac(x, powerOf10(scale)).FloatString(scale)
}

// keyed is what a key is that stands for an expression of each source which reaches it; nil: it is not known.
func keyed(exprs []*Scalar) *Number {
	e, ok := either(slices.DeleteFunc(slices.Clone(exprs), func(x *Scalar) bool { return x == nil }))
	if !ok {
		return nil
	}
	return e.number()
}

// scaled reads a decimal as an integer of its last places.
func scaled(s string, scale int) (*big.Int, bool) {
	whole, places, _ := strings.Cut(s, ".")
	if len(places) > scale {
		return nil, false
	}
	return new(big.Int).SetString(whole+places+strings.Repeat("0", scale-len(places)), 10)
}

// literalOf reads a number of the query.
func literalOf(s string) (bounded, bool) {
	_, places, point := strings.Cut(s, ".")
	value, ok := scaled(s, len(places))
	if !ok || len(s) > widest {
		return bounded{}, false
	}
	e := bounded{scale: len(places), least: value, most: value}
	if point {
		e.width = max(len(strings.Trim(value.String(), "-")), e.scale+1)
		return e, true
	}
	e = integer(e.fewest())
	e.least, e.most, e.literal = value, value, true
	return e, true
}

// bounded says what DuckDB makes of an expression as it is written here; false: it is not known.
func (s *Scalar) bounded() (bounded, bool) {
	switch s.Op {
	case "col", "ref":
		if s.Number == nil {
			return bounded{}, false
		}
		return s.Number.bounded()
	case "num":
		return literalOf(s.Text)
	case "neg":
		x, ok := s.Args[0].bounded()
		if !ok {
			return x, false
		}
		_, e := negated(x)
		return e, true
	case "+", "-", "*":
		a, known := s.Args[0].bounded()
		b, too := s.Args[1].bounded()
		if !known || !too {
			return bounded{}, false
		}
		_, e, ok := computed(s.Op, a, b)
		return e, ok
	case "case":
		return either(s.outcomes())
	case "call":
		switch s.Text {
		case "coalesce", "greatest", "least":
			return either(s.outcomes())
		case "nullif":
			return s.Args[0].bounded()
		case "abs":
			_, e, ok := absolute(s.Args[0])
			return e, ok
		}
	}
	return bounded{}, false
}

// outcomes are the values of which an expression gives one; of other expressions none.
func (s *Scalar) outcomes() (values []*Scalar) {
	switch {
	case s.Op == "call" && (s.Text == "coalesce" || s.Text == "greatest" || s.Text == "least"):
		return s.Args
	case s.Op != "case":
		return nil
	}
	for i := 1; i < len(s.Args); i += 2 {
		values = append(values, s.Args[i])
	}
	if s.HasElse {
		values = append(values, s.Args[len(s.Args)-1])
	}
	return values
}

// either is what one of several values is.
func either(values []*Scalar) (all bounded, ok bool) {
	all, _, ok = together(values)
	return all, ok
}

// together is either, with the type to which each value is cast, empty where none needs it: DuckDB rounds where the
// places of one and the digits of another are too many for one type.
func together(values []*Scalar) (all bounded, cast string, ok bool) {
	for _, v := range values {
		e, ok := v.bounded()
		switch {
		case v.Op == "null":
			continue
		case !ok:
			return e, "", false
		case all.least == nil:
			all = e
			continue
		case all.bits > 0 && e.bits > 0:
			all.bits, all.width = max(all.bits, e.bits), max(all.width, e.width)
		default:
			scale := max(all.scale, e.scale)
			width := max(all.width-all.scale, e.width-e.scale) + scale
			if width > widest {
				width, cast = widest, decimalType(widest, scale)
			} else if cast != "" {
				cast = decimalType(widest, scale)
			}
			all, e = all.at(scale), e.at(scale)
			all.bits, all.width = 0, width
		}
		all.literal = all.literal && e.literal
		all.least, all.most = smaller(all.least, e.least), larger(all.most, e.most)
	}
	return all, cast, all.least != nil
}

// absolute gives the type to which a number is cast before its sign is left out, empty where it needs none, and the
// result.
func absolute(s *Scalar) (cast string, e bounded, ok bool) {
	x, ok := s.bounded()
	if !ok {
		return "", x, false
	}
	cast, e = negated(x)
	e.least, e.most = big.NewInt(0), larger(x.most, e.most)
	return cast, e, true
}

// at gives the same values with more places.
func (e bounded) at(scale int) bounded {
	by := powerOf10(scale - e.scale)
	e.least, e.most, e.scale = new(big.Int).Mul(e.least, by), new(big.Int).Mul(e.most, by), scale
	return e
}

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// negated gives the type to which a number is cast before its sign is turned, empty where it needs none, and the
// result.
func negated(x bounded) (cast string, e bounded) {
	e = x
	e.least, e.most, e.literal = new(big.Int).Neg(x.most), new(big.Int).Neg(x.least), false
	if x.bits > 0 && !e.held(x.bits) {
		e.bits = e.fewest()
		e.width = integer(e.bits).width
		cast = integerType(e.bits)
	}
	return cast, e
}

// computed gives the types to which the operands of + - and * are cast, empty where one needs none, and the result.
func computed(op string, a, b bounded) (casts [2]string, e bounded, ok bool) {
	scale := max(a.scale, b.scale)
	if op == "*" {
		scale = a.scale + b.scale
	}
	if scale > widest {
		return casts, e, false
	}
	e = bounded{scale: scale}
	e.least, e.most = between(op, a, b)
	if a.bits > 0 && b.bits > 0 {
		e.bits = max(a.bits, b.bits)
		if need := e.fewest(); need > e.bits {
			e.bits = need
			casts[widened(a)] = integerType(need)
		}
		e.width = integer(e.bits).width
		return casts, e, true
	}
	if e.within(narrow) && scale < narrow && (op == "*" || a.at(scale).within(narrow) && b.at(scale).within(narrow)) {
		left, x := a.narrowed()
		right, y := b.narrowed()
		if x > 0 && y > 0 {
			a.width, b.width = x, y
			e.width = widthOf(op, a, b, scale)
			return [2]string{left, right}, e, true
		}
	}
	if a.width <= narrow && b.width <= narrow {
		sides := []*bounded{&a, &b}
		wide := sides[widened(a)]
		wide.width, wide.bits = narrow+1, 0
		casts[widened(a)] = decimalType(wide.width, wide.scale)
	}
	e.width = widthOf(op, a, b, scale)
	return casts, e, true
}

// widthOf is how many digits DuckDB gives a result. What would be the first to have more than 64 bits has as many as
// these hold.
func widthOf(op string, a, b bounded, scale int) int {
	width := max(a.width-a.scale, b.width-b.scale) + scale + 1
	if op == "*" {
		width = a.width + b.width
	}
	if max(a.width, b.width) <= narrow && (op != "*" || scale < narrow) {
		return min(width, narrow)
	}
	return min(width, widest)
}

func decimalType(width, scale int) string { return fmt.Sprintf("DECIMAL(%d, %d)", width, scale) }

// widened is the operand that is cast to a wider type: the first that is no literal.
func widened(a bounded) int {
	if a.literal {
		return 1
	}
	return 0
}

// narrowed gives the type to which a decimal's operand is cast so that 64 bits do, and its digits; 0: there is none.
func (e bounded) narrowed() (cast string, width int) {
	switch {
	case e.width <= narrow:
		return "", e.width
	case e.bits > 0 && e.held(32):
		return "INTEGER", integer(32).width
	case e.within(narrow):
		return decimalType(narrow, e.scale), narrow
	}
	return "", 0
}

// between bounds the values of a result, in its last places.
func between(op string, a, b bounded) (least, most *big.Int) {
	if op == "*" {
		for _, x := range []*big.Int{a.least, a.most} {
			for _, y := range []*big.Int{b.least, b.most} {
				product := new(big.Int).Mul(x, y)
				if least == nil {
					least, most = product, product
				}
				least, most = smaller(least, product), larger(most, product)
			}
		}
		return least, most
	}
	scale := max(a.scale, b.scale)
	a, b = a.at(scale), b.at(scale)
	if op == "-" {
		return new(big.Int).Sub(a.least, b.most), new(big.Int).Sub(a.most, b.least)
	}
	return new(big.Int).Add(a.least, b.least), new(big.Int).Add(a.most, b.most)
}

// operands writes those of + - and *, where their numbers are known so wide that the result fits and no wider: then
// they were measured as they stand, and may not be regrouped.
func (w *writer) operands(s *Scalar, b *block) (left, right operand, regroups bool) {
	left, right = w.expr(s.Args[0], b), w.expr(s.Args[1], b)
	x, known := s.Args[0].bounded()
	y, too := s.Args[1].bounded()
	if !known || !too || w.d.kind() != DuckDB {
		return left, right, true
	}
	casts, _, _ := computed(s.Op, x, y)
	return left.as(casts[0]), right.as(casts[1]), false
}

func (w *writer) negated(s *Scalar, b *block) operand {
	of := w.expr(s.Args[0], b)
	if x, known := s.Args[0].bounded(); known && w.d.kind() == DuckDB {
		cast, _ := negated(x)
		return of.as(cast)
	}
	return of
}

// together gives the type in which the values meet of which an expression gives one; empty: the engine's own does.
func (w *writer) together(s *Scalar) string {
	if w.d.kind() != DuckDB {
		return ""
	}
	if _, cast, known := together(s.outcomes()); known {
		return cast
	}
	return ""
}
