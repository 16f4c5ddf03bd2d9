package frameql

import (
	"strconv"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// reduced binds a reducer over rows, over a declared metric, or over the values of an expression at a finer grain.
func (r *resolver) reduced(e *Expr, st stand) *scalar {
	param, ok := r.fraction(e)
	if !ok {
		return nil
	}
	switch {
	case e.Dist && (e.Reduce == "median" || e.Reduce == "percentile" || e.Reduce == "stddev"):
		r.refuseDistinct(e)
		return nil
	case e.Star && (e.Reduce != "count" || e.Dist):
		r.refuseReducer(e, "*", "count")
		return nil
	case e.Star:
		return r.countRows(e, st)
	case e.Of.At != nil && e.Of.Fn == "":
		return r.twoLevels(e, param, st)
	case r.isRows(e.Of):
		return r.reducedRows(e, param, st)
	}
	if m := r.metric(e.Of.Metric); m != nil && r.refers[e.Of] == nil && e.Of.Filter == nil {
		return r.reducedMetric(e, m, param, st)
	}
	r.expr(e.Of, st)
	r.refuseInnerGrain(e)
	return nil
}

// fraction reads the parameter of PERCENTILE; no other reducer has one.
func (r *resolver) fraction(e *Expr) (string, bool) {
	switch {
	case e.Reduce == "percentile" && len(e.Params) == 1 && e.Params[0].Kind == Number && validFraction(e.Params[0].Text):
		return e.Params[0].Text, true
	case e.Reduce != "percentile" && len(e.Params) == 0:
		return "", true
	}
	r.refuseParameter(e)
	return "", false
}

// validFraction says whether a text is a number from 0 to 1, without an exponent.
func validFraction(s string) bool {
	f, _ := strconv.ParseFloat(s, 64)
	return f <= 1 && isDecimal(s) && !strings.HasPrefix(s, "-")
}

// countRows binds COUNT(*).
func (r *resolver) countRows(e *Expr, st stand) *scalar {
	s, ok := r.rowSource[e]
	if !ok || s < 0 {
		return nil
	}
	filter, ok := r.leafFilter(s, st)
	if !ok {
		return nil
	}
	l := compile.Leaf{Source: s, Reducer: "count", Filter: filter, Zero: true, Name: "count"}
	r.finishLeaf(&l, r.rowTimeName(s))
	return r.leafCell(l, st)
}

// sameReducer says whether a reducer over a metric asks for what the metric does anyway. A sum over counts is the count.
func sameReducer(e *Expr, m *semantic.Metric) bool {
	switch m.Reducer {
	case semantic.CountDistinct:
		return e.Reduce == "count"
	case semantic.Count:
		return (e.Reduce == "count" || e.Reduce == "sum") && !e.Dist
	case semantic.Percentile:
		return len(e.Params) == 1 && e.Params[0].Text == m.Percentile
	}
	return e.Reduce == string(m.Reducer) && !e.Dist
}

// reducedMetric asks for a reducer of a declared metric. Values that the metric takes from rows may be averaged or
// compared; results of a division, distinct counts and averages may not be added, and levels not over time.
func (r *resolver) reducedMetric(e *Expr, m *semantic.Metric, param string, st stand) *scalar {
	e.Of.Metric = m.Name
	r.useMetric(m, st.keys)
	rows := strings.TrimSpace(m.Expr) == "*" || m.Expr == ""
	_, level := m.SemiAdditive()
	switch {
	case !leafy(m):
	case e.Reduce == "sum" && level:
		r.refuseSemiAdditive(e, m)
		return nil
	case sameReducer(e, m):
		return r.declaredLeaf(m, m.Reducer, m.Percentile, st)
	case m.Reducer == semantic.Count || m.Reducer == semantic.CountDistinct || rows:
	case e.Reduce == "sum" && additivityOf(m) != "additive":
	case e.Dist && e.Reduce != "min" && e.Reduce != "max":
	default:
		return r.reducedAgain(e, m, param, st)
	}
	r.refuseReducer(e, m.Name, m.Name)
	return nil
}

// reducedAgain reduces the values that a metric takes from rows by another reducer, which must fit them.
func (r *resolver) reducedAgain(e *Expr, m *semantic.Metric, param string, st stand) *scalar {
	s := r.declaredLeaf(m, semantic.Reducer(e.Reduce), param, st)
	if s == nil {
		return nil
	}
	switch t := r.leaves[s.Index].Expr.Type; {
	case (e.Reduce == "any" || e.Reduce == "all") && t != "" && t != semantic.Boolean:
		r.refuseNotBoolean(e, t)
		return nil
	case addsNumbers(e.Reduce) && t != "" && !t.Numeric():
		r.refuseNotNumeric(e, t)
		return nil
	}
	return s
}

func addsNumbers(reducer string) bool {
	switch reducer {
	case "sum", "avg", "median", "percentile", "stddev":
		return true
	}
	return false
}

// reducedRows aggregates an expression over the columns of each row.
func (r *resolver) reducedRows(e *Expr, param string, st stand) *scalar {
	s, ok := r.rowSource[e]
	if !ok || s < 0 {
		r.rowsUnread(e.Of)
		return nil
	}
	if cell, members := r.memberCount(e, s, st); members {
		return cell
	}
	var nodes []int
	var x *scalar
	r.within([]*source{r.sources[s]}, func() { x, ok = r.rowExpr(e.Of, &nodes) })
	if !ok {
		return nil
	}
	filter, ok := r.leafFilter(s, st)
	if !ok {
		return nil
	}
	own := len(nodes) == 0
	for _, n := range nodes {
		own = own || n == 0
	}
	insensitive := e.Dist || e.Reduce == "min" || e.Reduce == "max" || e.Reduce == "any" || e.Reduce == "all"
	switch {
	case !insensitive && !own:
		r.refuseRepeated(e, s, r.sources[s].nodes[nodes[0]].entity)
		return nil
	case e.Reduce == "sum" && r.neverSummed(e.Of.Metric):
		r.refuseSumOfRate(e)
		return nil
	case addsNumbers(e.Reduce) && r.namesThings(e.Of.Metric):
		r.refuseOfIdentifier(e)
		return nil
	case addsNumbers(e.Reduce) && x.Type != "" && !x.Type.Numeric():
		r.refuseNotNumeric(e, x.Type)
		return nil
	case (e.Reduce == "any" || e.Reduce == "all") && x.Type != "" && x.Type != semantic.Boolean:
		r.refuseNotBoolean(e, x.Type)
		return nil
	}
	l := compile.Leaf{
		Source: s, Reducer: e.Reduce, Expr: x, Filter: filter, Param: param, Zero: e.Reduce == "sum" || e.Reduce == "count",
		Distinct: e.Dist && (e.Reduce == "count" || e.Reduce == "sum" || e.Reduce == "avg"),
		Name:     strings.Trim(e.Reduce+"_"+e.Of.Metric[strings.LastIndexByte(e.Of.Metric, '.')+1:], "_"),
	}
	r.finishLeaf(&l, r.rowTimeName(s))
	if (l.Reducer == "first" || l.Reducer == "last") && l.Time == nil {
		r.refuseNoTime(s, e, "")
		return nil
	}
	return r.leafCell(l, st)
}

// rowsUnread looks at the names of columns whose rows are not known.
func (r *resolver) rowsUnread(e *Expr) {
	if def := r.refers[e]; def != nil {
		e = def
	}
	r.touch(e)
}

// memberCount binds COUNT of an entity: each of its members once. false: the reducer is another.
func (r *resolver) memberCount(e *Expr, s int, st stand) (cell *scalar, ok bool) {
	if e.Reduce != "count" || !r.meansEntity(Dim{Name: e.Of.Metric}) {
		return nil, false
	}
	b, found := r.dimensionFor(Dim{Name: e.Of.Metric}, e, forFilter, []int{s})
	if !found {
		return nil, true
	}
	if b.dim != nil {
		return nil, false
	}
	e.Of.Metric = b.name.Name
	refs := r.keyRefs(b)
	if len(refs) == 0 {
		r.refuseNoKey(b, e)
		return nil, true
	}
	filter, fine := r.leafFilter(s, st)
	if !fine {
		return nil, true
	}
	l := compile.Leaf{Source: s, Reducer: "count", Filter: filter, Name: "count_" + b.entity.Name}
	r.finishLeaf(&l, r.rowTimeName(s))
	if len(refs) == 1 {
		l.Expr, l.Distinct, l.Zero = r.on(refs[0], s), true, true
		return r.leafCell(l, st), true
	}
	var keys []int
	for _, k := range refs { // the groups of the key's columns that have rows, in each row: also of totals
		l.Filter = and(l.Filter, isTrue("not_null", r.on(k, s)))
		keys = withKey(keys, r.addKey(k))
	}
	return &scalar{Op: "reduce", Text: "count", Args: []*scalar{r.leafCell(l, st)}, Keys: keys, Type: semantic.Integer}, true
}

// neverSummed says whether the model calls a dimension a price, a rate or an amount that repeats.
func (r *resolver) neverSummed(qualified string) bool {
	all := r.meanings(Dim{Name: qualified})
	return len(all) == 1 && all[0].dim != nil && all[0].dim.NonAdditive
}

// namesThings says whether the model calls a dimension an identifier.
func (r *resolver) namesThings(qualified string) bool {
	all := r.meanings(Dim{Name: qualified})
	return len(all) == 1 && all[0].dim != nil && all[0].dim.Identifier
}

// daysBetween binds the difference of two dates of a row: the whole days from the second to the first.
func (r *resolver) daysBetween(e *Expr, nodes *[]int) (*scalar, bool) {
	if e.Op != "-" || len(e.Args) != 2 || !r.isDate(e.Args[0]) || !r.isDate(e.Args[1]) {
		return nil, false
	}
	later, ok1 := r.rowExpr(e.Args[0], nodes)
	earlier, ok2 := r.rowExpr(e.Args[1], nodes)
	if !ok1 || !ok2 || !later.Type.Temporal() || !earlier.Type.Temporal() {
		return nil, false
	}
	return &scalar{Op: "call", Text: "date_diff", Args: []*scalar{{Op: "str", Text: "day", Type: semantic.Text}, earlier, later}, Type: semantic.Integer}, true
}

// isDate says whether an expression over rows is a dimension that holds dates.
func (r *resolver) isDate(e *Expr) bool {
	if def := r.refers[e]; def != nil {
		return r.isDate(def)
	}
	if e.Metric == "" {
		return false
	}
	all := r.meanings(dotted{segments: strings.Split(e.Metric, ".")}.dim())
	return len(all) == 1 && all[0].dim != nil && (all[0].dim.Type == semantic.Date || all[0].dim.Type == semantic.Timestamp)
}

// rowExpr binds an expression over dimensions, noting the nodes that it reads.
func (r *resolver) rowExpr(e *Expr, nodes *[]int) (*scalar, bool) {
	switch {
	case r.refers[e] != nil:
		return r.rowExpr(r.refers[e], nodes)
	case e.Num != "":
		return numberLiteral(e.Num), true
	case e.Op != "":
		if days, ok := r.daysBetween(e, nodes); ok {
			return days, true
		}
		var whole *scalar
		ok := true
		for _, a := range e.Args {
			s, fine := r.rowExpr(a, nodes)
			switch {
			case !fine || ok && !r.countable(e, s): // said once
				ok = false
			case whole == nil:
				whole = s
			default:
				whole = arithmetic(e.Op, whole, s)
			}
		}
		return whole, ok
	}
	b, ok := r.dimension(dotted{segments: strings.Split(e.Metric, ".")}.dim(), e, forFilter)
	if !ok {
		return nil, false
	}
	e.Metric = b.name.dottedName()
	*nodes = append(*nodes, max(b.at[0], 0))
	keys := r.keyRefs(b)
	if len(keys) != 1 {
		r.refuseNoKey(b, e)
		return nil, false
	}
	return r.on(keys[0], 0), true
}
