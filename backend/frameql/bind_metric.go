package frameql

import (
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// semanticInput is how a derived metric sees another: through a filter, or at another time.
type semanticInput struct {
	filter []string // of the model, over the entity of the leaf
	shift  compile.TimeMap
}

// metricValue gives a declared metric.
func (r *resolver) metricValue(m *semantic.Metric, st stand, depth int) *scalar {
	if r.work++; r.work > maxWork {
		r.refuse(nil, refusal("INVALID_QUERY", "frameql.too_large"))
		return nil
	}
	r.useMetric(m, st.keys)
	if depth > maxModelDepth {
		r.refuseModel(m.Name, text.Say("frameql.defined_by_itself"))
		return nil
	}
	var s *scalar
	switch m.Kind {
	case semantic.Ratio:
		num, den := r.part(m, m.Numerator, st, depth), r.part(m, m.Denominator, st, depth)
		if num == nil || den == nil {
			return nil
		}
		s = arithmetic("/", num, den)
	case semantic.Derived:
		e, err := r.modelExpr(m.Expr)
		if err != nil {
			r.refuseModel(m.Name, messageOf(err))
			return nil
		}
		if s = r.derived(m, e, st, depth); s == nil {
			return nil
		}
	case semantic.Cumulative:
		if s = r.accumulated(m, st, depth); s == nil {
			return nil
		}
		if m.Unit == "" {
			return s
		}
	case semantic.Leaf, "":
		return r.declaredLeaf(m, m.Reducer, m.Percentile, st)
	default:
		r.refuse(nil, refusal("OUT_OF_SCOPE", "frameql.kind_out_of_scope", "metric", m.Name, "kind", string(m.Kind)), r.without(m.Name))
		return nil
	}
	return withUnit(s, m.Unit)
}

func (r *resolver) part(m *semantic.Metric, name string, st stand, depth int) *scalar {
	p := r.metric(name)
	if p == nil {
		r.refuseModel(m.Name, text.Say("frameql.no_metric", "name", name))
		return nil
	}
	return r.metricValue(p, st, depth+1)
}

func (r *resolver) derived(m *semantic.Metric, e *semantic.Expr, st stand, depth int) *scalar {
	failed := false
	var bind func(e *semantic.Expr) *scalar
	bind = func(e *semantic.Expr) *scalar {
		s := &scalar{Op: "null"}
		if e.Op != "ident" {
			s = bindTree(e, bind)
		} else if v := r.inputValue(m, e.Name, st, depth); v != nil {
			s = v
		} else {
			failed = true
		}
		return s
	}
	s := bind(e)
	if failed {
		return nil
	}
	return s
}

// inputValue gives what a name of a derived metric stands for: a metric, or one with a filter or of another time.
func (r *resolver) inputValue(m *semantic.Metric, name string, st stand, depth int) *scalar {
	in := inputOf(m, name)
	if in == nil {
		return r.part(m, name, st, depth)
	}
	seen := semanticInput{}
	if st.input != nil {
		seen = *st.input
		seen.filter = append([]string{}, seen.filter...)
	}
	if in.Filter != "" {
		seen.filter = append(seen.filter, in.Filter)
	}
	var shift compile.TimeMap
	switch {
	case in.Offset != nil && in.OffsetToStart != "":
		r.refuseModel(m.Name, text.Say("frameql.two_offsets", "name", in.Name))
		return nil
	case in.Offset != nil:
		shift = compile.TimeMap{Kind: "shift", N: in.Offset.N, Unit: in.Offset.Unit}
	case in.OffsetToStart != "" && st.window == inSum:
		r.refuse(nil, refusal("INVALID_WINDOW", "frameql.window_over", "expression", in.Name), r.withoutWindows(), r.without(m.Name))
		return nil
	case in.OffsetToStart != "":
		shift = compile.TimeMap{Kind: "at_start", Unit: in.OffsetToStart, Cut: r.trunc(in.OffsetToStart)}
	}
	if shift.Kind != "" {
		if before := seen.shift; before.Kind == "shift" && shift.Kind == "shift" && before.Unit == shift.Unit {
			shift.N += before.N
			seen.shift = compile.TimeMap{}
		}
		if seen.shift.Kind != "" || !r.calendar.knows(shift.Unit) || shift.Kind == "shift" && r.calendar.own(shift.Unit) {
			r.refuse(nil, refusal("OUT_OF_SCOPE", "frameql.offset_out_of_scope", "metric", m.Name, "input", in.Name), r.without(m.Name))
			return nil
		}
		seen.shift = shift
	}
	st.input = &seen
	return r.part(m, in.Metric, st, depth)
}

// leafUse is a declared leaf with the reducer that it is used with, and where it stands.
type leafUse struct {
	metric  *semantic.Metric
	reducer string
	keys    []int
}

// declaredLeaf gives the aggregate of a leaf metric, with its own reducer or another.
func (r *resolver) declaredLeaf(m *semantic.Metric, reducer semantic.Reducer, percentile string, st stand) *scalar {
	s := r.entitySource(m.Entity)
	if s < 0 {
		return nil
	}
	src := r.sources[s]
	l := compile.Leaf{Source: s, Name: m.Name, Discrete: m.Discrete && reducer == m.Reducer}
	if m.Filter != "" {
		l.Filter = r.rowText(src, m.Filter, 0, m.Name, 0)
	}
	if st.input != nil {
		for _, f := range st.input.filter {
			l.Filter = and(l.Filter, r.rowText(src, f, 0, m.Name, 0))
		}
		l.Map = st.input.shift
	}
	filters, ok := r.leafFilter(s, st)
	if !ok {
		return nil
	}
	l.Filter = and(l.Filter, filters)
	if e := strings.TrimSpace(m.Expr); e != "*" && e != "" {
		l.Expr = r.rowText(src, e, 0, m.Name, 0)
	}
	own := reducer == m.Reducer
	switch reducer {
	case semantic.CountDistinct:
		l.Reducer, l.Distinct = "count", true
	case semantic.Percentile:
		l.Reducer, l.Param = "percentile", percentile
	case semantic.Sum, semantic.Avg, semantic.Min, semantic.Max, semantic.Median, semantic.Count, semantic.StdDev,
		semantic.First, semantic.Last, semantic.Any, semantic.All:
		l.Reducer = string(reducer)
	default:
		r.refuseModel(m.Name, text.Say("frameql.unknown_reducer", "reducer", string(reducer)))
		return nil
	}
	if l.Expr == nil && l.Reducer != "count" {
		r.refuseModel(m.Name, text.Say("frameql.no_expression"))
		return nil
	}
	if l.Zero = l.Reducer == "sum" || l.Reducer == "count"; own {
		l.Zero = hasZero(m, l.Reducer)
	} else {
		l.Name = string(reducer) + "_" + m.Name
	}
	if l.Reducer == "percentile" && !validFraction(l.Param) {
		r.refuseModel(m.Name, text.Say("frameql.bad_fraction", "value", l.Param))
		return nil
	}
	r.finishLeaf(&l, r.timeName(src.entity, m.Time))
	if own && l.Filter == nil && l.Map.Kind == "" || own && m.Filter != "" && len(st.filters) == 0 && st.input == nil {
		l.Metric = m.Name
	}
	if st.finer && l.Map.Kind != "" {
		r.refuse(nil, refusal("INVALID_WINDOW", "frameql.window_finer", "metric", m.Name), r.withoutWindows())
		return nil
	}
	cell := r.semiAdditive(m, l, st)
	if cell == nil {
		return nil
	}
	r.leafMetrics = append(r.leafMetrics, leafUse{m, l.Reducer, st.keys})
	unit := m.Unit
	if l.Reducer == "count" && !own {
		unit = ""
	}
	return withUnit(cell, unit)
}

// finishLeaf gives a leaf its time, its type and, where the order of rows decides, what tells equal times apart.
func (r *resolver) finishLeaf(l *compile.Leaf, time string) {
	if r.onTime != nil {
		time = r.onTime.fullName()
	}
	l.Time = r.timeOf(l.Source, time)
	if l.Time != nil {
		if first, last, known := r.coverage(time); known {
			l.CoverFrom, l.CoverTo = dayOf(first), dayOf(last).AddDate(0, 0, 1)
		}
	}
	switch l.Reducer {
	case "count":
		l.Type = semantic.Integer
	case "avg", "median", "stddev":
		l.Type = semantic.Float
	case "percentile":
		if l.Type = semantic.Float; l.Discrete {
			l.Type = l.Expr.Type
		}
	default:
		l.Type = l.Expr.Type
	}
	if l.Reducer == "first" || l.Reducer == "last" {
		src := r.sources[l.Source]
		for _, k := range src.entity.Key {
			if dim := dimensionOf(src.entity, k); dim != nil {
				l.Tie = append(l.Tie, r.value(src, 0, dim))
			}
		}
	}
}

// entitySource gives the source of a leaf's entity; -1 when it is not known, which is told already.
func (r *resolver) entitySource(name string) int {
	e := r.entity(name)
	for i, s := range r.sources {
		if s.entity == e {
			return i
		}
	}
	return -1
}

// leafFilter binds the filters of a stand over the rows of a source.
func (r *resolver) leafFilter(s int, st stand) (*scalar, bool) {
	var whole *scalar
	ok := true
	for _, p := range st.filters {
		r.within([]*source{r.sources[s]}, func() {
			c := r.condition(p)
			if c == nil {
				ok = false
				return
			}
			whole = and(whole, c[0])
		})
	}
	return whole, ok
}
