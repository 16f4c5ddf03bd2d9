package tool

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"assay/backend/frameql"
)

// mostDigits are the significant digits of a number that a JSON number keeps; see frameql.Frame.
const mostDigits = 15

// exactly writes a number as a cell of a column: a whole number or a decimal with all of its digits, a float as such. What has no end in
// decimals is rounded to 15 significant digits.
func exactly(x *big.Rat, c frameql.Column) any {
	if c.Type == "float" {
		f, _ := x.Float64()
		return f
	}
	if x.IsInt() && x.Num().IsInt64() && len(x.Num().String()) <= mostDigits {
		return x.Num().Int64()
	}
	s := decimalText(x)
	if digits := strings.Count(s, "") - 1 - strings.Count(s, "-") - strings.Count(s, "."); digits <= mostDigits {
		return json.Number(s)
	}
	return s
}

// decimalText writes a number in decimals: exactly where it has an end, else with 15 significant digits.
func decimalText(x *big.Rat) string {
	if n, ends := x.FloatPrec(); ends && n <= 60 {
		return x.FloatString(n)
	}
	s := new(big.Float).SetPrec(200).SetRat(x).Text('g', mostDigits)
	if strings.ContainsAny(s, "eE") {
		r, _ := new(big.Rat).SetString(s)
		n, _ := r.FloatPrec()
		return r.FloatString(n)
	}
	return s
}

// floated is a number of an artifact whose numbers are floats; false: it is too large for one.
func floated(x *big.Rat) (float64, bool) {
	f, _ := x.Float64()
	return f, !math.IsInf(f, 0)
}
