package interpret

import (
	"slices"

	"assay/backend/semantic"
	"assay/backend/text"
)

// readCounts reads "how many orders", "number of customers", "how many different countries", "count of products".
func readCounts(d *draft) {
	for i, p := range d.pieces {
		if p.kind != aggregatePiece || (p.id != "count" && p.id != "distinct") || d.uses[i].slot != "" {
			continue
		}
		at, distinct := i+1, p.id == "distinct"
		if p.id == "distinct" && d.is(i-1, aggregatePiece, "count") {
			continue // read with the count word before it
		}
		if p.id == "distinct" && d.is(i-1, groupPiece) {
			continue // "for each different country"
		}
		for d.is(at, gluePiece, "in") || d.is(at, aggregatePiece, "distinct") || distinct && d.is(at, listPiece, "list") {
			distinct = distinct || d.is(at, aggregatePiece, "distinct")
			at++
		}
		if p.id == "distinct" {
			d.listDistinct(i, at)
			continue
		}
		if len(d.entities(i-1)) > 0 && !d.is(i-2, groupPiece) && p.to == p.from+1 && !d.countable(at) { // "total sales count"
			d.countBehind(i)
			continue
		}
		if p.id == "count" && p.to == p.from+1 && !d.is(i-2, groupPiece) && d.countable(i-1) && !d.countable(at) { // "passenger count"
			at = i - 1
		}
		d.countAt(i, at, distinct)
	}
}

// holdsCounts says whether a piece names a column of numbers and no members: "the average number of passengers".
func (d *draft) holdsCounts(at int) bool {
	m := d.measureOf(at, "count")
	if m == nil || m.star {
		return false
	}
	t := m.options[0]
	if t.metric != nil {
		return d.isColumn(t)
	}
	return isMeasure(t)
}

// countable says whether a piece names something that can be counted.
func (d *draft) countable(i int) bool { return d.measureOf(i, "count") != nil }

// countBehind reads a count word behind what it counts: "sales count".
func (d *draft) countBehind(i int) {
	es := d.entities(i - 1)
	m := measure{slot: slot{piece: i - 1, options: es}, reduce: "count", star: true}
	d.measures = append(d.measures, m)
	d.take(i, "aggregate", "count")
	d.take(i-1, "metric", es[0].name())
	if d.is(i-2, aggregatePiece, "sum") && d.free(i-2) {
		d.take(i-2, connects, "")
	}
}

func (d *draft) countAt(i, at int, distinct bool) {
	if !distinct && d.reducer(i-1) && d.holdsCounts(at) && !d.is(at+1, groupPiece, "each") {
		d.take(i, connects, "") // "average number of bedrooms" is the average of a column
		return
	}
	if (len(d.names(at, d.isFlag)) > 0 || len(d.values(at)) > 0) && len(d.entities(at)) == 0 && len(d.entities(at+1)) > 0 {
		at++ // "how many discontinued products": the flag, or the value, is a condition
	} else if d.participleBefore(at) {
		at++
	}
	m := d.measureOf(at, "count")
	if m == nil {
		return
	}
	if distinct || d.countsSteps(at) { // "different countries": never the rows of another thing, and never a sum
		if dims := d.dimensions(at); len(dims) > 0 && (!m.star || dims[0].score >= m.options[0].score && dims[0].entity != m.options[0].entity) {
			m = &measure{slot: slot{piece: at, options: dims}, reduce: "count", distinct: true}
		}
	}
	if dims := d.numbersOfMembers(at); !distinct && len(dims) > 0 {
		m = &measure{slot: slot{piece: at, options: dims}, reduce: "count", distinct: true}
	}
	if !distinct && m.distinct && d.amountInText(at, m.options[0]) {
		return
	}
	if t := m.options[0]; !distinct && m.distinct && d.plural(at) && d.namesMembers(at, t) {
		m.options, m.star, m.distinct = []target{{entity: t.entity, score: t.score}}, true, false
	}
	if d.is(i-1, aggregatePiece, "avg", "max", "min") && d.free(i-1) {
		m.reduce, m.assumed = d.pieces[i-1].id, false // "average number of orders per customer": one count for each member
		d.nest(m, at)
		if len(m.per) == 0 {
			return
		}
		d.take(i-1, "aggregate", m.reduce)
	}
	if d.is(i-1, aggregatePiece, "sum") && d.free(i-1) {
		d.take(i-1, connects, "")
	}
	if m.near = d.neighborAfter(at); m.near == nil && !m.star {
		m.near = d.beside(at + 1) // "how many cities do customers live in"
	}
	if m.amount != nil && len(m.per) == 0 {
		d.doubt = doubtCounted
	}
	d.measures = append(d.measures, *m)
	d.take(i, "aggregate", "count")
	for k := i + 1; k < at; k++ {
		if d.is(k, aggregatePiece) {
			d.take(k, "aggregate", "distinct")
		}
	}
	d.take(at, "metric", m.options[0].name())
	if m.star {
		d.subject = &m.slot
		if d.is(at, namePiece, rowsID) {
			d.note(text.Say("interpret.assume_rows", "word", d.written(at)))
		}
	}
}

