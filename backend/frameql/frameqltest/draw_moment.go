package frameqltest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// DrawMoment draws a query that stands or falls with time of day: buckets of hours and days in some time zone, periods whose
// ends lie within days, comparisons, windows and gaps of hours. Empty when no fact has moments.
func DrawMoment(t *rapid.T, w *World) string {
	g := &queryDrawing{drawing: drawing{t}, w: w}
	g.chooseFacts()
	if !g.moments() && g.of("skip", "skip", "take") == "skip" {
		return ""
	}
	units := []string{"day", "week", "month"}
	if g.moments() {
		units = []string{"hour", "hour", "hour", "day", "day", "week", "month"}
	}
	units = append(units, g.fiscal()...)
	g.unit = g.of(units...)
	g.axis = g.of("axis", "axis", "axis", "none") == "axis"
	if len(g.dims) > 0 && g.of("whole", "whole", "parted") == "parted" {
		g.grain = append(g.grain, g.of(g.dims...))
	}
	if g.axis {
		axis := g.unit
		if e := g.explicitTime(); e != "" && g.of("bare", "named") == "named" {
			axis = e + "." + axis
		}
		g.grain = append(g.grain, axis)
	} else if g.moments() && g.of("part", "none", "none") == "part" {
		g.grain = append(g.grain, g.of("hour_of_day", "day_of_week", "day_of_year"))
	}
	g.momentPeriod()
	numbers := []string{g.metric(false)}
	for range g.between(0, 2) {
		numbers = append(numbers, g.momentNumber())
	}
	var b strings.Builder
	b.WriteString("SELECT ")
	for _, d := range g.grain {
		b.WriteString(d + ", ")
	}
	for i, n := range numbers {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s AS x%d", n, i+1)
	}
	if len(g.grain) == 0 {
		b.WriteString(" AT ()")
	}
	if g.one() {
		b.WriteString(" FROM " + g.facts[0])
	}
	if g.of("all", "all", "some") == "some" {
		b.WriteString(" WHERE " + g.momentCondition())
	}
	if g.during != "" {
		b.WriteString(" DURING " + g.during)
	}
	if g.compare != "" {
		b.WriteString(" COMPARE TO " + g.compare)
	}
	open := g.during == "" || strings.HasPrefix(g.during, "FROM 2023-06")
	if g.axis && (g.unit != "hour" || g.short) && !(g.unit == "day" && open) && g.of("fill", "none", "none") == "fill" {
		b.WriteString(" FILL " + g.of("ZERO", "ZERO", "NULL", "LAST"))
	}
	if g.of("no", "no", "no", "totals") == "totals" {
		b.WriteString(" TOTALS")
	}
	if g.of("no", "no", "order") == "order" {
		b.WriteString(" ORDER BY x1 DESC")
	}
	if g.of("own", "own", "asked") == "asked" {
		b.WriteString(" OPTIONS (tz = '" + g.of(places...) + "')")
	}
	return b.String()
}

// momentPeriod draws DURING and COMPARE TO.
func (g *queryDrawing) momentPeriod() {
	switch g.of("short", "short", "short", "long", "none") {
	case "short":
		g.during = g.shortPeriod()
	case "long":
		g.during = g.period()
	}
	if g.during == "ALL TIME" || strings.HasPrefix(g.during, "FROM 2023-06") || g.of("alone", "compared") == "alone" {
		return
	}
	if g.during == "" {
		if g.axis {
			g.compare = g.of("PREVIOUS "+g.unit, "PREVIOUS DAY", "SAME PERIOD LAST WEEK", "PREVIOUS MONTH", "SAME PERIOD LAST YEAR")
		}
		return
	}
	g.compare = g.of("PREVIOUS PERIOD", "PREVIOUS PERIOD", "PREVIOUS DAY", "PREVIOUS WEEK", "PREVIOUS MONTH", "SAME PERIOD LAST YEAR", "SAME PERIOD LAST YEAR",
		"DURING 2024-02-28", "DURING FROM '2023-03-26T01:30' TO '2023-03-26T12:00'", "DURING 2023-12")
}

// momentNumber draws a number that looks along time.
func (g *queryDrawing) momentNumber() string {
	m := g.metric(true)
	kinds := []string{"filter", "whole"}
	if g.axis {
		kinds = []string{"moving", "moving", "moving", "cumulative", "reset", "prev", "prev", "index", "whole"}
	}
	if g.moments() && g.unit != "hour" {
		kinds = append(kinds, "hours", "hours")
	}
	switch g.of(kinds...) {
	case "moving":
		unit := g.of("", ", hour", ", day", ", "+g.unit)
		if !g.moments() && unit == ", hour" {
			unit = ", day"
		}
		return fmt.Sprintf("MOVING(%s, %d%s)", m, []int{1, 2, 3, 5, 24, 26, 40}[g.between(0, 6)], unit)
	case "cumulative":
		return "CUMULATIVE(" + m + ")"
	case "reset":
		if up := g.coarser(g.unit); up != "" {
			return "CUMULATIVE(" + m + ", AT " + up + ")"
		}
	case "prev":
		if g.compare != "" {
			return g.of("PREV", "DELTA") + "(" + m + ")"
		}
		return fmt.Sprintf("%s(%s, %d)", g.of("PREV", "DELTA"), m, []int{1, 2, 3, 24}[g.between(0, 3)])
	case "index":
		return "INDEX(" + m + ")"
	case "whole":
		return "(" + m + " AT ())"
	case "filter":
		return m + " FILTER (WHERE " + g.momentCondition() + ")"
	case "hours":
		fine := append([]string{"hour"}, g.grain...)
		return g.of("AVG", "MAX", "COUNT", "SUM") + "(" + m + " AT (" + strings.Join(fine, ", ") + "))"
	}
	return m
}

// momentCondition draws a condition on time of day, or another one.
func (g *queryDrawing) momentCondition() string {
	e := g.explicitTime()
	if e == "" || !g.moments() || g.of("time", "time", "other") == "other" {
		return g.condition(0)
	}
	day := g.of("2024-02-29", "2024-03-10", "2023-12-31", "2024-01-01", "2023-03-26", "2023-11-05", "2023-10-01")
	switch g.between(0, 6) {
	case 0:
		return e + g.of(" >= ", " < ", " = ") + "'" + day + "'"
	case 1:
		return e + g.of(" >= ", " < ", " <= ") + "'" + day + g.of("T00:00", "T01:30", " 23:59:59.999999", "T02:00:00") + "'"
	case 2:
		return e + ".hour" + g.of(" >= ", " < ", " = ", " <> ") + "'" + day + g.of("T00:00", "T01:00", " 23:00:00", "") + "'"
	case 3:
		return e + ".day IN ('" + day + "', '2024-02-28')"
	case 4:
		return g.of(e+".", "") + "hour_of_day " + g.of("IN (0, 1, 2, 23)", "BETWEEN 0 AND 5", "> 20")
	case 5:
		return e + ".month = '" + day[:7] + "'"
	}
	return e + ".day_of_week >= 6"
}
