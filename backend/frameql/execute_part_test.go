//go:build cgo

package frameql_test

import (
	"strings"
	"testing"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// busy is the shop with metrics that are filtered by others.
func busy(t *testing.T) Env {
	t.Helper()
	e, m := env(), shop()
	m.Metrics = append(m.Metrics,
		semantic.Metric{Name: "regulars", Entity: "customers", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Filter: "(orders_placed AT customers) >= 2"},
		semantic.Metric{Name: "freight_of_regulars", Entity: "orders", Kind: semantic.Leaf, Expr: "freight", Reducer: semantic.Sum, Filter: "(orders_placed AT customers.customer_id) >= 2 AND freight > 6"},
		semantic.Metric{Name: "dear_days", Kind: semantic.Derived, Expr: "dear", Inputs: []semantic.Input{{Name: "dear", Metric: "orders_placed", Filter: "(freight AT (customers, order_date)) > 7"}}},
	)
	e.Model = m
	return e
}

// TestParts compares parts of dates, and metrics filtered by metrics, with hand-written statements.
func TestParts(t *testing.T) {
	db := openShop(t)
	e := busy(t)
	for _, c := range []struct{ query, text, check string }{
		{
			"select day_of_week, orders_placed", "SELECT orders.order_date.day_of_week, orders_placed",
			"SELECT isodow(order_date), count(*) FROM orders GROUP BY 1 ORDER BY 1",
		},
		{
			"SELECT orders_placed AT (order_date.Month_Of_Year, order_date.quarter_of_year)", "SELECT orders_placed AT (orders.order_date.month_of_year, orders.order_date.quarter_of_year)",
			"SELECT month(order_date), quarter(order_date), count(*) FROM orders GROUP BY 1, 2 ORDER BY 1, 2",
		},
		{
			"SELECT orders_placed AT (day_of_week, day)", "SELECT orders_placed AT (orders.order_date.day_of_week, orders.order_date.day)",
			"SELECT isodow(order_date), order_date, count(*) FROM orders GROUP BY 1, 2 ORDER BY 1, 2",
		},
		{
			"SELECT day, day_of_year, week_of_year, orders_placed AT day DURING FROM 1997-12-27 TO 1997-12-30 FILL ZERO", "",
			"SELECT d, dayofyear(d), weekofyear(d), CASE WHEN d = '1997-12-28' THEN 1 ELSE 0 END FROM (VALUES (DATE '1997-12-27'), ('1997-12-28'), ('1997-12-29')) v(d) ORDER BY 1",
		},
		{
			"SELECT AVG(freight AT day) AS average_day AT day_of_week", "SELECT AVG(freight AT orders.order_date.day) AS average_day AT orders.order_date.day_of_week",
			"SELECT isodow(order_date), avg(f) FROM (SELECT order_date, coalesce(sum(freight), 0) f FROM orders GROUP BY 1) GROUP BY 1 ORDER BY 1",
		},
		{
			"SELECT month_of_year, orders_placed DURING 1998 COMPARE TO SAME PERIOD LAST YEAR", "",
			`SELECT m, n, p, n - p, (n - p) / nullif(p, 0)::DOUBLE FROM (SELECT month(order_date) m, count(*) FILTER (WHERE year(order_date) = 1998) n,
				count(*) FILTER (WHERE year(order_date) = 1997 AND order_date < '1997-05-07') p FROM orders WHERE year(order_date) IN (1997, 1998) GROUP BY 1) WHERE n > 0 OR p > 0 ORDER BY 1`,
		},
		{
			"SELECT month, orders_placed WHERE day_of_week IN (6, 7) OR orders.shipped_at.hour_of_day < 9", "",
			"SELECT date_trunc('month', order_date), count(*) FROM orders WHERE isodow(order_date) IN (6, 7) OR hour(shipped_at) < 9 GROUP BY 1 ORDER BY 1",
		},
		{
			"SELECT orders_placed, tickets_raised AT month_of_year DURING ALL TIME ON tickets.raised_at", "", "",
		},
		{
			"SELECT freight, revenue AT quarter_of_year", "SELECT freight, revenue AT orders.order_date.quarter_of_year",
			`SELECT q, f, r FROM (SELECT quarter(order_date) q, coalesce(sum(freight), 0) f FROM orders GROUP BY 1)
				JOIN (SELECT quarter(order_date) q, sum(unit_price * quantity * (1 - discount)) r FROM "Order Details" d JOIN orders o ON o.order_id = d."OrderID" GROUP BY 1) USING (q) ORDER BY 1`,
		},
		{
			"SELECT orders_placed TOP 2 day_of_week BY orders_placed AT day_of_week TOTALS", "",
			"SELECT d, n, d IS NULL FROM (SELECT isodow(order_date) d, count(*) n FROM orders GROUP BY 1 ORDER BY n DESC, d LIMIT 2) UNION ALL SELECT NULL, count(*), true FROM orders",
		},
		{"SELECT regulars", "SELECT regulars", "SELECT count(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 2)"},
		{ // what defines a metric does not follow the period that is asked for
			"SELECT freight_of_regulars AT () DURING 1998", "SELECT freight_of_regulars AT () DURING 1998",
			"SELECT sum(freight) FROM orders WHERE customer_id IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 2) AND freight > 6 AND year(order_date) = 1998",
		},
		{
			"SELECT customers.country, dear_days WHERE status = 'paid'", "",
			`SELECT c.country, count(*) FILTER (WHERE o.freight > 7 AND o.customer_id IS NOT NULL AND c.customer_id IS NOT NULL) FROM orders o LEFT JOIN customers c USING (customer_id) WHERE status = 'paid' GROUP BY 1 ORDER BY 1 NULLS LAST`,
		},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		plan, refusals := Resolve(q, e)
		if c.check == "" {
			if plan != nil {
				t.Errorf("%s resolves to %s", c.query, plan.Query.String())
			}
			continue
		}
		if plan == nil {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		if c.text != "" && plan.Query.String() != c.text {
			t.Errorf("%s\nreads as %s\nwant     %s", c.query, plan.Query.String(), c.text)
		}
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		_, got := rows(t, db, s.SQL)
		_, want := rows(t, db, c.check)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\ngot\n%s\nwant\n%s\n%s", c.query, strings.Join(got, "\n"), strings.Join(want, "\n"), s.SQL)
		}
	}
}

// TestPartsRefused asks for parts that are not there.
func TestPartsRefused(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT orders_placed AT hour_of_day":                              "GRAIN_UNAVAILABLE",
		"SELECT planned AT day_of_week":                                    "GRAIN_UNAVAILABLE",
		"SELECT orders_placed AT customers.city.day_of_week":               "TYPE_MISMATCH",
		"SELECT orders_placed WHERE day_of_week = 'Monday'":                "TYPE_MISMATCH",
		"SELECT orders_placed AT (day_of_week, day) TOTALS BY day_of_week": "GRAIN_MISMATCH",
		"SELECT orders_placed AT day TOP 2 day_of_week BY orders_placed":   "INVALID_ORDER_OR_TOP",
		"SELECT CUMULATIVE(orders_placed) AT month_of_year":                "TIME_DIMENSION_REQUIRED",
		"SELECT orders_placed DURING LAST 2 day_of_week":                   "CALENDAR_UNDEFINED",
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		_, refusals := Resolve(q, env())
		if len(refusals) == 0 || refusals[0].Code != want {
			t.Errorf("%s: %v, want %s", query, refusals, want)
		}
	}
}
