package chart

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

const (
	maxSlices     = 12 // more slices are no picture
	maxUnordered  = 50 // names without an order that a line may go through
	minHistogram  = 20 // values that are worth counting in ranges
	fewSlices     = 8  // as many as have colours of their own
	minInEachBox  = 4
	histogramBins = 30
)

// wanted makes the chart that was asked for. An empty type: the frame does not carry it, and problem says why, as a part of a sentence;
// or it was only implied, and the usual chart says as much.
func wanted(f *frameql.Frame, s frameview.Shape, asked Asked) (chart session.Chart, problem string) {
	switch {
	case asked.Type == "":
		return session.Chart{}, ""
	case asked.Type == Table:
		return session.Chart{Type: None, Reason: text.Say("chart.asked_for", "type", Name(Table))}, ""
	case len(f.Rows) == 0:
		return session.Chart{}, text.Say("chart.no_rows")
	case !asked.Named && !saysMore(f, s, asked.Type):
		return session.Chart{}, ""
	}
	chart, problem = build(f, s, asked.Type)
	if asked.Type == Bar && !asked.Named {
		chart, problem = beside(f, s)
	}
	if chart.Type == "" {
		return chart, problem
	}
	reason := text.Say("chart.asked_for", "type", Name(asked.Type))
	if !asked.Named {
		reason = text.Say("chart.implied", "words", asked.Words, "type", Name(asked.Type))
	}
	if chart.Reason != "" { // what stays to be said of it: how many of its bars are shown
		reason += " " + chart.Reason
	}
	chart.Reason = reason
	return chart, ""
}

// saysMore says whether what a question is about calls for another chart than the shape of the frame does.
func saysMore(f *frameql.Frame, s frameview.Shape, typ string) bool {
	switch typ {
	case Pie:
		return len(s.Members) == 1 && s.Time < 0 && len(s.Numbers) == 1 && distinct(f, s.Members[0]) <= fewSlices && addsUp(f, s.Numbers[0])
	case Bar: // a comparison of two groupings: beside each other, not on each other
		return len(s.Members) == 2 && s.Time < 0
	case Histogram:
		return len(s.Members) == 1 && s.Time < 0 && len(f.Rows) > maxBars
	case Scatter:
		return len(s.Numbers) >= 2 && s.Time < 0
	}
	return false // a trend is drawn as a line because there is time, or is no line
}

// addsUp says whether the numbers of a column are parts of a whole.
func addsUp(f *frameql.Frame, column int) bool {
	c := f.Columns[column]
	return c.Additivity == "additive" || c.Derived != nil && c.Derived.How == "share"
}

// build makes a chart of a type, or says why the frame does not carry it.
func build(f *frameql.Frame, s frameview.Shape, typ string) (chart session.Chart, problem string) {
	no := func(key string, pairs ...any) (session.Chart, string) {
		return session.Chart{}, text.Say(key, pairs...)
	}
	if typ == Scatter {
		return points(f, s)
	}
	if len(s.Numbers) == 0 && typ == Histogram {
		if own := listed(f, s); own >= 0 {
			return histogram(f, own)
		}
	}
	switch {
	case len(s.Numbers) == 0:
		return no("chart.no_numbers")
	case typ == BigNumber && len(f.Rows) == 1:
		return bigNumber(f, s), ""
	case typ == BigNumber:
		return no("chart.needs_one_number", "rows", frameview.Grouped(int64(len(f.Rows))))
	case len(s.Members) == 0:
		return no("chart.no_groups")
	case len(s.Members) > 2:
		return no("chart.several_groups", "groups", len(s.Members))
	}
	two := len(s.Members) == 2
	switch typ {
	case Bar:
		if two { // the parts of what adds up on each other, of what does not beside each other
			if chart, problem := onEachOther(f, s); problem == "" {
				return chart, ""
			}
			return beside(f, s)
		}
		return upright(f, s), ""
	case Grouped:
		if !two && (len(s.Numbers) < 2 || !sameUnit(f, s.Numbers[:2])) {
			return no("chart.needs_two_groups")
		}
		return beside(f, s)
	case Stacked:
		if !two {
			return no("chart.needs_two_groups")
		}
		return onEachOther(f, s)
	case Heatmap:
		if !two {
			return no("chart.needs_two_groups")
		}
		across, down := s.Members[0], s.Members[1]
		if s.Time == down {
			across, down = down, across
		}
		return heatmap(f, s, across, down), ""
	case Line, Area:
		return through(f, s, typ)
	case Pie:
		return sliced(f, s)
	case Histogram:
		if two {
			return no("chart.needs_one_group", "groups", len(s.Members))
		}
		if len(f.Rows) < minHistogram {
			return no("chart.few_values", "rows", len(f.Rows))
		}
		return histogram(f, s.Numbers[0])
	case Box:
		return boxes(f, s)
	}
	return session.Chart{}, ""
}

