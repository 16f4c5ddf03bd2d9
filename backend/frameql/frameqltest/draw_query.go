package frameqltest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"assay/backend/semantic"
)

// DrawQuery draws a query over a world that mostly means something: its dimensions are reached from every fact that it
// uses, windows stand where there is an axis, and conditions fit the types of what they compare. It is text whose names are
// canonical.
func DrawQuery(t *rapid.T, w *World) string {
	g := &queryDrawing{drawing: drawing{t}, w: w}
	g.chooseFacts()
	g.chooseGrain()
	if g.chance(6) && len(g.grain) > 0 && !g.axis {
		return g.listing()
	}
	g.chooseClauses()
	return g.text()
}

type queryDrawing struct {
	drawing
	w       *World
	facts   []string
	metrics []string // of the facts
	dims    []string // that every fact reaches: attributes
	things  []string // that every fact reaches: entities with a key
	grain   []string // as written
	axis    bool
	unit    string   // the finest cut of the axis
	numbers []string // expressions of SELECT
	names   []string // of their columns; empty: the default
	during  string
	compare string
	short   bool // during is a matter of days
	plain   bool // nothing that clashes with WITH OTHER
}

// sourcesOf gives the facts of a metric.
func (w *World) sourcesOf(m *semantic.Metric) []string {
	var names []string
	switch m.Kind {
	case semantic.Ratio:
		names = []string{m.Numerator, m.Denominator}
	case semantic.Derived:
		x, err := semantic.ParseExpr(m.Expr)
		if err != nil {
			return nil
		}
		for _, n := range x.Idents() {
			for _, in := range m.Inputs {
				if in.Name == n {
					n = in.Metric
				}
			}
			names = append(names, n)
		}
	case semantic.Cumulative:
		names = []string{m.Of}
	default:
		return []string{m.Entity}
	}
	var all []string
	for _, n := range names {
		if part := w.Model.Metric(n); part != nil {
			for _, s := range w.sourcesOf(part) {
				if !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

func (g *queryDrawing) chooseFacts() {
	var facts []string
	for _, e := range g.w.Model.Entities {
		if slices.ContainsFunc(g.w.Model.Metrics, func(m semantic.Metric) bool { return m.Entity == e.Name }) {
			facts = append(facts, e.Name)
		}
	}
	n := 1
	if g.chance(35) {
		n = 2
	}
	if g.chance(8) {
		n = 3
	}
	for range n {
		f := g.of(facts...)
		if lonely := f == "tags" || slices.Contains(g.facts, "tags"); !slices.Contains(g.facts, f) && (len(g.facts) == 0 || !lonely) { // tags share no dimension with others
			g.facts = append(g.facts, f)
		}
	}
	for i := range g.w.Model.Metrics {
		m := &g.w.Model.Metrics[i]
		if !slices.ContainsFunc(g.w.sourcesOf(m), func(s string) bool { return !slices.Contains(g.facts, s) }) {
			g.metrics = append(g.metrics, m.Name)
		}
	}
	ways := []string{"payer"}
	for _, e := range g.w.Model.Entities {
		ways = append(ways, e.Name)
	}
	for _, way := range ways {
		var at *semantic.Entity
		for _, f := range g.facts {
			t, ok := g.w.reach(g.w.Model.Entity(f), way)
			if !ok || at != nil && at != t.entity {
				at = nil
				break
			}
			at = t.entity
		}
		if at == nil {
			continue
		}
		g.things = append(g.things, way)
		for _, d := range at.Dimensions {
			if !d.Type.Temporal() && !d.Measure {
				g.dims = append(g.dims, way+"."+d.Name)
			}
		}
	}
}

// dimension finds what a dotted name of the drawing is.
func (g *queryDrawing) dimension(name string) *semantic.Dimension {
	t, ok := g.w.reach(g.w.Model.Entity(g.facts[0]), name)
	if !ok || t.dim == "" {
		return nil
	}
	return t.entity.Dimension(t.dim)
}

// own says whether a name belongs to the only fact: an attribute of single rows.
func (g *queryDrawing) one() bool { return len(g.facts) == 1 }

func (g *queryDrawing) explicitTime() string {
	if g.one() {
		switch g.facts[0] {
		case "orders", "lines":
			return "orders.placed"
		case "visits":
			return "visits.placed"
		case "levels":
			return "levels.asof"
		case "taggings":
			return g.w.Model.Metric("taggings_count").Time
		}
	}
	return ""
}

func (g *queryDrawing) units() []string {
	units := []string{"month", "month", "week", "day", "quarter", "year"}
	if g.moments() {
		units = append(units, "hour", "hour", "hour", "hour", "day", "day")
	}
	own := g.fiscal()
	units = append(units, own...)
	if len(own) > 2 { // of a calendar of its own; that is what is asked there
		units = append(units, own...)
	}
	return units
}

func (g *queryDrawing) chooseGrain() {
	for range g.between(0, 2) {
		d := ""
		switch {
		case g.chance(20) && len(g.things) > 0:
			d = g.of(g.things...)
		case g.one() && g.chance(8) && slices.Contains(g.things, g.facts[0]):
			d = g.facts[0]
		case len(g.dims) > 0:
			d = g.of(g.dims...)
		}
		if d != "" && !slices.Contains(g.grain, d) {
			g.grain = append(g.grain, d)
		}
	}
	part := ""
	if g.chance(12) {
		part = g.part()
		g.grain = append(g.grain, part)
	}
	if g.chance(50) {
		g.axis, g.unit = true, g.of(g.units()...)
		if partFollows(key{grain: lastSegment(part)}, []key{{grain: g.unit, axis: true}}) { // it is read off the buckets, and no column of the grain
			g.grain = slices.DeleteFunc(g.grain, func(d string) bool { return d == part })
		}
		prefix := ""
		if e := g.explicitTime(); e != "" && g.chance(40) {
			prefix = e + "."
		}
		g.grain = append(g.grain, prefix+g.unit)
		if g.chance(12) {
			if coarse := g.coarser(g.unit); coarse != "" {
				g.grain = append([]string{prefix + coarse}, g.grain...)
			}
		}
	} else if g.one() && g.facts[0] != "levels" && g.chance(10) {
		if e := g.explicitTime(); e != "" && g.moments() && g.chance(30) { // as it is, not cut
			g.grain = append(g.grain, e)
		} else if e != "" {
			g.grain = append(g.grain, strings.Replace(e, "placed", "shipped", 1)+".month")
		}
	}
}

// part draws a part of a date: of the time of the metrics, or of the one that is named.
func (g *queryDrawing) part() string {
	part := g.of("day_of_week", "day_of_week", "month_of_year", "quarter_of_year", "day_of_year", "week_of_year", "day_of_month")
	if g.moments() && g.chance(40) {
		part = "hour_of_day"
	}
	if e := g.explicitTime(); e != "" && g.chance(40) {
		return e + "." + part
	}
	return part
}

// coarser gives a unit that is made of whole ones of another; empty: there is none.
func (g *queryDrawing) coarser(unit string) string {
	up := map[string]string{"hour": "day", "day": "month", "month": "quarter", "quarter": "year"}[unit]
	if own := g.fiscal(); slices.Contains(own, unit) {
		up = append(own, "")[slices.Index(own, unit)+1]
	}
	return up
}

func (g *queryDrawing) listing() string {
	g.grain = slices.DeleteFunc(g.grain, func(d string) bool { return strings.Contains(d, "shipped") })
	if len(g.grain) == 0 {
		g.grain = []string{"clients"}
	}
	s := "SELECT " + strings.Join(g.grain, ", ") + " FROM " + g.facts[0]
	if g.one() && g.chance(40) {
		s += " WHERE " + g.condition(0)
	}
	if !g.one() {
		g.facts = g.facts[:1]
	}
	return s
}

// metric draws a metric; flow says that balances are of no use.
func (g *queryDrawing) metric(flow bool) string {
	for range 4 {
		if m := g.of(g.metrics...); !flow || !strings.HasPrefix(m, "level_") {
			return m
		}
	}
	return g.metrics[0]
}

// number draws an expression for SELECT.
func (g *queryDrawing) number(depth int) string {
	kinds := []string{"metric", "metric", "metric", "metric", "filter", "columns", "arith", "share", "coarse", "two", "two"}
	if g.axis {
		kinds = append(kinds, "window", "window", "prev", "index")
	}
	if len(g.grain) > 0 {
		kinds = append(kinds, "rank")
	}
	if n := g.ofMember(); n != "" && depth == 0 && g.chance(30) {
		return n
	}
	if depth > 0 {
		kinds = []string{"metric", "metric", "filter", "columns"}
	}
	switch g.of(kinds...) {
	case "filter":
		return g.metric(false) + " FILTER (WHERE " + g.condition(1) + ")"
	case "columns":
		return g.columns()
	case "arith":
		a, b := g.number(1), g.number(1)
		if g.chance(30) {
			b = g.of("2", "0.5", "100")
		}
		return a + " " + g.of("+", "-", "*", "/") + " " + b
	case "share":
		g.plain = false
		if len(g.grain) > 1 && g.chance(40) {
			return "SHARE(" + g.metric(false) + ", AT " + g.subset() + ")"
		}
		return "SHARE(" + g.metric(false) + ")"
	case "coarse":
		g.plain = false
		return "(" + g.metric(false) + " AT " + g.subset() + g.ignoring() + ")"
	case "two":
		return g.twoLevels()
	case "window":
		switch g.between(0, 3) {
		case 0:
			return "CUMULATIVE(" + g.metric(true) + ")"
		case 1:
			if up := g.coarser(g.unit); up != "" {
				most := "year"
				if own := g.fiscal(); slices.Contains(own, g.unit) {
					most = own[len(own)-1]
				}
				return "CUMULATIVE(" + g.metric(true) + ", AT " + g.of(up, most) + ")"
			}
		case 2:
			if s := g.otherUnit(); s != "" {
				return s
			}
		}
		return fmt.Sprintf("MOVING(%s, %d)", g.metric(true), g.between(1, 4))
	case "prev":
		if g.compare == "" {
			return g.of("PREV", "DELTA", "PCT_CHANGE") + "(" + g.metric(false) + g.of("", "", ", 1", ", 2", ", 3") + ")"
		}
	case "index":
		g.plain = false
		return "INDEX(" + g.metric(true) + ")"
	case "rank":
		g.plain = false
		if len(g.grain) > 1 && g.chance(40) {
			return "RANK(" + g.metric(false) + ", AT " + g.subset() + ")"
		}
		return "RANK(" + g.metric(false) + ")"
	}
	return g.metric(false)
}

func (g *queryDrawing) ignoring() string {
	switch {
	case g.chance(15):
		return " IGNORING FILTERS"
	case g.chance(10) && len(g.dims) > 0:
		return " IGNORING (" + g.of(g.dims...) + ")"
	}
	return ""
}

// subset draws a part of the grain, in parentheses.
func (g *queryDrawing) subset() string {
	var kept []string
	for _, d := range g.grain {
		if g.chance(40) {
			kept = append(kept, d)
		}
	}
	return "(" + strings.Join(kept, ", ") + ")"
}

// columns draws a reducer over the columns of the only fact.
func (g *queryDrawing) columns() string {
	f := g.facts[0]
	if !g.one() || f == "levels" {
		return g.metric(false)
	}
	number := map[string][]string{"orders": {"amount", "qty", "weight"}, "visits": {"amount", "qty", "weight"}, "lines": {"price", "n"}}[f]
	if number == nil {
		return g.metric(false)
	}
	c := f + "." + g.of(number...)
	switch g.between(0, 8) {
	case 0:
		return "COUNT(*)"
	case 1:
		return "COUNT(DISTINCT " + g.of(g.dims...) + ")"
	case 2:
		return "SUM(" + c + " * " + f + "." + g.of(number...) + ")"
	case 3:
		return "PERCENTILE(" + c + ", " + g.of("0.1", "0.5", "0.75") + ")"
	case 4:
		return g.of("MEDIAN", "STDDEV", "AVG", "COUNT", "MIN", "MAX") + "(" + c + ")"
	case 5:
		return g.of("SUM", "AVG", "COUNT") + "(DISTINCT " + c + ")"
	case 6:
		if f != "lines" {
			return g.of("ANY", "ALL") + "(" + f + ".ok)"
		}
	case 7:
		if f != "lines" {
			return g.of("FIRST", "LAST") + "(" + c + ")"
		}
	case 8:
		return "COUNT(" + g.of("clients", f) + ")"
	}
	return "SUM(" + c + ") FILTER (WHERE " + g.condition(1) + ")"
}

// twoLevels draws R(e AT g) where g holds the grain and one thing more.
func (g *queryDrawing) twoLevels() string {
	fine := slices.Clone(g.grain)
	more := ""
	switch {
	case g.chance(50) && len(g.things) > 0:
		more = g.of(g.things...)
	case g.chance(40) && !g.axis:
		more = g.of("month", "year", "week")
	case g.chance(40) && g.unit != "hour" && g.moments():
		more = "hour"
	case len(g.dims) > 0:
		more = g.of(g.dims...)
	}
	if more == "" || slices.Contains(fine, more) {
		return g.metric(false)
	}
	fine = append(fine, more)
	inner := g.metric(false)
	if g.chance(15) {
		inner += " / " + g.metric(false)
	}
	return g.of("AVG", "MAX", "MIN", "SUM", "COUNT", "MEDIAN", "STDDEV") + "(" + inner + " AT (" + strings.Join(fine, ", ") + "))"
}

func (g *queryDrawing) text() string {
	var b strings.Builder
	items := slices.Clone(g.grain)
	at := false
	if g.chance(30) {
		at = true
		items = slices.DeleteFunc(items, func(string) bool { return g.chance(30) })
	}
	if len(g.grain) == 0 {
		at = at || g.chance(50)
	}
	g.attribute(&items, &at)
	g.dated(&items, &at)
	g.climb(&items, &at)
	for i, n := range g.numbers {
		if g.names[i] != "" {
			n += " AS " + g.names[i]
		}
		items = append(items, n)
	}
	b.WriteString(g.definitions(items))
	if at {
		b.WriteString(" AT (" + strings.Join(g.grain, ", ") + ")")
	}
	if g.one() && g.chance(30) || g.countsRows() {
		b.WriteString(" FROM " + g.facts[0])
	}
	b.WriteString(g.clauses())
	return b.String()
}

func (g *queryDrawing) countsRows() bool {
	return slices.ContainsFunc(g.numbers, func(n string) bool {
		return strings.Contains(n, "COUNT(") || strings.Contains(n, "DISTINCT") || strings.Contains(n, "MIN(") || strings.Contains(n, "MAX(")
	}) && g.one()
}

// attribute adds a column that an entity of the grain determines.
func (g *queryDrawing) attribute(items *[]string, at *bool) {
	for _, d := range g.grain {
		e := g.w.Model.Entity(d)
		if e == nil && d != "payer" || !g.chance(40) {
			continue
		}
		name := d + ".title"
		if g.dimension(name) != nil {
			*items = append([]string{name}, *items...)
			*at = true
		}
		return
	}
}

// definitions writes SELECT, now and then with a number defined before.
func (g *queryDrawing) definitions(items []string) string {
	if g.chance(8) && len(g.numbers) > 0 && g.names[0] != "" && !strings.Contains(g.numbers[0], "AT ") {
		for i, it := range items {
			if it == g.numbers[0]+" AS "+g.names[0] {
				items[i] = "d1 AS " + g.names[0]
				return "WITH d1 = " + g.numbers[0] + " SELECT " + strings.Join(items, ", ")
			}
		}
	}
	return "SELECT " + strings.Join(items, ", ")
}
