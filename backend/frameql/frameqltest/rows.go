package frameqltest

import (
	"slices"
	"strconv"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// passing gives the rows of the source of a leaf that stand in a context, which are those that make groups: WHERE and the
// period hold.
func (v *evaluation) passing(l *leaf, sc scope) []place {
	id := l.source.Name + l.timeName()
	for _, f := range sc.ctx.active {
		id += "&" + f.String()
	}
	if sc.ctx.lag && len(v.q.Compare) > 0 {
		id += "moved"
	}
	id += sc.ctx.period.from.String() + sc.ctx.period.to.String()
	period := sc.ctx.period
	if sc.window != nil {
		id += "window" + strconv.FormatBool(sc.window.fromPeriod)
		if !sc.window.fromPeriod {
			period.from = time.Time{}
		}
		if sc.window.test != nil {
			id += "test"
			period = span{}
		}
	}
	if rows, ok := v.passed[id]; ok {
		return rows
	}
	rows := []place{}
	for i := range v.w.rows(l.source) {
		row := place{l.source, i}
		if v.counts(l, row, sc, period) {
			rows = append(rows, row)
		}
	}
	v.passed[id] = rows
	return rows
}

func (v *evaluation) counts(l *leaf, row place, sc scope, period span) bool {
	if !v.inPeriod(l, row, period) {
		return false
	}
	if sc.ctx.lag && len(v.q.Compare) > 0 && l.time != nil && v.w.read(row, *l.time, l.time.dim) == nil { // which cannot be moved
		return false
	}
	for _, p := range sc.ctx.active {
		if v.holds(p, row, l.time) != yes {
			return false
		}
	}
	return true
}

// filtered says whether a row passes the filter of the leaf itself and the FILTERs around it.
func (v *evaluation) filtered(l *leaf, row place, sc scope) bool {
	if l.filter != nil && l.filter(row) != yes {
		return false
	}
	for _, p := range sc.filters {
		if v.holds(p, row, l.time) != yes {
			return false
		}
	}
	return true
}

func (v *evaluation) inPeriod(l *leaf, row place, period span) bool {
	if period == (span{}) {
		return true
	}
	if l.time == nil {
		panic(outside{"no time for the period"})
	}
	t, ok := v.w.read(row, *l.time, l.time.dim).(time.Time)
	return ok && period.holds(t)
}

// rowsOf gives the rows of a leaf that count in a scope.
func (v *evaluation) rowsOf(l *leaf, sc scope) []place {
	var rows []place
	for _, row := range v.passing(l, sc) {
		if v.filtered(l, row, sc) && v.fits(l, row, sc) && v.picked(l, row, sc) {
			rows = append(rows, row)
		}
	}
	return rows
}

func (v *evaluation) fits(l *leaf, row place, sc scope) bool {
	for i, k := range sc.keys {
		if k.axis && sc.window != nil || sc.rest.covers(k) {
			continue
		}
		c := v.keyOfRow(k, row, l.time, sc.ctx)
		if m := sc.moved; m != nil && k.timed() {
			c = v.movedPart(k, v.w.read(row, *l.time, l.time.dim), m)
		}
		if c == (nowhere{}) || !sameCell(c, sc.vals[i]) {
			return false
		}
	}
	if sc.window != nil {
		t, ok := v.w.read(row, *l.time, l.time.dim).(time.Time)
		if !ok || sc.window.test == nil && !sc.window.holds(t) || sc.window.test != nil && !sc.window.test(t) {
			return false
		}
	}
	return v.inRest(l, row, sc)
}

// inRest says whether a row is of no member that TOP shows; outside of the rest every row is.
func (v *evaluation) inRest(l *leaf, row place, sc scope) bool {
	r := sc.rest
	if r == nil {
		return true
	}
	var member []any
	for _, k := range slices.Concat(r.per, r.members) {
		member = append(member, v.keyOfRow(k, row, l.time, sc.ctx))
	}
	return !r.shown[identities(member)]
}

// picked says whether a row is one of the snapshots that a semi-additive leaf takes: its date is the first or last one of
// the bucket (of the period, without an axis) among the rows of the source, whatever conditions but those on time say.
func (v *evaluation) picked(l *leaf, row place, sc scope) bool {
	if l.semi != "last" && l.semi != "first" {
		return true
	}
	if sc.window != nil {
		panic(outside{"a window over a balance"})
	}
	mine, ok := v.w.read(row, *l.time, l.time.dim).(time.Time)
	if !ok {
		return false
	}
	own := slices.DeleteFunc(slices.Clone(sc.keys), sc.rest.covers)
	if slices.ContainsFunc(own, func(k key) bool { return !k.axis && k.grain == "" && v.isTimeOf(k, l) }) { // each group is of one snapshot
		return true
	}
	apart := sc.rest != nil && slices.ContainsFunc(sc.rest.members, func(k key) bool { return v.isTimeOf(k, l) })
	axis := finestAxis(own)
	bucket := func(t time.Time) time.Time {
		if axis == "" {
			return time.Time{}
		}
		return v.cal.cut(t, axis)
	}
	for i := range v.w.rows(l.source) {
		other := place{l.source, i}
		t, ok := v.w.read(other, *l.time, l.time.dim).(time.Time)
		if apart && !v.inRest(l, other, sc) { // of the rest of times the snapshots are its own
			continue
		}
		if !ok || !bucket(t).Equal(bucket(mine)) || !v.inPeriod(l, other, sc.ctx.period) || !v.timely(l, other, sc) || !v.sameKeyOf(l, row, other) {
			continue
		}
		if l.semi == "last" && t.After(mine) || l.semi == "first" && t.Before(mine) {
			return false
		}
	}
	return true
}

// isTimeOf says whether a key is the time of a leaf, cut or not.
func (v *evaluation) isTimeOf(k key, l *leaf) bool {
	t, reached := v.w.reach(l.source, k.name)
	return k.axis || reached && l.time != nil && sameTarget(t, *l.time)
}

// timely says whether a row passes the conjuncts of WHERE that are about the metric time alone.
func (v *evaluation) timely(l *leaf, row place, sc scope) bool {
	for _, p := range sc.ctx.active {
		if v.aboutTime(p, l) && v.holds(p, row, l.time) != yes {
			return false
		}
	}
	return true
}

func (v *evaluation) aboutTime(p *frameql.Pred, l *leaf) bool {
	names := namesIn(p)
	for _, n := range names {
		if n, _ = datePart(n); n == "" || v.cal.isUnit(n) {
			continue
		}
		t, ok := v.w.reach(l.source, n)
		if !ok || l.time == nil || !sameTarget(t, *l.time) {
			return false
		}
	}
	return len(names) > 0 && !computed(p)
}

func sameTarget(a, b target) bool {
	return a.entity == b.entity && a.dim == b.dim && slices.EqualFunc(a.path, b.path, func(x, y semantic.Join) bool {
		return x.From == y.From && x.To == y.To && x.Role == y.Role
	})
}

// namesIn gives the dimensions that a predicate mentions.
func namesIn(p *frameql.Pred) []string {
	if p == nil {
		return nil
	}
	var names []string
	if p.Dim != "" {
		names = append(names, p.Dim)
	}
	if p.Quant != "" {
		names = append(names, p.Entity)
	}
	if p.ValDim != nil {
		names = append(names, p.ValDim.Name)
	}
	names = append(append(names, namesIn(p.Not)...), namesIn(p.Pred)...)
	for _, c := range slices.Concat(p.And, p.Or) {
		names = append(names, namesIn(c)...)
	}
	return names
}

func (v *evaluation) sameKeyOf(l *leaf, a, b place) bool {
	for _, k := range l.per {
		x, y := v.identOf(a)(k), v.identOf(b)(k)
		if !sameCell(x, y) {
			return false
		}
	}
	return true
}

// leafValue computes a leaf in a scope.
func (v *evaluation) leafValue(l *leaf, sc scope) any {
	if sc.added != "" && sc.window == nil && sc.mapped == nil {
		return v.filledValue(l.zero && !l.overDates(), l, sc)
	}
	if v.nothingBefore(sc) {
		return nil
	}
	sc = v.atOtherDays(l, sc)
	rows := v.rowsOf(l, sc)
	if len(rows) == 0 && l.zero && !v.meansNothing(l, sc) {
		return nil
	}
	if !l.overDates() {
		return v.reduce(l, rows)
	}
	if sc.window != nil {
		panic(outside{"a window over a balance"})
	}
	// the average, least or greatest of the sums of the snapshots
	days := map[string][]place{}
	var order []string
	for _, r := range rows {
		c := v.w.read(r, *l.time, l.time.dim)
		if t, ok := c.(time.Time); ok {
			c = midnight(t)
		}
		id := identity(c)
		if days[id] == nil {
			order = append(order, id)
		}
		days[id] = append(days[id], r)
	}
	var sums []any
	for _, id := range order {
		if s := v.reduce(l, days[id]); s != nil {
			sums = append(sums, s)
		}
	}
	return reduceCells(l.semi, sums, Number{}, false)
}

// meansNothing says whether no rows are 0 in a scope: where the days that it looks at hold data of the leaf. In a row that FILL added
// with another mode only rows are that a FILTER leaves out.
func (v *evaluation) meansNothing(l *leaf, sc scope) bool {
	if sc.gap == "null" || sc.gap == "last" {
		bare := *l
		bare.filter, sc.filters, sc.inputs = nil, nil, nil
		return len(v.rowsOf(&bare, sc)) > 0
	}
	return v.covered(l, sc)
}

// atOtherDays gives the scope whose window holds the rows that count for a metric of other days.
func (v *evaluation) atOtherDays(l *leaf, sc scope) scope {
	m := sc.mapped
	if m != nil && m.kind == "shift" {
		sc.moved = m
	}
	if sc.mapped = nil; m == nil || m.kind == "shift" && !m.daily(finestAxis(sc.keys)) && v.timeless(sc) {
		return sc
	}
	w, ok := v.reached(l, m, sc)
	if !ok {
		w = &window{span: span{date(9999, 1, 1), date(1, 1, 2)}, test: func(time.Time) bool { return false }}
	}
	sc.window = w
	return sc
}

// timeless says whether rows count without regard to their time: there is neither an axis nor a period, or the bucket is
// that of the rows without a time.
func (v *evaluation) timeless(sc scope) bool {
	_, unit, ok := v.bucket(sc)
	return unit != "" && !ok || unit == "" && sc.ctx.period == (span{})
}

// covered says whether some day that counts in a scope, within the period, lies within those on which there is data of a leaf: of the
// bucket, where its context is, or of the window. Where nobody knows of data every day does.
func (v *evaluation) covered(l *leaf, sc scope) bool {
	if l.time == nil {
		return true
	}
	first, last, known := v.w.Coverage(l.time.entity.Name + "." + l.time.dim)
	if !known {
		return true
	}
	data := span{midnight(first), midnight(last).AddDate(0, 0, 1)}
	if sc.window != nil {
		days := sc.window.span
		if sc.window.test == nil {
			if !sc.window.fromPeriod {
				days = days.until(sc.ctx.period.to)
			} else {
				days = days.within(sc.ctx.period)
			}
		}
		return days.meets(data)
	}
	days := sc.ctx.period
	bucket, unit, ok := v.bucket(sc)
	switch {
	case unit == "":
	case !ok: // beside a time that is missing nothing is compared
		return !sc.ctx.other
	default:
		if !sc.ctx.moves() || fineness(unit) >= fineness(sc.ctx.unit) {
			if bucket, ok = v.there(sc.ctx, bucket); !ok {
				return false
			}
		}
		days = span{bucket, v.cal.move(bucket, unit, 1)}.within(sc.ctx.period)
	}
	return days.meets(data)
}

// within gives the part of a span that lies in another; an empty one begins where it ends.
func (s span) within(o span) span {
	if o.from.After(s.from) {
		s.from = o.from
	}
	return s.until(o.to)
}

func (s span) until(end time.Time) span {
	if !end.IsZero() && (s.to.IsZero() || end.Before(s.to)) {
		s.to = end
	}
	return s
}

// meets says whether two spans have some time in common.
func (s span) meets(o span) bool {
	both := s.within(o)
	return both.from.Before(both.to)
}

// coverage is from the first to the last instant in the data of the metric times of the query.
func (v *evaluation) coverage() (first, last time.Time, known bool) {
	for _, e := range v.numbers() {
		for _, u := range v.leavesOnly(e) {
			if u.leaf.time == nil {
				continue
			}
			f, l, ok := v.w.Coverage(u.leaf.time.entity.Name + "." + u.leaf.time.dim)
			if ok && (!known || f.Before(first)) {
				first = f
			}
			if ok && (!known || l.After(last)) {
				last = l
			}
			known = known || ok
		}
	}
	return first, last, known
}

// someCovered says whether there is data of some number of an expression in a scope.
func (v *evaluation) someCovered(e *frameql.Expr, sc scope) bool {
	uses := v.usesOf(e, use{ctx: sc.ctx, adds: true})
	return len(uses) == 0 || slices.ContainsFunc(uses, func(u use) bool {
		in := sc
		in.ctx, in.mapped = u.ctx, u.mapped
		return v.covered(u.leaf, v.atOtherDays(u.leaf, in))
	})
}

// filledValue is what a leaf says in a row that FILL added.
func (v *evaluation) filledValue(zero bool, l *leaf, sc scope) any {
	if sc.added == "zero" && zero && v.covered(l, sc) {
		return Whole(0)
	}
	return nil
}
