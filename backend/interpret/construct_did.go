package interpret

import "slices"

// readDid reads what somebody did, where the verb is spelled like the rows that record it: "which products did Ernst Handel order in
// 1998". The verb stands behind its subject, in the singular, and is no number.
func readDid(d *draft) {
	for i := range d.pieces {
		at := i + 1
		if !d.is(i, listPiece) || len(d.entities(at)) == 0 || at+1 >= len(d.pieces) || !d.asksDid(at) {
			continue
		}
		host := d.entities(at)[0].entity
		who := at + 1
		for who < len(d.pieces) && len(d.values(who)) == 0 && (d.is(who, gluePiece) || d.is(who, stopPiece) || len(d.entities(who)) > 0) {
			who++
		}
		verb := who + 1
		if len(d.values(who)) == 0 || len(d.entities(verb)) == 0 || d.plural(verb) || d.pieces[verb].to > d.pieces[verb].from+1 || len(d.entities(verb+1)) > 0 {
			continue
		}
		if d.recordsWhat(verb, who) {
			continue // "which towns does Lyon neighbor" where a column says which town neighbors it
		}
		if e := d.entities(verb)[0].entity; e != host {
			d.ownValues(who)
			d.addMember(verb, d.entities(verb)[:1])
			d.take(verb, "entity", e.Name)
			d.did = append(d.did, verb)
		}
	}
}

// recordsWhat says whether the verb is called as the column that holds the value, before it is the rows.
func (d *draft) recordsWhat(verb, value int) bool {
	best := d.pieces[verb].names[0]
	return isDimension(best) && slices.ContainsFunc(d.values(value), func(v target) bool { return v.dim == best.dim && v.entity == best.entity })
}

// ownValues keeps the meanings of a value that are of the members named before it: "customers in Germany" are not where orders went.
func (d *draft) ownValues(i int) {
	near := d.neighbor(i)
	p := *d.pieces[i]
	p.names = d.names(i, func(t target) bool { return isValue(t) && t.entity == near })
	if len(p.names) > 0 {
		d.pieces[i] = &p
	}
}

// asksDid says whether "did", "does" or "do" stands behind a piece.
func (d *draft) asksDid(i int) bool {
	if d.pieces[i].to >= len(d.tokens) {
		return false
	}
	switch d.tokens[d.pieces[i].to].norm {
	case "did", "does", "do":
		return true
	}
	return false
}
