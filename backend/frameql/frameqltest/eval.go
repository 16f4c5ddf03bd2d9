package frameqltest

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// evaluation is one query on its way to its answer.
type evaluation struct {
	w        *World
	q        *frameql.Query
	cal      calendar
	leaves   map[string]*leaf
	matching bool       // a comparand is cut to the days that have passed
	contexts []*context // 0 is the query's own, then the comparands
	grain    []key
	asked    []key                     // the grain with what is read off its buckets
	axes     map[string]bool           // explicit time dimensions that are the axis
	frame    []*group                  // the rows of the grain, after FILL
	firsts   map[key]map[string]*group // for INDEX: the first row along an axis of each combination of the other keys
	giving   []use                     // what gives these rows
	rests    []scope                   // the rows of the rest of TOP
	tops     map[*frameql.Pred]map[string]bool
	passed   map[string][]place
	theFact  *semantic.Entity
}

// metric computes a declared metric in a scope.
func (v *evaluation) metric(m *semantic.Metric, sc scope) any {
	switch m.Kind {
	case semantic.Ratio:
		return arith("/", v.metric(v.metricNamed(m.Numerator), sc), v.metric(v.metricNamed(m.Denominator), sc))
	case semantic.Derived:
		return v.w.evaluate(v.parsed(m.Expr), func(name string) any {
			part, filter := v.input(m, name)
			in := sc
			if at := mapOfInput(m, name); at != nil {
				if in.mapped != nil || in.window != nil {
					panic(outside{"an input of another time within a window"})
				}
				in.mapped = at
			}
			in.inputs = append(slices.Clone(sc.inputs), filter...)
			return v.metric(part, in)
		})
	case semantic.Cumulative:
		return v.accumulated(m, sc)
	}
	return v.leafValue(v.metricLeaf(m, string(m.Reducer), sc.inputs...), sc)
}

// input gives the metric that a name in the expression of a derived metric means, with the filter that it has there.
func (v *evaluation) input(m *semantic.Metric, name string) (part *semantic.Metric, filter []string) {
	for _, in := range m.Inputs {
		if !strings.EqualFold(in.Name, name) {
			continue
		}
		if in.Filter != "" {
			filter = []string{in.Filter}
		}
		return v.metricNamed(in.Metric), filter
	}
	return v.metricNamed(name), nil
}

func (v *evaluation) metricNamed(name string) *semantic.Metric {
	m := v.w.Model.Metric(name)
	if m == nil {
		panic(outside{"metric " + name})
	}
	return m
}

// eval computes an expression in a scope.
func (v *evaluation) eval(e *frameql.Expr, sc scope) any {
	if e.Filter != nil {
		sc.filters = append(slices.Clone(sc.filters), e.Filter)
		c := *e
		c.Filter = nil
		e = &c
	}
	if sc.added != "" {
		sc.gap = sc.added
	}
	switch {
	case e.Op == "at", e.At != nil && e.Fn == "":
		return v.evalAt(ungrained(e), e.At, sc)
	case e.Num != "":
		return Digits(e.Num)
	case e.Op != "":
		out := v.eval(e.Args[0], sc)
		for _, a := range e.Args[1:] {
			out = arith(e.Op, out, v.eval(a, sc))
		}
		return out
	case e.Fn != "":
		return v.function(e, sc)
	case e.Reduce != "":
		return v.reducer(e, sc)
	}
	return v.metric(v.metricNamed(e.Metric), sc)
}

// reducer computes a reducer: over the rows of a finer grain, of a declared metric, or over columns.
func (v *evaluation) reducer(e *frameql.Expr, sc scope) any {
	if !e.Star && twoLevel(e.Of) {
		return v.overGroups(e, sc)
	}
	if !e.Star {
		if m := v.w.Model.Metric(e.Of.Metric); m != nil && e.Of.Metric != "" {
			return v.leafValue(v.metricLeaf(m, reducerOver(e, m)), sc)
		}
	}
	return v.leafValue(v.columnLeaf(e), sc)
}

func twoLevel(e *frameql.Expr) bool { return e.Op == "at" || e.At != nil && e.Fn == "" }

// reducerOver gives the reducer of a leaf that a reducer over a declared metric asks for.
func reducerOver(e *frameql.Expr, m *semantic.Metric) string {
	same := e.Reduce == string(m.Reducer) || e.Reduce == "count" && m.Reducer == semantic.CountDistinct || e.Reduce == "sum" && m.Reducer == semantic.Count
	if same {
		return string(m.Reducer)
	}
	return e.Reduce
}

