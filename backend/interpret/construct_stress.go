package interpret

import (
	"regexp"
	"slices"
)

// finishStress takes words that only stress what is asked for anyway: "how many seasons were there in total", "the name of the last harbour",
// "list each district" of a single table.
func (d *draft) finishStress() {
	for i := range d.pieces {
		if d.unread(i) && (d.stressesCount(i) || d.stressesName(i) || d.stressesEach(i) || d.stressesPlace(i) || d.stressesRole(i)) {
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

// ordinal is a place as a cell says it.
var ordinal = regexp.MustCompile(`^[0-9]+(st|nd|rd|th)`)

// stressesPlace says whether a verb only leads to the place that a condition names: "how many times did she finish 7th".
func (d *draft) stressesPlace(i int) bool {
	if d.ix.rowPlace() == nil || d.pieces[i].to != d.pieces[i].from+1 || !slices.Contains([]string{"finish", "finished", "place", "placed", "rank", "ranked", "come", "came"}, d.tokens[d.pieces[i].from].norm) {
		return false
	}
	return slices.ContainsFunc(d.filters, func(f filter) bool {
		return f.op == "eq" && f.piece == d.skipGlue(i+1) && f.piece >= 0 && ordinal.MatchString(d.tokens[d.pieces[f.piece].from].norm)
	})
}

// stressesRole says whether "play" only leads to the role that is asked for: "what role did she play in The Ferry".
func (d *draft) stressesRole(i int) bool {
	if d.ix.rowPlace() == nil || d.pieces[i].to != d.pieces[i].from+1 || !slices.Contains([]string{"play", "played", "portray"}, d.tokens[d.pieces[i].from].norm) {
		return false
	}
	return slices.ContainsFunc(d.columns, func(s slot) bool {
		return len(s.options) > 0 && s.options[0].dim != nil && slices.Contains([]string{"role", "roles", "character", "part"}, s.options[0].dim.Name)
	})
}

// stressesEach says whether "each" stands before what the only table lists anyway.
func (d *draft) stressesEach(i int) bool {
	return d.ix.rowPlace() != nil && d.is(i, groupPiece, "each") && d.is(i-1, listPiece) && len(d.measures) == 0 && len(d.columns)+len(d.groups) > 0
}
