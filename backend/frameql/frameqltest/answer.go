package frameqltest

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
)

// Result is what a query gives.
type Result struct {
	Columns []string
	Rows    [][]any
	Totals  int // the last rows are total rows; those of one grain may stand in any order
}

// ErrUnsure is the error of Answer where the last digits of a floating number decide what the result is.
var ErrUnsure error = unsure{}

// Answer gives the result of a query by the definitions. Names in the query are those of canonical text.
func (w *World) Answer(q *frameql.Query) (result *Result, err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case outside:
			err = x
		case unsure:
			err = ErrUnsure
		default:
			panic(x)
		}
	}()
	return newEvaluation(w, q).answer(), nil
}

func newEvaluation(w *World, q *frameql.Query) *evaluation {
	w = w.asked(q)
	v := &evaluation{
		w: w, q: defined(q.Clone()), leaves: map[string]*leaf{}, axes: map[string]bool{},
		tops: map[*frameql.Pred]map[string]bool{}, passed: map[string][]place{},
	}
	for i := range v.q.Select { // a bare name is read as a dimension
		it := &v.q.Select[i]
		if it.Dim != nil && it.Dim.Grain == "" && w.Model.Metric(it.Dim.Name) != nil {
			it.Expr, it.Dim = metricOf(it.Dim.Name), nil
		}
	}
	v.readCalendar()
	v.readUnits(reflect.ValueOf(v.q))
	v.contexts = []*context{{active: conjuncts(v.q.Where)}}
	if v.q.Time != nil {
		v.contexts[0].period, _ = v.cal.period(v.q.Time.Period, w.Now)
	}
	v.findAxes()
	if v.q.At != nil {
		v.grain = v.keysOf(v.q.At.Dims)
	} else {
		v.grain = v.keysOf(shownDims(v.q))
	}
	v.widenGrain()
	v.asked = v.grain
	v.grain = slices.DeleteFunc(slices.Clone(v.grain), func(k key) bool { return v.partFollows(k, v.grain) }) // it is read off the buckets
	v.readComparands()
	return v
}

func (v *evaluation) readCalendar() {
	m := v.w.Model
	start, name := m.Workspace.WeekStart, m.Workspace.Calendar
	for _, o := range v.q.Options {
		switch o.Name {
		case "week_start":
			start = o.Value.Text
		case "calendar":
			name = o.Value.Text
		}
	}
	v.cal = calendar{weekStart: time.Monday}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if len(start) >= 3 && strings.EqualFold(d.String()[:3], start[:3]) {
			v.cal.weekStart = d
		}
	}
	c := m.Calendar(name)
	if c == nil && name == "" && len(m.Calendars) == 1 {
		c = &m.Calendars[0]
	}
	if c != nil {
		v.cal.fiscal, v.cal.labelEnd, v.cal.buckets = c.StartMonth, c.LabelYear != "start", v.w.unitsOf(c)
	}
}

// defined puts the definitions of WITH in the place of their names. A definition may use the ones before it.
func defined(q *frameql.Query) *frameql.Query {
	defs := map[string]*frameql.Expr{}
	var replace func(e *frameql.Expr) *frameql.Expr
	replace = func(e *frameql.Expr) *frameql.Expr {
		if e == nil {
			return nil
		}
		if d := defs[strings.ToLower(e.Metric)]; d != nil && e.Metric != "" {
			if e.Filter == nil && e.At == nil {
				return d
			}
			return &frameql.Expr{Op: "+", Args: []*frameql.Expr{d}, Filter: e.Filter, At: e.At}
		}
		e.Of = replace(e.Of)
		for i := range e.Args {
			e.Args[i] = replace(e.Args[i])
		}
		return e
	}
	for _, d := range q.With {
		defs[strings.ToLower(d.Name)] = replace(d.Expr)
	}
	for i := range q.Select {
		it := &q.Select[i]
		if it.Dim != nil && it.Dim.Grain == "" {
			if d := defs[strings.ToLower(it.Dim.Name)]; d != nil {
				if it.As == "" {
					it.As = it.Dim.Name
				}
				it.Expr, it.Dim = d, nil
				continue
			}
		}
		if it.Expr != nil && it.As == "" && defs[strings.ToLower(it.Expr.Metric)] != nil && it.Expr.Metric != "" {
			it.As = it.Expr.Metric
		}
		it.Expr = replace(it.Expr)
	}
	key := func(k *frameql.Key) {
		if d := defs[strings.ToLower(k.Out)]; d != nil && k.Expr == nil {
			k.Expr, k.Out = d, ""
			return
		}
		k.Expr = replace(k.Expr)
	}
	if q.Top != nil {
		key(&q.Top.By)
	}
	for i := range q.Order {
		key(&q.Order[i].Key)
	}
	var preds func(p *frameql.Pred)
	preds = func(p *frameql.Pred) {
		if p == nil {
			return
		}
		if d := defs[strings.ToLower(p.Out)]; d != nil && p.Out != "" {
			p.Left, p.Out = d, ""
		}
		p.Left, p.Expr = replace(p.Left), replace(p.Expr)
		preds(p.Not)
		preds(p.Pred)
		for _, c := range slices.Concat(p.And, p.Or) {
			preds(c)
		}
	}
	preds(q.Where)
	preds(q.Having)
	return q
}

