//go:build cgo

package compile_test

import (
	"testing"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

func TestAlongTime(t *testing.T) {
	db := openShop(t)
	moving := func(x *Scalar, n int, unit string) *Scalar { return over("moving", x, n, unit) }
	sum := func(x *Scalar, unit string) *Scalar { return over("cumulative", x, 0, unit) }
	months := `WITH m AS (SELECT ` + monthOf + ` k, coalesce(sum(amount), 0) r, count(amount) n, count(*) c FROM orders WHERE order_date IS NOT NULL GROUP BY 1) `
	in2024 := " WHERE a.k >= '2024-01-01' AND a.k < '2025-01-01'"
	check(t, db, "moving sum", q([]int{month}, "revenue", leaf(revenue), "moving", moving(leaf(revenue), 3, "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, a.r, (SELECT sum(b.r) FROM m b WHERE b.k > a.k - INTERVAL 3 MONTH AND b.k <= a.k) FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "moving alone", q([]int{month}, "moving", moving(leaf(revenue), 3, "month")).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, (SELECT sum(b.r) FROM m b WHERE b.k > a.k - INTERVAL 3 MONTH AND b.k <= a.k) FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "moving average and ratio", q([]int{month}, "a", moving(leaf(averageAmount), 2, ""), "d", moving(op("/", leaf(revenue), leaf(orderCount)), 2, "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, (SELECT sum(b.r)::DOUBLE / nullif(sum(b.n), 0) FROM m b WHERE b.k > a.k - INTERVAL 2 MONTH AND b.k <= a.k), (SELECT sum(b.r)::DOUBLE / sum(b.c) FROM m b WHERE b.k > a.k - INTERVAL 2 MONTH AND b.k <= a.k) FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "moving of what cannot be added", q([]int{month}, "buyers", moving(leaf(buyers), 3, ""), "revenue", leaf(revenue)).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, (SELECT count(DISTINCT customer_id) FROM orders WHERE order_date >= a.k - INTERVAL 2 MONTH AND order_date < a.k + INTERVAL 1 MONTH), a.r FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "moving of what cannot be added alone", q([]int{month}, "buyers", moving(leaf(buyers), 3, "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, (SELECT count(DISTINCT customer_id) FROM orders WHERE order_date >= a.k - INTERVAL 2 MONTH AND order_date < a.k + INTERVAL 1 MONTH) FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "moving by days over months", q([]int{month}, "m", moving(leaf(revenue), 10, "day"), "revenue", leaf(revenue)).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, (SELECT coalesce(sum(amount), 0) FROM orders WHERE order_date >= a.k + INTERVAL 1 MONTH - INTERVAL 10 DAY AND order_date < a.k + INTERVAL 1 MONTH), a.r FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "moving by months over days", q([]int{day}, "m", moving(leaf(revenue), 2, "month")).during(date(2024, 1, 1), date(2025, 1, 1)),
		"SELECT d.order_date, (SELECT sum(amount) FROM orders o WHERE o.order_date > d.order_date - INTERVAL 2 MONTH AND o.order_date <= d.order_date) FROM (SELECT DISTINCT order_date FROM orders WHERE year(order_date) = 2024) d ORDER BY 1")
	check(t, db, "running total", q([]int{month}, "revenue", leaf(revenue), "total", sum(leaf(revenue), ""), "max", sum(leaf(nothingMax), "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, a.r, (SELECT sum(b.r) FROM m b WHERE b.k >= '2024-01-01' AND b.k <= a.k), NULL FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "year to date", q([]int{month}, "total", sum(leaf(revenue), "year"), "buyers", sum(leaf(buyers), "year")).during(date(2023, 12, 1), date(2024, 4, 1)),
		months+"SELECT a.k, (SELECT sum(b.r) FROM m b WHERE year(b.k) = year(a.k) AND b.k <= a.k), (SELECT count(DISTINCT customer_id) FROM orders WHERE year(order_date) = year(a.k) AND order_date < a.k + INTERVAL 1 MONTH) FROM m a WHERE a.k >= '2023-12-01' AND a.k < '2024-04-01' ORDER BY 1")
	check(t, db, "without a period", q([]int{month}, "revenue", leaf(revenue), "total", sum(leaf(revenue), ""), "moving", moving(leaf(revenue), 2, "")),
		months+"SELECT a.k, a.r, (SELECT sum(b.r) FROM m b WHERE b.k <= a.k), (SELECT sum(b.r) FROM m b WHERE b.k > a.k - INTERVAL 2 MONTH AND b.k <= a.k) FROM m a UNION ALL SELECT NULL, 55, NULL, NULL ORDER BY 1 NULLS LAST")
	check(t, db, "within the other keys", q([]int{segment, month}, "total", sum(leaf(revenue), "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		`WITH m AS (SELECT segment s, `+monthOf+` k, coalesce(sum(amount), 0) r FROM `+ordersFrom+` WHERE year(order_date) = 2024 GROUP BY 1, 2) SELECT s, k, sum(r) OVER (PARTITION BY s ORDER BY k) FROM m ORDER BY 1 NULLS LAST, 2`)
	check(t, db, "moving share of two facts", q([]int{month}, "tickets", leaf(ticketCount), "moving", moving(leaf(revenue), 2, "")).during(date(2024, 1, 1), date(2024, 5, 1)),
		months+`, t AS (SELECT date_trunc('month', opened_at)::DATE k, count(*) n FROM tickets WHERE opened_at >= '2024-01-01' AND opened_at < '2024-05-01' GROUP BY 1), k AS (SELECT k FROM t UNION SELECT k FROM m WHERE k >= '2024-01-01' AND k < '2024-05-01')
			SELECT k.k, coalesce(t.n, 0), (SELECT coalesce(sum(b.r), 0) FROM m b WHERE b.k > k.k - INTERVAL 2 MONTH AND b.k <= k.k) FROM k LEFT JOIN t USING (k) ORDER BY 1`)
	check(t, db, "of two levels", q([]int{month}, "v", moving(reduce("avg", leaf(revenue), day), 2, "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		`WITH d AS (SELECT order_date d, coalesce(sum(amount), 0) x FROM orders WHERE order_date IS NOT NULL GROUP BY 1), k AS (SELECT DISTINCT date_trunc('month', d)::DATE k FROM d WHERE year(d) = 2024)
			SELECT k, (SELECT avg(x) FROM d WHERE d >= k - INTERVAL 1 MONTH AND d < k + INTERVAL 1 MONTH) FROM k ORDER BY 1`)
	check(t, db, "before a moving one", q([]int{month}, "v", over("lag", moving(leaf(revenue), 2, ""), 1, ""), "revenue", leaf(revenue)).during(date(2024, 1, 1), date(2025, 1, 1)),
		months+"SELECT a.k, (SELECT coalesce(sum(b.r), 0) FROM m b WHERE b.k > a.k - INTERVAL 3 MONTH AND b.k < a.k), a.r FROM m a"+in2024+" ORDER BY 1")
	check(t, db, "rank and index", q([]int{segment, month}, "rank", &Scalar{Op: "rank", Args: []*Scalar{leaf(revenue)}, Keys: []int{month}, Type: semantic.Integer}, "index", over("index", leaf(revenue), 0, "")).during(date(2024, 1, 1), date(2025, 1, 1)),
		`WITH m AS (SELECT segment s, `+monthOf+` k, coalesce(sum(amount), 0) r FROM `+ordersFrom+` WHERE year(order_date) = 2024 GROUP BY 1, 2)
			SELECT s, k, rank() OVER (PARTITION BY k ORDER BY r DESC), 100 * r::DOUBLE / nullif(first_value(r) OVER (PARTITION BY s ORDER BY k), 0) FROM m ORDER BY 1 NULLS LAST, 2`)
}

func TestFill(t *testing.T) {
	db := openShop(t)
	fill := func(mode string) func(*Query) {
		return func(q *Query) {
			q.Fill = &Fill{Axis: month, Mode: mode, From: q.Contexts[0].From, To: q.Contexts[0].To}
		}
	}
	spine := "(SELECT CAST(d AS DATE) k FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL 1 MONTH) s(d))"
	months := `WITH m AS (SELECT ` + monthOf + ` k, coalesce(sum(amount), 0) r, avg(amount) v FROM orders WHERE year(order_date) = 2024 GROUP BY 1) `
	year2024 := func(b built) built { return b.during(date(2024, 1, 1), date(2025, 1, 1)) }
	check(t, db, "zero", year2024(q([]int{month}, "revenue", leaf(revenue), "average", leaf(averageAmount))).with(fill("zero")), months+"SELECT k, coalesce(r, 0), v FROM "+spine+" LEFT JOIN m USING (k) ORDER BY 1")
	check(t, db, "null", year2024(q([]int{month}, "revenue", leaf(revenue))).with(fill("null")), months+"SELECT k, r FROM "+spine+" LEFT JOIN m USING (k) ORDER BY 1")
	check(t, db, "last", year2024(q([]int{month}, "revenue", leaf(revenue), "twice", op("*", leaf(revenue), num("2")))).with(fill("last")),
		months+"SELECT k, last_value(r IGNORE NULLS) OVER (ORDER BY k), 2 * last_value(r IGNORE NULLS) OVER (ORDER BY k) FROM "+spine+" LEFT JOIN m USING (k) ORDER BY 1")
	check(t, db, "for each member", year2024(q([]int{segment, month}, "revenue", leaf(revenue), "total", over("cumulative", leaf(revenue), 0, ""))).with(fill("zero")),
		`WITH m AS (SELECT segment s, `+monthOf+` k, coalesce(sum(amount), 0) r FROM `+ordersFrom+` WHERE year(order_date) = 2024 GROUP BY 1, 2)
			SELECT x.s, x.k, coalesce(r, 0), sum(coalesce(r, 0)) OVER (PARTITION BY x.s ORDER BY x.k) FROM (SELECT DISTINCT s, p.k FROM m CROSS JOIN `+spine+` p) x LEFT JOIN m ON m.k = x.k AND m.s IS NOT DISTINCT FROM x.s ORDER BY 1 NULLS LAST, 2`)
	check(t, db, "inside of the data only", year2024(q([]int{month}, "revenue", leaf(revenue))).with(fill("zero")).covering(date(2024, 1, 2), date(2024, 10, 15)), months+"SELECT k, CASE WHEN k < '2024-11-01' THEN coalesce(r, 0) ELSE r END FROM "+spine+" LEFT JOIN m USING (k) ORDER BY 1")
	check(t, db, "between the first and the last", q([]int{month}, "revenue", leaf(revenue)).where(orders, op(">", col(0, "amount", semantic.Decimal), num("20"))).with(fill("zero")),
		`WITH m AS (SELECT `+monthOf+` k, sum(amount) r FROM orders WHERE amount > 20 GROUP BY 1) SELECT k, coalesce(r, 0) FROM (SELECT CAST(d AS DATE) k FROM generate_series(DATE '2023-12-01', DATE '2024-05-01', INTERVAL 1 MONTH) s(d)) LEFT JOIN m USING (k) UNION ALL SELECT NULL, 55 ORDER BY 1 NULLS LAST`)
	check(t, db, "no rows at all", year2024(q([]int{month}, "x", leaf(nothingSum))).with(fill("zero")), "SELECT k, 0 FROM "+spine+" ORDER BY 1")
	check(t, db, "no rows and no period", q([]int{month}, "x", leaf(nothingSum)).with(fill("zero")), "SELECT 1, 1 WHERE false")
	check(t, db, "two axes and a comparison", q([]int{month, year}, "revenue", leaf(revenue), "before", at(revenue, 1)).during(date(2024, 3, 1), date(2024, 7, 1)).
		context(Context{From: date(2024, 2, 1), To: date(2024, 6, 1), Shift: 1, Unit: "month", Lag: true}).with(fill("zero")),
		"SELECT * FROM (VALUES (DATE '2024-03-01', DATE '2024-01-01', 55.75, 0), (DATE '2024-04-01', DATE '2024-01-01', 0, 55.75), (DATE '2024-05-01', DATE '2024-01-01', 108, 0), (DATE '2024-06-01', DATE '2024-01-01', 1, 108))")
	check(t, db, "an average of months", year2024(q([]int{month}, "revenue", leaf(revenue), "moving", over("moving", leaf(revenue), 3, ""))).with(fill("zero")),
		`WITH m AS (SELECT `+monthOf+` k, coalesce(sum(amount), 0) r FROM orders GROUP BY 1) SELECT p.k, coalesce(r, 0), (SELECT coalesce(sum(b.r), 0) FROM m b WHERE b.k > p.k - INTERVAL 3 MONTH AND b.k <= p.k) FROM `+spine+` p LEFT JOIN m USING (k) ORDER BY 1`)
}

func TestSnapshots(t *testing.T) {
	db := openShop(t)
	check(t, db, "last of the month", q([]int{month}, "balance", leaf(balanceLast), "each", leaf(balancePerKey)),
		`WITH b AS (SELECT *, date_trunc('month', day)::DATE k FROM balances WHERE day IS NOT NULL), c AS (SELECT *, max(day) OVER (PARTITION BY k) l, max(day) OVER (PARTITION BY k, account_id) e FROM b)
			SELECT k, sum(balance) FILTER (WHERE day = l), sum(balance) FILTER (WHERE day = e) FROM c GROUP BY 1 ORDER BY 1`)
	check(t, db, "last of the period", q(nil, "balance", leaf(balanceLast), "each", leaf(balancePerKey)).during(date(2024, 1, 1), date(2024, 3, 1)), "SELECT 137, 197")
	check(t, db, "no snapshot", q(nil, "balance", leaf(balanceLast)).during(date(2030, 1, 1), date(2030, 2, 1)), "SELECT NULL")
	check(t, db, "a filter does not move the date", q([]int{month}, "balance", leaf(balanceLast)).where(balances, op("=", col(1, "region_name", semantic.Text), str("South"))),
		"SELECT DATE '2024-01-01', 60 UNION ALL SELECT DATE '2024-04-01', 90")
	check(t, db, "by region", q([]int{region}, "balance", leaf(balanceLast), "each", leaf(balancePerKey)).during(date(2024, 1, 1), date(2024, 3, 1)),
		"SELECT * FROM (VALUES ('North', 130, 130), ('South', NULL, 60), (NULL, 7, 7))")
	check(t, db, "a condition on time does", q(nil, "balance", leaf(balanceLast)).where(balances, op("<", col(0, "day", semantic.Date), &Scalar{Op: "date", Text: "2024-02-01", Type: semantic.Date})), "SELECT 170")
}

func TestTimeMaps(t *testing.T) {
	db := openShop(t)
	mapped := func(m TimeMap, l int) func(*Query) {
		return func(q *Query) { q.Leaves[l].Map = m }
	}
	days := "(SELECT CAST(d AS DATE) d FROM generate_series(DATE '2024-01-01', DATE '2024-03-31', INTERVAL 1 DAY) s(d))"
	quarter1 := func(b built) built { return b.during(date(2024, 1, 1), date(2024, 4, 1)) }
	atDay := func(reducer, condition string) string {
		return "SELECT d, v FROM (SELECT p.d, " + reducer + " v, count(*) n FROM " + days + " p JOIN orders o ON " + condition + " GROUP BY 1) ORDER BY 1"
	}
	for _, c := range []struct {
		name      string
		m         TimeMap
		condition string
	}{
		{"window", TimeMap{Kind: "window", N: 7, Unit: "day"}, "o.order_date > p.d - INTERVAL 7 DAY AND o.order_date <= p.d"},
		{"window of months", TimeMap{Kind: "window", N: 1, Unit: "month"}, "o.order_date > p.d - INTERVAL 1 MONTH AND o.order_date <= p.d"},
		{"to date", TimeMap{Kind: "to_date", Unit: "month"}, "o.order_date >= date_trunc('month', p.d) AND o.order_date <= p.d"},
		{"all", TimeMap{Kind: "all"}, "o.order_date <= p.d"},
		{"at start", TimeMap{Kind: "at_start", Unit: "month"}, "o.order_date = date_trunc('month', p.d)"},
		{"shift", TimeMap{Kind: "shift", N: 14, Unit: "day"}, "o.order_date + INTERVAL 14 DAY = p.d"},
		{"shift by months", TimeMap{Kind: "shift", N: 1, Unit: "month"}, "o.order_date = p.d - INTERVAL 1 MONTH"},
	} {
		check(t, db, c.name, quarter1(q([]int{day}, "v", leaf(revenue))).with(mapped(c.m, revenue)), atDay("coalesce(sum(amount), 0)", c.condition))
		check(t, db, c.name+" distinct", quarter1(q([]int{day}, "v", leaf(buyers))).with(mapped(c.m, buyers)), atDay("count(DISTINCT customer_id)", c.condition))
		check(t, db, c.name+" average", quarter1(q([]int{day}, "v", leaf(averageAmount))).with(mapped(c.m, averageAmount)), atDay("avg(amount)", c.condition))
	}
	offset := TimeMap{Kind: "window", N: 7, Unit: "day", Offset: 1, OffsetUnit: "month"}
	check(t, db, "a past window", quarter1(q([]int{day}, "v", leaf(revenue))).with(mapped(offset, revenue)), atDay("coalesce(sum(amount), 0)", "o.order_date > p.d - INTERVAL 1 MONTH - INTERVAL 7 DAY AND o.order_date <= p.d - INTERVAL 1 MONTH"))
	check(t, db, "at the start of the month by month", quarter1(q([]int{month}, "v", leaf(revenue))).with(mapped(TimeMap{Kind: "at_start", Unit: "month"}, revenue)), "SELECT DATE '2024-03-01', 40")
	check(t, db, "at the start of the period", q(nil, "v", leaf(revenue)).during(date(2024, 3, 1), date(2024, 4, 1)).with(mapped(TimeMap{Kind: "at_start", Unit: "month"}, revenue)), "SELECT 40")
	all := TimeMap{Kind: "all"}
	check(t, db, "beside a plain number it gives no rows", quarter1(q([]int{day}, "n", leaf(orderCount), "v", leaf(revenue))).with(mapped(all, revenue)),
		"SELECT p.order_date, count(*), (SELECT sum(amount) FROM orders o WHERE o.order_date <= p.order_date) FROM orders p WHERE p.order_date >= '2024-01-01' AND p.order_date < '2024-04-01' GROUP BY 1 ORDER BY 1")
	check(t, db, "last day of each month", quarter1(q([]int{month}, "v", reduce("last", leaf(revenue), day))).with(mapped(TimeMap{Kind: "window", N: 30, Unit: "day"}, revenue)),
		`WITH d AS (SELECT p.d, coalesce(sum(amount), 0) v FROM `+days+` p JOIN orders o ON o.order_date > p.d - INTERVAL 30 DAY AND o.order_date <= p.d GROUP BY 1) SELECT date_trunc('month', d)::DATE, arg_max(v, d) FROM d GROUP BY 1 ORDER BY 1`)
	check(t, db, "without an axis", q(nil, "v", leaf(revenue)).during(date(2024, 1, 1), date(2024, 4, 1)).with(mapped(TimeMap{Kind: "window", N: 30, Unit: "day"}, revenue)), "SELECT 15.75")
	check(t, db, "without a period", q([]int{day}, "v", leaf(buyers)).with(mapped(TimeMap{Kind: "window", N: 1, Unit: "day"}, buyers)), "SELECT order_date, count(DISTINCT customer_id) FROM orders WHERE order_date IS NOT NULL GROUP BY 1 ORDER BY 1")
	check(t, db, "by segment", quarter1(q([]int{segment, day}, "v", leaf(revenue))).with(mapped(all, revenue)),
		"SELECT segment, p.d, coalesce(sum(amount), 0) FROM "+days+" p JOIN ("+"SELECT * FROM "+ordersFrom+") o ON o.order_date <= p.d GROUP BY 1, 2 ORDER BY 1 NULLS LAST, 2")
}
