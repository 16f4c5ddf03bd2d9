package frameqltest

import (
	"fmt"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// chooseClauses draws the period first, for it decides what else has a meaning.
func (g *queryDrawing) chooseClauses() {
	if g.chance(50) {
		g.during = g.period()
		if g.chance(45) && g.during != "ALL TIME" {
			g.compare = g.comparand()
		}
	} else if g.axis && g.chance(10) && (g.unit == "month" || g.unit == "quarter") {
		g.compare = "SAME PERIOD LAST YEAR"
	}
	g.plain = true
	asks := g.compare != "" && g.chance(60)
	for range g.between(1, 3) {
		n := ""
		switch {
		case g.compare != "" && !asks:
			n = g.metric(false)
		case asks && len(g.numbers) == 0:
			n = g.of("PREV", "DELTA", "PCT_CHANGE") + "(" + g.metric(false) + ")"
		default:
			n = g.number(0)
		}
		if slices.Contains(g.numbers, n) {
			continue
		}
		g.numbers = append(g.numbers, n)
		name := ""
		if g.chance(70) || !isName(n) {
			name = fmt.Sprintf("x%d", len(g.numbers))
		}
		g.names = append(g.names, name)
	}
}

func isName(s string) bool { return !strings.ContainsAny(s, " (") }

func (g *queryDrawing) period() string {
	fiscal := len(g.w.Model.Calendars) > 0
	if g.unit == "hour" && g.chance(65) || g.moments() && g.chance(20) || g.chance(3) {
		return g.shortPeriod()
	}
	if len(g.fiscal()) > 2 && g.chance(40) {
		return g.fiscalPeriod()
	}
	switch g.between(0, 11) {
	case 0:
		return "2024"
	case 1:
		return g.of("2023", "2024-Q1", "2023-Q4", "2023-Q1")
	case 2:
		return g.of("2024-02", "2024-03", "2023-12", "2023-03")
	case 3:
		return fmt.Sprintf("LAST %d %s", g.between(1, 14), g.of("MONTH", "WEEK", "QUARTER", "DAY"))
	case 4:
		return fmt.Sprintf("LAST %d %s INCLUDING CURRENT", g.between(1, 3), g.of("MONTH", "YEAR", "WEEK"))
	case 5:
		return "THIS " + g.of("MONTH", "QUARTER", "YEAR", "WEEK")
	case 6:
		return g.of("YTD", "QTD", "MTD", "WTD", "THIS YEAR TO DATE")
	case 7:
		return "PREVIOUS " + g.of("MONTH", "QUARTER", "YEAR")
	case 8:
		return g.of("FROM 2023-12-30 TO 2024-03-05", "FROM 2023-02-01 TO 2024-02-01", "FROM 2023-06-11", "FROM 2024-02-28 TO 2024-03-01")
	case 9:
		return g.of("BETWEEN 2023-03-01 AND 2024-02-29", "BETWEEN 2024-01-31 AND 2024-03-11")
	case 10:
		if fiscal {
			return g.fiscalPeriod()
		}
		return "2024-02-29"
	}
	return g.of("ALL TIME", "TODAY", "2023", "2024")
}

func (g *queryDrawing) comparand() string {
	if strings.HasPrefix(g.during, "FROM 2023-06") { // open
		return ""
	}
	one := g.of("PREVIOUS PERIOD", "PREVIOUS PERIOD", "SAME PERIOD LAST YEAR", "SAME PERIOD LAST YEAR", "PREVIOUS YEAR", "PREVIOUS MONTH", "SAME PERIOD LAST MONTH",
		"PREVIOUS QUARTER", "DURING 2023", "DURING 2023-Q1", "TARGET "+g.metric(false))
	if g.short && g.chance(60) {
		one = g.of("PREVIOUS PERIOD", "PREVIOUS DAY", "PREVIOUS WEEK", "SAME PERIOD LAST YEAR", "PREVIOUS MONTH", "DURING 2024-02-28", "DURING FROM '2023-03-26T01:30' TO '2023-03-26T12:00'")
	}
	if own := g.fiscal(); len(own) > 0 && g.chance(30) {
		one = g.of("SAME PERIOD LAST ", "SAME PERIOD LAST ", "PREVIOUS ") + g.of(own[len(own)-1], g.of(own...))
	}
	if g.chance(12) {
		one += ", " + g.of("SAME PERIOD LAST YEAR", "DURING 2023-03")
	}
	return one
}

// condition draws a predicate over what every fact reaches; within 1 it is for FILTER.
func (g *queryDrawing) condition(within int) string {
	if within < 2 && g.chance(20) {
		return "(" + g.condition(2) + g.of(" OR ", " AND ") + g.condition(2) + ")"
	}
	if g.chance(12) {
		return "NOT " + g.atom(2)
	}
	return g.atom(within)
}

func (g *queryDrawing) atom(within int) string {
	if within == 0 && g.chance(30) {
		if q := g.bridged(); q != "" {
			return q
		}
	}
	if within == 0 && g.chance(12) {
		return g.quantifier()
	}
	if within == 0 && g.chance(10) {
		return g.operand()
	}
	if within == 0 && g.chance(6) && len(g.dims) > 0 {
		return fmt.Sprintf("%s IN TOP %d BY %s", g.of(g.dims...), g.between(1, 3), g.metric(false))
	}
	if g.chance(15) {
		if e := g.explicitTime(); e != "" && g.moments() && g.chance(40) {
			return e + g.of(".hour = '2024-03-10T03:00'", ".hour >= '2024-02-29'", " >= '2024-03-10T01:30'", " < '2024-02-29T00:00:00.5'", " <= '2023-12-31'", ".hour_of_day IN (0, 1, 23)", ".day = '2024-03-10'")
		}
		if e := g.explicitTime(); e != "" {
			return e + g.of(".year = 2024", ".month = '2024-02'", " >= '2023-12-30'", " < '2024-03-01'", ".quarter <> '2024-Q1'", ".day_of_week >= 6", ".month_of_year IN (1, 12)", " IS NOT NULL", ".year IN (2023, 2022)")
		}
	}
	if g.one() && g.facts[0] == "orders" && g.chance(20) {
		return "orders.amount " + g.of(">", "<", ">=", "<>", "=") + " " + g.of("1", "2.5", "0", "10", "-5", "orders.qty")
	}
	if len(g.dims) == 0 {
		return "1 = 1"
	}
	name := g.of(g.dims...)
	d := g.dimension(name)
	if g.chance(10) {
		return name + g.of(" IS NULL", " IS NOT NULL")
	}
	switch {
	case d == nil:
		return name + " IS NOT NULL"
	case d.Type == semantic.Boolean:
		return name + " = " + g.of("true", "false")
	case d.Type.Numeric():
		switch g.between(0, 3) {
		case 0:
			return name + " IN (1, 2)"
		case 1:
			return name + " NOT BETWEEN 1 AND 2"
		}
		return name + " " + g.of("=", "<>", ">", "<=") + " " + g.of("1", "2", "0", "3")
	}
	switch g.between(0, 5) {
	case 0:
		return name + g.of("", " NOT") + " IN ('a', 'it''s', 'paid', 'k1')"
	case 1:
		return name + g.of(" LIKE '%a%'", " NOT LIKE '_'", " LIKE '100%'")
	case 2:
		return name + g.of(" CONTAINS 'A'", " STARTS WITH 'st'", " NOT CONTAINS 'a'", " CONTAINS '%'")
	case 3:
		return name + g.of(" >= 'a'", " < 'b'")
	}
	return name + g.of(" = ", " <> ") + g.of("'a'", "'paid'", "''", "'x\"y'", "'k2'", "'Straße'")
}

func (g *queryDrawing) quantifier() string {
	var many []string
	for _, n := range []string{"orders", "visits", "lines", "levels", "clients", "taggings"} {
		if g.w.Model.Entity(n) != nil {
			many = append(many, n)
		}
	}
	e := g.of(many...)
	q := g.of("ANY", "NO", "ALL") + " " + e
	if q[:2] != "AL" && g.chance(30) {
		return q
	}
	inner := map[string][]string{
		"orders":  {"orders.amount > 1", "orders.status = 'paid'", "orders.ok = true", "orders.qty IS NOT NULL AND orders.amount < 5", "orders.placed >= '2024-01-01'", "clients.active = true"},
		"visits":  {"visits.amount > 1", "visits.status <> 'paid'", "visits.qty IS NULL"},
		"lines":   {"lines.price > 2", "lines.n <= 1 OR lines.label = 'a'"},
		"levels":  {"levels.level > 0", "levels.account IN ('x', 'y')"},
		"clients": {"clients.active = true", "clients.size > 1"}, "taggings": {"taggings.nr > 3"},
	}[e]
	return q + "(" + g.of(inner...) + ")"
}

func (g *queryDrawing) operand() string {
	left := ""
	switch g.facts[0] {
	case "orders", "visits":
		left = g.facts[0] + "." + g.of("amount", "qty")
	case "lines":
		left = "lines.price"
	case "levels":
		left = "levels.level"
	}
	if !g.one() || left == "" {
		if !slices.Contains(g.dims, "clients.size") {
			return "clients.title IS NOT NULL"
		}
		left = "clients.size"
	}
	grain := "()"
	if len(g.dims) > 0 && g.chance(50) {
		grain = g.of(g.dims...)
	}
	return left + " " + g.of(">", "<=", "<>") + " (" + g.metric(false) + " AT " + grain + ")"
}

func (g *queryDrawing) clauses() string {
	var b strings.Builder
	if g.chance(50) {
		n := g.between(1, 2)
		var all []string
		for range n {
			all = append(all, g.condition(0))
		}
		b.WriteString(" WHERE " + strings.Join(all, " AND "))
	}
	if g.during != "" {
		b.WriteString(" DURING " + g.during)
		if g.one() && (g.facts[0] == "orders" || g.facts[0] == "visits") && !g.axis && g.chance(10) {
			b.WriteString(" ON " + g.facts[0] + ".shipped")
		}
	}
	if g.compare != "" {
		b.WriteString(" COMPARE TO " + g.compare)
	}
	if g.chance(15) {
		b.WriteString(" HAVING " + g.having())
	}
	b.WriteString(g.top())
	if g.axis && g.chance(25) && (g.during != "" && !strings.HasPrefix(g.during, "FROM 2023-06") || g.unit != "day") && (g.unit != "hour" || g.short) {
		b.WriteString(" FILL " + g.of("ZERO", "ZERO", "NULL", "LAST"))
	}
	if g.chance(15) {
		b.WriteString(" TOTALS")
		if len(g.grain) > 1 && g.chance(50) {
			b.WriteString(" BY " + g.of(g.grain...))
		}
	}
	if g.chance(20) {
		b.WriteString(" ORDER BY " + g.sortKey() + g.of("", " DESC"))
		if g.chance(30) {
			b.WriteString(", " + g.sortKey())
		}
	}
	if g.chance(15) {
		fmt.Fprintf(&b, " LIMIT %d", g.between(0, 5))
		if g.chance(40) {
			fmt.Fprintf(&b, " OFFSET %d", g.between(0, 3))
		}
	}
	return b.String() + g.options()
}

func (g *queryDrawing) output() string {
	i := g.between(0, len(g.numbers)-1)
	if g.names[i] != "" {
		return g.names[i]
	}
	return g.numbers[i]
}

func (g *queryDrawing) having() string {
	left := g.output()
	if g.chance(40) {
		left = g.metric(false)
	}
	return left + g.of(" > 0.3", " < 7.77", " IS NOT NULL", " >= 1.01", " BETWEEN 0.13 AND 50.7")
}

func (g *queryDrawing) sortKey() string {
	if len(g.grain) > 0 && g.chance(30) {
		if d := g.of(g.grain...); g.w.Model.Entity(d) == nil && d != "payer" {
			return d
		}
	}
	if g.chance(30) {
		return g.metric(false)
	}
	return g.output()
}

func (g *queryDrawing) top() string {
	var members []string
	for _, d := range g.grain {
		if last := lastSegment(d); !slices.Contains(timeGrains, last) && !slices.Contains(g.fiscal(), last) && (partUnit(last) == "" || !g.axis) {
			members = append(members, d)
		}
	}
	if len(members) == 0 || !g.chance(25) {
		return ""
	}
	m := g.of(members...)
	by := g.metric(false)
	if g.compare != "" && g.chance(40) {
		by = g.of("DELTA", "PCT_CHANGE", "PREV") + "(" + by + ")"
	}
	s := fmt.Sprintf(" TOP %d %s BY %s%s", g.between(1, 3), m, by, g.of("", "", " ASC"))
	if len(g.grain) > 1 && g.chance(40) {
		if per := g.of(g.grain...); per != m {
			s += " PER " + per
		}
	}
	if g.plain && g.chance(50) {
		s += " WITH OTHER"
	}
	return s
}
