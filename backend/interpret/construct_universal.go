package interpret

// readUniversal reads conditions on every related row: "students all of whose grades are above 3", "customers whose orders were
// all shipped to Germany". Members without any related row do not meet it.
func readUniversal(d *draft) {
	for i := range d.pieces {
		from := i
		switch {
		case !d.free(i) || d.subjectBefore(i) < 0:
			continue
		case d.is(i, relatedPiece, "each"):
			for from--; from >= 0 && !(d.is(from, gluePiece) && d.tokens[d.pieces[from].from].norm == "whose"); from-- {
				if d.is(from, gluePiece, "and") {
					from = 0
				}
			}
		case !d.is(i, relatedPiece, "all"):
			continue
		}
		if from < 0 {
			continue
		}
		c := clause{quant: "all", from: from, to: d.clauseEnd(i + 1)}
		for k := from + 1; k < c.to; k++ {
			if es := d.entities(k); len(es) > 0 && len(d.values(k)) == 0 && len(d.dimensions(k)) == 0 {
				c.members = append(c.members, slot{piece: k, options: es})
				d.take(k, "entity", es[0].name())
			}
		}
		d.take(i, "filter", "all")
		d.clauses = append(d.clauses, c)
	}
}
