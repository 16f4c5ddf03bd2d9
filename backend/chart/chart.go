// Package chart chooses the chart of a frame and writes it as Vega-Lite.
//
//	question ─ Reader.Read ─▶ Asked{type, named or implied}, the rest of the question
//	frame    ─ frameview ──▶ shape ┐
//	                        Asked ─┴─ For ─▶ session.Chart: type, axes, reason, specification
//
// All of it is pure: the same frame and the same words give the same bytes.
package chart

import (
	"encoding/json"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// For chooses a chart for a frame and writes its Vega-Lite specification, without data: the page binds the frame under the name
// "frame". A type that was named wins where the frame can carry it, one that was implied where it says more than the usual one;
// else the shape of the frame decides:
//
//	no metric, no rows                  none
//	one row without members             big_number
//	time, and at most one category      line; beside it, dashed, what one number is compared with
//	one category, one number            bar
//	one category, two numbers or more   scatter of the first ones
//	a pair of categories                stacked when it adds up and has few parts, else heatmap
//
// Of type none a table says it better, and Reason says why. Instead says why a named type is not what is drawn. What is made of
// another number of the frame, a change, a share or a running total, is no number of its own here. Total rows are left out; the
// rest of a TOP is one more member, with a name of its own.
func For(f *frameql.Frame, asked Asked) session.Chart {
	s, shown := frameview.ShapeOf(f), frameview.Members(f)
	chart, problem := wanted(shown, s, asked)
	if chart.Type == "" {
		chart = choose(shown, s)
		if asked.Named {
			chart.Instead = text.Say("chart.instead", "asked", Name(asked.Type), "why", problem, "shown", Name(chart.Type))
		}
	}
	chart.Frame = f.ID
	if chart.VegaLite != nil {
		chart.VegaLite = flagged(chart.VegaLite, f, s)
	}
	if chart.VegaLite == nil {
		chart.VegaLite = json.RawMessage("null")
	}
	return chart
}

func choose(f *frameql.Frame, s frameview.Shape) session.Chart {
	categories := len(s.Members)
	if s.Time >= 0 {
		categories--
	}
	switch {
	case len(s.Numbers) == 0:
		return noChart("analyst.chart_none_listing")
	case len(f.Rows) == 0:
		return noChart("analyst.chart_none_empty")
	case len(s.Members) == 0:
		return bigNumber(f, s)
	case s.Time >= 0 && categories == 0:
		return lineOverTime(f, s)
	case s.Time >= 0 && categories == 1:
		if category := other(s.Members, s.Time); distinct(f, category) > maxSeries {
			return heatmap(f, s, s.Time, category)
		}
		return linePerSeries(f, s)
	case categories == 1 && len(s.Numbers) == 1:
		return bars(f, s)
	case categories == 1:
		return scatter(f, s)
	case categories == 2 && s.Time < 0:
		return twoCategories(f, s)
	default:
		return noChart("analyst.chart_none_dimensions")
	}
}

func noChart(key string) session.Chart {
	return session.Chart{Type: None, Reason: text.Say(key)}
}

// Name is what people call a type.
func Name(typ string) string { return text.Say("chart.name_" + typ) }

// maxSeries is how many colours can be told apart.
const maxSeries = 8

// spec is a piece of a Vega-Lite specification. Maps are written with their keys sorted, so the same frame gives the same
// bytes.
type spec map[string]any

// vega completes a specification. It never holds data, addresses or expressions made of values.
func vega(body spec) json.RawMessage {
	body["$schema"] = "https://vega.github.io/schema/vega-lite/v6.json"
	body["data"] = spec{"name": "frame"}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // maps of strings, numbers and booleans always marshal
	}
	return raw
}

// field writes a column's name so that Vega-Lite does not read dots and brackets as paths.
func field(name string) string {
	return strings.NewReplacer(`\`, `\\`, `.`, `\.`, `[`, `\[`, `]`, `\]`).Replace(name)
}

// axisTitle is a column's label with its unit.
func axisTitle(c frameql.Column) string {
	if c.Unit == "" {
		return frameview.Label(c)
	}
	return text.Say("analyst.chart_with_unit", "label", frameview.Label(c), "unit", c.Unit)
}

// quantity is a channel for a number.
func quantity(c frameql.Column) spec {
	return spec{"field": field(c.Name), "type": "quantitative", "title": axisTitle(c), "axis": spec{"format": axisFormat(c)}}
}

// axisFormat is the d3 format of the marks of an axis or a legend.
func axisFormat(c frameql.Column) string {
	if c.Format == frameview.Percent {
		return "~%"
	}
	return "~s"
}

// category is a channel for members in the order of the frame.
func category(c frameql.Column) spec {
	return spec{"field": field(c.Name), "type": "nominal", "title": axisTitle(c), "sort": nil}
}

// moment is a channel for time. A fiscal period is a name and keeps the order of the frame.
func moment(c frameql.Column) spec {
	if c.Type != "date" && c.Type != "timestamp" {
		return spec{"field": field(c.Name), "type": "ordinal", "title": axisTitle(c), "sort": nil}
	}
	out := spec{"field": field(c.Name), "type": "temporal", "title": axisTitle(c)}
	if format := timeFormat(c.Grain); format != "" {
		out["axis"] = spec{"format": format}
	}
	return out
}

func timeFormat(grain string) string {
	switch grain {
	case "year":
		return "%Y"
	case "quarter":
		return "Q%q %Y"
	case "month":
		return "%b %Y"
	}
	return ""
}

// tooltip shows every column of a mark, but no flag: what a flagged row is stands in its member.
func tooltip(f *frameql.Frame) []spec {
	var all []spec
	for _, c := range f.Columns {
		if c.Role == frameql.RoleFlag {
			continue
		}
		t := spec{"field": field(c.Name), "title": axisTitle(c)}
		switch {
		case c.Role != frameql.RoleDimension && frameview.Numeric(c):
			t["type"], t["format"] = "quantitative", numberFormat(c)
		case c.Type == "date" || c.Type == "timestamp":
			t["type"] = "temporal"
			if format := timeFormat(c.Grain); format != "" {
				t["format"] = format
			}
		default:
			t["type"] = "nominal"
		}
		all = append(all, t)
	}
	return all
}

// numberFormat is a d3 format: one place for hundredths, two for money, as many as needed for the rest.
func numberFormat(c frameql.Column) string {
	switch {
	case c.Format == frameview.Percent:
		return ",.1%"
	case frameview.Money(c.Unit):
		return ",.2f"
	}
	return ",.12~g"
}

// distinct counts the members of a column.
func distinct(f *frameql.Frame, column int) int {
	seen := map[any]bool{}
	for _, row := range f.Rows {
		seen[row[column]] = true
	}
	return len(seen)
}

// other gives the first of the columns that is not this one.
func other(columns []int, not int) int {
	for _, i := range columns {
		if i != not {
			return i
		}
	}
	return not
}
