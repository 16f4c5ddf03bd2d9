package compile

import (
	"assay/backend/text"
)

// lateJoin groups by the column that leads to an entity in place of the entity's key with its name and what else the key
// determines, which are joined to the groups. That needs proof that every row has its partner, and only one.
func lateJoin(c *compiler, root *step) (*step, bool, string) {
	applied, why := false, text.Say("compile.late_join_none")
	for _, s := range c.plainScans(root) {
		for n := range s.source.Nodes {
			far := s.beyond(n)
			if far == nil || !far.keyed() {
				continue
			}
			missing := far.late()
			switch {
			case missing == "":
				why, applied = text.Say("compile.late_join", "entity", far.node().Entity), true
				c.joinLate(s, far)
			case !applied:
				why = missing
			}
			if s.source == nil {
				break
			}
		}
	}
	return root, applied, why
}

// keyed says whether the keys of the scan hold all columns by which the entity is joined, on either side, and something
// else of it.
func (b *beyond) keyed() bool {
	more := 0
	has := map[string]bool{}
	for _, k := range b.of.keyColumns() {
		has[k.x.Signature()] = true
		if b.side(k.x) == farther {
			more++
		}
	}
	for _, p := range b.node().On {
		if !has[p.Parent.Signature()] && !has[p.Own.Signature()] {
			return false
		}
	}
	return more > 0
}

// late says what is missing for joining the entity to the groups; empty: nothing.
func (b *beyond) late() string {
	node := b.node()
	if b.of.inner == nil || !b.of.inner[b.top] || !node.Unique {
		return text.Say("compile.late_join_proof", "entity", node.Entity)
	}
	for _, k := range b.of.keyColumns() {
		if b.side(k.x) == mixed {
			return text.Say("compile.below_join_mixed", "name", k.name)
		}
	}
	for _, w := range b.of.where {
		if b.side(w) != near {
			return text.Say("compile.below_join_filter", "entity", node.Entity)
		}
	}
	for _, v := range b.of.values() {
		if v.agg == nil {
			return text.Say("compile.below_join_mixed", "name", v.name)
		}
		for _, x := range append([]*Scalar{v.agg.arg, v.agg.filter}, v.agg.order...) {
			if b.side(x) != near {
				return text.Say("compile.below_join_mixed", "name", v.name)
			}
		}
	}
	return ""
}

// joinLate makes a scan the join of its groups with the entity: each group has one partner, so that nothing is reduced again.
func (c *compiler) joinLate(s *step, far *beyond) {
	t, r := c.below(s, far)
	r.kind, r.grouped = kindAttach, false
	for _, k := range s.cols {
		switch {
		case !k.key:
			own := column{name: t.names.take(k.name), typ: k.typ, agg: k.agg}
			t.cols = append(t.cols, own)
			k.agg, k.x = nil, ref(0, own.name, k.typ)
		case far.side(k.x) == farther:
			k.x = far.columns(r.in[1], k.x)
		default:
			k.x = t.key(k.name, k.x, k.typ)
		}
		r.cols = append(r.cols, k)
	}
	r.replace(s)
}
