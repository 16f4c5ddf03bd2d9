package interpret

import "slices"

// readListing reads questions for members: "list all suppliers in Germany", "show products and their unit price", "which
// employees live in London", "which countries do we sell to".
func readListing(d *draft) {
	if len(d.measures) > 0 || len(d.groups) > 0 || d.doubt != "" {
		return
	}
	if !d.listing {
		at := d.listedEntity()
		if column := d.listedColumn(); column >= 0 {
			ts := d.dimensions(column)
			s := slot{piece: column, options: ts}
			if at >= 0 {
				s.near = d.entities(at)[0].entity
				d.take(at, "entity", s.near.Name)
			}
			d.columns = append(d.columns, s)
			d.take(column, "dimension", ts[0].name())
			return
		}
		if at >= 0 {
			s := slot{piece: at, options: d.entities(at)}
			d.subject = &s
			d.listing = true
			d.take(at, "entity", s.options[0].name())
		}
	}
	d.listColumns()
}

// listColumns takes the attributes that stand in a listing.
func (d *draft) listColumns() {
	for i := range d.pieces {
		ts := d.dimensions(i)
		if len(ts) == 0 || d.is(i-1, notPiece) {
			continue
		}
		s := slot{piece: i, options: ts, near: d.neighborAfter(i)}
		if s.near == nil {
			s.near = d.neighbor(i)
		}
		if d.subject != nil && s.near == nil {
			s.near = d.subject.options[0].entity
		}
		if s.near != nil {
			if key, asked := d.keyAsked(i, target{entity: s.near}); asked && len(key) == 0 {
				continue
			} else if asked {
				s.options = key
			}
		}
		d.columns = append(d.columns, s)
		d.take(i, "dimension", ts[0].name())
	}
}

// listedColumn gives the one attribute that a question asks the different values of: "which countries do our suppliers
// come from". A name asks for the members themselves, and several attributes for one row a member; -1 then.
func (d *draft) listedColumn() int {
	at := -1
	for i := range d.pieces {
		if len(d.dimensions(i)) == 0 {
			continue
		}
		if at >= 0 && len(d.entities(i)) > 0 && d.is(i-1, gluePiece, "with", "in") {
			continue // "buildings which have rooms": the rooms are whose buildings they are
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	distinct := d.is(at-1, aggregatePiece, "distinct")
	if !distinct && at >= 0 && d.ofMembers(at) {
		return -1 // "the categories of the festivals": one for each festival
	}
	if !distinct && d.is(at-1, listPiece, "list") && d.is(at+1, gluePiece, "in") && d.beside(at+2) != nil && d.says("all", at+1, at+2) {
		return -1 // "list the order dates of all bookings": one for each booking
	}
	if at < 0 || !distinct && (!d.is(at-1, listPiece) || !d.plural(at)) {
		return -1
	}
	for _, t := range d.dimensions(at) {
		if !distinct && (d.identifies(t) || d.namesOwner(at, t)) {
			return -1
		}
	}
	return at
}

// namesOwner says whether the words of a piece name whose attribute it is: "detention summaries" are those of detentions.
func (d *draft) namesOwner(i int, t target) bool {
	first := d.tokens[d.pieces[i].from].lemma
	return t.owned && d.pieces[i].to-d.pieces[i].from > 1 && slices.ContainsFunc(d.ix.names.terms[first], func(o target) bool { return isEntity(o) && o.entity == t.entity })
}

// ofMembers says whether an attribute stands with "of" before the members that have it.
func (d *draft) ofMembers(i int) bool {
	if i+2 >= len(d.pieces) || !d.is(i+1, gluePiece, "in") || d.tokens[d.pieces[i+1].from].norm != "of" || !d.plural(i+2) {
		return false
	}
	has := func(e target) bool {
		return slices.ContainsFunc(d.dimensions(i), func(t target) bool { return t.entity == e.entity })
	}
	return slices.ContainsFunc(d.entities(i+2), has)
}

// listedEntity gives the entity whose members are asked for: the one behind "list" or "which", else the first one.
func (d *draft) listedEntity() int {
	for i := range d.pieces {
		if d.is(i-1, listPiece) && len(d.entities(i)) > 0 && !(i > 1 && len(d.entities(i-2)) > 0) { // not "courses which a student takes"
			return i
		}
	}
	return d.anyEntity()
}

// says tells whether a word stands between two pieces.
func (d *draft) says(word string, from, to int) bool {
	return slices.ContainsFunc(d.tokens[d.pieces[from].from:d.pieces[to].from], func(t token) bool { return t.norm == word })
}
