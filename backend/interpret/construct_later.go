package interpret

// refuseNested postpones numbers over members that meet a condition on another number: "revenue by category for customers
// with more than 10 orders" is not a split by customers.
func (d *draft) refuseNested() {
	if d.headed && len(d.groups) > 1 {
		d.later = append(d.later, "nested")
	}
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

// readLater takes the constructs that the reader names and refuses today: shares, growth, comparisons, quantifiers.
func readLater(d *draft) {
	for i, p := range d.pieces {
		if p.kind == laterPiece {
			d.later = append(d.later, p.id)
			d.take(i, "construct", p.id)
		}
	}
}
