package reuse

import (
	"slices"

	"assay/backend/compile"
)

// compare holds a branch against one frame: all nine clauses.
func (c *comparison) compare() (Reason, bool) {
	// What is cheap and refuses most comes first.
	if !c.without(clauseLeaf) {
		for i, g := range c.branch.leaves {
			if _, has := c.frame.leafAt[g]; !has {
				if column, _, r := c.leafOfKey(&c.branch.of.Leaves[i].Leaf); column == "" {
					r.Name = c.branch.of.Leaves[i].Name
					return r, false
				}
			}
		}
	}
	for _, clause := range []func() (Reason, bool){c.identity, c.implied, c.columns, c.keys, c.period, c.residual, c.leaves} {
		if r, ok := clause(); !ok {
			return r, false
		}
	}
	c.served.Table, c.served.Frame, c.served.Rows, c.served.Made = c.frame.Table, c.frame.ID, c.frame.Rows, c.frame.Made
	if len(c.served.Missing) > 0 {
		return Reason{Code: ServedInPart, Frame: c.frame.ID}, true
	}
	return Reason{Code: ServedWhole, Frame: c.frame.ID}, true
}

// columns looks whether the columns in the keys and conditions of the branch are in keys of the frame at all, which is soon
// said.
func (c *comparison) columns() (Reason, bool) {
	for _, f := range c.branch.filters {
		if !c.held(f.needs) && !c.without(clauseResidual) && !c.frame.imply(f) {
			return c.refuse(FilterLost), false
		}
	}
	if c.without(clauseDimension) {
		return Reason{}, true
	}
	for i := range c.branch.keys {
		if !c.held(c.branch.needs[i]) {
			c.special = c.branch.of.Keys[i].Name
			return c.refuse(DimensionMissing), false
		}
	}
	return Reason{}, true
}

func (c *comparison) held(columns []string) bool {
	for _, column := range columns {
		if !c.frame.holds[column] {
			return false
		}
	}
	return true
}

// keys is clauses 3 to 5: each key of the branch from the keys of the frame.
func (c *comparison) keys() (Reason, bool) {
	for i, k := range c.branch.of.Keys {
		c.special, c.failed = k.Name, Reason{}
		if k.Expr == nil {
			return c.refuse(DimensionMissing), false
		}
		column := c.rewrite(k.Expr)
		if column == nil && c.without(clauseDimension) && len(c.frame.keys) > 0 {
			column = c.column(i % len(c.frame.keys))
		}
		if column == nil {
			if c.failed.Code != "" {
				return c.failed, false
			}
			return c.refuse(DimensionMissing), false
		}
		c.served.Keys = append(c.served.Keys, column)
	}
	c.special = ""
	return Reason{}, true
}

// leaves is clause 2. A leaf that cannot be reduced again is still right when no group of the frame has to be reduced: when
// every key of the frame is a key of the branch. What is left over as a condition speaks of keys and of edges between
// buckets only, so that it keeps a group whole or drops it.
func (c *comparison) leaves() (Reason, bool) {
	c.exact = len(c.served.Missing) == 0
	for _, k := range c.frame.keys {
		c.exact = c.exact && slices.Contains(c.branch.keys, k)
	}
	for i := range c.branch.of.Leaves {
		column, reduce, r := c.leaf(i)
		if c.without(clauseLeaf) && column == "" && r.Code == LeafMissing && len(c.frame.Branch.Leaves) > 0 {
			column, reduce = c.frame.Branch.Leaves[0].Name, compile.ReduceSum
		}
		if column == "" {
			return r, false
		}
		if len(c.served.Missing) > 0 && (reduce == compile.ReduceDistinct || c.branch.of.Leaves[i].Leaf.Pick != nil) {
			return c.refuse(NotForUnion), false
		}
		c.served.Leaves = append(c.served.Leaves, column)
		c.served.Reduce = append(c.served.Reduce, reduce)
	}
	return Reason{}, true
}

// refuse makes the reason for a clause that fails. How far a frame came is told by the order of the codes.
func (c *comparison) refuse(code Code) Reason {
	return Reason{Code: code, Frame: c.frame.ID, Name: c.special, rank: slices.Index(codes, code)}
}

// codes are the refusals from the farthest to the nearest.
var codes = []Code{NoFrames, LeafMissing, ModelChanged, DataChanged, OtherJoins, OtherPolicy, OtherTime, NotCovered, NotAligned, FilterNotImplied, DimensionMissing, GrainNotDerivable, OtherZone, OtherWeek, OtherCalendar, FilterLost, DistinctLost, NotReducible, NotForUnion, TooLarge}