// points set numbers against each other: two of each member, or one against a number that members are called by.
func points(f *frameql.Frame, s frameview.Shape) (session.Chart, string) {
	if len(s.Numbers) >= 2 {
		return scatter(f, s), ""
	}
	for _, i := range s.Members {
		if len(s.Numbers) == 1 && frameview.Numeric(f.Columns[i]) {
			return pointsOf(f, f.Columns[i], f.Columns[s.Numbers[0]], slices.DeleteFunc(slices.Clone(s.Members), func(k int) bool { return k == i })), ""
		}
	}
	var numbers []int // of a listing
	for _, i := range s.Members {
		if frameview.Numeric(f.Columns[i]) {
			numbers = append(numbers, i)
		}
	}
	if len(s.Numbers) == 0 && len(numbers) >= 2 {
		return pointsOf(f, f.Columns[numbers[0]], f.Columns[numbers[1]], nil), ""
	}
	return session.Chart{}, text.Say("chart.needs_two_numbers")
}

func pointsOf(f *frameql.Frame, x, y frameql.Column, others []int) session.Chart {
	encoding := spec{"x": quantity(x), "y": quantity(y), "tooltip": tooltip(f)}
	chart := session.Chart{Type: Scatter, X: x.Name, Y: []string{y.Name}}
	if len(others) == 1 && distinct(f, others[0]) <= maxSeries {
		chart.Color = f.Columns[others[0]].Name
		encoding["color"] = category(f.Columns[others[0]])
	}
	chart.VegaLite = vega(spec{"mark": "point", "encoding": encoding})
	return chart
}

// upright are bars whatever stands under them: categories, or time, which keeps its order.
func upright(f *frameql.Frame, s frameview.Shape) session.Chart {
	if s.Time < 0 {
		chart := bars(f, frameview.Shape{Members: s.Members[:1], Numbers: s.Numbers[:1], Time: -1})
		if len(f.Rows) <= maxBars {
			chart.Reason = ""
		}
		return chart
	}
	x, y := f.Columns[s.Time], f.Columns[s.Numbers[0]]
	return session.Chart{Type: Bar, X: x.Name, Y: []string{y.Name}, VegaLite: vega(spec{
		"mark": "bar", "encoding": spec{"x": band(x), "y": quantity(y), "tooltip": tooltip(f)},
	})}
}

// band is a channel for members or for time that stand side by side.
func band(c frameql.Column) spec {
	out := category(c)
	if frameview.OnCalendar(c) && (c.Type == "date" || c.Type == "timestamp") {
		out = moment(c)
		out["type"] = "ordinal"
		if format := timeFormat(c.Grain); format != "" {
			out["axis"] = spec{"format": format, "formatType": "time"}
		}
	}
	return out
}

// pair are the two groupings of a frame: what stands along the axis, and the parts, which have the fewer members.
func pair(f *frameql.Frame, s frameview.Shape) (axis, parts int, problem string) {
	axis, parts = s.Members[0], s.Members[1]
	if s.Time == parts || s.Time < 0 && distinct(f, parts) > distinct(f, axis) {
		axis, parts = parts, axis
	}
	if n := distinct(f, parts); n > maxSeries {
		return axis, parts, text.Say("chart.too_many_series", "members", n)
	}
	return axis, parts, ""
}

