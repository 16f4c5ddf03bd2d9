package interpret

// readOrder reads "sorted by revenue descending", "highest first", "alphabetically".
func readOrder(d *draft) {
	for i, p := range d.pieces {
		if p.kind != orderPiece || d.uses[i].slot != "" {
			continue
		}
		switch p.id {
		case "by", "by asc", "by desc":
			if i == 0 && p.to-p.from == 1 && d.orderedLater() { // "sort the industries in descending order of ..."
				d.take(i, connects, "")
				continue
			}
			d.orderBy(i, p.id == "by desc")
		case "name":
			if n := len(d.order); n > 0 && d.order[n-1].by == nil { // "in ascending alphabetical order"
				d.order[n-1].name = true
			} else {
				d.order = append(d.order, ordering{name: true})
			}
			d.take(i, "order", "asc")
		default:
			d.take(i, "order", p.id)
			if len(d.order) > 0 {
				d.order[len(d.order)-1].desc = p.id == "desc"
				continue
			}
			d.order = append(d.order, ordering{desc: p.id == "desc"})
		}
	}
}

// orderBy reads the key behind "sorted by". A number that is not asked for yet is asked for too.
func (d *draft) orderBy(i int, desc bool) {
	at := i + 1
	if d.is(at, groupPiece, "by") {
		at++
	}
	for d.is(at, orderPiece, "asc", "desc") || d.is(at, rankPiece) && d.is(at+1, namePiece) {
		at++
	}
	agg, at := d.aggregateAt(at)
	o := ordering{desc: desc}
	direction := i + 1
	for d.is(direction, rankPiece, "high", "best") {
		o.desc = true
		d.take(direction, "order", "desc")
		direction++
	}
	if agg == "" {
		if ts := d.dimensions(at); len(ts) > 0 && len(d.metrics(at)) == 0 {
			o.by = &measure{slot: slot{piece: at, options: ts}}
			d.take(at, "order", ts[0].name())
		} else if ts := d.entities(at); len(ts) > 0 && len(d.metrics(at)) == 0 {
			o.name = true
			d.take(at, "order", ts[0].name())
		} else if d.is(at, grainPiece) && d.free(at) {
			o.name = true
			d.take(at, "order", d.pieces[at].id)
		}
	}
	if o.by == nil && !o.name {
		m := d.measureOf(at, agg)
		if m == nil {
			return
		}
		o.by = m
		if agg != "" {
			d.take(at-1, "aggregate", agg)
		}
		d.take(at, "order", m.options[0].name())
		if len(d.metricsAsked()) == 0 {
			d.measures = append(d.measures, *m)
		}
	}
	if d.is(i+1, groupPiece, "by") {
		d.take(i+1, connects, "")
	}
	d.take(i, "order", "by")
	d.order = append(d.order, o)
}

// metricsAsked gives the pieces that name a metric and are not used yet: the question has a number besides its order.
func (d *draft) metricsAsked() []int {
	var out []int
	for i := range d.pieces {
		if len(d.metrics(i)) > 0 || d.is(i, aggregatePiece) && d.free(i) {
			out = append(out, i)
		}
	}
	return out
}

// orderedLater says whether a further piece names the order.
func (d *draft) orderedLater() bool {
	for i := 1; i < len(d.pieces); i++ {
		if d.is(i, orderPiece) || d.is(i, groupPiece, "by") {
			return true
		}
	}
	return false
}
