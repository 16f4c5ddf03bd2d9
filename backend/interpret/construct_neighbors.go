package interpret

import "slices"

// reaching says whether a meaning is the column that says to which other members an entity's rows lead: "border" of states whose borders have a
// table of their own.
func (ix *Index) reaching(t, e target) bool {
	return isDimension(t) && t.entity != e.entity && ix.paths.reaches(t.entity.Name, e.entity.Name) && ix.leadsTo(t, e.entity)
}

// noNeighbors reads members that lead to none of their kind: "provinces that adjoin no other provinces", "provinces with no adjoining provinces".
func (d *draft) noNeighbors(i int) bool {
	if !d.is(i, relatedPiece, "no") || !d.free(i) {
		return false
	}
	column, at := i-1, i+1
	var said []int
	if at < len(d.pieces) && d.is(at, unknownPiece) && d.tokens[d.pieces[at].from].norm == "other" {
		said = append(said, at)
		at++
	}
	if len(d.dimensions(at)) > 0 && len(d.entities(at+1)) > 0 {
		column = at
		at++
	}
	es := d.entities(at)
	if len(es) == 0 {
		return false
	}
	head := -1
	for j := min(i, column) - 1; j >= 0 && head < 0; j-- {
		if slices.ContainsFunc(d.entities(j), func(t target) bool { return t.entity == es[0].entity }) {
			head = j
		} else if !d.is(j, gluePiece) && !d.is(j, listPiece) {
			return false
		}
	}
	columns := d.names(column, func(t target) bool { return d.ix.reaching(t, es[0]) })
	if head < 0 || len(columns) == 0 {
		return false
	}
	d.clauses = append(d.clauses, clause{quant: "no", from: i, to: at + 1, members: []slot{{piece: column, options: []target{{entity: columns[0].entity}}}}})
	d.take(column, "entity", columns[0].entity.Name)
	d.take(i, "filter", "no")
	for _, k := range append(said, at) {
		d.take(k, connects, "")
	}
	return true
}

// readHops refuses what leads from members to members and on to further ones: "provinces that adjoin provinces that adjoin Aster". No condition
// says that yet, and one step less would be another question.
func readHops(d *draft) {
	for k := 2; k < len(d.tokens); k++ {
		es := keepTargets(d.ix.names.terms[d.tokens[k].lemma], isEntity)
		if len(es) == 0 || !d.continued(k+1) {
			continue
		}
		j := d.skippedBack(k-1, "the", "a", "any", "all")
		if j < 1 || !slices.ContainsFunc(d.ix.names.terms[d.tokens[j].lemma], func(t target) bool { return d.ix.reaching(t, es[0]) }) {
			continue
		}
		j = d.skippedBack(j-1, "that", "which", "do", "does")
		if j >= 0 && slices.ContainsFunc(d.ix.names.terms[d.tokens[j].lemma], func(t target) bool { return isEntity(t) && t.entity == es[0].entity }) {
			d.later = append(d.later, "hops")
			return
		}
	}
}

// skippedBack gives the last token up to one that is none of some words.
func (d *draft) skippedBack(k int, ws ...string) int {
	for k >= 0 && slices.Contains(ws, d.tokens[k].norm) {
		k--
	}
	return k
}

// continued says whether a relative clause begins at a token.
func (d *draft) continued(next int) bool {
	for next < len(d.tokens) && slices.Contains([]string{"through", "in", "of", "on"}, d.tokens[next].norm) {
		next++
	}
	return next < len(d.tokens) && slices.Contains([]string{"that", "which", "whose", "who"}, d.tokens[next].norm)
}
