package store

import (
	"fmt"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/frameql"
)

const facetLines = `region,amount,sold,moment,ok
North,10.50,2026-01-01,2026-01-01 00:00:00,true
north,10.50,2026-01-01,2026-01-01 12:30:00,true
South,7,2026-01-02,2026-01-02 00:00:00.25,false
South,,2026-02-03,2026-02-03 00:00:00,
,-3.00,2026-02-04,2026-02-04 23:59:59,true
"it's, 100%",10.50,2026-02-05,,false
`

// said writes a facet as "value=rows ..., null=rows of all".
func said(f Facet) string {
	var parts []string
	for _, v := range f.Values {
		parts = append(parts, fmt.Sprintf("%s=%d", v.Value, v.Rows))
	}
	return fmt.Sprintf("%s null=%d of %d", strings.Join(parts, " "), f.Nulls, f.Rows)
}

func mustCount(t *testing.T, r *Results, id string, of FacetOf) Facet {
	t.Helper()
	f, err := r.Facet(t.Context(), id, of)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return f
}

func TestFacetsCountWhatTheOtherFiltersKeep(t *testing.T) {
	_, r := results(t, facetLines)
	x := mustMake(t, r, "SELECT region, amount, sold, moment, ok, amount::FLOAT / 3 AS ratio FROM shop")
	cases := []struct {
		name string
		of   FacetOf
		want string
	}{
		{"text, the most frequent first", FacetOf{Column: 0}, "South=2 North=1 it's, 100%=1 north=1 null=1 of 6"},
		{"numbers with their digits", FacetOf{Column: 1}, "10.50=3 -3.00=1 7.00=1 null=1 of 6"},
		{"days", FacetOf{Column: 2, Find: "02-0"}, "2026-02-03=1 2026-02-04=1 2026-02-05=1 null=0 of 6"},
		{"truth", FacetOf{Column: 4}, "true=3 false=2 null=1 of 6"},
		{"found", FacetOf{Column: 0, Find: "NOR"}, "North=1 north=1 null=1 of 6"},
		{"another column's filter counts", FacetOf{Column: 0, Filters: []Filter{{Column: 1, Op: "equals", Value: "10.5"}}}, "North=1 it's, 100%=1 north=1 null=0 of 3"},
		{"its own does not", FacetOf{Column: 0, Filters: []Filter{{Column: 0, Op: "equals", Value: "South"}}}, "South=2 North=1 it's, 100%=1 north=1 null=1 of 6"},
		{"the search counts", FacetOf{Column: 1, Search: "south"}, "7.00=1 null=1 of 2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := mustCount(t, r, x.ID, c.of)
			if got := said(f); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if f.Exact != (c.of.Find == "") {
				t.Errorf("exact: %v", f.Exact)
			}
		})
	}
}

// TestEveryCountIsWhatItsChoiceKeeps chooses each value of each column: the view has as many rows as the facet said.
func TestEveryCountIsWhatItsChoiceKeeps(t *testing.T) {
	_, r := results(t, facetLines)
	x := mustMake(t, r, `SELECT region, amount, sold, moment, ok, amount::FLOAT / 3 AS ratio, [region] AS list, amount::DOUBLE AS double,
		CASE WHEN ok THEN 'nan' WHEN NOT ok THEN '-inf' END::DOUBLE AS odd, sold::TIMESTAMP_NS AS ns, region::BLOB AS bytes FROM shop`)
	chosen := 0
	for column := range x.Columns {
		f := mustCount(t, r, x.ID, FacetOf{Column: column})
		all := f.Nulls
		for _, v := range f.Values {
			view, err := r.View(t.Context(), x.ID, View{Filters: []Filter{{Column: column, Op: "one_of", OneOf: &Choice{Values: []string{v.Value}}}}})
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			if view.Rows != v.Rows {
				t.Errorf("%s = %s: %d rows, counted %d", x.Columns[column].Name, v.Value, view.Rows, v.Rows)
			}
			all += v.Rows
			chosen++
		}
		if all != f.Rows {
			t.Errorf("%s: values and null make %d of %d rows", x.Columns[column].Name, all, f.Rows)
		}
	}
	if chosen < 30 {
		t.Errorf("only %d values were chosen", chosen)
	}
	several, err := r.View(t.Context(), x.ID, View{Filters: []Filter{{Column: 0, Op: "one_of", OneOf: &Choice{Values: []string{"North", "it's, 100%"}, Null: true}}}})
	if err != nil || several.Rows != 3 {
		t.Errorf("two values and null: %d rows, %v", several.Rows, err)
	}
}

