package chart

import (
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// lineOverTime draws one number over time, or several that share a unit. Numbers of different units have no common axis:
// the first one is drawn.
func lineOverTime(f *frameql.Frame, s frameview.Shape) session.Chart {
	x, y := f.Columns[s.Time], f.Columns[s.Numbers[0]]
	chart := session.Chart{Type: "line", X: x.Name, Y: []string{y.Name}, Reason: text.Say("analyst.chart_line")}
	mark := spec{"type": "line", "point": len(f.Rows) <= pointedRows}
	if len(s.Numbers) == 1 || !sameUnit(f, s.Numbers) {
		if len(s.Numbers) > 1 {
			chart.Reason = text.Say("analyst.chart_line_first", "metric", frameview.Label(y))
		}
		if c, found := frameview.ComparisonOf(f, s.Numbers[0]); found && c.Before >= 0 {
			return withBefore(chart, f, x, y, f.Columns[c.Before])
		}
		chart.VegaLite = vega(spec{"mark": mark, "encoding": spec{"x": moment(x), "y": quantity(y), "tooltip": tooltip(f)}})
		return chart
	}
	chart.Y = nil
	var fields []string
	for _, i := range s.Numbers {
		chart.Y = append(chart.Y, f.Columns[i].Name)
		fields = append(fields, field(f.Columns[i].Name))
	}
	values := spec{"field": foldedValue, "type": "quantitative", "title": y.Unit, "axis": spec{"format": axisFormat(y)}}
	chart.VegaLite = vega(spec{
		"transform": []spec{{"fold": fields, "as": []string{foldedKey, foldedValue}}},
		"mark":      mark,
		"encoding": spec{
			"x": moment(x), "y": values, "tooltip": tooltip(f),
			"color": spec{"field": foldedKey, "type": "nominal", "title": nil},
		},
	})
	return chart
}

// withBefore draws a number over time and, dashed on the same axis, what it is compared with.
func withBefore(chart session.Chart, f *frameql.Frame, x, y, before frameql.Column) session.Chart {
	line := func(c frameql.Column, mark spec) spec {
		channel := quantity(c)
		channel["title"] = axisTitle(y)
		mark["type"], mark["point"] = "line", len(f.Rows) <= pointedRows
		return spec{"mark": mark, "encoding": spec{"y": channel, "color": spec{"datum": frameview.Label(c), "type": "nominal", "title": nil}}}
	}
	chart.Y = []string{y.Name, before.Name}
	chart.Reason = text.Say("analyst.chart_line_before", "metric", frameview.Label(y))
	chart.VegaLite = vega(spec{
		"encoding": spec{"x": moment(x), "tooltip": tooltip(f)},
		"layer":    []spec{line(y, spec{}), line(before, spec{"strokeDash": []int{5, 4}})},
	})
	return chart
}

const (
	pointedRows = 60 // a longer line needs no points
	foldedKey   = "assay_metric"
	foldedValue = "assay_value"
	totalField  = "assay_total"
	maxLines    = 60 // more cannot be followed even as a bundle
)

// linePerSeries draws a number over time, one line for each member of a category.
func linePerSeries(f *frameql.Frame, s frameview.Shape) session.Chart {
	x, y, series := f.Columns[s.Time], f.Columns[s.Numbers[0]], f.Columns[other(s.Members, s.Time)]
	return session.Chart{
		Type: "line", X: x.Name, Y: []string{y.Name}, Color: series.Name, Reason: text.Say("analyst.chart_line_series"),
		VegaLite: vega(spec{"mark": "line", "encoding": spec{"x": moment(x), "y": quantity(y), "color": category(series), "tooltip": tooltip(f)}}),
	}
}

// manyLines draws more lines than there are colours for: the largest have one, the others are faint behind them. Of very many the
// largest are drawn.
func manyLines(f *frameql.Frame, axis, parts, number int) session.Chart {
	x, y, series := f.Columns[axis], f.Columns[number], f.Columns[parts]
	n := distinct(f, parts)
	chart := session.Chart{Type: Line, X: x.Name, Y: []string{y.Name}, Color: series.Name}
	chart.Reason = text.Say("chart.many_lines", "colored", maxSeries, "members", frameview.Grouped(int64(n)))
	if n > maxLines {
		chart.Reason = text.Say("chart.most_lines", "colored", maxSeries, "shown", maxLines, "members", frameview.Grouped(int64(n)))
	}
	each := spec{"field": field(series.Name), "type": "nominal"}
	chart.VegaLite = vega(spec{
		"transform": []spec{
			{"joinaggregate": []spec{{"op": "sum", "field": field(y.Name), "as": totalField}}, "groupby": []string{field(series.Name)}},
			{"window": []spec{{"op": "dense_rank", "as": rankField}}, "sort": []spec{{"field": totalField, "order": "descending"}}},
			{"filter": spec{"field": rankField, "lte": maxLines}},
		},
		"encoding": spec{"x": moment(x), "y": quantity(y), "tooltip": tooltip(f)},
		"layer": []spec{
			{"mark": spec{"type": "line", "opacity": 0.2, "strokeWidth": 1}, "encoding": spec{"detail": each}},
			{
				"transform": []spec{{"filter": spec{"field": rankField, "lte": maxSeries}}},
				"mark":      "line", "encoding": spec{"color": category(series)},
			},
		},
	})
	return chart
}

func sameUnit(f *frameql.Frame, columns []int) bool {
	for _, i := range columns {
		if f.Columns[i].Unit != f.Columns[columns[0]].Unit || f.Columns[i].Format != f.Columns[columns[0]].Format {
			return false
		}
	}
	return true
}
