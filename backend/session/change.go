package session

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

// FrameChange says how far a frame lies from one of before. Rows are the same when they agree in their keys: the dimensions, or, where a frame has
// none, all columns that are no numbers; where these do not tell rows apart, a row is known by its place.
type FrameChange struct {
	Same       bool        `json:"same"`
	RowsBefore int         `json:"rows_before"`
	RowsNow    int         `json:"rows_now"`
	Added      int         `json:"added" doc:"Rows that only the new frame has"`
	Removed    int         `json:"removed" doc:"Rows that only the old frame has"`
	Cells      int         `json:"cells" doc:"Cells that differ, of rows that both have"`
	Columns    bool        `json:"columns" doc:"The columns are others: the cells are not compared"`
	Order      bool        `json:"order" doc:"The same rows in another order"`
	Largest    *CellChange `json:"largest" doc:"The number that moved furthest for its size; null: none did"`
}

// CellChange is one number before and now.
type CellChange struct {
	Row      string   `json:"row" doc:"Its keys, for a person; empty: the frame has one row"`
	Column   string   `json:"column" doc:"Output name"`
	Before   any      `json:"before"`
	Now      any      `json:"now"`
	Relative *float64 `json:"relative" doc:"now minus before, as a fraction of the absolute before: 0.25 is 25 percent; null: before is zero, or one of them is missing"`
}

// ChangeOf compares two frames: whole numbers and decimals exactly, doubles to 12 significant digits, everything else as it stands.
func ChangeOf(before, now *frameql.Frame) FrameChange {
	c := FrameChange{RowsBefore: len(before.Rows), RowsNow: len(now.Rows)}
	if !slices.EqualFunc(before.Columns, now.Columns, func(a, b frameql.Column) bool { return a.Name == b.Name }) {
		c.Columns = true
		return c
	}
	keys := keyColumns(now)
	olds, told := rowsByKey(before, keys)
	news, tell := rowsByKey(now, keys)
	if !told || !tell {
		keys = nil
		olds, news = rowsByPlace(before), rowsByPlace(now)
	}
	for key, at := range news {
		was, known := olds[key]
		if !known {
			c.Added++
			continue
		}
		c.Order = c.Order || was != at
		c.compareRow(now.Columns, before.Rows[was], now.Rows[at], keys)
	}
	for key := range olds {
		if _, still := news[key]; !still {
			c.Removed++
		}
	}
	if c.Added+c.Removed > 0 { // places moved for that
		c.Order = false
	}
	c.Same = c.Added+c.Removed+c.Cells == 0 && !c.Order
	return c
}

// keyColumns are the positions of the columns that tell rows apart.
func keyColumns(f *frameql.Frame) []int {
	keys := frameview.ShapeOf(f).Members
	if len(keys) == 0 {
		for i, c := range f.Columns {
			if !frameview.Numeric(c) {
				keys = append(keys, i)
			}
		}
	}
	return keys
}

// rowsByKey finds rows by their keys; false: two rows have the same ones, or there are none.
func rowsByKey(f *frameql.Frame, keys []int) (map[string]int, bool) {
	rows := make(map[string]int, len(f.Rows))
	if len(keys) == 0 && len(f.Rows) > 1 {
		return nil, false
	}
	for at, row := range f.Rows {
		var b strings.Builder
		for _, i := range keys {
			s, kind := cellText(row[i], false)
			b.WriteByte(kind)
			b.WriteString(strconv.Itoa(len(s)))
			b.WriteByte(':')
			b.WriteString(s)
		}
		if _, twice := rows[b.String()]; twice {
			return nil, false
		}
		rows[b.String()] = at
	}
	return rows, true
}

func rowsByPlace(f *frameql.Frame) map[string]int {
	rows := make(map[string]int, len(f.Rows))
	for at := range f.Rows {
		rows[strconv.Itoa(at)] = at
	}
	return rows
}

// compareRow counts the cells of a row that differ and keeps the number that moved furthest.
func (c *FrameChange) compareRow(columns []frameql.Column, before, now []any, keys []int) {
	for i, column := range columns {
		if sameCell(column, before[i], now[i]) {
			continue
		}
		c.Cells++
		if !frameview.Numeric(column) {
			continue
		}
		moved := CellChange{Row: rowName(now, keys), Column: column.Name, Before: before[i], Now: now[i], Relative: relative(before[i], now[i])}
		if c.Largest == nil || further(moved, *c.Largest) {
			c.Largest = &moved
		}
	}
}

// further says whether a number moved further than another one: what has no size to compare with has moved furthest. Names decide between equals, so that the
// same two frames always give the same one.
func further(a, b CellChange) bool {
	switch {
	case (a.Relative == nil) != (b.Relative == nil):
		return a.Relative == nil
	case a.Relative != nil && abs(*a.Relative) != abs(*b.Relative):
		return abs(*a.Relative) > abs(*b.Relative)
	case a.Row != b.Row:
		return a.Row < b.Row
	}
	return a.Column < b.Column
}

func abs(x float64) float64 { return max(x, -x) }

func rowName(row []any, keys []int) string {
	var parts []string
	for _, i := range keys {
		s, _ := cellText(row[i], false)
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// sameCell compares two cells of a column.
func sameCell(c frameql.Column, a, b any) bool {
	x, aKind := cellText(a, c.Type == "float")
	y, bKind := cellText(b, c.Type == "float")
	if x == y && aKind == bKind {
		return true
	}
	p, isNumber := frameview.Number(a)
	q, alsoNumber := frameview.Number(b)
	if !frameview.Numeric(c) || !isNumber || !alsoNumber {
		return false
	}
	if p.Cmp(q) == 0 { // 1.50 and 1.5
		return true
	}
	return c.Type == "float" && near(p, q)
}

// near says whether two doubles agree to 12 significant digits, also where they lie on both sides of a rounding.
func near(p, q *big.Rat) bool {
	x, _ := p.Float64()
	y, _ := q.Float64()
	return abs(x-y) <= 1e-12*max(abs(x), abs(y))
}

// relative is how far a number moved, for its size; nil: it cannot be said.
func relative(before, now any) *float64 {
	p, had := frameview.Number(before)
	q, has := frameview.Number(now)
	if !had || !has || p.Sign() == 0 {
		return nil
	}
	moved := new(big.Rat).Sub(q, p)
	x, _ := moved.Quo(moved, new(big.Rat).Abs(p)).Float64()
	return &x
}

// SideBySide is the comparison of two frames of one query, of before and of now; nil when they have no number in common.
func SideBySide(before, now ComparedFrame) *Comparison {
	c := Comparison{Base: before, Current: now, Keys: []string{}, Measures: []ComparedMeasure{}}
	for _, i := range keyColumns(&now.Frame) {
		name := now.Frame.Columns[i].Name
		if slices.ContainsFunc(before.Frame.Columns, func(b frameql.Column) bool { return b.Name == name }) {
			c.Keys = append(c.Keys, name)
		}
	}
	for i, column := range now.Frame.Columns {
		both := slices.ContainsFunc(before.Frame.Columns, func(b frameql.Column) bool { return b.Name == column.Name && frameview.Numeric(b) })
		if both && frameview.Numeric(column) && !slices.Contains(keyColumns(&now.Frame), i) {
			c.Measures = append(c.Measures, ComparedMeasure{Base: column.Name, Current: column.Name, Better: "none"})
		}
	}
	if len(c.Measures) == 0 {
		return nil
	}
	return &c
}
