package frameql

import "slices"

// bindTop binds TOP n dim BY key: the dimension is part of the grain.
func (r *resolver) bindTop() {
	t := r.q.Top
	if t == nil {
		return
	}
	by, ok := r.sortKey(&t.By, &t.By)
	b, found := r.dimension(t.Dim, &t.Dim, forGrain)
	if !found {
		return
	}
	t.Dim = b.name
	part := slices.IndexFunc(r.bound.parts, func(g grainPart) bool { return g.ref.same(b) })
	if part < 0 {
		r.refuseTopDimension(b)
		return
	}
	if !ok {
		return
	}
	members := r.bound.parts[part].keys // none for the rows of an entity without a key
	if len(members) < len(r.bound.grainKeys()) && by.expr.uses("key") {
		r.refuseTopKey(t)
		return
	}
	r.bound.top = &boundTop{n: t.N, members: members, by: by.expr, asc: t.Asc}
	r.plan.Top = &TopUse{N: t.N, Dimension: b.fullName(), By: keyText(t.By), Asc: t.Asc}
}

func keyText(k Key) string {
	var w printer
	w.key(&k)
	return w.String()
}

// bindOrder binds ORDER BY.
func (r *resolver) bindOrder() {
	for i := range r.q.Order {
		o := &r.q.Order[i]
		if k, ok := r.sortKey(&o.Key, o); ok {
			k.desc = o.Desc
			r.bound.order = append(r.bound.order, k)
		}
	}
}

func (r *resolver) sortKey(k *Key, place any) (boundKey, bool) {
	if k.Expr != nil {
		s := r.expr(k.Expr)
		return boundKey{output: -1, expr: s}, s != nil
	}
	o, name, ok := r.outcome(k.Out, place)
	k.Out = name
	if !ok {
		return boundKey{}, false
	}
	out := slices.IndexFunc(r.bound.outputs, func(c output) bool { return sameColumn(c.expr, o.value) })
	return boundKey{output: out, expr: o.value}, true
}

// sameColumn says whether two expressions are one column of the grouped result, or one and the same expression.
func sameColumn(a, b *scalar) bool {
	return a == b || (a.op == "key" || a.op == "leaf") && a.op == b.op && a.index == b.index
}
