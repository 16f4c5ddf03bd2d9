package compile

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// preaggregates says whether the rows of a mapped leaf may be grouped by day before they meet the days at which they count.
func (r *relating) preaggregates(l Leaf) bool {
	if o := r.req.only; o != nil {
		for k := range o.pairs {
			if r.c.key(k).Axis {
				return false
			}
		}
	}
	return reducible(l) && l.Pick == nil
}

// spread counts rows at the days that a time map says: the days of the axis are joined to the rows, or to the rows grouped
// by day where they can be reduced again.
func (r *relating) spread(like Leaf, ctx int, all []*atom) *step {
	x := r.c.contexts[ctx]
	cut := &Scalar{Op: "trunc", Text: "day"}
	if r.axis >= 0 {
		cut = r.c.key(r.axis).Cut
	}
	apart := r.c.apart(r.grain)
	if apart {
		cut = byDay(cut)
	}
	days := r.c.daySteps(like, x, cut, r.axis < 0, r.beside(like))
	if apart {
		days = r.countingDays(days, like.Map)
	}
	first := r.preaggregates(like)
	base := r.c.base(like, ctx, r.req.only)
	base.where = append(base.where, spreadBounds(like, x, cut)...)
	when := like.Time
	s := base
	if first {
		for _, k := range r.keys {
			if !r.placed(k) && !r.partOfDay(k, like, cut) {
				r.c.addKey(base, k, r.keyExpr(k, like.Source, like.Time, x))
			}
		}
		unit := &Scalar{Op: "trunc", Text: like.Map.tick(cut)}
		base.cols = append(base.cols, column{name: "counts_at", key: true, typ: cutType(unit), x: cutAt(unit, like.Time)})
		for _, a := range all {
			r.addLeaf(base, a)
		}
		s = selects(kindSpread, "spread", base)
		s.grouped = true
		when = ref(0, "counts_at", cutType(unit))
	} else {
		s.kind = kindSpread
	}
	at := len(s.in)
	s.in = append(s.in, days)
	day, until := ref(at, "day", cutType(cut)), ref(at, "until", like.Map.untilType(cut))
	if apart {
		until = move(day, 1, "day")
	}
	s.joins = append(s.joins, join{input: at, kind: joinInner, on: spreadOn(like.Map, cut, when, day, until)})
	if r.axis >= 0 && x.moved() && (len(x.Peers) > 0 || len(cut.Buckets) > 0) { // a bucket without a peer lies nowhere
		s.where = append(s.where, &Scalar{Op: "not_null", Args: []*Scalar{r.spreadKey(r.axis, day, x)}, Type: semantic.Boolean})
	}
	for _, k := range r.keys {
		switch {
		case r.placed(k):
			r.c.addKey(s, k, r.spreadKey(k, day, x))
		case r.partOfDay(k, like, cut):
			part := *r.c.key(k).Part
			part.Args = []*Scalar{day}
			r.c.addKey(s, k, &part)
		case first:
			s.pass(0, r.c.keyNames[k])
			s.cols[len(s.cols)-1].key = true
		default:
			r.c.addKey(s, k, r.keyExpr(k, like.Source, like.Time, x))
		}
		r.settle(s, k)
	}
	for _, a := range all {
		if !first {
			r.addLeaf(s, a)
			continue
		}
		again := a.leaf.Reducer
		if again == "count" {
			again = "sum"
		}
		s.cols = append(s.cols, column{name: a.col, typ: a.typ, agg: &aggregate{reducer: again, arg: ref(0, a.col, a.typ)}})
	}
	if r.req.exists && len(r.grain) == 0 {
		s.cols = append(s.cols, column{name: "counted", typ: semantic.Integer, agg: &aggregate{reducer: "count"}})
	}
	return s
}

