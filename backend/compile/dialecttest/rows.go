package dialecttest

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Rows runs a statement and gives its columns and rows, times as text.
func Rows(t testing.TB, db Database, statement string) (names []string, rows [][]any) {
	t.Helper()
	names, rows, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	for _, row := range rows {
		for i, v := range row {
			switch v := v.(type) {
			case []byte:
				row[i] = string(v)
			case time.Time:
				row[i] = v.UTC().Format("2006-01-02 15:04:05.999999")
			}
		}
	}
	return names, rows
}

// Different says where two results differ; it is empty when they are the same. The wanted ones are DuckDB's and say
// what a value is: numbers must be equal exactly, floating ones to 1e-9 of their size, a date may come as its midnight,
// and a truth as 0 or 1.
func Different(got, want [][]any) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, want %d", len(got), len(want))
	}
	for r := range want {
		if len(got[r]) != len(want[r]) {
			return fmt.Sprintf("row %d has %d columns, want %d", r, len(got[r]), len(want[r]))
		}
		for c := range want[r] {
			if !same(got[r][c], want[r][c]) {
				return fmt.Sprintf("row %d column %d: %v (%T), want %v (%T)", r, c, got[r][c], got[r][c], want[r][c], want[r][c])
			}
		}
	}
	return ""
}

func same(got, want any) bool {
	switch want := want.(type) {
	case nil:
		return got == nil
	case bool:
		switch g := fmt.Sprint(got); g {
		case "1", "true":
			return want
		case "0", "false":
			return !want
		}
		return false
	case float64:
		g, ok := floating(got)
		return ok && (g == want || math.Abs(g-want) <= 1e-9*math.Max(math.Abs(g), math.Abs(want)) || math.IsNaN(g) && math.IsNaN(want))
	case string:
		g, ok := got.(string)
		return ok && moment(g) == moment(want)
	}
	w, ok := new(big.Rat).SetString(decimal(want))
	g, also := new(big.Rat).SetString(decimal(got))
	return ok && also && w.Cmp(g) == 0
}

func floating(v any) (float64, bool) {
	if f, ok := v.(float64); ok {
		return f, true
	}
	f, err := strconv.ParseFloat(decimal(v), 64)
	return f, err == nil
}

// decimal writes a number of any driver's type: DuckDB's decimals write themselves.
func decimal(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprint(v)
}

// moment writes a time without an empty fraction and a midnight as its date; other text stays as it is.
func moment(s string) string {
	at, err := time.Parse(time.DateTime, s) // it takes a fraction too
	if err != nil {
		return s
	}
	return strings.TrimSuffix(at.Format("2006-01-02 15:04:05.999999"), " 00:00:00")
}
