package frameqltest

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// use is a leaf in a context. Rows of the result are the groups of those that add rows.
type use struct {
	leaf *leaf
	ctx  *context
	fine []key // of an inner grain: what it groups by besides
	adds bool
	// mapped says that rows count at other days than their own. Those that are moved give rows where they come to lie; running
	// totals and windows only where nothing else does.
	mapped *timeMap
}

// usesOf gives the leaves of an expression that stands in the context of from.
func (v *evaluation) usesOf(e *frameql.Expr, from use) []use {
	if e == nil || e.Num != "" {
		return nil
	}
	if e.Filter != nil {
		c := *e
		c.Filter = nil
		e = &c
	}
	switch {
	case e.Op == "at", e.At != nil && e.Fn == "":
		from.adds = from.adds && v.sameAsOutput(e.At)
		from.ctx = v.ignoring(from.ctx, e.At)
		return v.usesOf(ungrained(e), from)
	case e.Op != "":
		var all []use
		for _, a := range e.Args {
			all = append(all, v.usesOf(a, from)...)
		}
		return all
	case e.Fn != "":
		return v.usesOfFunction(e, from)
	case e.Reduce != "" && !e.Star && twoLevel(e.Of):
		from.ctx = v.ignoring(from.ctx, e.Of.At)
		from.fine = slices.Concat(from.fine, v.keysOf(e.Of.At.Dims))
		return v.usesOf(ungrained(e.Of), from)
	case e.Reduce != "":
		if !e.Star && e.Of.Metric != "" {
			if m := v.w.Model.Metric(e.Of.Metric); m != nil {
				from.leaf = v.metricLeaf(m, reducerOver(e, m))
				return []use{from}
			}
		}
		from.leaf = v.columnLeaf(e)
		return []use{from}
	}
	return v.usesOfMetric(v.metricNamed(e.Metric), from)
}

func (v *evaluation) usesOfMetric(m *semantic.Metric, from use) []use {
	var all []use
	switch m.Kind {
	case semantic.Ratio:
		all = append(v.usesOfMetric(v.metricNamed(m.Numerator), from), v.usesOfMetric(v.metricNamed(m.Denominator), from)...)
	case semantic.Derived:
		for _, name := range v.parsed(m.Expr).Idents() {
			part, _ := v.input(m, name)
			in := from
			if at := mapOfInput(m, name); at != nil {
				in.mapped = at
			}
			all = append(all, v.usesOfMetric(part, in)...)
		}
	case semantic.Cumulative:
		from.adds, from.mapped = false, mapOf(m)
		all = v.usesOfMetric(v.metricNamed(m.Of), from)
	default:
		from.leaf = v.metricLeaf(m, string(m.Reducer))
		all = append(all, from)
	}
	return all
}

func (v *evaluation) usesOfFunction(e *frameql.Expr, from use) []use {
	all := v.usesOf(e.Of, from)
	switch e.Fn {
	case "prev", "delta", "pct_change":
		if e.Fn == "prev" {
			all = nil
		}
		if len(v.q.Compare) == 0 {
			if e.Fn == "prev" { // the bucket before adds no rows
				before := *v.comparand(nth(e), v.grain)
				before.active = from.ctx.active
				from.adds, from.ctx = false, &before
				all = v.usesOf(e.Of, from)
			}
			return all
		}
		ctx := v.comparand(nth(e), v.grain)
		of := e.Of
		if ctx.target != nil {
			of = ctx.target
		} else {
			from.ctx = ctx
		}
		from.adds = from.adds && !ctx.lag
		return append(all, v.usesOf(of, from)...)
	}
	return all
}

// sameAsOutput says whether a grain inside an expression is the grain of the query, or determines it.
func (v *evaluation) sameAsOutput(g *frameql.Grain) bool {
	keys := v.keysOf(g.Dims)
	return !slices.ContainsFunc(v.grain, func(k key) bool { return !slices.Contains(keys, k) && !v.fixed(k, keys) })
}

