package compile

import (
	"maps"
	"slices"
	"time"

	"assay/backend/semantic"
)

// filled adds the buckets of the axis that have no rows, for every combination of the other keys that the result has. They
// are stacked under the rows, so that rows beside the axis (without a time, or there for windows only) stay.
func (r *relating) filled(s *step, f *Fill) *step {
	k := f.Axis
	if k != r.axis {
		k = r.axis
	}
	spine := r.spine(s, f, k)
	rows := selects(kindStack, "rows", s)
	rows.kind = kindScan
	for _, o := range r.keys {
		n := r.c.keyNames[o]
		rows.cols = append(rows.cols, column{name: n, key: true, typ: r.c.key(o).Type, x: ref(0, n, r.c.key(o).Type)})
	}
	for _, in := range r.inputs {
		for _, a := range in.atoms {
			spine.cols = append(spine.cols, column{name: a.col, typ: a.typ, x: null(a.typ)})
			rows.cols = append(rows.cols, column{name: a.col, typ: a.typ, x: ref(0, a.col, a.typ)})
		}
	}
	if r.shown {
		spine.cols = append(spine.cols, column{name: "shown", typ: semantic.Integer, x: number(1)})
		rows.cols = append(rows.cols, column{name: "shown", typ: semantic.Integer, x: ref(0, "shown", semantic.Integer)})
	}
	given := number(1)
	if r.shown {
		given = ref(0, "shown", semantic.Integer)
	}
	spine.cols = append(spine.cols, column{name: "given", typ: semantic.Integer, x: number(0)})
	rows.cols = append(rows.cols, column{name: "given", typ: semantic.Integer, x: given})
	stack := selects(kindStack, "with_gaps", rows, spine)
	whole := selects(kindCollapse, "filled", stack)
	whole.grouped = true
	for _, c := range rows.cols {
		col := column{name: c.name, key: c.key, typ: c.typ}
		if c.key {
			col.x = ref(0, c.name, c.typ)
		} else {
			col.agg = &aggregate{reducer: "one", arg: ref(0, c.name, c.typ)}
		}
		whole.cols = append(whole.cols, col)
	}
	r.real = true
	return whole
}

// spine gives the combinations that a full result has: every bucket for every combination of the other keys. That of the rest
// of TOP is what the full result has besides the members that are shown.
func (r *relating) spine(s *step, f *Fill, axis int) *step {
	if only := r.req.only; only != nil {
		full := selects(kindSpine, "combinations", r.c.full.step, only.step)
		full.grouped = true
		without := join{input: 1, kind: joinAnti}
		for _, k := range slices.Sorted(maps.Keys(only.pairs)) {
			without.on = append(without.on, compare("same", ref(1, only.pairs[k], r.c.key(k).Type), r.c.full.keys[k]))
		}
		full.joins = []join{without}
		for _, o := range r.keys {
			x := r.c.full.keys[o]
			if x == nil {
				r.c.broken("a key that only the rest of TOP has")
				x = null(r.c.key(o).Type)
			}
			full.cols = append(full.cols, column{name: r.c.keyNames[o], key: true, typ: r.c.key(o).Type, x: x})
		}
		spine := selects(kindSpine, "spine", full)
		spine.pass(0, full.allNames()...)
		return spine
	}
	key := r.c.key(axis)
	name, typ := r.c.keyNames[axis], cutType(key.Cut)
	buckets := &step{kind: kindSpine, name: "buckets", limit: -1, origin: -1, series: &series{cut: key.Cut, first: r.fillBound(s, f.From, true), last: r.fillBound(s, f.To, false)}}
	buckets.cols = []column{{name: name, key: true, typ: typ, x: ref(0, name, typ)}}
	spine := selects(kindSpine, "spine", buckets)
	var others []string
	for _, o := range r.keys {
		n := r.c.keyNames[o]
		x := ref(0, name, typ)
		switch {
		case o != axis && r.placed(o):
			x = recut(r.c.key(o).Cut, x)
		case o != axis:
			others = append(others, n)
			x = ref(1, n, r.c.key(o).Type)
		}
		spine.cols = append(spine.cols, column{name: n, key: true, typ: r.c.key(o).Type, x: x})
	}
	if len(others) == 0 {
		return spine
	}
	members := selects(kindSpine, "combinations", s)
	members.grouped = true
	members.pass(0, others...)
	for i := range members.cols {
		members.cols[i].key = true
	}
	if r.shown {
		members.where = []*Scalar{compare("=", ref(0, "shown", semantic.Integer), number(1))}
	}
	spine.in = append(spine.in, members)
	spine.joins = []join{{input: 1, kind: joinCross}}
	return spine
}

