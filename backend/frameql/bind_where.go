package frameql

import (
	"slices"
	"strings"
)

// conjunct is one condition of WHERE.
type conjunct struct {
	pred       *Pred
	dimensions []string // "entity.dimension" that it mentions
	computed   bool     // it compares with a number of a query of its own
}

// mentions says whether a condition is written over a dimension, by the way that leads to it: what the model computes a
// dimension from, and what a number of its own is computed at, are not mentioned.
func (c conjunct) mentions(b ref) bool { return c.pred.isOver(b) }

func (p *Pred) isOver(b ref) bool {
	if p == nil {
		return false
	}
	is := func(name string) bool {
		return strings.EqualFold(name, b.name.Name) || strings.HasPrefix(strings.ToLower(name), strings.ToLower(b.name.Name)+".")
	}
	inside := func(one *Pred) bool { return one.isOver(b) }
	return is(p.Dim) || is(p.Entity) || p.ValDim != nil && is(p.ValDim.Name) || p.Not.isOver(b) || p.Pred.isOver(b) ||
		slices.ContainsFunc(p.And, inside) || slices.ContainsFunc(p.Or, inside)
}

// bindWhere binds the conditions on rows, one filter for each conjunct, for every source.
func (r *resolver) bindWhere() {
	if r.q.Where != nil {
		r.q.Where = flattened(r.q.Where)
	}
	conjuncts := Conjuncts(r.q.Where)
	for _, c := range conjuncts {
		before := r.usedDims
		r.usedDims = map[string]bool{}
		computed := holdsQuery(c)
		if all := r.condition(c); all != nil {
			for s, one := range all {
				r.sources[s].where = append(r.sources[s].where, one)
			}
			used := sortedKeys(r.usedDims)
			r.conjuncts = append(r.conjuncts, conjunct{c, used, computed})
			r.plan.Filters = append(r.plan.Filters, FilterUse{Text: c.String(), Dimensions: used})
		}
		for d := range r.usedDims {
			before[d] = true
		}
		r.usedDims = before
	}
	if p := r.periodCondition(); p != nil {
		r.sources[0].where = append(r.sources[0].where, p)
	}
}

// holdsQuery says whether a condition holds an operand or IN TOP.
func holdsQuery(p *Pred) bool {
	if p == nil {
		return false
	}
	return p.Expr != nil || p.Left != nil || holdsQuery(p.Not) || holdsQuery(p.Pred) ||
		slices.ContainsFunc(p.And, holdsQuery) || slices.ContainsFunc(p.Or, holdsQuery)
}
