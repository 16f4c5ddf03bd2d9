package chart

import (
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// bigNumber shows the numbers of one row as text.
func bigNumber(f *frameql.Frame, s frameview.Shape) session.Chart {
	chart := session.Chart{Type: "big_number", Reason: text.Say("analyst.chart_big_number")}
	var numbers []spec
	for _, i := range s.Numbers {
		c := f.Columns[i]
		chart.Y = append(chart.Y, c.Name)
		numbers = append(numbers, spec{
			"title":    axisTitle(c),
			"mark":     spec{"type": "text", "fontSize": 48},
			"encoding": spec{"text": spec{"field": field(c.Name), "type": "quantitative", "format": numberFormat(c)}},
		})
	}
	if len(numbers) == 1 {
		chart.VegaLite = vega(numbers[0])
	} else {
		chart.VegaLite = vega(spec{"hconcat": numbers})
	}
	return chart
}
