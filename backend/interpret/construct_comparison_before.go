package interpret

import "assay/backend/frameql"

// readComparisonsBefore reads a comparison that stands before what it compares: "below age 30", "over the age of 20", "above
// a rating of 4".
func readComparisonsBefore(d *draft) {
	for i := range d.pieces {
		op := d.comparesBefore(i)
		if op == "" || d.uses[i].slot != "" || i == 0 {
			continue
		}
		at, number := i+1, i+2
		if d.is(number, gluePiece, "in") && d.tokens[d.pieces[number].from].norm == "of" {
			number++
		}
		own := d.names(at, isNumeric)
		if len(own) == 0 || !d.is(number, numberPiece) || !d.free(number) || d.comparable(number+1) != nil {
			continue // "above age 30 students" may count them
		}
		b := bound{at: i, nums: []frameql.Value{{Kind: frameql.Number, Text: d.pieces[number].number}}}
		head := d.head(i)
		if !d.compare(&slot{piece: at, options: own}, "", op, b, head) {
			continue
		}
		d.compared(number, head)
		d.takeComparison(i, number, number, b)
		for k := at + 1; k < number; k++ {
			d.take(k, connects, "")
		}
	}
}

// comparesBefore gives the comparison that a piece is, also where it may only say where something lies: "over the".
func (d *draft) comparesBefore(i int) string {
	switch {
	case d.is(i, comparePiece, "gt", "ge", "lt", "le"):
		return d.pieces[i].id
	case d.is(i, gluePiece, "in") && d.tokens[d.pieces[i].from].norm == "over":
		return "gt"
	}
	return ""
}