// beside are the parts of each member beside each other.
func beside(f *frameql.Frame, s frameview.Shape) (session.Chart, string) {
	if len(s.Members) == 1 {
		return numbersBeside(f, s), ""
	}
	axis, parts, problem := pair(f, s)
	if problem != "" {
		return session.Chart{}, problem
	}
	x, y, c := f.Columns[axis], f.Columns[s.Numbers[0]], f.Columns[parts]
	offset := category(c)
	delete(offset, "title")
	return session.Chart{Type: Grouped, X: x.Name, Y: []string{y.Name}, Color: c.Name, VegaLite: vega(spec{
		"mark": "bar", "encoding": spec{"x": band(x), "xOffset": offset, "y": quantity(y), "color": category(c), "tooltip": tooltip(f)},
	})}, ""
}

// numbersBeside are two numbers of one unit beside each other, for each member.
func numbersBeside(f *frameql.Frame, s frameview.Shape) session.Chart {
	x, first, second := f.Columns[s.Members[0]], f.Columns[s.Numbers[0]], f.Columns[s.Numbers[1]]
	values := quantity(first)
	values["field"], values["title"] = foldedValue, first.Unit
	return session.Chart{Type: Grouped, X: x.Name, Y: []string{first.Name, second.Name}, VegaLite: vega(spec{
		"transform": []spec{{"fold": []string{field(first.Name), field(second.Name)}, "as": []string{foldedKey, foldedValue}}},
		"mark":      "bar",
		"encoding": spec{
			"x": band(x), "xOffset": spec{"field": foldedKey, "type": "nominal"}, "y": values, "tooltip": tooltip(f),
			"color": spec{"field": foldedKey, "type": "nominal", "title": nil},
		},
	})}
}

// onEachOther are the parts of each member on each other.
func onEachOther(f *frameql.Frame, s frameview.Shape) (session.Chart, string) {
	axis, parts, problem := pair(f, s)
	y := f.Columns[s.Numbers[0]]
	switch {
	case problem != "":
		return session.Chart{}, problem
	case negative(f, s.Numbers[0]):
		return session.Chart{}, text.Say("chart.negative_parts")
	case !addsUp(f, s.Numbers[0]):
		return session.Chart{}, text.Say("chart.does_not_add_up", "metric", frameview.Label(y))
	}
	x, c := f.Columns[axis], f.Columns[parts]
	return session.Chart{Type: Stacked, X: x.Name, Y: []string{y.Name}, Color: c.Name, VegaLite: vega(spec{
		"mark": "bar", "encoding": spec{"x": band(x), "y": quantity(y), "color": category(c), "tooltip": tooltip(f)},
	})}, ""
}

// through is a line, or an area, through members that have an order, or are few.
func through(f *frameql.Frame, s frameview.Shape, typ string) (session.Chart, string) {
	axis, parts, problem := s.Members[0], -1, ""
	if len(s.Members) == 2 {
		axis, parts, problem = pair(f, s)
		if problem != "" && typ == Line && frameview.OnCalendar(f.Columns[axis]) {
			return manyLines(f, axis, parts, s.Numbers[0]), ""
		}
		if problem != "" {
			return session.Chart{}, problem
		}
	}
	x, y := f.Columns[axis], f.Columns[s.Numbers[0]]
	ordered := frameview.OnCalendar(x) || frameview.Numeric(x)
	if n := distinct(f, axis); !ordered && n > maxUnordered {
		return session.Chart{}, text.Say("chart.no_order", "members", frameview.Grouped(int64(n)))
	}
	if typ == Area && parts >= 0 && !addsUp(f, s.Numbers[0]) {
		return session.Chart{}, text.Say("chart.does_not_add_up", "metric", frameview.Label(y))
	}
	if typ == Area && negative(f, s.Numbers[0]) {
		return session.Chart{}, text.Say("chart.negative_parts")
	}
	if typ == Line && s.Time == axis && parts < 0 {
		chart := lineOverTime(f, s)
		chart.Reason = ""
		return chart, ""
	}
	along := moment(x)
	if frameview.Numeric(x) {
		along = spec{"field": field(x.Name), "type": "quantitative", "title": axisTitle(x), "axis": spec{"format": "d"}, "scale": spec{"zero": false}}
	}
	chart := session.Chart{Type: typ, X: x.Name, Y: []string{y.Name}}
	encoding := spec{"x": along, "y": quantity(y), "tooltip": tooltip(f)}
	if parts >= 0 {
		chart.Color = f.Columns[parts].Name
		encoding["color"] = category(f.Columns[parts])
	}
	chart.VegaLite = vega(spec{"mark": typ, "encoding": encoding})
	return chart, ""
}

