package interpret

import "slices"

// readShown reads the attributes that a question asks of members which a number keeps or ranks: "the name and address of
// the customers with more than 10 orders", "the city of the supplier with the most products".
func readShown(d *draft) {
	for k, g := range d.groups {
		if g.piece < 0 || len(g.options) == 0 {
			continue
		}
		if d.nameOf(g.piece) {
			d.take(g.piece-2, connects, "")
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
	return d.names(i, func(t target) bool { return isDimension(t) && d.ix.paths.reaches(owner.entity.Name, t.entity.Name) })
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
