package interpret

import (
	"slices"

	"assay/backend/semantic"
	"assay/backend/text"
)

// readMetrics takes the numbers that stand without an aggregate: "revenue", "revenue and order count by month". A listing
// keeps attributes of its own rows as columns instead.
func readMetrics(d *draft) {
	for i := range d.pieces {
		if len(d.metrics(i)) == 0 || d.listed(i) {
			continue
		}
		if len(d.entities(i)) > 0 && d.noNumber(i) {
			continue
		}
		if len(d.measures) > 0 && !d.alongside(i) {
			continue
		}
		m := d.measureOf(i, "")
		if m == nil {
			continue
		}
		m.near = d.neighborAfter(i)
		if es := d.entities(i); len(es) > 0 && countsMembers(*m) && len(d.groups) == 0 && d.top == nil {
			d.note(text.Say("interpret.assume_count", "entity", labelOf(es[0].entity.Label, es[0].entity.Name)))
		}
		d.measures = append(d.measures, *m)
		d.take(i, "metric", m.options[0].name())
	}
	if len(d.measures) > 0 || d.listing || d.subject != nil {
		return
	}
	for i := range d.pieces { // a column, when nothing else is asked for
		ts, reduce := d.names(i, isMeasure), "sum"
		if len(ts) == 0 && len(d.groups) > 0 && len(d.having) == 0 && d.countIdentifiers(i) {
			break
		}
		if len(ts) == 0 && len(d.groups) > 0 && len(d.having) == 0 && len(d.measures) == 0 {
			ts, reduce = d.names(i, isNumeric), "avg"
			if len(ts) > 0 {
				d.doubt = doubtReducer // a price has an average, a maximum and a minimum: ask
			}
		}
		if len(ts) == 0 || d.anyEntity() >= 0 && len(d.groups) == 0 {
			continue
		}
		m := measure{slot: slot{piece: i, options: ts, near: d.neighborAfter(i)}, reduce: reduce, assumed: reduce == "sum"}
		d.measures = append(d.measures, m)
		d.take(i, "metric", ts[0].name())
	}
}

// countIdentifiers reads what a column of identifiers names, in the plural, as how many different ones there are: "tickets by zone" of rows
// that have the number of a ticket each. Rows that are called so themselves are left to readRows. It says whether it did either.
func (d *draft) countIdentifiers(i int) bool {
	ids := d.names(i, func(t target) bool {
		thing := t.match == partialMatch && slices.ContainsFunc(naming, func(w string) bool { return t.dim != nil && namedBy(d.ix.english, t.dim, w) })
		return isDimension(t) && (t.dim.Identifier || t.dim.Type == semantic.Text && thing)
	})
	if len(ids) == 0 || !d.plural(i) {
		return false
	}
	if len(d.entities(i)) == 0 {
		d.measures = append(d.measures, measure{slot: slot{piece: i, options: ids, near: d.neighborAfter(i)}, reduce: "count", distinct: true})
		d.take(i, "metric", ids[0].name())
		d.note(text.Say("interpret.assume_distinct", "column", labelOf(ids[0].dim.Label, ids[0].dim.Name)))
	}
	return true
}

// countsMembers says whether a number says how many rows there are, and is no sum of what they hold.
func countsMembers(m measure) bool {
	if t := m.options[0]; t.metric != nil {
		return t.metric.Leaf() && t.metric.Reducer == semantic.Count
	}
	return m.star || m.reduce == "count"
}

// noNumber says whether an entity that stands for no more than its count means its members instead.
func (d *draft) noNumber(i int) bool {
	and, which := d.is(i-1, gluePiece, "and"), d.is(i-1, listPiece, "which")
	switch {
	case d.is(i-1, listPiece) && d.top == nil && (len(d.groups) == 0 || i > 1 && which):
		return true // "list orders", "and what orders they placed": the rows, not their number
	case !d.plural(i) && d.ix.countable(d.pieces[i], d.tokens) && d.onlyCounts(i) && (which || and):
		return true // "which channel", "and the acceptance": one of them is no number of them
	case d.subject != nil && !and:
		return true // "how many customers placed orders"
	}
	return len(d.groups) == 0 && d.top == nil && len(d.attributesBefore(i)) > 0 // "shipped dates of orders": one for each
}

// onlyCounts says whether a piece names no number but how many members there are.
func (d *draft) onlyCounts(i int) bool {
	return !slices.ContainsFunc(d.metrics(i), func(t target) bool {
		rows := d.ix.rowsOf(t)
		return rows == nil || d.ix.counter(rows) != t.metric
	})
}

// countable says whether the last word of a piece has a plural of its own: "channel" has, "staff" has not.
func (ix *Index) countable(p *piece, tokens []token) bool {
	w := tokens[p.to-1].norm
	return semantic.Plural(w) != w && !slices.Contains([]string{"staff", "faculty", "personnel", "people", "inventory", "equipment", "stock", "traffic"}, w)
}

// alongside says whether a number stands in a list with another one: only then is a second number asked for.
func (d *draft) alongside(i int) bool {
	measured := func(j int) bool {
		return j >= 0 && j < len(d.pieces) && (d.uses[j].slot == "metric" || d.uses[j].slot == "aggregate")
	}
	switch {
	case d.is(i-1, gluePiece, "and"), measured(i - 1):
		return true
	case d.is(i+1, gluePiece, "and"):
		return measured(i + 2)
	}
	return false
}

// listed says whether a metric is named in a listing of an entity that has an attribute of that name: "orders and their
// freight".
func (d *draft) listed(i int) bool {
	if d.top != nil && d.top.attribute { // "the weight of the shortest person"
		return len(d.names(i, func(t target) bool { return isDimension(t) && t.entity == d.top.by.options[0].entity })) > 0
	}
	if !isListing(d) || len(d.groups) > 0 || d.top != nil {
		return false
	}
	e := d.anyEntity()
	if e < 0 || e > i && (!d.plural(e) || !d.is(e-1, gluePiece, "in")) { // "the earnings of players"
		return false
	}
	for _, t := range d.dimensions(i) {
		if t.entity == d.entities(e)[0].entity || e > i && d.ix.paths.reaches(d.entities(e)[0].entity.Name, t.entity.Name) { // "list the age of the members", who are persons
			return true
		}
	}
	return false
}

// isListing says whether the question asks for members: "list", "show", "which".
func isListing(d *draft) bool {
	for i := range d.pieces {
		if d.is(i, listPiece) {
			return true
		}
	}
	return false
}

// anyEntity gives the first free piece that names an entity; -1 when there is none.
func (d *draft) anyEntity() int {
	for i := range d.pieces {
		if len(d.entities(i)) > 0 {
			return i
		}
	}
	return -1
}
