package analyst

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// sight is what a model gets to see of a frame.
type sight struct {
	Data    map[string]any
	Rows    int      // of data
	Columns []string // whose values are in it
	Masked  int      // personal values that were replaced
}

// seenColumn describes a column to a model.
type seenColumn struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Is      string `json:"is"` // member | time | number
	Grain   string `json:"grain,omitempty"`
	Unit    string `json:"unit,omitempty"`
	Percent bool   `json:"percent,omitempty"` // a fraction that is printed in hundredths
	Adds    bool   `json:"adds,omitempty"`
	Of      string `json:"of,omitempty"`  // the column that it is made of
	How     string `json:"how,omitempty"` // previous target change change_pct share ...
}

// seen gives the first rows of a frame as data for a model: columns with their kinds, rows with their names, cells as they are. Values of personal
// columns are left out, and what mask finds in other texts; a text is shortened. Flags do not show, but for the row of the total.
func seen(f *frameql.Frame, plan *frameql.Plan, most int, mask func(string) (string, int)) sight {
	s := sight{Columns: []string{}}
	var columns []seenColumn
	var shown []int
	for i, c := range f.Columns {
		if c.Role == frameql.RoleFlag {
			continue
		}
		is := "member"
		switch {
		case frameview.OnCalendar(c):
			is = "time"
		case c.Role != frameql.RoleDimension:
			is = "number"
		}
		k := seenColumn{
			Name: c.Name, Label: frameview.Label(c), Is: is, Grain: c.Grain, Unit: c.Unit, Percent: c.Format == frameview.Percent,
			Adds: is == "number" && c.Additivity == "additive" && c.Derived == nil,
		}
		if c.Derived != nil {
			k.Of, k.How = c.Derived.Of, c.Derived.How
		}
		columns, shown, s.Columns = append(columns, k), append(shown, i), append(s.Columns, c.Name)
	}
	rest, members := frameview.Flag(f, "is_other"), frameview.Members(f)
	cells := func(row int) []any {
		out := make([]any, len(shown))
		for k, i := range shown {
			var hidden int
			out[k], hidden = seenCell(f.Rows[row][i], f.Columns[i], mask)
			s.Masked += hidden
		}
		s.Rows++
		return out
	}
	var order []map[string]any
	for row := range members.Rows {
		if len(order) == most {
			break
		}
		if rest >= 0 && f.Rows[row][rest] == true {
			continue
		}
		order = append(order, map[string]any{"row": "r" + strconv.Itoa(row), "cells": cells(row)})
	}
	s.Data = map[string]any{"columns": columns, "rows": order, "rows_in_all": len(members.Rows), "shows": showsOf(f, plan, rest >= 0)}
	if total := grandTotal(f); total >= 0 {
		s.Data["total"] = cells(total)
	}
	return s
}

// showsOf says which rows a frame has.
func showsOf(f *frameql.Frame, plan *frameql.Plan, rest bool) string {
	switch {
	case f.Truncated != nil:
		return "the first rows of a longer result: rows are missing"
	case plan.Limit != nil || plan.Offset != 0:
		return "a part of the result: rows are missing"
	case plan.Top != nil && plan.Top.Per == "" && plan.Top.Asc:
		return "the lowest members: higher ones are missing"
	case plan.Top != nil && plan.Top.Per == "" && !rest:
		return "the highest members: lower ones are missing"
	case plan.Top != nil:
		return "chosen members: others are missing"
	}
	return "all rows"
}

// seenCell is a cell as a model may see it, and how many personal values were taken out of it.
func seenCell(cell any, c frameql.Column, mask func(string) (string, int)) (any, int) {
	if cell == nil {
		return nil, 0
	}
	if c.Personal {
		return text.Say("analyst.personal_cell"), 1
	}
	s, is := cell.(string)
	if !is || c.Role != frameql.RoleDimension {
		return cell, 0
	}
	s, hidden := masking(mask, s)
	return shortened(s, narrationCell), hidden
}

func masking(mask func(string) (string, int), s string) (string, int) {
	if mask == nil {
		return s, 0
	}
	return mask(s)
}

// shortened is at most so many runes of a text, on one line and without what is not seen.
func shortened(s string, most int) string {
	var out strings.Builder
	n := 0
	for _, r := range s {
		if n == most {
			out.WriteString("…")
			break
		}
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			continue
		}
		out.WriteRune(r)
		n++
	}
	return out.String()
}
