//go:build cgo && unix

// Package speed measures answers over data that the program imported against the best SQL that a person would write
// over the same data, in one run on one machine. It is a measurement and no test: `make bench` runs it, `go test`
// alone skips it.
package speed

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/api"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/store"
)

// question is asked of the engine in Frame-QL, and of DuckDB in every way that a person might write it.
type question struct {
	name    string
	frameQL string
	hand    []string
}

// revenue is the metric of the model by hand.
const revenue = "SUM(quantity * price * (1 - discount))"

const year2025 = "order_date >= DATE '2025-01-01' AND order_date < DATE '2026-01-01'"

var questions = []question{
	{"revenue by region", "SELECT customers.region, revenue", []string{
		"SELECT region, " + revenue + " FROM lines JOIN customers USING (customer_id) GROUP BY region ORDER BY region",
		"SELECT region, SUM(a) FROM (SELECT customer_id, " + revenue + " a FROM lines GROUP BY 1) JOIN customers USING (customer_id) GROUP BY region ORDER BY region",
	}},
	{"by month and category", "SELECT month, products.category, revenue", []string{
		"SELECT date_trunc('month', order_date) m, category, " + revenue + " FROM lines JOIN products USING (product_id) GROUP BY ALL ORDER BY ALL",
		"SELECT make_date(ym // 12, ym % 12 + 1, 1) m, category, a FROM (SELECT year(order_date) * 12 + month(order_date) - 1 ym, category, " + revenue + " a FROM lines JOIN products USING (product_id) GROUP BY ALL) ORDER BY ALL",
		"SELECT date_trunc('month', order_date) m, category, SUM(a) FROM (SELECT category, order_date, " + revenue + " a FROM lines JOIN products USING (product_id) GROUP BY ALL) GROUP BY ALL ORDER BY ALL",
		"SELECT m, category, SUM(a) FROM (SELECT product_id, date_trunc('month', order_date) m, " + revenue + " a FROM lines GROUP BY ALL) JOIN products USING (product_id) GROUP BY ALL ORDER BY ALL",
	}},
	{"top 10 products of 2025", "SELECT products.name, revenue AT products DURING 2025 TOP 10 products BY revenue", []string{
		"SELECT name, " + revenue + " a FROM lines JOIN products USING (product_id) WHERE " + year2025 + " GROUP BY product_id, name ORDER BY a DESC LIMIT 10",
		"SELECT name, a FROM (SELECT product_id, " + revenue + " a FROM lines WHERE " + year2025 + " GROUP BY 1 ORDER BY a DESC LIMIT 10) JOIN products USING (product_id) ORDER BY a DESC",
	}},
	{"months beside the year before", "SELECT month, revenue, PREV(revenue), PCT_CHANGE(revenue) AT month DURING 2025 COMPARE TO SAME PERIOD LAST YEAR", []string{
		"SELECT month(order_date) m, " + revenue + " FILTER (WHERE order_date >= DATE '2025-01-01') c, " + revenue + " FILTER (WHERE order_date < DATE '2025-01-01') p, (c - p) / p FROM lines WHERE order_date >= DATE '2024-01-01' AND order_date < DATE '2026-01-01' GROUP BY 1 ORDER BY 1",
		"SELECT m, SUM(a) FILTER (WHERE y = 2025) c, SUM(a) FILTER (WHERE y = 2024) p, (c - p) / p FROM (SELECT year(order_date) y, month(order_date) m, SUM(a) a FROM (SELECT order_date, " + revenue + " a FROM lines WHERE order_date >= DATE '2024-01-01' AND order_date < DATE '2026-01-01' GROUP BY 1) GROUP BY 1, 2) GROUP BY 1 ORDER BY 1",
	}},
	{"distinct customers by segment", "SELECT customers.segment, active_customers", []string{
		"SELECT segment, COUNT(DISTINCT customer_id) FROM lines JOIN customers USING (customer_id) GROUP BY segment ORDER BY segment",
		"SELECT segment, COUNT(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM lines) GROUP BY segment ORDER BY segment",
		"SELECT segment, COUNT(*) FROM (SELECT DISTINCT customer_id FROM lines) JOIN customers USING (customer_id) GROUP BY segment ORDER BY segment",
	}},
	{"share by channel", "SELECT lines.channel, revenue, SHARE(revenue)", []string{
		"SELECT channel, a, a / SUM(a) OVER () FROM (SELECT channel, " + revenue + " a FROM lines GROUP BY channel) ORDER BY channel",
	}},
}

// most is how many times the best hand-written statement a question may take, aimed at without the frame cache and
// with it.
const (
	most       = 1.3
	mostCached = 0.3
)

