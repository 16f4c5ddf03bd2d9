package svg

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
)

// Intent is what the program chose, as an intent that can be drawn and edited. false: it is no picture, but a number or a table.
func Intent(c session.Chart, f *frameql.Frame) (session.ChartEdit, bool) {
	drawn := []string{chart.Bar, chart.Stacked, chart.Grouped, chart.Line, chart.Area, chart.Scatter, chart.Pie, chart.Histogram, chart.Heatmap, chart.Box}
	if !slices.Contains(drawn, c.Type) {
		return session.ChartEdit{}, false
	}
	e := session.ChartEdit{
		Type: c.Type, X: c.X, Y: c.Y, Color: c.Color, Aggregate: "none", Sort: "frame", Scale: "linear",
		Zero: c.Type != chart.Scatter, Labels: c.Type == chart.Pie, Palette: "category",
	}
	timed := slices.ContainsFunc(f.Columns, func(k frameql.Column) bool { return k.Name == c.X && (k.Type == "date" || k.Type == "timestamp") })
	switch c.Type {
	case chart.Heatmap: // the program names its axes as they stand; an edit has its number in Y like every other chart
		if c.Color != "" && len(c.Y) > 0 {
			e.Y, e.Color = []string{c.Color}, c.Y[0]
		}
	case chart.Histogram:
		if len(c.Y) == 0 {
			e.Y = []string{c.X}
		}
	case chart.Pie:
		if !timed {
			e.Sort = "descending"
		}
	case chart.Bar, chart.Stacked:
		if e.Across = lies(f, c.X); e.Across {
			e.Sort = "descending"
		}
	}
	return e, true
}

// Bars lie when there are many of them or their names are long; time always goes from left to right.
const (
	uprightBars  = 6
	shortLetters = 12
)

func lies(f *frameql.Frame, x string) bool {
	column := slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Name == x })
	if column < 0 || f.Columns[column].Type == "date" || f.Columns[column].Type == "timestamp" {
		return false
	}
	seen := map[string]bool{}
	for _, row := range frameview.Members(f).Rows {
		name := fmt.Sprint(row[column])
		seen[name] = true
		if len(seen) > uprightBars || utf8.RuneCountInString(name) > shortLetters {
			return true
		}
	}
	return false
}
