package prose

import (
	"slices"
)

// Binding: a value belongs to the members that a reader takes it to belong to. Those are the ones that stand right behind it after a preposition ("12 in
// March"), and else the nearest one of each dimension before it in the sentence ("in March Beverages had 12"). Where the rows of the frame are told
// apart by a dimension, every single value needs its member, unless a claim of its part of the sentence says which row it is.

// bind looks how the values of a sentence stand, and which members they belong to.
func (l *lock) bind(s []*token) {
	if !slices.ContainsFunc(s, func(t *token) bool { return t.what == value || t.what == member }) {
		l.violate(Structure, s[0].start, s[len(s)-1].end) // nothing of it can be checked
	}
	l.order(s)
	l.spans(s)
	l.neighbors(s)
	l.places(s)
	values := kept(s, value)
	for _, v := range values {
		l.behind(s, v)
	}
	for _, v := range values {
		switch v.formula.Fn {
		case "", "share", "rank":
			l.belongs(s, v)
		}
		l.called(s, v)
	}
}

// spans marks the ends of "from March to May" and "between March and May" where no value stands between them.
func (l *lock) spans(s []*token) {
	for i := range s {
		opener := s[i]
		if !opener.is("from", "between") {
			continue
		}
		ends := []*token{}
		joint := "to"
		if opener.text == "between" {
			joint = "and"
		}
		joined := false
	reading:
		for _, t := range s[i+1:] {
			switch {
			case t.what == member && l.onTime(t):
				ends = append(ends, t)
			case t.is(joint) && len(ends) == 1:
				joined = true
			case t.of("article"), t.what == label && l.labelsTime(t):
			default:
				break reading
			}
			if len(ends) == 2 {
				break
			}
		}
		if len(ends) == 2 && joined {
			ends[0].span, ends[1].span = 1, 2
		}
	}
}

func (l *lock) onTime(t *token) bool { return t.columns[0] == l.frame.shape.Time }

func (l *lock) labelsTime(t *token) bool { return slices.Contains(t.columns, l.frame.shape.Time) }

// neighbors refuses numbers that could be read together, or as something that they are not.
func (l *lock) neighbors(s []*token) {
	for i, t := range s {
		if t.what != value {
			continue
		}
		if i > 0 && s[i-1].of("preposition") && !leadsTo(s[:i], t) {
			l.violate(Structure, s[i-1].start, t.end) // over 12, in 12
		}
		if i > 0 && s[i-1].what == open && (i == 1 || s[i-2].what != member && s[i-2].what != label) {
			l.violate(Structure, s[i-1].start, t.end) // (12) is less than nothing where numbers are kept
		}
		if i+1 == len(s) {
			continue
		}
		next := s[i+1]
		switch {
		case next.what == value, next.what == open && i+2 < len(s) && s[i+2].what == value,
			next.of("noun") && !(t.formula.Fn == "count" && next.is("row", "rows")),
			next.of("article", "pronoun") && t.formula.Fn != "ratio":
			l.violate(Structure, t.start, next.end)
		case next.what == member:
			l.violate(Structure, t.start, next.end)
		case next.what == label && !l.counts(t, next) && !l.measures(t, next):
			l.violate(Column, t.start, next.end)
		}
		l.between(s[i:])
	}
}

// places refuses members and prepositions that do not stand as they do in a sentence.
func (l *lock) places(s []*token) {
	for i, t := range s {
		next := after(s, t)
		switch {
		case t.of("preposition") && next.of("preposition"), t.of("preposition") && next == nil,
			t.is("over", "across", "within", "among") && next != nil && next.what == member:
			l.blame(Structure, t)
		case t.what == member:
			l.apart(s[i:])
		}
	}
}

// apart refuses two members of one dimension with nothing between them that says how they belong together.
func (l *lock) apart(s []*token) {
	for _, t := range s[1:] {
		switch {
		case t.what == member && t.columns[0] == s[0].columns[0] && (s[0].span == 0 || t.span == 0):
			l.violate(Structure, s[0].start, t.end)
			return
		case t.of("preposition", "article"), t.what == open, t.what == shut:
		default:
			return
		}
	}
}

// leadsTo says whether a preposition may stand before a value.
func leadsTo(s []*token, v *token) bool {
	last := s[len(s)-1]
	switch {
	case last.is("at", "of", "with", "to", "from", "by"):
		return true
	case last.is("across"):
		return v.formula.Fn == "count"
	}
	return last.is("for") && len(s) > 1 && s[len(s)-2].of("share") // accounts for 40 %
}

