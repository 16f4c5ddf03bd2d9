//go:build cgo

package frameql_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// weeks is a calendar of whole weeks: fiscal 1996 has 53 of them, 1997 and 1998 have 52, by quarters of 13 (14) weeks.
func weeks() semantic.Calendar {
	c := semantic.Calendar{Name: "retail", Pattern: "4-4-5", Buckets: map[string][]semantic.CalendarBucket{}}
	add := func(unit, label string, n int, from, to time.Time) {
		c.Buckets[unit] = append(c.Buckets[unit], semantic.CalendarBucket{From: from, To: to, Label: label, Ordinal: n})
	}
	start := time.Date(1996, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, n := range []int{53, 52, 52} {
		year := 1996 + i
		for w := range n {
			add("fiscal_week", fmt.Sprintf("FY%d-W%02d", year, w+1), w+1, start.AddDate(0, 0, 7*w), start.AddDate(0, 0, 7*w+7))
		}
		for q := range 4 {
			end := start.AddDate(0, 0, 91*(q+1))
			if q == 3 {
				end = start.AddDate(0, 0, 7*n)
			}
			add("fiscal_quarter", fmt.Sprintf("FY%d-Q%d", year, q+1), q+1, start.AddDate(0, 0, 91*q), end)
		}
		add("fiscal_year", fmt.Sprintf("FY%d", year), 1, start, start.AddDate(0, 0, 7*n))
		start = start.AddDate(0, 0, 7*n)
	}
	return c
}

func retail() Env {
	e := env()
	m := shop()
	m.Calendars, m.Workspace.Calendar = []semantic.Calendar{weeks()}, "retail"
	e.Model = m
	return e
}

func TestCalendarOfWeeks(t *testing.T) {
	for text, want := range map[string]string{
		"FY1996": "1996-01-01 1997-01-06", "FY1997-Q1": "1997-01-06 1997-04-07", "FY1997-Q4": "1997-10-06 1998-01-05",
		"THIS FISCAL_WEEK": "1998-05-04 1998-05-11", "LAST 2 FISCAL_QUARTER": "1997-10-06 1998-04-06", "PREVIOUS FISCAL_YEAR": "1997-01-06 1998-01-05",
		"FY1999": "INVALID_PERIOD", "LAST 9 FISCAL_YEAR": "INVALID_PERIOD", "LAST 1 FISCAL_PERIOD": "CALENDAR_UNDEFINED", "LAST 1 SPRINT": "CALENDAR_UNDEFINED",
	} {
		p, err := ParsePeriod(text)
		if err != nil {
			t.Fatal(err)
		}
		use, refused := ResolvePeriod(p, retail().Now, retail().Model)
		got := ""
		if refused != nil {
			got = refused.Code
		} else {
			got = use.From.Format(time.DateOnly) + " " + use.To.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

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
