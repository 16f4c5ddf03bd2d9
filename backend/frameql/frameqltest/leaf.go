package frameqltest

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// leaf is one aggregate over the rows of a source.
type leaf struct {
	name     string
	source   *semantic.Entity
	reducer  string // sum avg min max count median percentile stddev first last any all
	distinct bool
	param    Number
	discrete bool
	value    func(place) any // nil: rows
	filter   func(place) truth
	time     *target // metric time; nil: none
	zero     bool
	semi     string   // last first: which snapshots count; avg min max: over the sums of dates; empty: not semi-additive
	per      []string // dimensions of the source
}

// overDates says whether the leaf is a reducer over the sums of dates.
func (l *leaf) overDates() bool { return l.semi == "avg" || l.semi == "min" || l.semi == "max" }

func (l *leaf) timeName() string {
	if l.time == nil {
		return ""
	}
	name := " at "
	for _, j := range l.time.path {
		name += j.To + "/" + j.Role + "/"
	}
	return name + l.time.dim
}

// metricLeaf makes the leaf of a declared metric, with its own reducer or another, under the filters of inputs.
func (v *evaluation) metricLeaf(m *semantic.Metric, reducer string, filters ...string) *leaf {
	id := "metric " + m.Name + " " + reducer + " " + strings.Join(filters, " & ")
	if l := v.leaves[id]; l != nil {
		return l
	}
	w := v.w
	e := w.Model.Entity(m.Entity)
	l := &leaf{name: id, source: e, reducer: reducer, discrete: m.Discrete, time: v.timeOf(e, m.Time)}
	if m.Percentile != "" {
		l.param = Digits(m.Percentile)
	}
	if reducer == string(semantic.CountDistinct) {
		l.reducer, l.distinct = "count", true
	}
	if expr := strings.TrimSpace(m.Expr); expr != "*" && expr != "" {
		x := v.parsed(expr)
		l.value = func(p place) any { return w.evaluate(x, v.identOf(p)) }
	}
	if m.Filter != "" {
		filters = append([]string{m.Filter}, filters...)
	}
	l.filter = v.modelFilter(filters)
	l.zero = l.reducer == "sum" || l.reducer == "count"
	if reducer == string(m.Reducer) {
		if m.EmptyIs != "" {
			l.zero = m.EmptyIs == "zero" && l.zero || m.EmptyIs == "zero" && l.reducer != "min" && l.reducer != "max" && l.reducer != "avg"
		}
		l.semi, l.per = semiOf(m)
	}
	v.leaves[id] = l
	return l
}

func (v *evaluation) parsed(expr string) *semantic.Expr {
	x, err := semantic.ParseExpr(expr)
	if err != nil {
		panic(outside{err.Error()})
	}
	return x
}

func (v *evaluation) identOf(p place) func(string) any {
	return func(name string) any {
		if d := p.entity.Dimension(name); d != nil {
			return v.w.value(p, d.Name)
		}
		t, ok := v.w.reach(p.entity, name)
		if !ok || t.dim == "" {
			panic(outside{"name " + name})
		}
		return v.w.read(p, t, t.dim)
	}
}

// modelFilter is the condition of filters that the model writes: of a metric, and of the inputs of a derived one.
func (v *evaluation) modelFilter(filters []string) func(place) truth {
	if len(filters) == 0 {
		return nil
	}
	return func(p place) truth {
		var ts []truth
		for _, f := range filters {
			ts = append(ts, asTruth(v.w.evaluate(v.parsed(f), v.identOf(p))))
		}
		return allOf(ts)
	}
}

// semiOf reads "semi(last)" and "semi(last, per: [a, b])".
func semiOf(m *semantic.Metric) (pick string, per []string) {
	inner, ok := strings.CutPrefix(m.Additivity.Default, "semi(")
	if !ok {
		return "", nil
	}
	inner = strings.TrimSuffix(inner, ")")
	pick, rest, _ := strings.Cut(inner, ",")
	rest = strings.Trim(strings.TrimPrefix(strings.TrimSpace(rest), "per:"), " []")
	for _, p := range strings.Split(rest, ",") {
		if p = strings.TrimSpace(p); p != "" {
			per = append(per, p)
		}
	}
	return strings.TrimSpace(pick), per
}

// timeOf gives the metric time on a source: the one that is named, else the default of the entity.
func (v *evaluation) timeOf(e *semantic.Entity, name string) *target {
	if d := v.q.Time; d != nil && d.On != nil { // ON takes the place of every metric time
		t, ok := v.w.reach(e, d.On.Name)
		if !ok {
			panic(outside{"the time of ON from " + e.Name})
		}
		return &t
	}
	if name == "" {
		name = e.DefaultTime
	}
	if name == "" {
		return nil
	}
	if !strings.Contains(name, ".") {
		name = e.Name + "." + name
	}
	t, ok := v.w.reach(e, name)
	if !ok {
		panic(outside{"time " + name})
	}
	return &t
}

