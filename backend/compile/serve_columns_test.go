//go:build cgo

package compile_test

import (
	"slices"
	"strings"
	"testing"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// TestColumnsOfServedScans: of each kind of column, whether what it is made of was read from frames, from base data, from
// both, or from nothing at all.
func TestColumnsOfServedScans(t *testing.T) {
	whole := func(Branch) string { return "frame" }
	facts := func(served ...string) func(Branch) string {
		return func(b Branch) string {
			if slices.Contains(served, b.Source.Nodes[0].Entity) {
				return "frame"
			}
			return ""
		}
	}
	of2024 := func(b Branch) string { // the present period alone
		if b.From.Year() == 2024 {
			return "frame"
		}
		return ""
	}
	year24 := func(b built) built { return b.during(date(2024, 1, 1), date(2025, 1, 1)) }
	before := Context{From: date(2023, 1, 1), To: date(2024, 1, 1), Shift: 12, Unit: "month"}
	flags := func(q *Query) {
		q.Outputs = append(q.Outputs, Output{Name: "is_other", Flag: "other"}, Output{Name: "is_total", Flag: "total"})
	}
	top := func(q *Query) {
		q.Top = &Top{N: 1, Members: []int{segment}, By: leaf(revenue), Other: true}
		flags(q)
	}
	both := q([]int{segment}, "revenue", leaf(revenue), "tickets", leaf(ticketCount), "each", op("/", leaf(revenue), leaf(ticketCount)))
	for _, c := range []struct {
		name  string
		b     built
		serve func(Branch) string
		want  string
	}{
		{"one scan", q([]int{segment, month}, "revenue", leaf(revenue), "average", leaf(averageAmount)), whole, "segment frame, month frame, revenue frame, average frame"},
		{"no frame", q([]int{segment}, "revenue", leaf(revenue)), facts(), "segment base, revenue base"},
		{"two facts", both, whole, "segment frame, revenue frame, tickets frame, each frame"},
		{"one of two facts", both, facts("orders"), "segment both, revenue frame, tickets base, each both"},
		{
			"comparison", year24(q([]int{month}, "revenue", leaf(revenue), "past", at(revenue, 1), "change", op("-", leaf(revenue), at(revenue, 1)), "past_alone", op("*", at(revenue, 1), num("2")))).context(before), of2024,
			"month both, revenue frame, past base, change both, past_alone base",
		},
		{"a part of the period", year24(q([]int{segment}, "revenue", leaf(revenue))), func(Branch) string { return "part" }, "segment both, revenue both"},
		{"a distinct count beside a sum", q([]int{segment}, "revenue", leaf(revenue), "buyers", leaf(buyers)), func(b Branch) string {
			if b.Reducible {
				return "frame"
			}
			return ""
		}, "segment both, revenue frame, buyers base"},
		{"share of what base data gives", q([]int{segment}, "revenue", leaf(revenue), "share", op("/", leaf(revenue), coarser(leaf(ticketCount)))), facts("orders"), "segment frame, revenue frame, share both"},
		{"rest of TOP", q([]int{segment}, "revenue", leaf(revenue)).with(top), whole, "segment frame, revenue both, is_other none, is_total none"},
		{"ranked by base data", q([]int{segment}, "revenue", leaf(revenue)).with(func(q *Query) {
			q.Top = &Top{N: 1, Members: []int{segment}, By: leaf(ticketCount)}
		}), facts("orders"), "segment both, revenue frame"},
		{"filtered by base data", q([]int{segment}, "revenue", leaf(revenue)).with(func(q *Query) { q.Having = op(">", leaf(ticketCount), num("0")) }), facts("orders"), "segment both, revenue frame"},
		{"totals", q([]int{segment}, "revenue", leaf(revenue), "buyers", leaf(buyers)).with(flags).with(func(q *Query) { q.Totals = [][]int{nil} }), func(b Branch) string {
			if len(b.Keys) > 0 {
				return "frame"
			}
			return ""
		}, "segment frame, revenue both, buyers both, is_other none, is_total none"},
		{"filled", q([]int{month}, "revenue", leaf(revenue)).with(func(q *Query) { q.Fill = &Fill{Axis: month, Mode: "zero"} }), whole, "month frame, revenue frame"},
		{"cumulative and moving", year24(q([]int{month}, "sum", over("cumulative", leaf(revenue), 0, ""), "mean", over("moving", leaf(orderCount), 2, "month"))), facts("tickets"), "month base, sum base, mean base"},
		{"a constant", q([]int{segment}, "revenue", leaf(revenue), "one", num("1")), whole, "segment frame, revenue frame, one none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Compile(c.b.Query, Options{Serve: func(b Branch) (*Served, string) { return served(b, c.serve(b)), "as told" }})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range c.b.Outputs {
				base, frame := false, false
				for _, u := range p.Cache {
					if slices.Contains(u.Columns, o.Name) {
						base, frame = base || u.Frame == "" || u.Part, frame || u.Frame != ""
					}
				}
				got = append(got, o.Name+" "+map[[2]bool]string{{true, false}: "base", {false, true}: "frame", {true, true}: "both"}[[2]bool{base, frame}])
				if !base && !frame {
					got[len(got)-1] += "none"
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got  %s\nwant %s\n%+v\n%s", s, c.want, p.Cache, p.SQL)
			}
		})
	}
}

// served is a frame that has the keys and leaves of a branch under their names.
func served(b Branch, how string) *Served {
	if how == "" {
		return nil
	}
	s := &Served{Table: "frames.f_1", Frame: "f_1", Rows: 7, Made: date(2026, 1, 2)}
	for _, k := range b.Keys {
		s.Keys = append(s.Keys, col(0, k.Name, semantic.Text))
	}
	for _, l := range b.Leaves {
		s.Leaves = append(s.Leaves, l.Name)
		s.Reduce = append(s.Reduce, ReduceValue)
	}
	if how == "part" {
		s.Missing = []Range{{From: date(2024, 11, 1)}}
	}
	return s
}
