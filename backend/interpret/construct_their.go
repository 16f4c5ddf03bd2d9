package interpret

import "slices"

// readTheir reads "the cities in Germany and their population": an attribute of the members before it, one value each, or a
// number of each of them.
func readTheir(d *draft) {
	if d.listing || d.top != nil || len(d.groups) > 0 || len(d.measures) > 0 || d.doubt != "" {
		return
	}
	for i := range d.pieces {
		if !d.possessed(i) || !d.is(i-1, gluePiece, "and") {
			continue
		}
		at := d.anyEntity()
		if at < 0 || at > i || !d.plural(at) || d.is(at-1, aggregatePiece) {
			continue
		}
		owner := d.entities(at)[0].entity
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

// possessed says whether "their" or "its" stands directly before a piece.
func (d *draft) possessed(i int) bool {
	if i == 0 {
		return false
	}
	return slices.ContainsFunc(d.between(i-1, i), func(t token) bool { return t.norm == "their" || t.norm == "its" })
}