// onlyTime gives the time that the metrics of the query have on a source without a default time, when there is one.
func (v *evaluation) onlyTime(e *semantic.Entity) string {
	if e.DefaultTime != "" {
		return ""
	}
	var times []string
	for _, x := range expressions(v.q) {
		eachName(x, func(n string) {
			if m := v.w.Model.Metric(n); m != nil && strings.EqualFold(m.Entity, e.Name) && m.Time != "" && !slices.Contains(times, m.Time) {
				times = append(times, m.Time)
			}
		})
	}
	if len(times) == 1 {
		return times[0]
	}
	return ""
}

// columnLeaf makes the leaf of a reducer over columns or rows.
func (v *evaluation) columnLeaf(e *frameql.Expr) *leaf {
	id := e.String()
	if l := v.leaves[id]; l != nil {
		return l
	}
	l := &leaf{name: id, reducer: e.Reduce, distinct: e.Dist && e.Reduce != "min" && e.Reduce != "max", zero: e.Reduce == "sum" || e.Reduce == "count"}
	if len(e.Params) > 0 {
		l.param = Digits(e.Params[0].Text)
	}
	l.source = v.factOf(e)
	l.time = v.timeOf(l.source, v.onlyTime(l.source))
	if !e.Star {
		l.value = func(p place) any { return v.column(e.Of, p) }
		if t, ok := v.entityUnder(l.source, e.Of); ok { // COUNT(customers): distinct keys
			l.distinct = true
			l.value = func(p place) any {
				at := v.w.follow(p, t.path)
				if at.row < 0 {
					return nil
				}
				return Whole(int64(at.row))
			}
		}
	}
	v.leaves[id] = l
	return l
}

func (v *evaluation) entityUnder(source *semantic.Entity, e *frameql.Expr) (target, bool) {
	if e.Metric == "" {
		return target{}, false
	}
	t, ok := v.w.reach(source, e.Metric)
	return t, ok && t.dim == ""
}

// column computes an expression over the columns of a row.
func (v *evaluation) column(e *frameql.Expr, p place) any {
	switch {
	case e.Num != "":
		return Digits(e.Num)
	case e.Op != "" && e.Op != "at":
		out := v.column(e.Args[0], p)
		for _, a := range e.Args[1:] {
			out = arith(e.Op, out, v.column(a, p))
		}
		return out
	case e.Metric != "":
		name, grain := e.Metric, ""
		t, ok := v.w.reach(p.entity, name)
		if !ok {
			if i := strings.LastIndexByte(name, '.'); i > 0 {
				grain = name[i+1:]
				t, ok = v.w.reach(p.entity, name[:i])
			}
		}
		if !ok || t.dim == "" {
			panic(outside{"column " + name})
		}
		c := v.w.read(p, t, t.dim)
		if at, is := c.(time.Time); is && grain != "" {
			return v.cal.cut(at, grain)
		}
		return c
	}
	panic(outside{"expression over rows: " + e.String()})
}

// factOf says whose rows a reducer over columns reads: those of the finest entity that it names when it adds up; else those
// of the fact of the query.
func (v *evaluation) factOf(e *frameql.Expr) *semantic.Entity {
	if e.Star || e.Dist || e.Reduce == "min" || e.Reduce == "max" {
		return v.fact()
	}
	var names []string
	eachName(e.Of, func(n string) { names = append(names, n) })
	var entities []*semantic.Entity
	for _, n := range names {
		first, _, _ := strings.Cut(n, ".")
		if owner := v.w.Model.Entity(first); owner != nil {
			entities = append(entities, owner)
		}
	}
	if len(names) == 1 && v.w.Model.Entity(names[0]) != nil { // COUNT(customers)
		return v.fact()
	}
	if f := v.finest(entities); f != nil {
		return f
	}
	return v.fact()
}

func eachName(e *frameql.Expr, visit func(string)) {
	if e == nil {
		return
	}
	if e.Metric != "" {
		visit(e.Metric)
	}
	eachName(e.Of, visit)
	for _, a := range e.Args {
		eachName(a, visit)
	}
}

// finest gives the entity from which all can be looked up.
func (v *evaluation) finest(all []*semantic.Entity) *semantic.Entity {
	for _, e := range all {
		if !slices.ContainsFunc(all, func(o *semantic.Entity) bool {
			_, ok := v.w.path(e.Name, o.Name)
			return !ok
		}) {
			return e
		}
	}
	return nil
}

