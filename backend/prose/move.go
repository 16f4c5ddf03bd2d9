package prose

import (
	"math/big"
	"slices"

	"assay/backend/frameview"
)

// direction checks what rose, fell, stayed or doubled: from one cell to another, which must be the later one, or what it is compared with.
func (l *lock) direction(p *part, said []*token) {
	want := said[0].class
	if p.measure < 0 || !l.endsOf(p) {
		l.blame(Direction, said[0])
		return
	}
	base, ok := l.frame.number(p.base.row, p.base.column)
	end, also := l.frame.number(p.end.row, p.end.column)
	if !ok || !also || !l.moves(want, base, end) || want != "flat" && l.reads(*p.base, base) == l.reads(*p.end, end) {
		l.blame(Direction, said[0])
		return
	}
	for _, v := range p.values {
		if l.steps(v) && !l.stepIs(v, *p.base, *p.end) {
			l.blame(Direction, v)
		}
	}
	l.steady(p, want)
}

// reads is how a number is printed: two that are printed alike are not said to differ.
func (l *lock) reads(at point, n *big.Rat) string {
	return frameview.FigureOf(n, l.frame.Columns[at.column])
}

// moves says whether going from one number to another is what a word says.
func (l *lock) moves(want string, base, end *big.Rat) bool {
	times := func(n, of int64) bool {
		return base.Sign() > 0 && new(big.Rat).Mul(base, big.NewRat(n, of)).Cmp(end) == 0
	}
	switch want {
	case "rise":
		return end.Cmp(base) > 0
	case "fall":
		return end.Cmp(base) < 0
	case "flat":
		return end.Cmp(base) == 0
	case "double":
		return times(2, 1)
	case "triple":
		return times(3, 1)
	}
	return times(1, 2)
}

// endsOf finds from where to where a part says that something moved.
func (l *lock) endsOf(p *part) bool {
	var levels, steps []*token
	for _, v := range p.values {
		switch {
		case l.steps(v):
			steps = append(steps, v)
		case l.level(v):
			levels = append(levels, v)
		default:
			return false
		}
	}
	at := func(v *token) *point { return &point{v.formula.Row, v.formula.Column} }
	for _, v := range levels {
		switch last := before(p.all, v); {
		case last.is("from") || l.behindTarget(p.all, v):
			if p.base != nil {
				return false
			}
			p.base = at(v)
		case p.end != nil:
			return false
		default:
			p.end = at(v)
		}
	}
	carried := false
	if p.end == nil && p.before != nil && p.all[0].what == pause { // "Revenue was 12, up from 10"
		if of := filter(p.before.values, l.level); len(of) == 1 && of[0].placed {
			p.end, carried = at(of[0]), true
		}
	}
	earlier, later := span(p.all)
	switch {
	case p.base != nil && p.end != nil:
	case len(steps) > 0:
		base, end, ok := l.step(steps[0])
		if !ok || p.base != nil && *p.base != base || p.end != nil && *p.end != end {
			return false
		}
		p.base, p.end = &base, &end
	case p.end != nil && p.base == nil && p.before != nil && p.before.end != nil && (p.all[0].is("before", "then") || len(p.all) > 1 && (p.all[1].is("then") || p.all[0].is("and", "but"))):
		p.base, carried = p.before.end, true
	case len(levels) == 0 && earlier != nil:
		return l.endsOfSpan(p, earlier, later)
	default:
		return false
	}
	return l.follows(*p.base, *p.end) && l.placesMoved(p, levels, carried)
}

// behindTarget says whether a level stands behind "the target of", or another word for what is compared with.
func (l *lock) behindTarget(all []*token, v *token) bool {
	last := before(all, v)
	return l.frame.base(v.formula.Column) >= 0 && last.is("of", "against") || last.is("against")
}

// step gives the two cells of an amount of change.
func (l *lock) step(v *token) (base, end point, ok bool) {
	f := v.formula
	if f.Fn != "" {
		return point{f.Beside, f.With}, point{f.Row, f.Column}, true
	}
	of := l.frame.base(f.Column)
	if of < 0 {
		return base, end, false
	}
	for i := range l.frame.Columns {
		d, mine := l.frame.Columns[i].Derived, l.frame.Columns[f.Column].Derived
		if d != nil && (d.How == "previous" || d.How == "target") && d.Of == mine.Of && d.With == mine.With {
			return point{f.Row, i}, point{f.Row, of}, true
		}
	}
	return base, end, false
}

// stepIs says whether an amount of change is the one between two cells.
func (l *lock) stepIs(v *token, base, end point) bool {
	from, to, ok := l.step(v)
	return ok && from == base && to == end
}

// follows says whether one cell may follow another: the same column later, or the same row beside what it is compared with.
func (l *lock) follows(base, end point) bool {
	if base.column == end.column {
		return l.frame.later(end.row, base.row)
	}
	how := l.frame.how(base.column)
	return base.row == end.row && l.frame.base(base.column) == end.column && (how == "previous" || how == "target")
}

