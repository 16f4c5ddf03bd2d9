package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patchAttribute is "show their names too" and "only the names": what is shown of each member.
func patchAttribute(p *patch) {
	d := p.draft
	if p.ranksShown(d) || p.comparesShown(d) {
		d.columns, d.subject, d.listing = nil, nil, false // patchTop ranks them, patchNumber keeps some
		return
	}
	p.namesOf()
	if p.u.cues["only"] { // "only the ones born in 1950": the attribute is part of the condition
		d.columns = slices.DeleteFunc(slices.Clone(d.columns), func(s slot) bool {
			return slices.ContainsFunc(frameql.Conjuncts(p.c.query.Where), func(c *frameql.Pred) bool {
				return slices.ContainsFunc(s.options, func(t target) bool { return t.dim != nil && dimensionName(t) == aboutOf(c) })
			})
		})
	}
	if len(d.columns) == 0 || d.top != nil && d.top.attribute {
		return
	}
	if len(p.members) == 0 {
		p.valuesOf()
		return
	}
	columns := d.columns
	d.columns = nil
	var items []frameql.Item
	for _, s := range columns {
		t, ok := p.c.pick(s)
		if own := p.ownNames(s.piece); len(own) > 0 && (s.near == nil || t.entity != s.near) && !slices.ContainsFunc(own, func(o target) bool { return o.dim == t.dim && o.entity == t.entity }) {
			t, ok = own[0], true
		}
		if !ok || t.dim == nil {
			p.broken = true
			return
		}
		items = append(items, frameql.Item{Dim: &frameql.Dim{Name: dimensionName(t)}})
	}
	if p.lists() && !p.adds() && p.draft.asksDistinct(columns[0].piece) { // "the distinct cities": each of them once
		p.query.At, p.query.Order, p.query.Limit = nil, nil, nil
		p.members = nil
	}
	if !p.adds() && !p.u.cues["open"] && p.lists() || len(p.members) == 0 { // "just the names", "show only the city"
		p.query.Select = slices.Clone(p.query.Select[:0:0])
	}
	for _, item := range items {
		if !(&composer{query: p.query}).selects(item.Dim.Name) {
			p.query.Select = slices.Insert(p.query.Select, p.lastDim(), item)
		}
	}
	p.did(PatchAttribute)
}

// namesOf takes a thing that each member has one of for the column of its name: "show their category too".
func (p *patch) namesOf() {
	s := p.draft.subject
	if s == nil || !p.u.cues["also"] || len(p.members) != 1 || len(p.draft.filters) > 0 {
		return
	}
	t, ok := p.c.pick(*s)
	if !ok || t.entity == nil || t.dim != nil || t.entity == p.members[0] || !p.ix.paths.reaches(p.members[0].Name, t.entity.Name) {
		return
	}
	for _, name := range p.ix.display(t.entity) {
		column := target{entity: t.entity, dim: p.ix.dimension(t.entity.Name, name)}
		if column.dim != nil {
			p.draft.columns = append(p.draft.columns, slot{piece: s.piece, options: []target{column}, near: t.entity})
			p.c.picks[s.piece] = column
			p.draft.subject, p.draft.listing = nil, false
			return
		}
	}
}

// lastDim gives the place behind the last column that is no number.
func (p *patch) lastDim() int {
	for i := len(p.query.Select); i > 0; i-- {
		if p.query.Select[i-1].Dim != nil {
			return i
		}
	}
	return 0
}

// valuesOf shows another dimension's values: "and their countries" behind a list of cities.
func (p *patch) valuesOf() {
	if !p.values() || len(p.draft.columns) != 1 {
		p.broken = true
		return
	}
	t, ok := p.c.pick(p.draft.columns[0])
	if !ok || t.dim == nil {
		p.broken = true
		return
	}
	p.draft.columns = nil
	item := frameql.Item{Dim: &frameql.Dim{Name: dimensionName(t)}}
	if p.adds() {
		p.query.Select = append(p.query.Select, item)
	} else {
		p.query.Select, p.query.Order = []frameql.Item{item}, nil
	}
	p.did(PatchAttribute)
}
