package interpret

import (
	"slices"
	"strings"
)

// finishPossessed drops a reading that shows attributes of the wrong one: "the first name of Ines Ward's tutor" asks for that of the tutor,
// where the tutor is a column and no member with a name.
func (d *draft) finishPossessed() {
	column := func(i int) bool {
		return slices.ContainsFunc(d.columns, func(s slot) bool { return s.piece == i })
	}
	for i := range d.pieces {
		first := i
		for first > 0 && d.uses[first].slot == "value" && d.uses[first-1].slot == "value" { // a first and a last name
			first--
		}
		if d.uses[i].slot != "value" || !column(i+1) || d.pieces[i].to != d.pieces[i+1].from || !column(first-2) || !d.ofBetween(first-2, first) {
			continue
		}
		if said := d.tokens[d.pieces[i].to-1].text; strings.HasSuffix(said, "'s") || strings.HasSuffix(said, "’s") || strings.HasSuffix(said, "'") {
			d.invalid = true
		}
	}
}
