package chart

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// Cut is what a person marked in a chart: members of columns of the frame, or a stretch of one column of time.
type Cut struct {
	Members []Member
	Time    *Stretch // nil: none
}

// Member is a cell of a dimension as the frame has it: string, json.Number, number, bool or nil.
type Member struct {
	Column string
	Value  any
}

// Stretch is a range of buckets of a column of time, as the frame has them: the first one and the last one, both in it.
type Stretch struct {
	Column      string
	First, Last string
}

// Next is a question that a cut leads to.
type Next struct {
	Title   string
	FrameQL string // canonical; it resolves
}

// Narrow composes the questions that a cut leads to, the plainest first: only what was marked, without the grouping that then has
// one member; the same over time, or by a finer grain; and all but what was marked. Resolve is asked of each, and what it refuses is
// left out. The query and its plan are not changed.
//
// Faults: Invalid (a column that the plan does not have or that cannot be cut, a value that is none of it, nothing marked), with the
// refusal of the first question when none of them resolves.
func Narrow(plan *frameql.Plan, cut Cut, resolve func(*frameql.Query) []frameql.Refusal) ([]Next, error) {
	c := cutting{plan: plan, resolve: resolve}
	for _, m := range cut.Members {
		if err := c.member(m); err != nil {
			return nil, err
		}
	}
	if cut.Time != nil {
		if err := c.stretch(*cut.Time); err != nil {
			return nil, err
		}
	}
	if len(c.kept) == 0 && c.period == nil {
		return nil, fault.New(fault.Invalid, "narrow", text.Say("chart.nothing_marked"), text.Say("chart.nothing_marked_hint"))
	}
	c.only()
	c.finer()
	c.overTime()
	c.without()
	if len(c.found) == 0 {
		why := text.Say("chart.not_narrowed_hint")
		if len(c.refused) > 0 {
			why = c.refused[0].Message
		}
		return nil, fault.New(fault.Invalid, "narrow", text.Say("chart.not_narrowed", "marked", c.words()), why)
	}
	return c.found, nil
}

// cutting is a cut on its way to questions.
type cutting struct {
	plan    *frameql.Plan
	resolve func(*frameql.Query) []frameql.Refusal
	kept    []kept
	period  *span
	found   []Next
	refused []frameql.Refusal
}

// kept are the members of one dimension that are marked.
type kept struct {
	column frameql.Column
	values []any
}

// span is the stretch of time that is marked: from <= t < to.
type span struct {
	column   frameql.Column
	from, to time.Time
	buckets  int // of the column's grain, as far as they count: 1 or more
	label    string
	literal  string // of one bucket that has a name: 1997-10
}

func (c *cutting) column(name string) (frameql.Column, error) {
	for _, column := range c.plan.Columns {
		if column.Name == name && column.Role == frameql.RoleDimension && column.Dimension != "" {
			return column, nil
		}
	}
	return frameql.Column{}, fault.New(fault.Invalid, "narrow", text.Say("chart.no_such_column", "column", name), text.Say("chart.no_such_column_hint"))
}

func (c *cutting) member(m Member) error {
	column, err := c.column(m.Column)
	if err != nil {
		return err
	}
	if column.Grain != "" && m.Value != nil {
		s, ok := m.Value.(string)
		if !ok {
			return badValue(column, m.Value)
		}
		return c.stretch(Stretch{Column: m.Column, First: s, Last: s})
	}
	if _, ok := value(m.Value, column); !ok {
		return badValue(column, m.Value)
	}
	for i := range c.kept {
		if c.kept[i].column.Name == column.Name {
			c.kept[i].values = append(c.kept[i].values, m.Value)
			return nil
		}
	}
	c.kept = append(c.kept, kept{column, []any{m.Value}})
	return nil
}

func badValue(column frameql.Column, value any) error {
	return fault.New(fault.Invalid, "narrow", text.Say("chart.no_such_value", "column", label(column), "value", fmt.Sprint(value)), text.Say("chart.no_such_value_hint"))
}

func label(c frameql.Column) string {
	if c.Label != "" {
		return c.Label
	}
	return c.Name
}

