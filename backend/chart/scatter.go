package chart

import (
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// scatter sets two numbers of each member against each other.
func scatter(f *frameql.Frame, s frameview.Shape) session.Chart {
	x, y := f.Columns[s.Numbers[0]], f.Columns[s.Numbers[1]]
	return session.Chart{
		Type: "scatter", X: x.Name, Y: []string{y.Name}, Reason: text.Say("analyst.chart_scatter"),
		VegaLite: vega(spec{"mark": "point", "encoding": spec{"x": quantity(x), "y": quantity(y), "tooltip": tooltip(f)}}),
	}
}
