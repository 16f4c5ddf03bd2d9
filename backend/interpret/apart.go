package interpret

import "slices"

// apart reads the pieces from..to as if nothing else had been asked: "revenue in Germany" inside "the ratio of revenue in
// Germany to revenue in France". What it leaves free stays free in the draft when it is adopted.
func (d *draft) apart(from, to int) *draft {
	sub := &draft{ix: d.ix, tokens: d.tokens, env: d.env, pieces: make([]*piece, len(d.pieces)), uses: make([]use, len(d.pieces)), inner: true}
	for i, p := range d.pieces {
		if i >= from && i < to {
			sub.pieces[i], sub.uses[i] = p, d.uses[i]
			continue
		}
		sub.pieces[i] = &piece{kind: wallPiece, from: p.from, to: p.to}
		sub.uses[i] = use{slot: connects}
	}
	for _, read := range constructs() {
		read(sub)
	}
	return sub
}

// adopt keeps what a part of the question was read as, piece by piece.
func (d *draft) adopt(sub *draft, from, to int) {
	for i := from; i < to; i++ {
		d.uses[i], d.pieces[i] = sub.uses[i], sub.pieces[i]
	}
	for _, n := range sub.notes {
		d.note(n)
	}
}

// numberIn reads the pieces from..to as one number with the conditions that are its own; nil when they are anything else or
// leave a word over.
func (d *draft) numberIn(from, to int) (*measure, *draft) {
	if from < 0 || to > len(d.pieces) || from >= to {
		return nil, nil
	}
	sub := d.statistical(from).apart(from, to)
	if len(sub.measures) == 0 && sub.subject != nil && len(sub.columns) == 0 && sub.top == nil { // "publications" in a ratio are counted
		sub.measures = append(sub.measures, measure{slot: *sub.subject, reduce: "count", star: true})
		sub.listing = false
	}
	if c := sub.columns; len(sub.measures) == 0 && sub.listing && len(c) == 1 && isMeasure(c[0].options[0]) { // "the length of the Rhine river"
		sub.measures, sub.columns, sub.listing = []measure{{slot: c[0], reduce: "sum", assumed: true}}, nil, false
	}
	if len(sub.measures) != 1 || !sub.plain() {
		return nil, nil
	}
	for i := from; i < to; i++ {
		if sub.unread(i) {
			return nil, nil
		}
	}
	m := sub.measures[0]
	m.only = append(m.only, sub.filters...)
	return &m, sub
}

// statistical reads a word of size as a statistic: "the lowest price" inside a larger number ranks nothing.
func (d *draft) statistical(i int) *draft {
	reduce := d.statistic(i)
	if reduce == "" || !d.is(i, rankPiece) || len(d.names(i+1, func(t target) bool { return isNumeric(t) || isMetric(t) })) == 0 {
		return d
	}
	out := *d
	out.pieces = slices.Clone(d.pieces)
	word := *d.pieces[i]
	word.kind, word.id = aggregatePiece, reduce
	out.pieces[i] = &word
	return &out
}

// plain says whether a part of the question is nothing but a number with conditions on its rows.
func (d *draft) plain() bool {
	return len(d.groups) == 0 && len(d.columns) == 0 && len(d.having) == 0 && len(d.order) == 0 && len(d.clauses) == 0 && len(d.tallies) == 0 && len(d.later) == 0 &&
		d.top == nil && d.share == nil && d.change == nil && d.running == nil && d.against == nil && d.stride == nil && d.period == nil && d.through == nil && !d.trend && !d.listing && d.doubt == ""
}
