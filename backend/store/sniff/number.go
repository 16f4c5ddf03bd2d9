package sniff

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Number says how numbers are written.
type Number struct {
	Point   string // decimal mark; "" stands for "."
	Group   string // thousands mark; empty: none
	Symbol  string // currency symbol that every value carries; empty: none
	Percent bool   // every value carries a percent sign, which is dropped: 12% is 12
	Parens  bool   // (5) is -5
	Signs   bool   // +5 is 5, and a minus may be the typographic one
	Behind  bool   // 5- is -5
}

// Plain says whether the engine's own cast reads the numbers.
func (n Number) Plain() bool { return n == Number{} || n == Number{Point: "."} }

var symbols = []string{"$", "€", "£", "¥", "₹", "₩", "₺", "₽", "R$", "CHF", "USD", "EUR", "GBP"}

// marks are the ways to write decimals and thousands, in the order in which they are believed.
var marks = []Number{
	{Point: "."},
	{Point: ".", Group: ","},
	{Point: ",", Group: "."},
	{Point: ",", Group: " "},
	{Point: ".", Group: " "},
	{Point: ",", Group: "\u00a0"},
	{Point: ",", Group: "\u202f"},
	{Point: ".", Group: "'"},
}

// body gives the expression of the digits: what stands between signs and symbols. places bounds the decimal places; -1
// leaves them free.
func (n Number) body(places int) string {
	point := regexp.QuoteMeta(n.point())
	whole := `(0|[1-9][0-9]*)`
	if n.Group != "" {
		whole = `(0|[1-9][0-9]{0,2}(` + regexp.QuoteMeta(n.Group) + `[0-9]{3})+|[1-9][0-9]*)`
	}
	if n.Group == "," { // 1,23,456 is how India groups
		whole = `(0|[1-9][0-9]{0,2}(,[0-9]{3})+|[1-9][0-9]?(,[0-9]{2})+,[0-9]{3}|[1-9][0-9]*)`
	}
	switch {
	case places == 0:
		return whole
	case places > 0:
		return fmt.Sprintf(`(%s(%s[0-9]{0,%d})?|%s[0-9]{1,%d})`, whole, point, places, point, places)
	default:
		return fmt.Sprintf(`(%s(%s[0-9]*)?|%s[0-9]+)`, whole, point, point)
	}
}

func (n Number) point() string {
	if n.Point == "" {
		return "."
	}
	return n.Point
}

// wrap puts signs and symbols around the expression of the digits.
func (n Number) wrap(body string) string {
	before, after := "", ""
	if n.Symbol != "" {
		sym := regexp.QuoteMeta(n.Symbol)
		before = `(` + sym + ` ?-?|-` + sym + ` ?)?`
		after = `( ?` + sym + `)?`
	}
	if n.Percent {
		after += ` ?%`
	}
	sign := `-?`
	if n.Signs {
		sign = `[+\-−–]?`
	}
	p := sign + before + body + after
	if n.Behind {
		p += `-?`
	}
	if n.Parens {
		outside := ""
		if n.Symbol != "" {
			outside = `(` + regexp.QuoteMeta(n.Symbol) + ` ?)?`
		}
		p = `(` + p + `|` + outside + `\(` + p + `\)` + after + `)`
	}
	return p
}

// Clean gives the plain spelling of a number: sign, digits, point.
func (n Number) Clean(s string) string {
	if n.Symbol != "" {
		s = strings.ReplaceAll(s, n.Symbol, "")
	}
	if n.Percent {
		s = strings.ReplaceAll(s, "%", "")
	}
	if n.Signs {
		s = strings.NewReplacer("+", "", "−", "-", "–", "-").Replace(s)
	}
	if n.Parens { // a minus within them says the same once more
		s = strings.ReplaceAll(s, " ", "")
		s = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, "(-", "("), "(", "-"), ")", "")
	}
	if n.Behind && strings.HasSuffix(s, "-") {
		s = "-" + strings.Trim(s, "-")
	}
	if n.Group != "" {
		s = strings.ReplaceAll(s, n.Group, "")
	}
	if p := n.point(); p != "." {
		s = strings.ReplaceAll(s, p, ".")
	}
	return strings.ReplaceAll(s, " ", "")
}