// reduce turns the rows of a leaf into one number.
func (v *evaluation) reduce(l *leaf, rows []place) any {
	if l.value == nil {
		if l.zero || len(rows) > 0 {
			return Whole(int64(len(rows)))
		}
		return nil
	}
	var cells []any
	seen := map[string]bool{}
	if l.reducer == "first" || l.reducer == "last" {
		rows = v.inTime(l, rows)
	}
	for _, p := range rows {
		c := l.value(p)
		if c == nil || l.distinct && seen[identity(c)] {
			continue
		}
		seen[identity(c)] = true
		cells = append(cells, c)
	}
	if l.reducer == "count" {
		if len(rows) == 0 && !l.zero {
			return nil
		}
		return Whole(int64(len(cells)))
	}
	out := reduceCells(l.reducer, cells, l.param, l.discrete)
	if out == nil && l.zero && !l.overDates() { // a day of unknown levels is no day of nothing
		return Whole(0)
	}
	return out
}

// inTime sorts rows by metric time and key and drops those without a time.
func (v *evaluation) inTime(l *leaf, rows []place) []place {
	if l.time == nil {
		panic(outside{"first and last without a time"})
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(p place) bool { return v.w.read(p, *l.time, l.time.dim) == nil })
	slices.SortStableFunc(rows, func(a, b place) int {
		if c := order(v.w.read(a, *l.time, l.time.dim), v.w.read(b, *l.time, l.time.dim)); c != 0 {
			return c
		}
		for _, k := range l.source.Key {
			if c := orderNullsLast(v.w.value(a, k), v.w.value(b, k), false); c != 0 {
				return c
			}
		}
		return 0
	})
	return rows
}

// reduceCells reduces values that are not missing; missing when there are none.
func reduceCells(reducer string, cells []any, param Number, discrete bool) any {
	if reducer == "count" {
		return Whole(int64(len(cells)))
	}
	if len(cells) == 0 {
		return nil
	}
	switch reducer {
	case "first":
		return cells[0]
	case "last":
		return cells[len(cells)-1]
	case "any", "all":
		ts := make([]truth, len(cells))
		for i, c := range cells {
			ts[i] = truthOf(c.(bool))
		}
		if reducer == "any" {
			return anyOf(ts) == yes
		}
		return allOf(ts) == yes
	case "min":
		return slices.MinFunc(cells, order)
	case "max":
		return slices.MaxFunc(cells, order)
	}
	sum := any(Whole(0))
	for _, c := range cells {
		if _, ok := c.(Number); !ok {
			panic(outside{reducer + " of what is no number"})
		}
		sum = arith("+", sum, c)
	}
	n := Whole(int64(len(cells)))
	switch reducer {
	case "sum":
		return sum
	case "avg":
		return arith("/", sum, n)
	case "median":
		return percentile(cells, Number{Value: big.NewRat(1, 2)}, false)
	case "percentile":
		return percentile(cells, param, discrete)
	case "stddev":
		if len(cells) < 2 {
			return nil
		}
		mean := arith("/", sum, n)
		squares := any(Whole(0))
		for _, c := range cells {
			d := arith("-", c, mean)
			squares = arith("+", squares, arith("*", d, d))
		}
		variance := arith("/", squares, Whole(int64(len(cells)-1))).(Number)
		out := Float(math.Sqrt(variance.float()))
		out.rounded = variance.rounded
		return out
	}
	panic(outside{"reducer " + reducer})
}

// percentile is continuous (between two values) or discrete (the first value at or above the share).
func percentile(cells []any, share Number, discrete bool) any {
	cells = slices.Clone(cells)
	slices.SortFunc(cells, order)
	at := new(big.Rat).Mul(share.Value, new(big.Rat).SetInt64(int64(len(cells)-1)))
	floor := int(new(big.Int).Quo(at.Num(), at.Denom()).Int64())
	if discrete {
		need := new(big.Rat).Mul(share.Value, new(big.Rat).SetInt64(int64(len(cells))))
		i := 0
		for new(big.Rat).SetInt64(int64(i+1)).Cmp(need) < 0 {
			i++
		}
		return cells[i]
	}
	part := Number{Value: new(big.Rat).Sub(at, new(big.Rat).SetInt64(int64(floor))), Approx: true}
	low := cells[floor]
	if part.Value.Sign() == 0 {
		return arith("+", low, Number{Value: new(big.Rat), Approx: true})
	}
	return arith("+", low, arith("*", part, arith("-", cells[floor+1], low)))
}