// spreadKey is a bucket of the axis over the days, where the context moves it.
func (r *relating) spreadKey(k int, day *Scalar, x Context) *Scalar {
	cut := r.c.key(k).Cut
	if r.c.apart(r.grain) {
		if x.moved() {
			day = x.day(r.c.key(r.axis).Cut, day)
		}
		return recut(cut, day)
	}
	if !x.moved() && k == r.axis {
		return day
	}
	if !x.moved() {
		return recut(cut, day)
	}
	if k == r.axis {
		return x.bucket(cut, day)
	}
	return recut(cut, x.bucket(r.c.key(r.axis).Cut, day))
}

// partOfDay says whether a key is a part of the very day, or hour, at which a row counts, and not of its own time. The hour of the day is
// the same in both.
func (r *relating) partOfDay(k int, like Leaf, cut *Scalar) bool {
	part := r.c.key(k).Part
	return part != nil && like.Map.Kind == "same_day" && (part.Text != "hour" || cut.Text == "hour")
}

// spreadOn says when a row of time t counts at a day. On a coarser axis day is the start of a bucket and until its end.
func spreadOn(m TimeMap, cut, t, day, until *Scalar) []*Scalar {
	unit, tick := strings.TrimPrefix(m.Unit, "fiscal_"), m.tick(cut)
	last := move(until, -1, tick)
	if m.Offset != 0 {
		day, last = move(day, -m.Offset, m.OffsetUnit), move(last, -m.Offset, m.OffsetUnit)
		until = move(last, 1, tick)
	}
	before := compare("<", t, until)
	switch m.Kind {
	case "window":
		if len(cut.Buckets) > 0 && sameUnit(m.Unit, cut) {
			from := recut(cut, day)
			from.N, from.Unit = 1-m.N, "clamp"
			return []*Scalar{compare(">=", t, from), before}
		}
		if m.Cut != nil && len(m.Cut.Buckets) > 0 {
			return []*Scalar{compare(">=", t, m.bucketsBack(cut, day, last, until)), before}
		}
		from := move(until, -m.N, unit)
		switch {
		case m.Cut != nil:
			from = move(recut(m.Cut, last), 1-m.N, unit)
		case cut.Text == "day" && unitDays(unit) > 7: // the days after d - n months: month ends are clamped from the day itself
			from = move(move(day, -m.N, unit), 1, "day")
		case cut.Text != "day" && unitDays(unit) >= cutDays(cut) && len(cut.Buckets) == 0: // whole buckets, also when the last one is cut off
			from = move(move(day, 1, strings.TrimPrefix(cut.Text, "fiscal_")), -m.N, unit)
		}
		return []*Scalar{compare(">=", t, from), before}
	case "to_date":
		return []*Scalar{compare(">=", t, recut(m.start(), last)), before}
	case "at_start":
		start := recut(m.start(), day)
		return []*Scalar{compare(">=", t, start), compare("<", t, move(start, 1, tick))}
	case "same_day":
		return []*Scalar{compare(">=", t, day), compare("<", t, move(day, 1, tick))}
	}
	return []*Scalar{before}
}

// tick is the finest unit that decides at which days rows count: hours, where the axis or the window is made of them.
func (m TimeMap) tick(cut *Scalar) string {
	if cut.Text == "hour" || m.Kind == "window" && m.Unit == "hour" {
		return "hour"
	}
	return "day"
}

// untilType is the type of the ends of buckets: where hours decide, the last one may end within a day.
func (m TimeMap) untilType(cut *Scalar) semantic.Type { return cutType(&Scalar{Text: m.tick(cut)}) }

