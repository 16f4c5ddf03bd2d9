package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// span of pieces.
type stretch struct{ from, to int }

// instruction gives the sentence that only says which columns to return: "How many orders were shipped to Germany? Return
// the number of orders and the total freight". It is read after the question, whose members it is about.
func (d *draft) instruction() stretch {
	for i := 1; i < len(d.pieces); i++ {
		if !d.is(i, listPiece, "list") || !d.sentenceBefore(i) || !d.demands(i) {
			continue
		}
		to := i + 1
		for to < len(d.pieces) && !d.sentenceBefore(to) && !d.is(to, orderPiece) {
			to++
		}
		return stretch{i, to}
	}
	return stretch{}
}

// sentenceBefore says whether a sentence ends before a piece.
func (d *draft) sentenceBefore(i int) bool {
	return slices.ContainsFunc(d.between(i-1, i), func(t token) bool { return t.norm == "?" || t.norm == "." || t.norm == ";" || t.norm == ":" })
}

// demands says whether a list word is an imperative: "return", not "which are".
func (d *draft) demands(i int) bool {
	first := d.tokens[d.pieces[i].from].norm
	return first != "what" && first != "who" && first != "which"
}

// hide takes a stretch out of the question; show puts it back as it was.
func (d *draft) hide(s stretch) (show func()) {
	kept := slices.Clone(d.pieces[s.from:s.to])
	d.pieces = slices.Clone(d.pieces)
	for i := s.from; i < s.to; i++ {
		d.pieces[i] = &piece{kind: wallPiece, from: kept[i-s.from].from, to: kept[i-s.from].to}
		d.uses[i] = use{slot: connects}
	}
	return func() {
		for i := s.from; i < s.to; i++ {
			d.pieces[i], d.uses[i] = kept[i-s.from], use{}
		}
	}
}

// readReturn adds the columns that an instruction lists to what the question asks for: attributes of its members, and
// numbers.
func (d *draft) readReturn(s stretch) {
	owner := d.memberMeant()
	for i := s.from; i < s.to; i++ {
		if !d.free(i) || d.is(i, gluePiece) || d.is(i, listPiece) || d.is(i, groupPiece) {
			continue
		}
		if d.repeats(i, owner) {
			if d.free(i+1) && d.is(i+1, namePiece) && d.tokens[d.pieces[i+1].from].lemma == "name" { // "the country name"
				d.take(i+1, connects, "")
			}
			continue
		}
		if columns := d.returned(i, owner); columns != nil {
			d.shown = append(d.shown, columns...)
			d.take(i, "dimension", columns[0].options[0].name())
			continue
		}
		end := i + 1
		for end < s.to && !d.is(end, gluePiece, "and") {
			end++
		}
		for ; end > i; end-- {
			if m, sub := d.numberIn(i, end); m != nil && d.addReturned(*m) {
				d.adopt(sub, i, end)
				break
			}
		}
	}
	if d.listing {
		d.columns, d.shown = append(d.columns, d.shown...), nil
	}
}

// memberMeant gives the entity whose members the question is about; nil when it is about none.
func (d *draft) memberMeant() *semantic.Entity {
	if d.listing && d.subject != nil && len(d.subject.options) > 0 {
		return d.subject.options[0].entity
	}
	for _, g := range d.groups {
		if len(g.options) > 0 {
			return g.options[0].entity
		}
	}
	return nil
}

// repeats takes a word that names again what the rows stand for: the member, or a dimension that they are split by.
func (d *draft) repeats(i int, owner *semantic.Entity) bool {
	for k := range d.groups {
		g := &d.groups[k]
		if d.is(i, grainPiece) && g.grain == d.pieces[i].id {
			d.take(i, "grain", g.grain)
			return true
		}
		var same []target
		for _, o := range g.options {
			if slices.ContainsFunc(d.names(i, isMember), func(t target) bool { return t.entity == o.entity && t.dim == o.dim }) {
				same = append(same, o)
			}
		}
		if len(same) > 0 {
			g.options = same
			d.take(i, "dimension", same[0].name())
			return true
		}
	}
	if owner != nil && slices.ContainsFunc(d.entities(i), func(t target) bool { return t.entity == owner }) {
		d.take(i, "entity", owner.Name)
		return true
	}
	return false
}

// returned gives the attributes of the members that a piece names.
func (d *draft) returned(i int, owner *semantic.Entity) []slot {
	if owner == nil || d.is(i-1, aggregatePiece) {
		return nil
	}
	own := d.names(i, func(t target) bool { return isDimension(t) && d.ix.paths.reaches(owner.Name, t.entity.Name) })
	if len(own) == 0 || len(d.metrics(i)) > 0 && isNumeric(own[0]) && !d.listing {
		return nil
	}
	return []slot{{piece: i, options: own, near: owner}}
}

// addReturned adds a number to those that are asked for. Members that are only listed become what it is split by.
func (d *draft) addReturned(m measure) bool {
	if d.listing {
		if d.top != nil || d.subject == nil {
			return false
		}
		d.groups, d.listing = []slot{*d.subject}, false
		d.shown, d.columns, d.subject = append(d.columns, d.shown...), nil, nil
	}
	d.measures = append(d.measures, m)
	return true
}
