package reuse

import (
	"assay/backend/compile"
)

// reduced gives how values of a leaf at a finer grain become its value at a coarser one; empty: they do not. An average is
// taken apart before, and a finished one stays what it is, like medians, percentiles, deviations, distinct counts, and the
// first and the last value, whose times are not kept. A leaf whose rows count on other days than their own is tied to the
// axis that it was computed for.
func reduced(l *compile.Leaf) string {
	if l.Map.Kind != "" {
		return ""
	}
	switch l.Reducer {
	case "sum", "count":
		if l.Distinct {
			return ""
		}
		return compile.ReduceSum
	case "min", "all":
		return compile.ReduceMin
	case "max", "any":
		return compile.ReduceMax
	default:
		return ""
	}
}

// leaf is clause 2 and the second half of clause 9: it finds the column of the frame for a leaf of the branch and how it is
// reduced.
func (c *comparison) leaf(i int) (column, reduce string, r Reason) {
	l := &c.branch.of.Leaves[i].Leaf
	c.special = c.branch.of.Leaves[i].Name
	at, has := c.frame.leafAt[c.branch.leaves[i]]
	if !has {
		return c.leafOfKey(l)
	}
	column = c.frame.Branch.Leaves[at].Name
	reduce = reduced(l)
	switch {
	case c.without(clauseReduce):
		if reduce == "" {
			reduce = compile.ReduceSum
		}
		return column, reduce, Reason{}
	case l.Pick != nil && !c.samePicks(l):
		return "", "", c.refuse(NotReducible)
	case reduce != "":
		return column, reduce, Reason{}
	case c.exact:
		return column, compile.ReduceValue, Reason{}
	}
	if column, reduce, r = c.leafOfKey(l); column != "" {
		return column, reduce, r
	}
	return "", "", c.refuse(NotReducible)
}

// leafOfKey computes a leaf from a key: what is counted once, or the least and the greatest value, is the same over groups
// as over rows.
func (c *comparison) leafOfKey(l *compile.Leaf) (column, reduce string, r Reason) {
	if l.Filter != nil || l.Pick != nil || l.Map.Kind != "" {
		return "", "", c.refuse(LeafMissing)
	}
	at, has := c.frame.keyAt[c.branch.sign(l.Expr)]
	if !has && c.without(clauseDistinct) && l.Distinct && len(c.frame.keys) > 0 {
		at, has = 0, true
	}
	if has {
		key := c.frame.Branch.Keys[at].Name
		switch {
		case l.Distinct && (l.Reducer == "count" || l.Reducer == "sum" || l.Reducer == "avg"):
			return key, compile.ReduceDistinct, Reason{}
		case l.Reducer == "min":
			return key, compile.ReduceMin, Reason{}
		case l.Reducer == "max":
			return key, compile.ReduceMax, Reason{}
		}
	}
	if l.Distinct {
		return "", "", c.refuse(DistinctLost)
	}
	return "", "", c.refuse(LeafMissing)
}

// samePicks says whether the snapshots that a semi-additive leaf picked for the frame are those that it picks for the branch.
// They are found by bucket of the axis and by the conditions on the time, and no other key and no other condition changes
// them; so the axes must be the same, or both have none and the same period, and the conditions on the time as well.
func (c *comparison) samePicks(l *compile.Leaf) bool {
	at := c.branch.sign(l.Time)
	mine, theirs := axesOver(c.branch, at), axesOver(c.frame.shape, at)
	if mine != theirs {
		return false
	}
	if mine == "" && !c.sameRange() {
		return false
	}
	return termsOver(c.branch, at) == termsOver(c.frame.shape, at)
}

// axesOver lists the keys that are made of a time.
func axesOver(s *shape, time string) string {
	var all []string
	for _, k := range s.keys {
		if over(k, time) {
			all = append(all, k)
		}
	}
	return sorted(all)
}

// termsOver lists the conditions that speak of a time.
func termsOver(s *shape, time string) string {
	var all []string
	for _, f := range s.filters {
		if over(f.sign, time) {
			all = append(all, f.sign)
		}
	}
	return sorted(all)
}