// line is one row of the result on its way.
type line struct {
	scope scope
	rank  int // of TOP
	other bool
	total bool
	cells []any
}

func (v *evaluation) answer() *Result {
	outs := v.outputs()
	numbers := v.numbers()
	for _, o := range outs {
		if o.expr != nil {
			numbers = append(numbers, o.expr)
		}
	}
	if len(numbers) == 0 {
		v.frame = v.listing()
	} else {
		v.giving = v.frameUses(outs, numbers)
		v.frame = v.groups(v.grain, v.giving)
		v.fill()
	}
	var lines []*line
	for _, g := range v.frame {
		lines = append(lines, &line{scope: scope{keys: v.grain, vals: g.vals, ctx: v.contexts[0], added: g.added}})
	}
	if v.q.Having != nil {
		lines = slices.DeleteFunc(lines, func(l *line) bool { return v.having(v.q.Having, l, outs) != yes })
	}
	lines = v.top(lines, outs)
	for _, l := range lines {
		v.show(l, outs)
	}
	v.sort(lines, outs)
	lines = v.limited(lines)
	totals := v.totals(outs)
	result := &Result{Totals: len(totals)}
	for _, o := range outs {
		result.Columns = append(result.Columns, o.name)
	}
	flags := v.q.Top != nil && v.q.Top.Other
	if flags {
		result.Columns = append(result.Columns, "is_other")
	}
	if len(v.q.Totals) > 0 {
		result.Columns = append(result.Columns, "is_total")
	}
	for _, l := range append(lines, totals...) {
		row := l.cells
		if flags {
			row = append(row, l.other)
		}
		if len(v.q.Totals) > 0 {
			row = append(row, l.total)
		}
		result.Rows = append(result.Rows, row)
	}
	return result
}

// frameUses gives the leaves whose groups are the rows: those of SELECT, HAVING and ORDER BY, and where these hold none
// that of TOP, which is computed at the grain of the members.
func (v *evaluation) frameUses(outs []output, numbers []*frameql.Expr) []use {
	var uses []use
	add := func(e *frameql.Expr) { uses = append(uses, v.usesOf(e, use{ctx: v.contexts[0], adds: true})...) }
	for _, o := range outs {
		if o.expr != nil {
			add(o.expr)
		}
	}
	rest := *v.q
	rest.Select, rest.Top = nil, nil
	for _, e := range expressions(&rest) {
		if e.Metric == "" || v.w.Model.Metric(e.Metric) != nil && !named(outs, e.Metric) {
			add(e)
		}
	}
	if len(uses) == 0 {
		for _, e := range numbers {
			add(e)
		}
	}
	return uses
}

// named says whether a column is called so.
func named(outs []output, name string) bool {
	return slices.ContainsFunc(outs, func(o output) bool { return strings.EqualFold(o.name, name) })
}

// listing gives the distinct values of dimensions; one row for each member where the grain names an entity.
func (v *evaluation) listing() []*group {
	e := v.fact()
	l := &leaf{name: "listing", source: e, reducer: "count", time: v.timeOf(e, "")}
	return v.groups(v.grain, []use{{leaf: l, ctx: v.contexts[0], adds: true}})
}

