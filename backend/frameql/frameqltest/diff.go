package frameqltest

import (
	"fmt"
	"slices"
	"strings"
)

const mostShown = 8 // rows that differ

// Diff compares what was computed with what is right, row by row in their order; it is empty when they are the same.
// Whole numbers and decimals are compared exactly, floating ones within a billionth. Column names are compared where the
// definitions say them.
func Diff(got, want *Result) string {
	if len(got.Columns) != len(want.Columns) {
		return fmt.Sprintf("columns %v\n   want %v", got.Columns, want.Columns)
	}
	var b strings.Builder
	for i, name := range want.Columns {
		if name != "" && !strings.EqualFold(name, got.Columns[i]) {
			fmt.Fprintf(&b, "column %d is called %s, want %s\n", i+1, got.Columns[i], name)
		}
	}
	gotRows := aligned(got.Rows, want)
	for i, unlike := 0, 0; i < max(len(gotRows), len(want.Rows)); i++ {
		if i < len(gotRows) && i < len(want.Rows) && slices.EqualFunc(gotRows[i], want.Rows[i], agrees) {
			continue
		}
		if unlike++; unlike > mostShown {
			b.WriteString("... and more\n")
			break
		}
		switch {
		case i >= len(gotRows):
			b.WriteString("- " + shown(want.Rows[i]) + "\n")
		case i >= len(want.Rows):
			b.WriteString("+ " + shown(gotRows[i]) + "\n")
		default:
			b.WriteString("- " + shown(want.Rows[i]) + "\n+ " + shown(gotRows[i]) + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("- is right, + was computed (%d rows, want %d)\n%s\n%s", len(got.Rows), len(want.Rows), strings.Join(want.Columns, " | "), b.String())
}

// aligned puts total rows, which may stand in any order among themselves, in the order of the right ones.
func aligned(rows [][]any, want *Result) [][]any {
	if want.Totals < 2 || len(rows) != len(want.Rows) {
		return rows
	}
	first := len(rows) - want.Totals
	left := slices.Clone(rows[first:])
	out := slices.Clone(rows[:first])
	for _, w := range want.Rows[first:] {
		at := slices.IndexFunc(left, func(r []any) bool { return slices.EqualFunc(r, w, agrees) })
		if at < 0 {
			return rows
		}
		out = append(out, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return out
}

// agrees says whether a computed cell is the right one.
func agrees(got, want any) bool {
	x, ok1 := got.(Number)
	y, ok2 := want.(Number)
	switch {
	case ok1 && ok2 && (x.Approx || y.Approx):
		return near(x, y)
	case ok1 != ok2 || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want):
		return got == nil && want == nil
	}
	return sameCell(got, want)
}

func shown(cells []any) string {
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = Show(c)
	}
	return strings.Join(words, " | ")
}

// String shows a result for a person.
func (r *Result) String() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.Columns, " | ") + "\n")
	for _, row := range r.Rows {
		b.WriteString(shown(row) + "\n")
	}
	return b.String()
}
