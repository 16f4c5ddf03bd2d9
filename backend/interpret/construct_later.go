package interpret

// readLater takes the constructs that the reader names and refuses today: shares, growth, comparisons, quantifiers.
func readLater(d *draft) {
	for i, p := range d.pieces {
		if p.kind == laterPiece {
			d.later = append(d.later, p.id)
			d.take(i, "construct", p.id)
		}
	}
}
