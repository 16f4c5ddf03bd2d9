package analyst

import (
	"strings"
	"testing"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
)

const gradeA = "declared definitions, not yet attested (A)"

// checkLocked fails for a digit that stands neither in the reading nor inside a citation, for a citation that shows no
// cell, and for citations that overlap.
func checkLocked(t *testing.T, n session.Narration, reading string, f *frameql.Frame) {
	t.Helper()
	if !strings.HasPrefix(n.Text, reading) {
		t.Fatalf("%q does not begin with the reading %q", n.Text, reading)
	}
	covered := make([]bool, len(n.Text))
	for i := range len(reading) {
		covered[i] = true
	}
	end := len(reading)
	for _, c := range n.Citations {
		if c.Start < end || c.End <= c.Start || c.End > len(n.Text) || c.Frame != f.ID {
			t.Fatalf("citation %+v of %q", c, n.Text)
		}
		end = c.End
		for i := c.Start; i < c.End; i++ {
			covered[i] = true
		}
		if c.Row == -1 && c.Column == "" {
			if got := n.Text[c.Start:c.End]; got != frameview.Grouped(int64(f.RowCount)) {
				t.Errorf("row count %q", got)
			}
			continue
		}
		column := -1
		for i := range f.Columns {
			if f.Columns[i].Name == c.Column {
				column = i
			}
		}
		if c.Row < 0 || c.Row >= len(f.Rows) || column < 0 {
			t.Fatalf("citation %+v leads nowhere", c)
		}
		got, cell := n.Text[c.Start:c.End], f.Rows[c.Row][column]
		ok := got == memberWords(cell, f.Columns[column]) || strings.Contains(got, frameview.Figure(cell, f.Columns[column])) || cell == nil
		if !ok {
			t.Errorf("%q is cited to a cell that holds %v", got, cell)
		}
	}
	for i, c := range n.Text {
		if unicode.IsDigit(c) && !covered[i] {
			t.Errorf("the digit %q at %d of %q is not locked", c, i, n.Text)
		}
	}
	if strings.ContainsAny(n.Text, "{}[") {
		t.Errorf("a placeholder is left in %q", n.Text)
	}
}

