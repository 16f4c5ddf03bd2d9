package interpret

import (
	"math/big"
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
		nums, first, last := d.operands(i)
		if nums == nil {
			continue
		}
		left := min(i, first) - 1
		for d.is(left, gluePiece, "is", "in") {
			left--
		}
		operand := d.comparable(left)
		if operand != nil && isEntity(operand.options[0]) && !d.is(left-1, gluePiece, "with") && !d.is(left-1, aggregatePiece, "count") {
			operand = nil // "types that cost more than 100" is not about how many types there are
		}
		right := false
		if operand == nil {
			if operand = d.comparable(last + 1); operand == nil || d.is(last+1, gluePiece) {
				continue
			}
			right = true
			left = min(i, first)
			operand.piece = last + 1
		}
		start := left
		if right {
			start = min(i, first)
		}
		agg := ""
		if !right && d.is(left-1, aggregatePiece, "sum", "avg", "min", "max", "median", "count") && d.free(left-1) {
			agg = d.pieces[left-1].id
			start = left - 1
		}
		d.compare(operand, agg, p.id, nums, d.head(start))
		for k := first; k <= last; k++ {
			if d.is(k, numberPiece) {
				d.take(k, "comparison", d.pieces[k].number)
			}
		}
		d.take(i, "comparison", p.id)
		if agg != "" {
			d.take(left-1, "aggregate", agg)
		}
	}
}

// operands gives the numbers of a comparison and the pieces that they span: "above 10", "between 10 and 20", "10 or more".
func (d *draft) operands(i int) (nums []frameql.Value, first, last int) {
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
	if d.is(i-1, numberPiece) && d.free(i-1) && (d.pieces[i].id == "ge" || d.pieces[i].id == "le") {
		return []frameql.Value{num(i - 1)}, i - 1, i
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

// head gives the member that a condition stands behind: the last thing named before it.
func (d *draft) head(before int) int {
	for j := before - 1; j >= 0; j-- {
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
func (d *draft) compare(operand *slot, agg, op string, nums []frameql.Value, head int) {
	var owner *semantic.Entity
	if head >= 0 {
		owner = d.beside(head)
	}
	if agg == "" {
		var rows []target
		for _, t := range operand.options {
			if isNumeric(t) && (owner == nil && head < 0 || owner != nil && d.ix.paths.reaches(owner.Name, t.entity.Name)) {
				rows = append(rows, t)
			}
		}
		if len(rows) > 0 {
			f := filter{slot: slot{piece: operand.piece, options: rows, near: owner}, named: -1, op: op, texts: nums}
			d.filters = append(d.filters, f)
			d.take(operand.piece, "dimension", rows[0].name())
			return
		}
	}
	m := d.measureOf(operand.piece, agg)
	if m == nil {
		if rows := d.names(operand.piece, isNumeric); agg == "" && len(rows) > 0 { // "by customer where discount over 10 %"
			d.filters = append(d.filters, filter{slot: slot{piece: operand.piece, options: rows}, named: -1, op: op, texts: nums})
			d.take(operand.piece, "dimension", rows[0].name())
		}
		return
	}
	h := having{measure: *m, op: op}
	for _, n := range nums {
		h.nums = append(h.nums, n.Text)
	}
	d.having = append(d.having, h)
	d.take(operand.piece, "metric", m.options[0].name())
	if head < 0 || d.uses[head].slot != "" {
		return
	}
	d.headed = true
	if d.is(head-1, gluePiece, "in") || d.counted(head) { // "how many customers have more than 10 orders", "revenue of customers with more than 10 orders"
		d.later = append(d.later, "nested")
	}
	if d.is(head, grainPiece) { // "which months had revenue above 50000"
		d.groups = append(d.groups, slot{piece: head, grain: d.pieces[head].id})
	} else {
		d.groups = append(d.groups, slot{piece: head, options: d.members(head)})
	}
	d.take(head, "dimension", d.pieces[head].label())
	if d.is(head-1, groupPiece) && d.free(head-1) {
		d.take(head-1, connects, "")
	}
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
