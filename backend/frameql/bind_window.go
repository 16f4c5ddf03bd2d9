package frameql

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// share binds SHARE(m, AT g): a number divided by itself at a coarser grain, without AT by the whole.
func (r *resolver) share(e *Expr, st stand) *scalar {
	if len(e.Params) > 0 || e.Unit != "" {
		r.refuseArgument(e)
		return nil
	}
	part := r.expr(e.Of, st)
	keys, inside := []int{}, st
	if e.At != nil {
		var ok, fine bool
		keys, ok = r.innerGrain(e.At, e.Of)
		if inside, fine = r.ignoring(e.At, st); !ok || !fine {
			return nil
		}
	}
	if !r.numeric(e, part) {
		return nil
	}
	if !r.allDetermined(keys, st.keys) {
		r.refuseIncomparable(e, keys, st)
		return nil
	}
	if !r.sameUnit(e, keys, st) || !r.sameLag(e, keys, st) {
		return nil
	}
	if e.At != nil {
		var ok bool
		if keys, ok = r.bringAlong(e, keys, st); !ok {
			return nil
		}
	}
	whole := r.expr(e.Of, inside.at(keys))
	if whole == nil {
		return nil
	}
	if !r.addsUp(part) {
		r.notice(ShareOver, Info, "frameql.notice_share", "expression", e.Of.String(), "within", e.At != nil)
	}
	whole = &scalar{Op: "at", Args: []*scalar{whole}, Keys: keys, Fixed: r.fixedBy(keys, st.keys), Type: whole.Type, Currency: whole.Currency}
	return withUnit(arithmetic("/", part, whole), "")
}

// addsUp says whether the parts of a number make the whole.
func (r *resolver) addsUp(s *scalar) bool {
	ok := true
	each(s, func(x *scalar) {
		switch x.Op {
		case "leaf":
			l := r.leaves[x.Index]
			ok = ok && !l.Distinct && l.Pick == nil && l.Map.Kind == "" && (l.Reducer == "sum" || l.Reducer == "count")
		case "+", "-", "num", "neg", "*":
		default:
			ok = false
		}
	})
	return ok
}

// cumulative binds CUMULATIVE(m [, AT unit]): added up along the axis, from the start of the frame or of each unit.
func (r *resolver) cumulative(e *Expr, st stand) *scalar {
	axis, ok := r.windowAxis(e, st)
	st.window = inSum
	s := r.expr(e.Of, st)
	if len(e.Params) > 0 {
		r.refuseArgument(e)
		return nil
	}
	unit := strings.ToLower(e.Unit)
	if g := e.At; g != nil {
		if len(g.Dims) != 1 || g.IgnoreFilters || len(g.IgnoreDims) > 0 || unit != "" {
			r.refuseArgument(e)
			return nil
		}
		unit = strings.ToLower(g.Dims[0].Name)
		if g.Dims[0].Grain != "" {
			unit = g.Dims[0].Grain
		} else if i := strings.LastIndexByte(unit, '.'); i >= 0 {
			unit = unit[i+1:]
		}
	}
	if !ok || !r.numeric(e, s) || !r.knownUnit(e, unit) {
		return nil
	}
	u := r.keys[axis].ref.unit()
	if unit != "" && !r.calendar.coarsens(u, unit) {
		r.refuseWindow(e, "frameql.window_reset", "unit", unitText(unit), "axis", unitText(u))
		return nil
	}
	w := &scalar{Op: "cumulative", Args: []*scalar{s}, Unit: unit, Type: s.Type, Currency: s.Currency}
	return r.withCalendar(w, unit)
}

// withCalendar notes how a unit is cut on a window.
func (r *resolver) withCalendar(w *scalar, unit string) *scalar {
	if unit != "" {
		t := r.trunc(unit)
		w.Shift, w.Buckets = t.Shift, t.Buckets
	}
	return w
}

// knownUnit refuses a unit that no calendar has.
func (r *resolver) knownUnit(e *Expr, unit string) bool {
	if unit == "" || r.calendar.knows(unit) {
		return true
	}
	key := "frameql.unit_unknown"
	if r.calendar.mentions(unit) {
		key = "frameql.no_fiscal_calendar"
	}
	r.refuse(e, refusal("CALENDAR_UNDEFINED", key, "unit", unit, "what", unitText(unit)), r.withoutExpr(e))
	return false
}

// moving binds MOVING(m, n [, unit]): over the last n units, the present one included.
func (r *resolver) moving(e *Expr, st stand) *scalar {
	axis, ok := r.windowAxis(e, st)
	st.window = inSum
	st.finer = ok && r.calendar.knows(e.Unit) && r.calendar.days(e.Unit) < r.calendar.days(r.keys[axis].ref.unit())
	s := r.expr(e.Of, st)
	if e.At != nil || len(e.Params) != 1 || e.Params[0].Kind != Number {
		r.refuseArgument(e)
		return nil
	}
	n, _ := strconv.Atoi(e.Params[0].Text) // 0 or too large where it is no whole number
	if n < 1 || n > 100_000 {
		r.refuseWindow(e, "frameql.window_size", "n", e.Params[0].Text)
		return nil
	}
	if !ok || !r.numeric(e, s) || !r.knownUnit(e, e.Unit) {
		return nil
	}
	u := r.keys[axis].ref.unit()
	unit := e.Unit
	if unit == "" {
		unit = u
	}
	if unit == "hour" && !r.hasHours(e) {
		return nil
	}
	if !r.calendar.coarsens(u, unit) && !r.calendar.coarsens(unit, u) {
		r.refuseWindow(e, "frameql.window_unit", "unit", unitText(unit), "axis", unitText(u))
		return nil
	}
	if r.tooWide(s, n, unit) {
		r.refuseWindow(e, "frameql.window_wide", "expression", e.Of.String(), "n", n, "unit", unitText(unit))
		return nil
	}
	w := &scalar{Op: "moving", Args: []*scalar{s}, N: n, Unit: unit, Type: s.Type, Currency: s.Currency}
	return r.withCalendar(w, unit)
}

