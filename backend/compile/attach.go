package compile

import "slices"

// attached joins the coarser relations on.
func (r *relating) attached(s *step) *step {
	var order []string
	groups := map[string][]*atom{}
	for _, a := range r.of("at") {
		key := a.group()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], a)
	}
	for _, key := range order {
		all := groups[key]
		sub := request{grain: r.c.minimal(all[0].keys), carry: all[0].keys, around: slices.Concat(r.atoms, r.req.around), plain: r.req.plain, joined: true, name: "coarser"}
		if all[0].rest {
			sub.only = r.req.only
		}
		for _, a := range all {
			sub.cells = append(sub.cells, a.cell)
			sub.labels = append(sub.labels, a.col)
		}
		if len(all[0].keys) == 0 {
			sub.name = "whole"
		}
		back := all[0].back
		if back != nil { // the same grain; coarser axes follow from the finest
			sub.grain, sub.name, sub.timed = r.finestGrain(), "earlier", true
		}
		rel := r.c.relation(sub)
		next := selects(kindAttach, "attached", s, rel.step)
		j := join{input: 1, kind: joinLeft}
		for _, k := range sub.grain {
			own, op := r.keyRef(k), "same"
			if back != nil && k == r.axis { // a row without a time has none before it
				own, op = moveBucket(r.c.key(k).Cut, own, -back.Shift, back.Unit), "="
			}
			j.on = append(j.on, compare(op, own, shiftInput(rel.keys[k], 1)))
		}
		if len(sub.grain) == 0 {
			j.kind = joinCross
		}
		next.joins = []join{j}
		next.pass(0, s.allNames()...)
		for i, a := range all {
			next.cols = append(next.cols, column{name: a.col, typ: a.typ, x: shiftInput(rel.cells[i], 1)})
			a.ready = back == nil && (len(sub.grain) == 0 || r.implied(a))
		}
		s = next
	}
	return s
}

// implied says whether the coarser row of a leaf is there for every row of the relation, which reads the same rows.
func (r *relating) implied(a *atom) bool {
	if !r.single || a.cell.Op != "leaf" || r.inputs[0].step.scan == nil {
		return false
	}
	leaf, s := r.c.q.Leaves[a.cell.Index], r.inputs[0].step
	return leaf.Pick == nil && leaf.Map.Kind == "" && !s.scan.shifted && s.origin == leaf.Source && s.scan.context == a.cell.Ctx &&
		s.scan.time.Signature() == leaf.Time.Signature()
}

// finestGrain is the grain with only the finest of its axes.
func (r *relating) finestGrain() []int {
	var all []int
	for _, k := range r.grain {
		if k == r.axis || !r.c.key(k).Axis {
			all = append(all, k)
		}
	}
	return all
}

// minimal leaves out the keys that others of them determine.
func (c *compiler) minimal(keys []int) []int {
	all := slices.Clone(keys)
	for i := 0; i < len(all); i++ {
		rest := slices.Delete(slices.Clone(all), i, i+1)
		if c.closure(all[i], rest) {
			all, i = rest, i-1
		}
	}
	return all
}

// shiftInput makes an expression over input 0 one over another input.
func shiftInput(s *Scalar, input int) *Scalar {
	return s.replace(func(p *Scalar) *Scalar {
		if p.Op == "ref" {
			return ref(input, p.Text, p.Type)
		}
		return nil
	})
}
