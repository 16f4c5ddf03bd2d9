package chart

import (
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// twoCategories stacks the parts of a whole when the number adds up, no part is negative and the parts have few colours;
// else each pair of members is a cell of a heat map. With several numbers the first one is drawn.
func twoCategories(f *frameql.Frame, s frameview.Shape) session.Chart {
	first, second := s.Members[0], s.Members[1]
	if distinct(f, second) > distinct(f, first) {
		first, second = second, first
	}
	y := s.Numbers[0]
	if f.Columns[y].Additivity != "additive" || distinct(f, second) > maxSeries || distinct(f, first) > maxBars || negative(f, y) {
		return heatmap(f, s, first, second)
	}
	x, parts := f.Columns[first], f.Columns[second]
	members := category(x)
	members["sort"] = "-x"
	return session.Chart{
		Type: "stacked", X: x.Name, Y: []string{f.Columns[y].Name}, Color: parts.Name, Reason: text.Say("analyst.chart_stacked"),
		VegaLite: vega(spec{
			"mark":     "bar",
			"height":   barStep * distinct(f, first),
			"encoding": spec{"y": members, "x": quantity(f.Columns[y]), "color": category(parts), "tooltip": tooltip(f)},
		}),
	}
}

// heatmap colours each pair of members by its number.
func heatmap(f *frameql.Frame, s frameview.Shape, across, down int) session.Chart {
	x, y, number := f.Columns[across], f.Columns[down], f.Columns[s.Numbers[0]]
	columns := category(x)
	if frameview.OnCalendar(x) {
		columns = moment(x)
		columns["type"] = "ordinal"
		if format := timeFormat(x.Grain); format != "" {
			columns["axis"] = spec{"format": format, "formatType": "time"}
		}
	}
	colour := quantity(number)
	delete(colour, "axis")
	colour["legend"] = spec{"format": axisFormat(number)}
	return session.Chart{
		Type: "heatmap", X: x.Name, Y: []string{y.Name}, Color: number.Name, Reason: text.Say("analyst.chart_heatmap"),
		VegaLite: vega(spec{"mark": "rect", "encoding": spec{"x": columns, "y": category(y), "color": colour, "tooltip": tooltip(f)}}),
	}
}

func negative(f *frameql.Frame, column int) bool {
	for _, row := range f.Rows {
		if r, ok := frameview.Number(row[column]); ok && r.Sign() < 0 {
			return true
		}
	}
	return false
}
