package frameql

import (
	"strings"

	"assay/backend/compile"
	"assay/backend/text"
)

// maxNesting bounds queries within conditions within queries.
const maxNesting = 4

// computed binds a number that a query of its own computes, (x AT g), for the rows of each source: it is found by the
// row's values of g. That query keeps to DURING and to the conditions that hold no such number.
func (r *resolver) computed(e *Expr, p *Pred) []operand {
	inner := e.clone()
	if e.Op == "at" {
		inner = e.Args[0].clone()
	} else {
		inner.At = nil
	}
	for i := range e.At.IgnoreDims {
		b, ok := r.dimension(e.At.IgnoreDims[i], p, forFilter)
		if !ok {
			return nil
		}
		e.At.IgnoreDims[i] = b.name
	}
	q := r.inner(e.At)
	q.Select = []Item{{Expr: inner}}
	sub := r.subquery(q, p)
	if sub == nil {
		return nil
	}
	if sub.plan.Listing {
		r.refuse(p, refusal("REDUCER_REQUIRED", "frameql.reducer_required", "name", inner.String()), r.withoutCondition(p))
		return nil
	}
	ignoring := e.At
	ignoring.Dims = sub.q.At.Dims
	bound := sub.q.Select[0].Expr
	if e.Op == "at" {
		e.Args[0] = bound
	} else {
		*e = *bound
		e.At = ignoring
	}
	keys, ok := r.lookupKeys(sub, p)
	if !ok {
		return nil
	}
	value := sub.outputs[len(sub.outputs)-1].cell
	var all []operand
	for s := range r.sources {
		l := &scalar{
			Op: "lookup", Index: len(sub.grain), Type: value.Type, Currency: value.Currency,
			Sub: &compile.Sub{Lookup: &compile.Lookup{Query: sub.plan.bound, Keys: keys[s]}},
		}
		all = append(all, operand{value: l, name: e.String()})
	}
	return all
}

// inner is the query of an operand at a grain, without what it asks for.
func (r *resolver) inner(g *Grain) *Query {
	q := &Query{V: 1, At: &Grain{}}
	c := r.q.Clone()
	q.With, q.Options, q.Time = c.With, c.Options, c.Time
	if g != nil {
		q.At.Dims = g.clone().Dims
	}
	var kept []*Pred
	for _, one := range Conjuncts(r.q.Where) {
		if !holdsQuery(one) && (g == nil || !g.IgnoreFilters && !r.mentionsAny(one, g.IgnoreDims)) {
			kept = append(kept, one.clone())
		}
	}
	q.Where = AllOf(kept)
	return q
}

// mentionsAny says whether a condition is about one of some dimensions, at any grain.
func (r *resolver) mentionsAny(p *Pred, dims []Dim) bool {
	found := false
	p.eachName(func(name, grain *string) {
		if grain == nil {
			return
		}
		for _, c := range r.meanings(Dim{Name: *name, Grain: *grain}) {
			for _, d := range dims {
				for _, o := range r.meanings(d) {
					found = found || c.entity == o.entity && (c.dim == o.dim || o.dim == nil)
				}
			}
		}
	})
	return found
}

// subquery resolves a query within a condition. What it is refused for is told of the condition. A period that it has no
// time for does not apply to it.
func (r *resolver) subquery(q *Query, p *Pred) *resolver {
	if r.nesting == maxNesting {
		r.refuse(p, refusal("INVALID_QUERY", "frameql.too_nested"), r.withoutCondition(p))
		return nil
	}
	resolve := func() *resolver {
		sub := newResolver(q, r.env, r.lexicon)
		sub.parsed, sub.hint, sub.nesting = true, r.fact(), r.nesting+1
		if r.matching {
			sub.ends = r.period.To
		}
		if sub.resolve() != nil {
			return sub
		}
		if q.Time != nil && q.Time.On == nil {
			for _, x := range sub.problems {
				if strings.HasPrefix(x.Code, "TIME_DIMENSION") {
					q.Time = nil
					return nil
				}
			}
		}
		for _, x := range sub.problems {
			why := x.Refusal
			r.refuse(p, &why, r.withoutCondition(p))
		}
		return nil
	}
	timed := q.Time != nil
	sub := resolve()
	if sub == nil && timed && q.Time == nil {
		if sub = resolve(); sub != nil {
			r.assume("frameql.assume_timeless", "expression", q.Select[len(q.Select)-1].text())
		}
	}
	if sub == nil {
		return nil
	}
	r.useInner(sub)
	return sub
}

