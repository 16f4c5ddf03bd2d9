package interpret

import (
	"slices"
	"strings"
)

// readOrder reads "sorted by revenue descending", "highest first", "alphabetically".
func readOrder(d *draft) {
	for i, p := range d.pieces {
		if p.kind != orderPiece || d.uses[i].slot != "" {
			continue
		}
		switch p.id {
		case "by", "by asc", "by desc":
			if by := d.sortedBy(i); by > 0 {
				d.take(i, connects, "")
				d.orderBy(by, false)
				continue
			}
			if d.orderFollows(i) || i == 0 && p.to-p.from == 1 && d.orderedLater() { // "sort the industries in descending order of ..."
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
			if len(d.order) == 0 && d.alphabetic(i) {
				d.order = append(d.order, ordering{desc: true, name: true})
				continue
			}
			if len(d.order) > 0 {
				d.order[len(d.order)-1].desc = p.id == "desc"
				continue
			}
			d.order = append(d.order, ordering{desc: p.id == "desc"})
		}
	}
	d.oldestFirst()
}

// alphabetic says whether the words of an order put names in order, last letters first: "in reverse alphabetical order".
func (d *draft) alphabetic(i int) bool {
	said := strings.ToLower(d.written(i))
	return strings.Contains(said, "alphabet") || strings.Contains(said, "lexic") || said == "from z to a"
}

// sortedBy gives the "by" of a request that begins with the word of ordering and names the members first: "sort the students by
// age". 0: there is none, or another word says the order.
func (d *draft) sortedBy(i int) int {
	if i > 0 || d.pieces[i].to-d.pieces[i].from > 1 || len(d.entities(i+1)) == 0 {
		return 0
	}
	by := 0
	for k := i + 1; k < len(d.pieces); k++ {
		switch {
		case d.is(k, orderPiece, "asc", "desc"):
		case d.is(k, orderPiece):
			return 0
		case d.is(k, groupPiece, "by") && by == 0 && d.free(k):
			by = k
		}
	}
	return by
}

// oldestFirst turns an order by age: the oldest has the highest number of years, but the earliest date.
func (d *draft) oldestFirst() {
	n := len(d.order)
	if n == 0 || d.order[n-1].by == nil {
		return
	}
	years := slices.ContainsFunc(d.order[n-1].by.options, func(t target) bool { return t.metric != nil || isNumeric(t) || t.turned })
	for i := range d.pieces {
		if !d.is(i, orderPiece, "asc") || d.uses[i].slot != "order" {
			continue
		}
		switch strings.ToLower(d.written(i)) {
		case "oldest first", "from old to young":
			d.order[n-1].desc = years
		case "youngest first", "from young to old":
			d.order[n-1].desc = !years
		}
	}
}

// orderFollows says whether a word of ordering only introduces another one that says how: "sorted in alphabetical order",
// "sort them in descending order of age".
func (d *draft) orderFollows(i int) bool {
	j := i + 1
	for d.is(j, gluePiece, "in", "and") {
		j++
	}
	switch {
	case d.is(j, orderPiece, "name", "by asc", "by desc"):
		return true
	case d.is(j, orderPiece, "asc", "desc"):
		return !d.is(j+1, namePiece)
	}
	return false
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
	o := ordering{desc: desc}
	direction := i + 1
	for d.is(direction, rankPiece, "high", "best") {
		o.desc = true
		d.take(direction, "order", "desc")
		direction++
	}
	at = d.orderKey(&o, at)
	if at < 0 {
		return
	}
	if d.is(i+1, groupPiece, "by") {
		d.take(i+1, connects, "")
	}
	d.take(i, "order", "by")
	if d.ranks(i) && o.by != nil && (o.by.star || isMetric(o.by.options[0]) || isMeasure(o.by.options[0])) {
		o.desc = true
	}
	d.keyRead(o, at)
}

// ranks says whether the word of an order at a piece, or the one that introduces it, is to rank, which puts the most first: "rank the
// employees by revenue".
func (d *draft) ranks(i int) bool {
	return slices.ContainsFunc([]int{0, i}, func(k int) bool {
		return (d.is(k, orderPiece) || k == i) && strings.HasPrefix(d.tokens[d.pieces[k].from].norm, "rank")
	})
}

// keyRead keeps a key that ends with a piece, in the direction behind it, and reads on: there may be further ones.
func (d *draft) keyRead(o ordering, end int) {
	if next := end + 1; d.is(next, orderPiece, "asc", "desc") && d.free(next) {
		o.desc = d.pieces[next].id == "desc"
		d.take(next, "order", d.pieces[next].id)
		end = next
	}
	d.order = append(d.order, o)
	d.furtherKeys(end + 1)
}

// orderKey reads one key at a piece and gives the piece that it ends with; -1 when there is none.
func (d *draft) orderKey(o *ordering, at int) int {
	agg, at := d.aggregateAt(at)
	if agg == "" {
		if ts := d.dimensions(at); len(ts) > 0 && len(d.metrics(at)) == 0 {
			o.by = &measure{slot: slot{piece: at, options: ts, near: d.neighborAfter(at)}}
			d.take(at, "order", ts[0].name())
			return at
		}
		if own := d.attributeBehind(at); own != nil { // "sorted by the bridge length"
			o.by = &measure{slot: slot{piece: at + 1, options: own}}
			d.take(at, "entity", own[0].entity.Name)
			d.take(at+1, "order", own[0].name())
			return at + 1
		}
		if ts := d.entities(at); len(ts) > 0 && len(d.metrics(at)) == 0 {
			o.name = true
			d.take(at, "order", ts[0].name())
			return at
		}
		if d.is(at, grainPiece) && d.free(at) {
			return d.orderMoment(o, at)
		}
	}
	if own := d.ownKey(at); agg == "" && len(own) > 0 {
		o.by = &measure{slot: slot{piece: at, options: own}}
		d.take(at, "order", own[0].name())
		return at
	}
	m := d.measureOf(at, agg)
	if m == nil {
		return -1
	}
	o.by = m
	if agg != "" {
		d.take(at-1, "aggregate", agg)
	}
	d.take(at, "order", m.options[0].name())
	if len(d.metricsAsked()) == 0 {
		d.measures = append(d.measures, *m)
		d.groupSorted(at)
	}
	return at
}

// groupSorted takes the members that a number is only the order of: "categories sorted by revenue" shows both.
func (d *draft) groupSorted(at int) {
	if len(d.groups) > 0 || d.top != nil {
		return
	}
	for i := range at {
		if d.is(i-1, groupPiece) {
			return // "customers by country sorted by revenue" says itself what it shows
		}
		if ms := d.members(i); len(ms) > 0 && d.pieces[i].names[0].value == nil {
			d.groups = append(d.groups, slot{piece: i, options: ms})
			d.take(i, "dimension", ms[0].name())
			return
		}
	}
}

// sortsNothing says whether members were named and an order was given, but one number stands alone.
func (d *draft) sortsNothing() bool {
	alone := len(d.order) > 0 && len(d.measures) > 0 && len(d.groups) == 0 && d.top == nil && !d.trend && !d.listing && d.subject == nil && len(d.columns) == 0
	return alone && slices.ContainsFunc(d.uses, func(u use) bool { return u.slot == "entity" })
}

// ownKey gives the attributes that a list of members is ordered by, where the words also name a number: "titles of the books
// in ascending order of issues".
func (d *draft) ownKey(i int) []target {
	if d.listing && d.subject != nil && d.top == nil && len(d.measures) == 0 { // "the name and salary of all clerks in order of salary"
		owner := d.subject.options[0].entity
		if own := d.names(i, func(t target) bool { return isDimension(t) && t.entity == owner }); len(own) > 0 && d.shownAlready(own[0]) {
			return own
		}
	}
	e := d.anyEntity()
	if e < 0 || !isListing(d) || slices.ContainsFunc(d.pieces, func(p *piece) bool { return p.kind == aggregatePiece && p.id != "distinct" || p.kind == groupPiece }) {
		return nil
	}
	return d.names(i, func(t target) bool { return isDimension(t) && t.entity == d.entities(e)[0].entity })
}

// shownAlready says whether an attribute is a column of the list.
func (d *draft) shownAlready(t target) bool {
	return slices.ContainsFunc(d.columns, func(s slot) bool {
		return slices.ContainsFunc(s.options, func(o target) bool { return o.dim == t.dim && o.entity == t.entity })
	})
}

// attributeBehind gives the attributes of an entity that stand directly behind it.
func (d *draft) attributeBehind(i int) []target {
	es := d.entities(i)
	if len(es) == 0 || i+1 >= len(d.pieces) || d.pieces[i].to != d.pieces[i+1].from {
		return nil
	}
	return d.names(i+1, func(t target) bool { return isDimension(t) && t.entity == es[0].entity })
}

// orderMoment reads a calendar unit as the key: that of a grouping ("by month, sorted by month"), else the only time of the
// members ("tweets in the order of date").
func (d *draft) orderMoment(o *ordering, at int) int {
	for j := range d.pieces {
		if j != at && d.is(j, grainPiece) && (d.pieces[j].id == d.pieces[at].id || d.is(j-1, groupPiece)) {
			o.name = true
			d.take(at, "order", d.pieces[at].id)
			return at
		}
	}
	var times []target
	if e := d.anyEntity(); e >= 0 {
		owner := d.entities(e)[0].entity
		for i := range owner.Dimensions {
			if t := (target{entity: owner, dim: &owner.Dimensions[i]}); isTemporal(t) {
				times = append(times, t)
			}
		}
	}
	if len(times) != 1 {
		return -1
	}
	o.by = &measure{slot: slot{piece: at, options: times}}
	d.take(at, "order", dimensionName(times[0]))
	return at
}

// furtherKeys reads "and then by name" behind a key.
func (d *draft) furtherKeys(i int) {
	j := i
	for d.is(j, gluePiece, "and") {
		j++
	}
	by := j
	for d.is(j, groupPiece, "by") || d.is(j, orderPiece, "by") {
		j++
	}
	if j == i || j == by && len(d.dimensions(j)) == 0 {
		return
	}
	o := ordering{}
	at := d.orderKey(&o, j)
	if at < 0 {
		return
	}
	for k := by; k < j; k++ {
		d.take(k, connects, "")
	}
	d.keyRead(o, at)
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
