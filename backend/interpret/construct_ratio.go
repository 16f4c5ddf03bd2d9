package interpret

import "slices"

// readRatio reads two numbers with what is done with them: "the ratio of publications to authors", "the difference between
// revenue in Germany and France", "the difference in freight between Germany and France", "the ratio of open to closed
// businesses". Each side is read as a number of its own; a side that is only a part ("France") is completed by the other.
func readRatio(d *draft) {
	for i, p := range d.pieces {
		if p.kind != layerPiece || d.uses[i].slot != "" || p.id != "ratio" && p.id != "minus" {
			continue
		}
		op := map[string]string{"ratio": "/", "minus": "-"}[p.id]
		end := d.sidesEnd(i + 1)
		for ; end > i+2; end-- {
			if d.twoSides(i, end, op) {
				d.take(i, "metric", p.id)
				return
			}
		}
	}
	for i := 1; i+1 < len(d.pieces); i++ {
		if !d.per(i) || len(d.measures) > 0 {
			continue
		}
		for from := i - 2; from < i; from++ { // "total population per area"
			if left, right, adopt := d.complete(from, i, i+1, i+2); left != nil {
				left.sides = &sides{op: "/", right: right}
				d.measures = append(d.measures, *left)
				adopt()
				d.take(i, connects, "")
				return
			}
		}
	}
}

// sidesEnd gives the piece behind the last side of a calculation.
func (d *draft) sidesEnd(i int) int {
	for ; i < len(d.pieces); i++ {
		switch p := d.pieces[i]; p.kind {
		case groupPiece, orderPiece, wallPiece, periodPiece:
			if !d.per(i) {
				return i
			}
		case listPiece:
			if p.id == "list" {
				return i
			}
		}
	}
	return len(d.pieces)
}

// twoSides reads the pieces behind piece i up to end as two numbers.
func (d *draft) twoSides(i, end int, op string) bool {
	from := i + 1
	for d.is(from, gluePiece, "in") {
		from++
	}
	for k := from + 1; k < end-1; k++ {
		if !d.joint(k) {
			continue
		}
		left, right, adopt := d.complete(from, k, k+1, end)
		if left == nil {
			continue
		}
		left.sides = &sides{op: op, right: right}
		d.measures = append(d.measures, *left)
		adopt()
		d.take(k, connects, "")
		return true
	}
	for k := from + 1; k < end-2; k++ { // "difference in freight between Germany and France"
		if !d.is(k, comparePiece, "between") {
			continue
		}
		for j := k + 2; j < end; j++ {
			if !d.joint(j) {
				continue
			}
			whole, sub := d.numberIn(from, k)
			a, b := d.partIn(k+1, j), d.partIn(j+1, end)
			if whole == nil || a == nil || b == nil || !opposed(a, b) {
				continue
			}
			left, right := *whole, *whole
			left.only = append(slices.Clone(whole.only), a.filters...)
			right.only = append(slices.Clone(whole.only), b.filters...)
			left.sides = &sides{op: op, right: &right}
			d.measures = append(d.measures, left)
			d.adopt(sub, from, k)
			d.adopt(a, k+1, j)
			d.adopt(b, j+1, end)
			d.take(k, connects, "")
			d.take(j, connects, "")
			return true
		}
	}
	return false
}

// joint says whether a piece stands between the two sides of a calculation: "to", "and", "versus".
func (d *draft) joint(i int) bool {
	return d.is(i, gluePiece, "and") || d.is(i, gluePiece, "in") && d.tokens[d.pieces[i].from].norm == "to" || d.is(i, layerPiece, "compare") || d.per(i)
}

// per says whether "per" stands before a number: "population per area". Before members it means each of them.
func (d *draft) per(i int) bool {
	return d.is(i, groupPiece, "each") && d.free(i) && d.tokens[d.pieces[i].from].norm == "per" && len(d.members(i+1)) == 0 &&
		len(d.names(i+1, func(t target) bool { return isMeasure(t) || isMetric(t) })) > 0
}

// partIn reads the pieces from..to as conditions on a number that is named elsewhere; nil when they are anything else.
func (d *draft) partIn(from, to int) *draft {
	if from < 0 || from >= to { // nothing stands before it
		return nil
	}
	sub := d.apart(from, to)
	if sub.subject != nil || len(sub.measures) > 0 || len(sub.filters) == 0 || !sub.plain() {
		return nil
	}
	for i := from; i < to; i++ {
		if sub.unread(i) {
			return nil
		}
	}
	return sub
}

// complete reads both sides, where one may be only a part of the other: "open to closed businesses", "revenue in Germany
// and France", "highest and lowest price".
func (d *draft) complete(a, b, c, e int) (left, right *measure, adopt func()) {
	left, leftRead := d.numberIn(a, b)
	right, rightRead := d.numberIn(c, e)
	switch {
	case left != nil && right != nil:
		left.only = append(left.only, d.trailing(left, right)...)
		return left, right, func() { d.adopt(leftRead, a, b); d.adopt(rightRead, c, e) }
	case right != nil && b == a+1 && d.statistic(a) != "": // "highest and lowest price"
		reduce := d.statistic(a)
		m := *right
		m.reduce, m.assumed = reduce, false
		if right.reduce == reduce || right.reduce == "" {
			return nil, nil, nil
		}
		return &m, right, func() { d.adopt(rightRead, c, e); d.take(a, "aggregate", reduce) }
	case right != nil:
		if part := d.partIn(a, b); part != nil && opposed(part, &draft{filters: right.only}) {
			m := *right
			m.only = replaced(right.only, part.filters)
			return &m, right, func() { d.adopt(part, a, b); d.adopt(rightRead, c, e) }
		}
	case left != nil:
		if part := d.partIn(c, e); part != nil && opposed(part, &draft{filters: left.only}) {
			m := *left
			m.only = replaced(left.only, part.filters)
			return left, &m, func() { d.adopt(leftRead, a, b); d.adopt(part, c, e) }
		}
	}
	return nil, nil, nil
}

// trailing gives the conditions behind the right side that hold for both: "the ratio of open to closed shops in Lyon", where nothing of
// the kind is said of the left one.
func (d *draft) trailing(left, right *measure) []filter {
	var out []filter
	for _, f := range right.only {
		rows := slices.ContainsFunc(left.options, func(m target) bool {
			base := d.ix.rowsOf(m)
			return base != nil && slices.ContainsFunc(f.options, func(t target) bool { return d.ix.paths.reaches(base.Name, t.entity.Name) })
		})
		own := slices.ContainsFunc(left.only, func(o filter) bool { return sameThing(o, f) })
		if f.piece > right.piece && rows && !own && d.is(f.piece-1, gluePiece, "in") {
			out = append(out, f)
		}
	}
	return out
}

// opposed says whether the conditions of one part are on a thing that the other one has a condition on too: the two sides
// differ in it.
func opposed(a, b *draft) bool {
	return !slices.ContainsFunc(a.filters, func(f filter) bool {
		return !slices.ContainsFunc(b.filters, func(o filter) bool { return sameThing(f, o) })
	})
}

func sameThing(a, b filter) bool {
	return slices.ContainsFunc(a.options, func(s target) bool {
		return slices.ContainsFunc(b.options, func(t target) bool { return s.dim != nil && s.dim == t.dim && s.entity == t.entity })
	})
}

// replaced gives conditions with some of them in the place of those on the same thing.
func replaced(all, by []filter) []filter {
	out := slices.DeleteFunc(slices.Clone(all), func(f filter) bool {
		return slices.ContainsFunc(by, func(o filter) bool { return sameThing(f, o) })
	})
	return append(out, by...)
}