// counts says whether a label behind the number of rows is what the rows stand for.
func (l *lock) counts(t, next *token) bool {
	members := l.frame.shape.Members
	return t.formula.Fn == "count" && len(members) == 1 && slices.Contains(next.columns, members[0])
}

// measures says whether a label behind a number is that of its column.
func (l *lock) measures(t, next *token) bool {
	switch t.formula.Fn {
	case "", "sum", "mean", "max", "min", "diff":
		return slices.Contains(next.columns, t.formula.Column)
	}
	return false
}

// between refuses two values with nothing between them that keeps them apart: "12 of 20" says a part of a whole.
func (l *lock) between(s []*token) {
	for i, t := range s[1:] {
		switch {
		case t.what == value:
			l.violate(Structure, s[0].start, t.end)
			return
		case t.what == pause && i > 0:
			return
		case t.what == pause, t.what == open, t.what == shut:
		case t.of("preposition") && !t.is("to", "from", "with", "across"), t.of("article"):
		default:
			return
		}
	}
}

// behind finds the members that stand right behind a value: "12 in March", "12 for Beverages in March", "12 (March)".
func (l *lock) behind(s []*token, v *token) {
	at := slices.Index(s, v) + 1
	for at < len(s) {
		led := false
	reading:
		for ; at < len(s); at++ {
			t := s[at]
			switch {
			case t.is("in", "for", "at", "on", "of", "by", "during"), t.what == open:
				led = true
			case led && t.of("article"), led && t.what == label && !l.measured(t):
			default:
				break reading
			}
		}
		if !led || at == len(s) || s[at].what != member || s[at].span > 0 {
			return
		}
		m := s[at]
		m.right = true
		v.behind = append(v.behind, m)
		at++
		if at < len(s) && s[at].what == shut {
			at++
		}
	}
}

// measured says whether a label is one of a column of numbers.
func (l *lock) measured(t *token) bool { return l.frame.measure(t.columns[0]) }

// belongs gives a value its members and refuses those of another row.
func (l *lock) belongs(s []*token, v *token) {
	row := v.formula.Row
	if row == l.frame.total {
		v.placed = true
		return
	}
	v.placed = true
	at := slices.Index(s, v)
	for _, d := range l.frame.shape.Members {
		var found *token
		for _, m := range v.behind {
			if m.columns[0] != d {
				continue
			}
			if found != nil {
				l.blame(Member, m)
			}
			found = m
		}
		for i := at - 1; i >= 0 && found == nil; i-- {
			if m := s[i]; m.what == member && m.columns[0] == d && !m.right && m.span == 0 {
				found = m
			}
		}
		switch {
		case found == nil:
			v.placed = v.placed && !slices.Contains(l.frame.divides, d)
		case !slices.Contains(found.rows, row):
			l.violate(Member, min(found.start, v.start), max(found.end, v.end))
		default:
			found.used = true
			if found.literal {
				found.cited = row
			}
		}
	}
}

// called refuses a value under the name of another column: the label right behind it, or the last one before it, must be that of its column. Where
// the frame has several numbers each value needs one.
func (l *lock) called(s []*token, v *token) {
	f := v.formula
	if f.Fn == "count" {
		return
	}
	at := slices.Index(s, v)
	var named *token
	if at+1 < len(s) && s[at+1].what == label {
		named = s[at+1]
	}
	for i := at + 1; i < len(s) && named == nil && (s[i].is("of", "in", "the") || i > at+1 && s[i].what == label); i++ { // 60 % of the revenue
		if s[i].what == label && l.measured(s[i]) {
			named = s[i]
		}
	}
	for i := at - 1; i >= 0 && named == nil; i-- {
		if s[i].what == label && l.measured(s[i]) {
			named = s[i]
		}
	}
	switch {
	case named == nil:
		if len(l.frame.shape.Numbers) > 1 {
			l.blame(Column, v)
		}
	case !slices.Contains(named.columns, f.Column) && !slices.Contains(named.columns, l.frame.base(f.Column)):
		l.violate(Column, min(named.start, v.start), max(named.end, v.end))
	}
}

// labeled says whether a value stands under the own name of its column.
func (l *lock) labeled(s []*token, v *token) bool {
	return slices.ContainsFunc(s, func(t *token) bool {
		return t.what == label && len(t.columns) == 1 && t.columns[0] == v.formula.Column
	})
}
