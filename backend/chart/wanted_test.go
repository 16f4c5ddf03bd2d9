package chart

import (
	"fmt"
	"strings"
	"testing"

	"assay/backend/frameql"
)

func TestNamedTypesWinWhereTheFrameCarriesThem(t *testing.T) {
	positive := oneCategory(5)
	year := timed("order_date_year", "date", "year")
	average := metric("average_order_value", "decimal", "USD")
	average.Additivity = "none"
	values := func(n int, v any) *frameql.Frame {
		return many([]frameql.Column{category1, revenue}, n, func(i int) []any { return []any{fmt.Sprint("c", i), v} })
	}
	for name, c := range map[string]struct {
		frame   *frameql.Frame
		asked   string
		kind    string
		instead string // a part of why it is another; empty: it is what was asked for
		spec    string
	}{
		"a pie":                    {positive, Pie, Pie, "", `"arc"`},
		"a pie of negatives":       {values(3, dec("-1")), Pie, Bar, "negative numbers", ""},
		"a pie of nothing":         {values(3, dec("0")), Pie, Bar, "zero or missing", ""},
		"a pie of many":            {oneCategory(13), Pie, Bar, "13 slices", ""},
		"a pie of averages":        {frame([]frameql.Column{category1, average}, []any{"a", dec("1")}, []any{"b", dec("2")}), Pie, Pie, "", `"arc"`},
		"a pie of pairs":           {pairs(3, 3, revenue, dec("1")), Pie, Stacked, "2", ""},
		"a pie of one number":      {frame([]frameql.Column{revenue}, []any{dec("1")}), Pie, BigNumber, "one row", ""},
		"a pie of no rows":         {oneCategory(0), Pie, None, "nothing to draw", ""},
		"a pie of a listing":       {frame([]frameql.Column{category1}, []any{"a"}), Pie, None, "no number", ""},
		"bars over time":           {frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1")}), Bar, Bar, "", `"ordinal"`},
		"a line of names":          {positive, Line, Line, "", `"line"`},
		"a line of too many names": {oneCategory(2000), Line, Bar, "2,000 names", ""},
		"an area over time":        {frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1")}), Area, Area, "", `"area"`},
		"an area of averages":      {frame([]frameql.Column{month, category1, average}, []any{"1997-01-01", "a", dec("1")}, []any{"1997-02-01", "a", dec("1")}), Area, Line, "does not add up", ""},
		"a heat map over time":     {frame([]frameql.Column{category1, year, revenue}, []any{"a", "1997-01-01", dec("1")}), Heatmap, Heatmap, "", `"rect"`},
		"a heat map of one":        {positive, Heatmap, Bar, "two groupings", ""},
		"stacked over time":        {frame([]frameql.Column{category1, year, revenue}, []any{"a", "1997-01-01", dec("1")}), Stacked, Stacked, "", `"color":{"field":"category"`},
		"stacked negatives":        {pairs(3, 3, revenue, dec("-1")), Stacked, Heatmap, "negative numbers", ""},
		"grouped pairs":            {pairs(3, 3, revenue, dec("1")), Grouped, Grouped, "", `"xOffset"`},
		"bars of pairs":            {pairs(3, 3, revenue, dec("1")), Bar, Stacked, "", `"color"`},
		"bars of negative pairs":   {pairs(3, 3, revenue, dec("-1")), Bar, Grouped, "", `"xOffset"`},
		"grouped numbers":          {frame([]frameql.Column{category1, revenue, metric("freight", "decimal", "USD")}, []any{"a", dec("1"), dec("2")}), Grouped, Grouped, "", `"fold"`},
		"grouped, one number":      {positive, Grouped, Bar, "two groupings", ""},
		"a line of many series":    {bySeries(21), Line, Line, "", `"detail"`},
		"a line of very many":      {bySeries(200), Line, Line, "", `"lte":60`},
		"an area of many series":   {bySeries(21), Area, Heatmap, "21 colors", ""},
		"too many colors":          {pairs(9, 9, revenue, dec("1")), Grouped, Heatmap, "9 colors", ""},
		"a scatter of one number":  {positive, Scatter, Bar, "two numbers", ""},
		"a scatter by a number":    {frame([]frameql.Column{dimension("age", "integer"), revenue}, []any{int64(4), dec("1")}), Scatter, Scatter, "", `"point"`},
		"a histogram":              {oneCategory(25), Histogram, Histogram, "", `"bin"`},
		"a histogram of few":       {positive, Histogram, Bar, "5 values", ""},
		"boxes":                    {pairs(3, 30, revenue, dec("1")), Box, Box, "", `"boxplot"`},
		"boxes of nothing":         {positive, Box, Bar, "several values", ""},
		"a big number":             {frame([]frameql.Column{revenue}, []any{dec("1")}), BigNumber, BigNumber, "", `"text"`},
		"a big number of many":     {positive, BigNumber, Bar, "5 rows", ""},
		"a table":                  {positive, Table, None, "", "null"},
	} {
		t.Run(name, func(t *testing.T) {
			got := For(c.frame, Asked{Type: c.asked, Named: true})
			if got.Type != c.kind || !strings.Contains(got.Instead, c.instead) || (got.Instead == "") != (c.instead == "") {
				t.Errorf("%s: %s, instead %q", name, got.Type, got.Instead)
			}
			if got.Reason == "" || strings.ContainsAny(got.Reason+got.Instead, "[{") {
				t.Errorf("reason %q, instead %q", got.Reason, got.Instead)
			}
			if !strings.Contains(string(got.VegaLite), c.spec) {
				t.Errorf("specification %s", got.VegaLite)
			}
			if got.Type != None {
				checkSpec(t, got.VegaLite)
			}
		})
	}
}

// bySeries is revenue by month and by as many countries as wanted.
func bySeries(n int) *frameql.Frame {
	return many([]frameql.Column{month, country, revenue}, 24*n, func(i int) []any {
		return []any{fmt.Sprintf("199%d-%02d-01", i/12%2, i%12+1), fmt.Sprint("c", i/24), dec(fmt.Sprint(i))}
	})
}

func TestManyLinesSayWhichHaveColors(t *testing.T) {
	for n, want := range map[int]string{21: "8 largest of 21", 200: "60 largest of 200"} {
		if got := For(bySeries(n), Asked{Type: Line, Named: true}); !strings.Contains(got.Reason, want) || got.Color != "country" {
			t.Errorf("%d lines: color %q, reason %q", n, got.Color, got.Reason)
		}
	}
}

func TestImpliedTypesChangeOnlyWhatTheyExplainBetter(t *testing.T) {
	for name, c := range map[string]struct {
		frame       *frameql.Frame
		asked, kind string
	}{
		"a trend without time":          {oneCategory(5), Line, Bar},
		"a trend":                       {frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1")}), Line, Line},
		"proportions":                   {oneCategory(5), Pie, Pie},
		"many proportions":              {oneCategory(9), Pie, Bar},
		"proportions over time":         {frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1")}), Pie, Line},
		"a comparison":                  {oneCategory(5), Bar, Bar},
		"a comparison of pairs":         {pairs(3, 3, revenue, dec("1")), Bar, Grouped},
		"a comparison over time":        {frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1")}), Bar, Line},
		"a distribution over few":       {oneCategory(25), Histogram, Bar},
		"a distribution over many":      {oneCategory(80), Histogram, Histogram},
		"a relation of one number":      {oneCategory(5), Scatter, Bar},
		"nothing said":                  {oneCategory(5), "", Bar},
		"proportions that are negative": {many([]frameql.Column{category1, revenue}, 3, func(i int) []any { return []any{fmt.Sprint(i), dec("-1")} }), Pie, Bar},
	} {
		got := For(c.frame, Asked{Type: c.asked, Words: "these"})
		if got.Type != c.kind || got.Instead != "" {
			t.Errorf("%s: %s, instead %q", name, got.Type, got.Instead)
		}
	}
}
