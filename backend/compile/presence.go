package compile

import "time"

// rowsOnly adds the groups of leaves of which no value is asked for in their own buckets: those of a window that is computed
// from rows, and those of the frame of which this relation ranks the members.
func (r *relating) rowsOnly(groups map[string][]*atom) {
	have := map[string]bool{}
	plain := func(l Leaf, ctx int) string {
		x := r.c.contexts[ctx]
		x.warm = time.Time{}
		l = r.c.snapshots(l, r.grain)
		l.Map = l.Map.own()
		return r.branchKey(l, r.c.context(x))
	}
	for _, all := range groups {
		for _, a := range all {
			if a.kind == "leaf" && a.leaf.Map.ofRows() && !r.c.contexts[a.ctx].Lag {
				have[plain(a.leaf, a.ctx)] = true
			}
		}
	}
	add := func(l Leaf, ctx int) {
		key := plain(l, ctx)
		if r.c.contexts[ctx].Lag || have[key] {
			return
		}
		have[key] = true
		l = r.c.snapshots(l, r.grain)
		l.Map = l.Map.own()
		r.inputs = append(r.inputs, r.scanOf(l, ctx, nil))
	}
	for _, a := range r.of("leaf") {
		if a.leaf.Map.within {
			add(a.leaf, a.ctx)
		}
	}
	for _, cell := range r.req.rows {
		cell.replace(func(s *Scalar) *Scalar {
			switch {
			case s.Op == "at":
				return s
			case s.Op == "leaf" && r.c.q.Leaves[s.Index].Map.ofRows():
				add(r.c.q.Leaves[s.Index], s.Ctx)
			}
			return nil
		})
	}
}

// presence gives the rows of a relation whose cells are all coarser than it is, or of the bucket before, or that has keys
// only: those that the numbers have in their own buckets.
func (r *relating) presence() {
	seen := map[string]bool{}
	for _, a := range r.atoms {
		if a.quiet || a.kind != "at" && a.kind != "leaf" && a.kind != "reduce" {
			continue
		}
		add := func(l Leaf, ctx int) {
			l.Pick, l.Map = nil, TimeMap{}
			if x := r.c.contexts[ctx]; x.Lag || a.back != nil {
				ctx = r.c.context(Context{From: r.c.contexts[0].From, To: r.c.contexts[0].To, IgnoreFilters: x.IgnoreFilters, Ignored: x.Ignored})
			}
			if key := r.branchKey(l, ctx); !seen[key] {
				seen[key] = true
				r.inputs = append(r.inputs, r.scanOf(l, ctx, nil))
			}
		}
		if a.kind == "leaf" {
			add(a.leaf, a.ctx)
			continue
		}
		a.cell.each(func(s *Scalar) {
			if s.Op == "leaf" {
				add(r.c.q.Leaves[s.Index], s.Ctx)
			}
		})
	}
	if len(r.inputs) == 0 {
		leaf := Leaf{}
		for _, l := range r.c.q.Leaves {
			if l.Source == 0 {
				leaf.Time = l.Time
				break
			}
		}
		r.inputs = append(r.inputs, r.scanOf(leaf, 0, nil))
	}
}

// onlyLags says whether every leaf of a cell is of the bucket before.
func (c *compiler) onlyLags(cell *Scalar) bool {
	return !cell.any(func(s *Scalar) bool { return s.Op == "leaf" && !c.contexts[s.Ctx].Lag })
}
