package chart

import (
	"slices"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// CheckView says whether a view fits the frame that it is of: every column that it names is one, numbers where numbers belong. It
// says nothing of taste; what the page cannot draw of it, it says there. Fault Invalid.
func CheckView(v session.View, columns []frameql.Column) error {
	if v.Chart == nil {
		return nil
	}
	named := slices.Concat([]string{v.Chart.X, v.Chart.Color, v.Chart.Facet}, v.Chart.Y)
	for _, name := range named {
		if name != "" && !slices.ContainsFunc(columns, func(c frameql.Column) bool { return c.Name == name }) {
			return fault.New(fault.Invalid, "save chart", text.Say("chart.no_such_column", "column", name), text.Say("chart.no_such_column_hint"))
		}
	}
	if len(v.Chart.Y) == 0 && v.Chart.Type != Histogram {
		return fault.New(fault.Invalid, "save chart", text.Say("chart.no_axis"), text.Say("chart.no_axis_hint"))
	}
	return nil
}
