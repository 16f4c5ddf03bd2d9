package frameql

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// reduced binds a reducer over rows, over a declared metric or over dimensions.
func (r *resolver) reduced(e *Expr) *scalar {
	filter, ok := r.filterOf(e)
	if !ok {
		return nil
	}
	switch {
	case !readyReducers[e.Reduce] || len(e.Params) > 0: // told as NOT_YET
		if e.Of != nil {
			r.touch(e.Of)
		}
		return nil
	case e.Star && (e.Reduce != "count" || e.Dist):
		r.refuseReducer(e, "*", "count")
		return nil
	case e.Star:
		if r.fact == nil {
			return nil
		}
		return r.addLeaf(leaf{reducer: "count", filter: filter, zero: true}, "count")
	case e.Of.At != nil || e.Of.Fn != "" || e.Of.Op == "at" || e.Of.Filter != nil || e.Of.Reduce != "": // told as NOT_YET
		r.touch(e.Of)
		return nil
	}
	if m := r.metric(e.Of.Metric); m != nil {
		return r.reducedMetric(e, m, filter)
	}
	return r.reducedRows(e, filter)
}

// readyReducers are the reducers that this resolver can do.
var readyReducers = map[string]bool{"sum": true, "avg": true, "min": true, "max": true, "count": true, "median": true}

// touch looks at the names of an expression that cannot be done yet, so that an unknown one is told too.
func (r *resolver) touch(e *Expr) {
	e.eachName(func(name, grain *string) {
		d := Dim{Name: *name}
		if grain != nil {
			d.Grain = *grain
		}
		if r.metric(*name) == nil && len(r.meanings(d)) == 0 && !timeGrains[strings.ToUpper(*name)] && !r.defined[strings.ToLower(*name)] {
			r.refuseUnknown(d, e, forGrain)
		}
	})
}

// sameReducer says whether a reducer over a metric asks for what the metric does anyway. A sum over counts is the count.
func sameReducer(e *Expr, m *semantic.Metric) bool {
	switch m.Reducer {
	case semantic.CountDistinct:
		return e.Reduce == "count"
	case semantic.Count:
		return (e.Reduce == "count" || e.Reduce == "sum") && !e.Dist
	}
	return e.Reduce == string(m.Reducer) && !e.Dist
}

// reducedMetric asks for a reducer of a declared metric. Values that the metric takes from rows may be averaged or
// compared; results of a division, distinct counts and averages may not be added.
func (r *resolver) reducedMetric(e *Expr, m *semantic.Metric, filter *scalar) *scalar {
	e.Of.Metric = m.Name
	r.usedMetrics[m.Name] = true
	rows := strings.TrimSpace(m.Expr) == "*" || m.Expr == ""
	switch {
	case m.Kind == semantic.Ratio || m.Kind == semantic.Derived || m.Kind == semantic.Cumulative:
	case sameReducer(e, m):
		if r.fact == nil {
			return nil
		}
		return r.declaredLeaf(m, m.Reducer, filter)
	case m.Reducer == semantic.Count || m.Reducer == semantic.CountDistinct || rows:
	case e.Reduce == "sum" && additivityOf(m) != "additive":
	case e.Dist && e.Reduce != "min" && e.Reduce != "max":
	default:
		if r.fact == nil {
			return nil
		}
		return r.declaredLeaf(m, semantic.Reducer(e.Reduce), filter)
	}
	r.refuseReducer(e, m.Name, m.Name)
	return nil
}

// reducedRows aggregates an expression over the columns of each row.
func (r *resolver) reducedRows(e *Expr, filter *scalar) *scalar {
	var nodes []int
	s, ok := r.rowExpr(e.Of, &nodes)
	if !ok || r.fact == nil {
		return nil
	}
	repeats := e.Reduce == "sum" || e.Reduce == "avg" || e.Reduce == "median" || e.Reduce == "count"
	own := len(nodes) == 0
	for _, n := range nodes {
		own = own || n == 0
	}
	if repeats && !e.Dist && !own {
		r.refuseRepeated(e, r.nodes[nodes[0]].entity)
		return nil
	}
	if e.Reduce == "sum" && bareMetric(e.Of) && r.neverSummed(e.Of.Metric) {
		r.refuseSumOfRate(e)
		return nil
	}
	if numeric := e.Reduce == "sum" || e.Reduce == "avg" || e.Reduce == "median"; numeric && s.typ != "" && !s.typ.Numeric() {
		r.refuseNotNumeric(e, s.typ)
		return nil
	}
	l := leaf{
		reducer: e.Reduce, distinct: e.Dist && e.Reduce != "min" && e.Reduce != "max", expr: s, filter: filter,
		zero: e.Reduce == "sum" || e.Reduce == "count",
	}
	name := e.Of.Metric[strings.LastIndexByte(e.Of.Metric, '.')+1:]
	return r.addLeaf(l, strings.Trim(e.Reduce+"_"+name, "_"))
}

// neverSummed says whether the model calls a dimension a price, a rate or an amount that repeats.
func (r *resolver) neverSummed(qualified string) bool {
	d := r.env.Model.Dimension(qualified)
	return d != nil && d.NonAdditive
}

// rowExpr binds an expression over dimensions, noting the nodes that it reads.
func (r *resolver) rowExpr(e *Expr, nodes *[]int) (*scalar, bool) {
	switch {
	case e.Num != "":
		return numberLiteral(e.Num), true
	case e.Op != "" && e.Op != "at" && e.At == nil:
		var whole *scalar
		ok := true
		for _, a := range e.Args {
			s, fine := r.rowExpr(a, nodes)
			switch {
			case !fine:
				ok = false
			case whole == nil:
				whole = s
			default:
				whole = arithmetic(e.Op, whole, s)
			}
		}
		return whole, ok
	case !bareMetric(e):
		r.refuseReducer(e, e.String(), "")
		return nil, false
	}
	if m := r.metric(e.Metric); m != nil {
		r.refuseReducer(e, m.Name, m.Name)
		return nil, false
	}
	b, ok := r.dimension(dotted{segments: strings.Split(e.Metric, ".")}.dim(), e, forGrain)
	if !ok {
		return nil, false
	}
	e.Metric = b.name.Name
	if b.grain != "" {
		e.Metric += "." + b.grain
	}
	*nodes = append(*nodes, b.node)
	keys := r.keyRefs(b)
	if len(keys) != 1 {
		r.refuseNotYetNamed(text.Say("frameql.composite_key", "name", b.entity.Name), edit{})
		return nil, false
	}
	return r.cut(keys[0]), true
}