// scaleSteps are words for the steps of a scale: "how many membership levels" counts the steps, and adds none of them up.
var scaleSteps = []string{"level", "grade", "rank", "class", "tier", "stage"}

// countsSteps says whether what is counted are the steps of a scale that a column of numbers holds.
func (d *draft) countsSteps(at int) bool {
	dims := d.dimensions(at)
	return len(dims) > 0 && len(d.entities(at)) == 0 && d.plural(at) && slices.ContainsFunc(words(dims[0].dim.Name), func(w string) bool { return slices.Contains(scaleSteps, w) })
}

// namesMembers says whether a word for what is counted comes from the names of members that are called so themselves: "the
// number of leaflets" where leaflet campaigns have a leaflet name. Cities are not counted by clinics with a city name.
func (d *draft) namesMembers(i int, t target) bool {
	if t.dim == nil || t.match != partialMatch || t.dim.Type != semantic.Text || !namedBy(d.ix.english, t.dim, "name") {
		return false
	}
	return slices.Contains(d.ix.english.singulars(words(t.entity.Name)), d.tokens[d.pieces[i].from].lemma)
}

// listDistinct lets "the different countries" be a listing of a dimension: its members are distinct anyway.
func (d *draft) listDistinct(i, at int) {
	if len(d.members(at)) == 0 {
		return
	}
	d.take(i, connects, "")
	if d.is(i-1, gluePiece, "in") && d.numbered(i) { // "the number of orders for different customers"
		d.groups = append(d.groups, slot{piece: at, options: d.members(at)})
		d.take(at, "dimension", d.pieces[at].label())
	}
}

// neighborAfter gives the entity named behind a dimension: "unit price of products", "countries of our suppliers".
func (d *draft) neighborAfter(i int) *semantic.Entity {
	j := i + 1
	for d.is(j, gluePiece, "and") { // "names and average salaries of all departments"
		k := j + 1
		for d.is(k, aggregatePiece) || d.is(k, gluePiece, "and") {
			k++
		}
		if !d.is(k, namePiece) || !d.pieces[k].has(func(t target) bool { return isDimension(t) || isMetric(t) }) {
			return nil
		}
		j = k + 1
	}
	if d.is(j, gluePiece, "in") {
		return d.beside(j + 1)
	}
	return nil
}

// numbered says whether a number is asked for before a piece.
func (d *draft) numbered(i int) bool {
	for j := range i {
		if d.is(j, aggregatePiece, "count", "sum", "avg", "min", "max", "median") || d.pieces[j].kind == namePiece && d.pieces[j].has(isMetric) {
			return true
		}
	}
	return false
}

// amountInText says whether a column of text is called after what is won, scored or counted, in the plural: "how many viewers" of one that has
// "6.5 million" asks for these and not how many different ones there are.
func (d *draft) amountInText(at int, t target) bool {
	if !isDimension(t) || t.dim.Type != semantic.Text || d.ix.rowPlace() == nil || !slices.Contains(d.ix.english.tallied, d.tokens[d.pieces[at].to-1].lemma) {
		return false
	}
	ws := words(labelOf(t.dim.Label, t.dim.Name))
	last := ws[len(ws)-1]
	return d.ix.english.singulars([]string{last})[0] != last
}

// numbersOfMembers gives a column of numbers that is called in the singular what the question counts in the plural, in the only table: "how many
// engines are listed" of a column Engine that has the number of each.
func (d *draft) numbersOfMembers(at int) []target {
	listed := slices.ContainsFunc(d.tokens, func(t token) bool { return t.norm == "listed" || t.norm == "shown" })
	if d.ix.rowPlace() == nil || !listed || !d.is(at, namePiece) || !d.plural(at) || slices.Contains(d.ix.english.tallied, d.tokens[d.pieces[at].to-1].lemma) {
		return nil
	}
	return d.names(at, func(t target) bool {
		if !isNumeric(t) {
			return false
		}
		ws := words(labelOf(t.dim.Label, t.dim.Name))
		return ws[len(ws)-1] == d.tokens[d.pieces[at].to-1].lemma && t.match == exactMatch
	})
}
