package frameql

import (
	"slices"

	"assay/backend/compile"
)

// bindTop binds TOP n dim BY key [PER dim] [WITH OTHER]: the dimensions are part of the grain, and the key is computed
// for each member.
func (r *resolver) bindTop() {
	t := r.q.Top
	if t == nil {
		return
	}
	members, b, ok := r.topPart(&t.Dim)
	var per []int
	if t.Per != nil {
		keys, _, fine := r.topPart(t.Per)
		if fine && (len(keys) == 0 || slices.ContainsFunc(keys, func(k int) bool { return slices.Contains(members, k) })) {
			r.refuseTopPer(t)
			fine = false
		}
		per, ok = keys, ok && fine
	}
	at := slices.Concat(members, per)
	whole := len(at) == len(r.grain)
	by, found := r.topKey(t, at)
	if !ok || !found {
		return
	}
	if !whole && by.Op == "key" {
		r.refuseTopKey(t)
		return
	}
	if t.Other && by.Op == "key" {
		r.refuseOther(t)
		return
	}
	if t.Other && slices.ContainsFunc(members, func(k int) bool { return r.keys[k].ref.axis }) && r.alongTime() {
		r.refuseOtherBuckets(t)
		return
	}
	r.plan.Top = &TopUse{N: t.N, Dimension: b.fullName(), By: keyText(t.By), Asc: t.Asc, Other: t.Other}
	if t.Per != nil {
		r.plan.Top.Per = t.Per.String()
	}
	if len(r.leaves) == 0 && len(per) == 0 { // each row is a member
		r.topRows(t, by)
		return
	}
	r.bound.Top = &compile.Top{N: t.N, Members: members, By: by, Asc: t.Asc, Per: per, Other: t.Other}
}

// topPart binds a dimension of TOP, which must be one that the rows stand for.
func (r *resolver) topPart(d *Dim) ([]int, ref, bool) {
	b, found := r.dimension(*d, d, forGrain)
	if !found {
		return nil, b, false
	}
	*d = b.name
	for _, g := range r.parts {
		if g.ref.same(b) && r.allInGrain(g.keys) {
			return g.keys, b, true
		}
	}
	if part, ok := r.inGrain(b); ok {
		return part.keys, b, true
	}
	r.refuseTopDimension(b, d)
	return nil, b, false
}

// topKey binds what members are ranked by, at their own grain.
func (r *resolver) topKey(t *Top, at []int) (*scalar, bool) {
	st := stand{keys: at}
	if t.By.Expr != nil {
		s := r.expr(t.By.Expr, st)
		return s, s != nil
	}
	o, name, ok := r.outcome(t.By.Out, &t.By)
	out := r.outputNamed(t.By.Out)
	t.By.Out = name
	if !ok {
		return nil, false
	}
	var s *scalar
	switch {
	case out != nil && out.key < 0 && out.added:
		e := r.q.Select[out.item].Expr
		now, earlier := r.expr(e, st), r.before(e, st, out.comparand)
		if now == nil || earlier == nil {
			return nil, false
		}
		s = changed(out.fn, now, earlier)
	case out != nil && out.key < 0:
		s = r.expr(r.q.Select[out.item].Expr, st)
	case r.definition(name) != nil:
		s = r.expr(r.definition(name), st)
	case o.value.Op == "key":
		return o.value, true
	case r.metric(name) != nil:
		s = r.metricValue(r.metric(name), st, 0)
	default:
		s = o.value
	}
	return s, s != nil
}

// topRows ranks single rows: they are put in order and counted off.
func (r *resolver) topRows(t *Top, by *scalar) {
	if len(r.q.Order) > 0 || r.q.Limit != nil {
		if len(r.grain) == 0 {
			r.refuseTopOfRows(t)
			return
		}
		r.bound.Top = &compile.Top{N: t.N, Members: slices.Clone(r.grain), By: by, Asc: t.Asc}
		return
	}
	n := t.N
	r.bound.Order = append(r.bound.Order, compile.SortKey{Output: r.outputOf(by), Cell: by, Desc: !t.Asc})
	r.bound.Limit = &n
}

// alongTime says whether a number needs the axis: it runs along it, or stands beside that of another bucket.
func (r *resolver) alongTime() bool {
	if r.fills() || len(r.comparand) > 0 {
		return true
	}
	found := false
	for _, o := range r.outputs {
		each(o.cell, func(x *scalar) {
			found = found || x.Op == "cumulative" || x.Op == "moving" || x.Op == "index" || x.Op == "leaf" && (r.contexts[x.Ctx].Lag || r.leaves[x.Index].Map.Kind != "")
		})
	}
	return found
}
