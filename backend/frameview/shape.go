// Package frameview is how a frame reads to a person: what kinds of columns it has, what a number is compared with, and
// cells as text.
package frameview

import (
	"slices"
	"strings"

	"assay/backend/frameql"
)

// Shape is what kinds of columns a frame has, by position.
type Shape struct {
	Members []int // dimensions
	Numbers []int // numbers of their own: not what is made of another column of the frame
	Time    int   // the first dimension on the calendar; -1: none
}

// ShapeOf looks at the columns of a frame.
func ShapeOf(f *frameql.Frame) Shape {
	s := Shape{Time: -1}
	for i, c := range f.Columns {
		switch {
		case c.Role == frameql.RoleDimension:
			s.Members = append(s.Members, i)
			if s.Time < 0 && OnCalendar(c) {
				s.Time = i
			}
		case ownNumber(c):
			s.Numbers = append(s.Numbers, i)
		}
	}
	return s
}

// ownNumber says whether a column holds numbers that are not made of another column of the frame: a change or a share
// beside its amount is no second measure.
func ownNumber(c frameql.Column) bool {
	switch {
	case !Numeric(c):
		return false
	case c.Derived != nil:
		return c.Derived.Of == ""
	}
	return c.Role == frameql.RoleMetric
}

// Members is the frame without its total rows. They always come last, so that row numbers stay what they are.
func Members(f *frameql.Frame) *frameql.Frame {
	total := Flag(f, "is_total")
	if total < 0 {
		return f
	}
	out := *f
	if first := slices.IndexFunc(f.Rows, func(row []any) bool { return row[total] == true }); first >= 0 {
		out.Rows = f.Rows[:first]
	}
	out.RowCount = len(out.Rows)
	return &out
}

// Flag is the position of a flag of the frame; -1: it has no such flag.
func Flag(f *frameql.Frame, name string) int {
	return slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Role == frameql.RoleFlag && c.Name == name })
}

// OnCalendar says whether a dimension's members follow each other in time.
func OnCalendar(c frameql.Column) bool {
	return c.Role == frameql.RoleDimension && (c.Grain != "" || c.Type == "date" || c.Type == "timestamp")
}

// Label is what a person calls a column.
func Label(c frameql.Column) string {
	if c.Label != "" {
		return c.Label
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}

// Comparison is where a frame shows what a number is compared with, by position; -1: it does not.
type Comparison struct {
	Before, Change, Relative int
	With                     string // the comparand
	Target                   bool   // not a value of another period
}

// ComparisonOf finds the comparison of a column with the first of its comparands; false: it is compared with nothing.
func ComparisonOf(f *frameql.Frame, column int) (Comparison, bool) {
	c := Comparison{Before: -1, Change: -1, Relative: -1}
	found := false
	for i, other := range f.Columns {
		d := other.Derived
		if d == nil || d.Of != f.Columns[column].Name || !Numeric(other) || found && d.With != c.With {
			continue
		}
		switch d.How {
		case "previous", "target":
			c.Before, c.Target = i, d.How == "target"
		case "change":
			c.Change = i
		case "change_pct":
			c.Relative = i
		default:
			continue
		}
		c.With, found = d.With, true
	}
	return c, found
}
