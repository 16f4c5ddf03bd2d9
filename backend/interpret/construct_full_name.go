package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// readFullNames reads two names beside each other as those of one person, where a table has columns for both: "Mia Fox" is the first and
// the last name of a student, before it is a town called Mia and a street called Fox.
func readFullNames(d *draft) {
	for i := 0; i+1 < len(d.pieces); i++ {
		if !d.is(i, namePiece) || !d.is(i+1, namePiece) || d.pieces[i].to != d.pieces[i+1].from || !d.tokens[d.pieces[i+1].from].capital {
			continue
		}
		first := d.names(i, func(t target) bool { return isValue(t) && holdsName(t.dim, "first", "given", "fore") })
		last := d.names(i+1, func(t target) bool { return isValue(t) && holdsName(t.dim, "last", "family", "sur") })
		first = keepTargets(first, func(t target) bool { return ofOne(t, last) })
		last = keepTargets(last, func(t target) bool { return ofOne(t, first) })
		if len(first) == 0 || len(last) == 0 {
			continue
		}
		a, b := *d.pieces[i], *d.pieces[i+1]
		a.names, b.names = first, last
		d.pieces[i], d.pieces[i+1] = &a, &b
	}
}

// holdsName says whether a column is called as a part of a name: "first name", "firstname".
func holdsName(dim *semantic.Dimension, parts ...string) bool {
	called := strings.Join(words(labelOf(dim.Label, dim.Name)), "")
	return slices.ContainsFunc(parts, func(p string) bool { return strings.HasSuffix(called, p+"name") })
}

// ofOne says whether one of several values is of the members that a value is of.
func ofOne(t target, of []target) bool {
	return slices.ContainsFunc(of, func(o target) bool { return o.entity == t.entity })
}