// hasHours refuses a window of hours over a time that holds days.
func (r *resolver) hasHours(e *Expr) bool {
	for _, t := range r.times {
		if b, ok := r.timeAt(t.source, t.name); ok && b.dim.Type == semantic.Date {
			days := e.clone()
			days.Unit = "day"
			r.refuse(e, refusal("GRAIN_UNAVAILABLE", "frameql.no_hours", "name", b.of.Name+"."+b.dim.Name),
				r.spliced(text.Say("frameql.repair_use", "name", days.String()), e, days.String), r.withoutExpr(e))
			return false
		}
	}
	return true
}

// A moving window over what cannot be reduced again reads each row once for every bucket that it counts in.
const (
	maxRereadRows = 50_000_000
	maxRereadDays = 60
)

func (r *resolver) tooWide(s *scalar, n int, unit string) bool {
	wide := false
	each(s, func(x *scalar) {
		if x.Op != "leaf" {
			return
		}
		l := r.leaves[x.Index]
		again := l.Distinct || l.Reducer == "median" || l.Reducer == "percentile"
		days := float64(n) * r.calendar.days(unit)
		if again && float64(r.rows(r.sources[l.Source].entity.Name))*days > maxRereadRows*maxRereadDays {
			wide = true
		}
	})
	return wide
}

// windowAxis gives the axis that a function runs along.
func (r *resolver) windowAxis(e *Expr, st stand) (int, bool) {
	axis := r.finestAxis(st.keys)
	if axis < 0 && len(r.sources) > 0 {
		r.refuseAxisRequired(e, e.String())
	}
	return axis, axis >= 0 && r.inOrder(e, e.String(), st.keys) && r.runsThere(e, axis, st)
}

// runsThere refuses what runs along days beside the days of a month or a year before: a day without rows there has no running number.
func (r *resolver) runsThere(e *Expr, axis int, st stand) bool {
	if st.period <= 0 || e.Fn == "index" {
		return true
	}
	c := r.comparand[st.period-1].context
	if !c.Lag || c.Unit == r.keys[axis].ref.unit() {
		return true
	}
	r.refuse(e, refusal("INVALID_WINDOW", "frameql.window_lag", "window", e.String(), "unit", unitText(c.Unit)),
		r.withoutCompare(), r.withoutExpr(e))
	return false
}

// ranked binds RANK(m [, AT g]): the highest first, within equal values of g.
func (r *resolver) ranked(e *Expr, st stand) *scalar {
	if len(e.Params) > 0 || e.Unit != "" || e.At != nil && (e.At.IgnoreFilters || len(e.At.IgnoreDims) > 0) {
		r.refuseArgument(e)
		return nil
	}
	st.window = inRank
	s := r.expr(e.Of, st)
	keys := []int{}
	if e.At != nil {
		var ok bool
		if keys, ok = r.innerGrain(e.At, e.Of); !ok {
			return nil
		}
	}
	if !r.numeric(e, s) {
		return nil
	}
	if !r.allDetermined(keys, st.keys) {
		r.refuseIncomparable(e, keys, st)
		return nil
	}
	if e.At != nil {
		var ok bool
		if keys, ok = r.bringAlong(e, keys, st); !ok {
			return nil
		}
	}
	return &scalar{Op: "rank", Args: []*scalar{s}, Keys: keys, Type: semantic.Integer}
}

// indexed binds INDEX(m): in percent of the first bucket of the axis.
func (r *resolver) indexed(e *Expr, st stand) *scalar {
	_, ok := r.windowAxis(e, st)
	st.window = inRank
	s := r.expr(e.Of, st)
	if len(e.Params) > 0 || e.Unit != "" || e.At != nil {
		r.refuseArgument(e)
		return nil
	}
	if !ok || !r.numeric(e, s) {
		return nil
	}
	return &scalar{Op: "index", Args: []*scalar{s}, Type: semantic.Float}
}

// refuseWindow says that a window cannot be counted so.
func (r *resolver) refuseWindow(e *Expr, key string, pairs ...any) {
	one := e.clone()
	one.Params, one.Unit, one.At = nil, "", nil
	if e.Fn == "moving" {
		one.Params = []Value{{Kind: Number, Text: "3"}}
	}
	r.refuse(e, refusal("INVALID_WINDOW", key, append([]any{"window", e.String()}, pairs...)...),
		r.spliced(text.Say("frameql.repair_use", "name", one.String()), e, one.String),
		r.spliced(text.Say("frameql.repair_only", "name", e.Of.String()), e, e.Of.String), r.withoutExpr(e))
}

// leafCell adds an aggregate once and gives its cell.
func (r *resolver) leafCell(l compile.Leaf, st stand) *scalar {
	mine := leafSignature(&l)
	i := slices.Index(r.leafSigns, mine)
	if i < 0 {
		r.leaves, r.leafSigns = append(r.leaves, l), append(r.leafSigns, mine)
		i = len(r.leaves) - 1
	} else if r.leaves[i].Metric == "" {
		r.leaves[i].Metric = l.Metric
	}
	s := &scalar{Op: "leaf", Index: i, Ctx: r.context(st), Type: l.Type}
	if l.Expr != nil && l.Reducer != "count" {
		s.Currency = l.Expr.Currency
	}
	return s
}
