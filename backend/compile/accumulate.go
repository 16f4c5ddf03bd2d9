package compile

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// accumulated is a leaf under cumulative or moving. What can be re-reduced from its buckets is, by a window over them;
// the rest is computed from rows that count at several days.
func (l *lowering) accumulated(leaf Leaf, ctx int, e env) *Scalar {
	if leaf.Reducer == "avg" && !leaf.Distinct {
		sum, count := averageParts(leaf)
		return average(l.accumulated(sum, ctx, e), l.accumulated(count, ctx, e))
	}
	cut := l.c.key(l.c.finest(l.grain)).Cut
	spec := e.acc
	finer := spec.Op == "moving" && spec.Unit != "" && !sameUnit(spec.Unit, cut) && (len(spec.Buckets) > 0 || unitDays(spec.Unit) < cutDays(cut))
	if leaf.Pick != nil || leaf.Map.Kind != "" && leaf.Map.Kind != "shift" {
		l.c.broken("a window over levels")
		return null(leafType(leaf))
	}
	if x := l.c.contexts[ctx]; x.Lag && spec.Op == "cumulative" && spec.Unit == "" { // it begins with the period, whatever bucket is looked at
		x.From = l.c.contexts[0].From
		ctx = l.c.context(x)
	}
	if reducible(leaf) && !finer {
		warm := l.c.warmed(ctx, spec, cut)
		name := leaf.Name
		if warm == ctx {
			name = "" // the plain leaf, if it is asked for too, has the name
		}
		inner := l.leafAtom(leaf, warm, env{label: name})
		return l.windowed(inner, leaf.Reducer, e)
	}
	past := leaf.Map
	leaf.Map = mapOf(spec, cut)
	leaf.Map.Cut = l.c.trimmed(leaf.Map.Cut)
	leaf.Map.Offset, leaf.Map.OffsetUnit = past.N, past.Unit
	name := e.label
	if name == "" {
		name = leaf.Name + "_" + spec.Op
	}
	return l.leafAtom(leaf, ctx, env{label: name})
}

func sameUnit(unit string, cut *Scalar) bool {
	if len(cut.Buckets) > 0 {
		return unit == cut.Text
	}
	return strings.TrimPrefix(unit, "fiscal_") == strings.TrimPrefix(cut.Text, "fiscal_")
}

// mapOf says at which days a row counts so that each bucket holds what the window holds.
func mapOf(spec, cut *Scalar) TimeMap {
	unit := spec.Unit
	if unit == "" && spec.Op == "moving" {
		unit = cut.Text
	}
	switch {
	case spec.Op == "moving":
		m := TimeMap{Kind: "window", N: spec.N, Unit: strings.TrimPrefix(unit, "fiscal_"), within: true}
		switch {
		case spec.Unit == "":
			m.Unit = cut.Text
		case len(spec.Buckets) > 0:
			m.Unit, m.Cut = unit, resetCut(spec)
		case unitDays(unit) > 1 && unitDays(unit) < cutDays(cut): // whole ones, also when the last bucket is cut off
			m.Cut = resetCut(spec)
		}
		return m
	case unit != "":
		return TimeMap{Kind: "to_date", Unit: unit, within: true, Cut: resetCut(spec)}
	}
	return TimeMap{Kind: "all", within: true}
}

// reducible says whether a leaf can be reduced again from its values at a finer grain.
func reducible(l Leaf) bool {
	switch l.Reducer {
	case "sum", "count":
		return !l.Distinct
	case "min", "max", "any", "all":
		return true
	}
	return false
}

// windowed is the atom of a window over the buckets of another.
func (l *lowering) windowed(inner *Scalar, reducer string, e env) *Scalar {
	source := l.atoms[inner.Index]
	function := reducer
	switch reducer {
	case "sum", "count":
		function = "sum"
	case "min", "max", "any", "all":
	default:
		l.c.broken("a window over " + reducer)
	}
	name := e.label
	if name == "" {
		name = strings.TrimSuffix(source.name, "_to_add_up") + "_" + e.acc.Op
	}
	spec := *e.acc
	spec.Args = nil
	return l.atom(&atom{kind: "acc", sig: "acc " + function + " " + spec.Signature() + " " + itoa(inner.Index), spec: &spec, arg: inner, typ: inner.Type, zero: source.zero, name: name, leaf: Leaf{Reducer: function}, ctx: source.ctx})
}

