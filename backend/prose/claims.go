package prose

import (
	"slices"
)

// Claims: a sentence is cut into parts, each with at most one claim, at commas and conjunctions. What a word of the list claims is worked out from the
// cells of its part; a part from which that cannot be told is refused.

// part is a piece of a sentence.
type part struct {
	all      []*token
	values   []*token
	members  []*token
	sentence []*token
	before   *part // of the same sentence; nil: it is the first one

	base, end *point // of a direction, once it is known
	place     *place // of an extreme, and of what follows it
	measure   int    // the column that the part is about; -1: it does not say
	claimed   bool   // it claims something, or goes on with a part that does
	follows   bool   // it says what comes next in the order
}

// point is a cell that a claim speaks of.
type point struct{ row, column int }

// place is a row in the order of a column, from its highest or its lowest on.
type place struct {
	point
	highest bool
}

// claims checks every part of a sentence, then that something is said of every member.
func (l *lock) claims(s []*token) {
	var last *part
	for _, p := range l.parts(s) {
		p.before = last
		p.measure = l.measureOf(p)
		l.claim(p)
		last = p
	}
	for _, t := range s {
		switch {
		case t.what == member && !t.used:
			l.blame(Member, t)
		case t.what == value && t.formula.Fn == "" && !t.placed:
			l.blame(Member, t) // nobody can tell whose number it is
		}
	}
}

// parts cuts a sentence where a part that says something is over. A part without a word of who or how much belongs to the one before.
func (l *lock) parts(s []*token) []*part {
	var pieces [][]*token
	var one []*token
	says := false
	for i, t := range s {
		cuts := t.what == pause || t.is("and", "but", "while", "whereas", "then") || t.is("before") && i+1 < len(s) && s[i+1].of("rise", "fall")
		if cuts && says && !l.joins(s, i) {
			pieces, one, says = append(pieces, one), nil, false
		}
		one = append(one, t)
		says = says || t.what == value || t.what == word && t.claims && !t.of("before", "change")
	}
	if len(one) > 0 {
		pieces = append(pieces, one)
	}
	var parts []*part
	var mute []*token // at the beginning
	for _, piece := range pieces {
		speaks := slices.ContainsFunc(piece, func(t *token) bool { return t.what == value || t.what == member })
		switch {
		case speaks:
			parts, mute = append(parts, &part{all: append(mute, piece...), sentence: s}), nil
		case len(parts) > 0:
			last := parts[len(parts)-1]
			last.all = append(last.all, piece...)
		default:
			mute = append(mute, piece...)
		}
	}
	if len(mute) > 0 {
		parts = append(parts, &part{all: mute, sentence: s})
	}
	for _, p := range parts {
		p.values, p.members = kept(p.all, value), kept(p.all, member)
	}
	return parts
}

// joins says whether an "and" holds the ends of a span together.
func (l *lock) joins(s []*token, at int) bool {
	var last, next *token
	for _, t := range s[:at] {
		if t.what == member {
			last = t
		}
	}
	for i := len(s) - 1; i > at; i-- {
		if s[i].what == member {
			next = s[i]
		}
	}
	return last != nil && next != nil && last.span == 1 && next.span == 2
}

// measureOf is the column that a part is about: that of its values, else the one that it names, else the last one named before, else the only one.
func (l *lock) measureOf(p *part) int {
	if !l.served(p) {
		return -1
	}
	column := -1
	for _, v := range p.values {
		if v.formula.Fn == "count" {
			continue
		}
		c := v.formula.Column
		if base := l.frame.base(c); base >= 0 && l.frame.how(c) != "share" {
			c = base
		}
		if column >= 0 && column != c {
			return -1
		}
		column = c
	}
	if column >= 0 {
		return column
	}
	for _, t := range p.all {
		if t.what != label || !l.measured(t) {
			continue
		}
		if len(t.columns) > 1 || column >= 0 && column != t.columns[0] {
			return -1
		}
		column = t.columns[0]
	}
	for _, t := range p.sentence {
		if t == p.all[0] || column >= 0 && t.start > p.all[0].start {
			break
		}
		if t.what == label && l.measured(t) && !slices.Contains(p.all, t) && len(kept(p.all, label)) == 0 {
			column = t.columns[0]
		}
	}
	if column < 0 && len(l.frame.shape.Numbers) == 1 {
		return l.frame.shape.Numbers[0]
	}
	return column
}

