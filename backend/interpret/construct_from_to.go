package interpret

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// readFromTo reads an order that is said by its two ends: "from the oldest to the youngest", "sorted by age, youngest to oldest". Both
// ends have to be about the same attribute, in opposite directions.
func readFromTo(d *draft) {
	for i := range d.pieces {
		if !d.is(i, adjectivePiece) || !d.free(i) || !d.is(i+1, gluePiece, "in") || !d.is(i+2, adjectivePiece) || d.tokens[d.pieces[i+1].from].norm != "to" {
			continue
		}
		direction, hints, _ := strings.Cut(d.pieces[i].id, " ")
		opposite, others, _ := strings.Cut(d.pieces[i+2].id, " ")
		e := d.anyEntity()
		if direction == opposite || e < 0 {
			continue
		}
		by, _, ok := d.ranksBy(strings.Split(hints, "/"), d.entities(e), isDimension)
		end, _, also := d.ranksBy(strings.Split(others, "/"), d.entities(e), isDimension)
		if !ok || !also || by != end {
			continue
		}
		d.fromTo(i, target{entity: by.entity, dim: by.dim}, direction == "high")
	}
}

// fromTo takes an order that its ends say at a piece, and the words that only lead to it: "sorted", "by age", "in order".
func (d *draft) fromTo(i int, by target, desc bool) {
	for k := i; k <= i+2; k++ {
		d.take(k, "order", by.name())
	}
	k := i - 1
	for d.is(k, gluePiece, "in") && d.free(k) { // "from"
		d.take(k, connects, "")
		k--
	}
	if d.is(k, namePiece) && d.free(k) && slices.Contains(d.dimensions(k), by) && (d.is(k-1, orderPiece) || d.is(k-1, groupPiece, "by") && d.is(k-2, orderPiece)) {
		d.take(k, "order", by.name())
		k--
	}
	for d.free(k) && (d.is(k, orderPiece, "by") || d.is(k, groupPiece, "by")) {
		d.take(k, connects, "")
		k--
	}
	d.order = append(d.order, ordering{by: &measure{slot: slot{piece: i, options: []target{by}}}, desc: desc})
	d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(by.dim.Label, by.dim.Name)))
}
