package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// maxWork bounds the expressions that one query may be made of: definitions that use definitions multiply.
const maxWork = 100_000

// expr binds a metric expression over cells; nil after a refusal.
func (r *resolver) expr(e *Expr, st stand) *scalar {
	if r.work++; r.work > maxWork {
		r.refuse(nil, refusal("INVALID_QUERY", "frameql.too_large"))
		return nil
	}
	switch {
	case e.At != nil && e.Fn == "":
		return r.scoped(e, st)
	case e.Filter != nil:
		return r.filtered(e, st)
	}
	return r.bare(e, st)
}

// bare binds an expression without its own grain and filter.
func (r *resolver) bare(e *Expr, st stand) *scalar {
	switch {
	case r.refers[e] != nil:
		return r.expr(r.refers[e], st)
	case e.Num != "":
		return numberLiteral(e.Num)
	case e.Op != "":
		return r.operation(e, st)
	case e.Reduce != "":
		return r.reduced(e, st)
	case e.Fn != "":
		return r.function(e, st)
	}
	m := r.metric(e.Metric)
	if m == nil {
		r.refuseNotMetric(e)
		return nil
	}
	e.Metric = m.Name
	if len(r.sources) == 0 {
		return nil
	}
	return r.metricValue(m, st, 0)
}

// filtered binds FILTER (WHERE ...), which every number below it keeps to.
func (r *resolver) filtered(e *Expr, st stand) *scalar {
	e.Filter = flattened(e.Filter)
	st.filters = append(append([]*Pred{}, st.filters...), e.Filter)
	before := len(r.problems)
	s := r.bare(e, st)
	if s == nil && len(r.problems) == before && len(r.sources) > 0 {
		r.condition(e.Filter) // nothing took it; its own problems are told all the same
	}
	return s
}

func (r *resolver) operation(e *Expr, st stand) *scalar {
	var whole *scalar
	failed := false
	for _, a := range e.Args {
		s := r.expr(a, st)
		switch {
		case s == nil:
			failed = true
		case whole == nil:
			whole = s
		default:
			if (e.Op == "+" || e.Op == "-") && whole.Currency != "" && s.Currency != "" && !strings.EqualFold(whole.Currency, s.Currency) {
				r.refuseUnits(e, whole.Currency, s.Currency)
				failed = true
			}
			if !r.countable(e, whole) || !r.countable(e, s) {
				failed = true
			}
			whole = arithmetic(e.Op, whole, s)
		}
	}
	if failed {
		return nil
	}
	return whole
}

// countable refuses to calculate with what is no number.
func (r *resolver) countable(e *Expr, s *scalar) bool {
	if s.Type == "" || s.Type.Numeric() {
		return true
	}
	r.refuse(e, refusal("TYPE_MISMATCH", "frameql.not_a_number", "expression", e.String(), "type", typeWord(s.Type)), r.withoutExpr(e))
	return false
}

// scoped binds (expr AT grain): the expression at a coarser grain, repeated on every row.
func (r *resolver) scoped(e *Expr, st stand) *scalar {
	bind := func(st stand) *scalar {
		if e.Filter != nil {
			return r.filtered(e, st)
		}
		return r.bare(e, st)
	}
	keys, ok := r.innerGrain(e.At, e)
	inside, _ := r.ignoring(e.At, st)
	if !ok {
		bind(st)
		return nil
	}
	if !r.sameUnit(e, keys, st) || !r.sameLag(e, keys, st) {
		return nil
	}
	coarser, finer := r.allDetermined(keys, st.keys), r.allDetermined(st.keys, keys)
	switch {
	case coarser && finer && !(r.fills() && r.filledApart(keys, st.keys)):
		return bind(inside)
	case coarser:
		if keys, ok = r.bringAlong(e, keys, st); !ok {
			return nil
		}
		s := bind(inside.at(keys))
		if s == nil {
			return nil
		}
		return &scalar{Op: "at", Args: []*scalar{s}, Keys: keys, Fixed: r.fixedBy(keys, st.keys), Type: s.Type, Currency: s.Currency}
	case finer:
		r.refuseNeedsReducer(e)
	default:
		r.refuseIncomparable(e, keys, st)
	}
	bind(inside.at(keys))
	return nil
}