// fillBound is the first or the last bucket: of the period, or of the result.
func (r *relating) fillBound(s *step, t time.Time, first bool) *Scalar {
	cut := r.c.key(r.axis).Cut
	typ := cutType(cut)
	if !t.IsZero() {
		if !first {
			t = lastMoment(t)
		}
		if cut.Zone == "" {
			return timeLiteral(cutTime(cut, t), &Scalar{Type: typ})
		}
		return cutAt(cut, timeLiteral(t, &Scalar{Type: semantic.Timestamp}))
	}
	name, reducer := "last_bucket", "max"
	if first {
		name, reducer = "first_bucket", "min"
	}
	if r.bounds == nil {
		r.bounds = selects(kindSpine, "bounds", s)
		r.bounds.grouped = true
		if r.shown {
			r.bounds.where = []*Scalar{compare("=", ref(0, "shown", semantic.Integer), number(1))}
		}
	}
	axis := ref(0, r.c.keyNames[r.axis], typ)
	r.bounds.cols = append(r.bounds.cols, column{name: name, typ: typ, agg: &aggregate{reducer: reducer, arg: axis}})
	return &Scalar{Op: "single", Text: name, step: r.bounds, Type: typ}
}

// inFill says in which rows a number that is missing is 0: those that were there, and with FILL ZERO those within the data. A
// coarser number is none of the bucket that is filled.
func (r *relating) inFill(a *atom, inside *Scalar) *Scalar {
	f := r.req.fill
	switch {
	case a.kind == "at" && a.back == nil:
		return inside
	case f.Mode != "zero":
		return and(compare("=", ref(0, "given", semantic.Integer), number(1)), inside)
	case f.Throughout && r.c.present(a.ctx):
		return nil
	}
	return inside
}

// present says whether a context is of the period of the query itself.
func (c *compiler) present(ctx int) bool {
	x, own := c.contexts[ctx], c.contexts[0]
	return !x.Lag && !x.moved() && x.From.Equal(own.From) && x.To.Equal(own.To)
}

// carried is FILL LAST: a number that is missing is the last one before it, for equal other keys.
func (c *compiler) carried(rel *relation, grain []int, cells []*Scalar, numbers func(int) bool) (*step, []*Scalar) {
	values := selects(kindFilter, "values", rel.step)
	values.pass(0, rel.step.allNames()...)
	s := selects(kindWindow, "carried", values)
	s.pass(0, rel.step.allNames()...)
	out := slices.Clone(cells)
	axis := c.finest(grain)
	v := window{function: "carry", order: []sortTerm{{x: ref(0, c.keyNames[axis], cutType(c.key(axis).Cut))}}}
	for _, k := range grain {
		if !c.key(k).Axis {
			v.partition = append(v.partition, ref(0, c.keyNames[k], c.key(k).Type))
		}
	}
	for i, x := range cells {
		if x == nil || !numbers(i) {
			continue
		}
		name := "cell_" + itoa(i+1)
		values.cols = append(values.cols, column{name: name, typ: x.Type, x: x})
		w := v
		w.arg = ref(0, name, x.Type)
		s.cols = append(s.cols, column{name: name, typ: x.Type, win: &w})
		out[i] = ref(0, name, x.Type)
		if rel.step.col("given") != nil { // what is missing in a row that was there stays missing
			added := compare("=", ref(0, "given", semantic.Integer), number(0))
			s.col(name).win.otherwise, s.col(name).win.when = w.arg, added
		}
	}
	return s, out
}
