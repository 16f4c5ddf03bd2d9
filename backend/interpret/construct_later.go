package interpret

import "slices"

// refuseNested postpones numbers over members that meet a condition on another number: "revenue by category for customers
// with more than 10 orders" is not a split by customers.
func (d *draft) refuseNested() {
	if d.headed && (len(d.groups) > 1 || d.countsBefore(d.groups[0].piece)) {
		d.later = append(d.later, "nested")
	}
}

// countsBefore says whether the question asks how many of something there are before it comes to a piece.
func (d *draft) countsBefore(piece int) bool {
	return slices.ContainsFunc(d.measures, func(m measure) bool {
		return m.piece >= 0 && m.piece < piece && (m.star || d.is(m.piece-1, aggregatePiece, "count")) && d.uses[m.piece].slot == "metric"
	})
}

// narrowed says whether a condition stands in the same part of the question as related rows, and so may be about them.
func (d *draft) narrowed(cl clause) bool {
	return slices.ContainsFunc(d.filters, func(f filter) bool {
		return d.part(f.piece) == d.part(cl.from) && slices.ContainsFunc(f.options, func(t target) bool {
			return slices.ContainsFunc(cl.members, func(m slot) bool {
				return t.entity != nil && len(m.options) > 0 && d.ix.paths.reaches(m.options[0].entity.Name, t.entity.Name) && t.entity != d.host()
			})
		})
	})
}

// readLater takes the constructs that the reader names and refuses today: shares, growth, comparisons, quantifiers.
func readLater(d *draft) {
	for i, p := range d.pieces {
		if p.kind == laterPiece {
			d.later = append(d.later, p.id)
			d.take(i, "construct", p.id)
		}
	}
}
