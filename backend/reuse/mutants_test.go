//go:build cgo

package reuse_test

import (
	"os"
	"testing"

	"assay/backend/compile"
	"assay/backend/reuse"
)

// TestEveryClauseIsNeeded leaves out one clause at a time: then some frame gives a wrong answer. Definitions and policies
// have no numbers of their own to be wrong; TestRefusals looks at them.
func TestEveryClauseIsNeeded(t *testing.T) {
	for name, bit := range reuse.Clauses {
		if name == "model" || name == "policy" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sum := try(t, 7, 12000, 1, bit)
			if sum.wrong == 0 {
				t.Errorf("without the clause nothing is wrong: %v", sum)
			}
			if os.Getenv("ASSAY_CASES") != "" {
				t.Logf("%d wrong of %d after %d pairs", sum.wrong, sum.eligible, sum.pairs)
			}
		})
	}
}

// TestRefusals takes a frame that answers a branch and spoils one thing at a time: the answer is a refusal with its code,
// and without that clause the frame would be served.
func TestRefusals(t *testing.T) {
	region, city := fact("region"), fact("city")
	by := func(unit string, shift int, zone string) *compile.Scalar {
		cut := &compile.Scalar{Op: "trunc", Text: unit, Shift: shift, Zone: zone, Args: []*compile.Scalar{fact("ts")}, Type: "date"}
		if unit == "hour" {
			cut.Type = "timestamp"
		}
		return cut
	}
	period := func(b *compile.Branch, from, to string) { b.From, b.To = date(from), date(to) }
	sum := compile.Leaf{Reducer: "sum", Expr: fact("qty")}
	frame := func() reuse.Frame {
		return reuse.Frame{
			ID: "f_1", Table: "frames.f_1", Model: "m1", Policy: "all", Exact: true, Rows: 100, BaseRows: 10000,
			Epochs: map[string]string{"f": "e1"}, First: date("2023-01-01"), Watermark: date("2024-12-31"),
			Branch: compile.Branch{
				Source: &compile.Source{Nodes: []compile.Node{{Table: "f", Parent: -1}}}, Tables: []string{"f"}, Time: fact("ts"),
				Keys:   []compile.BranchKey{{Expr: by("day", 0, ""), Name: "k1"}, {Expr: region, Name: "k2"}},
				Leaves: []compile.BranchLeaf{{Leaf: sum, Name: "l1"}},
			},
		}
	}
	branch := func() compile.Branch {
		b := frame().Branch
		b.Keys = []compile.BranchKey{{Expr: by("month", 0, ""), Name: "month"}}
		b.Leaves = []compile.BranchLeaf{{Leaf: sum, Name: "revenue"}}
		b.Filters = []*compile.Scalar{is("=", region, lit("str", "West", "text"))}
		period(&b, "2023-02-01", "2023-03-01")
		return b
	}
	now := reuse.Facts{Model: "m1", Policy: "all", Epochs: map[string]string{"f": "e1"}}

	for _, c := range []struct {
		name, clause string // clause: what would let it pass; empty: nothing
		code         reuse.Code
		spoil        func(f *reuse.Frame, b *compile.Branch, now *reuse.Facts)
	}{
		{"nothing", "", reuse.ServedWhole, func(*reuse.Frame, *compile.Branch, *reuse.Facts) {}},
		{"other fact", "", reuse.NoFrames, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) {
			f.Branch.Source = &compile.Source{Nodes: []compile.Node{{Table: "g", Parent: -1}}}
		}},
		{"other definitions", "model", reuse.ModelChanged, func(_ *reuse.Frame, _ *compile.Branch, now *reuse.Facts) { now.Model = "m2" }},
		{"sampled", "model", reuse.ModelChanged, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) { f.Exact = false }},
		{"imported again", "epoch", reuse.DataChanged, func(_ *reuse.Frame, _ *compile.Branch, now *reuse.Facts) { now.Epochs = map[string]string{"f": "e2"} }},
		{"epoch not known", "epoch", reuse.DataChanged, func(_ *reuse.Frame, _ *compile.Branch, now *reuse.Facts) { now.Epochs = nil }},
		{"an author's SELECT, and another table changed", "epoch", reuse.DataChanged, func(f *reuse.Frame, b *compile.Branch, now *reuse.Facts) {
			b.Tables = []string{"SELECT * FROM f"}
			f.Branch.Tables = b.Tables
			now.Epochs = map[string]string{"f": "e1", "g": "e1"}
		}},
		{"an author's SELECT, and nothing changed", "", reuse.ServedWhole, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			b.Tables = []string{"SELECT * FROM f"}
			f.Branch.Tables = b.Tables
		}},
		{"a table that a condition tests against was imported again", "epoch", reuse.DataChanged, func(f *reuse.Frame, b *compile.Branch, now *reuse.Facts) {
			has := &compile.Scalar{Op: "exists", Sub: &compile.Sub{Nodes: []compile.Node{{Table: "g", Parent: -1}}, On: []compile.Pair{{Parent: fact("id"), Own: fact("id")}}}}
			f.Branch.Filters, b.Filters = []*compile.Scalar{has}, append(b.Filters, has)
			f.Epochs = map[string]string{"f": "e1", "g": "e1"}
			now.Epochs = map[string]string{"f": "e1", "g": "e2"}
		}},
		{"other reader", "policy", reuse.OtherPolicy, func(_ *reuse.Frame, _ *compile.Branch, now *reuse.Facts) { now.Policy = "west only" }},
		{"a join that may multiply", "joins", reuse.OtherJoins, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) {
			f.Branch.Source = &compile.Source{Nodes: append(f.Branch.Source.Nodes, compile.Node{Table: "promos", On: []compile.Pair{{Parent: fact("promo"), Own: &compile.Scalar{Op: "col", Node: 1, Text: "code"}}}})}
		}},
		{"other leaf", "leaf", reuse.LeafMissing, func(_ *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			b.Leaves[0].Leaf = compile.Leaf{Reducer: "sum", Expr: fact("amount")}
		}},
		{"median", "reduce", reuse.NotReducible, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			m := compile.Leaf{Reducer: "median", Expr: fact("qty")}
			f.Branch.Leaves[0].Leaf, b.Leaves[0].Leaf = m, m
		}},
		{"distinct count without the counted", "distinct", reuse.DistinctLost, func(_ *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			b.Leaves[0].Leaf = compile.Leaf{Reducer: "count", Distinct: true, Expr: fact("cust")}
		}},
		{"dimension", "dimension", reuse.DimensionMissing, func(_ *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			b.Keys = append(b.Keys, compile.BranchKey{Expr: city, Name: "city"})
		}},
		{"week serves month", "grain", reuse.GrainNotDerivable, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr = by("week", 0, "")
			period(b, "2023-01-30", "2023-03-06")
		}},
		{"month serves day", "", reuse.GrainNotDerivable, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr, b.Keys[0].Expr = by("month", 0, ""), by("day", 0, "")
		}},
		{"week that begins on Sunday", "calendar", reuse.OtherWeek, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr, b.Keys[0].Expr = by("week", 0, ""), by("week", 1, "")
			period(b, "2023-01-30", "2023-03-06")
		}},
		{"other fiscal year", "calendar", reuse.OtherCalendar, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr, b.Keys[0].Expr = by("fiscal_quarter", 1, ""), by("fiscal_year", 4, "")
			period(b, "2023-02-01", "2023-05-01")
		}},
		{"day of another zone", "zone", reuse.OtherZone, func(_ *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			b.Keys[0].Expr = by("month", 0, "Europe/Berlin")
		}},
		{"hour for a zone of half hours", "zone", reuse.OtherZone, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr, b.Keys[0].Expr = by("hour", 0, ""), by("day", 0, "Asia/Kolkata")
		}},
		{"hour for a zone of whole hours", "", reuse.ServedWhole, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr, b.Keys[0].Expr = by("hour", 0, ""), by("day", 0, "Europe/Berlin")
		}},
		{"within a bucket", "aligned", reuse.NotAligned, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr = by("month", 0, "")
			period(b, "2023-02-01", "2023-02-15")
		}},
		{"within a bucket, behind all data", "", reuse.ServedWhole, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			f.Branch.Keys[0].Expr = by("month", 0, "")
			period(b, "2023-02-01", "2025-02-15")
		}},
		{"no period, and the frame has one", "covered", reuse.NotCovered, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			period(&f.Branch, "2023-01-01", "2024-01-01")
			period(b, "0001-01-01", "0001-01-01")
		}},
		{"no moment in common", "covered", reuse.NotCovered, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) { period(&f.Branch, "2024-01-01", "2024-06-01") }},
		{"half of the period", "", reuse.ServedInPart, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			period(&f.Branch, "2023-01-01", "2024-02-01")
			period(b, "2023-11-01", "2024-03-01")
		}},
		{"half of the period, and a distinct count", "", reuse.NotForUnion, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			period(&f.Branch, "2023-01-01", "2024-02-01")
			period(b, "2023-11-01", "2024-03-01")
			b.Leaves[0].Leaf = compile.Leaf{Reducer: "count", Distinct: true, Expr: region}
		}},
		{"most of the data from the base", "", reuse.TooLarge, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			period(&f.Branch, "2023-01-01", "2023-02-01")
			period(b, "2023-01-01", "2025-01-01")
		}},
		{"other time", "", reuse.OtherTime, func(f *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			period(&f.Branch, "2023-01-01", "2024-01-01")
			b.Time = fact("dt")
		}},
		{"filter of the frame", "implied", reuse.FilterNotImplied, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) {
			f.Branch.Filters = []*compile.Scalar{is("=", city, lit("str", "Oslo", "text"))}
		}},
		{"filter that is implied", "", reuse.ServedWhole, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) {
			f.Branch.Filters = []*compile.Scalar{is("in", region, lit("str", "West", "text"), lit("str", "East", "text"))}
		}},
		{"filter by what is not kept", "residual", reuse.FilterLost, func(_ *reuse.Frame, b *compile.Branch, _ *reuse.Facts) {
			b.Filters = append(b.Filters, is("=", city, lit("str", "Oslo", "text")))
		}},
		{"as large as the base", "", reuse.TooLarge, func(f *reuse.Frame, _ *compile.Branch, _ *reuse.Facts) { f.Rows = 3001 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, b, n := frame(), branch(), now
			c.spoil(&f, &b, &n)
			served, reason := reuse.NewIndex(f).Match(b, n)
			if reason.Code != c.code || (served != nil) != (c.code == reuse.ServedWhole || c.code == reuse.ServedInPart) {
				t.Errorf("got %s (%s), served %v, want %s", reason.Code, reason, served != nil, c.code)
			}
			if s := reason.String(); s == "" || s[0] == '[' {
				t.Errorf("the reason is %q", s)
			}
			if c.clause != "" {
				if served, reason := reuse.NewIndex(f).MatchWithout(b, n, reuse.Clauses[c.clause]); served == nil {
					t.Errorf("without the clause it is refused as well: %s", reason.Code)
				}
			}
		})
	}
}
