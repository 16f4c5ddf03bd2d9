package interpret

// readLapsed reads rows that were there in one period and not in another one: "customers with orders in 2014 but none in 2015". Where a
// number is called as the rows, the rows are meant.
func readLapsed(d *draft) {
	for i := range d.pieces {
		rows := d.entities(i)
		if len(rows) == 0 || !d.is(i-1, gluePiece, "with") || len(d.entities(i-2)) == 0 || d.entities(i - 2)[0].entity == rows[0].entity || !d.lapses(i+1) {
			continue
		}
		p := *d.pieces[i]
		p.names = rows
		d.pieces[i] = &p
	}
}

// lapses says whether two periods stand behind a piece, of which the second one is denied.
func (d *draft) lapses(i int) bool {
	periods := 0
	for ; i < len(d.pieces); i++ {
		if !d.is(i, periodPiece) {
			continue
		}
		j := i - 1
		for d.is(j, gluePiece, "in") {
			j--
		}
		if periods > 0 && (d.denies(j) || len(d.entities(j)) > 0 && d.is(j-1, relatedPiece, "no")) {
			return true
		}
		periods++
	}
	return false
}

// denies says whether a piece says that there was nothing: "but not in 2015", "but none in 2015".
func (d *draft) denies(i int) bool {
	return d.free(i) && (d.is(i, notPiece) || d.word(i) == "none" || d.word(i) == "nothing")
}
