package interpret

import (
	"slices"

	"assay/backend/text"
)

// readShare notes that a part of a whole is asked for; what the whole is shows when the question was read to its end.
func readShare(d *draft) {
	for i := range d.pieces {
		if d.free(i) && d.is(i, layerPiece, "share", "percent") && !d.ownShare(i) {
			d.take(i, "metric", "share")
			d.share = &share{piece: i, hundred: d.pieces[i].id == "percent"}
			d.asPartOf(i)
			return
		}
	}
}

// ownShare says whether "shares" is what a column of the things behind it is called, with numbers of its own: "the shares of the deals".
func (d *draft) ownShare(i int) bool {
	first := d.tokens[d.pieces[i].from]
	next := i + 1
	for d.is(next, gluePiece, "in") {
		next++
	}
	return first.norm != first.lemma && slices.ContainsFunc(d.ix.names.terms[first.lemma], func(t target) bool {
		return isDimension(t) && t.match != partialMatch && slices.ContainsFunc(d.entities(next), func(o target) bool { return o.entity == t.entity })
	})
}

// share is a part of a whole that is asked for.
type share struct {
	piece   int
	hundred bool // a percentage
	whole   int  // the piece that names the whole: "freight as a percentage of revenue"; -1: the number itself over everything
}

// asPartOf finds the whole that is named: "freight as a share of revenue".
func (d *draft) asPartOf(i int) {
	d.share.whole = -1
	before := d.tokens[max(0, d.pieces[i].from-2):d.pieces[i].from]
	as := slices.ContainsFunc(before, func(t token) bool { return t.norm == "as" })
	if !as {
		return
	}
	at := i + 1
	for d.is(at, gluePiece, "in") || d.is(at, aggregatePiece, "sum") {
		at++
	}
	if len(d.metrics(at)) > 0 {
		d.share.whole = at
	}
}

// finishShare writes the part: of each member among all of them, of what a condition keeps among everything, or of one
// number in another.
func (d *draft) finishShare() {
	s := d.share
	if s == nil || len(d.later) > 0 {
		return
	}
	if len(d.measures) == 0 && d.listing && d.subject != nil && len(d.columns) == 0 && d.top == nil { // "what percent of products are discontinued"
		d.measures, d.listing = []measure{{slot: *d.subject, reduce: "count", star: true}}, false
	}
	last := len(d.measures) - 1
	switch {
	case len(d.measures) == 2 && s.whole >= 0 && d.measures[1].piece == s.whole:
		right := d.measures[1]
		d.measures = d.measures[:1]
		d.measures[0].sides = &sides{op: "/", right: &right, hundred: s.hundred}
	case len(d.measures) != 1 || s.whole >= 0 || d.measures[0].sides != nil:
		d.invalid = true
	case s.hundred && len(d.groups) > 0 && d.top == nil && d.rateOfEach(s):
	case len(d.groups) > 0 && d.top == nil:
		m := d.measures[last]
		m.layer = &layer{fn: "share", at: d.bucket()}
		if m.layer.at != "" {
			d.note(text.Say("interpret.assume_share_within", "grain", text.Say("interpret.grain_"+m.layer.at)))
		}
		d.measures = append(d.measures, m)
	case len(d.groups) == 0 && len(d.clauses) == 0 && !d.trend && len(d.filters) > 0:
		d.partOfRows(s)
	default:
		d.invalid = true
	}
}

// rateOfEach reads "percentage of late orders by shipper": of the orders of each shipper, how many were late. It says whether the rows that
// are counted stand behind such a word.
func (d *draft) rateOfEach(s *share) bool {
	m := d.measures[0]
	if len(m.options) == 0 || !m.star && !counts(m.options[0].metric) {
		return false
	}
	var part, whole []filter
	for _, f := range d.filters {
		if f.first() > s.piece && f.piece < m.piece {
			part = append(part, f)
		} else {
			whole = append(whole, f)
		}
	}
	for _, t := range d.tokens[d.pieces[s.piece].to:] {
		if t.norm == "does" || t.norm == "do" || t.norm == "did" {
			return false // "what percentage of late orders did each shipper have" splits the late ones
		}
	}
	split := slices.ContainsFunc(part, func(f filter) bool {
		return slices.ContainsFunc(d.groups, func(g slot) bool { return sameThing(f, filter{slot: g}) })
	})
	if len(part) == 0 || split {
		return false
	}
	right := m
	m.only = append(slices.Clone(m.only), part...)
	m.sides = &sides{op: "/", right: &right, hundred: true}
	d.measures[0], d.filters = m, whole
	return true
}

// bucket gives the calendar unit that a question is split by beside something else; empty when there is none.
func (d *draft) bucket() string {
	if len(d.groups) < 2 {
		return ""
	}
	for _, g := range d.groups {
		if g.grain != "" && len(g.options) == 0 {
			return g.grain
		}
	}
	return ""
}

// partOfRows reads "what percentage of orders were shipped to Germany": the rows that the condition keeps among all of
// them. Conditions before the verb say what the whole is.
func (d *draft) partOfRows(s *share) {
	var part, whole []filter
	verb := d.verbBehind(s.piece)
	for _, f := range d.filters {
		if len(d.filters) > 1 && (verb < 0 || f.first() < verb) {
			whole = append(whole, f)
		} else {
			part = append(part, f)
		}
	}
	if len(part) == 0 {
		d.invalid = true
		return
	}
	m := d.measures[0]
	right := m
	m.only = append(slices.Clone(m.only), part...)
	m.sides = &sides{op: "/", right: &right, hundred: s.hundred}
	d.measures[0], d.filters = m, whole
}

// verbBehind gives the first piece behind a verb that stands after piece i; -1 when there is none.
func (d *draft) verbBehind(i int) int {
	for j := i + 1; j < len(d.pieces); j++ {
		if d.is(j, gluePiece, "is") || d.is(j, gluePiece, "with") {
			return j
		}
		for _, t := range d.between(j-1, j) {
			if slices.ContainsFunc(d.ix.english.operators[t.norm], func(o operator) bool { return o.class == "stop" && o.id == "verb" }) {
				return j
			}
		}
	}
	return -1
}

// first gives the piece that a condition begins with.
func (f filter) first() int {
	at := f.piece
	if f.named >= 0 {
		at = min(at, f.named)
	}
	return at
}
