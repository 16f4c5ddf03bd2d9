package interpret

import "slices"

// readPairs reads members beside those of another kind that they do something with, a line for each pair: "the name of each student and
// which courses they take", "the suppliers and the products that they deliver".
func readPairs(d *draft) {
	if d.listing || d.top != nil || d.doubt != "" || len(d.measures)+len(d.having)+len(d.tallies) > 0 || len(d.groups) > 1 || d.trend {
		return
	}
	for i := range d.pieces {
		and := i - 1
		for d.is(and, listPiece, "which") {
			and--
		}
		if len(d.entities(i)) == 0 || !d.is(and, gluePiece, "and") || !d.theyBehind(i) {
			continue
		}
		of := d.entities(i)[0]
		names := d.ix.display(of.entity)
		host, ok := d.pairedWith(i)
		if !ok || len(names) != 1 || of.entity.Dimension(names[0]) == nil || host.options[0].entity == of.entity {
			return
		}
		d.subject, d.listing, d.groups = &host, true, nil
		d.columns = append(d.columns, d.shown...)
		d.shown = nil
		d.columns = append(d.columns, slot{piece: i, options: []target{{entity: of.entity, dim: of.entity.Dimension(names[0]), score: of.score}}, near: of.entity})
		d.take(host.piece, "entity", host.options[0].name())
		d.take(i, "dimension", names[0])
		return
	}
}

// theyBehind says whether a pronoun for the members named before stands directly behind a piece: "the courses that they take".
func (d *draft) theyBehind(i int) bool {
	at := d.pieces[i].to
	for at < len(d.tokens) && slices.Contains([]string{"that", "which", "whom"}, d.tokens[at].norm) {
		at++
	}
	return at+1 < len(d.tokens) && slices.Contains([]string{"they", "he", "she", "it"}, d.tokens[at].norm)
}

// pairedWith gives the members before a piece: those that the rows are split by, else the first in the plural.
func (d *draft) pairedWith(i int) (slot, bool) {
	if len(d.groups) == 1 {
		g := d.groups[0]
		if es := keepTargets(g.options, isEntity); len(es) > 0 && g.piece < i {
			g.options = es
			return g, true
		}
		return slot{}, false
	}
	at := d.anyEntity()
	if at < 0 || at >= i || !d.plural(at) {
		return slot{}, false
	}
	return slot{piece: at, options: d.entities(at)}, true
}