func (v *evaluation) show(l *line, outs []output) {
	for _, o := range outs {
		switch {
		case o.expr == nil:
			l.cells = append(l.cells, v.determined(o.key, l.scope))
		case l.total:
			l.cells = append(l.cells, v.totalCell(o.expr, l.scope))
		default:
			l.cells = append(l.cells, v.shown(o, l.scope))
		}
	}
}

// cell gives what a name in HAVING or a sort key says about a row: an output, a metric or a dimension.
func (v *evaluation) cell(name, grain string, l scope, outs []output) any {
	if grain != "" {
		name += "." + grain
	}
	for _, o := range outs {
		if o.name != "" && strings.EqualFold(o.name, name) {
			if o.expr != nil {
				return v.shown(o, l)
			}
			return v.determined(o.key, l)
		}
	}
	if v.w.Model.Metric(name) != nil {
		return v.shown(output{expr: metricOf(name)}, l)
	}
	d := frameql.Dim{Name: name}
	if i := strings.LastIndexByte(name, '.'); i > 0 && v.cal.isUnit(name[i+1:]) {
		d = frameql.Dim{Name: name[:i], Grain: name[i+1:]}
	}
	keys := v.keysOfDim(d)
	if len(keys) != 1 {
		panic(outside{"composite key " + name})
	}
	return v.determined(keys[0], l)
}

func (v *evaluation) having(p *frameql.Pred, l *line, outs []output) truth {
	each := func(all []*frameql.Pred) []truth {
		var ts []truth
		for _, c := range all {
			ts = append(ts, v.having(c, l, outs))
		}
		return ts
	}
	switch {
	case len(p.And) > 0:
		return allOf(each(p.And))
	case len(p.Or) > 0:
		return anyOf(each(p.Or))
	case p.Not != nil:
		return v.having(p.Not, l, outs).not()
	}
	var left any
	if p.Left != nil {
		left = v.shown(output{expr: p.Left}, l.scope)
	} else {
		left = v.cell(p.Out, "", l.scope, outs)
	}
	switch {
	case p.Expr != nil:
		return compare(sign(p.Op), left, v.shown(output{expr: p.Expr}, l.scope))
	case p.ValDim != nil:
		return compare(sign(p.Op), left, v.cell(p.ValDim.Name, p.ValDim.Grain, l.scope, outs))
	}
	return v.test(p, left, true)
}

// sort puts rows in the order of the query; Other rows after the members, of their PER where it orders.
func (v *evaluation) sort(lines []*line, outs []output) {
	perFirst := len(v.q.Order) == 0 && v.q.Top != nil && v.q.Top.Per != nil
	var per []key
	if perFirst {
		per = v.keysOfDim(*v.q.Top.Per)
	}
	keys := map[*line][]any{}
	for _, l := range lines {
		for _, o := range v.q.Order {
			if o.Expr != nil {
				keys[l] = append(keys[l], v.shown(output{expr: o.Expr}, l.scope))
			} else {
				keys[l] = append(keys[l], v.cell(o.Out, "", l.scope, outs))
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b *line) int {
		for _, k := range per {
			x, _ := a.scope.at(k)
			y, _ := b.scope.at(k)
			if c := orderNullsLast(x, y, false); c != 0 {
				return c
			}
		}
		if a.other != b.other {
			if b.other {
				return -1
			}
			return 1
		}
		for i, o := range v.q.Order {
			if c := orderSure(keys[a][i], keys[b][i], o.Desc); c != 0 {
				return c
			}
		}
		if len(v.q.Order) == 0 && a.rank != b.rank {
			return a.rank - b.rank
		}
		for _, k := range v.order() {
			if c := orderNullsLast(v.determined(k, a.scope), v.determined(k, b.scope), false); c != 0 {
				return c
			}
		}
		return 0
	})
}

// order gives the dimensions by which rows are sorted that nothing else sorts: as they were asked for, also the parts of dates that
// are read off the buckets.
func (v *evaluation) order() []key {
	if v.q.Top != nil {
		return v.grain
	}
	return v.asked
}

func (v *evaluation) limited(lines []*line) []*line {
	if v.q.Limit == nil {
		return lines
	}
	from := min(v.q.Offset, len(lines))
	return lines[from:min(from+*v.q.Limit, len(lines))]
}
