//go:build cgo

package frameql_test

import (
	"strings"
	"testing"

	. "assay/backend/frameql"
)

// TestLanguage compares the rows of every construct with those of a hand-written statement.
func TestLanguage(t *testing.T) {
	db := openShop(t)
	const lines = `"Order Details" d JOIN orders o ON o.order_id = d."OrderID" LEFT JOIN customers c USING (customer_id)
		JOIN products_raw p ON p.product_id = d."ProductID" LEFT JOIN categories k ON k.category_id = p.category_id`
	const rev = `sum(d.unit_price * d.quantity * (1 - d.discount))`
	const monthly = `WITH m AS (SELECT date_trunc('month', o.order_date) mo, ` + rev + ` r FROM ` + lines + ` GROUP BY 1)`
	const byCountry = `WITH a AS (SELECT c.country n, ` + rev + ` r FROM ` + lines + ` GROUP BY 1)`
	for _, c := range []struct{ query, check string }{
		{ // definitions
			"WITH net = revenue - freight, twice = net * 2 SELECT country, twice",
			`WITH a AS (SELECT c.country n, ` + rev + ` r FROM ` + lines + ` GROUP BY 1), b AS (SELECT c.country n, sum(freight) f FROM orders o LEFT JOIN customers c USING (customer_id) GROUP BY 1)
				SELECT n, 2 * (coalesce(r, 0) - coalesce(f, 0)) FROM (SELECT coalesce(a.n, b.n) n, r, f FROM a FULL JOIN b ON a.n IS NOT DISTINCT FROM b.n) ORDER BY n NULLS LAST`,
		},
		{"WITH net = quantity * unit_price SELECT SUM(net), MAX(net) AT ()", `SELECT sum(quantity * unit_price), max(quantity * unit_price) FROM "Order Details"`},
		{ // several facts, each by its own time
			"SELECT month, revenue, units_in_stock, planned DURING 1997-01",
			`SELECT DATE '1997-01-01', ` + rev + `, 0, (SELECT sum(planned) FROM budgets WHERE budget_month = '1997-01-01') FROM ` + lines + ` WHERE o.order_date >= '1997-01-01' AND o.order_date < '1997-02-01'`,
		},
		{ // one that has no rows where another has
			"SELECT month, planned, orders_placed DURING 1997-Q1",
			`SELECT * FROM (VALUES (DATE '1997-01-01', 100, 1), (DATE '1997-02-01', 110, 0)) ORDER BY 1`,
		},
		{
			"SELECT country, COUNT(tickets), revenue AT country WHERE customers.country = 'Germany'",
			`SELECT 'Germany', 2, ` + rev + ` FROM ` + lines + ` WHERE c.country = 'Germany'`,
		},
		{ // conditions of one metric only
			"SELECT country, revenue FILTER (WHERE category_name = 'Tea') AS tea, tickets_raised AS n AT country WHERE customers.country = 'Germany'",
			`SELECT 'Germany', ` + rev + ` FILTER (WHERE k.category_name = 'Tea'), 2 FROM ` + lines + ` WHERE c.country = 'Germany'`,
		},
		{ // the four meanings of AT
			"SELECT country, (revenue AT country) AS same, revenue / (revenue AT ()) AS part, AVG(revenue AT customers) AS fine",
			`SELECT n, r, r / sum(r) OVER (), f FROM (SELECT c.country n, ` + rev + ` r FROM ` + lines + ` GROUP BY 1) a
				JOIN (SELECT n f_n, avg(r) FILTER (WHERE customer_id IS NOT NULL) f FROM (SELECT c.customer_id, c.country n, ` + rev + ` r FROM ` + lines + ` GROUP BY 1, 2) GROUP BY 1) ON f_n IS NOT DISTINCT FROM n ORDER BY n NULLS LAST`,
		},
		{
			"SELECT order_date.month, revenue / (revenue AT order_date.year) AS part DURING 1997",
			monthly + ` SELECT mo, r / sum(r) OVER () FROM m WHERE year(mo) = 1997 ORDER BY 1`,
		},
		{
			"SELECT country, (revenue AT () IGNORING FILTERS) AS everything, (revenue AT country IGNORING (categories)) AS mine, revenue WHERE category_name = 'Tea' AND customers.country IN ('France', 'Germany')",
			byCountry + `, x AS (SELECT c.country n, ` + rev + ` r FROM ` + lines + ` WHERE k.category_name = 'Tea' AND c.country IN ('France', 'Germany') GROUP BY 1)
				SELECT x.n, (SELECT sum(r) FROM a), a.r, x.r FROM x JOIN a ON a.n = x.n ORDER BY 1`,
		},
		{
			"SELECT COUNT(revenue AT customers), MAX(COUNT(order_lines) AT orders), COUNT(DISTINCT line_count AT orders), MEDIAN(revenue AT (customers, month)) AT ()",
			`SELECT (SELECT count(DISTINCT customer_id) FROM (SELECT c.customer_id FROM ` + lines + `)), 2, 2,
				(SELECT median(r) FROM (SELECT c.customer_id, date_trunc('month', order_date) mo, ` + rev + ` r FROM ` + lines + ` GROUP BY 1, 2) WHERE customer_id IS NOT NULL)`,
		},
		{ // comparisons
			"SELECT country, revenue DURING 1997 COMPARE TO PREVIOUS YEAR",
			`WITH a AS (SELECT c.country n, coalesce(` + rev + ` FILTER (WHERE year(order_date) = 1997), 0) r, coalesce(` + rev + ` FILTER (WHERE year(order_date) = 1996), 0) p
				FROM ` + lines + ` WHERE year(order_date) IN (1996, 1997) GROUP BY 1) SELECT n, r, p, r - p, CASE WHEN p <> 0 THEN (r - p) / abs(p) END FROM a ORDER BY 1 NULLS LAST`,
		},
		{
			"SELECT order_date.month, PREV(revenue), DELTA(revenue) DURING 1998-Q1 COMPARE TO SAME PERIOD LAST YEAR",
			monthly + ` SELECT x.mo, coalesce(b.r, 0), coalesce(a.r, 0) - coalesce(b.r, 0) FROM (SELECT mo FROM m WHERE mo >= '1998-01-01' AND mo < '1998-04-01' UNION SELECT mo + INTERVAL 1 YEAR FROM m
				WHERE mo >= '1997-01-01' AND mo < '1997-04-01') x LEFT JOIN m a ON a.mo = x.mo LEFT JOIN m b ON b.mo = x.mo - INTERVAL 1 YEAR ORDER BY 1`,
		},
		{ // against the bucket before, which may have no rows
			"SELECT order_date.month, revenue, PREV(revenue) DURING 1997",
			monthly + ` SELECT a.mo, a.r, coalesce(b.r, 0) FROM m a LEFT JOIN m b ON b.mo = a.mo - INTERVAL 1 MONTH WHERE year(a.mo) = 1997 ORDER BY 1`,
		},
		{ // and several before
			"SELECT order_date.month, PREV(revenue, 2), DELTA(revenue, 3) DURING 1997",
			monthly + ` SELECT a.mo, coalesce(b.r, 0), a.r - coalesce(c.r, 0) FROM m a LEFT JOIN m b ON b.mo = a.mo - INTERVAL 2 MONTH LEFT JOIN m c ON c.mo = a.mo - INTERVAL 3 MONTH WHERE year(a.mo) = 1997 ORDER BY 1`,
		},
		{ // the one fact that leads to all
			"SELECT category_name, COUNT(DISTINCT customers)",
			`SELECT k.category_name, count(DISTINCT c.customer_id) FROM ` + lines + ` GROUP BY 1 ORDER BY 1 NULLS LAST`,
		},
		{ // across rows that relate many to many
			"SELECT orders_placed, orders_placed FILTER (WHERE NO products (product_name = 'Chai')) AS n WHERE ANY products (category_name = 'Tea')",
			`SELECT count(*), count(*) FILTER (WHERE order_id NOT IN (SELECT "OrderID" FROM "Order Details" WHERE "ProductID" = 1)) FROM orders WHERE order_id IN (SELECT d."OrderID" FROM ` + lines + ` WHERE k.category_name = 'Tea')`,
		},
		{
			"SELECT customer_id AT customers WHERE ALL products (category_name = 'Tea') AND ANY products",
			`SELECT c.customer_id FROM ` + lines + ` WHERE c.customer_id IS NOT NULL GROUP BY 1 HAVING bool_and(coalesce(k.category_name = 'Tea', false)) ORDER BY 1`,
		},
		{
			"SELECT order_date.month, PCT_CHANGE(revenue) AS c DURING 1997 COMPARE TO TARGET gross_revenue",
			`SELECT date_trunc('month', order_date), (` + rev + ` - sum(d.unit_price * d.quantity)) / sum(d.unit_price * d.quantity) FROM ` + lines + ` WHERE year(order_date) = 1997 GROUP BY 1 ORDER BY 1`,
		},
		{ // shares, ranks and windows
			"SELECT country, category_name, SHARE(revenue), SHARE(revenue, AT country), RANK(revenue), RANK(revenue, AT country) AT (country, category_name)",
			`WITH a AS (SELECT c.country n, k.category_name g, ` + rev + ` r FROM ` + lines + ` GROUP BY 1, 2) SELECT n, g, r / sum(r) OVER (), r / sum(r) OVER (PARTITION BY n), rank() OVER (ORDER BY r DESC),
				rank() OVER (PARTITION BY n ORDER BY r DESC) FROM a ORDER BY n NULLS LAST, g NULLS LAST`,
		},
		{
			"SELECT order_date.month, CUMULATIVE(revenue), MOVING(revenue, 2), INDEX(revenue), CUMULATIVE(average_order_value) DURING 1997",
			monthly + `, n AS (SELECT date_trunc('month', order_date) mo, count(DISTINCT order_id) n FROM orders WHERE year(order_date) = 1997 GROUP BY 1)
				SELECT mo, sum(r) OVER (ORDER BY mo), (SELECT sum(r) FROM m b WHERE b.mo <= a.mo AND b.mo > a.mo - INTERVAL 2 MONTH), 100 * r / first_value(r) OVER (ORDER BY mo),
				sum(r) OVER (ORDER BY mo) / sum(n) OVER (ORDER BY mo) FROM m a JOIN n USING (mo) ORDER BY 1`,
		},
		{
			"SELECT order_date.month, CUMULATIVE(order_count) AS n, CUMULATIVE(COUNT(DISTINCT customers)) AS m DURING 1997",
			`SELECT x.mo, count(DISTINCT o.order_id), count(DISTINCT c.customer_id) FROM (SELECT DISTINCT date_trunc('month', order_date) mo FROM orders WHERE year(order_date) = 1997) x
				JOIN orders o ON year(o.order_date) = 1997 AND o.order_date < x.mo + INTERVAL 1 MONTH LEFT JOIN customers c USING (customer_id) GROUP BY 1 ORDER BY 1`,
		},
		{ // gaps
			"SELECT order_date.month, revenue DURING 1997-Q1 FILL ZERO",
			`SELECT * FROM (VALUES (DATE '1997-01-01', 40), (DATE '1997-02-01', 0), (DATE '1997-03-01', 0)) ORDER BY 1`,
		},
		{"SELECT order_date.month, revenue DURING 1997-Q1 FILL LAST", `SELECT * FROM (VALUES (DATE '1997-01-01', 40), (DATE '1997-02-01', 40), (DATE '1997-03-01', 40)) ORDER BY 1`},
		{ // the first members, the others, totals
			"SELECT category_name, revenue, average_order_value AT category_name TOP 2 category_name BY revenue WITH OTHER TOTALS",
			`WITH a AS (SELECT k.category_name n, ` + rev + ` r FROM ` + lines + ` GROUP BY 1), f AS (SELECT n FROM a ORDER BY r DESC LIMIT 2)
				SELECT * FROM (SELECT k.category_name, ` + rev + ` r, ` + rev + ` / count(DISTINCT o.order_id), false, false FROM ` + lines + ` WHERE k.category_name IN (SELECT n FROM f) GROUP BY 1 ORDER BY r DESC)
				UNION ALL SELECT NULL, ` + rev + `, ` + rev + ` / count(DISTINCT o.order_id), true, false FROM ` + lines + ` WHERE coalesce(k.category_name, '?') NOT IN (SELECT n FROM f)
				UNION ALL SELECT NULL, ` + rev + `, ` + rev + ` / count(DISTINCT o.order_id), false, true FROM ` + lines,
		},
		{
			"SELECT country, category_name, revenue AT (country, category_name) TOP 1 category_name BY revenue PER country",
			`SELECT n, g, r FROM (SELECT c.country n, k.category_name g, ` + rev + ` r, row_number() OVER (PARTITION BY c.country ORDER BY ` + rev + ` DESC) i FROM ` + lines + ` GROUP BY 1, 2) WHERE i = 1 ORDER BY 1 NULLS LAST`,
		},
		{
			"SELECT country, revenue AT country DURING 1997 COMPARE TO PREVIOUS YEAR TOP 1 country BY revenue_change",
			`SELECT n, r, p, r - p, CASE WHEN p <> 0 THEN (r - p) / p END FROM (SELECT c.country n, coalesce(` + rev + ` FILTER (WHERE year(order_date) = 1997), 0) r, coalesce(` + rev + ` FILTER (WHERE year(order_date) = 1996), 0) p
				FROM ` + lines + ` WHERE year(order_date) IN (1996, 1997) GROUP BY 1) ORDER BY r - p DESC LIMIT 1`,
		},
		{ // levels
			"SELECT product_name, units_in_stock, stock_per_item, mean_stock AT product_name",
			`SELECT * FROM (VALUES ('Chai', 8, 8, 9), ('Cote', 5, 5, 4.5))`,
		},
		{"SELECT units_in_stock, mean_stock AT ()", "SELECT 13, 13.5"},
		{"SELECT units_in_stock AT stock", `SELECT day, product_id, units FROM stock ORDER BY 1, 2`},
		{ // running totals and offsets of the model
			"SELECT order_date.month, running, freight_week DURING 1997-Q2",
			`SELECT x.mo, (SELECT sum(freight) FROM orders WHERE order_date < x.mo + INTERVAL 1 MONTH), coalesce((SELECT sum(freight) FROM orders WHERE order_date < x.mo + INTERVAL 1 MONTH AND order_date >= x.mo + INTERVAL 1 MONTH - INTERVAL 7 DAY), 0)
				FROM (VALUES (DATE '1997-04-01'), (DATE '1997-05-01'), (DATE '1997-06-01')) x(mo) ORDER BY 1`,
		},
		{"SELECT running AT () DURING 1997", "SELECT sum(freight) FROM orders WHERE order_date < '1998-01-01'"},
		{"SELECT order_date.month, last_month_freight DURING 1997-01", "SELECT DATE '1997-01-01', 20.0 - 10.5"},
		{"SELECT open_share, typical_freight AT ()", "SELECT count(*) FILTER (WHERE status = 'open') / count(*), quantile_disc(freight, 0.5) FROM orders"},
		{ // quantifiers
			"SELECT customers.company_name AT customers WHERE ANY orders(status = 'open') AND NOT ALL orders(freight > 5)",
			`SELECT c."CompanyName" FROM customers c WHERE EXISTS (FROM orders o WHERE o.customer_id = c.customer_id AND status = 'open') AND EXISTS (FROM orders o WHERE o.customer_id = c.customer_id AND NOT coalesce(freight > 5, false)) ORDER BY c.customer_id`,
		},
		{"SELECT COUNT(customers) AT () WHERE NO orders", "SELECT count(*) FROM customers c WHERE NOT EXISTS (FROM orders o WHERE o.customer_id = c.customer_id)"},
		{"SELECT orders_placed AT () WHERE ANY order_lines(quantity > 10) OR ANY tickets(priority = 'low')", `SELECT count(*) FROM orders o WHERE EXISTS (FROM "Order Details" d WHERE d."OrderID" = o.order_id AND quantity > 10)
			OR EXISTS (FROM customers c JOIN tickets t ON t.client_id = c.customer_id WHERE c.customer_id = o.customer_id AND t.priority = 'low')`},
		{"SELECT orders_placed AT () WHERE ANY customers(country = 'France')", "SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE country = 'France'"},
		{"SELECT orders_placed AT () WHERE NO customers", "SELECT count(*) FROM orders WHERE customer_id IS NULL OR customer_id NOT IN (SELECT customer_id FROM customers)"},
		{ // computed operands and the first members
			"SELECT products.product_name AT products WHERE list_price > (AVG(list_price) AT ())", "SELECT name FROM products_raw WHERE list_price > (SELECT avg(list_price) FROM products_raw) ORDER BY product_id",
		},
		{
			"SELECT order_date.year, orders_placed WHERE freight > (AVG(freight) AT customers)",
			`SELECT date_trunc('year', order_date), count(*) FROM orders o WHERE freight > (SELECT avg(freight) FROM orders b LEFT JOIN customers x USING (customer_id) WHERE x.customer_id IS NOT DISTINCT FROM
				(SELECT customer_id FROM customers z WHERE z.customer_id = o.customer_id)) GROUP BY 1 ORDER BY 1`,
		},
		{
			"SELECT revenue AT () WHERE customers IN TOP 2 BY orders_placed",
			`SELECT ` + rev + ` FROM ` + lines + ` WHERE coalesce(c.customer_id, '?') IN (SELECT coalesce(c.customer_id, '?') FROM orders o LEFT JOIN customers c USING (customer_id) GROUP BY c.customer_id ORDER BY count(*) DESC, c.customer_id NULLS LAST LIMIT 2)`,
		},
		{"SELECT country, revenue AT country HAVING revenue > (AVG(revenue AT country) AT ())", byCountry + ` SELECT * FROM a WHERE r > (SELECT avg(r) FROM a) ORDER BY 1 NULLS LAST`},
		{ // the other reducers
			"SELECT FIRST(freight), LAST(freight), PERCENTILE(freight, 0.25), STDDEV(freight), ANY(customers.active), ALL(customers.active), COUNT(order_lines) FROM order_lines, orders AT ()",
			"",
		},
		{
			"SELECT FIRST(orders.freight), LAST(orders.freight), PERCENTILE(orders.freight, 0.25), STDDEV(orders.freight), ANY(customers.active), ALL(customers.active) AT status",
			`SELECT status, arg_min(freight, (order_date, order_id)) FILTER (WHERE freight IS NOT NULL), arg_max(freight, (order_date, order_id)) FILTER (WHERE freight IS NOT NULL), quantile_cont(freight::DOUBLE, 0.25), stddev_samp(freight),
				bool_or(active), bool_and(active) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1 NULLS LAST`,
		},
		{ // time zones and weeks
			"SELECT zoned_at.day, ticket_cost OPTIONS (tz = 'Europe/Berlin')",
			`SELECT * FROM (VALUES (DATE '1997-02-01', 4), (DATE '1997-05-01', 2.5), (DATE '1998-01-01', 0)) ORDER BY 1`,
		},
		{"SELECT ticket_cost AT () DURING 1997-02 OPTIONS (tz = 'Europe/Berlin')", "SELECT 4"},
		{"SELECT week, orders_placed DURING 1998 OPTIONS (week_start = 'sat')", "SELECT order_date - ((isodow(order_date) + 1) % 7)::INT, count(*) FROM orders WHERE year(order_date) = 1998 GROUP BY 1 ORDER BY 1"},
		{"SELECT COUNT(visits.page) AT () DURING FROM '1998-01-01T10:00' TO '1998-01-02T11:30' ON seen_at", "SELECT 2"},
	} {
		if c.check == "" {
			continue
		}
		plan := mustResolve(t, c.query)
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		names, got := rows(t, db, s.SQL)
		_, want := rows(t, db, c.check)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\ngot\n%s\nwant\n%s\n%s", c.query, strings.Join(got, "\n"), strings.Join(want, "\n"), s.SQL)
		}
		for i, n := range names {
			if n != plan.Columns[i].Name {
				t.Errorf("%s: column %d is %s, the plan says %s", c.query, i, n, plan.Columns[i].Name)
			}
		}
	}
}
