package frameview

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Count reads a cell that holds a whole number.
func Count(cell any) (int64, bool) {
	switch x := cell.(type) {
	case int64:
		return x, true
	case float64:
		return int64(x), x == float64(int64(x))
	case json.Number:
		n, err := strconv.ParseInt(string(x), 10, 64)
		return n, err == nil
	case string:
		n, err := strconv.ParseInt(x, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// Number reads a cell of a numeric column with all the digits that a person would write. ok is false for null and for NaN
// and the infinities.
func Number(cell any) (*big.Rat, bool) {
	switch x := cell.(type) {
	case int64:
		return new(big.Rat).SetInt64(x), true
	case float64:
		return decimal(strconv.FormatFloat(x, 'g', -1, 64))
	case json.Number:
		return decimal(string(x))
	case string:
		return decimal(x)
	}
	return nil, false
}

// decimal reads plain and scientific notation, not the other forms that big.Rat would take, and no exponent that would
// need the memory of a galaxy.
func decimal(s string) (*big.Rat, bool) {
	if s == "" || strings.Trim(s, "0123456789.eE+-") != "" {
		return nil, false
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(s[i+1:]); err != nil || exponent > 400 || exponent < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

// Numeric says whether a column holds numbers.
func Numeric(c frameql.Column) bool {
	return c.Type == "integer" || c.Type == "decimal" || c.Type == "float"
}

// Figure is a number for a person: thousands grouped, two decimal places, four significant digits below that; money keeps
// its two places, everything else loses trailing zeros. The cell is rounded half away from zero; the citation leads to all
// its digits.
func Figure(cell any, c frameql.Column) string {
	r, ok := Number(cell)
	if !ok {
		if s, isText := cell.(string); isText {
			return s // NaN and the infinities
		}
		return text.Say("analyst.no_value")
	}
	return FigureOf(r, c)
}

// FigureOf is Figure for a number that was worked out.
func FigureOf(r *big.Rat, c frameql.Column) string {
	if c.Scale != "" || c.Decimals != nil {
		return looked(r, c)
	}
	if c.Format == Percent {
		return text.Say("analyst.percent", "n", Percentage(r))
	}
	least := 0
	if Money(c.Unit) {
		least = 2
	}
	places := 2
	if zeros := leadingZeros(r); zeros > 1 || least == 0 && fraction(r) {
		places = zeros + 4
	}
	s := r.FloatString(places)
	for strings.HasSuffix(s, "0") && places > least {
		s, places = strings.TrimSuffix(s, "0"), places-1
	}
	return separated(strings.TrimSuffix(s, "."))
}

// Percent is the format of a column of fractions that are read in hundredths.
const Percent = "percent"

// Percentage writes a fraction in hundredths: one decimal place, two significant digits below a tenth.
func Percentage(fraction *big.Rat) string {
	r := new(big.Rat).Mul(fraction, big.NewRat(100, 1))
	places := 1
	if zeros := leadingZeros(r); zeros > 0 {
		places = zeros + 2
	}
	s := r.FloatString(places)
	for strings.HasSuffix(s, "0") && places > 0 {
		s, places = strings.TrimSuffix(s, "0"), places-1
	}
	return separated(strings.TrimSuffix(s, "."))
}

// Money says whether a unit is a currency code of ISO 4217 by its form: three capital letters.
func Money(unit string) bool {
	return len(unit) == 3 && strings.Trim(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// fraction says whether a number lies between -1 and 1 and is not zero.
func fraction(r *big.Rat) bool {
	return r.Sign() != 0 && new(big.Rat).Abs(r).Cmp(big.NewRat(1, 1)) < 0
}

// leadingZeros counts the zeros between the point and the first other digit of a fraction, 12 at most.
func leadingZeros(r *big.Rat) int {
	zeros := 0
	if !fraction(r) {
		return zeros
	}
	for x := new(big.Rat).Abs(r); zeros < 12 && x.Sign() > 0; zeros++ {
		if x.Mul(x, big.NewRat(10, 1)); x.Cmp(big.NewRat(1, 1)) >= 0 {
			break
		}
	}
	return zeros
}

// Fixed is a number for a person with so many decimal places, rounded half away from zero.
func Fixed(r *big.Rat, places int) string { return separated(r.FloatString(places)) }

// Grouped is a whole number for a person.
func Grouped(n int64) string { return separated(strconv.FormatInt(n, 10)) }

// separated puts the separators of the catalogue's language into a plain number.
func separated(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	var out strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteString(text.Say("analyst.thousands_separator"))
		}
		out.WriteRune(digit)
	}
	if !hasFraction {
		return sign + out.String()
	}
	return sign + out.String() + text.Say("analyst.decimal_separator") + fraction
}