// sliced are the members of one grouping as parts of a whole. What does not add up is drawn too, for it was asked for, and the
// reason says what the whole is not.
func sliced(f *frameql.Frame, s frameview.Shape) (session.Chart, string) {
	if len(s.Members) != 1 {
		return session.Chart{}, text.Say("chart.needs_one_group", "groups", len(s.Members))
	}
	x, y := f.Columns[s.Members[0]], f.Columns[s.Numbers[0]]
	switch n := distinct(f, s.Members[0]); {
	case negative(f, s.Numbers[0]):
		return session.Chart{}, text.Say("chart.negative_parts")
	case !positive(f, s.Numbers[0]):
		return session.Chart{}, text.Say("chart.no_whole")
	case n > maxSlices:
		return session.Chart{}, text.Say("chart.too_many_slices", "members", frameview.Grouped(int64(n)))
	}
	chart := session.Chart{Type: Pie, X: x.Name, Y: []string{y.Name}, VegaLite: vega(spec{
		"mark":     spec{"type": "arc"},
		"encoding": spec{"theta": spec{"field": field(y.Name), "type": "quantitative", "stack": true}, "color": category(x), "tooltip": tooltip(f)},
	})}
	if !addsUp(f, s.Numbers[0]) {
		chart.Reason = text.Say("chart.no_sum", "metric", frameview.Label(y))
	}
	return chart, ""
}

func positive(f *frameql.Frame, column int) bool {
	return slices.ContainsFunc(f.Rows, func(row []any) bool {
		r, ok := frameview.Number(row[column])
		return ok && r.Sign() > 0
	})
}

// listed is a number among the columns of a listing; -1: there is none.
func listed(f *frameql.Frame, s frameview.Shape) int {
	for _, i := range s.Members {
		if c := f.Columns[i]; frameview.Numeric(c) && (c.Type != "integer" || c.Unit != "" || len(s.Members) == 1) {
			return i
		}
	}
	return -1
}

// histogram counts the values of a number by range.
func histogram(f *frameql.Frame, column int) (session.Chart, string) {
	if len(f.Rows) < minHistogram {
		return session.Chart{}, text.Say("chart.few_values", "rows", len(f.Rows))
	}
	x := f.Columns[column]
	along := quantity(x)
	along["bin"] = spec{"maxbins": histogramBins}
	return session.Chart{Type: Histogram, X: x.Name, Y: []string{}, VegaLite: vega(spec{
		"mark":     "bar",
		"encoding": spec{"x": along, "y": spec{"aggregate": "count", "type": "quantitative", "title": text.Say("chart.count")}},
	})}, ""
}

// boxes show how the values of a number lie within each member of a grouping.
func boxes(f *frameql.Frame, s frameview.Shape) (session.Chart, string) {
	if len(s.Members) != 2 {
		return session.Chart{}, text.Say("chart.few_each")
	}
	axis := s.Members[0]
	if distinct(f, axis) > distinct(f, s.Members[1]) {
		axis = s.Members[1]
	}
	if groups := distinct(f, axis); groups > maxBars || len(f.Rows) < groups*minInEachBox {
		return session.Chart{}, text.Say("chart.few_each")
	}
	x, y := f.Columns[axis], f.Columns[s.Numbers[0]]
	return session.Chart{Type: Box, X: x.Name, Y: []string{y.Name}, VegaLite: vega(spec{
		"mark": "boxplot", "encoding": spec{"x": band(x), "y": quantity(y)},
	})}, ""
}