// bucketsBack gives where a window of buckets of a custom calendar begins that ends with a bucket of the axis. Days are moved back by
// buckets and keep their place, as months do with the days of a month; a window function over a coarser axis takes whole buckets
// of its unit, over a finer one whole buckets of the axis.
func (m TimeMap) bucketsBack(cut, day, last, until *Scalar) *Scalar {
	back := func(x *Scalar, n int, param string) *Scalar {
		s := recut(m.Cut, x)
		s.N, s.Unit, s.Param = -n, "clamp", param
		return s
	}
	switch finer := cutDays(m.Cut) < cutDays(cut); {
	case cut.Text == "day" || cut.Text == "hour":
		return move(back(last, m.N, "place"), 1, "day")
	case m.within && finer:
		return back(last, m.N-1, "")
	case finer:
		return back(until, m.N, "place_end")
	}
	if len(cut.Buckets) == 0 { // an axis of the common calendar, whose buckets do not make up those of the window
		return back(move(day, 1, strings.TrimPrefix(cut.Text, "fiscal_")), m.N, "place_end")
	}
	return ofBucket(cut.Buckets, day, func(b Bucket) time.Time {
		first := m.Cut.Buckets[0].From
		switch at := samePlace(m.Cut.Buckets, b.From, -m.N, false); {
		case m.within && at.Before(first):
			return first
		case m.within:
			return nextTime(cut, cutTime(cut, at))
		}
		return samePlace(m.Cut.Buckets, b.To, -m.N, true)
	})
}

// ofBucket gives a day that is known of each bucket, for the bucket that holds a day. Many are split in halves, as in a ladder.
func ofBucket(all []Bucket, day *Scalar, known func(Bucket) time.Time) *Scalar {
	s := &Scalar{Op: "case", Type: semantic.Date}
	literal := func(t time.Time) *Scalar { return timeLiteral(t, s) }
	if n := len(all) / 2; len(all) > ladderWidth {
		s.Args = []*Scalar{compare("<", day, literal(all[n].From)), ofBucket(all[:n], day, known), ofBucket(all[n:], day, known)}
		s.HasElse = true
		return s
	}
	for _, b := range all {
		s.Args = append(s.Args, compare("<", day, literal(b.To)), literal(known(b)))
	}
	return s
}

// samePlace moves a day by buckets; where the bucket there is shorter to its last day, or to its end when it is the end of a range.
// There is nothing before the first one.
func samePlace(all []Bucket, t time.Time, n int, end bool) time.Time {
	i := slices.IndexFunc(all, func(b Bucket) bool { return t.Before(b.To) })
	if i < 0 {
		i = len(all) - 1
	}
	if i+n < 0 {
		return beforeAll(all, end)
	}
	to := all[min(i+n, len(all)-1)]
	last := to.To
	if !end {
		last = last.AddDate(0, 0, -1)
	}
	if moved := to.From.Add(t.Sub(all[i].From)); moved.Before(last) {
		return moved
	}
	return last
}

// beforeAll is where a window begins that reaches back beyond the first bucket: the day before it, or where a range ends.
func beforeAll(all []Bucket, end bool) time.Time {
	if end {
		return all[0].From
	}
	return all[0].From.AddDate(0, 0, -1)
}

// ofRows says whether a leaf has a bucket only where a row of its own counts: a moved row is a row of the bucket it moved to.
// What runs on, a window or a running total, has buckets where nothing happened, and they make no rows of a result.
func (m TimeMap) ofRows() bool {
	return m.Kind == "" || m.Kind == "shift" || m.Kind == "same_day" || m.Kind == "at_start"
}

// own is where the rows themselves lie, of a window too: moved, where it looks at the past.
func (m TimeMap) own() TimeMap {
	if m.ofRows() {
		return m
	}
	if n, unit := m.moves(); n != 0 {
		return TimeMap{Kind: "shift", N: n, Unit: unit}
	}
	return TimeMap{}
}

// start cuts to the unit of to_date and at_start.
func (m TimeMap) start() *Scalar {
	if m.Cut != nil {
		return m.Cut
	}
	return &Scalar{Op: "trunc", Text: m.Unit}
}

