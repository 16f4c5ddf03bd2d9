package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readProjection reads a list of attributes with whose they are: "the name and distance of each aircraft", "for each user,
// their name and the number of reviews". Alone they are a listing; beside a number they are shown with each member that
// the number is split by.
func readProjection(d *draft) {
	if d.listing || d.doubt != "" || d.top != nil || len(d.groups) > 0 || len(d.measures) > 0 {
		return
	}
	for i := 0; i < len(d.pieces); i++ {
		items, end := d.itemsAt(i)
		if len(items) == 0 {
			continue
		}
		at := d.ownerOf(items, end)
		if at < 0 {
			i = end - 1
			continue
		}
		owner := d.entities(at)[0].entity
		columns := d.columnsOf(owner, items)
		if columns == nil {
			return
		}
		switch {
		case d.numberBeside(items[0], end):
			d.groups = append(d.groups, slot{piece: at, options: d.entities(at)})
			d.shown = columns
		case len(columns) > 1 && slices.ContainsFunc(columns, func(s slot) bool { return !isNumeric(s.options[0]) }):
			d.subject = &slot{piece: at, options: d.entities(at)}
			d.columns, d.listing = columns, true
		default:
			return
		}
		for _, c := range columns {
			d.take(c.piece, "dimension", c.options[0].name())
		}
		d.take(at, "entity", owner.Name)
		each := at - 1
		for d.is(each, gluePiece, "in") && d.is(each-1, groupPiece, "each") {
			each--
		}
		if d.is(each, groupPiece) {
			d.take(each, connects, "")
		}
		return
	}
}

// itemsAt gives the attributes that are listed from piece i on, joined by "and" or commas, and the piece behind them.
func (d *draft) itemsAt(i int) (items []int, end int) {
	end = i
	for k := i; len(d.dimensions(k)) > 0 && len(d.entities(k)) == 0; {
		items = append(items, k)
		end = k + 1
		for k++; d.is(k, gluePiece, "and"); {
			k++
		}
		if k == end {
			break
		}
	}
	return items, end
}

// ownerOf gives the entity whose attributes are listed: the one behind "of", or the one behind "each".
func (d *draft) ownerOf(items []int, end int) int {
	j := end
	for d.is(j, gluePiece, "in") {
		j++
	}
	if d.is(j, groupPiece, "each") {
		j++
	}
	if j > end && len(d.entities(j)) > 0 {
		return j
	}
	if at := d.ownerBehindNumber(items, end); at >= 0 {
		return at
	}
	for k := range d.pieces { // "for each party, find its location", "the name and the number of orders of each customer"
		at := k + 1
		for d.is(at, gluePiece, "in") { // "for each of the rooms"
			at++
		}
		if d.is(k, groupPiece, "each") && d.free(k) && len(d.entities(at)) > 0 {
			return at
		}
	}
	return -1
}

// ownerBehindNumber gives the entity that listed attributes and a number beside them belong to: "names and average
// salaries of all branches", where salaries are those of the clerks of a branch. -1: there is none.
func (d *draft) ownerBehindNumber(items []int, end int) int {
	k := end
	for d.is(k, gluePiece, "and") || d.is(k, aggregatePiece) {
		k++
	}
	if k == end || len(d.metrics(k)) == 0 || !d.is(k+1, gluePiece, "in") || d.tokens[d.pieces[k+1].from].norm != "of" || len(d.entities(k+2)) == 0 {
		return -1
	}
	owner := d.entities(k + 2)[0].entity
	rows := d.ix.rowsOf(d.metrics(k)[0])
	if rows == nil || rows == owner || !d.ix.paths.reaches(rows.Name, owner.Name) {
		return -1
	}
	for _, i := range items {
		if len(d.names(i, func(t target) bool { return isDimension(t) && t.entity == owner })) == 0 {
			return -1
		}
	}
	return k + 2
}

// columnsOf gives the slots of attributes that each member of an entity has one of; nil when one of them is none.
func (d *draft) columnsOf(owner *semantic.Entity, items []int) []slot {
	var out []slot
	for _, i := range items {
		own := d.names(i, func(t target) bool { return isDimension(t) && d.ix.paths.reaches(owner.Name, t.entity.Name) })
		if len(own) == 0 {
			return nil
		}
		out = append(out, slot{piece: i, options: own, near: owner})
	}
	return out
}

// numberBeside says whether a number is asked for in the same list as the attributes from..to.
func (d *draft) numberBeside(from, to int) bool {
	for j := range d.pieces {
		named := (j < from || j > to) && len(d.metrics(j)) > 0 && len(d.entities(j)) == 0 // "the name and average rating"
		if !d.free(j) || !named && !d.is(j, aggregatePiece, "count", "sum", "avg", "min", "max", "median") {
			continue
		}
		k := j - 1
		for d.is(k, listPiece) || d.is(k, gluePiece, "is", "in") {
			k--
		}
		if j > to && d.is(k, gluePiece, "and") || j < from && d.is(from-1, gluePiece, "and") {
			return true
		}
	}
	return false
}
