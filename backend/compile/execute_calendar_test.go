//go:build cgo

package compile_test

import (
	"testing"
	"time"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// withAxis gives a query whose month axis is cut otherwise.
func withAxis(b built, cut *Scalar, t semantic.Type) built {
	b.Keys[month].Cut, b.Keys[month].Type = cut, t
	for i := range b.Outputs {
		if c := b.Outputs[i].Cell; c.Op == "key" && c.Index == month {
			c.Type = t
		}
	}
	return b
}

func trunc(unit string, shift int) *Scalar { return &Scalar{Op: "trunc", Text: unit, Shift: shift} }

func TestCalendars(t *testing.T) {
	db := openShop(t)
	year2024 := func(b built) built { return b.during(date(2024, 1, 1), date(2025, 1, 1)) }
	for _, c := range []struct {
		name string
		cut  *Scalar
		sql  string
	}{
		{"week", trunc("week", 0), "order_date - (isodow(order_date) - 1)::INT"},
		{"week from Sunday", trunc("week", 1), "order_date - (isodow(order_date) % 7)::INT"},
		{"fiscal year from February", trunc("fiscal_year", 1), "make_date(year(order_date) - (month(order_date) < 2)::INT, 2, 1)"},
		{"fiscal quarter from February", trunc("fiscal_quarter", 1), "(date_trunc('quarter', order_date - INTERVAL 1 MONTH) + INTERVAL 1 MONTH)::DATE"},
	} {
		check(t, db, c.name, withAxis(q([]int{month}, "revenue", leaf(revenue)), c.cut, semantic.Date), "SELECT "+c.sql+", coalesce(sum(amount), 0) FROM orders GROUP BY 1 ORDER BY 1 NULLS LAST")
		filled := withAxis(year2024(q([]int{month}, "revenue", leaf(revenue), "moving", over("moving", leaf(revenue), 2, ""), "before", over("lag", leaf(revenue), 1, ""))), c.cut, semantic.Date).
			with(func(q *Query) {
				q.Fill = &Fill{Axis: month, Mode: "zero", From: date(2024, 1, 1), To: date(2025, 1, 1)}
			})
		unit := map[string]string{"week": "7 DAY", "week from Sunday": "7 DAY", "fiscal year from February": "1 YEAR", "fiscal quarter from February": "3 MONTH"}[c.name]
		check(t, db, c.name+" filled, moving and compared", filled,
			`WITH d AS (SELECT DISTINCT `+c.sql+` k FROM (SELECT CAST(d AS DATE) order_date FROM generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL 1 DAY) s(d))), m AS (SELECT `+c.sql+` k, sum(amount) r, sum(amount) FILTER (WHERE year(order_date) = 2024) p FROM orders WHERE order_date < '2025-01-01' GROUP BY 1)
				SELECT k, coalesce(p, 0), (SELECT coalesce(sum(r), 0) FROM m WHERE m.k > d.k - INTERVAL `+unit+` - INTERVAL `+unit+` AND m.k <= d.k), (SELECT coalesce(sum(r), 0) FROM m WHERE m.k = d.k - INTERVAL `+unit+`) FROM d LEFT JOIN m USING (k) ORDER BY 1`)
	}
	check(t, db, "hour", withAxis(q([]int{month}, "n", leaf(ticketCount)), trunc("hour", 0), semantic.Timestamp), "SELECT date_trunc('hour', opened_at), count(*) FROM tickets GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "hours filled", withAxis(q([]int{month}, "n", leaf(ticketCount)), trunc("hour", 0), semantic.Timestamp).during(date(2024, 1, 31), date(2024, 2, 1)).
		with(func(q *Query) {
			q.Fill = &Fill{Axis: month, Mode: "zero", From: date(2024, 1, 31), To: date(2024, 2, 1)}
		}),
		"SELECT d, CASE WHEN hour(d) = 23 THEN 1 ELSE 0 END FROM generate_series(TIMESTAMP '2024-01-31 00:00:00', TIMESTAMP '2024-01-31 23:00:00', INTERVAL 1 HOUR) s(d)")
	berlin := &Scalar{Op: "trunc", Text: "day", Zone: "Europe/Berlin", From: "UTC"}
	check(t, db, "day of another zone", withAxis(q([]int{month}, "n", leaf(ticketCount)), berlin, semantic.Date), "SELECT timezone('Europe/Berlin', timezone('UTC', opened_at))::DATE, count(*) FROM tickets GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "days of another zone filled", withAxis(q([]int{month}, "n", leaf(ticketCount)), berlin, semantic.Date).during(date(2024, 1, 31), date(2024, 2, 2)).
		with(func(q *Query) {
			q.Fill = &Fill{Axis: month, Mode: "zero", From: date(2024, 1, 31), To: date(2024, 2, 2)}
		}),
		"SELECT * FROM (VALUES (DATE '2024-01-31', 0), ('2024-02-01', 1), ('2024-02-02', 0))")
}

func TestZoneOfATime(t *testing.T) {
	db := openShop(t)
	local := func(q *Query) {
		q.Leaves[ticketCount].Time = &Scalar{Op: "trunc", Zone: "America/New_York", From: "UTC", Args: []*Scalar{times()[1]}, Type: semantic.Timestamp}
	}
	const localTime = "timezone('America/New_York', timezone('UTC', opened_at))"
	check(t, db, "converted before it is cut", q([]int{day}, "n", leaf(ticketCount)).during(date(2024, 2, 9), date(2024, 5, 1)).with(local),
		"SELECT "+localTime+"::DATE, count(*) FROM tickets WHERE "+localTime+" >= '2024-02-09' AND "+localTime+" < '2024-05-01' GROUP BY 1 ORDER BY 1")
}

func TestCustomCalendar(t *testing.T) {
	db := openShop(t)
	var periods []Bucket // of 28 days, from 2023-10-02
	for at := date(2023, 10, 2); at.Before(date(2025, 3, 1)); at = at.AddDate(0, 0, 28) {
		periods = append(periods, Bucket{From: at, To: at.AddDate(0, 0, 28)})
	}
	cut := &Scalar{Op: "trunc", Text: "fiscal_period", Buckets: periods}
	const place = "floor((order_date - DATE '2023-10-02') / 28)::INT"
	start := func(n string) string { return "DATE '2023-10-02' + 28 * (" + n + ")" }
	at := func(i int) time.Time { return periods[i].From }
	check(t, db, "period", withAxis(q([]int{month}, "revenue", leaf(revenue)), cut, semantic.Date), "SELECT "+start(place)+", coalesce(sum(amount), 0) FROM orders GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "compared", withAxis(q([]int{month}, "revenue", leaf(revenue), "before", atContext(revenue, 1)), cut, semantic.Date).during(at(3), at(9)).
		context(Context{From: at(0), To: at(6), Shift: 3, Unit: "fiscal_period"}),
		`WITH m AS (SELECT `+place+` p, coalesce(sum(amount), 0) r FROM orders GROUP BY 1), k AS (SELECT p FROM m WHERE p BETWEEN 3 AND 8 UNION SELECT p + 3 FROM m WHERE p BETWEEN 0 AND 5)
			SELECT `+start("k.p")+`, coalesce(m.r, 0), coalesce(b.r, 0) FROM k LEFT JOIN m ON m.p = k.p LEFT JOIN m b ON b.p = k.p - 3 ORDER BY 1`)
	check(t, db, "peers", withAxis(q([]int{month}, "revenue", leaf(revenue), "before", atContext(revenue, 1)), cut, semantic.Date).during(at(6), at(9)).
		context(Context{From: at(3), To: at(6), Peers: []Bucket{{at(3), at(7)}, {at(5), at(6)}}}).covering(at(5), at(18)),
		`WITH m AS (SELECT `+place+` p, coalesce(sum(amount), 0) r FROM orders GROUP BY 1), k AS (SELECT p FROM m WHERE p BETWEEN 6 AND 8 UNION SELECT 7 FROM m WHERE p = 3 UNION SELECT 6 FROM m WHERE p = 5)
			SELECT `+start("k.p")+`, coalesce(m.r, 0), CASE k.p WHEN 7 THEN b.r WHEN 6 THEN coalesce(c.r, 0) END FROM k LEFT JOIN m ON m.p = k.p LEFT JOIN m b ON b.p = 3 LEFT JOIN m c ON c.p = 5 ORDER BY 1`)
	check(t, db, "filled, moving and lagged", withAxis(q([]int{month}, "revenue", leaf(revenue), "moving", over("moving", leaf(revenue), 3, ""), "before", over("lag", leaf(revenue), 2, ""), "buyers", over("moving", leaf(buyers), 1, "")), cut, semantic.Date).during(at(3), at(9)).
		with(func(q *Query) { q.Fill = &Fill{Axis: month, Mode: "zero", From: at(3), To: at(9)} }),
		`WITH m AS (SELECT `+place+` p, coalesce(sum(amount), 0) r, count(DISTINCT customer_id) b FROM orders GROUP BY 1), k AS (SELECT unnest(range(3, 9)) p)
			SELECT `+start("k.p::INT")+`, coalesce(m.r, 0), (SELECT coalesce(sum(r), 0) FROM m WHERE m.p > k.p - 3 AND m.p <= k.p), (SELECT coalesce(sum(r), 0) FROM m WHERE m.p = k.p - 2), coalesce(b, 0) FROM k LEFT JOIN m ON m.p = k.p ORDER BY 1`)
}

func atContext(l, ctx int) *Scalar { return at(l, ctx) }
