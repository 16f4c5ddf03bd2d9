package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// bridge is an entity whose rows relate two others many to many: each of its rows leads to one row of either.
type bridge struct {
	entity     *semantic.Entity
	near, onto []int // paths to the one and to the other
}

// bridges gives the entities that relate two others, neither of which leads to the other, but none that only refines another
// of them.
func (r *resolver) bridges(near, far *semantic.Entity) []bridge {
	var all []bridge
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		for _, a := range r.plainest(r.shortest(e.Name, near.Name)) {
			for _, b := range r.plainest(r.shortest(e.Name, far.Name)) {
				all = append(all, bridge{e, a, b})
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(b bridge) bool {
		return slices.ContainsFunc(all, func(o bridge) bool { return o.entity != b.entity && r.reaches(b.entity.Name, o.entity.Name) })
	})
}

// relatedAcross is a quantifier over rows that a bridge relates to those of a source.
func (r *resolver) relatedAcross(p *Pred, src *source, far *semantic.Entity) *scalar {
	all := r.bridges(src.entity, far)
	if len(all) != 1 {
		r.refuseUnrelated(p, src.entity, far, all)
		return nil
	}
	b := all[0]
	r.joinable(b.near, p)
	r.joinable(b.onto, p)
	in := &innerSource{source: newSource(b.entity)}
	n := r.nodeFor(in.source, b.onto)
	if p.Pred != nil {
		inner := r.innerCondition(p.Pred, far)
		if inner == nil {
			return nil
		}
		in.where = r.moved(inner, in.source, n)
	}
	var there *scalar
	if !in.source.nodes[n].total || len(b.onto) > 1 {
		there = r.partner(in.source, n)
	}
	return r.existing(p, src, in, there, meeting{nil, b.near})
}

// bridgeTo gives the one entity without amounts of its own through which the rows of a fact have several members of another,
// and only those: a ticket its tags. nil: there is none, or it is a fact itself.
func (r *resolver) bridgeTo(fact, far *semantic.Entity) *semantic.Entity {
	if r.reaches(far.Name, fact.Name) {
		return nil
	}
	all := r.bridges(fact, far)
	if len(all) != 1 || slices.ContainsFunc(all[0].entity.Dimensions, func(d semantic.Dimension) bool { return d.Measure }) {
		return nil
	}
	e := all[0].entity
	for i := range r.model.Metrics {
		if m := &r.model.Metrics[i]; strings.EqualFold(m.Entity, e.Name) && leafy(m) && m.Reducer != semantic.Count && m.Reducer != semantic.CountDistinct {
			return nil
		}
	}
	return e
}
