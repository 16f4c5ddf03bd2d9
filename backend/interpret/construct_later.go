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

// refuseEither postpones alternatives of different kinds ("in Germany or Beverages"): conditions on different things hold
// together, and reading "or" as "and" would be wrong.
func (d *draft) refuseEither() {
	part := map[int]int{} // piece -> condition, from 1
	for k, f := range d.filters {
		part[f.piece] = k + 1
		for _, v := range f.values {
			for i, p := range d.pieces {
				if p.from == v.from {
					part[i] = k + 1
				}
			}
		}
		if f.named >= 0 {
			part[f.named] = k + 1
		}
	}
	for k, h := range d.having {
		part[h.piece] = len(d.filters) + k + 1
	}
	for i, p := range d.pieces {
		if p.kind == periodPiece && d.uses[i].slot == "time" {
			part[i] = len(d.filters) + len(d.having) + 1
		}
	}
	for k, t := range d.tallies {
		if t.piece >= 0 {
			part[t.piece] = len(d.filters) + len(d.having) + k + 1
		}
	}
	for k, cl := range d.clauses {
		for _, m := range cl.members {
			if m.piece >= 0 && part[m.piece] == 0 && (cl.quant == "no" || cl.quant == "any" && !d.narrowed(cl)) {
				part[m.piece] = len(d.filters) + len(d.having) + len(d.tallies) + k + 1
			}
		}
	}
	for i := range d.pieces {
		if !d.is(i, gluePiece, "or") {
			continue
		}
		left, right := 0, 0
		for j := i - 1; j >= 0 && left == 0; j-- {
			left = part[j]
		}
		for j := i + 1; j < len(d.pieces) && right == 0; j++ {
			right = part[j]
		}
		if left != right && left > 0 && right > 0 {
			d.later = append(d.later, "either")
			return
		}
	}
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
