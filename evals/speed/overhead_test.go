//go:build cgo && unix

package speed

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/compile"
	"assay/backend/store"
	"assay/backend/workspace"
)

// overheads are asked of the whole program: with and without conditions, a period, a comparison, members and totals. The
// number in each makes it a query of its own: a limit that cuts nothing, a category, the last day of a period.
var overheads = []string{
	"SELECT revenue LIMIT 1%02d",
	"SELECT customers.region, revenue LIMIT 1%02d",
	"SELECT lines.channel, revenue, SHARE(revenue) WHERE products.category = 'category %d' AND lines.status = 'paid'",
	"SELECT month, revenue DURING FROM 2025-01-01 TO 2025-12-%02d",
	"SELECT month, revenue, PREV(revenue), PCT_CHANGE(revenue) AT month DURING 2025 COMPARE TO SAME PERIOD LAST YEAR LIMIT 1%02d",
	"SELECT products.name, revenue AT products DURING 2025 TOP %d products BY revenue",
	"SELECT products.category, lines.status, revenue WHERE lines.channel IN ('web', 'phone') TOTALS LIMIT 1%02d",
	"SELECT products.name, products.category WHERE products.category = 'category %d' LIMIT 50",
}

// TestOverhead prints how much longer a query takes through the program, from its text to the stored turn, than its SQL
// takes in a DuckDB of the same settings over the same files, its rows read. Both run in turns. The part of the engine is what
// resolving, compiling, EXPLAIN and running take without that SQL; the rest reads the words, writes memory, finds follow-ups.
func TestOverhead(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("ASSAY_SPEED_ROWS"))
	if err != nil || rows <= 0 {
		t.Skip("a measurement: set ASSAY_SPEED_ROWS to the number of order lines")
	}
	for _, n := range slices.Compact([]int{min(rows, 10_000), rows}) {
		db := generated(t, n)
		w := speedWorkspace(t, db, "parquet", store.FramesOptions{Saves: time.Hour}) // the cache is looked at and never has what is asked
		db.Close()
		attested(w)
		bare := bareEngine(t, w)
		fmt.Printf("%d order lines: through the program without its SQL, in ms\n", n)
		var all [2]beyond
		for _, q := range overheads {
			all[0].add(overhead(t, w, bare, q, true))
			all[1].add(overhead(t, w, bare, q, false))
		}
		all[0].print("all of them, never asked before")
		all[1].print("all of them, asked again")
	}
}

// beyond is what the program took besides the statement: the time that passed, and that of the processors, which says the
// same on a machine that others use too.
type beyond struct{ passed, engine, worked, whole, bare []float64 }

func (b *beyond) add(o beyond) {
	b.passed, b.engine, b.worked = append(b.passed, o.passed...), append(b.engine, o.engine...), append(b.worked, o.worked...)
	b.whole, b.bare = append(b.whole, o.whole...), append(b.bare, o.bare...)
}

func (b *beyond) print(name string) {
	fmt.Printf("%-100s p50 %6.2f   p95 %6.2f   of the engine p50 %6.2f   p95 %6.2f   of processor time %6.2f   (whole %.2f, bare %.2f)\n",
		name, median(b.passed), percentile(b.passed, 95), median(b.engine), percentile(b.engine, 95), median(b.worked), median(b.whole), median(b.bare))
}

// overhead asks queries of one form, each for the first time or all the same, and runs their SQL beside.
func overhead(t *testing.T, w *workspace.Workspace, bare *sql.DB, form string, fresh bool) beyond {
	t.Helper()
	var out beyond
	steps := map[string][]float64{}
	const warmed = 3
	for round := range warmed + 16 {
		query := fmt.Sprintf(form, 7)
		if fresh {
			query = fmt.Sprintf(form, 1+round)
		}
		worked, begin := processor(), time.Now()
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query}, nil)
		took := float64(time.Since(begin).Microseconds()) / 1000
		worked = processor() - worked
		if err != nil {
			t.Fatal(err)
		}
		if a.Frame == nil || a.Frame.ServedFrom != "backend" {
			t.Fatalf("%s: %+v", query, a.Refusal)
		}
		same, work := timed(t, bare, a.Frame.SQL)
		if round < warmed {
			continue
		}
		engine := -same
		for _, s := range a.Trace {
			steps[s.Name] = append(steps[s.Name], s.TookMS)
			if s.Name == "resolve" || s.Name == "plan" || s.Name == "execute" {
				engine += s.TookMS
			}
		}
		out.add(beyond{[]float64{took - same}, []float64{engine}, []float64{worked - work}, []float64{took}, []float64{same}})
	}
	out.print(map[bool]string{true: "first ", false: "again "}[fresh] + form[:min(len(form), 90)])
	if os.Getenv("ASSAY_SPEED_STEPS") != "" {
		for _, name := range []string{"intake", "interpret", "resolve", "plan", "execute", "check", "chart", "narrate", "followups"} {
			fmt.Printf("    %s %.2f", name, median(steps[name]))
		}
		fmt.Println()
	}
	return out
}

// bareEngine opens the files of a workspace's store in a DuckDB of its own, with the tables under their names.
func bareEngine(t *testing.T, w *workspace.Workspace) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "?"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	run := func(statement string) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%v\n%s", err, statement)
		}
	}
	run("SET threads = 2")
	run("SET TimeZone = 'UTC'")
	files, err := filepath.Glob(filepath.Join(w.Dir(), ".assay", "store", "*.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		run(fmt.Sprintf("ATTACH '%s' AS source_%d (READ_ONLY)", strings.ReplaceAll(file, "'", "''"), i+1))
		tables, err := db.Query(fmt.Sprintf("SELECT table_name FROM duckdb_tables() WHERE database_name = 'source_%d'", i+1))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for tables.Next() {
			var name string
			if err := tables.Scan(&name); err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		if err := tables.Err(); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			run(fmt.Sprintf("CREATE VIEW main.\"%[2]s\" AS SELECT * FROM source_%[1]d.main.\"%[2]s\"", i+1, name))
		}
	}
	return db
}

func percentile(all []float64, p int) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}
