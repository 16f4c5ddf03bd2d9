package compile

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// look is one number at whose data an atom looks.
type look struct {
	leaf Leaf
	x    Context
	m    TimeMap
	back *Context // the buckets are looked up that long before
}

// looks gives the numbers whose data decides whether no rows mean 0 in an atom.
func (r *relating) looks(a *atom) []look {
	switch a.kind {
	case "leaf":
		return []look{{leaf: a.leaf, x: r.c.contexts[a.ctx], m: a.leaf.Map}}
	case "acc":
		return windowedLooks(r.looks(r.atoms[a.arg.Index]), a.spec, r.c.key(r.axis).Cut)
	case "reduce":
		if k := r.c.finest(append(slices.Clone(a.keys), r.grain...)); k >= 0 {
			return r.c.looksOf(a.cell, r.c.key(k).Cut)
		}
		return r.c.looksOf(a.cell, nil)
	}
	var cut *Scalar
	if k := r.axisOf(a); k >= 0 {
		cut = r.c.key(k).Cut
	}
	all := r.c.looksOf(a.cell, cut)
	for i := range all {
		all[i].back = a.back
	}
	return all
}

// looksOf gives the numbers of a cell that stands where an axis is cut so.
func (c *compiler) looksOf(cell, cut *Scalar) []look {
	if cell.Op == "leaf" {
		leaf := c.q.Leaves[cell.Index]
		return []look{{leaf: leaf, x: c.contexts[cell.Ctx], m: leaf.Map}}
	}
	if cell.Op == "lag" && cut != nil {
		cell = c.lagged(cell.Args[0], cell.N, cut)
		return c.looksOf(cell, cut)
	}
	var all []look
	for _, a := range cell.Args {
		all = append(all, c.looksOf(a, cut)...)
	}
	if (cell.Op == "cumulative" || cell.Op == "moving") && cut != nil {
		return windowedLooks(all, cell, cut)
	}
	return all
}

// windowedLooks lets numbers run over a window; those of other days look that long before.
func windowedLooks(all []look, spec, cut *Scalar) []look {
	for i := range all {
		past := all[i].m
		all[i].m = mapOf(spec, cut)
		all[i].m.Offset, all[i].m.OffsetUnit = past.moves()
	}
	return all
}

// stretch is the buckets of an axis in which a number looks at days of its data, from first to last.
type stretch struct {
	first, last time.Time // zero: open
	none        bool
	timeless    bool        // and the rows without a time
	but         []time.Time // but for these, which have no peer
}

// stretch finds the buckets. known is false when nobody says where the data lies. Without an axis (cut is nil) there is one bucket.
func (l look) stretch(cut *Scalar) (s stretch, known bool) {
	from, to := l.leaf.CoverFrom, l.leaf.CoverTo
	x, n := l.x, 0
	if from.IsZero() {
		if cut == nil || len(x.Peers) == 0 || l.back != nil {
			return stretch{}, false
		}
		return stretch{first: x.Peers[0].From}.moved(x, cut), true // nothing lies beside a bucket without a peer
	}
	if l.m.Kind == "shift" {
		n = l.m.N
	}
	if plain := l.m.Kind == "" || l.m.Kind == "shift" || l.m.Kind == "all" && l.m.within; plain && !x.From.IsZero() {
		from = latest(from, unmoved(x.From, n, l.m.Unit))
	}
	if !x.To.IsZero() && l.m.Kind != "same_day" {
		to = earliest(to, unmoved(x.To, n, l.m.Unit))
	}
	if !from.Before(to) || !x.From.IsZero() && !x.To.IsZero() && !x.From.Before(x.To) {
		return stretch{none: true}, true
	}
	if cut == nil {
		return stretch{none: !l.atEnd(from, to), timeless: true}, true
	}
	var some, ends bool
	s.first, some = firstBucket(cut, from, func(t time.Time) bool {
		_, until := l.days(cut, t)
		return until.After(from)
	})
	after, ends := firstBucket(cut, s.first, func(t time.Time) bool {
		start, _ := l.days(cut, t)
		return !start.Before(to)
	})
	if ends {
		s.last = stepBucket(cut, after, -1)
	}
	if l.m.Kind == "same_day" {
		if !x.From.IsZero() {
			s.first = latest(s.first, cutTime(cut, x.From))
		}
		if !x.To.IsZero() && ends {
			s.last = earliest(s.last, cutTime(cut, lastMoment(x.To)))
		}
	}
	s.none = !some || ends && s.last.Before(s.first) || ends && !after.After(s.first)
	if l.back == nil && x.moved() {
		s = s.moved(x, cut)
	}
	s.timeless = l.timeless()
	return s, true
}

