package chart

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// restrict puts the conditions of the cut on a query.
func (c *cutting) restrict(q *frameql.Query) {
	for _, k := range c.kept {
		q.Where = and(q.Where, k.pred(false))
	}
	c.during(q)
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
