package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readShown reads the attributes that a question asks of members which a number keeps or ranks: "the name and address of
// the customers with more than 10 orders", "the city of the supplier with the most products".
func readShown(d *draft) {
	for k, g := range d.groups {
		if g.piece < 0 || len(g.options) == 0 {
			continue
		}
		if asked := d.asksName(g.piece); asked || d.nameOf(g.piece) {
			if !asked {
				d.take(g.piece-2, connects, "")
			}
			if es := d.pieceEntities(g.piece); g.grain == "" && slices.ContainsFunc(g.options, isEntity) { // what has a name is a member, and no column that is called so
				d.groups[k].options = es
				if d.top != nil && d.top.member.piece == g.piece {
					d.top.member.options = es
				}
			}
			continue
		}
		if !isEntity(g.options[0]) {
			continue
		}
		items := d.attributesBefore(g.piece)
		for _, i := range items {
			s := slot{piece: i, options: d.attributesOf(i, g.options[0]), near: g.options[0].entity}
			d.shown = append(d.shown, s)
			d.take(i, "dimension", s.options[0].name())
		}
	}
}

// splitInstead gives the attribute that members are counted by, where a count of the members themselves keeps or ranks them:
// "the classes of races that have two or more races" are classes, because each race is one race.
func (d *draft) splitInstead(m measure, member int) (slot, bool) {
	es := d.pieceEntities(member)
	if !m.star && !slices.ContainsFunc(m.options, isMetric) || len(es) == 0 || !slices.ContainsFunc(m.options, func(t target) bool { return d.countsRows(t, es[0]) }) {
		return slot{}, false
	}
	items := d.attributesBefore(member)
	if len(items) != 1 {
		return slot{}, false
	}
	return slot{piece: items[0], options: d.attributesOf(items[0], es[0]), near: es[0].entity}, true
}

// countsRows says whether a number is how many rows an entity has.
func (d *draft) countsRows(t, of target) bool {
	return isEntity(t) && t.entity == of.entity || t.metric != nil && d.ix.counter(of.entity) == t.metric
}

// nameOf says whether a member stands behind "the name of": its name is what it is shown by anyway.
func (d *draft) nameOf(member int) bool {
	i := member - 2
	if !d.is(member-1, gluePiece, "in") || !d.free(i) || d.pieces[i].to-d.pieces[i].from > 1 || i > 0 && !d.is(i-1, listPiece) && !d.is(i-1, aggregatePiece, "distinct") {
		return false
	}
	if w := d.tokens[d.pieces[i].from].lemma; w != "name" {
		return false
	}
	for _, e := range d.pieceEntities(member) {
		if e.entity.Display == "" || len(d.attributesOf(i, e)) > 0 && !slices.ContainsFunc(d.attributesOf(i, e), d.shows) {
			return false
		}
	}
	return true
}

// asksName says whether a member stands behind words that ask for its name at once: "what is the name of the airline".
func (d *draft) asksName(member int) bool {
	if !d.is(member-1, listPiece) {
		return false
	}
	p := d.pieces[member-1]
	return slices.ContainsFunc(d.tokens[p.from:p.to], func(t token) bool { return t.lemma == "name" })
}

// attributesBefore gives the attributes of a member that are listed with "of" before it; nil when anything else stands
// among them.
func (d *draft) attributesBefore(member int) []int {
	es := d.pieceEntities(member)
	if len(es) == 0 || !d.is(member-1, gluePiece, "in") && !d.is(member-1, groupPiece, "each") {
		return nil
	}
	var items []int
	j := member - 1
	for ; j >= 0; j-- {
		switch {
		case d.is(j, gluePiece, "in") && len(items) == 0, d.is(j, groupPiece, "each") && len(items) == 0, d.is(j, gluePiece, "and") && len(items) > 0:
			continue
		case len(d.attributesOf(j, es[0])) > 0 && len(d.entities(j)) == 0:
			items = append(items, j)
			continue
		}
		break
	}
	if j >= 0 && !d.is(j, listPiece) && !d.is(j, aggregatePiece, "distinct") && !d.is(j, wallPiece) {
		return nil
	}
	slices.Reverse(items)
	return items
}

// attributesOf gives the dimensions that a piece may mean and that each member of an entity has one of.
func (d *draft) attributesOf(i int, owner target) []target {
	if key, asked := d.keyAsked(i, owner); asked {
		return key
	}
	return d.names(i, func(t target) bool { return isDimension(t) && d.ix.paths.reaches(owner.entity.Name, t.entity.Name) })
}

// keyAsked gives the key of members whose "id" is asked for, where no column of theirs is called so: that of other rows is not theirs.
func (d *draft) keyAsked(i int, owner target) (key []target, asked bool) {
	if !d.free(i) || !d.is(i, namePiece) || d.pieces[i].to > d.pieces[i].from+1 || d.tokens[d.pieces[i].from].lemma != "id" {
		return nil, false
	}
	if d.pieces[i].has(func(t target) bool { return t.entity == owner.entity || d.ix.joinedBy(owner.entity, t) }) {
		return nil, false
	}
	for _, name := range owner.entity.Key {
		if dim := owner.entity.Dimension(name); dim != nil && dim.PII == "" && len(owner.entity.Key) == 1 {
			key = append(key, target{entity: owner.entity, dim: dim, match: partialMatch, score: scoreLoose})
		}
	}
	return key, true
}

// joinedBy says whether the rows of an entity are told apart by a column that points at one of another, as those of a kind are by what
// they are kinds of.
func (ix *Index) joinedBy(e *semantic.Entity, t target) bool {
	return t.dim != nil && slices.ContainsFunc(ix.model.Joins, func(j semantic.Join) bool {
		return j.From == e.Name && j.To == t.entity.Name && len(j.On) == 1 && j.On[0].To == t.dim.Name && len(e.Key) == 1 && e.Key[0] == j.On[0].From
	})
}

// pieceEntities gives the entities that a piece names, whether or not it is used already.
func (d *draft) pieceEntities(i int) []target {
	var out []target
	if i >= 0 && i < len(d.pieces) && d.pieces[i].kind == namePiece {
		for _, t := range d.pieces[i].names {
			if isEntity(t) {
				out = append(out, t)
			}
		}
	}
	return out
}
