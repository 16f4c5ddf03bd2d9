package chart

import (
	"fmt"
	"unicode/utf8"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

const (
	uprightBars = 6  // more members than this lie down and are sorted
	shortLabel  = 12 // characters that fit under an upright bar
	maxBars     = 50 // more cannot be read; the largest are shown
	barStep     = 20 // pixels of height for a lying bar
	rankField   = "assay_rank"
)

// bars compare the members of one category. Few members with short names stand upright in the order of the frame; the
// others lie and are sorted, the largest first.
func bars(f *frameql.Frame, s frameview.Shape) session.Chart {
	x, y := f.Columns[s.Members[0]], f.Columns[s.Numbers[0]]
	chart := session.Chart{Type: "bar", X: x.Name, Y: []string{y.Name}, Reason: text.Say("analyst.chart_bar")}
	if len(f.Rows) <= uprightBars && longestLabel(f, s.Members[0]) <= shortLabel {
		chart.VegaLite = vega(spec{"mark": "bar", "encoding": spec{"x": category(x), "y": quantity(y), "tooltip": tooltip(f)}})
		return chart
	}
	members := category(x)
	members["sort"] = "-x"
	body := spec{
		"mark":     "bar",
		"height":   barStep * min(len(f.Rows), maxBars),
		"encoding": spec{"y": members, "x": quantity(y), "tooltip": tooltip(f)},
	}
	if len(f.Rows) > maxBars {
		chart.Reason = text.Say("analyst.chart_bar_largest", "shown", maxBars, "members", frameview.Grouped(int64(len(f.Rows))))
		body["transform"] = []spec{
			{"window": []spec{{"op": "row_number", "as": rankField}}, "sort": []spec{{"field": field(y.Name), "order": "descending"}}},
			{"filter": spec{"field": rankField, "lte": maxBars}},
		}
	}
	chart.VegaLite = vega(body)
	return chart
}

func longestLabel(f *frameql.Frame, column int) int {
	longest := 0
	for _, row := range f.Rows {
		longest = max(longest, utf8.RuneCountInString(fmt.Sprint(row[column])))
	}
	return longest
}
