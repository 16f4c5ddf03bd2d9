//go:build cgo

package reuse_test

import (
	"strconv"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// wider gives a branch whose frame often answers b: more keys, finer cuts, more leaves, fewer and weaker conditions, a
// longer period. Every change has a chance to be a little too bold.
func (w world) wider(b compile.Branch) compile.Branch {
	b = named(b)
	if w.chance(.2) {
		b = w.renumbered(b)
	}
	finer := map[string][]string{
		"minute": {"minute"}, "hour": {"hour", "minute"}, "day": {"hour", "day", "minute"}, "week": {"day", "week", "hour"}, "month": {"day", "month", "hour", "week"},
		"quarter": {"month", "day", "quarter"}, "year": {"quarter", "month", "day", "week"}, "fiscal_quarter": {"month", "fiscal_quarter", "day", "quarter"},
		"fiscal_year": {"fiscal_quarter", "month", "day", "quarter"}, "period": {"day", "period", "week"}, "half": {"period", "day", "period", "month"},
	}
	if w.chance(.1) && len(b.Source.Nodes) < 3 { // one more join, which changes the rows unless its keys are unique
		more := *b.Source
		n := compile.Node{Entity: "promos", Table: "promos", On: []compile.Pair{{Parent: &compile.Scalar{Op: "col", Text: "promo"}, Own: &compile.Scalar{Op: "col", Node: len(more.Nodes), Text: "code"}}}}
		more.Nodes = append(append([]compile.Node(nil), more.Nodes...), n)
		b.Source = &more
	}
	onAxis := false
	for i, k := range b.Keys {
		if k.Expr.Op != "trunc" {
			continue
		}
		onAxis = true
		if w.chance(.7) {
			cut := *k.Expr
			cut.Text = pick(w, finer[cut.Text]...)
			cut.Buckets, cut.Type = nil, semantic.Date
			switch cut.Text {
			case "hour", "minute":
				cut.Type = semantic.Timestamp
				if cut.Args[0].Type == semantic.Date {
					cut.Text = "day"
					cut.Type = semantic.Date
				}
				if w.chance(.4) {
					cut.Zone, cut.From = "", ""
				} else if cut.Zone != "" && w.chance(.4) {
					cut.Zone = pick(w, "UTC", "Europe/Berlin", "Asia/Kolkata")
				}
			case "week":
				cut.Shift = pick(w, 0, cut.Shift%7)
			case "period", "half":
				cut.Buckets = buckets(cut.Text, pick(w, "2023-01-01", "2023-01-01", "2022-12-25"))
			case "fiscal_quarter", "fiscal_year":
				cut.Shift = pick(w, k.Expr.Shift, k.Expr.Shift, 1)
			default:
				cut.Shift = 0
			}
			b.Keys[i].Expr = &cut
		}
	}
	if !onAxis && w.chance(.6) {
		b.Keys = append(b.Keys, compile.BranchKey{Expr: w.cut(b.Time)})
	}
	for _, f := range b.Filters { // so that the condition may be left out
		if len(f.Args) > 0 && f.Args[0].Op == "col" && w.chance(.7) {
			b.Keys = append(b.Keys, compile.BranchKey{Expr: f.Args[0]})
		}
	}
	var leaves []compile.BranchLeaf
	for _, l := range b.Leaves {
		if l.Leaf.Distinct && w.chance(.7) {
			b.Keys = append(b.Keys, compile.BranchKey{Expr: l.Leaf.Expr})
		}
		if w.chance(.97) {
			leaves = append(leaves, l)
		}
	}
	for w.chance(.4) {
		leaves = append(leaves, compile.BranchLeaf{Leaf: w.leaf(b.Time)})
	}
	b.Leaves = leaves
	for w.chance(.3) {
		b.Keys = append(b.Keys, compile.BranchKey{Expr: w.dimension(b.Source)})
	}
	var filters []*compile.Scalar
	for _, f := range b.Filters {
		switch {
		case w.chance(.55):
		case w.chance(.5) && (f.Op == "in" || f.Op == "="):
			g := *f
			g.Op, g.Args = "in", append(append([]*compile.Scalar(nil), f.Args...), lit(f.Args[1].Op, f.Args[1].Text, f.Args[1].Type))
			if f.Args[1].Op == "num" {
				g.Args[len(g.Args)-1] = lit("num", strconv.Itoa(w.Intn(10)), semantic.Integer)
			}
			if isColumn(f.Args[0]) {
				filters = append(filters, &g)
			}
		case w.chance(.5) && f.Op == ">" && isColumn(f.Args[0]):
			filters = append(filters, is(">=", f.Args[0], lit("num", strconv.Itoa(w.Intn(8)), semantic.Integer)))
		default:
			filters = append(filters, f)
		}
	}
	b.Filters = filters
	switch {
	case w.chance(.5):
		b.From, b.To = time.Time{}, time.Time{}
	case w.chance(.7) && !b.From.IsZero() && !b.To.IsZero(): // around it, or a part of it
		b.From, b.To = b.From.AddDate(0, pick(w, -3, -1, 0, 1, 1), 0), b.To.AddDate(0, pick(w, 0, 2, -1, -1), 0)
		if !b.From.Before(b.To) {
			b.From, b.To = time.Time{}, time.Time{}
		}
	}
	return named(b)
}

func isColumn(s *compile.Scalar) bool {
	return s.Op == "col" && s.Type != semantic.Boolean && s.Type != semantic.Timestamp
}