// number tries the ways to write numbers.
func number(values []Value, budget int64) (Shape, bool) {
	for _, v := range values {
		if leadingZero.MatchString(v.Text) {
			return Shape{}, false // a code, of which the zero is a part; one is enough
		}
		if budget > 0 && code.MatchString(v.Text) {
			return Shape{}, false // the others are codes as well
		}
	}
	first := dressing(values)
	var found []Number
	for _, m := range marks {
		m.Symbol, m.Percent, m.Parens, m.Signs, m.Behind = first.Symbol, first.Percent, first.Parens, first.Signs, first.Behind
		re, err := regexp.Compile(`^` + m.wrap(m.body(-1)) + `$`)
		if err != nil || !fits(values, budget, re.MatchString) {
			continue
		}
		if m.Group == "" { // plain: nothing else can be meant
			return numeric(values, m), true
		}
		if usesMarks(values, m) {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return exponent(values, budget)
	}
	// The first is believed: the others differ from it in marks that do not occur. Only where point and comma could be
	// swapped it is not, unless the values are dollars.
	swapped := len(found) > 1 && found[0].Group == "," && found[1].Group == "."
	if swapped && first.Symbol != "$" {
		return Shape{Type: Text, Unclear: true, Number: found[0]}, true
	}
	return numeric(values, found[0]), true
}

// DecimalComma says whether a text is a number that only a decimal comma explains: 12,5.
func DecimalComma(s string) bool { return decimalComma.MatchString(s) }

var decimalComma = regexp.MustCompile(`^[^0-9]{0,4}[0-9.]*[0-9],[0-9]{1,2}([^0-9,][^0-9]{0,3})?$`)

// usesMarks says whether a comma, blank or apostrophe that the format explains occurs at all.
func usesMarks(values []Value, m Number) bool {
	for _, v := range values {
		if strings.Contains(v.Text, m.Group) || m.Point == "," && strings.Contains(v.Text, ",") {
			return true
		}
	}
	return false
}

// signed is a number behind a sign that a keyboard's minus is not.
var signed = regexp.MustCompile(`^[+−–][^0-9]{0,3}[0-9]`)

// inParens is a number that accountants write below zero, and minusBehind one that mainframes do.
var (
	inParens    = regexp.MustCompile(`^[^0-9()]{0,4}\([^()]*[0-9][^()]*\)[^0-9()]{0,4}$`)
	minusBehind = regexp.MustCompile(`^[^0-9-]{0,4}[0-9][0-9.,' ]*-$`)
)

// telephone is what a plus sign before many digits stands for.
var telephone = regexp.MustCompile(`^\+[0-9][-0-9 ()/.]{5,}$`)

// dressing finds the symbol, the percent sign and the parentheses of the first value that has digits; that all the others
// agree is left to the pattern.
func dressing(values []Value) Number {
	n := Number{Signs: slices.ContainsFunc(values, func(v Value) bool { return signed.MatchString(v.Text) }) &&
		!slices.ContainsFunc(values, func(v Value) bool { return telephone.MatchString(v.Text) })}
	for _, v := range values {
		n.Parens = n.Parens || inParens.MatchString(v.Text)
		n.Behind = n.Behind || minusBehind.MatchString(v.Text)
	}
	for _, v := range values {
		if !strings.ContainsAny(v.Text, "0123456789") {
			continue
		}
		n.Percent = strings.HasSuffix(strings.TrimSuffix(v.Text, ")"), "%")
		for _, s := range symbols {
			if strings.Contains(v.Text, s) && len(s) > len(n.Symbol) {
				n.Symbol = s
			}
		}
		break
	}
	if n.Symbol != "" {
		for _, v := range values {
			if !strings.Contains(v.Text, n.Symbol) && !word(v.Text) {
				n.Symbol = ""
				return n
			}
		}
	}
	return n
}

// numeric chooses between Integer, Decimal and Float for values that match m.
func numeric(values []Value, m Number) Shape {
	re := regexp.MustCompile(`^` + m.wrap(m.body(-1)) + `$`)
	whole, places, decimals := 0, 0, false
	for _, v := range values {
		if !re.MatchString(v.Text) {
			continue
		}
		s := m.Clean(v.Text)
		a, b, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
		whole, places = max(whole, len(a)), max(places, len(b))
		decimals = decimals || point
		if !point {
			if _, err := strconv.ParseInt(s, 10, 64); err != nil {
				whole = max(whole, 20) // more than 64 bits
			}
		}
	}
	if m.Plain() {
		m = Number{}
	}
	switch {
	case !decimals && whole > 38:
		return Shape{Type: Text}
	case !decimals && whole > 19: // more than 64 bits, which a decimal without places holds
		return Shape{Type: Decimal, Digits: 38, Number: m}
	case !decimals && whole <= FewDigits:
		return Shape{Type: Integer, Digits: FewDigits, Number: m}
	case !decimals:
		return Shape{Type: Integer, Number: m}
	case places > MaxScale || whole+places > 38:
		return Shape{Type: Float, Number: m}
	case whole+places > 18:
		return Shape{Type: Decimal, Scale: places, Digits: 38, Number: m}
	default:
		return Shape{Type: Decimal, Scale: places, Digits: 18, Number: m}
	}
}

const floatPattern = `[+-]?([0-9]+\.?[0-9]*([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|[iI]nf(inity)?)`

var (
	code         = regexp.MustCompile(`^[A-Za-z]+[-_]?[0-9]+[A-Za-z]?$|^[0-9]+[-_]?[A-Za-z]{1,2}$`) // A12, INV-7, 12b
	leadingZero  = regexp.MustCompile(`^-?0[0-9]+$`)
	floatForm    = regexp.MustCompile(`^` + floatPattern + `$`)
	floatPointed = regexp.MustCompile(`\.|[eE][+-]`)
)

// exponent tries 1.5e-7. At least one value must have a point or a signed exponent: 12e5 alone may be an article number.
func exponent(values []Value, budget int64) (Shape, bool) {
	pointed := false
	for _, v := range values {
		pointed = pointed || floatPointed.MatchString(v.Text)
	}
	if !pointed || !fits(values, budget, floatForm.MatchString) {
		return Shape{}, false
	}
	return Shape{Type: Float}, true
}

// pattern of a numeric shape.
func (s Shape) numberPattern() string {
	n := s.Number
	switch {
	case s.Type == Float && n.Plain():
		return floatPattern
	case s.Type == Decimal && n.Plain():
		return fmt.Sprintf(`-?(0|[1-9][0-9]{0,%d})?(\.[0-9]{0,%d})?`, s.Digits-s.Scale-1, s.Scale)
	case s.Type == Integer && n.Plain():
		return `-?(0|[1-9][0-9]{0,18})`
	}
	switch s.Type {
	case Integer:
		return n.wrap(n.body(0))
	case Decimal:
		return n.wrap(n.body(s.Scale))
	default:
		return n.wrap(n.body(-1))
	}
}
