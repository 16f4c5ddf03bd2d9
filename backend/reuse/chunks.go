package reuse

import (
	"slices"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// Chunks takes a storable branch apart by time, into at most n parts and one for rows without a time, whose groups have
// nothing in common, so that it can be computed part by part. first and last bound the times of the data. One part, the
// branch itself, when no key keeps the parts apart.
func Chunks(b compile.Branch, first, last time.Time, n int) []compile.Branch {
	whole := []compile.Branch{b}
	if b.Time == nil || first.IsZero() || !b.From.IsZero() || !b.To.IsZero() || n < 2 {
		return whole
	}
	s := shapeOf(&b)
	apart := false
	for i, k := range b.Keys {
		byMonth := k.Expr.Text == "hour" || k.Expr.Text == "day" || k.Expr.Text == "month" // begins no later than a month does
		apart = apart || s.cuts[i] == s.time && byMonth && k.Expr.Zone == "" && len(k.Expr.Buckets) == 0
	}
	picks := slices.ContainsFunc(b.Leaves, func(l compile.BranchLeaf) bool { return l.Leaf.Pick != nil })
	months := (last.Year()-first.Year())*12 + int(last.Month()-first.Month()) + 1
	if !apart || picks || months <= 1 {
		return whole
	}
	step := min((months+n-1)/n, months-1)
	at := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	var parts []compile.Branch
	for !at.After(last) { // twice at least
		part := b
		part.From, part.To = at, at.AddDate(0, step, 0)
		parts = append(parts, part)
		at = part.To
	}
	parts[0].From, parts[len(parts)-1].To = time.Time{}, time.Time{} // whatever lies beyond
	rest := b
	rest.Filters = append(slices.Clone(b.Filters), &compile.Scalar{Op: "is_null", Args: []*compile.Scalar{b.Time}, Type: semantic.Boolean})
	return append(parts, rest)
}