func TestNarration(t *testing.T) {
	year := timed("order_date_year", "date", "year")
	co2 := metric("top_3_emissions", "float", "t CO2")
	co2.Label = "Top 3 emissions"
	top := &frameql.Plan{Top: &frameql.TopUse{N: 2}}
	for name, c := range map[string]struct {
		plan          *frameql.Plan
		frame         *frameql.Frame
		reading, want string
	}{
		"one number": {
			nil, frame([]frameql.Column{revenue}, []any{dec("617085.2024")}), "Revenue, 1997",
			"Revenue, 1997: 617,085.20 USD; " + gradeA + ".",
		},
		"no value": {
			nil, frame([]frameql.Column{revenue}, []any{nil}), "Revenue, 2050",
			"Revenue, 2050: there is no value; " + gradeA + ".",
		},
		"two numbers": {
			nil, frame([]frameql.Column{revenue, orders}, []any{dec("10"), int64(1830)}), "Revenue and order count",
			"Revenue and order count: revenue 10.00 USD, order count 1,830; " + gradeA + ".",
		},
		"one member": {
			nil, frame([]frameql.Column{category1, revenue}, []any{"7 Up", dec("1.005")}), "Revenue by category",
			"Revenue by category: 7 Up with 1.01 USD; " + gradeA + ".",
		},
		"ranking": {
			nil, frame([]frameql.Column{category1, revenue}, []any{"Beverages", dec("3000")}, []any{"Condiments", dec("1000")}, []any{nil, dec("2000")}, []any{"None", nil}), "Revenue by category",
			"Revenue by category: Beverages is highest with 3,000.00 USD, Condiments lowest with 1,000.00 USD; " + gradeA + ".",
		},
		"all the same": {
			nil, frame([]frameql.Column{category1, orders}, []any{"a", int64(2)}, []any{"b", int64(2)}), "Orders by category",
			"Orders by category: 2 everywhere; " + gradeA + ".",
		},
		"nothing but nulls": {
			nil, frame([]frameql.Column{category1, revenue}, []any{"a", nil}, []any{"b", nil}), "Revenue by category",
			"Revenue by category: no row has a value; " + gradeA + ".",
		},
		"top": {
			top, frame([]frameql.Column{category1, revenue}, []any{"a", dec("5")}, []any{nil, dec("4")}), "Revenue by category, top 2",
			"Revenue by category, top 2: a leads with 5.00 USD, no category closes the list with 4.00 USD; " + gradeA + ".",
		},
		"series": {
			nil, frame([]frameql.Column{month, orders}, []any{"1997-03-01", int64(7)}, []any{"1997-01-01", int64(5)}, []any{"1997-02-01", int64(9)}), "Orders by month, 1997",
			"Orders by month, 1997: from 5 in January 1997 to 7 in March 1997, highest in February 1997 with 9; " + gradeA + ".",
		},
		"years": {
			nil, frame([]frameql.Column{year, orders}, []any{"1996-01-01", int64(5)}, []any{"1997-01-01", int64(9)}), "Orders by year",
			"Orders by year: from 5 in 1996 to 9 in 1997, highest in 1997 with 9; " + gradeA + ".",
		},
		"series by category": {
			nil, frame([]frameql.Column{category1, month, orders}, []any{"a", "1997-01-01", int64(5)}, []any{"b", "1997-01-01", int64(9)}), "Orders",
			"Orders: b · January 1997 is highest with 9, a · January 1997 lowest with 5; " + gradeA + ".",
		},
		"empty": {
			nil, frame([]frameql.Column{category1, revenue}), "Revenue by category, 2050",
			"Revenue by category, 2050: no rows match; " + gradeA + ".",
		},
		"listing": {
			&frameql.Plan{Listing: true}, many([]frameql.Column{category1}, 1200, func(i int) []any { return []any{"x"} }), "Categories",
			"Categories: 1,200 rows; " + gradeA + ".",
		},
		"short listing": {
			&frameql.Plan{Listing: true}, frame([]frameql.Column{dimension("id", "integer"), category1}, []any{int64(1), "Alfreds 24"}, []any{int64(2), nil}), "Customers, city Berlin",
			"Customers, city Berlin: 2 rows (Alfreds 24, no category); " + gradeA + ".",
		},
		"one row listed": {
			&frameql.Plan{Listing: true}, frame([]frameql.Column{category1}, []any{"a"}), "Categories",
			"Categories: 1 row (a); " + gradeA + ".",
		},
		"digits in names": {
			nil, frame([]frameql.Column{co2, orders}, []any{1.5, int64(1)}), "Two",
			"Two: top 3 emissions 1.5 t CO2, order count 1; " + gradeA + ".",
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan := c.plan
			if plan == nil {
				plan = &frameql.Plan{}
			}
			n := Narrate(plan, c.frame, c.reading, gradeA)
			if n.Text != c.want {
				t.Errorf("\n got %q\nwant %q", n.Text, c.want)
			}
			if n.By != "template" || n.Citations == nil {
				t.Errorf("by %q, citations %v", n.By, n.Citations)
			}
			checkLocked(t, n, c.reading, c.frame)
		})
	}
}

func TestNarrationOfACutFrameClaimsNoExtremes(t *testing.T) {
	f := oneCategory(3)
	f.Truncated = &frameql.Truncated{Cap: 3, TotalRows: 5000}
	n := Narrate(&frameql.Plan{}, f, "Revenue by category", gradeA)
	if want := "Revenue by category: the first 3 rows of a longer result; " + gradeA + "."; n.Text != want {
		t.Errorf("%q", n.Text)
	}
	checkLocked(t, n, "Revenue by category", f)
}

func TestGradeClause(t *testing.T) {
	for level, want := range map[string]string{"A": gradeA, "AA": "attested definitions, not yet reproduced (AA)", "AAA": "", "none": "unverified"} {
		if got := gradeClause(&Verification{Level: level}); got != want {
			t.Errorf("%s: %q", level, got)
		}
	}
	inferred := &Verification{Level: "A", Checks: []Check{{Code: "DECLARED", Status: "finding"}}}
	if got := gradeClause(inferred); got != "definitions inferred from the data, not yet reviewed (A)" {
		t.Errorf("inferred: %q", got)
	}
	if n := Narrate(&frameql.Plan{}, frame([]frameql.Column{revenue}, []any{dec("1")}), "Revenue", ""); n.Text != "Revenue: 1.00 USD." {
		t.Errorf("AAA: %q", n.Text)
	}
}