// served says whether every column that a part names has a number in it; where it has none, it speaks of what it names.
func (l *lock) served(p *part) bool {
	numbers := filter(p.values, func(v *token) bool { return v.formula.Fn != "count" })
	for _, t := range p.all {
		if t.what != label || !l.measured(t) || len(numbers) == 0 {
			continue
		}
		if !slices.ContainsFunc(numbers, func(v *token) bool {
			return slices.Contains(t.columns, v.formula.Column) || slices.Contains(t.columns, l.frame.base(v.formula.Column))
		}) {
			l.blame(Column, t)
			return false
		}
	}
	return true
}

// claim checks one part.
func (l *lock) claim(p *part) {
	directions := classed(p.all, "rise", "fall", "flat", "double", "triple", "halve")
	comparisons := classed(p.all, "higher", "lower", "over", "under")
	extremes := classed(p.all, "highest", "lowest")
	ends := classed(p.all, "start", "end")
	nexts, ranges := classed(p.all, "next"), classed(p.all, "range")
	said := 0
	for _, claims := range [][]*token{directions, comparisons, extremes, ends, nexts, ranges} {
		if len(claims) > 0 {
			said++
		}
	}
	if said > 1 || len(directions) > 1 || len(comparisons) > 1 || len(extremes) > 1 || len(ends) > 1 || len(nexts) > 1 || len(ranges) > 1 {
		l.violate(Structure, p.all[0].start, p.all[len(p.all)-1].end) // which of them speaks of which cell cannot be told
		return
	}
	switch {
	case len(directions) > 0:
		l.direction(p, directions)
	case len(comparisons) > 0:
		l.comparison(p, comparisons)
	case len(extremes) > 0:
		l.extremes(p, extremes)
	case len(ends) > 0:
		l.ends(p, ends)
	case len(nexts) > 0 || p.before != nil && p.before.follows && l.silent(p):
		l.next(p)
	case len(ranges) > 0:
		l.ranges(p, ranges[0])
	case p.before != nil && p.before.claimed && l.silent(p):
		l.violate(Structure, p.all[0].start, p.all[len(p.all)-1].end) // "Beverages leads with 12 and Produce with 9" would say it of both
	}
	p.claimed = said > 0 || p.claimed
	l.once(p)
	l.amounts(p, len(directions) > 0 || len(ranges) > 0, len(comparisons) > 0)
	l.aggregates(p)
	l.words(p)
}

// silent says whether a part has a member and no verb of its own: it borrows that of the part before.
func (l *lock) silent(p *part) bool {
	return len(p.members) > 0 && !slices.ContainsFunc(p.all, func(t *token) bool { return t.of("verb") || t.what == word && t.claims })
}

// once refuses a number or a member that stands twice in a part: one of the two is there for something else.
func (l *lock) once(p *part) {
	for i, t := range p.all {
		for _, other := range p.all[:i] {
			same := t.what == value && other.what == value && t.formula == other.formula ||
				t.what == member && other.what == member && t.columns[0] == other.columns[0] && slices.Equal(t.rows, other.rows)
			if same {
				l.blame(Structure, t)
			}
		}
	}
}

// steps says whether a value is an amount of change and not a level.
func (l *lock) steps(v *token) bool {
	switch v.formula.Fn {
	case "diff", "pct":
		return true
	case "":
		how := l.frame.how(v.formula.Column)
		return how == "change" || how == "change_pct"
	}
	return false
}

// level says whether a value is a cell that holds how much there is.
func (l *lock) level(v *token) bool { return v.formula.Fn == "" && !l.steps(v) }

