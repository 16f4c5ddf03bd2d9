package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// relation gathers the conditions that are about the same related rows.
type relation struct {
	quant    string
	column   bool // about the values of the column that is listed
	key      int  // piece of the clause of absence, or -1 minus the part of the question
	entities []*semantic.Entity
	places   []int // pieces of the entities
	named    bool  // the question names the rows
	preds    []*frameql.Pred
	each     [][]*frameql.Pred // lists of what must occur, one related row for each
	own      []*frameql.Pred   // conditions on the members themselves
}

// gathering sorts what a question says into relations.
type gathering struct {
	*composer
	all     []*relation
	counted [][]*frameql.Pred // conditions on the rows that a tally counts
}

func (g *gathering) find(quant string, key int) *relation {
	for _, r := range g.all {
		if r.quant == quant && r.key == key {
			return r
		}
	}
	r := &relation{quant: quant, key: key}
	g.all = append(g.all, r)
	return r
}

// at gives the relation that a piece of the question belongs to.
func (g *gathering) at(piece int) (quant string, key int) {
	if cl := g.draft.clauseOf(piece); cl != nil {
		return cl.quant, cl.from
	}
	return "any", -1 - g.draft.part(piece)
}

// clauses files the related rows that the question names.
func (g *gathering) clauses() {
	for _, cl := range g.draft.clauses {
		key := cl.from
		if cl.quant == "any" {
			key = -1 - g.draft.part(cl.from)
		}
		r := g.find(cl.quant, key)
		r.column = r.column || cl.column
		for _, m := range cl.members {
			t, _ := g.pick(m)
			r.about(t.entity, max(m.piece, cl.from))
			r.named = true
		}
	}
}

// condition files one condition on related rows.
func (g *gathering) condition(f filter) {
	d := g.draft
	t, _ := g.pick(f.slot)
	if k := d.tallyOver(f.piece, t.entity); k >= 0 {
		g.counted[k] = append(g.counted[k], g.composer.condition(f))
		return
	}
	quant, key := g.at(f.piece)
	if quant == "any" && f.op == "ne" && !slices.ContainsFunc(g.all, func(r *relation) bool { return r.key == key && r.named }) {
		quant, key, f.op = "no", len(d.pieces)+f.piece, "eq" // "a cat but not a dog"
	}
	r := g.sameRow(quant, key, t)
	if r == nil {
		r = g.find(quant, key)
	}
	r.about(t.entity, f.piece)
	if quant == "any" && len(f.values) > 1 && f.op == "eq" && d.allOf(f) {
		var ps []*frameql.Pred
		for _, v := range f.values {
			one := f
			one.values = []*piece{v}
			ps = append(ps, g.composer.condition(one))
		}
		r.each = append(r.each, ps)
		return
	}
	r.add(g.composer.condition(f))
}

// sameRow gives the relation whose rows a condition in a later part is about, when nothing else is named there and it is about
// just those rows: "who took Latin and got an A" got it in Latin. nil: there is none.
func (g *gathering) sameRow(quant string, key int, t target) *relation {
	if quant != "any" || t.entity == g.lead.rows || slices.ContainsFunc(g.all, func(r *relation) bool { return r.key == key }) {
		return nil
	}
	for _, r := range g.all {
		if r.quant != "any" || len(r.entities) == 0 || len(r.each) > 0 || slices.ContainsFunc(r.preds, func(p *frameql.Pred) bool { return p == nil || p.Dim == dimensionName(t) }) {
			continue // another value of one attribute is one of another row
		}
		if q := g.draft.ix.spanning(r.entities); q != nil && g.bridged(q, r.entities) == t.entity {
			return r
		}
	}
	return nil
}

// about files what a piece of the question names.
func (r *relation) about(e *semantic.Entity, piece int) {
	r.entities, r.places = append(r.entities, e), append(r.places, piece)
}

// add files a condition; a second value of one dimension is one of another row: "both the player A and the player B".
func (r *relation) add(p *frameql.Pred) {
	same := func(o *frameql.Pred) bool {
		return r.quant == "any" && o != nil && p != nil && o.Dim == p.Dim && o.Op == "eq" && p.Op == "eq"
	}
	if k := slices.IndexFunc(r.each, func(ps []*frameql.Pred) bool { return same(ps[0]) }); k >= 0 {
		r.each[k] = append(r.each[k], p)
	} else if k := slices.IndexFunc(r.preds, same); k >= 0 {
		r.each = append(r.each, []*frameql.Pred{r.preds[k], p})
		r.preds = slices.Delete(r.preds, k, k+1)
	} else {
		r.preds = append(r.preds, p)
	}
}

