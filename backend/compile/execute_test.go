//go:build cgo

package compile_test

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

func openShop(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "?"+DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	script, err := os.ReadFile("testdata/shop.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(script)); err != nil {
		t.Fatal(err)
	}
	return db
}

// rows runs a statement and writes each row as text; floating numbers to nine digits.
func rows(t *testing.T, db *sql.DB, statement string) (names []string, all []string) {
	t.Helper()
	res, err := db.Query(statement)
	if err != nil {
		t.Errorf("%v\n%s", err, statement)
		return nil, nil
	}
	defer res.Close()
	names, _ = res.Columns()
	for res.Next() {
		cells := make([]any, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := res.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, c := range cells {
			switch x := c.(type) {
			case float64:
				words = append(words, fmt.Sprintf("%.9g", x))
			case interface{ Float64() float64 }: // decimals
				words = append(words, fmt.Sprintf("%.9g", x.Float64()))
			case interface{ Format(string) string }:
				words = append(words, strings.TrimSuffix(x.Format("2006-01-02 15:04:05"), " 00:00:00"))
			default:
				words = append(words, fmt.Sprint(x))
			}
		}
		all = append(all, strings.Join(words, "|"))
	}
	if err := res.Err(); err != nil {
		t.Errorf("%v\n%s", err, statement)
	}
	return names, all
}

// check compares the rows of a query, with every rewrite and with none, with those of a hand-written statement.
func check(t *testing.T, db *sql.DB, name string, b built, want string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		for _, o := range []Options{{Without: []string{"all"}}, {}} {
			p, err := Compile(b.Query, o)
			if err != nil {
				t.Fatal(err)
			}
			names, got := rows(t, db, p.SQL)
			_, expected := rows(t, db, want)
			if !slices.Equal(got, expected) {
				t.Errorf("without %v\ngot\n%s\nwant\n%s\n%s", o.Without, strings.Join(got, "\n"), strings.Join(expected, "\n"), p.SQL)
			}
			if names != nil && !slices.Equal(names, p.Columns) {
				t.Errorf("columns %v, the program says %v", names, p.Columns)
			}
		}
	})
}

const (
	ordersFrom   = "orders o LEFT JOIN customers c USING (customer_id) LEFT JOIN regions r USING (region_id) LEFT JOIN products p USING (product_id)"
	ticketsFrom  = "tickets t LEFT JOIN customers c USING (customer_id) LEFT JOIN regions r USING (region_id)"
	nothingFrom  = "nothing n LEFT JOIN customers c USING (customer_id) LEFT JOIN regions r USING (region_id)"
	balancesFrom = "balances b LEFT JOIN regions r USING (region_id)"
	monthOf      = "CAST(date_trunc('month', order_date) AS DATE)"
)

