package chart

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/backend/frameql"
)

func many(columns []frameql.Column, n int, row func(i int) []any) *frameql.Frame {
	f := frame(columns)
	for i := range n {
		f.Rows = append(f.Rows, row(i))
	}
	f.RowCount = n
	return f
}

func oneCategory(n int) *frameql.Frame {
	return many([]frameql.Column{category1, revenue}, n, func(i int) []any { return []any{fmt.Sprint("c", i), dec("10.5")} })
}

func pairs(first, second int, number frameql.Column, value any) *frameql.Frame {
	return many([]frameql.Column{category1, country, number}, first*second, func(i int) []any {
		return []any{fmt.Sprint("a", i/second), fmt.Sprint("b", i%second), value}
	})
}

func TestChartIsChosenByShape(t *testing.T) {
	fiscal := timed("fiscal", "text", "fiscal_quarter")
	share := metric("late_share", "float", "")
	share.Additivity = "none"
	for name, c := range map[string]struct {
		frame       *frameql.Frame
		kind, x     string
		y           []string
		color, spec string
	}{
		"no rows":                  {oneCategory(0), "none", "", nil, "", ""},
		"a listing":                {frame([]frameql.Column{category1}, []any{"a"}), "none", "", nil, "", ""},
		"one number":               {frame([]frameql.Column{revenue}, []any{dec("1.5")}), "big_number", "", []string{"revenue"}, "", `"text"`},
		"one row of numbers":       {frame([]frameql.Column{revenue, orders}, []any{dec("1.5"), int64(2)}), "big_number", "", []string{"revenue", "order_count"}, "", `"hconcat"`},
		"few members":              {oneCategory(6), "bar", "category", []string{"revenue"}, "", `"x":{"field":"category"`},
		"many members":             {oneCategory(7), "bar", "category", []string{"revenue"}, "", `"sort":"-x"`},
		"long names":               {frame([]frameql.Column{category1, revenue}, []any{"Grains and cereals", dec("1")}), "bar", "category", []string{"revenue"}, "", `"sort":"-x"`},
		"more than can be read":    {oneCategory(51), "bar", "category", []string{"revenue"}, "", `"lte":50`},
		"a series":                 {frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1")}), "line", "order_date_month", []string{"revenue"}, "", `"temporal"`},
		"a fiscal series":          {frame([]frameql.Column{fiscal, revenue}, []any{"FY1997-Q1", dec("1")}), "line", "fiscal", []string{"revenue"}, "", `"ordinal"`},
		"two numbers of one unit":  {frame([]frameql.Column{month, revenue, metric("freight", "decimal", "USD")}, []any{"1997-01-01", dec("1"), dec("2")}), "line", "order_date_month", []string{"revenue", "freight"}, "", `"fold":["revenue","freight"]`},
		"two units over time":      {frame([]frameql.Column{month, revenue, orders}, []any{"1997-01-01", dec("1"), int64(2)}), "line", "order_date_month", []string{"revenue"}, "", `"temporal"`},
		"series by category":       {frame([]frameql.Column{category1, month, revenue}, []any{"a", "1997-01-01", dec("1")}), "line", "order_date_month", []string{"revenue"}, "category", `"color"`},
		"too many series":          {many([]frameql.Column{month, category1, revenue}, 9, func(i int) []any { return []any{"1997-01-01", fmt.Sprint(i), dec("1")} }), "heatmap", "order_date_month", []string{"category"}, "revenue", `"rect"`},
		"two numbers of a member":  {frame([]frameql.Column{category1, revenue, orders}, []any{"a", dec("1"), int64(2)}), "scatter", "revenue", []string{"order_count"}, "", `"point"`},
		"parts of a whole":         {pairs(10, 3, revenue, dec("1")), "stacked", "category", []string{"revenue"}, "country", `"bar"`},
		"the finer one on the bar": {pairs(3, 10, revenue, dec("1")), "stacked", "country", []string{"revenue"}, "category", `"bar"`},
		"parts that do not add up": {pairs(3, 3, share, 0.5), "heatmap", "category", []string{"country"}, "late_share", `"rect"`},
		"negative parts":           {pairs(3, 3, revenue, dec("-1")), "heatmap", "category", []string{"country"}, "revenue", `"rect"`},
		"too many parts":           {pairs(9, 9, revenue, dec("1")), "heatmap", "category", []string{"country"}, "revenue", `"rect"`},
		"three categories":         {frame([]frameql.Column{category1, country, dimension("city", "text"), revenue}, []any{"a", "b", "c", dec("1")}), "none", "", nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := For(c.frame, Asked{})
			if got.Type != c.kind || got.X != c.x || fmt.Sprint(got.Y) != fmt.Sprint(c.y) || got.Color != c.color || got.Frame != "frm_1" {
				t.Errorf("chart %+v", got)
			}
			if got.Reason == "" || strings.HasPrefix(got.Reason, "[") {
				t.Errorf("reason %q", got.Reason)
			}
			if !strings.Contains(string(got.VegaLite), c.spec) {
				t.Errorf("specification %s\nlacks %s", got.VegaLite, c.spec)
			}
			if c.kind == "none" {
				if string(got.VegaLite) != "null" {
					t.Errorf("specification %s", got.VegaLite)
				}
				return
			}
			checkSpec(t, got.VegaLite)
		})
	}
}

// checkSpec looks for what a specification must have and for what it must never have: data of its own, an address, an
// expression.
func checkSpec(t *testing.T, raw json.RawMessage) {
	t.Helper()
	var top map[string]any
	if err := json.Unmarshal(raw, &top); err != nil {
		t.Fatal(err)
	}
	if top["$schema"] != "https://vega.github.io/schema/vega-lite/v6.json" || fmt.Sprint(top["data"]) != "map[name:frame]" {
		t.Errorf("schema %v, data %v", top["$schema"], top["data"])
	}
	delete(top, "$schema")
	delete(top, "data")
	allowed := "xOffset theta stack bin maxbins aggregate scale zero mark encoding transform height hconcat title type field sort axis format formatType legend tooltip x y color text fontSize point window op as order filter lte fold layer datum strokeDash joinaggregate groupby detail opacity strokeWidth"
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for k, inner := range x {
				if !strings.Contains(" "+allowed+" ", " "+k+" ") {
					t.Errorf("the specification has %q", k)
				}
				walk(inner)
			}
		case []any:
			for _, inner := range x {
				walk(inner)
			}
		case string:
			if strings.Contains(x, "://") || strings.Contains(x, "datum") {
				t.Errorf("the specification has %q", x)
			}
		}
	}
	walk(top)
}

func TestChartEscapesNamesAndHoldsNoValues(t *testing.T) {
	odd := dimension(`a.b[c]\d`, "text")
	got := For(frame([]frameql.Column{odd, revenue}, []any{"SECRET member", dec("1")}), Asked{})
	if !strings.Contains(string(got.VegaLite), `"field":"a\\.b\\[c\\]\\\\d"`) {
		t.Errorf("specification %s", got.VegaLite)
	}
	if strings.Contains(string(got.VegaLite), "SECRET") {
		t.Error("the specification holds data")
	}
	if again := For(frame([]frameql.Column{odd, revenue}, []any{"SECRET member", dec("1")}), Asked{}); string(again.VegaLite) != string(got.VegaLite) {
		t.Error("the same frame gives another specification")
	}
}
