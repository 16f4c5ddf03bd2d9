package frameqltest

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A cell is nil (missing), string, bool, time.Time (a date or a timestamp, UTC) or Number.

// Number is an exact number. Approx says that the engine computes it in floating point, so that its last digits are not
// to be relied on.
type Number struct {
	Value   *big.Rat
	Approx  bool
	rounded bool // what the engine computes went through a number that floating point does not hold, whatever the result is
}

// Whole makes an exact integer.
func Whole(n int64) Number { return Number{Value: new(big.Rat).SetInt64(n)} }

// Digits reads a decimal number as it is written; it panics on anything else, for its arguments are written by tests.
func Digits(s string) Number {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("not a number: " + s)
	}
	return Number{Value: r}
}

// Float takes a finite floating number exactly, as one that is approximate.
func Float(f float64) Number {
	r := new(big.Rat)
	if r.SetFloat64(f) == nil {
		panic("not a finite number: " + strconv.FormatFloat(f, 'g', -1, 64))
	}
	return Number{Value: r, Approx: true}
}

func (n Number) float() float64 {
	f, _ := n.Value.Float64()
	return f
}

// tolerance is how far two approximate numbers may lie apart, relative to the larger one and at least to 1.
const tolerance = 1e-9

// near says whether two numbers are the same within the tolerance.
func near(a, b Number) bool {
	x, y := a.float(), b.float()
	return math.Abs(x-y) <= tolerance*math.Max(1, math.Max(math.Abs(x), math.Abs(y)))
}

// sameCell is null-safe equality.
func sameCell(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return order(a, b) == 0
}

// order compares two cells of one type that are not missing.
func order(a, b any) int {
	if reflect.TypeOf(a) != reflect.TypeOf(b) {
		panic(outside{fmt.Sprintf("a comparison of %T and %T", a, b)})
	}
	switch x := a.(type) {
	case Number:
		return x.Value.Cmp(b.(Number).Value)
	case string:
		return strings.Compare(x, b.(string))
	case bool:
		y := b.(bool)
		switch {
		case x == y:
			return 0
		case y:
			return -1
		}
		return 1
	case time.Time:
		return x.Compare(b.(time.Time))
	}
	panic(fmt.Sprintf("cannot compare %T", a))
}

// orderNullsLast compares two cells for sorting: missing ones come last in both directions.
func orderNullsLast(a, b any, desc bool) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	if desc {
		return order(b, a)
	}
	return order(a, b)
}

// identity is text that is equal for equal cells.
func identity(c any) string {
	switch x := c.(type) {
	case nil:
		return "-"
	case Number:
		return "n" + x.Value.RatString()
	case string:
		return "s" + strconv.Itoa(len(x)) + ":" + x
	case bool:
		return "b" + strconv.FormatBool(x)
	case time.Time:
		return "t" + strconv.FormatInt(x.UnixMicro(), 10)
	}
	panic(fmt.Sprintf("no cell: %T", c))
}

func identities(cells []any) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(identity(c))
		b.WriteByte('|')
	}
	return b.String()
}

// Show writes a cell for a person.
func Show(c any) string {
	switch x := c.(type) {
	case nil:
		return "NULL"
	case Number:
		if x.Approx {
			return strconv.FormatFloat(x.float(), 'g', 12, 64)
		}
		if x.Value.IsInt() {
			return x.Value.Num().String()
		}
		return strings.TrimRight(x.Value.FloatString(12), "0")
	case string:
		return strconv.Quote(x)
	case time.Time:
		if x.Equal(midnight(x)) {
			return x.Format(time.DateOnly)
		}
		return x.Format("2006-01-02 15:04:05.999999")
	}
	return fmt.Sprint(c)
}

// add, sub, mul and div are arithmetic over cells; missing operands give missing. Between two dates are days.
func arith(op string, a, b any) any {
	if later, ok := a.(time.Time); ok && op == "-" {
		if earlier, ok := b.(time.Time); ok {
			return Whole(int64(midnight(later).Sub(midnight(earlier)).Hours() / 24))
		}
	}
	x, ok1 := a.(Number)
	y, ok2 := b.(Number)
	if !ok1 || !ok2 {
		return nil
	}
	out := Number{Value: new(big.Rat), Approx: x.Approx || y.Approx}
	switch op {
	case "+":
		out.Value.Add(x.Value, y.Value)
	case "-":
		out.Value.Sub(x.Value, y.Value)
	case "*":
		out.Value.Mul(x.Value, y.Value)
	case "/":
		if y.Value.Sign() == 0 {
			if y.rounded {
				panic(unsure{})
			}
			return nil
		}
		out.Value.Quo(x.Value, y.Value)
		out.Approx = true
	}
	out.rounded = out.Approx && !(exactFloat(x) && exactFloat(y) && exactFloat(out))
	return out
}

// truth is three-valued: true, false or unknown.
type truth int

const (
	unknown truth = iota
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func allOf(ts []truth) truth {
	out := yes
	for _, t := range ts {
		switch t {
		case no:
			return no
		case unknown:
			out = unknown
		}
	}
	return out
}

func anyOf(ts []truth) truth {
	out := no
	for _, t := range ts {
		switch t {
		case yes:
			return yes
		case unknown:
			out = unknown
		}
	}
	return out
}