// warmed gives the context that scans, besides the period, what windows over its first buckets look back on.
func (c *compiler) warmed(ctx int, spec, cut *Scalar) int {
	x := c.contexts[ctx]
	if x.From.IsZero() {
		return ctx
	}
	from := cutTime(cut, x.From)
	switch {
	case spec.Op == "cumulative" && spec.Unit == "":
		return ctx
	case spec.Op == "cumulative":
		from = cutTime(resetCut(spec), x.From)
	case len(cut.Buckets) > 0:
		from = moveBuckets(cut, from, 1-spec.N)
	case spec.Unit == "" || sameUnit(spec.Unit, cut):
		from = addUnits(from, 1-spec.N, strings.TrimPrefix(cut.Text, "fiscal_"))
	default:
		from = addUnits(nextTime(cut, from), -spec.N, strings.TrimPrefix(spec.Unit, "fiscal_"))
	}
	if !from.Before(x.From) {
		return ctx
	}
	x.warm = from
	return c.context(x)
}

// resetCut is the unit in which a cumulative starts again.
func resetCut(spec *Scalar) *Scalar {
	return &Scalar{Op: "trunc", Text: spec.Unit, Shift: spec.Shift, Buckets: spec.Buckets}
}

// moveBuckets gives the start of the bucket n places away; the first or the last one when there are not so many.
func moveBuckets(cut *Scalar, start time.Time, n int) time.Time {
	i := slices.IndexFunc(cut.Buckets, func(b Bucket) bool { return b.From.Equal(start) })
	if i < 0 {
		return start
	}
	return cut.Buckets[min(max(i+n, 0), len(cut.Buckets)-1)].From
}

// windowStep adds the atoms that are windows along the axis.
func (r *relating) windowStep(s *step, all []*atom) *step {
	next := selects(kindWindow, "windowed", s)
	next.pass(0, s.allNames()...)
	axis := r.axisRef()
	cut := r.c.key(r.axis).Cut
	for _, a := range all {
		v := &window{function: a.leaf.Reducer, arg: ref(0, r.atoms[a.arg.Index].col, r.atoms[a.arg.Index].typ), partition: r.others()}
		v.order = []sortTerm{{x: axis}}
		switch {
		case a.spec.Op == "cumulative":
			v.frame = frame{kind: "before"}
			if a.spec.Unit != "" {
				reset := resetCut(a.spec)
				v.partition = append(v.partition, recut(reset, r.c.contexts[a.ctx].origin(cut, reset, axis)))
			}
		case len(cut.Buckets) > 0: // by the places of the buckets, which differ in length
			place := recut(cut, axis)
			place.Param, place.Type = "ordinal", semantic.Integer
			v.order = []sortTerm{{x: place}}
			v.frame = frame{kind: "places", n: a.spec.N - 1}
		default:
			v.frame = backFrame(a.spec, cut)
		}
		if r.c.contexts[a.ctx].From.IsZero() {
			v.when = &Scalar{Op: "not_null", Args: []*Scalar{axis}}
		}
		next.cols = append(next.cols, column{name: a.col, typ: a.typ, win: v})
	}
	return next
}

// origin gives the bucket of the context that came to lie on a bucket of the query, to say in which unit it lay; the bucket itself
// where both lie alike in their units.
func (c Context) origin(cut, unit, bucket *Scalar) *Scalar {
	if len(c.Peers) > 0 {
		own := &Scalar{Op: "case", Type: semantic.Date}
		for _, p := range c.Peers {
			own.Args = append(own.Args, compare("=", bucket, timeLiteral(p.To, nil)), timeLiteral(p.From, nil))
		}
		return own
	}
	if len(unit.Buckets) == 0 && alike(c.Shift, c.Unit, unit.Text) {
		return bucket
	}
	return moveBucket(cut, bucket, -c.Shift, c.Unit)
}

// alike says whether moving by n units of one kind moves by whole units of another.
func alike(n int, by, unit string) bool {
	days := map[string]int{"day": 1, "week": 7}
	a, b := days[by], days[unit]
	if a == 0 || b == 0 {
		a, b = monthsOf(by), monthsOf(unit)
	}
	return n == 0 || a > 0 && b > 0 && n*a%b == 0
}

// backFrame bounds a moving window: the buckets after t - n units, up to t.
func backFrame(spec, cut *Scalar) frame {
	unit := strings.TrimPrefix(cut.Text, "fiscal_")
	if spec.Unit == "" || sameUnit(spec.Unit, cut) {
		return frame{kind: "back", n: spec.N - 1, unit: unit}
	}
	f := frame{kind: "back", n: spec.N, unit: strings.TrimPrefix(spec.Unit, "fiscal_"), less: "day"}
	if unit == "hour" {
		f.less = unit
	}
	switch {
	case unit == "month" || unit == "quarter": // whole months: one bucket less
		return frame{kind: "back", n: spec.N*monthsOf(f.unit) - monthsOf(unit), unit: "month"}
	case f.unit == "week" && unit == "day":
		return frame{kind: "back", n: 7*spec.N - int(cutDays(cut)), unit: "day"}
	}
	return f
}