// period files the period of the question, where it is about related rows.
func (g *gathering) period() {
	d := g.draft
	if k := g.periodOfTally(); k >= 0 {
		g.counted[k] = append(g.counted[k], g.periodOf(*d.period, d.tallies[k].options[0].entity)...)
		return
	}
	if !g.periodApart() {
		return
	}
	r := g.find(g.at(d.periodAt))
	q := d.ix.spanning(r.entities)
	if q != nil {
		q = g.bridged(q, r.entities)
	}
	if q == nil {
		g.broken = true
		return
	}
	switch ps := g.periodsOf(q); {
	case len(ps) == 0 || slices.Contains(ps, nil):
		g.broken = true
	case len(ps) == 1:
		r.preds = append(r.preds, frameql.Conjuncts(ps[0])...)
	default:
		g.broken = g.broken || r.quant != "any"
		r.each = append(r.each, ps)
	}
	for _, p := range d.never {
		ps := g.periodOf(p.period, q)
		g.broken = g.broken || r.quant != "any" || len(ps) == 0
		if quant, key := g.at(p.piece); quant == "no" {
			no := g.find(quant, key)
			no.preds = append(no.preds, ps...)
			g.broken = g.broken || len(no.entities) == 0 || g.bridged(d.ix.spanning(no.entities), no.entities) != q
			continue
		}
		g.all = append(g.all, &relation{quant: "no", key: 2*len(d.pieces) + p.piece, entities: r.entities, preds: ps})
	}
}

// quantified gives the entity whose rows a relation is about; nil when there is nothing to write, or it is not clear.
func (c *composer) quantified(r *relation) *semantic.Entity {
	d := c.draft
	c.broken = c.broken || r.quant == "no" && d.ix.severalRows(c.lead.rows) != nil
	if len(r.entities) == 0 { // a denied condition of the members themselves is written with the others
		c.broken = c.broken || r.quant == "no" && !slices.ContainsFunc(d.filters, func(f filter) bool {
			cl := d.clauseOf(f.piece)
			return cl != nil && cl.from == r.key
		})
		return nil
	}
	q := d.ix.spanning(r.entities)
	if q != nil {
		q = c.bridged(q, r.entities)
	}
	if r.named {
		q = c.nest(r, q)
	}
	if q != nil && c.throughMember(q, r.entities) {
		c.broken = true
	}
	if q == nil || slices.Contains(r.preds, nil) || len(r.each) > 1 { // two lists that must occur: together or crosswise?
		c.broken = true
		return nil
	}
	return q
}

// throughMember says whether the way from related rows to what a condition is about leads back over the member itself:
// the department of the courses that a student takes is not the student's own.
func (c *composer) throughMember(q *semantic.Entity, about []*semantic.Entity) bool {
	paths := c.draft.ix.paths
	back, ok := paths.distance(q.Name, c.lead.rows.Name)
	if !ok || back == 0 {
		return false
	}
	return slices.ContainsFunc(about, func(e *semantic.Entity) bool {
		own, reached := paths.distance(c.lead.rows.Name, e.Name)
		all, near := paths.distance(q.Name, e.Name)
		return reached && near && own > 0 && all == back+own
	})
}

// occurring writes a relation as one of the rows of a listed value.
func (c *composer) occurring(r *relation, q *semantic.Entity) *frameql.Pred {
	inside := r.preds
	if q != c.lead.rows {
		inside = []*frameql.Pred{{Quant: "any", Entity: q.Name, Pred: frameql.AllOf(r.preds)}}
	}
	return c.occur(inside, r.quant == "no")
}

// quantifiers writes a relation of the members.
func (c *composer) quantifiers(r *relation, q *semantic.Entity) (out []*frameql.Pred) {
	if r.quant == "all" { // who has none does not meet it
		c.broken = c.broken || len(r.preds) == 0
		out = append(out, &frameql.Pred{Quant: "any", Entity: q.Name})
	}
	if r.quant == "any" && c.draft.ix.inSeveral(q, c.lead.rows) {
		c.broken = true // in which role a row must have the member is not said here
	}
	if len(r.each) == 0 {
		if r.quant == "any" && len(r.preds) == 0 && c.lead.via != nil && c.draft.ix.paths.reaches(c.lead.rows.Name, q.Name) {
			return nil // the rows through which the members are counted are of them anyway
		}
		return append(append(out, &frameql.Pred{Quant: r.quant, Entity: q.Name, Pred: frameql.AllOf(r.preds)}), r.own...)
	}
	for _, p := range r.each[0] {
		if p == nil {
			c.broken = true
			return nil
		}
		out = append(out, &frameql.Pred{Quant: r.quant, Entity: q.Name, Pred: frameql.AllOf(append(slices.Clone(r.preds), frameql.Conjuncts(p)...))})
	}
	return out
}
