package frameql

import (
	"slices"

	"assay/backend/compile"
)

func keyText(k Key) string {
	var w printer
	w.key(&k)
	return w.String()
}

// bindOrder binds ORDER BY, and the limit of rows.
func (r *resolver) bindOrder() {
	for i := range r.q.Order {
		o := &r.q.Order[i]
		if k, ok := r.sortKey(&o.Key, o); ok {
			k.Desc = o.Desc
			r.bound.Order = append(r.bound.Order, k)
		}
	}
	r.orderByParts()
	if r.q.Limit != nil {
		r.bound.Limit, r.bound.Offset = r.q.Limit, r.q.Offset
	}
}

func (r *resolver) sortKey(k *Key, place any) (compile.SortKey, bool) {
	if k.Expr != nil {
		s := r.expr(k.Expr, stand{keys: r.grain})
		return compile.SortKey{Output: r.outputOf(s), Cell: s}, s != nil
	}
	o, name, ok := r.outcome(k.Out, place)
	k.Out = name
	if !ok {
		return compile.SortKey{}, false
	}
	return compile.SortKey{Output: r.outputOf(o.value), Cell: o.value}, true
}

// outputOf gives the column that shows a cell; -1: none does.
func (r *resolver) outputOf(s *scalar) int {
	if s == nil {
		return -1
	}
	mine := signature(s)
	return slices.IndexFunc(r.outputs, func(o output) bool { return signature(o.cell) == mine })
}
