package analyst

import (
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// scatter sets two numbers of each member against each other.
func scatter(f *frameql.Frame, s shape) session.Chart {
	x, y := f.Columns[s.numbers[0]], f.Columns[s.numbers[1]]
	return session.Chart{
		Type: "scatter", X: x.Name, Y: []string{y.Name}, Reason: text.Say("analyst.chart_scatter"),
		VegaLite: vega(spec{"mark": "point", "encoding": spec{"x": quantity(x), "y": quantity(y), "tooltip": tooltip(f)}}),
	}
}