// placesMoved looks that the members of a part are those of the two cells.
func (l *lock) placesMoved(p *part, levels []*token, carried bool) bool {
	rows := []int{p.base.row, p.end.row}
	earlier, later := span(p.all)
	if earlier != nil {
		if !slices.Contains(earlier.rows, rows[0]) || !slices.Contains(later.rows, rows[1]) {
			return false
		}
		earlier.used, later.used = true, true
	}
	fromMember := false // "up 12 % from March"
	for _, m := range p.members {
		if !m.used && m.span == 0 && before(p.all, m).is("from") && slices.Contains(m.rows, rows[0]) && carried {
			m.used, fromMember = true, true
		}
	}
	free := filter(p.members, func(m *token) bool { return m.span == 0 && !m.used })
	for _, m := range free {
		if !slices.Contains(m.rows, rows[0]) || !slices.Contains(m.rows, rows[1]) {
			return false
		}
		m.used = true
	}
	whole := l.wholeSeries(*p.base, *p.end)
	named := append(slices.Clone(free), kept(p.sentence, member)...)
	told := earlier != nil && l.coveredBut(named, l.frame.shape.Time) || whole
	for _, v := range levels {
		v.placed = v.placed || told
	}
	all := !slices.ContainsFunc(levels, func(v *token) bool { return !v.placed })
	return told || fromMember && all || all && (len(levels) == 2 || carried && len(levels) == 1 || p.base.row == p.end.row && l.covered(named))
}

// coveredBut is covered, for all dimensions but one.
func (l *lock) coveredBut(members []*token, but int) bool {
	for _, d := range l.frame.divides {
		if d != but && !slices.ContainsFunc(members, func(m *token) bool { return m.columns[0] == d }) {
			return false
		}
	}
	return true
}

// wholeSeries says whether two cells are the first and the last of the one series that the frame is, and nothing was cut off.
func (l *lock) wholeSeries(base, end point) bool {
	rows := l.frame.series(end.row)
	return len(rows) > 1 && len(rows) == len(l.frame.members) && l.frame.whole() && rows[0] == base.row && rows[len(rows)-1] == end.row
}

// endsOfSpan takes the cells at the ends of "from March to May".
func (l *lock) endsOfSpan(p *part, earlier, later *token) bool {
	if p.measure < 0 {
		return false
	}
	find := func(end *token) int {
		rows := end.rows
		for _, m := range kept(p.all, member) {
			if m.span == 0 {
				rows = both(rows, m.rows)
			}
		}
		if len(rows) != 1 {
			return -1
		}
		return rows[0]
	}
	from, to := find(earlier), find(later)
	if from < 0 || to < 0 {
		return false
	}
	p.base, p.end = &point{from, p.measure}, &point{to, p.measure}
	for _, m := range p.members {
		m.used = true
	}
	return l.follows(*p.base, *p.end)
}

func both(a, b []int) []int {
	var out []int
	for _, x := range a {
		if slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// steady checks a word that claims something of every step between two cells: each goes the same way.
func (l *lock) steady(p *part, want string) {
	said := classed(p.all, "steady")
	if len(said) == 0 {
		return
	}
	if len(said) > 1 {
		l.blame(Trend, said[1])
	}
	rows := l.frame.series(p.end.row)
	first, last := slices.Index(rows, p.base.row), slices.Index(rows, p.end.row)
	if p.base.column != p.end.column || first < 0 || last < first+2 || l.frame.cut() || want != "rise" && want != "fall" {
		l.blame(Trend, said[0])
		return
	}
	for i := first + 1; i <= last; i++ {
		a, ok := l.frame.number(rows[i-1], p.end.column)
		b, also := l.frame.number(rows[i], p.end.column)
		if !ok || !also || !l.moves(want, a, b) {
			l.blame(Trend, said[0])
			return
		}
	}
}

// comparison checks what is higher or lower than what.
func (l *lock) comparison(p *part, said []*token) {
	claim := said[0]
	at := slices.Index(p.all, claim)
	pivot := at
	if claim.of("higher", "lower") {
		pivot = slices.IndexFunc(p.all, func(t *token) bool { return t.of("than") })
	}
	if p.measure < 0 || pivot < at || claim.of("higher", "lower") && len(classed(p.all, "than")) != 1 {
		l.blame(Comparative, claim)
		return
	}
	left, right := l.operand(p.all[:at], p.measure), l.operand(p.all[pivot:], p.measure)
	if left == nil && p.before != nil && at > 0 && p.all[0].what == pause { // "Beverages had 12, more than Condiments"
		left = l.operand(p.before.all, p.measure)
	}
	if left == nil || right == nil || *left == *right || !l.alike(*left, *right) {
		l.blame(Comparative, claim)
		return
	}
	a, ok := l.frame.number(left.row, left.column)
	b, also := l.frame.number(right.row, right.column)
	higher := claim.of("higher", "over")
	if !ok || !also || l.reads(*left, a) == l.reads(*right, b) || higher && a.Cmp(b) <= 0 || !higher && a.Cmp(b) >= 0 {
		l.blame(Comparative, claim)
		return
	}
	for _, v := range p.values {
		switch {
		case l.steps(v):
			if !l.stepIs(v, *right, *left) {
				l.blame(Comparative, v)
			}
		case !l.level(v):
			l.blame(Comparative, v)
		}
	}
	for _, m := range p.members {
		m.used = true
	}
}

// alike says whether two cells may be compared: the same column, or a number and what it is compared with in one row.
func (l *lock) alike(a, b point) bool {
	return a.column == b.column && a.row != b.row || a.row == b.row && (l.frame.base(b.column) == a.column || l.frame.base(a.column) == b.column)
}

// operand is the one cell that tokens speak of; nil: they speak of none, or of several.
func (l *lock) operand(tokens []*token, measure int) *point {
	var rows []int
	column, narrowed := measure, false
	narrow := func(to []int) {
		if !narrowed {
			rows, narrowed = to, true
			return
		}
		rows = both(rows, to)
	}
	for _, t := range tokens {
		switch {
		case t.what == member:
			narrow(t.rows)
		case t.what == value && l.level(t):
			narrow([]int{t.formula.Row})
			column = t.formula.Column
		case t.what == value && !l.steps(t):
			return nil
		}
	}
	if !narrowed || len(rows) != 1 || column < 0 {
		return nil
	}
	return &point{rows[0], column}
}
