package interpret

import "slices"

// either is a choice between conditions of different kinds: "customers in Germany or with more than 10 orders". Each side
// is a stretch of the question; what stands before the first one holds whichever side does.
type either struct {
	sides []stretch
	said  bool // "either" opens it, so that its first side may be several conditions
}

func (s stretch) holds(i int) bool { return i >= s.from && i < s.to }

// readEither reads "or" between conditions of different kinds. Conditions on different things hold together everywhere else, so
// an "or" whose sides are not clear is refused.
func (d *draft) readEither() {
	marks := d.conditionMarks()
	var ors []int
	for i := range d.pieces {
		if !d.is(i, gluePiece, "or") || d.tokens[d.pieces[i].from].norm == "either" {
			continue
		}
		left, right := nearestMark(marks, i, -1, len(d.pieces)), nearestMark(marks, i, 1, len(d.pieces))
		if left == right || left == 0 || right == 0 {
			continue
		}
		if d.tokens[d.pieces[i].from].norm == "nor" || d.deniedBefore(i) {
			d.later = append(d.later, "either")
			return
		}
		ors = append(ors, i)
	}
	if len(ors) == 0 {
		return
	}
	from, said := d.eitherFrom(marks, ors[0])
	e := &either{said: said}
	for _, or := range ors {
		e.sides = append(e.sides, stretch{from, or})
		from = or + 1
	}
	e.sides = append(e.sides, stretch{from, len(d.pieces)})
	if len(d.periods) > 0 && slices.ContainsFunc(e.sides, func(s stretch) bool { return s.holds(d.periodAt) }) || d.common > 0 {
		d.later = append(d.later, "either")
		return
	}
	d.either = e
	d.tallyHeads()
}

// conditionMarks numbers the conditions of a question from 1 and gives, for each piece that names one, its number.
func (d *draft) conditionMarks() map[int]int {
	marks, n := map[int]int{}, 0
	mark := func(piece int) {
		if piece >= 0 && marks[piece] == 0 {
			marks[piece] = n
		}
	}
	for _, f := range d.filters {
		n++
		mark(f.at())
		mark(f.named)
		for _, v := range f.values {
			for i, p := range d.pieces {
				if p.from == v.from {
					mark(i)
				}
			}
		}
	}
	for _, h := range d.having {
		n++
		mark(h.at())
	}
	for _, t := range d.tallies {
		n++
		mark(t.at())
	}
	if d.period != nil {
		n++
		for i, p := range d.pieces {
			if p.kind == periodPiece && d.uses[i].slot == "time" {
				mark(i)
			}
		}
	}
	for _, cl := range d.clauses {
		n++
		if cl.quant == "no" {
			mark(cl.from)
		}
		for _, m := range cl.members {
			if cl.quant == "no" || cl.quant == "any" && !d.narrowed(cl) {
				mark(m.piece)
			}
		}
	}
	return marks
}

// at gives the piece where a condition on rows stands.
func (f filter) at() int {
	if f.bound.at > 0 {
		return f.bound.at
	}
	return f.piece
}

// at gives the piece where a condition on a number stands.
func (h having) at() int {
	if h.bound.at > 0 {
		return h.bound.at
	}
	return h.piece
}

// nearestMark gives the condition that stands nearest on one side of a piece; 0: none.
func nearestMark(marks map[int]int, i, step, n int) int {
	for j := i + step; j >= 0 && j < n; j += step {
		if marks[j] > 0 {
			return marks[j]
		}
	}
	return 0
}

// deniedBefore says whether an "or" stands inside what a word of absence denies, with nothing behind it that begins anew: "who have
// no dog or play chess" may deny both.
func (d *draft) deniedBefore(or int) bool {
	next := or + 1
	if d.is(next, gluePiece, "with", "is") {
		return false
	}
	verb := next < len(d.pieces) && slices.ContainsFunc(d.gap(or, next), d.ix.english.isVerb)
	return slices.ContainsFunc(d.clauses, func(cl clause) bool { return cl.quant != "any" && or > cl.from && or < cl.to && (cl.verb || !verb) })
}

