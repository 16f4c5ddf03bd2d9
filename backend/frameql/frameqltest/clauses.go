package frameqltest

import (
	"slices"
	"time"

	"assay/backend/frameql"
)

// readComparands makes the contexts of COMPARE TO.
func (v *evaluation) readComparands() {
	base := v.contexts[0]
	axis := finestAxis(v.grain)
	for _, c := range v.q.Compare {
		ctx := &context{active: base.active, other: true}
		switch {
		case c.Kind == "target":
			ctx.target = &frameql.Expr{Metric: c.Metric}
		case base.period == (span{}) && c.Kind != "during":
			ctx.lag, ctx.unit = true, axis
			if axis == "" || c.Kind == "previous_period" {
				panic(outside{"a comparand of all time"})
			}
			if ctx.peers, _ = v.cal.peers(axis, c.Unit); ctx.peers != nil {
				break
			}
			if ctx.shift = v.unitsIn(c.Unit, axis); ctx.shift == 0 {
				ctx.back, ctx.unit = 1, c.Unit
			}
		default:
			ctx.period = v.comparedPeriod(c, base.period)
			if axis != "" {
				ctx.unit = axis
				if ctx.peers, _ = v.cal.peers(axis, c.Unit); ctx.peers != nil {
					break
				}
				ctx.shift = v.cal.count(v.cal.cut(ctx.period.from, axis), v.cal.cut(base.period.from, axis), axis)
			}
		}
		v.contexts = append(v.contexts, ctx)
	}
	if v.matching {
		tomorrow := midnight(v.w.Now).AddDate(0, 0, 1)
		if _, last, ok := v.coverage(); ok && !last.Before(tomorrow) && tomorrow.Before(base.period.to) {
			base.period.to = tomorrow
		}
	}
}

// unitsIn says how many buckets of the axis make a unit; 0: no fixed number does.
func (v *evaluation) unitsIn(unit, axis string) int {
	if own := len(v.cal.buckets[unit])+len(v.cal.buckets[axis]) > 0; own && unit != axis {
		panic(outside{unit + " on an axis of " + axis})
	} else if own {
		return 1
	}
	months := map[string]int{"month": 1, "quarter": 3, "year": 12, "fiscal_quarter": 3, "fiscal_year": 12}
	days := map[string]int{"day": 1, "week": 7}
	hours := map[string]int{"hour": 1, "day": 24, "week": 7 * 24}
	for _, size := range []map[string]int{months, days, hours} {
		if size[unit] > 0 && size[axis] > 0 && size[unit]%size[axis] == 0 {
			return size[unit] / size[axis]
		}
	}
	if axis != "day" || months[unit] == 0 {
		panic(outside{unit + " on an axis of " + axis})
	}
	return 0
}

// comparedPeriod gives the period of a comparand. Where the period of the query is not over yet, or goes up to today by its
// name, a comparand of units is cut to as many days as have passed. One of DURING is what it says.
func (v *evaluation) comparedPeriod(c frameql.Comparand, mine span) span {
	var s span
	p := v.q.Time.Period
	switch c.Kind {
	case "previous_period":
		s = v.cal.previous(mine, p)
	case "previous", "same_period_last":
		s = v.cal.back(mine, c.Unit)
	case "during":
		s, _ = v.cal.period(*c.Period, v.w.Now)
	}
	if v.option("partial", "match") == "none" || mine.from.IsZero() || mine.to.IsZero() || c.Kind == "during" {
		return s
	}
	passed, toDate := v.passedEnd(mine), toDateUnit(p) != ""
	if toDate && !passed.After(mine.from) { // no data there at all
		passed = mine.to
	}
	if passed.After(mine.from) && (passed.Before(mine.to) || toDate) {
		if cut := s.from.Add(passed.Sub(mine.from)); cut.Before(s.to) {
			s.to, v.matching = cut, true
		}
	}
	return s
}

// passedEnd is the end of the part of a period that is over: the day after now, or after the last day of data.
func (v *evaluation) passedEnd(mine span) time.Time {
	end := mine.to
	if tomorrow := midnight(v.w.Now).AddDate(0, 0, 1); tomorrow.Before(end) {
		end = tomorrow
	}
	_, last, _ := v.coverage()
	if after := midnight(last).AddDate(0, 0, 1); !last.IsZero() && after.Before(end) {
		end = after
	}
	return end
}

func (v *evaluation) option(name, otherwise string) string {
	for _, o := range v.q.Options {
		if o.Name == name {
			return o.Value.Text
		}
	}
	return otherwise
}

// mostFilled bounds the rows that FILL adds: each of their cells looks through the rows of the world.
const mostFilled = 20_000

