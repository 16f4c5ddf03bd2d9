package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readHead reads what "who" and "where" ask for at the head of a question, where the question names it itself: "who are the
// coaches" asks for the coaches, and "where is the club Pen" for the one place that a club has.
func readHead(d *draft) {
	if len(d.pieces) < 2 || !d.free(0) || !d.asksForMore(0) || d.listing {
		return
	}
	next := 1
	for d.is(next, gluePiece, "is") || d.is(next, aggregatePiece, "distinct") {
		next++
	}
	who := slices.Contains(d.ix.english.operators[d.tokens[d.pieces[0].from].norm], operator{"listing", "who"})
	switch {
	case who && next > 1 && len(d.members(next)) > 0 && d.plural(next):
		d.take(0, connects, "")
	case !who && len(d.measures) == 0:
		d.readWhere(next)
	}
}

// readWhere lists the place of a member that is named, when the member has one.
func (d *draft) readWhere(next int) {
	if d.is(0, gluePiece) && d.pieces[0].to == 1 && !d.is(1, gluePiece, "is") {
		return
	}
	if d.asksPlace(next) {
		d.take(0, connects, "") // "where is the headquarter" names the place
		return
	}
	for i := next; i < len(d.pieces); i++ {
		es := d.pieceEntities(i)
		if len(es) == 0 {
			continue
		}
		if place := d.onlyPlace(es[0].entity); place != nil {
			d.columns = append(d.columns, slot{piece: 0, options: []target{*place}, near: es[0].entity})
			d.take(0, "dimension", place.name())
		}
		return
	}
}

// onlyPlace gives the one place that each member of an entity has; nil when there is none, or several.
func (d *draft) onlyPlace(e *semantic.Entity) *target {
	var found *target
	for k := range e.Dimensions {
		if dim := &e.Dimensions[k]; isPlace(d.ix.english, dim.Name) {
			if found != nil {
				return nil
			}
			found = &target{entity: e, dim: dim, owned: true}
		}
	}
	return found
}

// asksPlace says whether a piece names a place of the model.
func (d *draft) asksPlace(i int) bool {
	return slices.ContainsFunc(d.dimensions(i), func(t target) bool { return isPlace(d.ix.english, t.dim.Name) })
}

// sites are words for where something is, besides those for parts of an address.
var sites = []string{"location", "address", "headquarter", "headquarters", "place", "venue"}

// isPlace says whether the last word of a name is one for a place.
func isPlace(l *lexicon, name string) bool {
	ws := l.singulars(words(name))
	return len(ws) > 0 && (slices.Contains(sites, ws[len(ws)-1]) || slices.Contains(places, ws[len(ws)-1]))
}
