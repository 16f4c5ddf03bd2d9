package frameqltest

import (
	"time"

	"assay/backend/semantic"
)

// timeMap is where on the axis the rows of a metric count that looks at other days than its own: a cumulative metric of the
// model, or an input of a derived one that stands for another time.
type timeMap struct {
	kind string // window to_date all shift at_start
	n    int
	unit string
}

// daily says whether every day of the axis looks back on the day so many months before it; on other axes rows are moved, each
// once.
func (m *timeMap) daily(unit string) bool {
	return m.kind == "shift" && (unit == "day" || unit == "hour") && m.unit != "day" && m.unit != "week" && m.unit != "hour"
}

// tick is the unit of which the first one is the start of another: on an axis of hours an hour, else a day.
func tick(axis string) string {
	if axis == "hour" {
		return axis
	}
	return "day"
}

// mapOf reads a cumulative metric.
func mapOf(m *semantic.Metric) *timeMap {
	switch {
	case m.Window != nil:
		return &timeMap{kind: "window", n: m.Window.N, unit: m.Window.Unit}
	case m.ToDate != "":
		return &timeMap{kind: "to_date", unit: m.ToDate}
	}
	return &timeMap{kind: "all"}
}

// mapOfInput reads an input of a derived metric; nil: it is of its own time.
func mapOfInput(m *semantic.Metric, name string) *timeMap {
	for _, in := range m.Inputs {
		switch {
		case in.Name != name:
		case in.Offset != nil:
			return &timeMap{kind: "shift", n: in.Offset.N, unit: in.Offset.Unit}
		case in.OffsetToStart != "":
			return &timeMap{kind: "at_start", unit: in.OffsetToStart}
		}
	}
	return nil
}

// accumulated computes a cumulative metric: of a coarser bucket than a day its last day, or the first one, or the average.
func (v *evaluation) accumulated(m *semantic.Metric, sc scope) any {
	if sc.mapped != nil || sc.window != nil {
		panic(outside{"a cumulative metric within another window"})
	}
	of := v.metricNamed(m.Of)
	sc.mapped = mapOf(m)
	unit := finestAxis(sc.keys)
	if m.PeriodAgg == "" || m.PeriodAgg == "last" || unit == "" || unit == "day" || unit == "hour" {
		return v.metric(of, sc)
	}
	bucket, _, ok := v.bucket(sc)
	if !ok {
		return nil
	}
	first, end := v.spine(of, sc)
	to := v.cal.move(bucket, unit, 1)
	day := key{grain: "day", axis: true}
	var cells []any
	for t := bucket; t.Before(to); t = t.AddDate(0, 0, 1) {
		if t.Before(first) || !t.Before(end) {
			continue
		}
		in := sc
		in.keys, in.vals = append([]key{day}, sc.keys...), append([]any{t}, sc.vals...)
		if c := v.metric(of, in); c != nil && v.counting(of, in) {
			cells = append(cells, c)
		}
	}
	how := m.PeriodAgg
	if how == "average" {
		how = "avg"
	}
	return reduceCells(how, cells, Number{}, false)
}

// counting says whether rows count at the day of a scope, whatever the filter of the leaf says.
func (v *evaluation) counting(m *semantic.Metric, sc scope) bool {
	for _, u := range v.usesOfMetric(m, use{ctx: sc.ctx}) {
		bare := *u.leaf
		bare.filter = nil
		in := sc
		in.filters, in.inputs = nil, nil
		if len(v.rowsOf(&bare, v.atOtherDays(&bare, in))) > 0 {
			return true
		}
	}
	return false
}

// spine gives the days at which a metric has values: those of the period, or those of its data.
func (v *evaluation) spine(m *semantic.Metric, sc scope) (first, end time.Time) {
	first, end = sc.ctx.period.from, sc.ctx.period.to
	for _, u := range v.usesOfMetric(m, use{ctx: sc.ctx}) {
		if sc.ctx.shift != 0 || sc.ctx.back != 0 {
			panic(outside{"a cumulative metric by its days in a comparand"})
		}
		f, l, ok := v.extent(u.leaf)
		if !ok {
			continue
		}
		if sc.ctx.period.from.IsZero() {
			first = midnight(f)
		}
		if sc.ctx.period.to.IsZero() {
			end = midnight(l).AddDate(0, 0, 1)
		}
	}
	return midnight(first), end // a period that begins within a day has that day
}

// extent is from the first to the last instant in the data of a leaf.
func (v *evaluation) extent(l *leaf) (first, last time.Time, ok bool) {
	for i := range v.w.rows(l.source) {
		t, is := v.w.read(place{l.source, i}, *l.time, l.time.dim).(time.Time)
		if !is {
			continue
		}
		if !ok || t.Before(first) {
			first = t
		}
		if !ok || t.After(last) {
			last = t
		}
		ok = true
	}
	return first, last, ok
}