// fill adds the buckets that have no rows: all of the period for each combination of the other keys.
func (v *evaluation) fill() {
	if v.q.Fill == "" || v.q.Fill == "none" {
		return
	}
	unit := finestAxis(v.grain)
	if unit == "" {
		panic(outside{"no axis to fill"})
	}
	at := slices.Index(v.grain, key{grain: unit, axis: true})
	var first, last time.Time
	have := map[string]bool{}
	for _, g := range v.frame {
		have[identities(g.vals)] = true
		if t, ok := g.vals[at].(time.Time); ok {
			if first.IsZero() || t.Before(first) {
				first = t
			}
			if t.After(last) {
				last = t
			}
		}
	}
	end := last
	if !last.IsZero() {
		end = v.cal.move(last, unit, 1)
	}
	if p := v.contexts[0].period; !p.from.IsZero() {
		first = v.cal.cut(p.from, unit)
	}
	if p := v.contexts[0].period; !p.to.IsZero() {
		end = p.to
	} else if _, covered, ok := v.coverage(); ok && !p.from.IsZero() {
		end = midnight(covered).AddDate(0, 0, 1)
	}
	if first.IsZero() || end.IsZero() {
		return
	}
	combinations := v.frame
	if countAxes(v.grain) == len(v.grain) { // the one combination of nothing
		combinations = []*group{{vals: make([]any, len(v.grain))}}
	}
	var added []*group
	for _, g := range combinations {
		for t := first; t.Before(end); t = v.cal.move(t, unit, 1) {
			fresh := &group{added: v.q.Fill, vals: slices.Clone(g.vals)}
			for i, k := range v.grain {
				if k.axis {
					fresh.vals[i] = v.cal.cut(t, k.grain)
				}
			}
			if id := identities(fresh.vals); !have[id] {
				have[id] = true
				added = append(added, fresh)
			}
		}
		if len(added) > mostFilled {
			panic(outside{"a filled frame of that many rows"})
		}
	}
	v.frame = append(v.frame, added...)
	sortGroups(v.frame)
}

// shown gives a column of numbers in a row. In a row that FILL LAST added a missing one is the last value before it; in the
// rest of TOP, which is one member more, that of the rest.
func (v *evaluation) shown(o output, sc scope) any {
	c := v.eval(o.expr, sc)
	if c != nil || sc.added != "last" {
		return c
	}
	at, _, ok := v.bucket(sc)
	if !ok {
		return nil
	}
	rows := v.rests
	if sc.rest == nil {
		rows = nil
		for _, g := range v.frame {
			rows = append(rows, scope{keys: v.grain, vals: g.vals, ctx: sc.ctx, added: g.added})
		}
	}
	var best time.Time
	for _, earlier := range rows {
		t, _, ok := v.bucket(earlier)
		if !ok || !t.Before(at) || !best.IsZero() && t.Before(best) || !v.sameOthers(earlier, sc) {
			continue
		}
		if x := v.eval(o.expr, earlier); x != nil {
			best, c = t, x
		}
	}
	return c
}

// sameOthers says whether two rows are equal in everything but the axis.
func (v *evaluation) sameOthers(a, b scope) bool {
	for i, k := range v.grain {
		if !k.axis && !sameCell(a.vals[i], b.vals[i]) {
			return false
		}
	}
	return true
}

// top keeps the rows of the first members, and puts the rest together.
func (v *evaluation) top(lines []*line, outs []output) []*line {
	t := v.q.Top
	if t == nil {
		return lines
	}
	r := &rest{members: v.keysOfDim(t.Dim), shown: map[string]bool{}}
	if t.Per != nil {
		r.per = v.keysOfDim(*t.Per)
	}
	keys := slices.Concat(r.per, r.members)
	type member struct {
		vals []any
		by   any
	}
	found := map[string]*member{}
	partitions := map[string][]*member{}
	var order []string
	for _, l := range lines {
		m := &member{}
		for _, k := range keys {
			c, ok := l.scope.at(k)
			if !ok {
				panic(outside{"TOP of what is not in the grain"})
			}
			m.vals = append(m.vals, c)
		}
		if id := identities(m.vals); found[id] == nil {
			found[id] = m
			sc := scope{keys: keys, vals: m.vals, ctx: v.contexts[0]}
			if t.By.Expr != nil {
				m.by = v.eval(t.By.Expr, sc)
			} else {
				m.by = v.cell(t.By.Out, "", sc, outs)
			}
			part := identities(m.vals[:len(r.per)])
			if partitions[part] == nil {
				order = append(order, part)
			}
			partitions[part] = append(partitions[part], m)
		}
	}
	rank := map[string]int{}
	for _, part := range order {
		all := partitions[part]
		slices.SortFunc(all, func(a, b *member) int {
			if c := orderSure(a.by, b.by, !t.Asc); c != 0 {
				return c
			}
			for i := range a.vals {
				if c := orderNullsLast(a.vals[i], b.vals[i], false); c != 0 {
					return c
				}
			}
			return 0
		})
		for i, m := range all[:min(t.N, len(all))] {
			rank[identities(m.vals)] = i + 1
			r.shown[identities(m.vals)] = true
		}
	}
	var kept []*line
	for _, l := range lines {
		if n := rank[v.memberOf(l.scope, keys)]; n > 0 {
			l.rank = n
			kept = append(kept, l)
		}
	}
	if t.Other {
		kept = append(kept, v.others(r, keys)...)
	}
	return kept
}

