package interpret

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// readMoreThan reads by how much one member has more than another one: "how many more points did Ines get than Ulf", "how many fewer orders
// has France than Spain".
func readMoreThan(d *draft) {
	for i := range d.pieces {
		if !d.is(i, degreePiece, "gt", "lt") || !d.free(i) || !d.asksDifference(i) {
			continue
		}
		than := i + 1
		for than < len(d.pieces) && !d.is(than, degreePiece, "than") {
			than++
		}
		for k := than - 1; k > i+1; k-- {
			whole, sub := d.numberIn(i+1, k)
			a, b := d.partIn(k, than), d.partIn(than+1, len(d.pieces))
			if whole == nil || a == nil || b == nil || !opposed(a, b) || !opposed(b, a) {
				continue
			}
			left, right := *whole, *whole
			left.only = append(slices.Clone(whole.only), a.filters...)
			right.only = append(slices.Clone(whole.only), b.filters...)
			if d.is(i, degreePiece, "lt") {
				left, right = right, left
			}
			left.sides = &sides{op: "-", right: &right}
			d.measures = append(d.measures, left)
			d.adopt(sub, i+1, k)
			d.adopt(a, k, than)
			d.adopt(b, than+1, len(d.pieces))
			d.take(i, "metric", "minus")
			d.take(than, connects, "")
			d.take(i-1, connects, "")
			return
		}
	}
}

// asksDifference says whether "how many" stands before a piece.
func (d *draft) asksDifference(i int) bool {
	return d.is(i-1, aggregatePiece, "count") && d.free(i-1) && d.tokens[d.pieces[i-1].from].norm == "how"
}

// finishWhich lets one of several that are named stand first: "who won more medals, Norway or Spain", "which song is longer, A or B".
func (d *draft) finishWhich() {
	if d.top != nil || len(d.having) > 0 || len(d.measures) > 1 || len(d.pieces) == 0 || !d.asksWhich() {
		return
	}
	k := slices.IndexFunc(d.filters, d.oneOf)
	if k < 0 || slices.ContainsFunc(d.tokens, func(t token) bool { return t.norm == "than" }) {
		return
	}
	f := &d.filters[k]
	other := func(s slot) bool { return !sameThing(filter{slot: s}, *f) }
	if slices.ContainsFunc(d.groups, other) {
		return
	}
	others := slices.ContainsFunc(d.columns, other)
	for i := range d.pieces {
		switch {
		case !d.free(i) || others && len(d.measures) > 0:
		case d.is(i, degreePiece, "gt", "lt") && len(d.measures) == 1 && d.measures[0].sides == nil:
			member := slot{piece: f.piece, options: f.options}
			d.top = &ranking{n: 1, word: i, direction: map[string]string{"gt": "high", "lt": "low"}[d.pieces[i].id], member: member, by: d.measures[0]}
			d.groups, d.columns, d.listing, d.subject = []slot{member}, nil, false, nil
		case d.is(i, unknownPiece) && len(d.measures) == 0:
			d.whichByAdjective(i, f)
		}
		if d.top != nil {
			d.take(i, "top", d.top.direction)
			if d.free(0) {
				d.take(0, connects, "")
			}
			return
		}
	}
}

// asksWhich says whether the question begins with who or which.
func (d *draft) asksWhich() bool {
	return slices.Contains([]string{"who", "which", "what"}, d.tokens[0].norm)
}

// oneOf says whether a condition names several members of which one is meant: "Norway or Spain".
func (d *draft) oneOf(f filter) bool {
	if f.op != "eq" || len(f.values) < 2 {
		return false
	}
	for i := f.piece; i < f.last(d); i++ {
		if d.is(i, gluePiece, "or") {
			return true
		}
	}
	return false
}

// whichByAdjective ranks by what the superlative of a comparative stands for: "newer", "longer".
func (d *draft) whichByAdjective(i int, f *filter) {
	base, ok := strings.CutSuffix(d.tokens[d.pieces[i].from].norm, "er")
	if !ok || d.pieces[i].to != d.pieces[i].from+1 {
		return
	}
	for _, op := range d.ix.english.operators[base+"est"] {
		direction, hints, ok := strings.Cut(op.id, " ")
		if op.class != "adjectives" || !ok {
			continue
		}
		owner := target{entity: f.options[0].entity}
		by, _, found := d.ranksBy(strings.Split(hints, "/"), []target{owner}, func(t target) bool { return isNumeric(t) || isTemporal(t) })
		if !found && strings.Contains(hints, defaultTimeHint) {
			by = target{entity: owner.entity}
			if name, year := d.ix.yearOf(owner.entity); year != nil && name == owner.entity.Name+"."+year.Name && year.Type.Numeric() {
				by.dim, found = year, true
			}
		}
		if !found || by.dim == nil || by.entity != owner.entity {
			continue
		}
		member := slot{piece: -1, options: []target{owner}}
		d.top = &ranking{n: 1, word: i, direction: direction, member: member, by: measure{slot: slot{piece: -2, options: []target{by}}}, attribute: true}
		d.columns = append([]slot{{piece: f.piece, options: f.options}}, d.top.by.slot)
		d.listing, d.subject = true, &d.top.member
		d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(by.dim.Label, by.dim.Name)))
		return
	}
}
