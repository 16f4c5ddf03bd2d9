package interpret

// readGroups reads "by category and month", "per country", "for each shipper", "monthly", "over time".
func readGroups(d *draft) {
	for i, p := range d.pieces {
		switch {
		case d.uses[i].slot != "":
		case p.kind == grainPiece && p.adverb:
			d.groups = append(d.groups, slot{piece: i, grain: p.id})
			d.take(i, "grain", p.id)
		case p.kind == groupPiece && p.id == "trend":
			d.trend = true
			d.take(i, "grain", "trend")
		case p.kind == groupPiece:
			d.groupsBehind(i)
		}
	}
}

// groupsBehind takes the things to group by that stand behind a grouping word, joined by "and" or commas.
func (d *draft) groupsBehind(i int) {
	at := i + 1
	for {
		n := d.groupAt(at)
		if n == 0 {
			break
		}
		d.take(i, connects, "")
		at += n
		j := at
		for d.is(j, gluePiece, "and") || d.is(j, groupPiece) && d.is(j-1, gluePiece, "and") {
			j++
		}
		if j == at || len(d.metrics(j)) > 0 && len(d.entities(j)) == 0 || !d.groupable(j) {
			break
		}
		for k := at; k < j; k++ {
			if d.is(k, groupPiece) {
				d.take(k, connects, "")
			}
		}
		at = j
	}
	// "customers by revenue": members in the order of a number
	if at == i+1 && len(d.metrics(at)) > 0 && len(d.measures) == 0 && d.top == nil {
		for j := i - 1; j >= 0; j-- {
			if len(d.members(j)) == 0 {
				continue
			}
			m := d.measureOf(at, "")
			d.measures = append(d.measures, *m)
			d.order = append(d.order, ordering{desc: true, by: m})
			d.groups = append(d.groups, slot{piece: j, options: d.members(j)})
			d.take(j, "dimension", d.pieces[j].label())
			d.take(at, "metric", m.options[0].name())
			d.take(i, "order", "desc")
			return
		}
	}
}

// groupAt takes one thing to group by and gives the pieces that it took: an entity, a dimension, a calendar unit, or a
// calendar unit of a time dimension ("month of the order date", "shipped month").
func (d *draft) groupAt(i int) int {
	if !d.free(i) {
		return 0
	}
	if d.is(i, grainPiece) {
		s := slot{piece: i, grain: d.pieces[i].id}
		n := 1
		if d.is(i+1, gluePiece, "in") {
			if ts := d.names(i+2, isTemporal); len(ts) > 0 {
				s.options, n = ts, 3
				d.take(i+2, "dimension", ts[0].name())
			}
		}
		d.groups = append(d.groups, s)
		d.take(i, "grain", s.grain)
		return n
	}
	if ts := d.names(i, isTemporal); len(ts) > 0 && d.is(i+1, grainPiece) && d.free(i+1) {
		d.groups = append(d.groups, slot{piece: i, options: ts, grain: d.pieces[i+1].id})
		d.take(i, "dimension", ts[0].name())
		d.take(i+1, "grain", d.pieces[i+1].id)
		return 2
	}
	ts := d.names(i, func(t target) bool { return isEntity(t) || isDimension(t) })
	if len(ts) == 0 || len(d.metrics(i)) > 0 && d.metrics(i)[0].score > ts[0].score {
		return 0
	}
	s := slot{piece: i, options: ts, near: d.neighborAfter(i)}
	d.groups = append(d.groups, s)
	d.take(i, "dimension", ts[0].name())
	return 1
}