func TestOneSource(t *testing.T) {
	db := openShop(t)
	check(t, db, "sum by region", q([]int{region}, "revenue", leaf(revenue), "orders", leaf(orderCount)),
		"SELECT region_name, coalesce(sum(amount), 0), count(*) FROM "+ordersFrom+" GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "total", q(nil, "revenue", leaf(revenue), "mean", op("/", leaf(revenue), leaf(orderCount))), "SELECT sum(amount), sum(amount)::DOUBLE / count(*) FROM orders")
	check(t, db, "total of nothing", q(nil, "s", leaf(nothingSum), "m", leaf(nothingMax), "d", op("/", leaf(nothingMax), leaf(nothingSum))), "SELECT 0, NULL, NULL")
	check(t, db, "nothing by region", q([]int{region}, "s", leaf(nothingSum)), "SELECT 1, 2 WHERE false")
	check(t, db, "month", q([]int{month}, "revenue", leaf(revenue)).during(date(2024, 1, 1), date(2025, 1, 1)),
		"SELECT "+monthOf+", coalesce(sum(amount), 0) FROM orders WHERE year(order_date) = 2024 GROUP BY 1 ORDER BY 1")
	check(t, db, "reducers", q([]int{segment}, "a", leaf(averageAmount), "b", leaf(buyers), "m", leaf(medianAmount), "l", leaf(lastAmount), "p", leaf(paidAny), "f", leaf(bigRevenue)),
		`SELECT segment, avg(amount), count(DISTINCT customer_id), median(amount), arg_max(amount, (order_date, order_id)) FILTER (WHERE amount IS NOT NULL AND order_date IS NOT NULL),
			bool_or(paid), coalesce(sum(CASE WHEN amount > 9 THEN amount END), 0) FROM `+ordersFrom+" GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "where", q([]int{region}, "revenue", leaf(revenue)).where(orders, op("=", col(1, "segment", semantic.Text), str("Retail")), op("or", op(">", col(0, "quantity", semantic.Integer), num("1")), op("is_null", col(0, "quantity", semantic.Integer)))),
		"SELECT region_name, sum(amount) FROM "+ordersFrom+" WHERE segment = 'Retail' AND (quantity > 1 OR quantity IS NULL) GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "a count that may be missing", q([]int{customer}, "n", leaf(orderCount), "v", leaf(buyers)).with(func(q *Query) {
		q.Leaves[orderCount].Zero, q.Leaves[orderCount].Expr = false, col(0, "quantity", semantic.Integer)
		q.Leaves[buyers].Zero, q.Leaves[buyers].Filter = false, op(">", col(0, "amount", semantic.Decimal), num("10"))
	}), `SELECT c.customer_id, count(quantity), CASE WHEN count(*) FILTER (WHERE amount > 10) > 0 THEN count(DISTINCT o.customer_id) FILTER (WHERE amount > 10) END
		FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1 ORDER BY 1 NULLS LAST`)
	check(t, db, "a count over no rows", q(nil, "n", leaf(nothingSum)).with(func(q *Query) { q.Leaves[nothingSum].Zero, q.Leaves[nothingSum].Reducer = false, "count" }), "SELECT NULL")
	check(t, db, "attribute of a member", q([]int{customer}, "segment", key(segment), "revenue", leaf(revenue)),
		"SELECT c.customer_id, segment, coalesce(sum(amount), 0) FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2 ORDER BY 1 NULLS LAST")
}

func TestListing(t *testing.T) {
	db := openShop(t)
	check(t, db, "distinct", q([]int{region, segment}).with(func(q *Query) { q.Listing = true }), "SELECT DISTINCT region_name, segment FROM "+ordersFrom+" ORDER BY 1 NULLS LAST, 2 NULLS LAST")
	check(t, db, "rows", q(nil, "segment", key(segment)).with(func(q *Query) { q.Listing = true }), "SELECT segment FROM "+ordersFrom+" ORDER BY 1 NULLS LAST")
}

