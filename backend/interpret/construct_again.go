package interpret

import "slices"

// compareAgain reads a comparison that leaves out what it compares, because the one before said it: "with a price above 100 or
// below 10". It says whether it did.
func (d *draft) compareAgain(i, first, last int, b bound) bool {
	j := d.back(min(i, first) - 1)
	if len(b.nums) == 0 || !d.is(j, gluePiece, "and", "or") || d.comparable(last+1) != nil {
		return false
	}
	before := j - 1
	if head, ok := d.heads[before]; ok {
		d.compared(max(i, last), head)
	}
	again := func(o bound) bool {
		return o.at > 0 && len(o.nums) > 0 && (o.at == before || d.is(before, numberPiece) && before-o.at <= len(o.nums)*2)
	}
	if k := slices.IndexFunc(d.filters, func(f filter) bool { return again(f.bound) }); k >= 0 {
		f := d.filters[k]
		f.op, f.texts, f.bound = d.pieces[i].id, b.nums, b
		d.filters = append(d.filters, f)
		d.takeComparison(i, first, last, b)
		return true
	}
	anew := func(h having) having {
		h.op, h.nums, h.bound = d.pieces[i].id, nil, b
		for _, n := range b.nums {
			h.nums = append(h.nums, n.Text)
		}
		return h
	}
	if k := slices.IndexFunc(d.having, func(h having) bool { return again(h.bound) }); k >= 0 {
		d.having = append(d.having, anew(d.having[k]))
		d.takeComparison(i, first, last, b)
		return true
	}
	if k := slices.IndexFunc(d.tallies, func(t tally) bool { return again(t.bound) }); k >= 0 {
		t := d.tallies[k]
		t.having = anew(t.having)
		d.tallies = append(d.tallies, t)
		d.takeComparison(i, first, last, b)
		return true
	}
	return false
}

// takeComparison marks the word of a comparison and its numbers as used.
func (d *draft) takeComparison(i, first, last int, b bound) {
	b.take(d)
	for k := first; k <= last; k++ {
		if d.is(k, numberPiece) {
			d.take(k, "comparison", d.pieces[k].number)
			if said := d.tokens[d.pieces[k].from].note; said != "" {
				d.note(said)
			}
		}
	}
	d.take(i, "comparison", d.pieces[i].id)
}
