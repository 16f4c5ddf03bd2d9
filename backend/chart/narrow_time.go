package chart

import (
	"fmt"
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// span is the stretch of time that is marked: from <= t < to.
type span struct {
	column   frameql.Column
	from, to time.Time
	buckets  int // of the column's grain, as far as they count: 1 or more
	label    string
	literal  string // of one bucket that has a name: 1997-10
}

// step goes to the next bucket of a unit of time; false: its buckets have no length that can be counted on.
func step(grain string, at time.Time) (time.Time, bool) {
	switch grain {
	case "hour":
		return at.Add(time.Hour), true
	case "day":
		return at.AddDate(0, 0, 1), true
	case "week":
		return at.AddDate(0, 0, 7), true
	case "month":
		return at.AddDate(0, 1, 0), true
	case "quarter":
		return at.AddDate(0, 3, 0), true
	case "year":
		return at.AddDate(1, 0, 0), true
	}
	return at, false
}

func finerThan(grain string) string {
	switch grain {
	case "year":
		return "month"
	case "quarter":
		return "month"
	case "month":
		return "day"
	case "week":
		return "day"
	case "day":
		return "hour"
	}
	return ""
}

func (c *cutting) stretch(s Stretch) error {
	column, err := c.column(s.Column)
	if err != nil {
		return err
	}
	first, errFirst := instant(s.First)
	last, errLast := instant(s.Last)
	if errFirst != nil || errLast != nil || last.Before(first) {
		return badValue(column, s.First)
	}
	grain := column.Grain
	if grain == "" { // a date of a listing
		grain = "day"
	}
	end, ok := step(grain, last)
	if !ok {
		return fault.New(fault.Invalid, "narrow", text.Say("chart.no_cut_by", "column", label(column)), text.Say("chart.no_cut_by_hint"))
	}
	out := span{column: column, from: first, to: end, buckets: 1}
	for at := first; at.Before(last) && out.buckets < 1000; out.buckets++ {
		at, _ = step(grain, at)
	}
	if out.buckets == 1 {
		out.literal = bucketName(grain, first)
	}
	if p := c.plan.Period; p != nil && p.On == column.Dimension { // a bucket at the edge of the period is no whole one
		if !p.From.IsZero() && p.From.After(out.from) {
			out.from, out.literal = p.From, ""
		}
		if !p.To.IsZero() && p.To.Before(out.to) {
			out.to, out.literal = p.To, ""
		}
		if !out.from.Before(out.to) {
			return badValue(column, s.First)
		}
	}
	out.label = out.words(grain)
	c.period = &out
	return nil
}

func instant(s string) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("no moment: %q", s)
}

// bucketName is the literal of Frame-QL for one bucket; empty: it has none.
func bucketName(grain string, at time.Time) string {
	switch grain {
	case "year":
		return at.Format("2006")
	case "quarter":
		return fmt.Sprintf("%04d-Q%d", at.Year(), (int(at.Month())+2)/3)
	case "month":
		return at.Format("2006-01")
	case "day":
		return at.Format(time.DateOnly)
	}
	return ""
}

func (s span) words(grain string) string {
	last := s.to.AddDate(0, 0, -1)
	switch {
	case grain == "hour":
		return text.Say("analyst.period_range", "from", s.from.Format("2006-01-02 15:04"), "to", s.to.Format("2006-01-02 15:04"))
	case s.literal != "" && grain == "quarter":
		return text.Say("analyst.quarter_name", "quarter", (int(s.from.Month())+2)/3, "year", s.from.Year())
	case s.literal != "" && grain == "month":
		return text.Say("analyst.month_name", "month", text.Say(fmt.Sprintf("analyst.month_%d", int(s.from.Month()))), "year", s.from.Year())
	case s.literal != "":
		return s.literal
	}
	return text.Say("analyst.period_range", "from", s.from.Format(time.DateOnly), "to", last.Format(time.DateOnly))
}

func (c *cutting) during(q *frameql.Query) {
	if c.period == nil {
		return
	}
	from, to := c.period.bounds()
	p := c.plan.Period
	if p != nil && p.On != c.period.column.Dimension { // it has a period of another date, which stays
		d := c.period.column.Dimension
		q.Where = and(q.Where, &frameql.Pred{Dim: d, Op: "ge", Val: &frameql.Value{Kind: frameql.String, Text: from}})
		q.Where = and(q.Where, &frameql.Pred{Dim: d, Op: "lt", Val: &frameql.Value{Kind: frameql.String, Text: to}})
		return
	}
	during := &frameql.During{Period: frameql.Period{Kind: "range", From: from, To: to}, On: &frameql.Dim{Name: c.period.column.Dimension}}
	if c.period.literal != "" {
		during.Period = frameql.Period{Kind: "literal", Value: c.period.literal}
	}
	if q.Time != nil {
		during.On = q.Time.On
	}
	q.Time = during
}

func (s span) bounds() (from, to string) {
	layout := time.DateOnly
	if s.column.Grain == "hour" {
		layout = "2006-01-02T15:04"
	}
	return s.from.Format(layout), s.to.Format(layout)
}

// finer asks for the marked stretch by a finer unit of time.
func (c *cutting) finer() {
	if c.period == nil || c.period.buckets > 2 {
		return
	}
	unit := finerThan(c.period.column.Grain)
	if unit == "" {
		return
	}
	q := c.plan.Query.Clone()
	c.restrict(q)
	changed := false
	for i := range q.Select {
		if d := q.Select[i].Dim; d != nil && c.same(d, c.period.column) {
			q.Select[i].Dim = &frameql.Dim{Name: c.period.column.Dimension, Grain: unit}
			q.Select[i].As, changed = "", true
		}
	}
	if !changed {
		return
	}
	q.Order, q.Top, q.Limit, q.Totals = nil, nil, nil, nil
	if q.At != nil {
		q.At = nil
	}
	c.offer(text.Say("chart.next_finer", "marked", c.words(), "unit", text.Say("analyst.unit_"+unit)), q)
}

// overTime asks how the numbers of what is marked went.
func (c *cutting) overTime() {
	if c.period != nil || slices.ContainsFunc(c.plan.Columns, func(x frameql.Column) bool { return x.Grain != "" }) {
		return
	}
	q := &frameql.Query{V: 1, With: c.plan.Query.With, Where: c.plan.Query.Where, Time: c.plan.Query.Time, Options: c.plan.Query.Options}
	c.restrict(q)
	q.Select = []frameql.Item{{Dim: &frameql.Dim{Name: "month"}}}
	for _, i := range c.plan.Query.Select {
		if i.Expr != nil && i.Expr.Metric != "" {
			q.Select = append(q.Select, i)
			break
		}
	}
	if len(q.Select) == 2 {
		c.offer(text.Say("chart.next_over_time", "marked", c.words()), q)
	}
}
