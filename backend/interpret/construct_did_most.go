package interpret

import "slices"

// didMember gives what somebody did most often, where a question puts it at its head: "which products did Ernst Handel order most often" is
// about the products in the rows that record it. behind is the piece behind the rank; -1: it is no such question.
func (d *draft) didMember(i int) (member, behind int) {
	for k := i + 1; k < len(d.pieces); k++ {
		if !d.is(k, periodPiece) && !d.is(k, gluePiece) && !d.is(k, stopPiece) && !d.is(k-1, gluePiece, "in") {
			return -1, 0 // "in Germany", "in 2014"
		}
	}
	for at := 1; at < i-2; at++ {
		if !d.is(at-1, listPiece) || len(d.entities(at)) == 0 || !d.asksDid(at) {
			continue
		}
		who := at + 1
		for who < i && (d.is(who, gluePiece) || d.is(who, stopPiece)) {
			who++
		}
		verb := i - 1
		switch act := d.free(verb) && (d.is(verb, unknownPiece) || len(d.entities(verb)) > 0 && !d.plural(verb)); {
		case who >= verb || len(d.values(who)) == 0 || d.pieces[verb].to != d.pieces[verb].from+1:
			return -1, 0
		case act:
			d.take(verb, connects, "")
		case slices.Contains(d.did, verb): // the rows of the rank are those that it records
			d.clauses = slices.DeleteFunc(d.clauses, func(c clause) bool { return c.from == verb })
		case d.free(verb) && !d.is(verb, stopPiece):
			return -1, 0
		}
		return at, i + 1
	}
	return -1, 0
}
