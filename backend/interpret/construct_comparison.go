package interpret

import (
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// readComparisons reads conditions on numbers: "with revenue above 10000" keeps members (HAVING), "with unit price over
// 50" keeps rows (WHERE). Which of the two is meant follows from the thing that the condition stands behind.
func readComparisons(d *draft) {
	d.readExactNumbers()
	for i, p := range d.pieces {
		if p.kind != comparePiece || d.uses[i].slot != "" || strings.Contains(p.id, " ") {
			continue // see readMeasured
		}
		b, first, last := d.operands(i)
		if b.empty() {
			continue
		}
		b.at = i
		if d.compareAgain(i, first, last, b) {
			continue
		}
		left := min(i, first) - 1
		for d.is(left, gluePiece, "is", "in") || d.is(left, relatedPiece, "each") {
			left--
		}
		operand := d.comparable(left)
		adjacent := left == min(i, first)-1
		if operand != nil && isEntity(operand.options[0]) && !(adjacent && d.is(left-1, gluePiece, "with")) && !d.is(left-1, degreePiece) && (!d.is(left-1, aggregatePiece, "count") || d.comparable(last+1) != nil) {
			operand = nil // "types that cost more than 100" and "grants of more than 100" are not about how many there are
		}
		if operand != nil && isEntity(operand.options[0]) && adjacent && slices.ContainsFunc(d.gap(left, min(i, first)), d.ix.english.isVerb) {
			operand = nil // "songs that sell more than 100" are not counted
		}
		if operand != nil && slices.ContainsFunc(operand.options, isYearTarget) && len(d.entities(last+1)) > 0 && d.plural(last+1) {
			operand = nil // "years in which at least two shops opened"
		}
		right := false
		if operand == nil && b.operand != nil {
			if operand = d.comparedBy(b); operand == nil { // "greater than average budget"
				continue
			}
			left = i
		}
		if operand == nil {
			behind := last + 1
			if d.is(behind, gluePiece, "in") && len(d.metrics(behind+1)) > 0 { // "more than 20k in sales"
				behind++
			}
			if operand = d.comparable(behind); operand == nil || d.is(behind, gluePiece) {
				continue
			}
			right = true
			left = min(i, first)
			operand.piece = behind
		}
		start := left
		if right {
			start = min(i, first)
		}
		agg, within := "", -1
		if !right && d.is(left-1, aggregatePiece, "sum", "avg", "min", "max", "median", "count") && d.free(left-1) {
			agg = d.pieces[left-1].id
			start = left - 1
			if own := d.namedWith(left-1, operand.options); len(own) > 0 { // a "typical price" where prices are typical by name
				operand.options, agg, within = own, "", left-1
			}
		}
		head := d.head(start)
		if !d.compare(operand, agg, p.id, b, head) {
			continue
		}
		d.compared(max(last, i, operand.piece), head)
		d.takeComparison(i, first, last, b)
		if agg != "" {
			d.take(left-1, "aggregate", agg)
		}
		if within >= 0 {
			d.take(within, connects, "")
		}
	}
}

// operands gives what a comparison compares with and the pieces that it spans: "above 10", "between 10 and 20", "10 or
// more", "above average".
func (d *draft) operands(i int) (b bound, first, last int) {
	if nums, first, last := d.literals(i); nums != nil {
		return bound{nums: nums}, first, last
	}
	b, end := d.operandBehind(i)
	return b, i + 1, end - 1
}

func (d *draft) literals(i int) (nums []frameql.Value, first, last int) {
	num := func(k int) frameql.Value {
		v := d.pieces[k].number
		if d.pieces[k].percent {
			v = percent(v)
		}
		return frameql.Value{Kind: frameql.Number, Text: v}
	}
	j := i + 1
	if d.pieces[i].id == "between" {
		if d.is(j, numberPiece) && d.is(j+1, gluePiece, "and") && d.is(j+2, numberPiece) {
			return []frameql.Value{num(j), num(j + 2)}, j, j + 2
		}
		return nil, 0, 0
	}
	if d.is(j, numberPiece) {
		return []frameql.Value{num(j)}, j, j
	}
	op, _, _ := strings.Cut(d.pieces[i].id, " ")
	if k := i - 1; op == "ge" || op == "le" {
		if d.is(k, namePiece, saidOtherwise) && d.free(k) { // "30 years old or younger"
			k--
		}
		if d.is(k, numberPiece) && d.free(k) {
			return []frameql.Value{num(k)}, k, i
		}
	}
	return nil, 0, 0
}

func percent(v string) string {
	r, ok := new(big.Rat).SetString(v)
	if !ok {
		return v
	}
	return decimal(r.Quo(r, big.NewRat(100, 1)))
}

// comparable gives what a number may be compared with: metrics, numeric dimensions and, as a count, entities.
func (d *draft) comparable(i int) *slot {
	ts := d.names(i, func(t target) bool { return isMetric(t) || isNumeric(t) || isEntity(t) })
	if len(ts) == 0 {
		return nil
	}
	return &slot{piece: i, options: ts}
}

// pointsOnly says whether a number only says which row of another table is meant, and is not called a number: more than 3
// makers are counted.
func (d *draft) pointsOnly(t target) bool {
	return d.ix.linksAway(t.entity, t.dim) && !slices.ContainsFunc(naming, func(word string) bool { return namedBy(d.ix.english, t.dim, word) })
}

// head gives the member that a condition stands behind: the last thing named before it.
func (d *draft) head(before int) int {
	if j := d.back(before - 1); d.is(j, gluePiece, "and", "or") {
		if head, ok := d.heads[j-1]; ok {
			return head // "with more than 2 pets or at least 3 friends"
		}
	}
	for j := before - 1; j >= 0; j-- {
		if d.is(j, namePiece) && d.pieces[j].has(d.isFlag) && d.is(j+1, gluePiece, "and", "or") && j > 0 {
			continue // "products that are discontinued or cost more than 50"
		}
		if d.is(j, namePiece) && d.pieces[j].has(isMember) || d.is(j, grainPiece) && d.free(j) {
			return j
		}
		if d.is(j, groupPiece) || d.is(j, comparePiece) || d.is(j, notPiece) {
			return -1
		}
	}
	return -1
}

// compare files the condition. An attribute of the head's own rows is a filter; a metric, or an aggregate, is a number of
// each member and keeps members.
func (d *draft) compare(operand *slot, agg, op string, b bound, head int) bool {
	var owner *semantic.Entity
	if head >= 0 {
		owner = d.beside(head)
	}
	if agg == "" {
		var rows []target
		for _, t := range operand.options {
			if isNumeric(t) && !d.pointsOnly(t) && (owner == nil && head < 0 || owner != nil && d.ix.paths.reaches(owner.Name, t.entity.Name)) {
				rows = append(rows, t)
			}
		}
		asked := d.membersAsked()
		if at := operand.piece; d.is(at-1, gluePiece, "in") && d.tokens[d.pieces[at-1].from].norm == "of" && operand.options[0].owned {
			asked = operand.options[0].entity // "home towns of students aged above 20": the number is named with whose it is
		}
		if len(rows) == 0 && asked != nil {
			for _, t := range operand.options {
				if isNumeric(t) && (t.entity == asked || d.ofAsked(t, asked, owner)) {
					rows, owner = append(rows, t), asked
				}
			}
			for _, t := range operand.options {
				if isNumeric(t) && owner == nil && d.ix.paths.reaches(asked.Name, t.entity.Name) {
					rows = append(rows, t)
				}
			}
		}
		if len(rows) > 0 {
			f := filter{slot: slot{piece: operand.piece, options: rows, near: owner}, named: -1, op: op, texts: b.nums, bound: b}
			if f.bound.of(measure{slot: f.slot}, nil) {
				d.filters = append(d.filters, f)
				d.take(operand.piece, "dimension", rows[0].name())
				return true
			}
			return false
		}
	}
	m := d.measureOf(operand.piece, agg)
	if m == nil {
		if rows := d.names(operand.piece, isNumeric); agg == "" && len(rows) > 0 { // "by customer where discount over 10 %"
			f := filter{slot: slot{piece: operand.piece, options: rows}, named: -1, op: op, texts: b.nums, bound: b}
			if f.bound.of(measure{slot: f.slot}, nil) {
				d.filters = append(d.filters, f)
				d.take(operand.piece, "dimension", rows[0].name())
				return true
			}
		}
		return false
	}
	if m.star && owner != nil && !d.mayHaveMany(m.options[0].entity, owner) {
		return false // a course has one department: "offered in more than one department" is about something else
	}
	h := having{measure: *m, op: op, bound: b}
	for _, n := range b.nums {
		h.nums = append(h.nums, n.Text)
	}
	if !d.keepMembers(h, head) {
		return false
	}
	d.take(operand.piece, "metric", m.options[0].name())
	return true
}

// ofAsked says whether an attribute that members between do not have is one of those that are asked for: the age in "members of the club Oak
// whose age is above 30".
func (d *draft) ofAsked(t target, asked, between *semantic.Entity) bool {
	if between == nil || between == asked || !d.ix.paths.reaches(asked.Name, between.Name) {
		return false
	}
	return !d.ix.paths.reaches(t.entity.Name, between.Name) && d.ix.paths.reaches(asked.Name, t.entity.Name)
}

// keepMembers files a condition on a number of each member at head.
func (d *draft) keepMembers(h having, head int) bool {
	if d.keepRows(h, head) {
		return true
	}
	if member := d.memberAt(head); !h.bound.of(h.measure, &member) {
		return false
	}
	if (d.is(head-1, gluePiece, "in") || d.counted(head)) && d.tallied(h, head) { // "how many customers have more than 10 orders"
		return true
	}
	d.having = append(d.having, h)
	if head < 0 || d.uses[head].slot != "" {
		return true
	}
	d.headed = true
	if d.is(head-1, gluePiece, "in") && len(d.attributesBefore(head)) == 0 && !d.nameOf(head) || d.counted(head) { // "how many customers have more than 10 orders", "revenue of customers with more than 10 orders"
		d.later = append(d.later, "nested")
	}
	if by, ok := d.splitInstead(h.measure, head); ok {
		d.groups = append(d.groups, by)
		d.take(by.piece, "dimension", by.options[0].name())
		d.take(head, "entity", d.pieces[head].label())
		return true
	}
	d.groups = append(d.groups, d.memberAt(head))
	d.take(head, "dimension", d.pieces[head].label())
	if d.is(head-1, groupPiece) && d.free(head-1) {
		d.take(head-1, connects, "")
	}
	return true
}

// namedWith keeps the numbers whose names hold the word of a piece.
func (d *draft) namedWith(i int, options []target) []target {
	var out []target
	for _, t := range options {
		if isNumeric(t) && slices.Contains(words(t.dim.Name), d.tokens[d.pieces[i].to-1].norm) {
			out = append(out, t)
		}
	}
	return out
}

// membersAsked gives the entity whose members a question counts or lists: a condition on an attribute of theirs is about
// each of them, whatever stands between. nil: it is not said in so many words.
func (d *draft) membersAsked() *semantic.Entity {
	for i := range d.pieces {
		at := i + 1
		for d.is(at, gluePiece, "in") || d.is(at, aggregatePiece, "distinct") {
			at++
		}
		if (d.is(i, aggregatePiece, "count") || d.is(i, listPiece)) && len(d.entities(at)) > 0 {
			return d.entities(at)[0].entity
		}
		for _, t := range d.metrics(i) {
			if d.is(i-1, aggregatePiece, "count") && t.metric.Leaf() && t.metric.Reducer == semantic.Count {
				return d.ix.base(t.metric) // "count the number of students of each town who are above 20"
			}
		}
	}
	return nil
}

// compared remembers whom the comparison that ends at a piece was about.
func (d *draft) compared(end, head int) {
	if d.heads == nil {
		d.heads = map[int]int{}
	}
	d.heads[end] = head
}

// back gives the piece at or before i that does not only connect.
func (d *draft) back(i int) int {
	for d.is(i, gluePiece, "with", "is") {
		i--
	}
	return i
}

// memberAt gives the member that a condition on a number stands behind: "which months had revenue above 50000".
func (d *draft) memberAt(head int) slot {
	switch {
	case head < 0:
		return slot{piece: -1}
	case d.is(head, grainPiece):
		return slot{piece: head, grain: d.pieces[head].id}
	}
	return slot{piece: head, options: d.members(head)}
}

// counted says whether a count word stands before a piece.
func (d *draft) counted(i int) bool {
	return d.is(i-1, aggregatePiece, "count") || d.is(i-1, aggregatePiece, "distinct") && d.is(i-2, aggregatePiece, "count")
}

// readExactNumbers reads "courses with 4 credits": a number of the members' own attribute.
func (d *draft) readExactNumbers() {
	for i := range d.pieces {
		if !d.is(i, numberPiece) || !d.free(i) || !d.is(i-1, gluePiece, "with") || d.head(i) < 0 {
			continue
		}
		owner := d.beside(d.head(i))
		own := d.names(i+1, func(t target) bool { return isNumeric(t) && t.entity == owner })
		if len(own) == 0 {
			continue
		}
		v := frameql.Value{Kind: frameql.Number, Text: d.pieces[i].number}
		d.filters = append(d.filters, filter{slot: slot{piece: i + 1, options: own, near: owner}, named: -1, op: "eq", texts: []frameql.Value{v}})
		d.take(i, "comparison", v.Text)
		d.take(i+1, "dimension", own[0].name())
	}
}
