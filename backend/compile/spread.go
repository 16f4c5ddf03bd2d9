package compile

import (
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
	days := r.c.daySteps(like, x, cut, r.axis < 0)
	first := r.preaggregates(like)
	base := r.c.base(like, ctx, r.req.only)
	base.where = append(base.where, spreadBounds(like, x, cut)...)
	when := like.Time
	s := base
	if first {
		for _, k := range r.keys {
			if !r.c.key(k).Axis {
				r.c.addKey(base, k, r.keyExpr(k, like.Source, like.Time, x))
			}
		}
		unit := &Scalar{Op: "trunc", Text: "day"}
		if cut.Text == "hour" {
			unit = cut
		}
		base.cols = append(base.cols, column{name: "counts_at", key: true, typ: cutType(unit), x: cutAt(unit, like.Time)})
		for _, a := range all {
			r.c.addLeaf(base, a)
		}
		s = selects(kindSpread, "spread", base)
		s.grouped = true
		when = ref(0, "counts_at", cutType(unit))
	} else {
		s.kind = kindSpread
	}
	at := len(s.in)
	s.in = append(s.in, days)
	day, until := ref(at, "day", cutType(cut)), ref(at, "until", cutType(cut))
	s.joins = append(s.joins, join{input: at, kind: joinInner, on: spreadOn(like.Map, cut, when, day, until)})
	for _, k := range r.keys {
		key := r.c.key(k)
		switch {
		case key.Axis:
			r.c.addKey(s, k, r.spreadKey(k, day, x))
		case first:
			s.pass(0, r.c.keyNames[k])
			s.cols[len(s.cols)-1].key = true
		default:
			r.c.addKey(s, k, r.keyExpr(k, like.Source, like.Time, x))
		}
	}
	for _, a := range all {
		if !first {
			r.c.addLeaf(s, a)
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

// spreadOn says when a row of time t counts at a day. On a coarser axis day is the start of a bucket and until its end.
func spreadOn(m TimeMap, cut, t, day, until *Scalar) []*Scalar {
	unit := strings.TrimPrefix(m.Unit, "fiscal_")
	tick := "day"
	if cut.Text == "hour" {
		tick = "hour"
	}
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
		from := move(until, -m.N, unit)
		switch {
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
	}
	return []*Scalar{before}
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
	case x.From.IsZero() || l.Map.Offset != 0:
	case l.Map.Kind == "all" && l.Map.within:
		from = x.From
	case l.Map.Kind == "window" && len(cut.Buckets) > 0 && sameUnit(l.Map.Unit, cut):
		from = moveBuckets(cut, cutTime(cut, x.From), 1-l.Map.N)
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

// daySteps is the step of the days at which rows count: the buckets of the axis within the period, or within the data.
func (c *compiler) daySteps(l Leaf, x Context, cut *Scalar, last bool) *step {
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
		return cutAt(cut, &Scalar{Op: "single", Text: name, step: source, Type: l.Time.Type})
	}
	if !x.To.IsZero() {
		to = timeLiteral(x.To, &Scalar{Type: typ})
		end = bound(x.To.Add(-time.Second), "", "")
	} else {
		end = move(bound(time.Time{}, "last_day", "max"), l.Map.Offset, l.Map.OffsetUnit)
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
	until := bucketEnd(cut, day)
	if to != nil {
		until = &Scalar{Op: "least", Args: []*Scalar{until, to}, Type: typ}
	}
	s.cols = []column{{name: "day", key: true, typ: typ, x: day}, {name: "until", typ: typ, x: until}}
	return s
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