// useInner notes what a query within a condition uses.
func (r *resolver) useInner(sub *resolver) {
	for m := range sub.usedMetrics {
		r.usedMetrics[m] = true
	}
	r.innerDims = append(r.innerDims, sub.plan.Dimensions...) // no part of the condition: IGNORING does not look at them
	for _, e := range sub.plan.Entities {
		r.noteEntity(e)
	}
	for _, j := range sub.plan.Joins {
		r.noteUse(j)
	}
	r.plan.Complexity.Subqueries++
}

// lookupKeys gives, for each source, the row's values of the grain of a query within a condition.
func (r *resolver) lookupKeys(sub *resolver, p *Pred) ([][]*scalar, bool) {
	keys := make([][]*scalar, len(r.sources))
	seen := map[int]bool{}
	for _, part := range sub.parts {
		b, ok := r.dimension(part.ref.name, p, forFilter)
		if !ok {
			return nil, false
		}
		for i, k := range r.keyRefs(b) {
			if seen[part.keys[i]] {
				continue
			}
			seen[part.keys[i]] = true
			for s := range r.sources {
				v := r.on(k, s)
				if v == nil {
					return nil, false
				}
				keys[s] = append(keys[s], v)
			}
		}
	}
	return keys, true
}

// computedLeft binds a comparison whose left side is a computed number.
func (r *resolver) computedLeft(p *Pred) []*scalar {
	left := r.computed(p.Left, p)
	if left == nil {
		return nil
	}
	right, ok := r.rightSide(p)
	if !ok {
		return nil
	}
	return r.compared(p, left, right)
}

// inTop binds dim IN TOP n BY m: whether the row's member is among the first n.
func (r *resolver) inTop(p *Pred, b ref) []*scalar {
	q := r.inner(nil)
	q.At.Dims = []Dim{b.name}
	q.Select = []Item{{Expr: p.Expr.clone(), As: "ranked_by"}}
	q.Top = &Top{N: p.N, Dim: b.name, By: Key{Out: "ranked_by"}}
	sub := r.subquery(q, p)
	if sub == nil {
		return nil
	}
	if sub.q.Select[0].Expr == nil {
		r.refuse(p, refusal("INVALID_ORDER_OR_TOP", "frameql.top_key", "name", p.Expr.String(), "dimension", b.name.String()), r.withoutCondition(p))
		return nil
	}
	p.Expr = sub.q.Select[0].Expr
	keys, ok := r.lookupKeys(sub, p)
	if !ok {
		return nil
	}
	var all []*scalar
	for s := range r.sources {
		all = append(all, isTrue("in_top"))
		all[s].Sub = &compile.Sub{Lookup: &compile.Lookup{Query: sub.plan.bound, Keys: keys[s]}}
	}
	return all
}

// withoutCondition leaves a whole conjunct of WHERE or HAVING out.
func (r *resolver) withoutCondition(p *Pred) edit {
	return r.edited(text.Say("frameql.repair_without", "what", shorten(p.String(), 60)), func(q *Query) {
		drop := p.String()
		is := func(c *Pred) bool { return c.String() == drop || len(c.And) == 0 && c.holds(drop) }
		q.Where, q.Having = q.Where.without(is), q.Having.without(is)
	})
}

// holds says whether a condition has another one within.
func (p *Pred) holds(text string) bool {
	if p == nil {
		return false
	}
	for _, c := range append(append([]*Pred{p.Not}, p.And...), p.Or...) {
		if c.String() == text || c.holds(text) {
			return true
		}
	}
	return false
}