// value writes a cell as a literal of Frame-QL.
func value(cell any, column frameql.Column) (frameql.Value, bool) {
	switch x := cell.(type) {
	case nil:
		return frameql.Value{Kind: frameql.Null}, true
	case bool:
		return frameql.Value{Kind: frameql.Bool, Text: fmt.Sprint(x)}, true
	case string:
		switch column.Type {
		case "integer", "decimal", "float":
			if json.Valid([]byte(x)) && !strings.HasPrefix(x, `"`) {
				return frameql.Value{Kind: frameql.Number, Text: x}, true
			}
			return frameql.Value{}, false
		case "json":
			return frameql.Value{}, false
		}
		return frameql.Value{Kind: frameql.String, Text: x}, true
	case json.Number:
		return frameql.Value{Kind: frameql.Number, Text: x.String()}, true
	case float64, int64, int:
		raw, err := json.Marshal(x)
		return frameql.Value{Kind: frameql.Number, Text: string(raw)}, err == nil && !strings.ContainsAny(string(raw), "eE")
	}
	return frameql.Value{}, false
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

// restrict puts the conditions of the cut on a query.
func (c *cutting) restrict(q *frameql.Query) {
	for _, k := range c.kept {
		q.Where = and(q.Where, k.pred(false))
	}
	c.during(q)
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

// pred says that a dimension is one of the members, or none of them. Where not, missing values stay what they were: they are none of
// the members.
func (k kept) pred(not bool) *frameql.Pred {
	var values []frameql.Value
	null := false
	for _, v := range k.values {
		l, _ := value(v, k.column) // member has checked it
		if l.Kind == frameql.Null {
			null = true
			continue
		}
		values = append(values, l)
	}
	dim := k.column.Dimension
	some := func(one, many string) *frameql.Pred {
		if len(values) == 1 {
			return &frameql.Pred{Dim: dim, Op: one, Val: &values[0]}
		}
		return &frameql.Pred{Dim: dim, Op: many, Vals: values}
	}
	missing := &frameql.Pred{Dim: dim, Op: "is_null"}
	switch {
	case not && len(values) == 0:
		return &frameql.Pred{Dim: dim, Op: "not_null"}
	case not && null:
		return some("ne", "not_in")
	case not:
		return &frameql.Pred{Or: []*frameql.Pred{some("ne", "not_in"), missing}}
	case len(values) == 0:
		return missing
	case null:
		return &frameql.Pred{Or: []*frameql.Pred{some("eq", "in"), missing}}
	}
	return some("eq", "in")
}

func and(p, q *frameql.Pred) *frameql.Pred {
	if p == nil {
		return q
	}
	return &frameql.Pred{And: slices.Concat(frameql.Conjuncts(p), []*frameql.Pred{q})}
}

// namedMembers are as many as are called by their names; more are counted.
const namedMembers = 3

// words name what is marked.
func (c *cutting) words() string {
	var all []string
	for _, k := range c.kept {
		if len(k.values) > namedMembers {
			all = append(all, text.Say("chart.marked_several", "n", len(k.values), "column", label(k.column)))
			continue
		}
		for _, v := range k.values {
			if v == nil {
				v = text.Say("chart.marked_missing", "column", label(k.column))
			}
			all = append(all, fmt.Sprint(v))
		}
	}
	if c.period != nil {
		all = append(all, c.period.label)
	}
	return strings.Join(all, ", ")
}

// offer adds a question if it resolves and is none of those that are there.
func (c *cutting) offer(title string, q *frameql.Query) bool {
	if refused := c.resolve(q); len(refused) > 0 {
		c.refused = append(c.refused, refused...)
		return false
	}
	canonical := q.String()
	if canonical == c.plan.Query.String() || slices.ContainsFunc(c.found, func(n Next) bool { return n.FrameQL == canonical }) {
		return false
	}
	c.found = append(c.found, Next{title, canonical})
	return true
}

// only asks for nothing but what is marked; groupings that have one member then are left out where something is left to see by.
func (c *cutting) only() {
	title := text.Say("chart.next_only", "marked", c.words())
	q := c.plan.Query.Clone()
	c.restrict(q)
	shorter := q.Clone()
	for _, k := range c.kept {
		if len(k.values) == 1 {
			c.drop(shorter, k.column)
		}
	}
	if c.offer(title, shorter) {
		return
	}
	c.offer(title, q)
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

// without asks for everything but the marked members.
func (c *cutting) without() {
	if len(c.kept) != 1 || c.period != nil {
		return
	}
	q := c.plan.Query.Clone()
	q.Where = and(q.Where, c.kept[0].pred(true))
	c.offer(text.Say("chart.next_without", "marked", c.words()), q)
}

// drop takes a dimension out of what is asked for, with all that is done by it, where another column is left.
func (c *cutting) drop(q *frameql.Query, column frameql.Column) {
	entity, _, _ := strings.Cut(column.Dimension, ".")
	by := func(d *frameql.Dim) bool {
		return d != nil && (c.same(d, column) || d.Name == entity && d.Grain == "")
	}
	left := slices.DeleteFunc(slices.Clone(q.Select), func(i frameql.Item) bool { return by(i.Dim) })
	if !slices.ContainsFunc(left, func(i frameql.Item) bool { return i.Expr != nil }) {
		return // a listing goes on listing
	}
	q.Select = left
	if q.At != nil {
		at := *q.At
		at.Dims = slices.DeleteFunc(slices.Clone(at.Dims), func(d frameql.Dim) bool { return by(&d) })
		if q.At = &at; len(at.Dims) == 0 {
			q.At = nil
		}
	}
	if q.Top != nil && by(&q.Top.Dim) {
		q.Top = nil
	}
	q.Totals = nil
	q.Order = slices.DeleteFunc(slices.Clone(q.Order), func(o frameql.Order) bool {
		return o.Out == column.Name || by(&frameql.Dim{Name: o.Out})
	})
}

// same says whether a dimension of the query is the one that a column shows.
func (c *cutting) same(d *frameql.Dim, column frameql.Column) bool {
	_, short, _ := strings.Cut(column.Dimension, ".")
	if column.Grain != "" && d.Grain == "" && d.Name == column.Grain { // "month", the default time
		return true
	}
	return (d.Name == column.Dimension || d.Name == short) && d.Grain == column.Grain
}