// filledApart says whether rows that FILL adds tell two grains apart that determine each other in the data: one is without an axis,
// or says by its day which members belong together.
func (r *resolver) filledApart(keys, own []int) bool {
	members := func(all []int) []int {
		return slices.DeleteFunc(slices.Clone(all), func(k int) bool { return r.keys[k].ref.axis })
	}
	return r.finestAxis(keys) < 0 && r.finestAxis(own) >= 0 || !r.allDetermined(members(own), members(keys))
}

// fixedBy gives the keys of a grain that coarser ones determine, where rows are shown in which those have no value.
func (r *resolver) fixedBy(coarse, keys []int) []int {
	if len(r.q.Totals) == 0 && (r.q.Top == nil || !r.q.Top.Other) {
		return nil
	}
	var fixed []int
	for _, k := range keys {
		if !slices.Contains(coarse, k) && r.determined(r.keys[k].ref, coarse) {
			fixed = append(fixed, k)
		}
	}
	return fixed
}

// fills says whether FILL adds buckets, to which no key of a row belongs.
func (r *resolver) fills() bool { return r.q.Fill != "" && r.q.Fill != "none" }

// sameUnit refuses to add up along the time what stands at another unit of it.
func (r *resolver) sameUnit(e *Expr, keys []int, st stand) bool {
	if axis := r.finestAxis(keys); st.window != inSum || axis < 0 || axis == r.finestAxis(st.keys) {
		return true
	}
	r.refuse(e, refusal("INVALID_WINDOW", "frameql.window_unit_within", "expression", e.String()), r.withoutExpr(e))
	return false
}

// sameLag refuses to look buckets back at what is the same in them all, or stands at a unit that those are no whole number of.
func (r *resolver) sameLag(e *Expr, keys []int, st stand) bool {
	axis, own := r.finestAxis(keys), r.finestAxis(st.keys)
	if st.period == 0 || own < 0 || axis == own {
		return true
	}
	lag := r.contexts[r.context(st)]
	alike := !lag.Lag || lag.Shift == 0
	if axis < 0 {
		alike = alike || st.period > 0
	} else if n := r.calendar.count(lag.Unit, r.keys[axis].ref.unit()); n > 0 {
		alike = alike || lag.Shift%n == 0
	}
	if !alike {
		r.refuseLag(e, lag.Unit, own)
	}
	return alike
}

// allDetermined says whether every key of some is determined by others.
func (r *resolver) allDetermined(some, by []int) bool {
	for _, k := range some {
		if !slices.Contains(by, k) && !r.determined(r.keys[k].ref, by) {
			return false
		}
	}
	return true
}

// ignoring takes the conjuncts of WHERE away that a grain ignores.
func (r *resolver) ignoring(g *Grain, st stand) (stand, bool) {
	st.noFilters = st.noFilters || g.IgnoreFilters
	ok := true
	for i := range g.IgnoreDims {
		d := &g.IgnoreDims[i]
		b, fine := r.dimension(*d, d, forFilter)
		if !fine {
			ok = false
			continue
		}
		*d = b.name
		for k, c := range r.conjuncts {
			if c.mentions(b) {
				st.ignored = append(append([]int{}, st.ignored...), k)
			}
		}
	}
	return st, ok
}

// function binds a function of the time axis or of the frame.
func (r *resolver) function(e *Expr, st stand) *scalar {
	switch e.Fn {
	case "prev", "delta", "pct_change":
		return r.change(e, st)
	case "share":
		return r.share(e, st)
	}
	if st.window == inSum || st.window == inRank && (e.Fn == "rank" || e.Fn == "index") {
		r.expr(e.Of, st)
		r.refuseWindow(e, "frameql.window_nested")
		return nil
	}
	switch e.Fn {
	case "cumulative":
		return r.cumulative(e, st)
	case "moving":
		return r.moving(e, st)
	case "rank":
		return r.ranked(e, st)
	}
	return r.indexed(e, st)
}

// refuseArgument says that a function does not take what it was given.
func (r *resolver) refuseArgument(e *Expr) {
	plain := &Expr{Fn: e.Fn, Of: e.Of}
	r.refuse(e, refusal("INVALID_QUERY", "frameql.function_argument", "expression", e.String(), "function", strings.ToUpper(e.Fn)),
		r.spliced(text.Say("frameql.repair_use", "name", plain.String()), e, plain.String), r.withoutExpr(e))
}

// numeric refuses a function over what is no number.
func (r *resolver) numeric(e *Expr, s *scalar) bool {
	if s == nil {
		return false
	}
	return e.Fn == "rank" && s.Type != semantic.Text || r.countable(e, s)
}