// spreadBounds narrows the rows that can count at all. Of a window function only those of the period do.
func spreadBounds(l Leaf, x Context, cut *Scalar) []*Scalar {
	from := time.Time{}
	switch {
	case l.Map.Kind == "same_day": // a day may stand for up to four, at the ends of months
		to := x.To
		if !to.IsZero() {
			to = addUnits(to, -l.Map.Offset, l.Map.OffsetUnit).AddDate(0, 0, 4)
		}
		if !x.From.IsZero() {
			from = addUnits(cutTime(cut, x.From), -l.Map.Offset, l.Map.OffsetUnit).AddDate(0, 0, -4)
		}
		return within(l.Time, from, to)
	case x.From.IsZero() || l.Map.Offset != 0:
	case l.Map.Kind == "all" && l.Map.within:
		from = x.From
	case l.Map.Kind == "window" && len(cut.Buckets) > 0 && sameUnit(l.Map.Unit, cut):
		from = moveBuckets(cut, cutTime(cut, x.From), 1-l.Map.N)
	case l.Map.Kind == "window" && l.Map.Cut != nil && len(l.Map.Cut.Buckets) > 0:
		from = moveBuckets(l.Map.Cut, cutTime(l.Map.Cut, cutTime(cut, x.From)), -l.Map.N)
	case l.Map.Kind == "window":
		from = addUnits(cutTime(cut, x.From), -l.Map.N, strings.TrimPrefix(l.Map.Unit, "fiscal_"))
	case l.Map.Kind == "to_date" || l.Map.Kind == "at_start":
		from = cutTime(l.Map.start(), cutTime(cut, x.From))
	}
	if l.Map.Offset < 0 {
		return nil
	}
	return within(l.Time, from, x.To)
}

// beside gives the leaves without an end whose data may end at another day than that of one whose rows count at other days:
// they have another time, or are moved.
func (r *relating) beside(like Leaf) []Leaf {
	if r.axis < 0 {
		return nil
	}
	end := func(l Leaf) string {
		n, unit := l.Map.moves()
		return itoa(l.Source) + " " + l.Time.Signature() + " " + itoa(n) + unit
	}
	seen := map[string]bool{end(like): true}
	var all []Leaf
	add := func(l Leaf, ctx int) {
		if l.Time != nil && r.c.contexts[ctx].To.IsZero() && !seen[end(l)] {
			seen[end(l)] = true
			all = append(all, l)
		}
	}
	for _, a := range slices.Concat(r.atoms, r.req.around) {
		switch a.kind {
		case "leaf":
			add(a.leaf, a.ctx)
		case "reduce":
			a.cell.each(func(s *Scalar) {
				if s.Op == "leaf" {
					add(r.c.q.Leaves[s.Index], s.Ctx)
				}
			})
		}
	}
	return all
}

// moves gives by how many units rows count later than they lie.
func (m TimeMap) moves() (n int, unit string) {
	if m.Kind == "shift" {
		return m.N, strings.TrimPrefix(m.Unit, "fiscal_")
	}
	return m.Offset, m.OffsetUnit
}

