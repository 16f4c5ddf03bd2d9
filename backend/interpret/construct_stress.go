package interpret

// finishStress takes words that only stress what is asked for anyway: "how many seasons were there in total", "the name of the last harbour",
// "list each district" of a single table.
func (d *draft) finishStress() {
	for i := range d.pieces {
		if d.unread(i) && (d.stressesCount(i) || d.stressesName(i) || d.stressesEach(i)) {
			d.take(i, connects, "")
		}
	}
}

// stressesCount says whether a word for a sum stands in a question that counts, and is no sum of anything else.
func (d *draft) stressesCount(i int) bool {
	if !d.is(i, aggregatePiece, "sum") || len(d.measures) != 1 || !d.measures[0].star && !d.measures[0].distinct || len(d.measures[0].per) > 0 {
		return false
	}
	alone := i+1 == len(d.pieces) || d.is(i+1, stopPiece) || d.is(i+1, gluePiece)
	return alone || d.is(i-1, aggregatePiece, "count") || d.measures[0].piece == i+1
}

// stressesName says whether a word asks for the name of what a column of the only table holds the names of.
func (d *draft) stressesName(i int) bool {
	if d.ix.rowPlace() == nil || d.pieces[i].to != d.pieces[i].from+1 || d.tokens[d.pieces[i].from].lemma != "name" || !d.is(i+1, gluePiece, "in") {
		return false
	}
	shown := append(append([]slot{}, d.columns...), d.groups...)
	return len(shown) == 1 && shown[0].piece > i && len(shown[0].options) > 0 && !isNumeric(shown[0].options[0])
}

// stressesEach says whether "each" stands before what the only table lists anyway.
func (d *draft) stressesEach(i int) bool {
	return d.ix.rowPlace() != nil && d.is(i, groupPiece, "each") && d.is(i-1, listPiece) && len(d.measures) == 0 && len(d.columns)+len(d.groups) > 0
}