// overGroups is R(e AT g): e at every group of g and the scope that has rows, then R.
func (v *evaluation) overGroups(e *frameql.Expr, sc scope) any {
	inner := ungrained(e.Of)
	if e.Of.Filter != nil {
		sc.filters = append(slices.Clone(sc.filters), e.Of.Filter)
		c := *inner
		c.Filter = nil
		inner = &c
	}
	sc.ctx = v.ignoring(sc.ctx, e.Of.At)
	fine := scope{ctx: sc.ctx, filters: sc.filters, inputs: sc.inputs}
	fine.keys = slices.Clone(sc.keys)
	for _, k := range v.keysOf(e.Of.At.Dims) {
		if !slices.Contains(fine.keys, k) {
			fine.keys = append(fine.keys, k)
		}
	}
	if sc.window != nil {
		panic(outside{"a window over two levels"})
	}
	adds := e.Reduce == "sum" || e.Reduce == "count"
	param := Number{}
	if len(e.Params) > 0 {
		param = Digits(e.Params[0].Text)
	}
	if v.nothingBefore(sc) {
		return nil
	}
	var cells []any
	some := false
	seen := map[string]bool{}
	for _, g := range v.groups(fine.keys, v.usesOf(inner, use{ctx: sc.ctx, adds: true})) {
		if !v.within(g, fine.keys, sc) || v.ofNoMember(e.Of.At, g, fine.keys) {
			continue
		}
		fine.vals, some = g.vals, true
		c := v.eval(inner, fine)
		if c == nil || e.Dist && seen[identity(c)] {
			continue
		}
		seen[identity(c)] = true
		cells = append(cells, c)
	}
	if added := sc.gap == "null" || sc.gap == "last"; len(cells) == 0 && adds && (some || !added && v.someCovered(inner, sc)) {
		return Whole(0)
	}
	if len(cells) == 0 {
		return nil
	}
	return reduceCells(e.Reduce, cells, param, false)
}

// ofNoMember says whether a group holds the rows that lead to no member of an entity of the grain.
func (v *evaluation) ofNoMember(at *frameql.Grain, g *group, keys []key) bool {
	for _, d := range at.Dims {
		t, ok := v.anyReach(d.Name)
		if v.cal.isUnit(d.Name) || !ok || t.dim != "" {
			continue
		}
		for _, k := range v.keysOfDim(d) {
			if i := slices.Index(keys, k); i >= 0 && !k.axis && g.vals[i] == nil {
				return true
			}
		}
	}
	return false
}

// within says whether a group of a finer grain belongs to the scope.
func (v *evaluation) within(g *group, keys []key, sc scope) bool {
	for i, k := range keys {
		if own, ok := sc.at(k); ok && !sc.rest.covers(k) && !sameCell(own, g.vals[i]) {
			return false
		}
	}
	if r := sc.rest; r != nil {
		var member []any
		for _, k := range slices.Concat(r.per, r.members) {
			member = append(member, g.vals[slices.Index(keys, k)])
		}
		return !r.shown[identities(member)]
	}
	return true
}

// evalAt is (e AT g): at a grain that is coarser, or the same.
func (v *evaluation) evalAt(e *frameql.Expr, g *frameql.Grain, sc scope) any {
	if sc.window != nil {
		panic(outside{"a grain within a window"})
	}
	out := sc
	out.ctx = v.ignoring(sc.ctx, g)
	out.keys = v.keysOf(g.Dims)
	out.vals = nil
	if sc.total || sc.rest != nil { // what the row has no value of is added up, within what it would say
		asked := slices.Clone(out.keys)
		if sc.total {
			out.keys = slices.DeleteFunc(out.keys, func(k key) bool { return !slices.Contains(sc.keys, k) && !v.fixed(k, sc.keys) })
		}
		for _, k := range sc.keys {
			if !slices.Contains(out.keys, k) && v.fixed(k, asked) {
				out.keys = append(out.keys, k)
			}
		}
	}
	covers := v.leaveSaid(&out, sc)
	for _, k := range out.keys {
		out.vals = append(out.vals, v.determined(k, sc))
		covers = covers || sc.rest.covers(k)
	}
	if !covers {
		out.rest = nil
	}
	if !v.tells(out.keys, sc.keys) || !v.tells(sc.keys, out.keys) {
		out.added, out.gap = "", "" // FILL says nothing of a number of other buckets
	}
	return v.eval(e, out)
}

// tells says whether keys are known where others are, from the calendar or from what belongs to a member and not from the rows of a day.
func (v *evaluation) tells(others, keys []key) bool {
	for _, k := range others {
		alike := slices.DeleteFunc(slices.Clone(keys), func(o key) bool { return o.axis != k.axis })
		if !slices.Contains(keys, k) && !v.follows(k, alike) {
			return false
		}
	}
	return true
}

// ignoring gives the context without the conjuncts that a grain ignores.
func (v *evaluation) ignoring(ctx *context, g *frameql.Grain) *context {
	if g == nil || !g.IgnoreFilters && len(g.IgnoreDims) == 0 {
		return ctx
	}
	out := *ctx
	out.active = nil
	for _, p := range ctx.active {
		hit := g.IgnoreFilters
		for _, n := range namesIn(p) {
			for _, d := range g.IgnoreDims {
				hit = hit || strings.EqualFold(n, d.Name)
			}
		}
		if !hit {
			out.active = append(out.active, p)
		}
	}
	return &out
}
