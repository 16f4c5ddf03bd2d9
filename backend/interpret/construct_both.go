package interpret

// finishBoth drops a reading that lets one of two kinds of rows go which members must each have: "how many members wrote both notes and letters" is
// no count of those with letters.
func (d *draft) finishBoth() {
	host := d.host()
	if host == nil {
		return
	}
	for i := range d.pieces {
		if !d.is(i, gluePiece, "and") || d.tokens[d.pieces[i].from].norm != "both" || !d.is(i+1, namePiece) || !d.is(i+2, gluePiece, "and") || !d.is(i+3, namePiece) {
			continue
		}
		a, b := d.beside(i+1), d.beside(i+3)
		if a != nil && b != nil && a != b && d.mayHaveMany(a, host) && d.mayHaveMany(b, host) {
			d.invalid = true
		}
	}
}
