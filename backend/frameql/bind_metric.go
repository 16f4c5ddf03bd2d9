package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// expr binds a metric expression over the columns of the grouped result; nil after a refusal.
func (r *resolver) expr(e *Expr) *scalar {
	switch {
	case e.Fn != "" || e.At != nil || e.Op == "at": // told as NOT_YET; names inside are still looked at
		if e.Of != nil {
			r.expr(e.Of)
		}
		for _, a := range e.Args {
			r.expr(a)
		}
		return nil
	case e.Num != "":
		return numberLiteral(e.Num)
	case e.Op != "":
		return r.operation(e)
	case e.Reduce != "":
		return r.reduced(e)
	}
	m := r.metric(e.Metric)
	if m == nil {
		r.refuseNotMetric(e)
		return nil
	}
	e.Metric = m.Name
	filter, ok := r.filterOf(e)
	if !ok || r.fact == nil {
		return nil
	}
	return r.metricValue(m, filter, 0)
}

func (r *resolver) operation(e *Expr) *scalar {
	var whole *scalar
	failed := false
	for _, a := range e.Args {
		s := r.expr(a)
		switch {
		case s == nil:
			failed = true
		case whole == nil:
			whole = s
		default:
			if (e.Op == "+" || e.Op == "-") && whole.unit != "" && s.unit != "" && !strings.EqualFold(whole.unit, s.unit) {
				r.refuseUnits(e, whole.unit, s.unit)
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

// filterOf binds FILTER (WHERE ...); nil and true when there is none.
func (r *resolver) filterOf(e *Expr) (*scalar, bool) {
	if e.Filter == nil {
		return nil, true
	}
	e.Filter = flattened(e.Filter)
	s := r.condition(e.Filter)
	return s, s != nil
}

// metricValue gives a declared metric; a filter applies to every leaf under it.
func (r *resolver) metricValue(m *semantic.Metric, filter *scalar, depth int) *scalar {
	r.usedMetrics[m.Name] = true
	if depth > maxModelDepth {
		r.refuseModel(m.Name, text.Say("frameql.defined_by_itself"))
		return nil
	}
	var s *scalar
	switch m.Kind {
	case semantic.Ratio:
		num, den := r.part(m, m.Numerator, filter, depth), r.part(m, m.Denominator, filter, depth)
		if num == nil || den == nil {
			return nil
		}
		s = arithmetic("/", num, den)
	case semantic.Derived:
		e, err := semantic.ParseExpr(m.Expr)
		if err != nil {
			r.refuseModel(m.Name, messageOf(err))
			return nil
		}
		if s = r.derived(m, e, filter, depth); s == nil {
			return nil
		}
	case semantic.Cumulative:
		r.refuseNotYetNamed(text.Say("frameql.cumulative_metric", "name", m.Name), r.without(m.Name))
		return nil
	default:
		return r.declaredLeaf(m, m.Reducer, filter)
	}
	c := *s
	c.unit = m.Unit
	return &c
}

func (r *resolver) part(m *semantic.Metric, name string, filter *scalar, depth int) *scalar {
	p := r.metric(name)
	if p == nil {
		r.refuseModel(m.Name, text.Say("frameql.no_metric", "name", name))
		return nil
	}
	return r.metricValue(p, filter, depth+1)
}

func (r *resolver) derived(m *semantic.Metric, e *semantic.Expr, filter *scalar, depth int) *scalar {
	failed := false
	var bind func(e *semantic.Expr) *scalar
	bind = func(e *semantic.Expr) *scalar {
		s := &scalar{op: "null"}
		if e.Op != "ident" {
			s = bindTree(e, bind)
		} else if v := r.part(m, e.Name, filter, depth); v != nil {
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

// declaredLeaf adds the aggregate of a leaf metric, with its own reducer or another.
func (r *resolver) declaredLeaf(m *semantic.Metric, reducer semantic.Reducer, filter *scalar) *scalar {
	l := leaf{filter: filter}
	if m.Filter != "" {
		l.filter = and(r.rowText(m.Filter, 0, m.Name, 0), filter)
	}
	if e := strings.TrimSpace(m.Expr); e != "*" && e != "" {
		l.expr = r.rowText(e, 0, m.Name, 0)
	}
	switch reducer {
	case semantic.Sum, semantic.Avg, semantic.Min, semantic.Max, semantic.Median, semantic.Count:
		l.reducer = string(reducer)
	case semantic.CountDistinct:
		l.reducer, l.distinct = "count", true
	default:
		r.refuseModel(m.Name, text.Say("frameql.unknown_reducer", "reducer", string(reducer)))
		return nil
	}
	if l.expr == nil && l.reducer != "count" {
		r.refuseModel(m.Name, text.Say("frameql.no_expression"))
		return nil
	}
	if reducer == m.Reducer {
		l.zero = m.EmptyIs == "zero" || m.EmptyIs == "" && (l.reducer == "sum" || l.reducer == "count")
		if filter == nil {
			l.metric = m.Name
		}
	} else {
		l.zero = l.reducer == "sum" || l.reducer == "count"
	}
	r.leafMetrics = append(r.leafMetrics, leafUse{m, l.reducer})
	alias := m.Name
	if reducer != m.Reducer {
		alias = string(reducer) + "_" + m.Name
	}
	s := r.addLeaf(l, alias)
	s.unit = m.Unit
	if l.reducer == "count" && reducer != m.Reducer {
		s.unit = ""
	}
	return s
}

// leafUse is a declared leaf with the reducer that it is used with.
type leafUse struct {
	metric  *semantic.Metric
	reducer string
}

// addLeaf adds an aggregate once and gives its column.
func (r *resolver) addLeaf(l leaf, alias string) *scalar {
	i := slices.IndexFunc(r.bound.leaves, func(o leaf) bool { return o.signature() == l.signature() })
	if i < 0 {
		l.alias = alias
		r.bound.leaves = append(r.bound.leaves, l)
		i = len(r.bound.leaves) - 1
	}
	s := &scalar{op: "leaf", index: i}
	switch l.reducer {
	case "count":
		s.typ = semantic.Integer
	case "avg", "median", "stddev":
		s.typ = semantic.Float
	default:
		s.typ = l.expr.typ
	}
	if l.expr != nil && l.reducer != "count" {
		s.unit = l.expr.unit
	}
	return s
}

// describe gives the column of a metric expression.
func (r *resolver) describe(e *Expr, s *scalar) Column {
	c := Column{Role: RoleMetric, Type: string(s.typ), Unit: s.unit, Name: "value", Label: text.Say("frameql.label_value"), Additivity: "none"}
	if m := r.metric(e.Metric); m != nil {
		c.Name, c.Label, c.Metric, c.Additivity = m.Name, labelOf(m.Label, m.Name), m.Name, additivityOf(m)
		if e.Filter != nil {
			c.Name, c.Label = c.Name+"_filtered", text.Say("frameql.label_filtered", "name", c.Label)
		}
		return c
	}
	if e.Reduce == "" {
		return c
	}
	if e.Star {
		c.Name, c.Additivity = "count", "additive"
		c.Label = text.Say("frameql.label_count_rows", "name", strings.ToLower(labelOf(r.fact.Label, r.fact.Name)))
		return c
	}
	name, label := "", ""
	if m := r.metric(e.Of.Metric); m != nil {
		if m.Kind != semantic.Ratio && m.Kind != semantic.Derived && sameReducer(e, m) {
			c.Name, c.Label, c.Metric, c.Additivity = m.Name, labelOf(m.Label, m.Name), m.Name, additivityOf(m)
			return c
		}
		name, label = m.Name, labelOf(m.Label, m.Name)
	} else if bareMetric(e.Of) {
		name = e.Of.Metric[strings.LastIndexByte(e.Of.Metric, '.')+1:]
		label = labelOf("", name)
		if all := r.meanings(Dim{Name: e.Of.Metric}); len(all) > 0 {
			label = labelOf(all[0].entity.Label, all[0].entity.Name)
			if all[0].dim != nil {
				label = labelOf(all[0].dim.Label, all[0].dim.Name)
			}
		}
	}
	key := e.Reduce
	if e.Dist {
		key += "_distinct"
	}
	c.Name = strings.Trim(key+"_"+name, "_")
	if name == "" {
		label = text.Say("frameql.label_value")
	}
	c.Label = text.Say("frameql.label_"+key, "name", strings.ToLower(label[:1])+label[1:])
	if e.Reduce == "sum" || e.Reduce == "count" && !e.Dist {
		c.Additivity = "additive"
	}
	return c
}

// additivityOf gives additive, semi or none.
func additivityOf(m *semantic.Metric) string {
	if d, _, _ := strings.Cut(m.Additivity.Default, "("); d != "" {
		return strings.TrimSpace(strings.ToLower(d))
	}
	leaf := m.Kind != semantic.Ratio && m.Kind != semantic.Derived && m.Kind != semantic.Cumulative
	if leaf && (m.Reducer == semantic.Sum || m.Reducer == semantic.Count) {
		return "additive"
	}
	return "none"
}
