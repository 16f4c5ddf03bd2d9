package frameql

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/text"
)

// checkSize refuses a result that is far larger than may be shown, where about how large it is can be known.
func (r *resolver) checkSize() {
	limit := r.settings.maxRows
	if r.nesting > 0 {
		return
	}
	rows := r.resultRows()
	if rows <= float64(limit) {
		return
	}
	first := min(100, limit)
	var edits []edit
	if len(r.metrics) > 0 && len(r.parts) > 0 && len(r.parts[0].keys) > 0 && r.q.Top == nil {
		by, part := r.metrics[0].Name, r.parts[0].ref.name
		edits = append(edits, r.edited(text.Say("frameql.repair_top", "n", first, "name", part.String()), func(q *Query) {
			q.Top = &Top{N: first, Dim: part, By: Key{Out: by}}
		}))
	}
	edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", "LIMIT "+strconv.Itoa(first)), func(q *Query) { q.Limit = &first }))
	for i := len(r.parts) - 1; i >= 0 && len(r.parts) > 1; i-- {
		edits = append(edits, r.without(r.parts[i].ref.name.String()))
	}
	r.refuse(nil, refusal("CARDINALITY_LIMIT", "frameql.too_many_rows", "rows", int64(rows), "limit", limit), edits...)
}

// resultRows estimates how many rows the result has: no more than there are rows of the facts under WHERE and DURING, no
// more than the members of the grain make together, and no more than TOP and LIMIT leave. Values are taken to be evenly
// spread. 0 when something decides that nobody counted: a range, a text pattern, a quantifier, HAVING. Such a result may be
// small, and is cut and said to be cut when it is not.
func (r *resolver) resultRows() float64 {
	if r.q.Having != nil {
		return 0
	}
	kept := map[string]float64{} // by "entity.dimension": the part of its members that WHERE keeps
	for _, p := range Conjuncts(r.q.Where) {
		name, part := r.keeps(p)
		if before, twice := kept[name]; !twice || part < before {
			kept[name] = part
		}
	}
	rows := r.factRows(kept)
	if !(r.bound.Listing && len(r.grain) == 0) {
		rows = min(rows, r.members(kept, rows))
	}
	if l := r.bound.Limit; l != nil {
		rows = min(rows, float64(*l))
	}
	return rows
}

// factRows is about how many rows the facts have under the conditions and in the period; 0: not known.
func (r *resolver) factRows(kept map[string]float64) float64 {
	all := 0.0
	for _, s := range r.sources {
		n := float64(r.rows(s.entity.Name))
		if n == 0 {
			return 0
		}
		all += n
	}
	for _, part := range kept {
		all *= part
	}
	if r.period != nil {
		all *= r.periodPart(r.period)
	}
	return all
}

// periodPart is the part of the covered time that lies within the period, which is 1 of all time; 0: none, or not known.
func (r *resolver) periodPart(p *PeriodUse) float64 {
	if p.From.IsZero() && p.To.IsZero() {
		return 1
	}
	first, last, ok := r.coverage(p.On)
	if !ok {
		return 0
	}
	from, to := dayOf(first), dayOf(last).AddDate(0, 0, 1)
	whole := to.Sub(from)
	if p.From.After(from) {
		from = p.From
	}
	if !p.To.IsZero() && p.To.Before(to) {
		to = p.To
	}
	return max(float64(to.Sub(from)), 0) / float64(whole)
}

// members multiplies the sizes of the parts of the grain; it stops where they are as many as the rows. TOP leaves n members
// of its dimension, and one more for the rest. 0: not known.
func (r *resolver) members(kept map[string]float64, rows float64) float64 {
	n, topped := 1.0, false
	top := r.bound.Top
	for _, k := range r.grain {
		size := 0.0
		switch {
		case top != nil && slices.Contains(top.Members, k):
			if topped { // several columns make one member
				continue
			}
			topped, size = true, float64(top.N)
			if top.Other {
				size++
			}
		default:
			size = r.sizeUnder(k, kept)
		}
		if n *= size; n >= rows && top == nil {
			break
		}
	}
	return n
}

// sizeUnder is about how many values of a key are left by conditions on it, on its entity, and on what it leads to; 0:
// not known.
func (r *resolver) sizeUnder(k int, kept map[string]float64) float64 {
	b := r.keys[k].ref
	size := float64(r.sizeOf(k))
	if size == 0 {
		return 0
	}
	if b.axis && r.period != nil {
		size = size*r.periodPart(r.period) + 1
	}
	if b.grain != "" || b.axis { // the times of some rows are about those of all
		return size
	}
	for name, part := range kept {
		if entity, _, _ := strings.Cut(name, "."); r.reaches(b.entity.Name, entity) {
			size *= part
		}
	}
	return max(size, 1)
}

// keeps gives the dimension of a condition and the part of its values that pass; 0 when that is not known.
func (r *resolver) keeps(p *Pred) (name string, part float64) {
	if p.Dim == "" || p.Grain != "" || r.env.Distinct == nil {
		return "", 0
	}
	chosen := 0
	switch {
	case p.Op == "eq" && p.Val != nil:
		chosen = 1
	case p.Op == "in":
		chosen = len(p.Vals)
	default:
		return "", 0
	}
	i := slices.IndexFunc(r.conjuncts, func(c conjunct) bool { return c.pred == p && len(c.dimensions) == 1 })
	if i < 0 {
		return "", 0
	}
	name = r.conjuncts[i].dimensions[0]
	all := r.env.Distinct(name)
	if all <= 0 {
		return "", 0
	}
	return name, min(float64(chosen)/float64(all), 1)
}

// sizeOf is about how many values a key has; 0: not known.
func (r *resolver) sizeOf(k int) int64 {
	b := r.keys[k].ref
	if b.part != nil {
		return int64(b.part.Size)
	}
	if b.grain == "" && !b.axis {
		if r.env.Distinct == nil {
			return 0
		}
		return r.env.Distinct(b.fullName())
	}
	first, last, ok := r.coverage(b.fullName())
	if !ok {
		return 0
	}
	return int64(last.Sub(first).Hours()/24/r.calendar.days(b.unit())) + 1
}