// daySteps is the step of the days at which rows count: the buckets of the axis within the period, or within the data.
// There are values on the buckets of the numbers beside it, whose data may end later, as well.
func (c *compiler) daySteps(l Leaf, x Context, cut *Scalar, last bool, beside []Leaf) *step {
	typ := cutType(cut)
	var first, end, to *Scalar // the first and the last day, and the end of the period
	source := &step{kind: kindScan, name: "coverage", source: &c.q.Sources[l.Source], origin: l.Source, limit: -1, grouped: true}
	bound := func(t time.Time, name, reducer string) *Scalar {
		if !t.IsZero() && cut.Zone == "" {
			return timeLiteral(cutTime(cut, t), &Scalar{Type: typ})
		}
		if !t.IsZero() {
			return cutAt(cut, timeLiteral(t, l.Time))
		}
		source.cols = append(source.cols, column{name: name, typ: l.Time.Type, agg: &aggregate{reducer: reducer, arg: l.Time}})
		at := &Scalar{Op: "single", Text: name, step: source, Type: l.Time.Type}
		if n, unit := l.Map.moves(); reducer == "max" || l.Map.Kind == "same_day" {
			at = move(at, n, unit)
		}
		if reducer == "max" && l.Map.Kind == "same_day" {
			at = move(at, 3, "day")
		}
		if reducer == "max" && len(beside) > 0 {
			at = &Scalar{Op: "call", Text: "greatest", Args: []*Scalar{at}, Type: l.Time.Type}
			for _, other := range beside {
				s := &step{kind: kindScan, name: "coverage", source: &c.q.Sources[other.Source], origin: other.Source, limit: -1, grouped: true}
				s.cols = []column{{name: name, typ: other.Time.Type, agg: &aggregate{reducer: reducer, arg: other.Time}}}
				n, unit := other.Map.moves()
				at.Args = append(at.Args, move(&Scalar{Op: "single", Text: name, step: s, Type: other.Time.Type}, n, unit))
			}
		}
		return cutAt(cut, at)
	}
	until := l.Map.untilType(cut)
	if !x.To.IsZero() {
		tick := &Scalar{Text: l.Map.tick(cut)} // the day or the hour within which the period ends is the last one
		to = timeLiteral(nextTime(tick, cutTime(tick, lastMoment(x.To))), &Scalar{Type: until})
		end = bound(c.lastDay(x, cut, last), "", "")
	} else {
		end = bound(time.Time{}, "last_day", "max")
	}
	s := selects(kindSpine, "days")
	if last && l.Map.Kind == "at_start" {
		end = bound(x.From, "first_day", "min")
	}
	if last {
		s.cols = []column{{name: "day", key: true, typ: typ, x: end}}
		s.cols = append(s.cols, column{name: "until", typ: typ, x: move(end, 1, "day")})
		return s
	}
	first = bound(x.From, "first_day", "min")
	buckets := &step{kind: kindSpine, name: "buckets", series: &series{cut: cut, first: first, last: end}, limit: -1, origin: -1}
	buckets.cols = []column{{name: "day", key: true, typ: typ, x: ref(0, "day", typ)}}
	s.in = []*step{buckets}
	day := ref(0, "day", typ)
	end = bucketEnd(cut, day)
	if to != nil {
		cutOff := &Scalar{Op: "least", Args: []*Scalar{end, to}, Type: until}
		if !l.Map.within || c.lastDay(x, cut, last).Before(x.To) {
			end = cutOff
		} else { // a window over a bucket after the period, where only a comparand has rows, does not look back into it
			end = &Scalar{Op: "case", Args: []*Scalar{compare("<", day, to), cutOff, end}, HasElse: true, Type: until}
		}
	}
	s.cols = []column{{name: "day", key: true, typ: typ, x: day}, {name: "until", typ: until, x: end}}
	return s
}

// lastDay is the last instant at which rows count: that of the period, and along an axis that of the last bucket for which
// a comparand, which may be longer, has a row.
func (c *compiler) lastDay(x Context, cut *Scalar, single bool) time.Time {
	last := lastMoment(x.To)
	if single || cut.Zone != "" || len(x.Peers) > 0 {
		return last
	}
	moved := func(t time.Time, n int, unit string) time.Time {
		switch t = cutTime(cut, t); {
		case n == 0:
			return t
		case len(cut.Buckets) > 0:
			return moveBuckets(cut, t, n)
		}
		return cutTime(cut, addUnits(t, n, unit))
	}
	for _, other := range c.q.Contexts {
		if other.Lag || other.To.IsZero() || len(other.Peers) > 0 {
			continue
		}
		there := moved(lastMoment(other.To), other.Shift, strings.TrimPrefix(other.Unit, "fiscal_"))
		if here := moved(there, -x.Shift, x.Unit); here.After(last) {
			last = here
		}
	}
	return last
}

// bucketEnd gives the start of the next bucket.
func bucketEnd(cut, start *Scalar) *Scalar {
	if len(cut.Buckets) == 0 {
		return move(start, 1, strings.TrimPrefix(cut.Text, "fiscal_"))
	}
	end := recut(cut, start)
	end.Param = "end"
	return end
}
