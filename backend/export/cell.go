package export

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"assay/backend/frameql"
)

// cell gives a value as text that keeps every digit; ok false: it is missing. number says that it is one.
func cell(a arrow.Array, row int) (s string, number, ok bool) {
	if a.IsNull(row) {
		return "", false, false
	}
	switch a := a.(type) {
	case *array.String:
		return a.Value(row), false, true
	case *array.LargeString:
		return a.Value(row), false, true
	case *array.Float64:
		return float(a.Value(row), 64)
	case *array.Float32:
		return float(float64(a.Value(row)), 32)
	case *array.Boolean:
		return strconv.FormatBool(a.Value(row)), false, true
	case *array.Decimal128: // with all digits of its scale
		return a.Value(row).ToString(a.DataType().(*arrow.Decimal128Type).Scale), true, true
	}
	return a.ValueStr(row), true, true // whole numbers
}

// cellOf is cell for a column: whole numbers of 128 bits travel as text.
func cellOf(a arrow.Array, row int, c frameql.Column) (s string, number, ok bool) {
	s, number, ok = cell(a, row)
	return s, number || ok && c.Type == "integer", ok
}

func float(x float64, bits int) (string, bool, bool) {
	switch {
	case math.IsNaN(x):
		return "NaN", false, true
	case math.IsInf(x, 1):
		return "Infinity", false, true
	case math.IsInf(x, -1):
		return "-Infinity", false, true
	case x == 0:
		return "0", true, true // also the negative one
	}
	return strconv.FormatFloat(x, 'g', -1, bits), true, true
}

// exact says whether a program that reads numbers as binary fractions of 64 bits keeps all digits of a number.
func exact(number string) bool {
	digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(number), "0")
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		return true // a binary fraction already
	}
	if strings.Contains(number, ".") {
		digits = strings.TrimRight(digits, "0")
	}
	return len(digits) <= 15
}

// jsonCell gives a value as JSON: a number only when its reader keeps all of its digits.
func jsonCell(a arrow.Array, row int, c frameql.Column) any {
	s, number, ok := cellOf(a, row, c)
	switch {
	case !ok:
		return nil
	case number && (exact(s) || isFloat(a)):
		return json.Number(s)
	}
	if b, is := a.(*array.Boolean); is {
		return b.Value(row)
	}
	return s
}

func isFloat(a arrow.Array) bool {
	return a.DataType().ID() == arrow.FLOAT64 || a.DataType().ID() == arrow.FLOAT32
}