// timeless says whether rows without a time count, beside all buckets.
func (l look) timeless() bool {
	return l.back == nil && !l.x.moved() && !l.x.Lag && (l.m.Kind == "" || l.m.Kind == "shift")
}

// moved gives the buckets of the query on which those of a comparand lie.
func (s stretch) moved(x Context, cut *Scalar) stretch {
	if len(x.Peers) == 0 {
		unit := strings.TrimPrefix(x.Unit, "fiscal_")
		there := func(t time.Time) time.Time {
			switch {
			case t.IsZero():
				return t
			case len(cut.Buckets) > 0:
				return moveBuckets(cut, t, x.Shift)
			}
			return cutTime(cut, addUnits(t, x.Shift, unit))
		}
		s.first, s.last = there(s.first), there(s.last)
		return s
	}
	out, has := stretch{none: true}, map[time.Time]bool{}
	for _, p := range x.Peers {
		if p.From.Before(s.first) || !s.last.IsZero() && p.From.After(s.last) || s.none {
			continue
		}
		if out.none || p.To.Before(out.first) {
			out.first = p.To
		}
		if out.none || p.To.After(out.last) {
			out.last = p.To
		}
		out.none, has[p.To] = false, true
	}
	for t := out.first; t.Before(out.last); t = nextTime(cut, t) {
		if !has[t] {
			out.but = append(out.but, t)
		}
	}
	return out
}

// atEnd says whether the days that count at the end of the period, or of the data, hold some from one day to another.
func (l look) atEnd(from, to time.Time) bool {
	day := &Scalar{Op: "trunc", Text: "day"}
	switch l.m.Kind {
	case "", "shift":
		return true
	case "at_start":
		at := l.x.From
		if at.IsZero() {
			at = l.leaf.CoverFrom
		}
		first, until := l.days(day, cutTime(day, at))
		return first.Before(to) && until.After(from)
	}
	end := l.x.To
	if end.IsZero() {
		n, unit := l.m.moves()
		end = addUnits(l.leaf.CoverTo.AddDate(0, 0, -1), n, unit).AddDate(0, 0, 1)
	}
	first, until := l.days(day, cutTime(day, lastMoment(end)))
	return first.Before(to) && until.After(from)
}

// days gives the days that count in a bucket, as spreadOn says it of rows.
func (l look) days(cut *Scalar, t time.Time) (from, to time.Time) {
	if l.back != nil {
		t = addUnits(t, -l.back.Shift, strings.TrimPrefix(l.back.Unit, "fiscal_"))
	}
	m, tick, until := l.m, l.m.tick(cut), nextTime(cut, t)
	switch m.Kind {
	case "":
		return t, until
	case "shift":
		return unmoved(t, m.N, m.Unit), unmoved(until, m.N, m.Unit)
	}
	if !l.x.To.IsZero() && t.Before(l.x.To) { // a bucket after the period ends where it ends
		unit := &Scalar{Text: tick}
		until = earliest(until, nextTime(unit, cutTime(unit, lastMoment(l.x.To))))
	}
	last := addUnits(until, -1, tick)
	if m.Offset != 0 {
		unit := strings.TrimPrefix(m.OffsetUnit, "fiscal_")
		t, last = addUnits(t, -m.Offset, unit), addUnits(last, -m.Offset, unit)
		until = addUnits(last, 1, tick)
	}
	switch m.Kind {
	case "window":
		return m.windowStart(cut, t, last, until), until
	case "to_date":
		return cutTime(m.start(), last), until
	case "at_start":
		start := cutTime(m.start(), t)
		return start, addUnits(start, 1, tick)
	case "same_day":
		return t, addUnits(t, 1, tick)
	}
	return time.Time{}, until
}