func (v *evaluation) memberOf(sc scope, keys []key) string {
	var vals []any
	for _, k := range keys {
		c, _ := sc.at(k)
		vals = append(vals, c)
	}
	return identities(vals)
}

// others gives the rows of everything that is not shown, whatever HAVING says.
func (v *evaluation) others(r *rest, keys []key) []*line {
	seen := map[string]bool{}
	var lines []*line
	for _, g := range v.frame {
		sc := scope{keys: v.grain, vals: g.vals, ctx: v.contexts[0]}
		if r.shown[v.memberOf(sc, keys)] {
			continue
		}
		sc.rest = r
		sc.vals = slices.Clone(g.vals)
		for i, k := range sc.keys {
			if r.covers(k) {
				sc.vals[i] = nil
			}
		}
		if id := identities(sc.vals); !seen[id] {
			seen[id] = true
			sc.added = g.added
			if g.added == "" && !v.restHasRows(sc) {
				continue
			}
			lines = append(lines, &line{scope: sc, other: true})
		} else if g.added == "" {
			for _, l := range lines {
				if identities(l.scope.vals) == id {
					l.scope.added = ""
				}
			}
		}
	}
	for _, l := range lines {
		v.rests = append(v.rests, l.scope)
	}
	return lines
}

// restHasRows says whether a row counts in a row of the rest. Only of members that hold the time of balances none may: no
// snapshot of the rest passes the conditions.
func (v *evaluation) restHasRows(sc scope) bool {
	ofTimes := func(u use) bool {
		return u.leaf.semi != "" && slices.ContainsFunc(sc.rest.members, func(k key) bool { return v.isTimeOf(k, u.leaf) })
	}
	return !slices.ContainsFunc(v.giving, ofTimes) || slices.ContainsFunc(v.giving, func(u use) bool {
		in := sc
		in.ctx = u.ctx
		return u.adds && slices.ContainsFunc(v.passing(u.leaf, in), func(row place) bool {
			return v.fits(u.leaf, row, in) && (len(u.fine) > 0 || v.picked(u.leaf, row, in))
		})
	})
}

// totals gives the total rows: each grain computed again from the rows, without HAVING, TOP, FILL and LIMIT.
func (v *evaluation) totals(outs []output) []*line {
	var grains [][]key
	for _, set := range v.q.Totals {
		keys := v.keysOf(set)
		same := func(other []key) bool {
			return len(other) == len(keys) && !slices.ContainsFunc(other, func(k key) bool { return !slices.Contains(keys, k) })
		}
		if !slices.ContainsFunc(grains, same) {
			grains = append(grains, keys)
		}
	}
	var numbers []use
	for _, o := range outs {
		if o.expr != nil {
			numbers = append(numbers, v.usesOf(o.expr, use{ctx: v.contexts[0], adds: true})...)
		}
	}
	slices.SortStableFunc(grains, func(a, b []key) int { return len(b) - len(a) })
	var lines []*line
	for _, keys := range grains {
		for _, g := range v.groups(keys, slices.Clone(numbers)) {
			l := &line{scope: scope{keys: keys, vals: g.vals, ctx: v.contexts[0], total: true}, total: true}
			for _, o := range outs {
				switch {
				case o.expr != nil:
					l.cells = append(l.cells, v.totalCell(o.expr, l.scope))
				case !slices.Contains(v.grain, o.key) && v.fixed(o.key, keys): // an attribute of what the total is by
					l.cells = append(l.cells, v.determined(o.key, l.scope))
				default:
					c, _ := l.scope.at(o.key)
					l.cells = append(l.cells, c)
				}
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// totalCell computes a number of a total row, where windows mean nothing.
func (v *evaluation) totalCell(e *frameql.Expr, sc scope) any {
	if v.hasWindow(e) {
		return nil
	}
	return v.eval(e, sc)
}

func (v *evaluation) hasWindow(e *frameql.Expr) bool {
	if e == nil {
		return false
	}
	switch e.Fn {
	case "rank", "cumulative", "moving", "index":
		return true
	case "prev", "delta", "pct_change":
		if len(v.q.Compare) == 0 || nth(e) < len(v.contexts) && v.contexts[nth(e)].lag {
			return true
		}
	}
	if e.Reduce != "" {
		return false
	}
	return v.hasWindow(e.Of) || slices.ContainsFunc(e.Args, v.hasWindow)
}
