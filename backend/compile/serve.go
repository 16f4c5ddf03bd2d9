package compile

import (
	"slices"

	"assay/backend/semantic"
	"assay/backend/text"
)

// serve describes each scan of base data as a branch and lets the cache answer it: then the frame is read in its place, with
// the part of the period that the frame lacks from the base.
func (c *compiler) serve(root *step, p *Program) error {
	var uses []scanUse
	for _, s := range walk(root) {
		if s.scan == nil || s.source == nil {
			continue
		}
		if c.o.Serve == nil {
			p.Branches = append(p.Branches, s.branch())
			continue
		}
		for _, use := range c.answer(s, p) {
			p.Cache = append(p.Cache, use)
			uses = append(uses, scanUse{s, p.Branches[use.Branch]})
		}
	}
	if len(uses) > 0 {
		for i, columns := range columnsOf(root, uses) {
			p.Cache[i].Columns = columns
		}
	}
	return c.err
}

// answer asks the cache for a scan. Where some of its values can be reduced again and others cannot, the former are asked for
// alone when nothing answers all.
func (c *compiler) answer(s *step, p *Program) []CacheUse {
	ask := func(s *step) (CacheUse, *Served) {
		b := s.branch()
		p.Branches = append(p.Branches, b)
		use := CacheUse{Branch: len(p.Branches) - 1}
		switch {
		case s.scan.special || len(s.in) > 0:
			use.Reason, use.Never = text.Say("compile.not_cached"), true
		case !s.movable(b):
			use.Reason, use.Never = text.Say("compile.not_cached_moved"), true
		default:
			var served *Served
			if served, use.Reason = c.o.Serve(b); served != nil {
				if len(served.Keys) != len(b.Keys) || len(served.Leaves) != len(b.Leaves) || len(served.Missing) > 0 && !b.Reducible {
					c.broken("what the cache serves")
					return use, nil
				}
				use.Frame, use.Rows, use.Made = served.Frame, served.Rows, served.Made
				use.Part = len(s.scan.clip(served.Missing)) > 0
				return use, served
			}
		}
		return use, nil
	}
	whole, served := ask(s)
	if served != nil {
		s.serveFrom(c, served)
		return []CacheUse{whole}
	}
	some, others := s.part(true), s.part(false)
	if s.scan.special || len(s.in) > 0 || len(some.scan.leaves) == 0 || len(others.scan.leaves) == 0 {
		return []CacheUse{whole}
	}
	known := len(p.Branches)
	first, served := ask(some)
	if served == nil {
		p.Branches = p.Branches[:known]
		return []CacheUse{whole}
	}
	p.Branches = append(p.Branches[:known-1], some.branch(), others.branch())
	first.Branch, whole.Branch = known-1, known
	some.serveFrom(c, served)
	s.together(some, others)
	return []CacheUse{first, whole}
}

// part gives the scan with only the values that can be reduced again, or only the others.
func (s *step) part(again bool) *step {
	one, meta := *s, *s.scan
	one.cols, meta.leaves, one.scan = nil, nil, &meta
	for _, c := range s.cols {
		if c.key {
			one.cols = append(one.cols, c)
		}
	}
	for _, l := range s.scan.leaves {
		if reducible(l.leaf) == again {
			meta.leaves = append(meta.leaves, l)
			one.cols = append(one.cols, *s.col(l.column))
		}
	}
	return &one
}

// together makes a scan of two parts with the same keys: stacked and collapsed.
func (s *step) together(parts ...*step) {
	stack := selects(kindStack, s.name+"_parts")
	whole := selects(kindCollapse, s.name, stack)
	whole.grouped = true
	for _, part := range parts {
		arm := selects(kindScan, "arm", part)
		for _, c := range s.cols {
			x := null(c.typ)
			if part.col(c.name) != nil {
				x = ref(0, c.name, c.typ)
			}
			arm.cols = append(arm.cols, column{name: c.name, key: c.key, typ: c.typ, x: x})
		}
		stack.in = append(stack.in, arm)
	}
	for _, c := range s.cols {
		if c.key {
			whole.cols = append(whole.cols, column{name: c.name, key: true, typ: c.typ, x: ref(0, c.name, c.typ)})
			continue
		}
		zero := c.agg.zero
		whole.cols = append(whole.cols, column{name: c.name, typ: c.typ, agg: &aggregate{reducer: "one", arg: ref(0, c.name, c.typ), zero: zero}})
	}
	*s = *whole
}

// branch describes a scan.
func (s *step) branch() Branch {
	b := Branch{Source: s.source, Filters: s.scan.where, Time: s.scan.time, From: s.scan.from, To: s.scan.to, Reducible: true}
	for i, need := range s.neededNodes() {
		n := s.source.Nodes[i]
		switch {
		case !need:
		case n.SQL != "":
			b.Tables = append(b.Tables, n.SQL)
		default:
			b.Tables = append(b.Tables, n.Table)
		}
	}
	for _, name := range s.scan.keys {
		b.Keys = append(b.Keys, BranchKey{Expr: s.unmoved(name), Name: name})
	}
	for _, l := range s.scan.leaves {
		b.Leaves = append(b.Leaves, BranchLeaf{Leaf: l.leaf, Name: l.column})
		b.Reducible = b.Reducible && reducible(l.leaf)
	}
	return b
}

