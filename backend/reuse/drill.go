package reuse

import (
	"time"

	"assay/backend/compile"
)

// step is the next finer grain in which a grain nests.
var step = map[string]string{"year": "month", "fiscal_year": "month", "quarter": "month", "fiscal_quarter": "month", "month": "day", "week": "day"}

// Finer gives the branches that are worth keeping after a branch was asked, the most useful first: one step finer in time,
// with the filtered columns and the counted values among its keys and without its period, so that it answers the next
// question (another period, another filter, a closer look) as well; then the same with the filters as they are; then the
// branch itself. All are storable.
func Finer(b compile.Branch) []compile.Branch {
	var all []compile.Branch
	seen := map[string]bool{}
	add := func(candidate compile.Branch, ok bool) {
		if s, storable := Storable(candidate); ok && storable && !seen[Identity(s)] {
			seen[Identity(s)] = true
			all = append(all, s)
		}
	}
	add(widened(b, true))
	add(widened(b, false))
	add(b, true)
	return all
}

// widened drops the period, cuts time one step finer, and keeps only leaves that can be reduced again. With filters, a
// condition on one plain column becomes a key. False: nothing is left to keep, or the branch has a period that its keys
// could not draw again.
func widened(b compile.Branch, filters bool) (compile.Branch, bool) {
	nodes := paths(b.Source.Nodes)
	out := b
	out.Keys, out.Leaves, out.Filters = nil, nil, nil
	out.From, out.To = time.Time{}, time.Time{}
	over := ""
	if b.Time != nil {
		over = signature(b.Time, nodes)
	}
	onAxis := false
	for _, k := range b.Keys {
		if k.Expr != nil && k.Expr.Op == "trunc" && len(k.Expr.Args) == 1 {
			if finer, ok := step[k.Expr.Text]; ok && len(k.Expr.Buckets) == 0 {
				cut := *k.Expr
				cut.Text, cut.Shift = finer, 0
				k.Expr = &cut
			}
			onAxis = onAxis || signature(k.Expr.Args[0], nodes) == over
		}
		out.Keys = append(out.Keys, k)
	}
	bounded := !b.From.IsZero() || !b.To.IsZero()
	if bounded && !onAxis {
		out.Keys = append(out.Keys, compile.BranchKey{Expr: dayOf(b.Time)})
	}
	for _, l := range b.Leaves {
		switch {
		case l.Leaf.Pick != nil, l.Leaf.Map.Kind != "":
			return b, false
		case reduced(&l.Leaf) != "":
			out.Leaves = append(out.Leaves, l)
		case l.Leaf.Distinct && l.Leaf.Filter == nil && l.Leaf.Expr != nil:
			out.Keys = append(out.Keys, compile.BranchKey{Expr: l.Leaf.Expr})
		default:
			return b, false
		}
	}
	for _, f := range b.Filters {
		if column := filteredColumn(f); filters && column != nil {
			out.Keys = append(out.Keys, compile.BranchKey{Expr: column})
		} else {
			out.Filters = append(out.Filters, f)
		}
	}
	return out, true
}

// dayOf cuts a time by days.
func dayOf(t *compile.Scalar) *compile.Scalar {
	return &compile.Scalar{Op: "trunc", Text: "day", Args: []*compile.Scalar{t}, Type: "date"}
}

// filteredColumn gives the column that a condition compares with literals; nil: it is of another kind.
func filteredColumn(f *compile.Scalar) *compile.Scalar {
	var column *compile.Scalar
	for _, a := range f.Args {
		switch {
		case isLiteral(a):
		case a.Op == "col" && column == nil:
			column = a
		default:
			return nil
		}
	}
	switch f.Op {
	case "=", "<>", "same", "in", "not_in", "is_null", "not_null":
		return column
	default: // of a range there are as many values as rows
		return nil
	}
}
