//go:build cgo

package frameql_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "assay/backend/frameql"
)

// drawLanguageQuery draws a query of the words of the shop with every construct of the language, as text.
func drawLanguageQuery(t *rapid.T) string {
	of := func(all ...string) string { return rapid.SampledFrom(all).Draw(t, "one") }
	some := func(percent int) bool { return rapid.IntRange(1, 100).Draw(t, "chance") <= percent }
	dims := []string{
		"country", "customers", "category_name", "month", "order_date.year", "size", "area", "status", "products.product_name",
		"orders.order_date.quarter", "week", "day",
	}
	dim := func() string { return of(dims...) }
	metric := func() string {
		return of("revenue", "order_count", "average_order_value", "freight", "orders_placed", "tickets_raised", "planned", "units_in_stock", "last_month_freight",
			"open_share", "running", "typical_freight", "stock_per_item", "discount_share", "freight_year", "mean_stock", "x")
	}
	var expr func(depth int) string
	pred := func() string {
		return of("country = 'France'", "ANY orders(freight > 5)", "NO tickets", "ALL order_lines(quantity > 3)", "customers IN TOP 2 BY orders_placed",
			"freight > (AVG(freight) AT ())", "order_date.year = 1997", "NOT customers.active = TRUE", "category_name IN ('Tea', 'Wine')", "order_date.month <> '1997-05'")
	}
	expr = func(depth int) string {
		kind := rapid.IntRange(0, 16).Draw(t, "kind")
		if depth == 0 {
			kind = min(kind, 2)
		}
		inner := func() string { return expr(depth - 1) }
		switch kind {
		case 3:
			return "(" + inner() + ") " + of("+", "-", "*", "/") + " (" + inner() + ")"
		case 4:
			return of("PREV", "DELTA", "PCT_CHANGE") + "(" + inner() + ")"
		case 5:
			return "SHARE(" + inner() + of("", ", AT "+dim()) + ")"
		case 6:
			return "CUMULATIVE(" + inner() + of("", ", AT year") + ")"
		case 7:
			return "MOVING(" + inner() + of(", 2", ", 3, MONTH", ", 7, DAY") + ")"
		case 8:
			return of("RANK", "INDEX") + "(" + inner() + ")"
		case 9:
			return of("AVG", "SUM", "MAX", "COUNT", "MEDIAN") + "(" + inner() + " AT " + of("customers", "orders", "(customers, month)", "month", "day") + ")"
		case 10:
			return "(" + inner() + " AT " + of("()", "() IGNORING FILTERS", "country", "(country) IGNORING (status)", "order_date.year") + ")"
		case 11:
			return metric() + " FILTER (WHERE " + pred() + ")"
		case 12:
			return of("COUNT(customers)", "COUNT(DISTINCT customers.city)", "SUM(quantity)", "FIRST(orders.freight)", "STDDEV(orders.freight)", "PERCENTILE(orders.freight, 0.9)", "COUNT(order_lines)")
		}
		return metric()
	}
	var items, shown []string
	for range rapid.IntRange(0, 2).Draw(t, "dims") {
		d := dim()
		items, shown = append(items, d), append(shown, d)
	}
	for range rapid.IntRange(1, 2).Draw(t, "numbers") {
		items = append(items, expr(2))
	}
	q := "SELECT " + strings.Join(items, ", ")
	if strings.Contains(q, "x") && some(60) {
		q = "WITH x = " + of("revenue / 2", "orders_placed", "revenue - freight") + " " + q
	}
	if some(60) {
		q += " WHERE " + pred()
		if some(30) {
			q += of(" AND ", " OR ") + pred()
		}
	}
	if some(60) {
		q += " DURING " + of("1997", "1998", "YTD", "LAST 3 MONTH", "1997-Q2", "FROM 1997-02-01 TO 1997-07-15")
	}
	if some(40) {
		q += " COMPARE TO " + of("PREVIOUS PERIOD", "SAME PERIOD LAST YEAR", "PREVIOUS MONTH", "DURING 1996", "TARGET gross_revenue", "PREVIOUS PERIOD, SAME PERIOD LAST YEAR")
	}
	if some(25) {
		q += " HAVING " + of("revenue > 10", "orders_placed >= 1", "revenue > (AVG(revenue AT country) AT ())")
	}
	if len(shown) > 0 && some(40) {
		q += " TOP 2 " + shown[0] + " BY " + of("revenue", "orders_placed", "DELTA(revenue)")
		if len(shown) > 1 && some(50) {
			q += " PER " + shown[1]
		}
		q += of("", " WITH OTHER")
	}
	if some(25) {
		q += " FILL " + of("ZERO", "NULL", "LAST")
	}
	if len(shown) > 0 && some(25) {
		q += " TOTALS" + of("", " BY "+shown[0])
	}
	if some(20) {
		q += " ORDER BY " + of("revenue DESC", "orders_placed", "country")
	}
	if some(20) {
		q += " LIMIT 3"
	}
	return q
}

// TestLanguageIsStableAndRuns: what resolves means the same in its canonical text and runs, and each repair resolves.
func TestLanguageIsStableAndRuns(t *testing.T) {
	db := openShop(t)
	resolved, repairs := 0, 0
	check(t, 400, func(rt *rapid.T) {
		text := drawLanguageQuery(rt)
		q, err := Parse(text)
		if err != nil {
			rt.Fatalf("%s: %v", text, err)
		}
		plan, refusals := Resolve(q, env())
		for _, r := range refusals {
			if strings.Contains(r.Message, "[frameql.") || strings.Contains(r.Message, "{") {
				rt.Fatalf("%s: %s", text, r.Message)
			}
			for _, repair := range r.Repairs {
				repairs++
				if p, still := Resolve(repair.Query, env()); p == nil || p.Query.String() != repair.FrameQL {
					rt.Fatalf("%s: the repair %s is refused: %v", text, repair.FrameQL, still)
				}
			}
		}
		if plan == nil {
			return
		}
		resolved++
		again, err := Parse(plan.Query.String())
		if err != nil {
			rt.Fatalf("%s becomes %s: %v", text, plan.Query, err)
		}
		second, refusals := Resolve(again, env())
		if second == nil || second.Query.String() != plan.Query.String() {
			rt.Fatalf("%s\n%s\n%v %v", text, plan.Query, second, refusals)
		}
		one, err := plan.Statement(DuckDB)
		if err != nil {
			rt.Fatalf("%s\n%v", plan.Query, err)
		}
		two, _ := second.Statement(DuckDB)
		if one.SQL != two.SQL {
			rt.Fatalf("%s\n%s\n%s", plan.Query, one.SQL, two.SQL)
		}
		res, err := db.Query(one.SQL)
		if err != nil {
			rt.Fatalf("%s\n%v\n%s", plan.Query, err, one.SQL)
		}
		names, _ := res.Columns()
		for res.Next() {
		}
		if err := res.Err(); err != nil || len(names) != len(plan.Columns) {
			rt.Fatalf("%s\n%v %v\n%s", plan.Query, err, names, one.SQL)
		}
		res.Close()
		if s, ok := plan.PopulationStatement(DuckDB); ok {
			res, err := db.Query(s.SQL)
			if err != nil {
				rt.Fatalf("%s\n%v\n%s", plan.Query, err, s.SQL)
			}
			res.Close()
		}
	})
	if resolved < 40 || repairs < 100 {
		t.Errorf("only %d queries resolved, %d repairs", resolved, repairs)
	}
	t.Logf("%d queries resolved and ran, %d repairs", resolved, repairs)
}
