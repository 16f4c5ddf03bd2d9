package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readTheir reads "the cities in Germany and their population" and "and what is their population": an attribute of the members before it, one value each, or a
// number of each of them; and "the suppliers in Japan and their products", a line for each product with whose it is.
func readTheir(d *draft) {
	if d.listing || d.top != nil || len(d.groups) > 0 || len(d.measures) > 0 || d.doubt != "" {
		return
	}
	for i := range d.pieces {
		joint := i - 1
		for d.is(joint, listPiece) || d.is(joint, gluePiece, "is") { // "and what are their capacities"
			joint--
		}
		if !d.possessed(i) || !d.is(joint, gluePiece, "and", "with") {
			continue
		}
		at := d.anyEntity()
		if at < 0 || at > i || !d.plural(at) || d.is(at-1, aggregatePiece) {
			continue
		}
		owner := d.entities(at)[0].entity
		if d.theirRows(i, at, owner) {
			return
		}
		own := d.names(i, func(t target) bool { return isDimension(t) && t.entity == owner })
		switch {
		case len(own) > 0:
			d.subject, d.listing = &slot{piece: at, options: d.entities(at)}, true
			d.columns = append(d.columns, slot{piece: i, options: own, near: owner})
			d.take(i, "dimension", own[0].name())
		case len(d.metrics(i)) > 0:
			d.groups = append(d.groups, slot{piece: at, options: d.entities(at)})
		default:
			continue
		}
		d.take(at, "entity", owner.Name)
		return
	}
}

// theirRows reads members of one kind beside those of another that a piece names: each of the finer kind has one of the other.
func (d *draft) theirRows(i, at int, owner *semantic.Entity) bool {
	if !d.free(at) || len(d.names(i, func(t target) bool { return isDimension(t) && t.entity == owner })) > 0 {
		return false
	}
	for _, t := range d.entities(i) {
		rows, shown, of := i, at, t.entity
		switch {
		case t.entity == owner || t.match == partialMatch: // "drivers and their records"
			continue
		case d.ix.paths.reaches(t.entity.Name, owner.Name):
			of = owner
		case d.ix.paths.reaches(owner.Name, t.entity.Name):
			rows, shown = at, i
		default:
			continue
		}
		names := d.ix.display(of)
		if len(names) != 1 || of.Dimension(names[0]) == nil {
			return false
		}
		d.subject, d.listing = &slot{piece: rows, options: d.entities(rows)}, true
		d.columns = append(d.columns, slot{piece: shown, options: []target{{entity: of, dim: of.Dimension(names[0])}}, near: of})
		d.take(rows, "entity", d.entities(rows)[0].name())
		d.take(shown, "dimension", names[0])
		d.take(i-1, connects, "")
		return true
	}
	return false
}

// possessed says whether "their" or "its" stands directly before a piece.
func (d *draft) possessed(i int) bool {
	if i == 0 {
		return false
	}
	return slices.ContainsFunc(d.between(i-1, i), func(t token) bool { return t.norm == "their" || t.norm == "its" })
}
