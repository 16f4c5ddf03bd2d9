package interpret

import "slices"

// calledBy gives the attribute whose name is spoken of at a piece, and where it stands: the maker in "makers whose name
// contains Door", where makers are no members of their own. nil: it is the name of a member.
func (d *draft) calledBy(i int) (at int, dims []target) {
	p := d.pieces[i]
	if !d.introduced(i) || p.to != p.from+1 || d.tokens[p.from].lemma != "name" || d.tokens[p.from-1].norm != "whose" {
		return -1, nil
	}
	at = i - 2
	if len(d.entities(at)) > 0 {
		return -1, nil
	}
	return at, d.names(at, isSearchable)
}

// takeMentioned takes an attribute that is only named to say something about it: "films by a maker whose name is Hill
// House" asks for films. What is listed or counted is left to be read.
func (d *draft) takeMentioned(i int, t target) {
	by := d.is(i-1, groupPiece, "by")
	done := i > 0 && slices.ContainsFunc(d.gap(i-1, i), func(t token) bool { return t.norm == "by" }) // "made by"
	switch {
	case done, by && d.is(i-2, gluePiece, "is"), d.is(i-1, gluePiece, "in") && d.is(i-2, namePiece):
	case by && d.is(i-2, namePiece) && !(d.plural(i) && d.numbered(i)): // "films by makers", but "number of films by makers" is split
	default:
		return
	}
	d.take(i, "dimension", t.name())
	if by {
		d.take(i-1, connects, "")
	}
}

// ownNamed gives the attributes that a piece behind "whose" names of the entity before it, even where the same word is
// what another entity is called: "customers whose address" is the address in the customers' own rows.
func (d *draft) ownNamed(i int) []target {
	if d.whose(i) == nil || !d.free(i) {
		return nil
	}
	key := ""
	for _, t := range d.tokens[d.pieces[i].from:d.pieces[i].to] {
		key += t.lemma
	}
	return slices.DeleteFunc(slices.Clone(d.ix.names.terms[key]), func(t target) bool { return !isDimension(t) || t.entity != d.whose(i) })
}

// ownOf keeps the meanings that belong to the entity that "whose" ties a piece to, where it has any.
func (d *draft) ownOf(i int, options []target) []target {
	var own []target
	for _, t := range options {
		if t.entity != nil && t.entity == d.whose(i) {
			own = append(own, t)
		}
	}
	if len(own) > 0 {
		return own
	}
	return options
}
