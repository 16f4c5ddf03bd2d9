package prose

import (
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/session"
)

// Formula is a reference: a cell, the number of rows, or declared arithmetic over cells. Rows and columns are positions in the frame; -1: none.
type Formula struct {
	Fn     string // empty: a cell
	Column int    // of the first cell, or of the column that it is made of
	Row    int
	With   int // the column and row of the second cell
	Beside int
}

// The functions, and how many cells they take; 0: a whole column.
var functions = map[string]int{"sum": 0, "mean": 0, "max": 0, "min": 0, "share": 1, "rank": 1, "diff": 2, "pct": 2, "ratio": 2}

var errReference = errors.New("no reference")

// ParseFormula reads a reference without its braces against a frame. Rows may lie beyond those that are here when beyond is set: of a frame whose
// rows were left out.
func ParseFormula(s string, f *frameql.Frame, beyond bool) (Formula, error) {
	known := facts{Frame: f, total: -1}
	return known.parse(s, beyond)
}

func (f *facts) parse(s string, beyond bool) (Formula, error) {
	s = strings.TrimSpace(s)
	none := Formula{Column: -1, Row: -1, With: -1, Beside: -1}
	if s == "count" {
		none.Fn = s
		return none, nil
	}
	fn, inner, called := strings.Cut(s, "(")
	fn = strings.TrimSpace(fn)
	if !called {
		return none, f.cell(s, &none.Row, &none.Column, beyond)
	}
	cells, known := functions[fn]
	inner, closed := strings.CutSuffix(inner, ")")
	if !known || !closed {
		return none, errReference
	}
	none.Fn = fn
	switch cells {
	case 0:
		if none.Column = f.column(strings.TrimSpace(inner)); none.Column < 0 || !f.measure(none.Column) {
			return none, errReference
		}
		return none, nil
	case 1:
		return none, f.measured(inner, &none.Row, &none.Column, beyond)
	}
	a, b, two := strings.Cut(inner, ",")
	if !two {
		return none, errReference
	}
	if err := f.measured(a, &none.Row, &none.Column, beyond); err != nil {
		return none, err
	}
	return none, f.measured(b, &none.Beside, &none.With, beyond)
}

// measured reads a cell of a number.
func (f *facts) measured(s string, row, column *int, beyond bool) error {
	if err := f.cell(s, row, column, beyond); err != nil {
		return err
	}
	if !f.measure(*column) {
		return errReference
	}
	return nil
}

// cell reads r3.revenue or total.revenue.
func (f *facts) cell(s string, row, column *int, beyond bool) error {
	label, name, dotted := strings.Cut(strings.TrimSpace(s), ".")
	if !dotted {
		return errReference
	}
	if *column = f.column(strings.TrimSpace(name)); *column < 0 || f.Columns[*column].Role == frameql.RoleFlag {
		return errReference
	}
	if label == "total" {
		if *row = f.total; *row < 0 {
			return errReference
		}
		return nil
	}
	digits, is := strings.CutPrefix(label, "r")
	n, err := strconv.Atoi(digits)
	if !is || err != nil || n < 0 || strconv.Itoa(n) != digits || !beyond && n >= len(f.Rows) {
		return errReference
	}
	*row = n
	return nil
}

// canonical writes a formula of a function as it is kept with its citation.
func (f *facts) canonical(x Formula) string {
	cell := func(row, column int) string { return "r" + strconv.Itoa(row) + "." + f.Columns[column].Name }
	switch {
	case x.Fn == "" || x.Fn == "count":
		return ""
	case x.Row < 0:
		return x.Fn + "(" + f.Columns[x.Column].Name + ")"
	case x.Beside < 0:
		return x.Fn + "(" + cell(x.Row, x.Column) + ")"
	}
	return x.Fn + "(" + cell(x.Row, x.Column) + "," + cell(x.Beside, x.With) + ")"
}

// Cells are the single cells that a formula is made of; of one over a column the row is -1.
func (x Formula) Cells(f *frameql.Frame) []session.CitedCell {
	if x.Fn == "count" || x.Column < 0 {
		return nil
	}
	cells := []session.CitedCell{{Row: x.Row, Column: f.Columns[x.Column].Name}}
	if x.Beside >= 0 {
		cells = append(cells, session.CitedCell{Row: x.Beside, Column: f.Columns[x.With].Name})
	}
	return cells
}

