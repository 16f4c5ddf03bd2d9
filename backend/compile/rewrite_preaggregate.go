package compile

import (
	"slices"

	"assay/backend/text"
)

// preaggregate groups the rows by the columns that lead to a small entity before it is joined, where all else that the
// groups need is known then: the join sees a few thousand groups in place of millions of rows.
func preaggregate(c *compiler, root *step) (*step, bool, string) {
	return c.belowJoin(root, false)
}

// belowJoin tries every scan with every entity that the fact leads to. distinct: only scans that count distinct values of
// the very columns that lead there.
func (c *compiler) belowJoin(root *step, distinct bool) (*step, bool, string) {
	applied, why := false, text.Say("compile.below_join_none")
	if distinct {
		why = text.Say("compile.distinct_below_join_none")
	}
	for _, s := range c.plainScans(root) {
		for n := range s.source.Nodes {
			far := s.beyond(n)
			if far == nil {
				continue
			}
			groups, missing := c.belowGroups(s, far, distinct)
			switch {
			case missing == "":
				applied = true
				why = text.Say("compile.preaggregate", "entity", far.node().Entity, "groups", groups, "rows", s.source.Rows)
				if distinct {
					why = text.Say("compile.distinct_below_join", "entity", far.node().Entity, "groups", groups, "rows", s.source.Rows)
				}
				c.splitBelow(s, far)
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

// beyond is a part of the joins of a scan: an entity next to the fact, with all that is reached through it.
type beyond struct {
	of     *step
	top    int    // of the entity
	within []bool // by node
}

// beyond gives what lies beyond a node next to the fact, when the scan reads it; nil: it does not.
func (s *step) beyond(n int) *beyond {
	nodes := s.source.Nodes
	if n == 0 || nodes[n].Parent != 0 || !s.neededNodes()[n] || len(nodes[n].On) == 0 {
		return nil
	}
	b := &beyond{of: s, top: n, within: make([]bool, len(nodes))}
	b.within[n] = true
	for i := n + 1; i < len(nodes); i++ {
		b.within[i] = nodes[i].Parent >= 0 && b.within[nodes[i].Parent]
	}
	for _, p := range nodes[n].On {
		if b.side(p.Parent) != near || b.side(p.Own) != farther {
			return nil
		}
	}
	return b
}

func (b *beyond) node() Node { return b.of.source.Nodes[b.top] }

type side int

const (
	near    side = iota // nothing beyond is named
	farther             // only what is beyond
	mixed               // both, or a subquery
)

// side says on which side of the join an expression stands.
func (b *beyond) side(x *Scalar) side {
	in, out, other := false, false, false
	x.each(func(p *Scalar) {
		switch {
		case p.step != nil || p.Sub != nil:
			other = true
		case p.Op == "col" && b.within[p.Node]:
			in = true
		case p.Op == "col":
			out = true
		}
	})
	switch {
	case other || in && out:
		return mixed
	case in:
		return farther
	}
	return near
}

// belowGroups estimates the groups of a scan by the columns that lead beyond, or says what is missing.
func (c *compiler) belowGroups(s *step, far *beyond, distinct bool) (groups int64, missing string) {
	var keys []*Scalar
	for _, p := range far.node().On {
		keys = append(keys, p.Parent)
	}
	for _, k := range s.keyColumns() {
		switch far.side(k.x) {
		case near:
			keys = append(keys, k.x)
		case mixed:
			return 0, text.Say("compile.below_join_mixed", "name", k.name)
		}
	}
	for _, w := range s.where {
		if at := far.side(w); at == mixed || at == farther && !distinct { // what is joined first is filtered first
			return 0, text.Say("compile.below_join_filter", "entity", far.node().Entity)
		}
	}
	counts := false
	for _, v := range s.values() {
		own := far.counts(v.agg)
		counts = counts || own
		switch {
		case !own && (v.agg == nil || !v.agg.reducibleAgain()):
			return 0, text.Say("compile.not_again", "number", v.name)
		case far.side(v.agg.arg) != near || far.side(v.agg.filter) != near:
			return 0, text.Say("compile.below_join_mixed", "name", v.name)
		}
	}
	if counts != distinct {
		return 0, text.Say("compile.distinct_below_join_none")
	}
	if groups = c.groups(s, keys); groups == 0 || s.source.Rows == 0 {
		return 0, text.Say("compile.sizes_unknown")
	}
	if limit := map[bool]int64{false: 10_000, true: s.source.Rows / 4}[distinct]; groups > limit || groups > s.source.Rows/4 {
		return 0, text.Say("compile.many_groups", "groups", groups, "rows", s.source.Rows)
	}
	return groups, ""
}

// counts says whether an aggregate counts, or adds, the distinct values of the one column that leads beyond: within its
// groups each is there once.
func (b *beyond) counts(a *aggregate) bool {
	on := b.node().On
	return a != nil && a.distinct && a.filter == nil && a.arg != nil && len(on) == 1 && on[0].Parent.Signature() == a.arg.Signature() &&
		slices.Contains([]string{"count", "sum", "avg"}, a.reducer)
}

// splitBelow makes a scan the reduction of one that groups by what leads beyond, joined with it.
func (c *compiler) splitBelow(s *step, far *beyond) {
	t, r := c.below(s, far)
	unique := far.node().Unique
	for _, k := range s.cols {
		switch {
		case k.key && far.side(k.x) == farther:
			r.key(k, far.columns(r.in[1], k.x))
		case k.key:
			r.key(k, t.key(k.name, k.x, k.typ))
		case far.counts(k.agg):
			own := *k.agg
			own.arg, own.distinct = t.key(k.name, k.agg.arg, k.agg.arg.Type), !unique
			k.agg = &own
			r.cols = append(r.cols, k)
			r.over = append(r.over, column{name: k.name, typ: k.typ, x: ref(0, k.name, k.typ)})
		default:
			r.value(k)
		}
	}
	r.replace(s)
}

// below begins the two halves of a scan: the rows grouped by what leads beyond, and their join with it.
func (c *compiler) below(s *step, far *beyond) (*finer, *reduction) {
	node := far.node()
	t := finerOf(s, c.partName(s, plainWord(node.Entity)))
	other := far.step()
	r := reduce(s, t)
	r.in = append(r.in, other)
	j := join{input: 1, kind: joinLeft}
	if s.inner != nil && s.inner[far.top] {
		j.kind = joinInner
	}
	for i, p := range node.On {
		name := "key_" + itoa(i+1)
		if p.Parent.Op == "col" {
			name = p.Parent.Text
		}
		j.on = append(j.on, compare("=", t.key(name, p.Parent, p.Parent.Type), far.columns(other, p.Own)))
	}
	r.joins = []join{j}
	for _, w := range s.where {
		if far.side(w) == farther {
			r.where = append(r.where, far.columns(other, w))
		} else {
			t.where = append(t.where, w)
		}
	}
	return t, r
}

// step reads what lies beyond, by itself.
func (b *beyond) step() *step {
	source := &Source{}
	places := map[int]int{}
	s := &step{kind: kindScan, name: plainWord(b.node().Entity) + "_read", source: source, origin: -1, limit: -1}
	for i, n := range b.of.source.Nodes {
		if !b.within[i] {
			continue
		}
		places[i] = len(source.Nodes)
		s.inner = append(s.inner, b.of.inner != nil && b.of.inner[i] && i != b.top)
		on := n.On
		n.Parent, n.On, n.Key = -1, nil, nil
		if i != b.top {
			n.Parent = places[b.of.source.Nodes[i].Parent]
			for _, p := range on {
				n.On = append(n.On, Pair{Parent: placed(p.Parent, places), Own: placed(p.Own, places)})
			}
		}
		source.Nodes = append(source.Nodes, n)
	}
	return s
}

// placed is an expression over nodes that stand elsewhere.
func placed(x *Scalar, places map[int]int) *Scalar {
	return x.replace(func(p *Scalar) *Scalar {
		if p.Op != "col" {
			return nil
		}
		to := *p
		to.Node = places[p.Node]
		return &to
	})
}

// column gives a column beyond as one of the step that reads it, adding it.
func (b *beyond) column(s *step, x *Scalar) *Scalar {
	places := map[int]int{}
	for i := range b.within {
		if b.within[i] {
			places[i] = len(places)
		}
	}
	own := placed(x, places)
	for _, c := range s.cols {
		if c.x.Signature() == own.Signature() {
			return ref(1, c.name, c.typ)
		}
	}
	taken := &names{taken: map[string]bool{}}
	for _, c := range s.cols {
		taken.take(c.name)
	}
	c := column{name: taken.take(x.Text), typ: x.Type, x: own}
	s.cols = append(s.cols, c)
	return ref(1, c.name, c.typ)
}

// columns gives an expression beyond over the columns of the step that reads it. It is computed after the join, as before:
// where there is no partner it is one of missing values, and not missing itself.
func (b *beyond) columns(s *step, x *Scalar) *Scalar {
	return x.replace(func(p *Scalar) *Scalar {
		if p.Op != "col" {
			return nil
		}
		return b.column(s, p)
	})
}
