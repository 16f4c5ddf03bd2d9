package analyst

import (
	"encoding/json"
	"slices"
	"testing"

	"assay/backend/frameql"
	"assay/backend/session"
)

func TestACitedFormulaLeadsToItsCells(t *testing.T) {
	f := frame(
		[]frameql.Column{category1, revenue, isTotal},
		[]any{"a", dec("3"), false}, []any{"b", dec("1"), false}, []any{nil, dec("4"), true},
	)
	pair := session.Citation{Row: 1, Column: "revenue", Formula: "diff(r1.revenue,r0.revenue)", Cells: []session.CitedCell{{Row: 1, Column: "revenue"}, {Row: 0, Column: "revenue"}}}
	sum := session.Citation{Row: -1, Column: "revenue", Formula: "sum(revenue)", Cells: []session.CitedCell{{Row: -1, Column: "revenue"}}}
	for name, c := range map[string]struct {
		cited session.Citation
		ok    bool
	}{
		"a cell":             {session.Citation{Row: 1, Column: "revenue"}, true},
		"the rows":           {session.Citation{Row: -1}, true},
		"no such row":        {session.Citation{Row: 3, Column: "revenue"}, false},
		"a column alone":     {session.Citation{Row: -1, Column: "revenue"}, false},
		"cells alone":        {session.Citation{Row: 1, Column: "revenue", Cells: pair.Cells}, false},
		"two cells":          {pair, true},
		"a column":           {sum, true},
		"other cells":        {with(pair, func(c *session.Citation) { c.Cells[1].Row = 1 }), false},
		"one cell too few":   {with(pair, func(c *session.Citation) { c.Cells = c.Cells[:1] }), false},
		"another first cell": {with(pair, func(c *session.Citation) { c.Row = 0 }), false},
		"a row that is none": {with(pair, func(c *session.Citation) { c.Formula, c.Cells[1].Row = "diff(r1.revenue,r9.revenue)", 9 }), false},
		"no formula":         {with(sum, func(c *session.Citation) { c.Formula = "1+1" }), false},
		"no function":        {with(sum, func(c *session.Citation) { c.Formula = "evil(revenue)" }), false},
		"no number": {with(sum, func(c *session.Citation) {
			c.Formula, c.Column, c.Cells[0].Column = "sum(category)", "category", "category"
		}), false},
		"a row below nothing": {with(pair, func(c *session.Citation) { c.Row, c.Cells[0].Row = -2, -2 }), false},
	} {
		if got := checkCited(c.cited, f, Arrival{}); got != c.ok {
			t.Errorf("%s: %v", name, got)
		}
		if c.ok && !checkCited(c.cited, f, Arrival{Masked: true}) {
			t.Errorf("%s: not when texts are masked", name)
		}
	}
}

func with(c session.Citation, change func(*session.Citation)) session.Citation {
	c.Cells = slices.Clone(c.Cells)
	change(&c)
	return c
}

func TestACitationOfACellIsWrittenAsBefore(t *testing.T) {
	raw, err := json.Marshal(session.Citation{Start: 1, End: 2, Frame: "f", Row: 3, Column: "c"})
	if want := `{"start":1,"end":2,"frame":"f","row":3,"column":"c"}`; err != nil || string(raw) != want {
		t.Errorf("%s, want %s", raw, want)
	}
}
