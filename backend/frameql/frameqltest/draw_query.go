package frameqltest

import (
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
