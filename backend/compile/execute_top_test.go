//go:build cgo

package compile_test

import (
	"testing"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

func limit(n int) *int { return &n }

func TestHavingOrderLimit(t *testing.T) {
	db := openShop(t)
	check(t, db, "having", q([]int{region}, "revenue", leaf(revenue)).with(func(q *Query) { q.Having = op(">", leaf(revenue), num("50")) }),
		"SELECT region_name, sum(amount) FROM "+ordersFrom+" GROUP BY 1 HAVING sum(amount) > 50 ORDER BY 1 NULLS LAST")
	check(t, db, "having on what is not shown", q([]int{region}).with(func(q *Query) {
		q.Having = op("and", op(">", op("/", leaf(revenue), leaf(orderCount)), num("9")), op("or", op(">", leaf(ticketCount), num("0")), op("=", key(region), str("x"))))
	}), "SELECT * FROM (VALUES ('North'), (NULL))")
	check(t, db, "order", q([]int{customer}, "revenue", leaf(revenue)).with(func(q *Query) {
		q.Order = []SortKey{{Output: 1, Desc: true}}
		q.Limit, q.Offset = limit(3), 1
	}), "SELECT c.customer_id, coalesce(sum(amount), 0) FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1 ORDER BY 2 DESC, 1 NULLS LAST LIMIT 3 OFFSET 1")
	check(t, db, "order by what is not shown", q([]int{region}).with(func(q *Query) { q.Order = []SortKey{{Output: -1, Cell: leaf(revenue), Desc: true}} }),
		"SELECT region_name FROM "+ordersFrom+" GROUP BY 1 ORDER BY sum(amount) DESC, 1 NULLS LAST")
	check(t, db, "no rows asked for", q([]int{region}, "revenue", leaf(revenue)).with(func(q *Query) { q.Limit = limit(0) }), "SELECT 1, 2 WHERE false")
}

func TestTop(t *testing.T) {
	db := openShop(t)
	const byCustomer = "SELECT c.customer_id k, coalesce(sum(amount), 0) r, count(*) n, count(DISTINCT product_id) d FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1"
	top := func(t Top) func(*Query) { return func(q *Query) { q.Top = &t } }
	check(t, db, "plain", q([]int{customer}, "revenue", leaf(revenue)).with(top(Top{N: 2, Members: []int{customer}, By: leaf(revenue)})), "SELECT k, r FROM ("+byCustomer+") ORDER BY r DESC, k NULLS LAST LIMIT 2")
	check(t, db, "with an order and a limit", q([]int{customer}, "revenue", leaf(revenue)).with(top(Top{N: 3, Members: []int{customer}, By: leaf(revenue)})).with(func(q *Query) {
		q.Order, q.Limit = []SortKey{{Output: 0}}, limit(2)
	}), "SELECT * FROM (SELECT k, r FROM ("+byCustomer+") ORDER BY r DESC, k NULLS LAST LIMIT 3) ORDER BY 1 NULLS LAST LIMIT 2")
	check(t, db, "lowest", q([]int{customer}, "mean", op("/", leaf(revenue), leaf(orderCount))).with(top(Top{N: 2, Members: []int{customer}, By: op("/", leaf(revenue), leaf(orderCount)), Asc: true})),
		"SELECT k, r::DOUBLE / n FROM ("+byCustomer+") ORDER BY 2, k NULLS LAST LIMIT 2")
	check(t, db, "of members with several rows", q([]int{category, month}, "revenue", leaf(revenue)).with(top(Top{N: 2, Members: []int{category}, By: leaf(revenue)})),
		`WITH x AS (SELECT category c, `+monthOf+` m, coalesce(sum(amount), 0) r FROM `+ordersFrom+` GROUP BY 1, 2), t AS (SELECT c, row_number() OVER (ORDER BY sum(r) DESC, c NULLS LAST) n FROM x GROUP BY 1)
			SELECT x.c, m, r FROM x JOIN t ON t.c IS NOT DISTINCT FROM x.c WHERE n <= 2 ORDER BY n, m NULLS LAST`)
	check(t, db, "per", q([]int{region, customer}, "revenue", leaf(revenue)).with(top(Top{N: 1, Members: []int{customer}, By: leaf(revenue), Per: []int{region}})),
		`WITH x AS (SELECT region_name g, c.customer_id k, coalesce(sum(amount), 0) r FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id LEFT JOIN regions USING (region_id) GROUP BY 1, 2)
			SELECT * FROM x QUALIFY row_number() OVER (PARTITION BY g ORDER BY r DESC, k NULLS LAST) <= 1 ORDER BY 1 NULLS LAST`)
	check(t, db, "after having", q([]int{customer, month}, "revenue", leaf(revenue)).with(top(Top{N: 2, Members: []int{customer}, By: leaf(revenue)})).with(func(q *Query) { q.Having = op("<", leaf(revenue), num("30")) }),
		`WITH x AS (SELECT c.customer_id k, `+monthOf+` m, coalesce(sum(amount), 0) r FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2),
			t AS (SELECT k, row_number() OVER (ORDER BY sum(r) DESC, k NULLS LAST) n FROM x WHERE EXISTS (SELECT 1 FROM x y WHERE y.k IS NOT DISTINCT FROM x.k AND r < 30) GROUP BY 1)
			SELECT x.k, m, r FROM x JOIN t ON t.k IS NOT DISTINCT FROM x.k WHERE n <= 2 AND r < 30 ORDER BY n, m NULLS LAST`)
	check(t, db, "by a number of another fact", q([]int{segment, month}, "revenue", leaf(revenue)).with(top(Top{N: 2, Members: []int{segment}, By: leaf(nothingSum)})),
		`WITH x AS (SELECT segment s, `+monthOf+` m, coalesce(sum(amount), 0) r FROM `+ordersFrom+` GROUP BY 1, 2) SELECT * FROM x WHERE s IN ('Retail', 'Trade') ORDER BY 1, 2 NULLS LAST`)
	flag := func(b built, kind string) built {
		b.Outputs = append(b.Outputs, Output{Name: "is_" + kind, Flag: kind})
		return b
	}
	check(t, db, "with other", flag(q([]int{customer}, "segment", key(segment), "revenue", leaf(revenue), "mean", op("/", leaf(revenue), leaf(orderCount)), "share", op("/", leaf(revenue), coarser(leaf(revenue)))), "other").
		with(top(Top{N: 2, Members: []int{customer}, By: leaf(revenue), Other: true})),
		`WITH x AS (SELECT c.customer_id k, segment s, coalesce(sum(amount), 0) r, count(*) n FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2), t AS (SELECT *, row_number() OVER (ORDER BY r DESC, k NULLS LAST) i FROM x)
			SELECT k, s, r, r::DOUBLE / n, r::DOUBLE / (SELECT sum(r) FROM x), o FROM (SELECT k, s, r, n, false AS o, i FROM t WHERE i <= 2 UNION ALL SELECT NULL, null, sum(r), sum(n), true, 99 FROM t WHERE i > 2) ORDER BY i`)
	check(t, db, "other of a distinct count by month", flag(q([]int{category, month}, "buyers", leaf(buyers)), "other").with(top(Top{N: 1, Members: []int{category}, By: leaf(buyers), Other: true})),
		`WITH s AS (SELECT * FROM `+ordersFrom+`), t AS (SELECT category k FROM s GROUP BY 1 ORDER BY count(DISTINCT customer_id) DESC, 1 NULLS LAST LIMIT 1),
			m AS (SELECT s.*, CASE WHEN EXISTS (SELECT 1 FROM t WHERE t.k IS NOT DISTINCT FROM s.category) THEN 0 ELSE 1 END o FROM s)
			SELECT CASE WHEN o = 0 THEN category END, `+monthOf+`, count(DISTINCT customer_id), o = 1 FROM m GROUP BY 1, 2, 4 ORDER BY 4, 2 NULLS LAST`)
	check(t, db, "no others", flag(q([]int{region}, "revenue", leaf(revenue)), "other").with(top(Top{N: 9, Members: []int{region}, By: leaf(revenue), Other: true})),
		"SELECT region_name, sum(amount), false FROM "+ordersFrom+" GROUP BY 1 ORDER BY 2 DESC")
	check(t, db, "other per", flag(q([]int{month, region}, "revenue", leaf(revenue)), "other").during(date(2024, 1, 1), date(2024, 7, 1)).with(top(Top{N: 1, Members: []int{region}, Per: []int{month}, By: leaf(revenue), Other: true})),
		`WITH x AS (SELECT `+monthOf+` m, region_name g, coalesce(sum(amount), 0) r FROM `+ordersFrom+` WHERE order_date >= '2024-01-01' AND order_date < '2024-07-01' GROUP BY 1, 2), t AS (SELECT *, row_number() OVER (PARTITION BY m ORDER BY r DESC, g NULLS LAST) i FROM x)
			SELECT m, g, r, false AS o FROM t WHERE i = 1 UNION ALL SELECT m, NULL, sum(r), true FROM t WHERE i > 1 GROUP BY 1 ORDER BY 1, 4`)
	check(t, db, "other is what having cut too", flag(q([]int{customer}, "revenue", leaf(revenue)), "other").with(top(Top{N: 1, Members: []int{customer}, By: leaf(revenue), Other: true})).with(func(q *Query) { q.Having = op("<", leaf(revenue), num("20")) }),
		`WITH x AS (`+byCustomer+`), t AS (SELECT * FROM x WHERE r < 20 ORDER BY r DESC, k NULLS LAST LIMIT 1) SELECT k, r, false FROM t UNION ALL SELECT NULL, (SELECT sum(r) FROM x) - (SELECT r FROM t), true`)
	check(t, db, "by a comparison", q([]int{region}, "revenue", leaf(revenue), "before", at(revenue, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).context(Context{From: date(2023, 1, 1), To: date(2024, 1, 1)}).
		with(top(Top{N: 2, Members: []int{region}, By: op("-", leaf(revenue), at(revenue, 1))})),
		`WITH a AS (SELECT region_name k, coalesce(sum(amount) FILTER (WHERE year(order_date) = 2024), 0) r, coalesce(sum(amount) FILTER (WHERE year(order_date) = 2023), 0) b FROM `+ordersFrom+` WHERE year(order_date) IN (2023, 2024) GROUP BY 1)
			SELECT k, r, b FROM a ORDER BY r - b DESC, k NULLS LAST LIMIT 2`)
}

func TestTotals(t *testing.T) {
	db := openShop(t)
	totals := func(grains ...[]int) func(*Query) {
		return func(q *Query) {
			q.Totals = grains
			q.Outputs = append(q.Outputs, Output{Name: "is_total", Flag: "total"})
		}
	}
	check(t, db, "grand total", q([]int{segment}, "buyers", leaf(buyers), "share", op("/", leaf(revenue), coarser(leaf(revenue)))).with(totals(nil)),
		"SELECT segment, count(DISTINCT customer_id), coalesce(sum(amount), 0)::DOUBLE / (SELECT sum(amount) FROM orders), false FROM "+ordersFrom+" GROUP BY 1 UNION ALL SELECT NULL, 7, 1, true ORDER BY 4, 1 NULLS LAST")
	check(t, db, "by dimensions", q([]int{segment, month}, "revenue", leaf(revenue), "rank", &Scalar{Op: "rank", Args: []*Scalar{leaf(revenue)}, Type: semantic.Integer}).during(date(2024, 1, 1), date(2024, 4, 1)).with(totals([]int{segment}, nil, []int{month})),
		`WITH x AS (SELECT segment s, `+monthOf+` m, coalesce(sum(amount), 0) r FROM `+ordersFrom+` WHERE order_date >= '2024-01-01' AND order_date < '2024-04-01' GROUP BY 1, 2)
			SELECT s, m, r, k, t FROM (SELECT 0 l, s, m, r, rank() OVER (ORDER BY r DESC) k, false AS t FROM x UNION ALL SELECT 1, s, NULL, sum(r), NULL, true FROM x GROUP BY 2 UNION ALL SELECT 2, NULL, m, sum(r), NULL, true FROM x GROUP BY 3
			UNION ALL SELECT 3, NULL, null, sum(r), NULL, true FROM x) ORDER BY l, s NULLS LAST, m NULLS LAST`)
	check(t, db, "without having, top and limit", q([]int{customer}, "segment", key(segment), "revenue", leaf(revenue)).with(totals(nil)).with(func(q *Query) {
		q.Having = op("<", leaf(revenue), num("90"))
		q.Top = &Top{N: 3, Members: []int{customer}, By: leaf(revenue)}
		q.Order, q.Limit = []SortKey{{Output: 2, Desc: true}}, limit(2)
	}), `WITH x AS (SELECT c.customer_id k, segment s, coalesce(sum(amount), 0) r FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2)
			SELECT k, s, r, false FROM (SELECT * FROM x WHERE r < 90 ORDER BY r DESC LIMIT 2) UNION ALL SELECT NULL, null, sum(r), true FROM x`)
	check(t, db, "of a two-level average", q([]int{segment}, "v", reduce("avg", leaf(revenue), customer)).with(totals(nil)),
		`WITH x AS (SELECT segment s, c.customer_id k, coalesce(sum(amount), 0) r FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2), y AS (SELECT k, sum(r) r FROM x GROUP BY 1)
			SELECT s, avg(r), false FROM x GROUP BY 1 UNION ALL SELECT NULL, avg(r), true FROM y ORDER BY 3, 1 NULLS LAST`)
	check(t, db, "of nothing", q([]int{segment}, "x", leaf(nothingSum), "m", leaf(nothingMax)).with(totals(nil)), "SELECT NULL, 0, NULL, true")
	check(t, db, "beside other", q([]int{region}, "revenue", leaf(revenue)).with(func(q *Query) {
		q.Top = &Top{N: 1, Members: []int{region}, By: leaf(revenue), Other: true}
		q.Outputs = append(q.Outputs, Output{Name: "is_other", Flag: "other"})
	}).with(totals(nil)), `WITH x AS (SELECT region_name k, sum(amount) r FROM `+ordersFrom+` GROUP BY 1 ORDER BY 2 DESC LIMIT 1)
			SELECT k, r, false, false FROM x UNION ALL SELECT NULL, (SELECT sum(amount) FROM orders) - r, true, false FROM x UNION ALL SELECT NULL, (SELECT sum(amount) FROM orders), false, true`)
	check(t, db, "with a fill", q([]int{month}, "revenue", leaf(revenue)).during(date(2024, 1, 1), date(2024, 4, 1)).with(func(q *Query) {
		q.Fill = &Fill{Axis: month, Mode: "zero", From: date(2024, 1, 1), To: date(2024, 4, 1)}
	}).with(totals(nil)),
		"SELECT * FROM (VALUES (DATE '2024-01-01', 12.25, false), ('2024-02-01', 0, false), ('2024-03-01', 55.75, false), (NULL, 68, true))")
}

func TestConditionsOnOtherRows(t *testing.T) {
	db := openShop(t)
	customersOf := func(node int) []Pair {
		return []Pair{{Parent: col(node, "customer_id", semantic.Integer), Own: col(0, "customer_id", semantic.Integer)}}
	}
	ticketsOf := func(parent int, where ...*Scalar) *Scalar {
		return &Scalar{Op: "exists", Type: semantic.Boolean, Sub: &Sub{Nodes: []Node{{Entity: "tickets", Table: "tickets", Parent: -1}}, On: customersOf(parent), Where: where}}
	}
	severe := op(">", col(0, "severity", semantic.Integer), num("1"))
	check(t, db, "any", q([]int{customer}, "n", leaf(orderCount)).where(orders, ticketsOf(1, severe)),
		"SELECT c.customer_id, count(*) FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id WHERE c.customer_id IN (SELECT customer_id FROM tickets WHERE severity > 1) GROUP BY 1 ORDER BY 1")
	check(t, db, "no", q([]int{customer}, "n", leaf(orderCount)).where(orders, op("not", ticketsOf(1))),
		"SELECT c.customer_id, count(*) FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id WHERE NOT EXISTS (SELECT 1 FROM tickets t WHERE t.customer_id = c.customer_id) GROUP BY 1 ORDER BY 1 NULLS LAST")
	filtered := func(q *Query) { q.Leaves[revenue].Filter = ticketsOf(0, severe) }
	check(t, db, "in the filter of a number", q([]int{segment}, "n", leaf(orderCount), "r", leaf(revenue)).with(filtered),
		"SELECT segment, count(*), coalesce(sum(CASE WHEN o.customer_id IN (SELECT customer_id FROM tickets WHERE severity > 1 AND customer_id IS NOT NULL) THEN amount END), 0) FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1 ORDER BY 1 NULLS LAST")
	lookup := func(op string, q *Query, keys ...*Scalar) *Scalar {
		return &Scalar{Op: op, Type: semantic.Decimal, Sub: &Sub{Lookup: &Lookup{Query: q, Keys: keys}}}
	}
	average := lookup("lookup", query(nil, "v", leaf(averageAmount)))
	check(t, db, "above average", q(nil, "n", leaf(orderCount)).where(orders, op(">", col(0, "amount", semantic.Decimal), average)), "SELECT count(*) FROM orders WHERE amount > (SELECT avg(amount) FROM orders)")
	perSegment := lookup("lookup", query([]int{segment}, "v", leaf(averageAmount)), col(1, "segment", semantic.Text))
	check(t, db, "above the average of its segment", q([]int{segment}, "n", leaf(orderCount)).where(orders, op(">", col(0, "amount", semantic.Decimal), perSegment)),
		`WITH x AS (SELECT segment s, amount a, avg(amount) OVER (PARTITION BY segment) v FROM `+ordersFrom+`) SELECT s, count(*) FROM x WHERE a > v GROUP BY 1 ORDER BY 1 NULLS LAST`)
	best := query([]int{segment})
	best.Top = &Top{N: 1, Members: []int{segment}, By: leaf(orderCount)}
	worst := query([]int{segment})
	worst.Top = &Top{N: 1, Members: []int{segment}, By: leaf(revenue), Asc: true}
	member := func(q *Query) *Scalar { return lookup("in_top", q, col(1, "segment", semantic.Text)) }
	check(t, db, "among the first", q([]int{month}, "n", leaf(orderCount)).where(orders, member(best)), "SELECT "+monthOf+", count(*) FROM "+ordersFrom+" WHERE segment = 'Retail' GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "not among the first nor the last, which is missing", q([]int{month}, "n", leaf(orderCount)).where(orders, op("not", member(worst)), op("not", member(best))),
		"SELECT "+monthOf+", count(*) FROM "+ordersFrom+" WHERE segment = 'Trade' GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "ignoring", q([]int{segment}, "part", leaf(revenue), "whole", at(revenue, 1), "same", at(revenue, 2)).
		where(orders, op("=", col(0, "paid", semantic.Boolean), &Scalar{Op: "bool", Text: "true"}), op(">", col(0, "quantity", semantic.Integer), num("1"))).
		context(Context{IgnoreFilters: true}).context(Context{Ignored: []int{0}}),
		"SELECT segment, coalesce(sum(amount) FILTER (WHERE paid AND quantity > 1), 0), coalesce(sum(amount), 0), coalesce(sum(amount) FILTER (WHERE quantity > 1), 0) FROM "+ordersFrom+" GROUP BY 1 ORDER BY 1 NULLS LAST")
}

func TestReasons(t *testing.T) {
	db := openShop(t)
	b := q([]int{segment}, "a", op("/", leaf(revenue), leaf(nothingSum)), "b", op("/", leaf(revenue), leaf(nothingMax)), "c", op("/", leaf(revenue), leaf(orderCount)), "n", leaf(orderCount))
	p, err := Compile(b.Query, Options{Reasons: true})
	if err != nil {
		t.Fatal(err)
	}
	_, got := rows(t, db, p.SQL)
	_, want := rows(t, db, "SELECT segment, NULL, 'zero_base', NULL, 'no_base', sum(amount)::DOUBLE / count(*), CASE WHEN sum(amount) IS NULL THEN '' END, count(*) FROM "+ordersFrom+" WHERE false GROUP BY 1 UNION ALL SELECT 'Retail', NULL, 'zero_base', NULL, 'no_base', "+
		"107.75 / 9, NULL, 9")
	if len(got) != 3 || got[0][:20] != want[0][:20] {
		t.Errorf("got %v want %v\n%s", got, want, p.SQL)
	}
}
