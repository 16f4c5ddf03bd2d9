package prose

import (
	"encoding/json"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

func dec(s string) json.Number { return json.Number(s) }

func frame(columns []frameql.Column, rows ...[]any) *frameql.Frame {
	return &frameql.Frame{ID: "frm_1", Columns: columns, Rows: rows, RowCount: len(rows)}
}

func dimension(name, label string) frameql.Column {
	return frameql.Column{Name: name, Label: label, Role: frameql.RoleDimension, Type: "text", Dimension: "orders." + name}
}

func timed(name, grain string) frameql.Column {
	return frameql.Column{Name: name, Role: frameql.RoleDimension, Type: "date", Grain: grain, Dimension: "orders.order_date"}
}

func metric(name, label, typ, unit string) frameql.Column {
	return frameql.Column{Name: name, Label: label, Role: frameql.RoleMetric, Type: typ, Unit: unit, Metric: name, Additivity: "additive"}
}

func made(name, label, of, how, unit string) frameql.Column {
	c := frameql.Column{Name: name, Label: label, Role: frameql.RoleComparison, Type: "decimal", Unit: unit, Metric: of, Additivity: "none"}
	c.Derived = &frameql.Derived{Of: of, How: how, With: "PREVIOUS PERIOD"}
	if how == "change_pct" || how == "share" {
		c.Type, c.Unit, c.Format = "float", "", frameview.Percent
	}
	return c
}

var (
	category = dimension("category", "Category")
	region   = dimension("region", "Region")
	month    = timed("order_date_month", "month")
	year     = timed("order_date_year", "year")
	revenue  = metric("revenue", "Revenue", "decimal", "USD")
	orders   = metric("order_count", "Orders", "integer", "")
	flag     = frameql.Column{Name: "is_total", Role: frameql.RoleFlag, Type: "boolean"}
	other    = frameql.Column{Name: "is_other", Role: frameql.RoleFlag, Type: "boolean"}
	margin   = frameql.Column{Name: "margin", Label: "Margin", Role: frameql.RoleMetric, Type: "float", Metric: "margin", Additivity: "none", Format: frameview.Percent}
	stock    = frameql.Column{Name: "stock", Label: "Stock", Role: frameql.RoleMetric, Type: "integer", Metric: "stock", Additivity: "semi", Unit: "pieces"}

	previous = made("revenue_previous", "Revenue before", "revenue", "previous", "USD")
	change   = made("revenue_change", "Revenue change", "revenue", "change", "USD")
	relative = made("revenue_change_pct", "Revenue change in percent", "revenue", "change_pct", "")
	target   = made("revenue_goal", "Revenue goal", "revenue", "target", "USD")
	share    = made("revenue_share", "Revenue share", "revenue", "share", "")
)

// The frames of the tests, by shape.
var (
	one     = frame([]frameql.Column{revenue}, []any{dec("617085.2024")})
	two     = frame([]frameql.Column{revenue, orders}, []any{dec("1000"), int64(1830)})
	ranking = frame([]frameql.Column{category, revenue},
		[]any{"Beverages", dec("3000")}, []any{"Condiments", dec("1000")}, []any{"Dairy Products", dec("2000")}, []any{"Produce", dec("1500.5")})
	series = frame([]frameql.Column{month, revenue},
		[]any{"1997-01-01", dec("500")}, []any{"1997-02-01", dec("900")}, []any{"1997-03-01", dec("700")}, []any{"1997-04-01", dec("1000")})
	climbing = frame([]frameql.Column{year, orders},
		[]any{"1995-01-01", int64(10)}, []any{"1996-01-01", int64(15)}, []any{"1997-01-01", int64(20)})
	cross = frame([]frameql.Column{category, month, revenue},
		[]any{"Beverages", "1997-01-01", dec("30")}, []any{"Beverages", "1997-02-01", dec("45")},
		[]any{"Condiments", "1997-01-01", dec("20")}, []any{"Condiments", "1997-02-01", dec("10")})
	compared = frame([]frameql.Column{revenue, previous, change, relative}, []any{dec("90"), dec("100"), dec("-10"), -0.1})
	beside   = frame([]frameql.Column{category, revenue, previous, change, relative},
		[]any{"Beverages", dec("110"), dec("100"), dec("10"), 0.1}, []any{"Condiments", dec("45"), dec("50"), dec("-5"), -0.1})
	goal    = frame([]frameql.Column{region, revenue, target}, []any{"North", dec("120"), dec("100")}, []any{"South", dec("80"), dec("95")})
	totaled = frame([]frameql.Column{category, revenue, flag},
		[]any{"Beverages", dec("30"), false}, []any{"Produce", dec("10"), false}, []any{nil, dec("40"), true})
	rates   = frame([]frameql.Column{region, margin}, []any{"North", 0.25}, []any{"South", 0.2}, []any{"West", 0.31})
	measure = frame([]frameql.Column{region, revenue, orders}, []any{"North", dec("500"), int64(5)}, []any{"South", dec("300"), int64(9)})
	shares  = frame([]frameql.Column{category, revenue, share}, []any{"Beverages", dec("75"), 0.75}, []any{"Produce", dec("25"), 0.25})
	stocks  = frame([]frameql.Column{region, stock}, []any{"North", int64(50)}, []any{"South", int64(70)})
	cut     = &frameql.Frame{ID: "frm_1", Columns: ranking.Columns, Rows: ranking.Rows, RowCount: 4, Truncated: &frameql.Truncated{Cap: 4, TotalRows: 9}}
	rest    = frame([]frameql.Column{category, revenue, other}, []any{"Beverages", dec("30"), false}, []any{"Produce", dec("20"), false}, []any{nil, dec("100"), true})
	topped  = frame([]frameql.Column{category, revenue}, []any{"Beverages", dec("30")}, []any{"Produce", dec("20")}, []any{"Seafood", dec("5")})
	twins   = frame([]frameql.Column{category, orders}, []any{"Beverages", int64(5)}, []any{"Produce", int64(5)}, []any{"Seafood", int64(1)})
)

var (
	topPlan    = &frameql.Plan{Top: &frameql.TopUse{N: 3, By: "revenue"}}
	bottomPlan = &frameql.Plan{Top: &frameql.TopUse{N: 3, By: "revenue", Asc: true}}
	restPlan   = &frameql.Plan{Top: &frameql.TopUse{N: 2, By: "revenue", Other: true}}
)