// amounts looks how changes and levels stand. "Up 12" says a change and "up to 12" a level; the other way around each would be wrong.
func (l *lock) amounts(p *part, moves, compares bool) {
	for _, v := range p.values {
		last, next := before(p.all, v), after(p.all, v)
		for last != nil && last.of("article") {
			last = before(p.all, last)
		}
		moving := last.of("rise", "fall") || last.is("by") || last.is("of") && before(p.all, last).of("rise", "fall", "change")
		leading := next.of("rise", "fall", "higher", "lower") || next.is("above", "below", "ahead", "behind")
		switch {
		case last.is("from") && !moves, last.is("to") && !moves && !before(p.all, last).is("came", "comes", "amounts", "amounted"):
			l.violate(Structure, p.all[0].start, v.end)
		case !l.steps(v) && (moving || leading):
			l.violate(Structure, p.all[0].start, v.end)
		case l.steps(v) && (moves || compares) && !moving && !leading:
			l.violate(Structure, p.all[0].start, v.end)
		case l.steps(v) && !moves && !compares && len(classed(p.all, "change")) == 0 && !l.labeled(p.all, v):
			l.blame(Direction, v)
		case v.formula.Fn == "ratio" && (moves || compares || next == nil || !next.is("the", "that")):
			l.blame(Structure, v)
		}
		if l.steps(v) && (moves || compares) {
			v.size = true
		}
		if v.formula.Beside >= 0 && !moves && !compares {
			l.pair(p, v)
		}
	}
}

// pair gives the two cells of arithmetic their members: the first named is that of the first cell, the second that of the second; the ends of a span
// the other way around, for a change goes from the earlier to the later. Without members it is the whole of a series.
func (l *lock) pair(p *part, v *token) {
	f := v.formula
	if f.Row == f.Beside { // beside what it is compared with
		l.single(p, v, f.Row)
		return
	}
	var named []*token
	for _, m := range p.members {
		if m.span == 0 {
			named = append(named, m)
		}
	}
	first, second := f.Row, f.Beside
	if earlier, later := span(p.all); earlier != nil {
		if !slices.Contains(earlier.rows, f.Beside) || !slices.Contains(later.rows, f.Row) {
			l.blame(Member, v)
			return
		}
		earlier.used, later.used = true, true
		for _, m := range named { // of the other dimensions
			if !slices.Contains(m.rows, first) || !slices.Contains(m.rows, second) {
				l.blame(Member, m)
			}
			m.used = true
		}
		if !l.covered(append(slices.Clone(named), earlier)) {
			l.blame(Member, v)
		}
		return
	}
	if len(named) == 0 {
		rows := l.frame.series(f.Row)
		if len(l.frame.divides) != 1 || len(rows) < 2 || rows[len(rows)-1] != f.Row || rows[0] != f.Beside {
			l.blame(Member, v)
		}
		return
	}
	for _, d := range l.frame.divides {
		var of []*token
		for _, m := range named {
			if m.columns[0] == d {
				of = append(of, m)
			}
		}
		ok := len(of) == 2 && slices.Contains(of[0].rows, first) && slices.Contains(of[1].rows, second) ||
			len(of) == 1 && slices.Contains(of[0].rows, first) && slices.Contains(of[0].rows, second)
		if !ok {
			l.blame(Member, v)
			return
		}
	}
	for _, m := range named {
		m.used = true
		if m.literal {
			m.cited = m.rows[0]
		}
	}
}

// single gives a value of one row its members.
func (l *lock) single(p *part, v *token, row int) {
	for _, m := range p.members {
		if !slices.Contains(m.rows, row) {
			l.blame(Member, m)
		}
		m.used = true
	}
	if !l.covered(p.members) {
		l.blame(Member, v)
	}
}

// covered says whether members name every dimension that tells rows apart.
func (l *lock) covered(members []*token) bool {
	for _, d := range l.frame.divides {
		if !slices.ContainsFunc(members, func(m *token) bool { return m.columns[0] == d }) {
			return false
		}
	}
	return true
}

// span are the ends of a period in a part; nil: there is none.
func span(all []*token) (earlier, later *token) {
	for _, t := range all {
		switch t.span {
		case 1:
			earlier = t
		case 2:
			later = t
		}
	}
	if earlier == nil || later == nil {
		return nil, nil
	}
	return earlier, later
}