// fixed says whether keys determine another: of the axis also where they hold the key of an entity on the way to the time of
// every number.
func (v *evaluation) fixed(k key, keys []key) bool {
	if !k.axis || v.follows(k, keys) {
		return v.follows(k, keys)
	}
	holds := func(name string, e *semantic.Entity) bool {
		return len(e.Key) > 0 && !slices.ContainsFunc(e.Key, func(n string) bool { return !v.among(name+"."+n, keys) })
	}
	some := false
	var times []target
	for _, e := range v.numbers() {
		for _, u := range v.leavesOnly(e) {
			if u.leaf.time == nil {
				return false
			}
			if times = append(times, *u.leaf.time); !sameTarget(times[0], *u.leaf.time) {
				return false // one order, two days
			}
			is := holds(u.leaf.source.Name, u.leaf.source)
			for _, j := range u.leaf.time.path {
				is = is || holds(j.To, v.w.Model.Entity(j.To)) || j.Role != "" && holds(j.Role, v.w.Model.Entity(j.To))
			}
			if some = true; !is {
				return false
			}
		}
	}
	return some
}

// among says whether a column is one of the keys, also as the days of the axis.
func (v *evaluation) among(name string, keys []key) bool {
	if slices.Contains(keys, key{name: name}) {
		return true
	}
	t, ok := v.anyReach(name)
	return ok && t.dim != "" && v.axes[strings.ToLower(name)] && t.entity.Dimension(t.dim).Type == semantic.Date && slices.Contains(keys, key{grain: "day", axis: true})
}

// follows says whether keys determine another: the key of its entity, or the columns that refer to that, are among them.
func (v *evaluation) follows(k key, keys []key) bool {
	for _, own := range keys {
		if own.axis && k.axis && slices.Contains(v.cal.within(own.grain), k.grain) {
			return true
		}
	}
	if v.partFollows(k, keys) || v.climbs(k, keys) {
		return true
	}
	t, ok := v.anyReach(k.name)
	if !ok || k.axis {
		return false
	}
	for i := range v.w.Model.Entities { // what a member of the keys leads to
		e := &v.w.Model.Entities[i]
		own := !slices.ContainsFunc(e.Key, func(n string) bool { return !v.among(e.Name+"."+n, keys) })
		if _, reached := v.w.reach(e, k.name); own && reached && len(e.Key) > 0 {
			return true
		}
	}
	entity := strings.TrimSuffix(k.name, "."+t.dim)
	has := func(names []string, of string) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !v.among(of+"."+n, keys) })
	}
	if has(t.entity.Key, entity) {
		return true
	}
	for _, j := range v.w.Model.Joins {
		_, beyond := v.w.reach(v.w.Model.Entity(j.To), k.name)
		if plain := j.Role == "" && entity == t.entity.Name && (beyond || j.To == t.entity.Name); !plain && (j.Role != entity || j.To != t.entity.Name) {
			continue
		}
		var from []string
		for _, on := range j.On {
			from = append(from, on.From)
		}
		if has(from, j.From) {
			return true
		}
	}
	return false
}

// group is one combination of values of a grain.
type group struct {
	vals  []any
	added string // the mode of FILL, when FILL added it
}

// groups gives the combinations of values that the leaves have rows for, in the order of their values. When nothing adds
// rows everything does.
func (v *evaluation) groups(keys []key, uses []use) []*group {
	if len(keys) == 0 {
		return []*group{{}}
	}
	alone := !slices.ContainsFunc(uses, func(u use) bool { return u.adds })
	if alone {
		for i := range uses {
			if uses[i].mapped != nil {
				panic(outside{"nothing but numbers of other days"})
			}
			if uses[i].ctx.lag { // the rows of the number itself, beside which stands the bucket before
				own := *v.contexts[0]
				own.active = uses[i].ctx.active
				uses[i].ctx = &own
			}
			uses[i].adds = true
		}
	}
	seen := map[string]bool{}
	var all []*group
	for _, u := range uses {
		if !u.adds {
			continue
		}
		if u.mapped != nil {
			for _, vals := range v.movedGroups(u, keys) {
				if id := identities(vals); !seen[id] {
					seen[id] = true
					all = append(all, &group{vals: vals})
				}
			}
			continue
		}
		sc := scope{keys: slices.Concat(keys, u.fine), ctx: u.ctx}
		for _, row := range v.passing(u.leaf, sc) {
			g := &group{}
			for _, k := range keys {
				g.vals = append(g.vals, v.keyOfRow(k, row, u.leaf.time, u.ctx))
			}
			if slices.Contains(g.vals, any(nowhere{})) {
				continue
			}
			id := identities(g.vals)
			if seen[id] {
				continue
			}
			sc.vals = slices.Clone(g.vals)
			for _, k := range u.fine {
				sc.vals = append(sc.vals, v.keyOfRow(k, row, u.leaf.time, u.ctx))
			}
			if !alone && !v.picked(u.leaf, row, sc) {
				continue
			}
			seen[id] = true
			all = append(all, g)
		}
	}
	sortGroups(all)
	return all
}

