package interpret

import "slices"

// finishDistinct lists the different values of the attributes that are asked for, and not the members that have them: "the
// different nominees of the plays with an award".
func (d *draft) finishDistinct() {
	d.distinctGroups()
	d.distinctColumns()
	if !d.listing || d.subject == nil || d.top != nil || len(d.columns) == 0 || len(d.shown) > 0 || len(d.measures) > 0 {
		return
	}
	if slices.ContainsFunc(d.order, func(o ordering) bool { return o.by != nil }) {
		return // what they are sorted by tells the members apart
	}
	first := slices.MinFunc(d.columns, func(a, b slot) int { return a.piece - b.piece }).piece
	i := first - 1
	for d.is(i, gluePiece, "in") || i == first-1 && i >= 0 && d.uses[i].slot == "entity" && d.pieces[i].to == d.pieces[first].from { // "distinct product names"
		i--
	}
	if !d.is(i, aggregatePiece, "distinct") {
		return
	}
	d.columns = slices.DeleteFunc(d.columns, func(c slot) bool {
		return c.piece != first && slices.ContainsFunc(d.filters, func(f filter) bool { return f.piece == c.piece || sameDimension(f.options, c.options) })
	})
	for k := range d.columns {
		if d.columns[k].near == nil {
			d.columns[k].near = d.subject.options[0].entity
		}
	}
	d.subject, d.listing = nil, false
	d.take(i, connects, "")
}

// distinctGroups takes "different" before what a number is split by: each of its values has one line anyway.
func (d *draft) distinctGroups() {
	for _, g := range d.groups {
		i := g.piece - 1
		for d.is(i, gluePiece, "in") && d.free(i) {
			i--
		}
		if d.is(i, aggregatePiece, "distinct") && d.free(i) {
			d.take(i, connects, "")
		}
	}
}

// distinctColumns takes "different" before the first attribute of a list of values: each value has one line anyway.
func (d *draft) distinctColumns() {
	if d.subject != nil || len(d.columns) == 0 || len(d.measures) > 0 {
		return
	}
	i := slices.MinFunc(d.columns, func(a, b slot) int { return a.piece - b.piece }).piece - 1
	if d.is(i, aggregatePiece, "distinct") && d.free(i) {
		d.take(i, connects, "")
	}
}

// sameDimension says whether the best meanings of two slots are one dimension.
func sameDimension(a, b []target) bool {
	return len(a) > 0 && len(b) > 0 && a[0].dim != nil && a[0].dim == b[0].dim && a[0].entity == b[0].entity
}

// asksDistinct says whether "different" stands before an attribute.
func (d *draft) asksDistinct(piece int) bool {
	i := piece - 1
	for d.is(i, gluePiece, "in") {
		i--
	}
	return d.is(i, aggregatePiece, "distinct")
}