// windowStart gives the day with which a window begins that ends with a bucket.
func (m TimeMap) windowStart(cut *Scalar, day, last, until time.Time) time.Time {
	unit := strings.TrimPrefix(m.Unit, "fiscal_")
	own := strings.TrimPrefix(cut.Text, "fiscal_")
	switch {
	case len(cut.Buckets) > 0 && sameUnit(m.Unit, cut):
		return moveBuckets(cut, cutTime(cut, day), 1-m.N)
	case m.Cut != nil && len(m.Cut.Buckets) > 0:
		switch finer := cutDays(m.Cut) < cutDays(cut); {
		case cut.Text == "day" || cut.Text == "hour":
			return samePlace(m.Cut.Buckets, last, -m.N, false).AddDate(0, 0, 1)
		case m.within && finer:
			return moveBuckets(m.Cut, cutTime(m.Cut, last), 1-m.N)
		case finer:
			return samePlace(m.Cut.Buckets, until, -m.N, true)
		case m.within:
			return nextTime(cut, cutTime(cut, samePlace(m.Cut.Buckets, day, -m.N, false)))
		}
		return samePlace(m.Cut.Buckets, nextTime(cut, day), -m.N, true)
	case m.Cut != nil:
		return addUnits(cutTime(m.Cut, last), 1-m.N, unit)
	case cut.Text == "day" && unitDays(unit) > 7:
		return addUnits(day, -m.N, unit).AddDate(0, 0, 1)
	case cut.Text != "day" && unitDays(unit) >= cutDays(cut) && len(cut.Buckets) == 0:
		return addUnits(addUnits(day, 1, own), -m.N, unit)
	}
	return addUnits(until, -m.N, unit)
}

// stepBucket gives the bucket n places after another; of a calendar that lists them no further than its ends.
func stepBucket(cut *Scalar, t time.Time, n int) time.Time {
	if len(cut.Buckets) > 0 {
		return moveBuckets(cut, t, n)
	}
	return addUnits(t, n, strings.TrimPrefix(cut.Text, "fiscal_"))
}

// firstBucket gives the first bucket for which a condition holds that holds for all later ones too. It looks around a day, in steps
// that double.
func firstBucket(cut *Scalar, about time.Time, holds func(time.Time) bool) (time.Time, bool) {
	start := cutTime(cut, about)
	at := func(n int) time.Time { return stepBucket(cut, start, n) }
	known := func(t time.Time) bool { return t.Year() > 0 && t.Year() < 10_000 }
	low, high := 0, 1 // it does not hold at low and holds at high
	if holds(start) {
		for low, high = -1, 0; holds(at(low)); low, high = 2*low, low {
			if !known(at(low)) || at(2*low).Equal(at(low)) {
				return at(low), true
			}
		}
	} else {
		for !holds(at(high)) {
			if !known(at(high)) || at(2*high).Equal(at(high)) {
				return time.Time{}, false
			}
			low, high = high, 2*high
		}
	}
	for high-low > 1 {
		if mid := (low + high) / 2; holds(at(mid)) {
			high = mid
		} else {
			low = mid
		}
	}
	return at(high), true
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// inPeriod gives the part of a stretch of which there are rows: a window may look beyond the period.
func (s stretch) inPeriod(x Context, cut *Scalar) stretch {
	if !x.From.IsZero() {
		s.first = latest(s.first, cutTime(cut, x.From))
	}
	if !x.To.IsZero() && (s.last.IsZero() || s.last.After(x.To)) {
		s.last = cutTime(cut, lastMoment(x.To))
	}
	return s
}

// holds says whether a bucket of an axis lies in the stretch.
func (s stretch) holds(axis *Scalar) *Scalar {
	var all []*Scalar
	if !s.first.IsZero() {
		all = append(all, compare(">=", axis, timeLiteral(s.first, axis)))
	}
	if !s.last.IsZero() {
		all = append(all, compare("<=", axis, timeLiteral(s.last, axis)))
	}
	for _, t := range s.but {
		all = append(all, compare("<>", axis, timeLiteral(t, axis)))
	}
	if !s.timeless {
		return and(all...)
	}
	return &Scalar{Op: "or", Args: []*Scalar{{Op: "is_null", Args: []*Scalar{axis}, Type: semantic.Boolean}, and(all...)}, Type: semantic.Boolean}
}

// covers says whether all of another stretch lies in this one.
func (s stretch) covers(o stretch) bool {
	switch {
	case o.none:
		return true
	case s.none, o.timeless && !s.timeless, len(s.but) > 0:
		return false
	}
	return !o.first.Before(s.first) && (s.last.IsZero() || !o.last.IsZero() && !o.last.After(s.last))
}
