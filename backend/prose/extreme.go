package prose

import (
	"slices"
	"strings"
)

// extremes checks what is highest or lowest: the part must speak of one row, and that row must be the one of all members.
func (l *lock) extremes(p *part, said []*token) {
	claim := said[0]
	highest := claim.class == "highest"
	if next := after(p.all, claim); p.measure < 0 || next.of("noun") || next != nil && next.what == label && !l.measured(next) && !l.named(p.all, next.columns) {
		l.blame(Superlative, claim)
		return
	}
	if claim.is("most", "least") {
		next := after(p.all, claim)
		if next == nil || next.what != label || !slices.Contains(next.columns, p.measure) {
			l.blame(Superlative, claim)
			return
		}
	}
	column := p.measure
	var rows []int
	narrowed := false
	for _, t := range p.all {
		var to []int
		switch {
		case t.what == member:
			to = t.rows
		case t.what == value && (l.level(t) || t.formula.Fn == "share"):
			to, column = []int{t.formula.Row}, t.formula.Column
		case t.what == value && (t.formula.Fn == "max" && highest || t.formula.Fn == "min" && !highest):
			row, _ := l.frame.extreme(t.formula.Column, highest)
			to, column = []int{row}, t.formula.Column
		case t.what == value && l.steps(t) && t.formula.Fn == "":
			to, column = []int{t.formula.Row}, t.formula.Column
		case t.what == value:
			l.blame(Superlative, claim)
			return
		default:
			continue
		}
		if !narrowed {
			rows, narrowed = to, true
			continue
		}
		rows = both(rows, to)
	}
	row, ok := l.frame.extreme(column, highest)
	if len(p.members) > 0 && !l.covered(kept(p.sentence, member)) {
		ok = false // "Beverages is highest" would be said of all its rows together
	}
	if !ok || len(rows) != 1 || rows[0] != row || !l.frame.reaches(column, highest) {
		l.blame(Superlative, claim)
		return
	}
	p.place = &place{point{row, column}, highest}
	l.settle(p, row)
}

// settle says of all members and values of a part that they are those of a row.
func (l *lock) settle(p *part, row int) {
	for _, t := range p.all {
		switch t.what {
		case member:
			t.used = true
			if t.literal {
				t.cited = row
			}
		case value:
			t.placed = true
		}
	}
}

// next checks what follows the highest, or the lowest, in the order of the column: "followed by Produce with 9".
func (l *lock) next(p *part) {
	p.follows = true
	blame := func() { l.violate(Superlative, p.all[0].start, p.all[len(p.all)-1].end) }
	at := l.operand(p.all, p.measure)
	if p.before == nil || p.before.place == nil || at == nil || len(p.members) == 0 || !l.covered(p.members) || slices.ContainsFunc(p.values, func(v *token) bool { return !l.level(v) }) {
		blame()
		return
	}
	last := *p.before.place
	if at.column != last.column || !l.frame.nextTo(last.row, at.row, at.column, last.highest) || !l.frame.reaches(at.column, last.highest) {
		blame()
		return
	}
	p.place = &place{*at, last.highest}
	l.settle(p, at.row)
}

// ranges checks the lowest and the highest number of a column: "ranges from 3 to 12".
func (l *lock) ranges(p *part, claim *token) {
	if len(p.values) != 2 || p.measure < 0 {
		l.blame(Superlative, claim)
		return
	}
	for i, v := range p.values {
		row, ok := l.frame.extreme(p.measure, i == 1)
		is := l.level(v) && v.formula.Row == row || v.formula.Fn == [2]string{"min", "max"}[i]
		if !ok || !is || v.formula.Column != p.measure || !l.frame.reaches(p.measure, i == 1) || !before(p.all, v).is([2]string{"from", "to"}[i]) {
			l.blame(Superlative, claim)
			return
		}
		v.placed = true
	}
}

// named says whether a member of one of these dimensions stands among tokens.
func (l *lock) named(all []*token, columns []int) bool {
	return slices.ContainsFunc(all, func(t *token) bool { return t.what == member && slices.Contains(columns, t.columns[0]) })
}

// ends checks with what a series started or ended.
func (l *lock) ends(p *part, said []*token) {
	claim := said[0]
	at := l.operand(p.all, p.measure)
	if len(said) > 1 || at == nil || slices.ContainsFunc(p.values, l.steps) || l.frame.cut() || !l.frame.whole() {
		l.blame(Trend, claim)
		return
	}
	rows := l.frame.series(at.row)
	if len(rows) < 2 || len(rows) != len(l.frame.members) || claim.class == "start" && rows[0] != at.row || claim.class == "end" && rows[len(rows)-1] != at.row {
		l.blame(Trend, claim)
		return
	}
	for _, t := range p.all {
		t.used, t.placed = t.used || t.what == member, t.placed || t.what == value
	}
}

