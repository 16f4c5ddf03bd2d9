package interpret

import "assay/backend/frameql"

// readAges reads an age that is said without its column: "students who are 20 years old", "pilots aged 30 or younger",
// "actors at least 40 years old".
func readAges(d *draft) {
	for i := range d.pieces {
		first, last := i, i
		switch {
		case !d.is(i, numberPiece) || !d.free(i):
			continue
		case d.is(i+1, grainPiece, "year") && d.free(i+1) && d.word(i+2) == "old":
			last = i + 2
		case d.word(i-1) == "aged":
			first = i - 1
		default:
			continue
		}
		op := "eq"
		switch compare := d.back(first - 1); {
		case d.is(first-1, comparePiece, "gt", "ge", "lt", "le", "eq") && d.free(first-1):
			first--
			op = d.pieces[first].id
		case d.is(last+1, comparePiece, "ge", "le") && d.free(last+1):
			last++
			op = d.pieces[last].id
		case d.is(last+1, gluePiece, "or") && (d.word(last+2) == "younger" || d.word(last+2) == "older"):
			op = map[string]string{"younger": "le", "older": "ge"}[d.word(last+2)]
			last += 2
		case d.is(compare, notPiece) && d.free(compare):
			first, op = compare, "ne"
		}
		if d.is(last+1, gluePiece, "or", "and") && d.is(last+2, numberPiece) {
			continue // "aged 35 or 36"
		}
		head := d.head(first)
		if head < 0 || len(d.owners(head)) == 0 {
			continue
		}
		t, ok := d.attribute([]string{"age"}, d.owners(head))
		if !ok {
			continue
		}
		number := d.pieces[i].number
		d.filters = append(d.filters, filter{slot: slot{piece: i, options: []target{t}}, named: -1, op: op, texts: []frameql.Value{{Kind: frameql.Number, Text: number}}})
		for k := first; k <= last; k++ {
			d.take(k, connects, "")
		}
		d.take(i, "comparison", dimensionName(t))
		d.compared(last, head)
	}
}

// word gives the one word of a piece that nobody has used; empty when there is none.
func (d *draft) word(i int) string {
	if !d.free(i) || d.pieces[i].to-d.pieces[i].from != 1 {
		return ""
	}
	return d.tokens[d.pieces[i].from].norm
}
