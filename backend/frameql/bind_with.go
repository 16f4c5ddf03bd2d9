package frameql

import "strings"

// findDefinitions links every use of a name of WITH to its expression. A definition sees those before it, so that none
// is defined by itself; within it, its own name is that of the model.
func (r *resolver) findDefinitions() {
	levels := map[*Expr]int{}
	for i := range r.q.With {
		d := &r.q.With[i]
		r.link(d.Expr)
		if levels[d.Expr] = r.levels(d.Expr, levels); levels[d.Expr] > maxDepth {
			r.refuse(d, refusal("INVALID_QUERY", "frameql.too_deep", "depth", maxDepth))
			levels[d.Expr] = 0 // said once
		}
		r.defined[strings.ToLower(d.Name)] = d.Expr
	}
	if len(r.q.With) == 0 {
		return
	}
	for _, e := range r.expressions() {
		r.link(e)
	}
}

// levels says how deep an expression is nested, with the definitions that it names.
func (r *resolver) levels(e *Expr, known map[*Expr]int) int {
	if e == nil {
		return 0
	}
	if def := r.refers[e]; def != nil {
		return known[def]
	}
	deepest := r.levels(e.Of, known)
	for _, a := range e.Args {
		deepest = max(deepest, r.levels(a, known))
	}
	return deepest + 1
}

// link notes the definition that each name of an expression stands for.
func (r *resolver) link(e *Expr) {
	if e == nil {
		return
	}
	if def := r.defined[strings.ToLower(e.Metric)]; def != nil && e.Metric != "" {
		r.refers[e] = def
	}
	r.link(e.Of)
	for _, a := range e.Args {
		r.link(a)
	}
}

// definition gives the expression of WITH that a bare name stands for; nil when it is none.
func (r *resolver) definition(name string) *Expr {
	if r.q.With == nil {
		return nil
	}
	return r.defined[strings.ToLower(name)]
}

// bindUnused looks at the names of definitions that nothing uses, so that an unknown one is told too.
func (r *resolver) bindUnused() {
	used := map[*Expr]bool{}
	for _, def := range r.refers {
		used[def] = true
	}
	for i := range r.q.With {
		if !used[r.q.With[i].Expr] {
			r.touch(r.q.With[i].Expr)
		}
	}
}

// touch looks at the names of an expression that is not bound.
func (r *resolver) touch(e *Expr) {
	e.eachName(func(name, grain *string) {
		d := Dim{Name: *name}
		if grain != nil {
			d.Grain = *grain
		}
		if r.metric(*name) == nil && r.nothing(d) && r.definition(*name) == nil {
			r.refuseUnknown(d, e, forGrain)
		}
	})
}