func TestSeveralSources(t *testing.T) {
	db := openShop(t)
	check(t, db, "two facts", q([]int{region}, "revenue", leaf(revenue), "tickets", leaf(ticketCount), "minutes", leaf(minutes), "each", op("/", leaf(revenue), leaf(ticketCount))),
		`WITH a AS (SELECT region_name k, sum(amount) r FROM `+ordersFrom+` GROUP BY 1), b AS (SELECT region_name k, count(*) t, avg(minutes) m FROM `+ticketsFrom+` GROUP BY 1),
			k AS (SELECT k FROM a UNION SELECT k FROM b)
			SELECT k.k, coalesce(r, 0), coalesce(t, 0), m, coalesce(r, 0)::DOUBLE / nullif(coalesce(t, 0), 0) FROM k LEFT JOIN a ON a.k IS NOT DISTINCT FROM k.k LEFT JOIN b ON b.k IS NOT DISTINCT FROM k.k ORDER BY 1 NULLS LAST`)
	check(t, db, "two facts, one empty", q([]int{segment}, "revenue", leaf(revenue), "nothing", leaf(nothingSum), "max", leaf(nothingMax)),
		"SELECT segment, coalesce(sum(amount), 0), 0, NULL FROM "+ordersFrom+" GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "totals of two facts", q(nil, "revenue", leaf(revenue), "tickets", leaf(ticketCount), "nothing", leaf(nothingSum)).where(orders, op(">", col(0, "amount", semantic.Decimal), num("1000"))), "SELECT 0, 7, 0")
	check(t, db, "by their own times", q([]int{month}, "revenue", leaf(revenue), "tickets", leaf(ticketCount)).during(date(2024, 1, 1), date(2024, 7, 1)),
		`WITH a AS (SELECT `+monthOf+` k, coalesce(sum(amount), 0) r FROM orders WHERE order_date >= '2024-01-01' AND order_date < '2024-07-01' GROUP BY 1),
			b AS (SELECT CAST(date_trunc('month', opened_at) AS DATE) k, count(*) t FROM tickets WHERE opened_at >= '2024-01-01' AND opened_at < '2024-07-01' GROUP BY 1)
			SELECT k, coalesce(r, 0), coalesce(t, 0) FROM a FULL JOIN b USING (k) ORDER BY 1`)
	check(t, db, "an attribute that two facts reach", q([]int{customer}, "segment", key(segment), "revenue", leaf(revenue), "tickets", leaf(ticketCount)),
		`WITH a AS (SELECT c.customer_id k, segment s, coalesce(sum(amount), 0) r FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2),
			b AS (SELECT c.customer_id k, segment s, count(*) t FROM tickets o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2)
			SELECT k, any_value(s), coalesce(max(r), 0), coalesce(max(t), 0) FROM (SELECT k, s, r, NULL AS t FROM a UNION ALL SELECT k, s, NULL, t FROM b) GROUP BY 1 ORDER BY 1 NULLS LAST`)
}

func TestCoarser(t *testing.T) {
	db := openShop(t)
	share := func(m *Scalar, grain ...int) *Scalar { return op("/", m, coarser(m, grain...)) }
	check(t, db, "share", q([]int{region}, "revenue", leaf(revenue), "share", share(leaf(revenue))),
		"SELECT region_name, coalesce(sum(amount), 0), coalesce(sum(amount), 0)::DOUBLE / (SELECT sum(amount) FROM orders) FROM "+ordersFrom+" GROUP BY 1 ORDER BY 1 NULLS LAST")
	check(t, db, "share of the segment", q([]int{segment, month}, "share", share(leaf(revenue), segment), "of year", share(leaf(revenue), year)),
		`WITH x AS (SELECT segment, `+monthOf+` m, year(order_date) y, coalesce(sum(amount), 0) r FROM `+ordersFrom+` GROUP BY 1, 2, 3)
			SELECT segment, m, r::DOUBLE / nullif(sum(r) OVER (PARTITION BY segment), 0), r::DOUBLE / nullif(sum(r) OVER (PARTITION BY y), 0) FROM x ORDER BY 1 NULLS LAST, 2 NULLS LAST`)
	check(t, db, "determined", q([]int{customer}, "share", share(leaf(buyers), region)),
		`SELECT c.customer_id, count(DISTINCT o.customer_id)::DOUBLE / nullif((SELECT count(DISTINCT o2.customer_id) FROM orders o2 LEFT JOIN customers c2 ON c2.customer_id = o2.customer_id LEFT JOIN regions r2 ON r2.region_id = c2.region_id
			WHERE r2.region_name IS NOT DISTINCT FROM r.region_name), 0) FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id LEFT JOIN regions r ON r.region_id = c.region_id GROUP BY c.customer_id, r.region_name ORDER BY 1 NULLS LAST`)
	check(t, db, "nothing but coarser", q([]int{segment}, "all", coarser(leaf(revenue))),
		"SELECT DISTINCT segment, (SELECT sum(amount) FROM orders) FROM "+ordersFrom+" ORDER BY 1 NULLS LAST")
	check(t, db, "two facts and a coarser", q([]int{segment}, "tickets", leaf(ticketCount), "by region", coarser(leaf(revenue))),
		"SELECT segment, count(*), (SELECT sum(amount) FROM orders) FROM "+ticketsFrom+" GROUP BY 1 ORDER BY 1 NULLS LAST")
}

func TestTwoLevels(t *testing.T) {
	db := openShop(t)
	check(t, db, "average per customer", q([]int{segment}, "v", reduce("avg", leaf(revenue), customer), "n", reduce("count", leaf(revenue), customer), "m", reduce("median", leaf(orderCount), customer)),
		`SELECT segment, avg(x), count(x), median(n) FROM (SELECT segment, c.customer_id, coalesce(sum(amount), 0) x, count(*) n FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2) GROUP BY 1 ORDER BY 1 NULLS LAST`)
	check(t, db, "beside a plain one", q([]int{month}, "revenue", leaf(revenue), "v", reduce("max", leaf(revenue), day), "tickets", leaf(ticketCount)).during(date(2024, 1, 1), date(2024, 7, 1)),
		`WITH d AS (SELECT order_date d, coalesce(sum(amount), 0) x FROM orders WHERE order_date >= '2024-01-01' AND order_date < '2024-07-01' GROUP BY 1),
			a AS (SELECT CAST(date_trunc('month', d) AS DATE) k, sum(x) r, max(x) v FROM d GROUP BY 1),
			b AS (SELECT CAST(date_trunc('month', opened_at) AS DATE) k, count(*) t FROM tickets WHERE opened_at >= '2024-01-01' AND opened_at < '2024-07-01' GROUP BY 1)
			SELECT k, coalesce(r, 0), v, coalesce(t, 0) FROM a FULL JOIN b USING (k) ORDER BY 1`)
	check(t, db, "over no rows", q(nil, "v", reduce("avg", leaf(nothingSum), customer), "n", reduce("count", leaf(nothingSum), customer)), "SELECT NULL, 0")
	check(t, db, "of a coarser one", q([]int{segment, month}, "v", coarser(reduce("avg", leaf(revenue), customer), segment)),
		`WITH x AS (SELECT segment, c.customer_id, coalesce(sum(amount), 0) x FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1, 2), y AS (SELECT segment, avg(x) v FROM x GROUP BY 1)
			SELECT DISTINCT c.segment, `+monthOf+`, v FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id JOIN y ON y.segment IS NOT DISTINCT FROM c.segment ORDER BY 1 NULLS LAST, 2 NULLS LAST`)
}

func TestCompare(t *testing.T) {
	db := openShop(t)
	delta := op("-", leaf(revenue), at(revenue, 1))
	check(t, db, "year before", q([]int{month}, "revenue", leaf(revenue), "before", at(revenue, 1), "change", delta).
		during(date(2024, 1, 1), date(2025, 3, 1)).context(Context{From: date(2023, 1, 1), To: date(2024, 3, 1), Shift: 12, Unit: "month"}),
		`WITH a AS (SELECT `+monthOf+` k, sum(amount) r FROM orders WHERE order_date >= '2024-01-01' AND order_date < '2025-03-01' GROUP BY 1),
			b AS (SELECT CAST(`+monthOf+` + INTERVAL 12 MONTH AS DATE) k, sum(amount) r FROM orders WHERE order_date >= '2023-01-01' AND order_date < '2024-03-01' GROUP BY 1)
			SELECT k, coalesce(a.r, 0), coalesce(b.r, 0), coalesce(a.r, 0) - coalesce(b.r, 0) FROM a FULL JOIN b USING (k) ORDER BY 1`)
	check(t, db, "coarser axes are cut again", q([]int{month, year}, "revenue", leaf(revenue), "before", at(revenue, 1)).
		during(date(2024, 1, 1), date(2024, 3, 1)).context(Context{From: date(2023, 11, 1), To: date(2024, 1, 1), Shift: 2, Unit: "month"}),
		`SELECT DATE '2024-01-01', DATE '2024-01-01', 12.25, 10 UNION ALL SELECT DATE '2024-02-01', DATE '2024-01-01', 0, 20.5`)
	check(t, db, "without an axis", q([]int{segment}, "revenue", leaf(revenue), "before", at(revenue, 1)).
		during(date(2024, 1, 1), date(2025, 1, 1)).context(Context{From: date(2023, 1, 1), To: date(2024, 1, 1)}),
		`WITH a AS (SELECT segment k, sum(amount) r FROM `+ordersFrom+` WHERE year(order_date) = 2024 GROUP BY 1), b AS (SELECT segment k, sum(amount) r FROM `+ordersFrom+` WHERE year(order_date) = 2023 GROUP BY 1),
			k AS (SELECT k FROM a UNION SELECT k FROM b) SELECT k.k, coalesce(a.r, 0), coalesce(b.r, 0) FROM k LEFT JOIN a ON a.k IS NOT DISTINCT FROM k.k LEFT JOIN b ON b.k IS NOT DISTINCT FROM k.k ORDER BY 1 NULLS LAST`)
	lag := Context{From: date(2023, 12, 1), To: date(2024, 7, 1), Shift: 1, Unit: "month", Lag: true}
	check(t, db, "the month before", q([]int{month}, "revenue", leaf(revenue), "before", at(revenue, 1)).during(date(2024, 1, 1), date(2024, 7, 1)).context(lag),
		`WITH a AS (SELECT `+monthOf+` k, coalesce(sum(amount), 0) r FROM orders GROUP BY 1) SELECT a.k, a.r, coalesce(b.r, 0) FROM a LEFT JOIN a b ON b.k = a.k - INTERVAL 1 MONTH WHERE a.k >= '2024-01-01' AND a.k < '2024-07-01' ORDER BY 1`)
	always := lag
	always.From, always.To = time.Time{}, time.Time{}
	check(t, db, "outside of the data", q([]int{month}, "before", at(revenue, 1), "revenue", leaf(revenue)).context(always).covering(date(2023, 11, 5), date(2025, 3, 1)),
		`WITH a AS (SELECT `+monthOf+` k, coalesce(sum(amount), 0) r FROM orders GROUP BY 1) SELECT a.k, CASE WHEN a.k > '2023-11-01' THEN coalesce(b.r, 0) END, a.r FROM a LEFT JOIN a b ON b.k = a.k - INTERVAL 1 MONTH ORDER BY 1`)
	check(t, db, "lag", q([]int{month}, "revenue", leaf(revenue), "before", over("lag", leaf(revenue), 1, "")).during(date(2024, 1, 1), date(2024, 7, 1)),
		`WITH a AS (SELECT `+monthOf+` k, coalesce(sum(amount), 0) r FROM orders GROUP BY 1) SELECT a.k, a.r, coalesce(b.r, 0) FROM a LEFT JOIN a b ON b.k = a.k - INTERVAL 1 MONTH WHERE a.k >= '2024-01-01' AND a.k < '2024-07-01' ORDER BY 1`)
	yearBefore := Context{Shift: 1, Unit: "year", Lag: true}
	const days = "WITH d AS (SELECT order_date d, coalesce(sum(amount), 0) r, count(DISTINCT product_id) n FROM orders WHERE order_date IS NOT NULL GROUP BY 1) "
	check(t, db, "days by a year", q([]int{day}, "revenue", leaf(revenue), "before", at(revenue, 1), "mean", reduce("avg", at(revenue, 1), product)).context(yearBefore),
		days+"SELECT d, r, coalesce((SELECT r FROM d e WHERE e.d = (d.d - INTERVAL 1 YEAR)::DATE), 0), (SELECT e.r::DOUBLE / e.n FROM d e WHERE e.d = (d.d - INTERVAL 1 YEAR)::DATE) FROM d UNION ALL SELECT NULL, 55, NULL, NULL ORDER BY 1 NULLS LAST")
	check(t, db, "days by a month, filled", q([]int{day}, "before", at(revenue, 1), "revenue", leaf(revenue)).during(date(2024, 2, 28), date(2024, 4, 2)).context(Context{From: date(2024, 1, 28), To: date(2024, 3, 2), Shift: 1, Unit: "month", Lag: true}).
		with(func(q *Query) { q.Fill = &Fill{Axis: day, Mode: "zero", From: date(2024, 2, 28), To: date(2024, 4, 2)} }),
		days+"SELECT p.k, coalesce((SELECT r FROM d WHERE d.d = (p.k - INTERVAL 1 MONTH)::DATE), 0), coalesce(r, 0) FROM (SELECT CAST(s.d AS DATE) k FROM generate_series(DATE '2024-02-28', DATE '2024-04-01', INTERVAL 1 DAY) s(d)) p LEFT JOIN d ON d.d = p.k ORDER BY 1")
	check(t, db, "weeks by a year", q([]int{week}, "revenue", leaf(revenue), "before", at(revenue, 1)).context(yearBefore),
		"WITH d AS (SELECT date_trunc('week', order_date)::DATE d, coalesce(sum(amount), 0) r FROM orders WHERE order_date IS NOT NULL GROUP BY 1) SELECT d, r, coalesce((SELECT r FROM d e WHERE e.d = date_trunc('week', d.d - INTERVAL 1 YEAR)), 0) FROM d UNION ALL SELECT NULL, 55, NULL ORDER BY 1 NULLS LAST")
	check(t, db, "of two levels", q([]int{month}, "v", reduce("avg", leaf(revenue), day), "before", reduce("avg", at(revenue, 1), day)).
		during(date(2025, 1, 1), date(2025, 3, 1)).context(Context{From: date(2024, 1, 1), To: date(2024, 3, 1), Shift: 12, Unit: "month"}),
		"SELECT DATE '2025-01-01', 6, 6.125 UNION ALL SELECT DATE '2025-02-01', 2, 0")
}

// TestBranchesOverTheSameJoins: both arms of a UNION ALL read the same joins and show other columns of them, which an optimizer of
// DuckDB 1.5.5 takes for one.
func TestBranchesOverTheSameJoins(t *testing.T) {
	db := openShop(t)
	const from = " FROM journeys AS o LEFT JOIN riders AS p ON o.payer_id = p.id LEFT JOIN riders AS c ON o.rider_id = c.id "
	if _, err := db.Exec(`CREATE TABLE riders (id BIGINT, active BOOLEAN); INSERT INTO riders VALUES (1, TRUE), (2, TRUE);
		CREATE TABLE journeys (id BIGINT, rider_id BIGINT, payer_id BIGINT, amount BIGINT); INSERT INTO journeys VALUES (1, 1, 1, 5), (2, 2, NULL, 7)`); err != nil {
		t.Fatal(err)
	}
	var paid int
	if err := db.QueryRow("WITH g AS (SELECT p.active, c.id, SUM(o.amount) AS n"+from+"GROUP BY 1, 2), s AS ("+
		"SELECT g.active, MAX(g.n) AS a, NULL AS b FROM g GROUP BY 1 UNION ALL "+
		"SELECT p.active, NULL, SUM(o.amount) FILTER (WHERE c.active = TRUE OR p.active = TRUE)"+from+"GROUP BY 1) "+
		"SELECT active, MAX(a), COALESCE(MAX(b), 0) FROM s GROUP BY 1 ORDER BY 1 NULLS FIRST").Scan(new(any), new(any), &paid); err != nil || paid != 7 {
		t.Errorf("%d paid without a payer, want 7 (%v)", paid, err)
	}
}
