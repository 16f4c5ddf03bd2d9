package chart

import (
	"encoding/json"

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
