package frameqltest

import (
	"fmt"
	"slices"
	"strings"
)

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
			return g.of("PREV", "DELTA", "PCT_CHANGE") + "(" + g.inner(depth) + g.of("", "", ", 1", ", 2", ", 3") + ")"
		}
	case "index":
		g.plain = false
		return "INDEX(" + g.metric(true) + ")"
	case "rank":
		g.plain = false
		if len(g.grain) > 1 && g.chance(40) {
			return "RANK(" + g.metric(false) + ", AT " + g.subset() + ")"
		}
		return "RANK(" + g.inner(depth) + ")"
	}
	return g.metric(false)
}

// inner draws what a function looks at: a metric, or now and then a number of any kind.
func (g *queryDrawing) inner(depth int) string {
	if depth > 0 || g.chance(60) {
		return g.metric(false)
	}
	kinds := []string{"plain", "with", "share", "coarse"}
	if g.axis {
		kinds = append(kinds, "running", "reset", "moving")
	}
	kind := g.of(kinds...)
	if g.coarser(g.unit) == "" && kind == "reset" {
		kind = "running"
	}
	switch kind {
	case "running":
		return "CUMULATIVE(" + g.metric(true) + ")"
	case "reset":
		return "CUMULATIVE(" + g.metric(true) + ", AT " + g.coarser(g.unit) + ")"
	case "moving":
		return fmt.Sprintf("MOVING(%s, %d)", g.metric(true), g.between(1, 4))
	case "share":
		g.plain = false
		return "SHARE(" + g.metric(false) + ")"
	case "coarse":
		g.plain = false
		return "(" + g.metric(false) + " AT " + g.subset() + ")"
	case "with":
		return g.number(1) + g.of(" + ", " - ", " / ") + g.metric(false)
	}
	return g.number(1)
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
