package compile

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// innerKey is equal for reduces whose inner rows are the same: the groups that the leaves of the cell have.
func (r *relating) innerKey(a *atom) string {
	var all []string
	a.cell.each(func(s *Scalar) {
		switch s.Op {
		case "leaf":
			l := r.c.q.Leaves[s.Index]
			all = append(all, r.branchKey(l, s.Ctx)+l.Time.Signature())
		case "reduce", "at", "lag", "cumulative", "moving", "rank", "index":
			all = append(all, s.Signature())
		}
	})
	slices.Sort(all)
	return keysText(a.keys) + " " + strings.Join(slices.Compact(all), " | ") + a.from.String()
}

// rollupInput is the branch of atoms that reduce the rows of one finer relation.
func (r *relating) rollupInput(all []*atom) *input {
	req := request{grain: slices.Clone(all[0].keys), only: r.req.only, plain: r.req.plain, name: "inner"}
	for _, k := range r.keys {
		if !r.c.closure(k, req.grain) {
			req.grain = append(req.grain, k)
		} else if !slices.Contains(req.grain, k) {
			req.carry = append(req.carry, k)
		}
	}
	moved, shifts := r.c.unshifted(all)
	if req.only != nil && moved.moved() {
		only := *req.only
		only.moved, req.only = moved, &only
	}
	in := &input{atoms: all, adds: r.c.addsRows(all[0].cell) && !quiet(all), rows: r.c.looksOf(all[0].cell, nil)}
	for i, a := range all {
		req.cells = append(req.cells, shifts[i])
		req.labels = append(req.labels, a.col+"_inner")
	}
	inner := r.c.relation(req)
	s := selects(kindRollup, "rolled_up", inner.step)
	s.grouped = true
	for _, k := range r.keys {
		x := inner.keys[k]
		if x == nil { // a coarser axis, of the finest one
			x = recut(r.c.key(k).Cut, inner.keys[r.c.finest(req.grain)])
		}
		if r.c.key(k).Axis && moved.moved() {
			x = r.c.movedAxis(k, x, inner.keys, req.grain, moved)
			if open := moved.From.IsZero() && moved.To.IsZero(); k == r.axis && (open || len(moved.Peers) > 0 || len(r.c.key(k).Cut.Buckets) > 0) { // without a time, or a peer, it lies nowhere
				s.where = append(s.where, &Scalar{Op: "not_null", Args: []*Scalar{x}, Type: semantic.Boolean})
			}
		}
		s.cols = append(s.cols, column{name: r.c.keyNames[k], key: true, typ: r.c.key(k).Type, x: x})
		r.settle(s, k)
	}
	for i, a := range all {
		agg := &aggregate{arg: inner.cells[i], param: a.spec.Param, discrete: a.spec.Unit == "discrete"}
		agg.reducer, agg.distinct = strings.CutSuffix(a.spec.Text, "_distinct")
		agg.null = agg.reducer == "count" && len(r.keys) == 0 && r.partly(a) // 0 only within the data
		if a.spec.Text == "first" || a.spec.Text == "last" {
			axis := r.c.finest(req.grain)
			if axis < 0 {
				r.c.broken(a.spec.Text + " of a relation without an axis")
				continue
			}
			agg.order = []*Scalar{inner.keys[axis]}
		}
		s.cols = append(s.cols, column{name: a.col, typ: a.typ, agg: agg})
	}
	if from := all[0].from; !from.IsZero() {
		in.shown = "shown"
		axis := s.col(r.c.keyNames[r.axis]).x
		one := &Scalar{Op: "case", Args: []*Scalar{compare(">=", axis, timeLiteral(from, axis)), number(1), number(0)}, HasElse: true, Type: semantic.Integer}
		s.cols = append(s.cols, column{name: "shown", typ: semantic.Integer, agg: &aggregate{reducer: "max", arg: one}})
	}
	if r.req.exists && len(r.grain) == 0 {
		s.cols = append(s.cols, column{name: "counted", typ: semantic.Integer, agg: &aggregate{reducer: "count"}})
	}
	in.step = s
	return in
}

// movedAxis moves a bucket of a relation that was evaluated where its comparand lies.
func (c *compiler) movedAxis(k int, x *Scalar, keys map[int]*Scalar, grain []int, moved Context) *Scalar {
	base := c.finest(c.q.Grain)
	if base < 0 || cutDays(c.key(base).Cut) >= cutDays(c.key(k).Cut) {
		return moved.bucket(c.key(k).Cut, x)
	}
	from := keys[base]
	if from == nil {
		from = recut(c.key(base).Cut, keys[c.finest(grain)])
	}
	return recut(c.key(k).Cut, moved.bucket(c.key(base).Cut, from))
}

// unshifted gives cells whose leaves stay where their comparand lies when all stand in one context: the days of an inner
// grain would otherwise be moved onto each other (29 February). The buckets are moved when they are rolled up.
func (c *compiler) unshifted(all []*atom) (moved Context, cells []*Scalar) {
	one, several := -1, false
	for _, a := range all {
		cells = append(cells, a.cell)
		a.cell.each(func(s *Scalar) {
			if s.Op == "leaf" {
				several = several || one >= 0 && one != s.Ctx
				one = s.Ctx
			}
			several = several || s.Op == "lag"
		})
	}
	if several || one < 0 || !c.contexts[one].moved() {
		return Context{}, cells
	}
	moved = c.contexts[one]
	still := moved
	still.Shift, still.Unit, still.Peers, still.Lag = 0, "", nil, false
	at := c.context(still)
	for i, cell := range cells {
		cells[i] = cell.replace(func(s *Scalar) *Scalar {
			if s.Op != "leaf" {
				return nil
			}
			p := *s
			p.Ctx = at
			return &p
		})
	}
	return moved, cells
}

// addsRows says whether a cell gives rows of its own: not what is compared with the bucket before or counts at other days.
func (c *compiler) addsRows(cell *Scalar) bool {
	return cell.any(func(s *Scalar) bool {
		return s.Op == "leaf" && !c.contexts[s.Ctx].Lag && c.q.Leaves[s.Index].Map.ofRows()
	})
}

// longer moves the leaves of a cell to contexts that begin earlier, for a window; from is where the period itself begins.
func (c *compiler) longer(cell *Scalar, warmed func(ctx int) int, from *time.Time) *Scalar {
	return cell.replace(func(s *Scalar) *Scalar {
		if s.Op != "leaf" {
			return nil
		}
		x := c.contexts[warmed(s.Ctx)]
		if x.warm.IsZero() {
			return s
		}
		*from = x.From
		x.From, x.warm = x.warm, time.Time{}
		p := *s
		p.Ctx = c.context(x)
		return &p
	})
}
