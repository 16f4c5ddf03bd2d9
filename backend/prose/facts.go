package prose

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

// facts are what is known of the frame.
type facts struct {
	*frameql.Frame
	plan    *frameql.Plan
	word    func(any, frameql.Column) string
	members []int // rows that stand for members: no totals, and not the rest of a TOP
	summed  []int // the same with the rest
	total   int   // the row of the grand total; -1: none
	shape   frameview.Shape
	divides []int // dimensions that tell the rows of members apart
}

func factsOf(s Scene) facts {
	f := facts{Frame: s.Frame, plan: s.Plan, word: s.Member, total: -1, shape: frameview.ShapeOf(s.Frame)}
	if f.plan == nil {
		f.plan = &frameql.Plan{}
	}
	totals, rest := frameview.Flag(s.Frame, "is_total"), frameview.Flag(s.Frame, "is_other")
	for i, row := range s.Frame.Rows {
		switch {
		case totals >= 0 && row[totals] == true:
			if !slices.ContainsFunc(f.shape.Members, func(d int) bool { return row[d] != nil }) {
				f.total = i
			}
		case rest >= 0 && row[rest] == true:
			f.summed = append(f.summed, i)
		default:
			f.members, f.summed = append(f.members, i), append(f.summed, i)
		}
	}
	for _, d := range f.shape.Members {
		if slices.ContainsFunc(f.members, func(row int) bool { return f.Rows[row][d] != f.Rows[f.members[0]][d] }) {
			f.divides = append(f.divides, d)
		}
	}
	return f
}

func (f *facts) column(name string) int {
	return slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Name == name })
}

// measure says whether a column holds numbers that are no members.
func (f *facts) measure(column int) bool {
	c := f.Columns[column]
	return frameview.Numeric(c) && c.Role != frameql.RoleDimension && c.Role != frameql.RoleFlag
}

func (f *facts) number(row, column int) (*big.Rat, bool) {
	return frameview.Number(f.Rows[row][column])
}

// cut says whether rows of the result are not here.
func (f *facts) cut() bool { return f.Truncated != nil || f.LetGo != nil }

// whole says whether the frame shows all members: nothing was cut off, and no TOP or LIMIT left some out.
func (f *facts) whole() bool {
	top := f.plan.Top
	return !f.cut() && f.plan.Limit == nil && f.plan.Offset == 0 && (top == nil || top.Other)
}

// reaches says whether the highest, or the lowest, of the rows is the one of all members: of a TOP only the end that it is ordered by is sure.
func (f *facts) reaches(column int, highest bool) bool {
	top := f.plan.Top
	switch {
	case f.cut() || f.plan.Limit != nil || f.plan.Offset != 0:
		return false
	case top == nil:
		return true
	case top.Per != "" || top.Asc == highest:
		return false
	}
	c := f.Columns[column]
	return c.Metric != "" && c.Derived == nil && strings.EqualFold(top.By, c.Metric) || len(f.shape.Numbers) == 1 && f.shape.Numbers[0] == column && f.ordered(column, !top.Asc)
}

// ordered says whether the members stand in the order of a column.
func (f *facts) ordered(column int, descending bool) bool {
	var before *big.Rat
	for _, row := range f.members {
		n, ok := f.number(row, column)
		if !ok || before != nil && (descending && n.Cmp(before) > 0 || !descending && n.Cmp(before) < 0) {
			return false
		}
		before = n
	}
	return true
}

// extreme is the one row with the highest or the lowest value of a column among at least two; false: several share it, or there is none.
func (f *facts) extreme(column int, highest bool) (int, bool) {
	best, ties, counted := -1, 0, 0
	var most *big.Rat
	for _, row := range f.members {
		n, ok := f.number(row, column)
		if !ok {
			if f.Rows[row][column] != nil { // NaN and the infinities are not compared
				return -1, false
			}
			continue
		}
		counted++
		order := 1
		if most != nil {
			order = n.Cmp(most)
			if !highest {
				order = -order
			}
		}
		switch {
		case order > 0:
			best, most, ties = row, n, 0
		case order == 0:
			ties++
		}
	}
	return best, best >= 0 && ties == 0 && counted > 1
}

// nextTo says whether one row directly follows another in the order of a column, and no third row shares a number with either.
func (f *facts) nextTo(before, row, column int, descending bool) bool {
	a, ok := f.number(before, column)
	b, also := f.number(row, column)
	if !ok || !also || before == row || descending && a.Cmp(b) <= 0 || !descending && a.Cmp(b) >= 0 {
		return false
	}
	for _, other := range f.members {
		n, is := f.number(other, column)
		switch {
		case !is && f.Rows[other][column] != nil:
			return false
		case !is || other == before || other == row:
		case n.Cmp(a) == 0, n.Cmp(b) == 0, descending == (n.Cmp(a) < 0) && descending == (n.Cmp(b) > 0):
			return false
		}
	}
	return true
}

// holding are the rows of members whose cell of a dimension reads like a text.
func (f *facts) holding(column int, cell any) []int {
	var rows []int
	for _, row := range f.members {
		if f.Rows[row][column] == cell {
			rows = append(rows, row)
		}
	}
	return rows
}

// time gives the moment of a row as text that sorts; false: the frame has no time, or the row has none.
func (f *facts) time(row int) (string, bool) {
	if f.shape.Time < 0 {
		return "", false
	}
	switch x := f.Rows[row][f.shape.Time].(type) {
	case string:
		return x, x != ""
	case int64:
		return fmt.Sprintf("%020d", x), x >= 0
	}
	return "", false
}

// sameBut says whether two rows agree in all dimensions but time.
func (f *facts) sameBut(a, b int) bool {
	return !slices.ContainsFunc(f.shape.Members, func(d int) bool { return d != f.shape.Time && f.Rows[a][d] != f.Rows[b][d] })
}

// series are the rows that differ from one only in time, the earliest first; nil: two of them have the same time, or one has none.
func (f *facts) series(of int) []int {
	var rows []int
	seen := map[string]bool{}
	for _, row := range f.members {
		if !f.sameBut(row, of) {
			continue
		}
		at, ok := f.time(row)
		if !ok || seen[at] {
			return nil
		}
		seen[at] = true
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b int) int {
		x, _ := f.time(a)
		y, _ := f.time(b)
		return strings.Compare(x, y)
	})
	return rows
}

// later says whether one row follows another in time and differs in nothing else.
func (f *facts) later(a, b int) bool {
	x, ok := f.time(a)
	y, also := f.time(b)
	return ok && also && x > y && f.sameBut(a, b)
}

// base gives the column that a column is made from by a comparison; -1: none, or it is not in the frame.
func (f *facts) base(column int) int {
	if d := f.Columns[column].Derived; d != nil && d.Of != "" {
		return f.column(d.Of)
	}
	return -1
}

// how is previous, target, change, change_pct, share ... of a column that is made of another; empty: it stands for itself.
func (f *facts) how(column int) string {
	if d := f.Columns[column].Derived; d != nil {
		return d.How
	}
	return ""
}