// value works a formula out. false: it has no value here, or none that means anything.
func (f *facts) value(x Formula) (*big.Rat, bool) {
	switch x.Fn {
	case "count":
		return new(big.Rat).SetInt64(int64(len(f.summed))), !f.cut() && len(f.summed) == len(f.members)
	case "":
		return f.number(x.Row, x.Column)
	case "sum", "mean", "share":
		return f.added(x)
	case "max", "min":
		row, ok := f.extreme(x.Column, x.Fn == "max")
		if !ok || !f.reaches(x.Column, x.Fn == "max") {
			return nil, false
		}
		return f.number(row, x.Column)
	case "rank":
		return f.ranked(x)
	}
	a, ok := f.number(x.Row, x.Column)
	b, also := f.number(x.Beside, x.With)
	if !ok || !also || !f.comparable(x) {
		return nil, false
	}
	difference := new(big.Rat).Sub(a, b)
	switch {
	case x.Fn == "diff":
		return difference, true
	case b.Sign() <= 0 || a.Sign() < 0 || f.Columns[x.Column].Format != "": // of a base that is not above zero, and of fractions, the number would mislead
		return nil, false
	case x.Fn == "pct":
		return difference.Quo(difference, b), true
	}
	return new(big.Rat).Quo(a, b), true
}

// told says whether the rows of a formula stand for members, or it is a cell of the grand total.
func (f *facts) told(x Formula) bool {
	known := func(row int) bool { return row < 0 || slices.Contains(f.members, row) }
	return known(x.Row) && known(x.Beside) || x.Fn == "" && x.Row == f.total
}

// comparable says whether two cells are of one measure: the same column, or a column and what it is compared with.
func (f *facts) comparable(x Formula) bool {
	a, b := f.Columns[x.Column], f.Columns[x.With]
	level := func(how string) bool { return how == "" || how == "previous" || how == "target" }
	same := x.Column == x.With || f.base(x.With) == x.Column || f.base(x.Column) == x.With
	return same && level(f.how(x.Column)) && level(f.how(x.With)) && a.Unit == b.Unit && a.Format == b.Format && (x.Row != x.Beside || x.Column != x.With)
}

// added is what adds rows up: it needs a measure that adds, all members, and for a share no amount below zero.
func (f *facts) added(x Formula) (*big.Rat, bool) {
	c := f.Columns[x.Column]
	adds := c.Additivity == "additive" || c.Additivity == "semi" && f.shape.Time < 0
	if !adds || c.Derived != nil || c.Format != "" || !f.whole() || len(f.summed) == 0 {
		return nil, false
	}
	sum, counted := new(big.Rat), 0
	for _, row := range f.summed {
		n, ok := f.number(row, x.Column)
		switch {
		case !ok && f.Rows[row][x.Column] != nil, ok && x.Fn == "share" && n.Sign() < 0:
			return nil, false
		case ok:
			sum.Add(sum, n)
			counted++
		}
	}
	switch {
	case counted == 0:
		return nil, false
	case x.Fn == "sum":
		return sum, true
	case x.Fn == "mean":
		return sum.Quo(sum, big.NewRat(int64(counted), 1)), counted == len(f.summed) && len(f.summed) == len(f.members)
	}
	n, ok := f.number(x.Row, x.Column)
	if !ok || sum.Sign() <= 0 || !slices.Contains(f.members, x.Row) {
		return nil, false
	}
	return sum.Quo(n, sum), true
}

// ranked is the place of a row among the members, the highest first; false: it shares it, or others may stand before it.
func (f *facts) ranked(x Formula) (*big.Rat, bool) {
	n, ok := f.number(x.Row, x.Column)
	if !ok || !f.reaches(x.Column, true) || !slices.Contains(f.members, x.Row) {
		return nil, false
	}
	place := int64(1)
	for _, row := range f.members {
		other, is := f.number(row, x.Column)
		switch {
		case !is && f.Rows[row][x.Column] != nil, is && row != x.Row && other.Cmp(n) == 0:
			return nil, false
		case is && other.Cmp(n) > 0:
			place++
		}
	}
	return big.NewRat(place, 1), true
}