func sortGroups(all []*group) {
	slices.SortStableFunc(all, func(a, b *group) int {
		for i := range a.vals {
			if c := orderNullsLast(a.vals[i], b.vals[i], false); c != 0 {
				return c
			}
		}
		return 0
	})
}

// anyRows says whether an expression has rows in a scope: of a number that looks at other days those count that it looks at.
func (v *evaluation) anyRows(e *frameql.Expr, sc scope) bool {
	uses := v.usesOf(e, use{ctx: sc.ctx, adds: true})
	if slices.ContainsFunc(uses, func(u use) bool { return u.adds }) {
		uses = slices.DeleteFunc(uses, func(u use) bool { return !u.adds })
	}
	for _, u := range uses {
		in := sc
		in.ctx, in.mapped = u.ctx, u.mapped
		in = v.atOtherDays(u.leaf, in)
		for _, row := range v.passing(u.leaf, in) {
			if v.fits(u.leaf, row, in) && (u.mapped != nil || v.picked(u.leaf, row, in)) {
				return true
			}
		}
	}
	return false
}

// fact gives the one source of a query whose reducers do not say it: FROM, or the source of its metrics, or the finest
// entity of its dimensions.
func (v *evaluation) fact() *semantic.Entity {
	if v.theFact != nil {
		return v.theFact
	}
	var all []*semantic.Entity
	add := func(name string) {
		if e := v.w.Model.Entity(name); e != nil && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	for _, f := range v.q.From {
		add(f)
	}
	if len(all) == 0 {
		for _, e := range expressions(v.q) {
			eachName(e, func(n string) {
				for _, s := range v.metricSources(n) {
					add(s)
				}
			})
		}
	}
	if len(all) == 0 {
		for _, d := range shownDims(v.q) {
			first, _, _ := strings.Cut(d.Name, ".")
			add(first)
		}
	}
	v.theFact = v.finest(all)
	if v.theFact == nil {
		panic(outside{"whose rows are meant"})
	}
	return v.theFact
}

func (v *evaluation) metricSources(name string) []string {
	m := v.w.Model.Metric(name)
	if m == nil {
		return nil
	}
	switch m.Kind {
	case semantic.Ratio:
		return append(v.metricSources(m.Numerator), v.metricSources(m.Denominator)...)
	case semantic.Cumulative:
		return v.metricSources(m.Of)
	case semantic.Derived:
		var all []string
		for _, n := range v.parsed(m.Expr).Idents() {
			part, _ := v.input(m, n)
			all = append(all, v.metricSources(part.Name)...)
		}
		return all
	}
	return []string{m.Entity}
}

// expressions gives every expression of a query but those in WHERE.
func expressions(q *frameql.Query) []*frameql.Expr {
	var all []*frameql.Expr
	for _, it := range q.Select {
		if it.Expr != nil {
			all = append(all, it.Expr)
		}
	}
	if q.Top != nil {
		all = append(all, ofKey(q.Top.By))
	}
	for _, o := range q.Order {
		all = append(all, ofKey(o.Key))
	}
	var preds func(p *frameql.Pred)
	preds = func(p *frameql.Pred) {
		if p == nil {
			return
		}
		all = append(all, p.Left, p.Expr, metricOf(p.Out))
		if p.ValDim != nil {
			all = append(all, metricOf(p.ValDim.Name))
		}
		preds(p.Not)
		for _, c := range slices.Concat(p.And, p.Or) {
			preds(c)
		}
	}
	preds(q.Having)
	return slices.DeleteFunc(all, func(e *frameql.Expr) bool { return e == nil })
}

func ofKey(k frameql.Key) *frameql.Expr {
	if k.Expr != nil {
		return k.Expr
	}
	return metricOf(k.Out)
}

func metricOf(name string) *frameql.Expr {
	if name == "" {
		return nil
	}
	return &frameql.Expr{Metric: name}
}

func shownDims(q *frameql.Query) []frameql.Dim {
	var dims []frameql.Dim
	for _, it := range q.Select {
		if it.Dim != nil {
			dims = append(dims, *it.Dim)
		}
	}
	if q.At != nil {
		dims = append(dims, q.At.Dims...)
	}
	return dims
}
