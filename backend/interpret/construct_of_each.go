package interpret

import "assay/backend/semantic"

// readOfEach reads attributes with a number behind them that is split by them: "the cities of the employees and the number of
// employees in each", "different cities and the average age of the pupils of each city". An attribute that names the members is
// no group: "the names of the customers and the number of orders of each".
func readOfEach(d *draft) {
	if d.listing || d.doubt != "" || d.top != nil || len(d.groups) > 0 || len(d.measures) > 0 {
		return
	}
	for i := range d.pieces {
		items, end := d.itemsAt(i)
		if len(items) == 0 {
			continue
		}
		owner, behind := d.ownerBehind(end)
		each := d.eachBehind(items, behind)
		if each < 0 || !d.is(behind, gluePiece, "and") || !d.numberBeside(items[0], end) {
			return
		}
		groups := d.kindsOf(owner, items)
		if groups == nil {
			return
		}
		d.groups = groups
		for _, g := range groups {
			d.take(g.piece, "dimension", g.options[0].name())
		}
		for k := end; k < behind; k++ {
			d.take(k, connects, "")
		}
		for k := each; k < len(d.pieces) && d.free(k); k++ {
			d.take(k, connects, "")
		}
		return
	}
}

// ownerBehind gives whose the attributes are that end before a piece, when it is said, and the piece behind that.
func (d *draft) ownerBehind(end int) (*semantic.Entity, int) {
	at := end
	for d.is(at, gluePiece, "in") && d.free(at) {
		at++
	}
	if at > end && len(d.entities(at)) > 0 && d.free(at) {
		return d.entities(at)[0].entity, at + 1
	}
	return nil, end
}

// eachBehind gives the "of each" at the end of a question, alone or with the one attribute again; -1: there is none.
func (d *draft) eachBehind(items []int, from int) int {
	last := len(d.pieces) - 1
	if last > from && d.is(last, groupPiece, "each") && d.free(last) {
		return last
	}
	if last-1 > from && d.is(last-1, groupPiece, "each") && d.free(last-1) && len(items) == 1 && d.pieces[last].label() == d.pieces[items[0]].label() {
		return last - 1
	}
	return -1
}

// kindsOf gives the slots of attributes that members share; nil when one of them tells the members apart.
func (d *draft) kindsOf(owner *semantic.Entity, items []int) []slot {
	var out []slot
	for _, i := range items {
		options := d.names(i, func(t target) bool {
			return isDimension(t) && (owner == nil || t.entity == owner) && !tellsApart(t)
		})
		if len(options) == 0 {
			return nil
		}
		out = append(out, slot{piece: i, options: options, near: owner})
	}
	return out
}

// tellsApart says whether an attribute is what its members are known by.
func tellsApart(t target) bool {
	for _, key := range t.entity.Key {
		if key == t.dim.Name {
			return true
		}
	}
	return t.dim.Name == t.entity.Display
}
