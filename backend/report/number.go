package report

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"assay/backend/analyst"
	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// number is an answer at a glance: one number, with what stands beside it. Nil: the answer is no number, or its person looks at it otherwise.
func (r *Answer) number(f *frameql.Frame) *Number {
	if r.missing || r.view.Chart != nil || r.view.Show == "table" || r.view.Show == "pivot" {
		return nil
	}
	if m := r.answer.MetricCard; m != nil {
		return glance(m, r.name+"-b")
	}
	if r.answer.Chart == nil || r.answer.Chart.Type != chart.BigNumber || len(f.Rows) != 1 {
		return nil
	}
	at := slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return len(r.answer.Chart.Y) > 0 && c.Name == r.answer.Chart.Y[0] })
	if at < 0 {
		at = slices.IndexFunc(f.Columns, frameview.Numeric)
	}
	if at < 0 {
		return nil
	}
	return numberOfCell(f.Rows[0][at], f.Columns[at])
}

func numberOfCell(v any, c frameql.Column) *Number {
	n := &Number{Label: frameview.Label(c)}
	n.Figure = frameview.Figure(v, c)
	if r, ok := frameview.Number(v); ok && c.Format != frameview.Percent {
		n.Unit = c.Unit
		if shown, _ := frameview.Number(strings.ReplaceAll(n.Figure, text.Say("analyst.thousands_separator"), "")); shown == nil || shown.Cmp(r) != 0 {
			n.Exact = plainNumber(v)
		}
	}
	return n
}

// glance is a metric card: the number, how it moved, its course, and what it is made of.
func glance(m *analyst.MetricCard, id string) *Number {
	c := frameql.Column{Name: m.Metric, Label: m.Label, Unit: m.Unit, Format: m.Format, Scale: m.Scale, Decimals: m.Decimals, Type: "decimal", Role: frameql.RoleMetric}
	n := numberOfCell(m.Summary, c)
	if m.Previous != nil {
		n.With = text.Say("report.against", "period", m.Against, "value", withUnit(frameview.Figure(m.Previous, c), c))
		n.Change, n.Sense = change(m.Previous, m.Summary, m.Better)
	}
	n.Course = courseOf(m, c)
	if len(m.Breakdown) > 0 {
		n.Parts = partsOf(m, c, id)
	}
	return n
}

func withUnit(figure string, c frameql.Column) string {
	if c.Unit == "" || c.Format == frameview.Percent {
		return figure
	}
	return figure + " " + c.Unit
}

// change is how a number moved, as a share of what it was, and whether that is good.
func change(before, now any, better string) (words, sense string) {
	from, known := frameview.Number(before)
	to, also := frameview.Number(now)
	if !known || !also {
		return "", "even"
	}
	moved := new(big.Rat).Sub(to, from)
	sense = senseOf(moved.Sign(), better)
	if from.Sign() == 0 {
		return "", sense
	}
	return signedShare(moved.Quo(moved, new(big.Rat).Abs(from))), sense
}

// senseOf says whether a move up (1) or down (-1) is good.
func senseOf(sign int, better string) string {
	switch {
	case sign == 0 || better != "up" && better != "down":
		return "even"
	case sign > 0 == (better == "up"):
		return "good"
	}
	return "bad"
}

// signedShare writes a fraction as a change in percent with its sign.
func signedShare(share *big.Rat) string {
	return text.Say("window.cell.percent", "n", signed(frameview.Percentage(new(big.Rat).Set(share)), share.Sign()))
}

// signed puts the sign before a number, as print does.
func signed(figure string, sign int) string {
	figure = strings.TrimPrefix(figure, "-")
	switch {
	case sign > 0:
		return "+" + figure
	case sign < 0:
		return "−" + figure
	}
	return figure
}

const (
	courseWidth  = 280
	courseHeight = 56
)

// courseOf draws a number over time; nil: fewer than two points are known. A missing one breaks the line.
func courseOf(m *analyst.MetricCard, c frameql.Column) *Course {
	low, high := math.Inf(1), math.Inf(-1)
	values := make([]float64, len(m.Timeseries))
	known := 0
	for i, p := range m.Timeseries {
		values[i] = math.NaN()
		if r, ok := frameview.Number(p.Value); ok {
			if x, _ := r.Float64(); math.Abs(x) < 1e200 {
				values[i], known = x, known+1
				low, high = min(low, x), max(high, x)
			}
		}
	}
	if known < 2 {
		return nil
	}
	first, last := m.Timeseries[0], m.Timeseries[len(m.Timeseries)-1]
	when := frameql.Column{Type: "date", Grain: m.Grain, Role: frameql.RoleDimension}
	out := &Course{Width: courseWidth, Height: courseHeight, Words: text.Say("window.card.course", "label", frameview.Label(c),
		"from", frameview.Member(first.Date, when), "to", frameview.Member(last.Date, when),
		"low", withUnit(frameview.Figure(low, c), c), "high", withUnit(frameview.Figure(high, c), c))}
	floor, ceiling := min(low, 0), max(high, 0)
	const pad = 2.0
	place := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	across := func(i int) string { return place(float64(i) * courseWidth / float64(len(values)-1)) }
	up := func(v float64) string {
		return place(pad + (1-(v-floor)/max(ceiling-floor, math.SmallestNonzeroFloat64))*(courseHeight-2*pad))
	}
	var line, area strings.Builder
	for i := 0; i < len(values); {
		if math.IsNaN(values[i]) {
			i++
			continue
		}
		from := i
		var run []string
		for ; i < len(values) && !math.IsNaN(values[i]); i++ {
			run = append(run, across(i)+","+up(values[i]))
		}
		path := strings.Join(run, "L")
		fmt.Fprintf(&line, "M%s", path)
		fmt.Fprintf(&area, "M%s,%sL%sL%s,%sZ", across(from), up(0), path, across(i-1), up(0))
	}
	out.Line, out.Area = line.String(), area.String()
	return out
}

// partsOf is what the number is made of, as a small table.
func partsOf(m *analyst.MetricCard, c frameql.Column, id string) *Table {
	by := frameql.Column{Name: m.By, Label: m.By, Type: "text", Role: frameql.RoleDimension}
	f := &frameql.Frame{Columns: []frameql.Column{by, c}}
	for _, p := range m.Breakdown {
		label := any(fmt.Sprint(p.Label))
		if p.Label == nil {
			label = nil
		}
		f.Rows = append(f.Rows, []any{label, p.Value})
	}
	t := tableOf(f, id, text.Say("report.parts", "label", frameview.Label(c), "by", m.By), mostRows, nil)
	t.plain = true
	for i, p := range m.Breakdown {
		if p.Rest {
			t.Rows[i].Mark = "other"
		}
	}
	return t
}
