//go:build cgo && unix

// Package speed measures the SQL that the engine writes against the best that a person would write, in one run on one
// machine. It is a measurement and no test: `make bench` runs it, `go test` alone skips it.
package speed

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/frameql"
)

// question is asked of the engine in Frame-QL, and of DuckDB in every way that a person might write it.
type question struct {
	name    string
	frameQL string
	hand    []string
}

const year2025 = "order_date >= DATE '2025-01-01' AND order_date < DATE '2026-01-01'"

var questions = []question{
	{"revenue by region", "SELECT customers.region, revenue", []string{
		"SELECT region, SUM(amount) FROM lines JOIN customers USING (customer_id) GROUP BY region ORDER BY region",
		"SELECT region, SUM(a) FROM (SELECT customer_id, SUM(amount) a FROM lines GROUP BY 1) JOIN customers USING (customer_id) GROUP BY region ORDER BY region",
	}},
	{"by month and category", "SELECT month, products.category, revenue", []string{
		"SELECT date_trunc('month', order_date) m, category, SUM(amount) FROM lines JOIN products USING (product_id) GROUP BY ALL ORDER BY ALL",
		"SELECT make_date(ym // 12, ym % 12 + 1, 1) m, category, a FROM (SELECT year(order_date) * 12 + month(order_date) - 1 ym, category, SUM(amount) a FROM lines JOIN products USING (product_id) GROUP BY ALL) ORDER BY ALL",
		"SELECT date_trunc('month', order_date) m, category, SUM(a) FROM (SELECT category, order_date, SUM(amount) a FROM lines JOIN products USING (product_id) GROUP BY ALL) GROUP BY ALL ORDER BY ALL",
		"SELECT m, category, SUM(a) FROM (SELECT product_id, date_trunc('month', order_date) m, SUM(amount) a FROM lines GROUP BY ALL) JOIN products USING (product_id) GROUP BY ALL ORDER BY ALL",
	}},
	{"top 10 products of 2025", "SELECT products.name, revenue AT products DURING 2025 TOP 10 products BY revenue", []string{
		"SELECT name, SUM(amount) a FROM lines JOIN products USING (product_id) WHERE " + year2025 + " GROUP BY product_id, name ORDER BY a DESC LIMIT 10",
		"SELECT name, a FROM (SELECT product_id, SUM(amount) a FROM lines WHERE " + year2025 + " GROUP BY 1 ORDER BY a DESC LIMIT 10) JOIN products USING (product_id) ORDER BY a DESC",
	}},
	{"months beside the year before", "SELECT month, revenue, PREV(revenue), PCT_CHANGE(revenue) AT month DURING 2025 COMPARE TO SAME PERIOD LAST YEAR", []string{
		"SELECT month(order_date) m, SUM(amount) FILTER (WHERE order_date >= DATE '2025-01-01') c, SUM(amount) FILTER (WHERE order_date < DATE '2025-01-01') p, (c - p) / p FROM lines WHERE order_date >= DATE '2024-01-01' AND order_date < DATE '2026-01-01' GROUP BY 1 ORDER BY 1",
		"SELECT m, SUM(a) FILTER (WHERE y = 2025) c, SUM(a) FILTER (WHERE y = 2024) p, (c - p) / p FROM (SELECT year(order_date) y, month(order_date) m, SUM(a) a FROM (SELECT order_date, SUM(amount) a FROM lines WHERE order_date >= DATE '2024-01-01' AND order_date < DATE '2026-01-01' GROUP BY 1) GROUP BY 1, 2) GROUP BY 1 ORDER BY 1",
	}},
	{"distinct customers by segment", "SELECT customers.segment, active_customers", []string{
		"SELECT segment, COUNT(DISTINCT customer_id) FROM lines JOIN customers USING (customer_id) GROUP BY segment ORDER BY segment",
		"SELECT segment, COUNT(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM lines) GROUP BY segment ORDER BY segment",
		"SELECT segment, COUNT(*) FROM (SELECT DISTINCT customer_id FROM lines) JOIN customers USING (customer_id) GROUP BY segment ORDER BY segment",
	}},
	{"share by channel", "SELECT lines.channel, revenue, SHARE(revenue)", []string{
		"SELECT channel, a, a / SUM(a) OVER () FROM (SELECT channel, SUM(amount) a FROM lines GROUP BY channel) ORDER BY channel",
	}},
}

// TestSpeed prints one line a question: the best hand-written statement, ours, and their ratio.
func TestSpeed(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("ASSAY_SPEED_ROWS"))
	if err != nil || rows <= 0 {
		t.Skip("a measurement: set ASSAY_SPEED_ROWS to the number of order lines, 10000000 for the published figures")
	}
	rounds := 40
	if n, err := strconv.Atoi(os.Getenv("ASSAY_SPEED_ROUNDS")); err == nil && n > 0 {
		rounds = n
	}
	db := generated(t, rows)
	env := frameql.Env{Model: shopModel(t), Now: time.Date(2025, 12, 31, 12, 0, 0, 0, time.UTC), Coverage: coverage, Rows: rowsOf(int64(rows)), Distinct: distinct}
	fmt.Printf("%d order lines, %d rounds, two threads, p50 in ms\n", rows, rounds)
	for _, q := range questions {
		ours := compiled(t, q, env)
		statements := append([]string{ours}, q.hand...)
		wall, cpu := make([][]float64, len(statements)), make([][]float64, len(statements))
		for range rounds {
			for i, s := range statements {
				w, c := timed(t, db, s)
				wall[i], cpu[i] = append(wall[i], w), append(cpu[i], c)
			}
		}
		hand, which := best(wall)
		work, _ := best(cpu)
		mine := median(wall[0])
		fmt.Printf("%-32s hand %7.1f (variant %d of %d)   ours %7.1f   ratio %.2f   of processor time %.2f\n", q.name, hand, which, len(q.hand), mine, mine/hand, median(cpu[0])/work)
	}
}

// best gives the least median of the hand-written statements, and which it is.
func best(took [][]float64) (least float64, which int) {
	for i := 1; i < len(took); i++ {
		if m := median(took[i]); which == 0 || m < least {
			least, which = m, i
		}
	}
	return least, which
}

func compiled(t *testing.T, q question, env frameql.Env) string {
	t.Helper()
	parsed, err := frameql.Parse(q.frameQL)
	if err != nil {
		t.Fatalf("%s: %v", q.name, err)
	}
	plan, refusals := frameql.Resolve(parsed, env)
	if plan == nil {
		t.Fatalf("%s: %+v", q.name, refusals)
	}
	s, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		t.Fatalf("%s: %v", q.name, err)
	}
	if os.Getenv("ASSAY_SPEED_SQL") != "" {
		fmt.Printf("-- %s\n%s\n", q.name, s.SQL)
	}
	return s.SQL
}

// timed runs a statement, reads all its rows and gives the milliseconds that passed, and those that the processors worked
// for it: these say the same on a machine that others use too.
func timed(t *testing.T, db *sql.DB, statement string) (passed, worked float64) {
	t.Helper()
	before, begin := processor(), time.Now()
	res, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	defer res.Close()
	for res.Next() {
	}
	if err := res.Err(); err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	return float64(time.Since(begin).Microseconds()) / 1000, processor() - before
}

// processor gives the milliseconds that the process has worked so far.
func processor() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
