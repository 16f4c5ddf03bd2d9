package analyst

import (
	"encoding/json"
	"fmt"

	"assay/backend/frameql"
)

// frames that the tests of charts, narration and findings share.

func frame(columns []frameql.Column, rows ...[]any) *frameql.Frame {
	return &frameql.Frame{ID: "frm_1", Columns: columns, Rows: rows, RowCount: len(rows)}
}

func dimension(name, typ string) frameql.Column {
	return frameql.Column{Name: name, Role: frameql.RoleDimension, Type: typ, Dimension: "orders." + name}
}

func timed(name, typ, grain string) frameql.Column {
	c := dimension(name, typ)
	c.Grain = grain
	return c
}

func metric(name, typ, unit string) frameql.Column {
	return frameql.Column{Name: name, Role: frameql.RoleMetric, Type: typ, Unit: unit, Metric: name, Additivity: "additive"}
}

var (
	category1 = dimension("category", "text")
	country   = dimension("country", "text")
	month     = timed("order_date_month", "date", "month")
	revenue   = metric("revenue", "decimal", "USD")
	orders    = metric("order_count", "integer", "")
)

func dec(s string) json.Number { return json.Number(s) }
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