func TestRangesAreCountedExactly(t *testing.T) {
	_, r := results(t, facetLines)
	x := mustMake(t, r, "SELECT region, amount, sold, moment FROM shop")
	cases := []struct {
		column int
		ranges []Range
		want   string
	}{
		{1, []Range{{"-10", "0"}, {"0", "10.50"}, {"10.5", "20"}}, "[1 1 3]"},
		{2, []Range{{"2026-01-01", "2026-02-01"}, {"2026-02-01", "2026-03-01"}}, "[3 3]"},
		{3, []Range{{"2026-01-01", "2026-01-02"}, {"2026-01-02", "2026-02-04T23:59:59"}}, "[2 2]"},
	}
	for _, c := range cases {
		f := mustCount(t, r, x.ID, FacetOf{Column: c.column, Ranges: c.ranges})
		if got := fmt.Sprint(f.Ranges); got != c.want {
			t.Errorf("%s: %s, want %s", x.Columns[c.column].Name, got, c.want)
		}
		for i, one := range c.ranges {
			view, err := r.View(t.Context(), x.ID, View{Filters: []Filter{{Column: c.column, Op: "one_of", OneOf: &Choice{Ranges: []Range{one}}}}})
			if err != nil || view.Rows != f.Ranges[i] {
				t.Errorf("%+v: %d rows, %v", one, view.Rows, err)
			}
		}
	}
	for _, bad := range []FacetOf{
		{Column: 9},
		{Column: 0, Ranges: []Range{{"a", "b"}}},
		{Column: 1, Ranges: []Range{{"1 OR true", "2"}}},
		{Column: 1, Filters: []Filter{{Column: 0, Op: "one_of"}}},
	} {
		if _, err := r.Facet(t.Context(), x.ID, bad); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestFacetsOfManyValues: numbers give their least and most in place of values, text the most frequent values, long text none.
func TestFacetsOfManyValues(t *testing.T) {
	_, r := results(t, facetLines)
	x := mustMake(t, r, `SELECT range AS n, 'note ' || (range % 1000) AS note, CASE WHEN range < 5 THEN repeat('x', 600) ELSE 'y' END AS long,
		range > 999 AS is_total FROM range(3000)`)
	f := mustCount(t, r, x.ID, FacetOf{Column: 0})
	if len(f.Values) != 0 || f.Min != "0" || f.Max != "2999" || f.Distinct < 2000 || f.Exact {
		t.Errorf("%+v", f)
	}
	if f = mustCount(t, r, x.ID, FacetOf{Column: 1}); len(f.Values) != facetValues || f.Values[0].Rows != 3 || f.Values[0].Value != "note 0" {
		t.Errorf("%d values, first %+v", len(f.Values), f.Values[:1])
	}
	if f = mustCount(t, r, x.ID, FacetOf{Column: 2}); f.Long != 5 || said(f) != "y=2995 null=0 of 3000" || f.Exact {
		t.Errorf("%+v", f)
	}
	view, err := r.View(t.Context(), x.ID, View{Sort: []SortKey{{Column: 0}}, Filters: []Filter{{Column: 0, Op: "at_most", Value: "9"}}})
	if err != nil {
		t.Fatal(err)
	}
	if f = mustCount(t, r, view.ID, FacetOf{Column: 2}); f.Rows != 3000 {
		t.Errorf("a view counts the rows of its result: %d", f.Rows)
	}
}

func TestTotalsAreNotCounted(t *testing.T) {
	_, r := results(t, facetLines)
	x, err := r.Make(t.Context(), frameql.Statement{
		SQL: "SELECT region, count(*) AS n, grouping(region) = 1 AS is_total FROM shop GROUP BY ROLLUP (region)",
		Columns: []frameql.Column{
			{Name: "region", Role: frameql.RoleDimension}, {Name: "n", Role: frameql.RoleMetric}, {Name: "is_total", Role: frameql.RoleFlag},
		},
	}, everyTable)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	f := mustCount(t, r, x.ID, FacetOf{Column: 0})
	if f.Rows != 5 || f.Nulls != 1 {
		t.Errorf("%+v", f)
	}
	v, err := r.View(t.Context(), x.ID, View{Filters: []Filter{{Column: 0, Op: "one_of", OneOf: &Choice{Null: true}}}})
	if err != nil || v.Rows != 1 {
		t.Errorf("%d rows, %v", v.Rows, err)
	}
}
