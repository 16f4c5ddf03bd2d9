package frameql

import (
	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// rowMetric binds (metric AT grain) in a filter of the model: a number that a query of its own computes, found by the row's
// values of the grain. It belongs to the definition of a metric, so that it looks at all rows: neither WHERE nor DURING of
// the question reach it.
func (r *resolver) rowMetric(s *source, e *semantic.Expr, n int, object string, depth int) *scalar {
	failed := &scalar{Op: "null"}
	if r.nesting == maxNesting {
		r.refuseModel(object, text.Say("frameql.too_nested"))
		return failed
	}
	q := &Query{V: 1, At: &Grain{}, Select: []Item{{Expr: &Expr{Metric: e.Name}}}, Options: r.q.Clone().Options}
	for _, d := range e.Args {
		q.At.Dims = append(q.At.Dims, Dim{Name: d.Name})
	}
	sub := newResolver(q, r.env, r.lexicon)
	sub.parsed, sub.nesting = true, r.nesting+1
	if sub.resolve() == nil {
		for _, p := range sub.problems[:min(1, len(sub.problems))] {
			r.refuseModel(object, p.Message)
		}
		return failed
	}
	if len(sub.parts) != len(e.Args) {
		r.refuseModel(object, text.Say("frameql.grain_twice", "expression", e.String()))
		return failed
	}
	r.useInner(sub)
	l := &compile.Lookup{Query: sub.plan.bound}
	seen := map[int]bool{}
	for i, part := range sub.parts {
		for k, key := range sub.keyRefs(part.ref) {
			if seen[part.keys[k]] {
				continue
			}
			seen[part.keys[k]] = true
			name := e.Args[i].Name
			if part.ref.dim == nil {
				name += "." + key.dim.Name
			}
			l.Keys = append(l.Keys, r.rowIdent(s, name, n, object, depth))
		}
	}
	value := sub.outputs[len(sub.outputs)-1].cell
	return &scalar{Op: "lookup", Index: len(sub.grain), Type: value.Type, Currency: value.Currency, Sub: &compile.Sub{Lookup: l}}
}
