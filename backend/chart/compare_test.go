package chart

import (
	"fmt"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

// made is a column that is made of revenue.
func made(name, how, with string) frameql.Column {
	c := metric(name, "decimal", "USD")
	c.Role, c.Additivity, c.Derived = frameql.RoleComparison, "none", &frameql.Derived{Of: "revenue", How: how, With: with}
	if how == "change_pct" || how == "share" {
		c.Type, c.Unit, c.Format = "float", "", frameview.Percent
	}
	return c
}

const lastYear = "SAME PERIOD LAST YEAR"

var (
	before   = made("revenue_previous", "previous", lastYear)
	change   = made("revenue_change", "change", lastYear)
	relative = made("revenue_change_pct", "change_pct", lastYear)
)

func TestChartOfAComparison(t *testing.T) {
	share := made("revenue_share", "share", "")
	share.Role = frameql.RoleMetric
	alone := share
	alone.Derived = &frameql.Derived{How: "share"}
	for name, c := range map[string]struct {
		frame *frameql.Frame
		kind  string
		y     string
		spec  string
	}{
		"over time":               {frame([]frameql.Column{month, revenue, before, change, relative}, []any{"1997-01-01", dec("1"), dec("2"), dec("-1"), -0.5}), "line", "[revenue revenue_previous]", `"strokeDash":[5,4]`},
		"over time, no base":      {frame([]frameql.Column{month, revenue, change, relative}, []any{"1997-01-01", dec("1"), dec("-1"), -0.5}), "line", "[revenue]", `"mark":{"point":true,"type":"line"}`},
		"by category":             {frame([]frameql.Column{category1, revenue, before, change, relative}, []any{"a", dec("1"), dec("2"), dec("-1"), -0.5}), "bar", "[revenue]", `"field":"revenue"`},
		"one row":                 {frame([]frameql.Column{revenue, before, change, relative}, []any{dec("1"), dec("2"), dec("-1"), -0.5}), "big_number", "[revenue]", `"text"`},
		"an amount and its share": {frame([]frameql.Column{month, revenue, share}, []any{"1997-01-01", dec("1"), 0.5}), "line", "[revenue]", `"format":",.1%"`},
		"a share alone":           {frame([]frameql.Column{category1, alone}, []any{"a", 0.5}), "bar", "[revenue_share]", `"format":"~%"`},
		"a share and a count":     {frame([]frameql.Column{month, orders, alone}, []any{"1997-01-01", int64(1), 0.5}), "line", "[order_count]", `"format":"~s"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := For(c.frame, Asked{})
			if got.Type != c.kind || fmt.Sprint(got.Y) != c.y || !strings.Contains(string(got.VegaLite), c.spec) {
				t.Errorf("chart %s %v\n%s", got.Type, got.Y, got.VegaLite)
			}
			checkSpec(t, got.VegaLite)
		})
	}
}
