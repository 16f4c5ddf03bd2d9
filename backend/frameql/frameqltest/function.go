package frameqltest

import (
	"math/big"
	"slices"
	"strconv"
	"time"

	"assay/backend/frameql"
)

// function computes PREV, DELTA, PCT_CHANGE, SHARE, CUMULATIVE, MOVING, RANK and INDEX.
func (v *evaluation) function(e *frameql.Expr, sc scope) any {
	if sc.window != nil {
		panic(outside{"a function within a window"})
	}
	switch e.Fn {
	case "prev":
		return v.previous(e.Of, nth(e), sc)
	case "delta":
		return arith("-", v.eval(e.Of, sc), v.previous(e.Of, nth(e), sc))
	case "pct_change":
		return change(v.eval(e.Of, sc), v.previous(e.Of, nth(e), sc))
	case "share":
		g := e.At
		if g == nil {
			g = &frameql.Grain{}
		}
		return arith("/", v.eval(e.Of, sc), v.evalAt(e.Of, g, sc))
	case "cumulative":
		return v.windowed(e, sc, v.cumulated)
	case "moving":
		return v.windowed(e, sc, v.moving)
	case "rank":
		return v.rank(e, sc)
	case "index":
		return v.index(e, sc)
	}
	panic(outside{"function " + e.Fn})
}

func nth(e *frameql.Expr) int {
	if len(e.Params) == 0 {
		return 1
	}
	n, err := strconv.Atoi(e.Params[0].Text)
	if err != nil {
		panic(outside{"number of the comparand"})
	}
	return n
}

// change is (m - previous) / |previous|.
func change(now, before any) any {
	if n, ok := before.(Number); ok {
		return arith("/", arith("-", now, before), Number{Value: new(big.Rat).Abs(n.Value), Approx: n.Approx, rounded: n.rounded})
	}
	return nil
}

// previous computes an expression in the n-th comparand; without COMPARE in the bucket n before.
func (v *evaluation) previous(e *frameql.Expr, n int, sc scope) any {
	if sc.ctx.shift != 0 || sc.ctx.lag || sc.ctx.peers != nil {
		panic(outside{"a comparand of a comparand"})
	}
	ctx := *v.comparand(n, sc.keys)
	if ctx.target != nil {
		return v.eval(ctx.target, sc)
	}
	ctx.active = sc.ctx.active
	sc.ctx = &ctx
	if ctx.lag {
		sc.added = ""
	}
	if ctx.back != 0 {
		var ok bool
		if sc.vals, ok = v.movedBack(sc, ctx); !ok {
			return nil
		}
	}
	return v.eval(e, sc)
}

// nothingBefore says whether a scope lies before a time that is missing: nothing does.
func (v *evaluation) nothingBefore(sc scope) bool {
	_, unit, ok := v.bucket(sc)
	return sc.ctx.lag && unit != "" && !ok
}

// movedBack gives the values of a scope whose bucket lies units earlier; a day that the month there does not have is its
// last one.
func (v *evaluation) movedBack(sc scope, ctx context) (vals []any, ok bool) {
	t, _, ok := v.bucket(sc)
	if !ok {
		return nil, false
	}
	t = v.cal.move(t, ctx.unit, -ctx.back)
	vals = slices.Clone(sc.vals)
	for i, k := range sc.keys {
		if k.axis {
			vals[i] = v.cal.cut(t, k.grain)
		}
	}
	return vals, true
}

// comparand gives the context of the n-th comparand.
func (v *evaluation) comparand(n int, keys []key) *context {
	if len(v.q.Compare) > 0 {
		if n >= len(v.contexts) {
			panic(outside{"no such comparand"})
		}
		return v.contexts[n]
	}
	unit := finestAxis(keys)
	if unit == "" {
		panic(outside{"no axis"})
	}
	return &context{shift: n, unit: unit, lag: true, other: true}
}

// windowed computes an expression whose leaves run over a window that ends with the bucket of the row. Rows of a comparand
// keep their own time there.
func (v *evaluation) windowed(e *frameql.Expr, sc scope, frame func(e *frameql.Expr, t time.Time, unit string, period span) *window) any {
	t, unit, ok := v.bucket(sc)
	if unit == "" {
		panic(outside{"no axis"})
	}
	if !ok {
		return nil // nothing runs up to a time that is missing
	}
	if t, ok = v.there(sc.ctx, t); !ok {
		return nil
	}
	sc.window = frame(e, t, unit, sc.ctx.period)
	return v.eval(e.Of, sc)
}

