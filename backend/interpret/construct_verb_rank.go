package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// scoreVerbRank is what a verb that is called as a column gains over the noun that it is spelled like.
const scoreVerbRank = 0.6

// rankByVerb reads a verb that is called as the column which says whom it reaches: "the river that crosses the most countries",
// "which state borders the fewest states". Members are ranked by how many different ones it reaches.
func (d *draft) rankByVerb(i, next int, top *ranking) bool {
	verb := i - 1
	if !d.ranksCount(i) || !d.is(verb, namePiece) || !d.plural(verb) || d.pieces[verb].to > d.pieces[verb].from+1 {
		return false
	}
	member := verb - 1
	for d.is(member, listPiece) {
		member-- // "the state that borders"
	}
	owners, reached := d.entities(member), d.entities(next)
	if len(owners) == 0 || len(reached) == 0 || d.plural(member) || !d.groupable(member) {
		return false
	}
	for j := range member {
		if slices.ContainsFunc(d.entities(j), func(t target) bool { return t.entity == owners[0].entity }) {
			return false // "how many states border the state that borders the most states" asks for the neighbors of that one
		}
	}
	columns := d.names(verb, func(t target) bool {
		return isDimension(t) && d.ix.paths.reaches(t.entity.Name, owners[0].entity.Name) && d.ix.leadsTo(t, reached[0].entity)
	})
	if len(columns) == 0 {
		return false
	}
	top.by = measure{slot: slot{piece: verb, options: columns}, reduce: "count", distinct: true}
	d.takeMember(top, member)
	top.member.options = owners
	d.take(verb, "metric", columns[0].name())
	d.take(next, connects, "")
	d.score += scoreVerbRank
	return true
}

// ranksReached says whether a verb with a superlative stands between members and others that they are related to: "which clerk sold the most
// lamps" counts lamps, and ranks no clerk by an amount that was sold.
func (d *draft) ranksReached(i, next int) bool {
	leading := d.leadingMember(i)
	if leading < 0 || !d.ranksCount(i) || !d.plural(min(next, len(d.pieces)-1)) {
		return false
	}
	whom, reached := d.entities(leading), d.entities(next)
	return len(whom) > 0 && len(reached) > 0 && whom[0].entity != reached[0].entity
}

// leadsTo says whether a column says which member of an entity the rows belong to.
func (ix *Index) leadsTo(t target, to *semantic.Entity) bool {
	return slices.ContainsFunc(to.Dimensions, func(own semantic.Dimension) bool { return ix.pointsAt(t, target{entity: to, dim: &own}) })
}

// readHolder reads who has the one that stands first: "which country has the largest city", "what team has the player with the most
// goals". The first one is shown with whom it belongs to.
func readHolder(d *draft) {
	if d.top == nil || !d.top.attribute || d.top.n != 1 || len(d.top.member.options) == 0 {
		return
	}
	at := min(d.top.word, d.top.member.piece)
	if d.top.member.piece < 0 {
		at = d.top.word
	}
	has := at - 1
	if !d.is(has, gluePiece, "with") || !slices.Contains(holding, d.tokens[d.pieces[has].to-1].norm) {
		return
	}
	holders, first := d.entities(has-1), d.top.member.options[0].entity
	if len(holders) == 0 || !d.is(has-2, listPiece) || holders[0].entity == first || !d.ix.paths.reaches(first.Name, holders[0].entity.Name) {
		return
	}
	var names []target
	for _, n := range d.ix.display(holders[0].entity) {
		names = append(names, target{entity: holders[0].entity, dim: holders[0].entity.Dimension(n)})
	}
	if len(names) != 1 || names[0].dim == nil {
		return
	}
	d.columns = append(d.columns, slot{piece: has - 1, options: names, near: holders[0].entity})
	d.take(has-1, "dimension", names[0].name())
}

// holding are verbs that say to whom something belongs.
var holding = []string{"has", "have", "had", "contains", "contain", "owns", "own", "includes"}
