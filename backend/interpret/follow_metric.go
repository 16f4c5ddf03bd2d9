package interpret

import (
	"assay/backend/frameql"
)

// patchMetric is "what about units sold?", "actually, I meant gross revenue", "and orders too": another number over the
// same rows, in place of the one that is there or beside it.
func patchMetric(p *patch) {
	d := p.draft
	if len(d.measures) == 0 && d.subject != nil && p.u.tied() && len(p.numbers) == 1 && isEntity(p.lead.t) && len(d.filters) == 0 {
		p.countOther()
		return
	}
	if len(d.measures) == 0 || d.top != nil {
		return
	}
	if len(p.numbers) == 0 {
		p.attributes()
		return
	}
	measures := d.measures
	d.measures = nil
	add := p.adds() && !p.u.cues["instead"]
	if !add && len(p.numbers) > 1 && len(measures) < len(p.numbers) {
		p.broken = true // which of them?
		return
	}
	for k, m := range measures {
		e := p.c.expr(m)
		if !add && k < len(p.numbers) {
			p.replaceItem(p.numbers[k], e)
			continue
		}
		p.query.Select = append(p.query.Select, frameql.Item{Expr: e})
	}
	p.query.From = nil
	if (&composer{query: p.query}).starOnly() {
		t, _ := p.c.pick(measures[0].slot)
		if t.entity == nil {
			t = p.lead.t
		}
		p.query.From = []string{t.entity.Name}
	}
	p.did(PatchMetric)
	if p.u.cues["correct"] {
		p.did(PatchCorrect)
	}
}

// countOther is "what about friends?" behind "how many students are there?".
func (p *patch) countOther() {
	t, ok := p.c.pick(*p.draft.subject)
	if !ok || t.entity == p.lead.t.entity || p.query.Where != nil || p.query.Time != nil || len(p.columns) > 0 {
		return
	}
	e := p.ix.number(measure{star: true}, target{entity: t.entity}, nil)
	p.query = &frameql.Query{V: 1, Select: []frameql.Item{{Expr: e}}}
	if e.Star {
		p.query.From = []string{t.entity.Name}
	}
	p.draft.subject = nil
	p.did(PatchMetric)
}

// attributes takes numbers of a fragment as columns of a listing: "and their weight".
func (p *patch) attributes() {
	if !p.lists() && (!p.values() || !p.adds()) {
		p.broken = true
		return
	}
	measures := p.draft.measures
	p.draft.measures = nil
	for _, m := range measures {
		own := p.ownNames(m.piece)
		if m.reduce != "" && !m.assumed || len(own) == 0 {
			p.broken = true
			return
		}
		p.draft.columns = append(p.draft.columns, slot{piece: m.piece, options: own})
		p.c.picks[m.piece] = own[0]
	}
}

// ownNames gives the attributes of the members that a piece may mean.
func (p *patch) ownNames(i int) []target {
	var out []target
	if i < 0 || i >= len(p.draft.pieces) {
		return nil
	}
	owner := p.lead.rows
	if len(p.members) > 0 {
		owner = p.members[0]
	}
	for _, t := range p.draft.pieces[i].names {
		if isDimension(t) && t.entity == owner && (len(p.members) > 0 || p.values()) {
			out = append(out, t)
		}
	}
	return out
}