// aggregates checks what is said of all rows together: no member may stand beside it, for it is not that member's.
func (l *lock) aggregates(p *part) {
	for _, v := range p.values {
		switch fn := v.formula.Fn; fn {
		case "sum", "mean", "count":
			if len(p.members) > 0 {
				l.blame(Member, v)
			}
			if fn == "mean" && len(classed(p.all, "average")) == 0 {
				l.blame(Total, v)
			}
			if fn == "count" && !l.countsRows(p.all, v) {
				l.blame(Structure, v)
			}
		case "max", "min":
			if want := map[string]string{"max": "highest", "min": "lowest"}[fn]; len(classed(p.all, want, "range")) == 0 {
				l.blame(Superlative, v)
			}
		case "share":
			next := after(p.all, v)
			if len(classed(p.all, "share")) == 0 && !next.is("of") {
				l.blame(Total, v)
			}
			l.wholly(v)
		case "rank":
			if len(classed(p.all, "rank")) == 0 {
				l.blame(Total, v)
			}
			l.wholly(v)
		}
	}
}

// wholly refuses a share or a rank of a row that nobody can tell.
func (l *lock) wholly(v *token) {
	if !v.placed {
		l.blame(Member, v)
	}
}

// countsRows says whether what stands behind the number of rows says that it is that.
func (l *lock) countsRows(all []*token, v *token) bool {
	next := after(all, v)
	return next.is("row", "rows") || next != nil && next.what == label && l.counts(v, next)
}

// words checks the words that need a number of their own kind beside them.
func (l *lock) words(p *part) {
	has := func(of func(*token) bool) bool { return slices.ContainsFunc(p.values, of) }
	fn := func(names ...string) bool {
		return has(func(v *token) bool { return slices.Contains(names, v.formula.Fn) })
	}
	how := func(names ...string) bool {
		return has(func(v *token) bool {
			return v.formula.Fn == "" && slices.Contains(names, l.frame.how(v.formula.Column))
		})
	}
	total := has(func(v *token) bool { return v.formula.Fn == "" && v.formula.Row == l.frame.total })
	for _, t := range p.all {
		if t.what != word || !t.claims {
			continue
		}
		ok := true
		switch t.class {
		case "total":
			series := t.text == "overall" && p.base != nil && p.end != nil && l.wholeSeries(*p.base, *p.end)
			alone := len(l.frame.members) == 1 && l.frame.total < 0 && l.frame.whole()
			ok = fn("sum") || total || series || alone && has(l.level) || fn("share") && t.text == "total"
		case "average":
			ok = fn("mean")
		case "share":
			ok = fn("share") || how("share")
		case "rank":
			ok = fn("rank") || how("rank")
		case "change":
			ok = has(l.steps)
		case "before":
			ok = how("previous") || has(l.sinceBefore) || p.before != nil && t == p.all[0] && len(classed(p.all, "rise", "fall")) > 0 && p.base != nil
		case "target":
			ok = how("target")
		case "steady":
			ok = len(classed(p.all, "rise", "fall")) > 0 // and checked there
		}
		if !ok {
			l.blame(kindOfClass(t.class), t)
		}
	}
	for _, v := range p.values {
		l.madeOf(p, v, total)
	}
}

// sinceBefore says whether a value is a change from another time, and not from a target.
func (l *lock) sinceBefore(v *token) bool {
	c := l.frame.Columns[max(v.formula.Column, 0)]
	return v.formula.Fn == "" && l.steps(v) && !strings.HasPrefix(c.Derived.With, "TARGET")
}

func kindOfClass(class string) Kind {
	switch class {
	case "total", "average", "share", "rank":
		return Total
	case "steady":
		return Trend
	}
	return Direction
}

// madeOf looks that a number which a comparison or a window made is called what it is: the sales of the year before are not the sales.
func (l *lock) madeOf(p *part, v *token, total bool) {
	if v.formula.Fn == "" && v.formula.Row == l.frame.total && len(classed(p.all, "total")) == 0 && total {
		l.blame(Total, v)
	}
	if v.formula.Fn != "" || l.labeled(p.all, v) {
		return
	}
	ok := true
	switch l.frame.how(v.formula.Column) {
	case "previous":
		ok = before(p.all, v).is("from", "than", "against") || len(classed(p.all, "before")) > 0 && len(filter(p.values, l.level)) == 1 ||
			behindBase(p.all, v)
	case "target":
		ok = len(classed(p.all, "target")) > 0 && behindBase(p.all, v) || before(p.all, v).is("from", "against")
	case "change", "change_pct", "": // see amounts
	case "share":
		ok = len(classed(p.all, "share")) > 0 || after(p.all, v).is("of")
	case "rank":
		ok = len(classed(p.all, "rank")) > 0
	default: // cumulative, moving, index: only under their own names
		ok = false
	}
	if !ok {
		l.blame(Column, v)
	}
}

// behindBase says whether the last words before a value are those of what is compared with: "than the previous value of 12", "the target of 12".
func behindBase(all []*token, v *token) bool {
	for t := before(all, v); t != nil; t = before(all, t) {
		switch {
		case t.of("before", "target"):
			return true
		case t.is("of", "at", "in", "from", "than", "against"), t.of("article", "noun"), t.what == label, t.what == member:
		default:
			return false
		}
	}
	return false
}