// eitherFrom gives the piece at which the first side of an "or" begins: behind "either", else at the word that opens the clause,
// else at the head of the question.
func (d *draft) eitherFrom(marks map[int]int, or int) (from int, said bool) {
	opener := -1
	for t := d.pieces[or].from - 1; t >= 0; t-- {
		at := slices.IndexFunc(d.pieces, func(p *piece) bool { return p.to > t })
		if at < 0 || at >= or {
			continue
		}
		switch d.tokens[t].norm {
		case "either":
			return at, true
		case "who", "that", "which", "whose", "with", "having", "where":
			if opener < 0 && slices.ContainsFunc(d.pieces[at:or], func(p *piece) bool { return marks[slices.Index(d.pieces, p)] > 0 }) {
				opener = at
			}
		}
	}
	return max(opener, 0), false
}

// tallyHeads turns conditions on numbers of the members at the head of the question into conditions on the members, so that they
// may stand beside others: "companies with at least 2 engineers or in Rome".
func (d *draft) tallyHeads() {
	if d.asksOthers() {
		d.invalid = true // "the models made by the brand Kestrel or heavier than 3500" are no brands
		return
	}
	if !d.headed || len(d.groups) != 1 || len(d.groups[0].options) == 0 || !isEntity(d.groups[0].options[0]) || d.top != nil {
		return
	}
	for _, h := range d.having {
		if len(h.nums) == 0 || h.star && !d.mayHaveMany(h.options[0].entity, d.groups[0].options[0].entity) {
			return
		}
	}
	for _, m := range d.measures {
		if !slices.ContainsFunc(d.having, func(h having) bool { return h.piece == m.piece }) {
			return
		}
	}
	for _, h := range d.having {
		d.tallies = append(d.tallies, tally{having: h, host: d.groups[0]})
	}
	subject := d.groups[0]
	subject.options = slices.DeleteFunc(slices.Clone(subject.options), func(t target) bool { return !isEntity(t) })
	d.subject, d.listing, d.headed = &subject, true, false
	d.having, d.measures, d.groups = nil, nil, nil
}

// asksOthers says whether a condition on a number is about other members than those that are asked for.
func (d *draft) asksOthers() bool {
	if !d.headed || len(d.groups) != 1 || len(d.groups[0].options) == 0 {
		return false
	}
	asked := 0
	for d.is(asked, listPiece) || d.is(asked, aggregatePiece, "distinct") || d.is(asked, gluePiece, "is") {
		asked++
	}
	es := d.pieceEntities(asked)
	return asked > 0 && asked < d.groups[0].piece && len(es) > 0 && es[0].entity != d.groups[0].options[0].entity
}

// within keeps the conditions of a stretch of the question, or those outside of all of them.
func (d *draft) withConditions(inside bool, sides ...stretch) *draft {
	keeps := func(i int) bool {
		return slices.ContainsFunc(sides, func(s stretch) bool { return s.holds(i) }) == inside
	}
	out := *d
	out.either = nil
	out.filters, out.having, out.tallies, out.clauses = nil, nil, nil, nil
	for _, f := range d.filters {
		if keeps(f.at()) {
			out.filters = append(out.filters, f)
		}
	}
	for _, h := range d.having {
		if keeps(h.at()) {
			out.having = append(out.having, h)
		}
	}
	for _, t := range d.tallies {
		if keeps(t.at()) {
			out.tallies = append(out.tallies, t)
		}
	}
	for _, cl := range d.clauses {
		if !keeps(cl.from) {
			continue
		}
		if inside {
			cl.to = min(cl.to, sides[0].to)
		} else {
			cl.to = min(cl.to, max(sides[0].from, cl.from+1))
		}
		out.clauses = append(out.clauses, cl)
	}
	if d.period != nil && !keeps(d.periodAt) {
		out.period, out.periods, out.separate = nil, nil, false
	}
	return &out
}
