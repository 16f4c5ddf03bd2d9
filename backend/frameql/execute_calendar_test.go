//go:build cgo

package frameql_test

import (
	"strings"
	"testing"

	. "assay/backend/frameql"
)

func TestCalendarOfWeeksRuns(t *testing.T) {
	db := openShop(t)
	for _, c := range []struct{ query, check string }{
		{ // weeks of the calendar, and its years
			"SELECT order_date.fiscal_week, order_date.fiscal_year, orders_placed DURING FY1997-Q2",
			"SELECT order_date - (isodow(order_date) - 1)::INT, DATE '1997-01-06', count(*) FROM orders WHERE order_date >= '1997-04-07' AND order_date < '1997-07-07' GROUP BY 1 ORDER BY 1",
		},
		{ // the same week of the year before; its 53rd has no peer, and before the data nothing is known
			"SELECT order_date.fiscal_week, orders_placed, PREV(orders_placed) DURING FY1997 COMPARE TO SAME PERIOD LAST FISCAL_YEAR",
			`WITH w AS (SELECT order_date - (isodow(order_date) - 1)::INT w, count(*) n FROM orders GROUP BY 1)
				SELECT x.w, coalesce(a.n, 0), CASE WHEN x.w - 53 * 7 >= DATE '1996-07-01' THEN coalesce(b.n, 0) END FROM (SELECT w FROM w WHERE w >= '1997-01-06' AND w < '1998-01-05' UNION SELECT w + 53 * 7 FROM w WHERE w >= '1996-01-01' AND w < '1996-12-30') x
				LEFT JOIN w a ON a.w = x.w LEFT JOIN w b ON b.w = x.w - 53 * 7 ORDER BY 1`,
		},
		{
			"SELECT order_date.fiscal_week, orders_placed, PREV(orders_placed) DURING FY1997-Q1",
			`WITH w AS (SELECT order_date - (isodow(order_date) - 1)::INT w, count(*) n FROM orders GROUP BY 1)
				SELECT a.w, a.n, coalesce(b.n, 0) FROM w a LEFT JOIN w b ON b.w = a.w - 7 WHERE a.w >= '1997-01-06' AND a.w < '1997-04-07' ORDER BY 1`,
		},
		{"SELECT orders_placed AT () WHERE order_date.fiscal_week = 'FY1997-W01' OR order_date.fiscal_quarter = 'FY1997-Q2'", "SELECT count(*) FROM orders WHERE order_date BETWEEN '1997-01-06' AND '1997-01-12' OR order_date BETWEEN '1997-04-07' AND '1997-07-06'"},
		{
			"SELECT order_date.fiscal_quarter, CUMULATIVE(orders_placed, AT fiscal_year) DURING FY1997",
			`SELECT q, sum(n) OVER (ORDER BY q) FROM (SELECT DATE '1997-01-06' + 91 * ((order_date - DATE '1997-01-06') // 91)::INT q, count(*) n FROM orders WHERE order_date >= '1997-01-06' AND order_date < '1998-01-05' GROUP BY 1) ORDER BY 1`,
		},
		{ // over whole quarters: the weeks that begin after the same place of the quarter before
			"SELECT order_date.fiscal_week, MOVING(orders_placed, 1, fiscal_quarter) DURING FY1997-Q2",
			`WITH w AS (SELECT order_date - (isodow(order_date) - 1)::INT w, count(*) n FROM orders GROUP BY 1)
				SELECT a.w, (SELECT sum(n) FROM w b WHERE b.w > a.w - 91 AND b.w <= a.w) FROM w a WHERE a.w >= '1997-04-07' AND a.w < '1997-07-07' ORDER BY 1`,
		},
		{ // the last two weeks of a quarter, here the second one not to its end
			"SELECT order_date.fiscal_quarter, MOVING(orders_placed, 2, fiscal_week) DURING BETWEEN 1997-04-07 AND 1997-07-02",
			"SELECT DATE '1997-04-07', count(*) FROM orders WHERE order_date BETWEEN '1997-06-23' AND '1997-07-02'",
		},
		{ // what cannot be added up: a year back keeps its place in the year, which may have 53 weeks
			"SELECT order_date.fiscal_quarter, MOVING(order_count, 1, fiscal_year) DURING FY1997 FILL NULL",
			`SELECT q, nullif(count(DISTINCT o.order_id), 0) FROM (VALUES (DATE '1997-01-06', DATE '1996-04-01'), (DATE '1997-04-07', DATE '1996-07-01'), (DATE '1997-07-07', DATE '1996-09-30'),
				(DATE '1997-10-06', DATE '1997-01-06')) v(q, b) LEFT JOIN orders o ON o.order_date >= b AND o.order_date < q + 91 AND o.order_id IN (SELECT order_id FROM "Order Details") GROUP BY 1 ORDER BY 1`,
		},
		{ // without a period: the calendar is written as far as the data reaches, and begins with its first year
			"SELECT order_date.fiscal_week, MOVING(orders_placed, 1, fiscal_year)",
			`WITH w AS (SELECT order_date - (isodow(order_date) - 1)::INT w, count(*) n FROM orders GROUP BY 1)
				SELECT a.w, (SELECT sum(n) FROM w b WHERE b.w > a.w - CASE WHEN a.w < '1998-01-05' THEN 371 ELSE 364 END AND b.w <= a.w) FROM w a ORDER BY 1`,
		},
		{"SELECT orders_placed AT () DURING FY1997 COMPARE TO PREVIOUS PERIOD", "SELECT a, b, a - b, (a - b) / b FROM (SELECT count(*) FILTER (WHERE order_date >= '1997-01-06') a, count(*) FILTER (WHERE order_date < '1997-01-06') b FROM orders WHERE order_date < '1998-01-05')"},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, retail())
		if plan == nil {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		again, err := Parse(plan.Query.String())
		if second, _ := Resolve(again, retail()); err != nil || second == nil || second.Query.String() != plan.Query.String() {
			t.Errorf("%s becomes %s, which is another query", c.query, plan.Query)
		}
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		_, got := rows(t, db, s.SQL)
		_, want := rows(t, db, c.check)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
