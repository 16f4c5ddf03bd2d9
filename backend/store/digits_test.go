package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// largeNumbers are values at the ends of their types, and beside the whole numbers that a double holds.
var largeNumbers = []struct{ name, sql, want string }{
	{"2^53-1", "9007199254740991::BIGINT", "9007199254740991"},
	{"2^53", "9007199254740992::BIGINT", `"9007199254740992"`},
	{"2^53+1", "9007199254740993::BIGINT", `"9007199254740993"`},
	{"-(2^53+1)", "(-9007199254740993)::BIGINT", `"-9007199254740993"`},
	{"int64 max", "9223372036854775807::BIGINT", `"9223372036854775807"`},
	{"int64 min", "(-9223372036854775808)::BIGINT", `"-9223372036854775808"`},
	{"uint64 2^53+1", "9007199254740993::UBIGINT", `"9007199254740993"`},
	{"uint64 max", "18446744073709551615::UBIGINT", `"18446744073709551615"`},
	{"hugeint max", "170141183460469231731687303715884105727::HUGEINT", `"170141183460469231731687303715884105727"`},
	{"hugeint -max", "(-170141183460469231731687303715884105727)::HUGEINT", `"-170141183460469231731687303715884105727"`},
	{"hugeint 2^53+1", "9007199254740993::HUGEINT", `"9007199254740993"`},
	{"small hugeint", "7::HUGEINT", `7`},
	{"decimal", "'1234567890123456789012345678.0123456789'::DECIMAL(38,10)", `"1234567890123456789012345678.0123456789"`},
	{"whole decimal", "'-99999999999999999999999999999999999999'::DECIMAL(38,0)", `"-99999999999999999999999999999999999999"`},
	{"short decimal", "'1.50'::DECIMAL(38,2)", `1.50`},
	{"negative zero", "(-0.0)::DOUBLE", `0`},
}

func TestCellsOfTheLargestNumbersKeepTheirDigits(t *testing.T) {
	s := open(t, t.TempDir())
	var parts []string
	for i, n := range largeNumbers {
		parts = append(parts, fmt.Sprintf("%s AS c%d", n.sql, i))
	}
	f, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT " + strings.Join(parts, ", ")})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	for i, n := range largeNumbers {
		if raw, err := json.Marshal(f.Rows[0][i]); err != nil || string(raw) != n.want {
			t.Errorf("%s: %s, %v, want %s", n.name, raw, err, n.want)
		}
	}
}

// A window, its views and its facets tell numbers apart that are the same double.
func TestResultsTellTheLargestNumbersApart(t *testing.T) {
	_, r := results(t, shopLines)
	for _, c := range []struct{ engine, kind string }{
		{"BIGINT", "integer"}, {"UBIGINT", "integer"}, {"HUGEINT", "integer"}, {"DECIMAL(38,0)", "decimal"}, {"DECIMAL(38,10)", "decimal"},
	} {
		t.Run(c.engine, func(t *testing.T) {
			values := []string{"9007199254740993", "9007199254740992", "9223372036854775807", "9223372036854775806", "7"}
			switch c.engine {
			case "UBIGINT":
				values = append(values, "18446744073709551615", "18446744073709551614")
			case "HUGEINT":
				values = append(values, "170141183460469231731687303715884105727", "170141183460469231731687303715884105726", "-170141183460469231731687303715884105727")
			case "DECIMAL(38,0)":
				values = append(values, "99999999999999999999999999999999999999", "99999999999999999999999999999999999998", "-99999999999999999999999999999999999999")
			case "DECIMAL(38,10)":
				values = []string{"9999999999999999999999999999.0123456789", "9999999999999999999999999999.0123456788", "-9999999999999999999999999999.0123456789", "9007199254740993.0000000001", "7.0000000001"}
			}
			var rows []string
			for _, v := range values {
				rows = append(rows, fmt.Sprintf("('%s'::%s)", v, c.engine))
			}
			x := mustMake(t, r, "SELECT n FROM (VALUES "+strings.Join(rows, ", ")+") AS t(n)")
			if x.Columns[0].Type != c.kind {
				t.Fatalf("%+v", x.Columns[0])
			}
			shown := func(v View) string {
				t.Helper()
				made, err := r.View(t.Context(), x.ID, v)
				if err != nil {
					t.Fatal(fault.Detail(err))
				}
				return window(t, r, made.ID, Window{Limit: 20})
			}
			for _, v := range values {
				if got := shown(View{Filters: []Filter{{Op: "equals", Value: v}}}); got != v {
					t.Errorf("equals %s: %q", v, got)
				}
				if got := shown(View{Filters: []Filter{{Op: "one_of", OneOf: &Choice{Values: []string{v}}}}}); got != v {
					t.Errorf("one of %s: %q", v, got)
				}
			}
			f := mustCount(t, r, x.ID, FacetOf{})
			if len(f.Values) != len(values) || f.Distinct != int64(len(values)) {
				t.Errorf("%d values of %d: %v", len(f.Values), len(values), f.Values)
			}
			sorted := strings.Split(shown(View{Sort: []SortKey{{Column: 0, Descending: true}}}), "\n")
			if sorted[0] != f.Max || sorted[len(sorted)-1] != f.Min {
				t.Errorf("from %s to %s, and the facet from %s to %s", sorted[0], sorted[len(sorted)-1], f.Max, f.Min)
			}
			sums, err := r.Summarize(t.Context(), x.ID, 4, 5, []int{0})
			if err != nil || sums[0].Sum != values[4] || sums[0].Max != values[4] {
				t.Errorf("%+v %v, want %s", sums, err, values[4])
			}
			first, err := r.Summarize(t.Context(), x.ID, 0, 1, []int{0})
			if err != nil || first[0].Sum != values[0] {
				t.Errorf("%+v %v, want %s", first, err, values[0])
			}
		})
	}
}