// cumulated runs from the start of the period, or of the unit.
func (v *evaluation) cumulated(e *frameql.Expr, t time.Time, unit string, period span) *window {
	w := &window{span: span{to: v.cal.move(t, unit, 1)}, fromPeriod: true}
	if period == (span{}) { // of a bucket before: what runs begins with the period all the same
		w.from = v.contexts[0].period.from
	}
	if e.At != nil {
		reset := v.keysOf(e.At.Dims)
		if len(reset) != 1 || !reset[0].axis {
			panic(outside{"the grain of CUMULATIVE"})
		}
		w.from, w.fromPeriod = v.cal.cut(t, reset[0].grain), false
	}
	return w
}

// moving runs over the last n units. Finer ones than the axis end with the last day of the bucket within the period.
func (v *evaluation) moving(e *frameql.Expr, t time.Time, unit string, period span) *window {
	n := nth(e)
	end := v.cal.move(t, unit, 1)
	w := &window{span: span{to: end}}
	switch {
	case e.Unit == "" || e.Unit == unit:
		w.from = v.cal.move(t, unit, 1-n)
	case fineness(e.Unit) < fineness(unit):
		if period.to.After(t) && period.to.Before(end) {
			end = period.to
		}
		w.from = v.cal.move(v.cal.cut(end.Add(-time.Microsecond), e.Unit), e.Unit, 1-n)
	default: // the first bucket that begins after t - n units
		w.from = v.cal.move(v.cal.cut(v.cal.move(t, e.Unit, -n), unit), unit, 1)
	}
	return w
}

// rank is the place among the rows of the frame, the highest first; equal values share one.
func (v *evaluation) rank(e *frameql.Expr, sc scope) any {
	if sc.rest != nil {
		return nil
	}
	mine := v.eval(e.Of, sc)
	if mine == nil {
		return nil
	}
	var within []key
	if e.At != nil {
		within = v.keysOf(e.At.Dims)
	}
	above := int64(0)
	for _, g := range v.frame {
		other := v.scopeOf(g, sc)
		if slices.ContainsFunc(within, func(k key) bool { return !sameCell(v.determined(k, other), v.determined(k, sc)) }) {
			continue
		}
		if c := v.eval(e.Of, other); c != nil && !slices.EqualFunc(g.vals, sc.vals, sameCell) && orderSure(c, mine, false) > 0 {
			above++
		}
	}
	return Whole(above + 1)
}

// index is 100 times the value over that of the first bucket that the other keys have.
func (v *evaluation) index(e *frameql.Expr, sc scope) any {
	unit := finestAxis(sc.keys)
	if unit == "" {
		panic(outside{"no axis"})
	}
	if sc.rest != nil {
		panic(outside{"INDEX of the rest"})
	}
	axis := key{grain: unit, axis: true}
	first := v.scopeOf(v.firstOf(sc, axis), sc)
	if sc.ctx.back != 0 { // of a comparand the first is that of the first row
		var ok bool
		if first.vals, ok = v.movedBack(first, *sc.ctx); !ok {
			return nil
		}
	}
	return arith("/", arith("*", Whole(100), v.eval(e.Of, sc)), v.eval(e.Of, first))
}

// firstOf gives the row of the first bucket of an axis that has the other keys of a scope.
func (v *evaluation) firstOf(sc scope, axis key) *group {
	series := func(vals []any) string {
		var others []any
		for i, k := range sc.keys {
			if !k.axis {
				others = append(others, vals[i])
			}
		}
		return identities(others)
	}
	at := slices.Index(sc.keys, axis)
	if v.firsts[axis] == nil {
		firsts := map[string]*group{}
		for _, g := range v.frame {
			id := series(g.vals)
			if first := firsts[id]; first == nil || orderNullsLast(g.vals[at], first.vals[at], false) < 0 {
				firsts[id] = g
			}
		}
		v.firsts = map[key]map[string]*group{axis: firsts}
	}
	return v.firsts[axis][series(sc.vals)]
}

// scopeOf is the scope of another row of the frame, in the same context.
func (v *evaluation) scopeOf(g *group, sc scope) scope {
	sc.keys, sc.vals, sc.added, sc.gap = v.grain, g.vals, g.added, ""
	return sc
}
