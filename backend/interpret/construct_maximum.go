package interpret

import "slices"

// maximumRanks lets "maximum" and "minimum" rank where they say which one is meant: "the clerk with the maximum salary" is the one with
// the highest.
func (d *draft) maximumRanks() {
	for i, p := range d.pieces {
		if !d.is(i, aggregatePiece, "max", "min") || !d.free(i) || !d.is(i-1, gluePiece, "with") || d.possessed(i) || len(d.entities(i-2)) == 0 {
			continue
		}
		the := slices.ContainsFunc(d.tokens[d.pieces[i-2].to:p.to], func(t token) bool { return t.norm == "the" })
		if d.plural(i-2) && !the || d.is(i-3, groupPiece) || d.is(i-3, aggregatePiece) || len(d.names(i+1, isNumeric)) == 0 {
			continue
		}
		if d.is(i+2, comparePiece) || d.is(i+2, numberPiece) || d.is(i+2, groupPiece) || d.is(i+2, gluePiece, "is") {
			continue // "the clerk with a maximum salary above 100"
		}
		ranks := *p
		ranks.kind, ranks.id = rankPiece, map[string]string{"max": "high", "min": "low"}[p.id]
		d.pieces = slices.Clone(d.pieces)
		d.pieces[i] = &ranks
	}
}