// unmoved gives what a key cuts from the time of the scan, where it lies before it is moved to lie beside another period; of
// other keys themselves.
func (s *step) unmoved(key string) *Scalar {
	x := s.col(key).x
	if s.scan.shifted {
		x.each(func(p *Scalar) {
			if p.Op == "trunc" && p.Args[0] == s.scan.time {
				x = p
			}
		})
	}
	return x
}

// movable says whether the groups of a frame can be moved like the rows: one by one, or reduced again afterwards.
func (s *step) movable(b Branch) bool {
	for _, k := range b.Keys {
		x := s.col(k.Name).x
		if k.Expr.N != 0 && len(k.Expr.Buckets) > 0 || k.Expr != x && !b.Reducible && (x.Op != "move" || x.Args[0] != k.Expr) {
			return false
		}
	}
	return true
}

// serveFrom makes a scan read a frame: its values are reduced again, which changes nothing where the frame has the grain of
// the scan.
func (s *step) serveFrom(c *compiler, f *Served) {
	base := *s
	frame := &step{kind: kindScan, name: s.name, source: &Source{Nodes: []Node{{Entity: "frame", Table: f.Table, Parent: -1}}}, origin: -1, grouped: true, limit: -1, where: f.Where, served: f}
	for i, name := range s.scan.keys {
		cut := s.unmoved(name)
		x := s.col(name).x.replace(func(p *Scalar) *Scalar {
			if p == cut {
				return f.Keys[i]
			}
			return nil
		})
		frame.cols = append(frame.cols, column{name: name, key: true, typ: s.col(name).typ, x: x})
	}
	for i, l := range s.scan.leaves {
		col := s.col(l.column)
		frame.cols = append(frame.cols, column{name: l.column, typ: col.typ, agg: fromFrame(col.agg, f, i, col.typ)})
	}
	missing := s.scan.clip(f.Missing)
	if len(missing) == 0 {
		*s = *frame
		return
	}
	base.cols = slices.Clone(s.cols)
	base.name = s.name + "_missing"
	base.where, base.fixed = nil, true
	for _, w := range s.scan.where {
		base.where = append(base.where, c.bind(&base, conjuncts(w))...)
	}
	var ranges *Scalar
	for _, r := range missing {
		one := and(within(s.scan.time, r.From, r.To)...)
		if ranges == nil {
			ranges = one
		} else {
			ranges = compare("or", ranges, one)
		}
	}
	base.where = append(base.where, ranges)
	stack := selects(kindStack, s.name+"_stacked", frame, &base)
	whole := selects(kindCollapse, s.name, stack)
	whole.grouped, whole.served = true, f
	for i := range frame.cols {
		col := s.cols[i]
		if col.key {
			whole.cols = append(whole.cols, column{name: col.name, key: true, typ: col.typ, x: ref(0, col.name, col.typ)})
			continue
		}
		whole.cols = append(whole.cols, column{name: col.name, typ: col.typ, agg: reduceAgain(col.agg, ref(0, col.name, col.typ))})
		for _, arm := range []*step{frame, &base} { // 0 for what is missing is said once
			partial := *arm.cols[i].agg
			partial.zero = false
			arm.cols[i].agg = &partial
		}
	}
	*s = *whole
}

// clip keeps of the ranges what lies within the period of the scan.
func (s *scan) clip(all []Range) []Range {
	var kept []Range
	for _, r := range all {
		if !s.from.IsZero() && (r.From.IsZero() || r.From.Before(s.from)) {
			r.From = s.from
		}
		if !s.to.IsZero() && (r.To.IsZero() || s.to.Before(r.To)) {
			r.To = s.to
		}
		if r.From.IsZero() || r.To.IsZero() || r.From.Before(r.To) {
			kept = append(kept, r)
		}
	}
	return kept
}

// fromFrame reduces the column of a frame that stands for leaf i, in which what is missing is missing. Where the frame kept what a distinct count counts, that is
// what is counted.
func fromFrame(a *aggregate, f *Served, i int, typ semantic.Type) *aggregate {
	to := reduceAgain(a, &Scalar{Op: "col", Text: f.Leaves[i], Type: typ})
	if i < len(f.Reduce) && f.Reduce[i] == ReduceDistinct {
		to.reducer, to.distinct = a.reducer, true
	}
	return to
}

// again reduces values that an aggregate gave: counts are added up; what cannot be reduced again has one value.
func again(a *aggregate, x *Scalar) *aggregate {
	to := &aggregate{reducer: a.reducer, arg: x, zero: a.zero, null: a.null}
	switch {
	case a.reducer == "count" && !a.distinct:
		to.reducer = "sum"
		to.null = false
	case a.distinct || !slices.Contains([]string{"sum", "min", "max", "any", "all"}, a.reducer):
		to.reducer = "one"
	}
	return to
}
