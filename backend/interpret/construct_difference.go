package interpret

import "slices"

// readDifference reads by how much a number of one time lies above that of another: "the difference in revenue between 1996 and 1997",
// "how much more did we sell in 1997 than in 1996".
func readDifference(d *draft) {
	periods := d.periodPieces()
	for i := range d.pieces {
		switch {
		case !d.free(i) || d.change != nil || d.against != nil || d.stride != nil:
		case d.is(i, layerPiece, "minus") && len(periods) == 1 && d.joins(periods[0]):
			d.change = &change{fn: "delta", between: true}
			d.take(i, "comparison", "delta")
		case d.is(i, layerPiece, "minus") && len(periods) == 2 && d.is(periods[1]-1, gluePiece, "and"),
			d.is(i, degreePiece, "gt", "lt") && d.howMuch(i) && len(periods) == 2 && d.thanBetween(periods[0], periods[1]):
			d.change = &change{fn: "delta"}
			d.sharedYear(periods[0], periods[1])
			d.comparePeriods(i, periods[0], periods[1])
			for k := periods[0]; k < periods[1]; k++ {
				if d.is(k, degreePiece, "than") {
					d.take(k, connects, "")
				}
			}
			d.take(i, "comparison", "delta")
		}
	}
}

// joins says whether a period is said by two of its units: "between June and July", "in 1996 and 1997".
func (d *draft) joins(i int) bool {
	p := d.pieces[i]
	return slices.ContainsFunc(d.tokens[p.from:p.to], func(t token) bool { return t.norm == "and" })
}

// howMuch says whether "how much" or "how many" stands somewhere before a piece.
func (d *draft) howMuch(i int) bool {
	for k := 0; k+1 < d.pieces[i].from; k++ {
		if d.tokens[k].norm == "how" && (d.tokens[k+1].norm == "much" || d.tokens[k+1].norm == "many") {
			return true
		}
	}
	return false
}

// thanBetween says whether "than" stands between two pieces.
func (d *draft) thanBetween(i, j int) bool {
	return slices.ContainsFunc(d.tokens[d.pieces[i].to:d.pieces[j].from], func(t token) bool { return t.norm == "than" })
}