// TestSpeed prints a line for each question: the best hand-written statement over the tables as a person would type
// them, and the question asked over HTTP of a workspace that imported the same rows, without the frame cache and with
// it.
func TestSpeed(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("ASSAY_SPEED_ROWS"))
	if err != nil || rows <= 0 {
		t.Skip("a measurement: set ASSAY_SPEED_ROWS to the number of order lines, 10000000 for the published figures")
	}
	rounds := 20
	if n, err := strconv.Atoi(os.Getenv("ASSAY_SPEED_ROUNDS")); err == nil && n > 0 {
		rounds = n
	}
	formats := []string{"parquet", "csv"}
	if only := os.Getenv("ASSAY_SPEED_FORMAT"); only != "" {
		formats = []string{only}
	}
	db := generated(t, rows)
	for _, format := range formats {
		t.Run(format, func(t *testing.T) { speedOf(t, db, format, rows, rounds) })
	}
}

func speedOf(t *testing.T, db *sql.DB, format string, rows, rounds int) {
	begin := time.Now()
	w := speedWorkspace(t, db, format, store.FramesOptions{})
	fmt.Printf("%d order lines, imported from %s in %.1f s, %d rounds, two threads, p50 in ms over HTTP\n",
		rows, format, time.Since(begin).Seconds(), rounds)
	attested(w)
	server := api.New(w, api.Options{Version: "speed", Page: fstest.MapFS{"index.html": {Data: []byte("")}}})
	t.Cleanup(func() { _ = server.Close() })
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)

	n := len(questions)
	ours, hand, work, which := make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	for i, q := range questions {
		took, worked := make([][]float64, 1+len(q.hand)), make([]float64, 1+len(q.hand))
		for range rounds {
			before := everywhere()
			passed, _ := asks(t, web.URL, q.frameQL, true)
			took[0], worked[0] = append(took[0], passed), worked[0]+everywhere()-before
			for n, s := range q.hand {
				before := everywhere()
				passed, _ := timed(t, db, s)
				took[1+n], worked[1+n] = append(took[1+n], passed), worked[1+n]+everywhere()-before
			}
		}
		ours[i] = median(took[0])
		hand[i], which[i] = best(took)
		work[i] = worked[0] / slices.Min(worked[1:])
	}
	for _, q := range questions {
		asks(t, web.URL, q.frameQL, false)
	}
	framesMade(t, w)
	for i, q := range questions {
		var took []float64
		from := ""
		for range rounds {
			passed, served := asks(t, web.URL, q.frameQL, false)
			took, from = append(took, passed), served
		}
		cached := median(took)
		fmt.Printf("%-32s hand %7.1f (variant %d of %d)   ours %7.1f   ratio %.2f %-6s (of processor time %.2f)"+
			"   cached %6.1f   ratio %.2f %-6s from %s\n",
			q.name, hand[i], which[i], len(q.hand), ours[i], ours[i]/hand[i], aimed(ours[i]/hand[i], most), work[i],
			cached, cached/hand[i], aimed(cached/hand[i], mostCached), from)
	}
}

func aimed(ratio, most float64) string {
	if ratio <= most {
		return "met"
	}
	return "MISSED"
}

// asks sends a query to the program's own door, and gives the milliseconds until its answer was read and what served
// it.
func asks(t *testing.T, url, query string, noCache bool) (passed float64, from string) {
	t.Helper()
	body, err := json.Marshal(api.AskBody{MessageBody: api.MessageBody{FrameQL: query, NoCache: noCache}})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	res, err := http.Post(url+"/api/ask", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	passed = float64(time.Since(begin).Microseconds()) / 1000
	var answer struct {
		Frame *struct {
			ServedFrom string `json:"served_from"`
			SQL        string `json:"sql"`
		} `json:"frame"`
		Trace []session.Step `json:"trace"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil || answer.Frame == nil {
		t.Fatalf("%s: %s: %v\n%.2000s", query, res.Status, err, raw)
	}
	if os.Getenv("ASSAY_SPEED_SQL") != "" {
		fmt.Println(answer.Frame.SQL)
		for _, s := range answer.Trace {
			fmt.Printf("%s %.1f ms  ", s.Name, s.TookMS)
		}
		fmt.Println()
	}
	return passed, answer.Frame.ServedFrom
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

// everywhere gives the milliseconds that this process and its workers have worked so far, where the system tells: in
// steps of ten, so that only sums over many runs say something.
func everywhere() float64 {
	const tick = 10
	var ticks float64
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(raw), ") ") // behind the name: state, parent, ... utime, stime
		fields := strings.Fields(after)
		own := filepath.Base(filepath.Dir(path)) == strconv.Itoa(os.Getpid())
		if len(fields) < 13 || !own && fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		for _, f := range fields[11:13] {
			n, _ := strconv.ParseFloat(f, 64)
			ticks += n
		}
	}
	return ticks * tick
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