// reached gives the rows' times that count for a leaf in a scope, as a window. ok is false where none do.
func (v *evaluation) reached(l *leaf, m *timeMap, sc scope) (*window, bool) {
	t, unit, ok := v.bucket(sc)
	if unit != "" && !ok {
		return nil, false
	}
	if unit != "" {
		if t, ok = v.there(sc.ctx, t); !ok {
			return nil, false
		}
	}
	period := sc.ctx.period
	first, last, some := v.extent(l)
	if !some {
		return nil, false
	}
	end := period.to // of the last day that is meant
	switch {
	case unit != "":
		end = v.cal.move(t, unit, 1)
		if !period.to.IsZero() && period.to.Before(end) {
			end = period.to
		}
	case end.IsZero():
		end = midnight(last).AddDate(0, 0, 1)
	}
	day := end.AddDate(0, 0, -1)
	w := &window{span: span{to: end}}
	switch m.kind {
	case "window":
		months := m.unit != "day" && m.unit != "week"
		switch {
		case unit != "" && unit != "day" && fineness(m.unit) >= fineness(unit):
			w.from = v.cal.moveEnd(v.cal.move(t, unit, 1), m.unit, -m.n)
		case months && (unit == "" || unit == "day"):
			w.from = v.cal.move(day, m.unit, -m.n).AddDate(0, 0, 1)
		default:
			w.from = v.cal.moveEnd(end, m.unit, -m.n)
		}
	case "to_date":
		w.from = v.cal.cut(end.Add(-time.Microsecond), m.unit)
	case "shift":
		if m.daily(unit) {
			then := v.cal.move(t, m.unit, -m.n)
			w.span = span{then, v.cal.move(then, unit, 1)}
			w.test = func(at time.Time) bool { return v.cal.cut(at, unit).Equal(then) }
			return w, period.holds(t)
		}
		bucket := span{}
		if unit != "" {
			bucket = span{t, v.cal.move(t, unit, 1)}
		}
		days := bucket.within(period)
		w.span = span{v.unmoved(days.from, m), v.unmoved(days.to, m)}
		w.test = func(at time.Time) bool {
			at = v.cal.move(at, m.unit, m.n)
			return period.holds(at) && bucket.holds(at)
		}
	case "at_start":
		start := t
		if unit == "" {
			if start = period.from; start.IsZero() {
				start = midnight(first)
			}
		}
		w.from = v.cal.cut(start, m.unit)
		w.to = v.cal.move(w.from, tick(unit), 1)
	}
	return w, true
}

// unmoved gives the first time that lies at t or later once it is moved; zero is open.
func (v *evaluation) unmoved(t time.Time, m *timeMap) time.Time {
	if t.IsZero() {
		return t
	}
	first := v.cal.move(t, m.unit, -m.n).AddDate(0, 0, -4)
	for v.cal.move(first, m.unit, m.n).Before(t) {
		first = first.AddDate(0, 0, 1)
	}
	return first
}

// movedGroups gives the groups in which the rows of a metric of another time come to lie.
func (v *evaluation) movedGroups(u use, keys []key) [][]any {
	l, m, period, unit := u.leaf, u.mapped, u.ctx.period, finestAxis(keys)
	if l.semi != "" || u.ctx.lag && u.ctx.back != 0 {
		panic(outside{"groups of moved snapshots"})
	}
	anyTime := scope{ctx: u.ctx, window: &window{test: func(time.Time) bool { return true }}}
	var all [][]any
	for _, row := range v.passing(l, anyTime) {
		t, ok := v.w.read(row, *l.time, l.time.dim).(time.Time)
		if m.daily(unit) {
			if !ok {
				continue
			}
			for day := range 4 { // the last days of a month may all look back on one
				at := v.cal.cut(v.cal.move(t, m.unit, m.n).AddDate(0, 0, day), unit)
				if v.cal.move(at, m.unit, -m.n).Equal(v.cal.cut(t, unit)) && period.holds(at) {
					all = append(all, v.valuesAt(keys, row, l, u.ctx, &at))
				}
			}
			continue
		}
		if !ok {
			if m.kind == "shift" && period == (span{}) && u.ctx.shift == 0 {
				all = append(all, v.valuesAt(keys, row, l, u.ctx, nil))
			}
			continue
		}
		if m.kind == "shift" {
			if at := v.cal.move(t, m.unit, m.n); period.holds(at) {
				all = append(all, v.valuesAt(keys, row, l, u.ctx, &at))
			}
			continue
		}
		if unit == "" {
			w, some := v.reached(l, m, scope{ctx: u.ctx})
			if some && w.holds(t) {
				all = append(all, v.valuesAt(keys, row, l, u.ctx, nil))
			}
			continue
		}
		from, to := period.from, period.to
		if from.IsZero() || to.IsZero() {
			panic(outside{"the start of a unit without a period"})
		}
		for at := v.cal.cut(from, unit); at.Before(to); at = v.cal.move(at, unit, 1) {
			if v.cal.cut(at, m.unit).Equal(v.cal.cut(t, tick(unit))) {
				all = append(all, v.valuesAt(keys, row, l, u.ctx, &at))
			}
		}
	}
	return all
}

// movedPart is the part of a date that rows have which count later.
func (v *evaluation) movedPart(k key, at any, m *timeMap) any {
	if t, ok := at.(time.Time); ok {
		return v.cutCell(v.cal.move(t, m.unit, m.n), k.grain)
	}
	return nil
}

// valuesAt gives the keys of a row that counts at another day; nil: at none.
func (v *evaluation) valuesAt(keys []key, row place, l *leaf, ctx *context, at *time.Time) []any {
	var vals []any
	for _, k := range keys {
		switch {
		case k.timed() && at != nil:
			vals = append(vals, v.cutCell(*at, k.grain))
		case !k.axis:
			vals = append(vals, v.keyOfRow(k, row, l.time, ctx))
		case at == nil:
			vals = append(vals, nil)
		default:
			t := *at
			if ctx.peers != nil {
				panic(outside{"moved rows beside their peers"})
			}
			if ctx.shift != 0 {
				t = v.cal.move(v.cal.cut(t, ctx.unit), ctx.unit, ctx.shift)
			}
			vals = append(vals, v.cal.cut(t, k.grain))
		}
	}
	return vals
}
