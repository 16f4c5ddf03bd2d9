package evals_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/evals"
)

// jaffle is the project of data/dbt as dbt would have built it: the tables of its models, made of the seeds by the SQL that
// the manifest holds.
type jaffle struct {
	manifest string
	file     string  // a DuckDB database with the models that semantic models read
	seeds    *sql.DB // the same, with the seeds
}

// marts are the models that semantic models read, in the order in which they can be built; staging comes first.
var (
	staging = []string{"stg_customers", "stg_locations", "stg_order_items", "stg_orders", "stg_products", "stg_supplies"}
	marts   = []string{"order_items", "orders", "customers", "locations", "products", "supplies"}
)

func buildJaffle(t *testing.T) jaffle {
	t.Helper()
	j := jaffle{manifest: shared(t, "data", "dbt", "manifest.json"), file: filepath.Join(t.TempDir(), "jaffle_shop.duckdb")}
	var manifest struct {
		Nodes map[string]struct {
			RawCode string `json:"raw_code"`
		} `json:"nodes"`
	}
	raw, err := os.ReadFile(j.manifest)
	if err == nil {
		err = json.Unmarshal(raw, &manifest)
	}
	if err == nil {
		j.seeds, err = sql.Open("duckdb", "?"+compile.DuckDBConfig)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.seeds.Close() })
	run := func(statement string) {
		if _, err := j.seeds.Exec(statement); err != nil {
			t.Fatalf("%v\n%s", err, statement)
		}
	}
	j.seeds.SetMaxOpenConns(1)
	for _, seed := range []string{"customers", "items", "orders", "products", "stores", "supplies"} {
		run(fmt.Sprintf("CREATE TABLE raw_%[1]s AS SELECT * FROM read_csv('%[2]s')", seed, shared(t, "data", "dbt", "seeds", "raw_"+seed+".csv")))
	}
	run("ATTACH '" + j.file + "' AS shop")
	for _, name := range append(append([]string{}, staging...), marts...) {
		run("CREATE TABLE " + name + " AS " + rendered(manifest.Nodes["model.jaffle_shop."+name].RawCode))
	}
	for _, name := range marts {
		run("CREATE TABLE shop." + name + " AS FROM " + name)
	}
	run("DETACH shop")
	return j
}

// rendered fills the few templates that the models of this project use.
func rendered(code string) string {
	for _, r := range []struct{ find, put string }{
		{`\{\{\s*source\('[a-z_]+',\s*'([a-z_]+)'\)\s*\}\}`, `$1`},
		{`\{\{\s*ref\('([a-z_]+)'\)\s*\}\}`, `$1`},
		{`\{\{\s*cents_to_dollars\('([a-z_]+)'\)\s*\}\}`, `CAST($1 / 100 AS DECIMAL(16, 2))`},
		{`\{\{\s*dbt\.date_trunc\('day',\s*'([a-z_]+)'\)\s*\}\}`, `date_trunc('day', CAST($1 AS TIMESTAMP))`},
		{`\{\{\s*dbt_utils\.generate_surrogate_key\(\['([a-z_]+)', '([a-z_]+)'\]\)\s*\}\}`, `md5(concat($1, '-', $2))`},
	} {
		code = regexp.MustCompile(r.find).ReplaceAllString(code, r.put)
	}
	return code
}

// TestDBTManifest imports the manifest of data/dbt over tables made of its seeds, and compares metrics with SQL that was
// written by hand over the seeds.
func TestDBTManifest(t *testing.T) {
	j := buildJaffle(t)
	dir := newWorkspace(t, j.file)
	report := importModel(t, j.manifest, dir)
	if n := report["metrics"].(float64); n != 19 {
		t.Errorf("%v metrics, want all 19: %v", n, report["notes"])
	}
	w := openDir(t, dir)
	for _, c := range []struct{ name, query, sql string }{
		{
			"a sum over a join by month", "SELECT month, revenue AT month",
			"SELECT date_trunc('month', ordered_at), sum(price) / 100 FROM raw_items i JOIN raw_orders o ON o.id = i.order_id JOIN raw_products USING (sku) GROUP BY 1",
		},
		{
			"an order amount by store", "SELECT locations.location_name, order_total",
			"SELECT s.name, sum(order_total) / 100 FROM raw_orders o JOIN raw_stores s ON s.id = o.store_id GROUP BY 1",
		},
		{
			"a filtered count", "SELECT large_orders AT ()",
			"SELECT count(*) FROM raw_orders WHERE order_total >= 2000",
		},
		{
			"a share of two sums", "SELECT products.product_type, food_revenue_pct",
			"SELECT type, sum(CASE WHEN type = 'jaffle' THEN price ELSE 0 END) / sum(price) FROM raw_items JOIN raw_products USING (sku) GROUP BY 1",
		},
		{
			"two hops", "SELECT customers.customer_name, revenue",
			"SELECT c.name, sum(price) / 100 FROM raw_items i JOIN raw_products USING (sku) JOIN raw_orders o ON o.id = i.order_id JOIN raw_customers c ON c.id = o.customer GROUP BY 1",
		},
		{
			"a median", "SELECT median_revenue AT ()",
			"SELECT median(price / 100) FROM raw_items JOIN raw_products USING (sku)",
		},
		{
			"a first order is one of a customer", "SELECT new_customer_orders AT ()",
			"SELECT count(DISTINCT customer) FROM raw_orders",
		},
		{
			"two facts side by side", "SELECT quarter, order_gross_profit",
			`WITH cost AS (SELECT sku, sum(cost) AS cost FROM raw_supplies GROUP BY 1)
			 SELECT date_trunc('quarter', ordered_at), (sum(price) - sum(cost)) / 100
			 FROM raw_items i JOIN raw_products USING (sku) JOIN cost USING (sku) JOIN raw_orders o ON o.id = i.order_id GROUP BY 1`,
		},
		{
			"a value of the month before", "SELECT month, revenue_growth_mom",
			`WITH days AS (SELECT date_trunc('day', ordered_at) AS day, sum(price) AS r FROM raw_items i JOIN raw_orders o ON o.id = i.order_id JOIN raw_products USING (sku) GROUP BY 1),
			 now AS (SELECT date_trunc('month', day) AS m, sum(r) AS r FROM days GROUP BY 1),
			 spine AS (SELECT unnest(generate_series((SELECT min(day) FROM days), (SELECT max(day) + INTERVAL 1 MONTH FROM days), INTERVAL 1 DAY)) AS day),
			 before AS (SELECT date_trunc('month', s.day) AS m, sum(r) AS r FROM spine s JOIN days d ON d.day = s.day - INTERVAL 1 MONTH GROUP BY 1)
			 SELECT coalesce(now.m, before.m), (now.r - before.r) * 100 / before.r FROM now FULL JOIN before ON now.m = before.m`,
		},
		{
			"a running total", "SELECT year, cumulative_revenue",
			`WITH days AS (SELECT CAST(ordered_at AS DATE) AS day, sum(price) / 100 AS r FROM raw_items i JOIN raw_orders o ON o.id = i.order_id JOIN raw_products USING (sku) GROUP BY 1),
			 spine AS (SELECT unnest(generate_series((SELECT min(day) FROM days), (SELECT max(day) FROM days), INTERVAL 1 DAY)) AS day),
			 run AS (SELECT s.day, sum(r) AS r FROM spine s JOIN days d ON d.day <= s.day GROUP BY 1)
			 SELECT date_trunc('year', day), arg_min(r, day) FROM run GROUP BY 1`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := w.Ask(context.Background(), analyst.Request{FrameQL: c.query}, nil)
			if err != nil {
				t.Fatalf("%s: %v", c.query, err)
			}
			if a.Frame == nil {
				t.Fatalf("%s: outcome %s%s", c.query, a.Outcome, account(a))
			}
			gold := rowsOf(t, j.seeds, c.sql)
			if ok, why := evals.Match(known(plainTimes(gold)), known(plainTimes(a.Frame.Rows)), false); !ok {
				t.Errorf("%s: %s%s\n  want %v\n  got  %v", c.query, why, account(a), excerpt(gold), excerpt(a.Frame.Rows))
			}
		})
	}
}

// known leaves out rows whose number is missing: whether a month after the last one is shown with no number is a question
// of taste that this test leaves open.
func known(rows [][]any) [][]any {
	return slices.DeleteFunc(rows, func(row []any) bool { return row[len(row)-1] == nil })
}

// rowsOf runs SQL and gives its rows, with times written as text.
func rowsOf(t *testing.T, db *sql.DB, statement string) [][]any {
	t.Helper()
	rows, err := db.Query("SELECT COLUMNS(*)::VARCHAR FROM (" + statement + ")")
	if err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]any
	for rows.Next() {
		row, into := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// What a manifest says besides numbers arrives too: descriptions, types from the catalog, tests, sources.
func TestDBTManifestLineage(t *testing.T) {
	dir := newWorkspace(t)
	report := importModel(t, shared(t, "data", "dbt", "manifest.json"), dir)
	m, err := semantic.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Entities) != 6 || len(m.Metrics) != 19 || len(m.Registry.Sources) != 6 {
		t.Errorf("%d entities, %d metrics, %d sources", len(m.Entities), len(m.Metrics), len(m.Registry.Sources))
	}
	if !strings.HasPrefix(m.Registry.GeneratedFrom, "dbt manifest sha256:") {
		t.Errorf("generated from %q", m.Registry.GeneratedFrom)
	}
	if d := m.Dimension("customers.customer_name"); d == nil || d.Description != "Customers' full name." {
		t.Errorf("description of a column: %+v", d)
	}
	if d := m.Dimension("orders_rows.order_total_dim"); d == nil || d.Type != semantic.Decimal {
		t.Errorf("type from the catalog: %+v", d)
	}
	if d := m.Dimension("customers.customer"); d == nil || strings.Join(d.Tests, " ") != "not_null unique" {
		t.Errorf("tests of a key: %+v", d)
	}
	if notes := fmt.Sprint(report["notes"]); !strings.Contains(notes, "saved query order_metrics") || !strings.Contains(notes, "unit tests") {
		t.Errorf("what is not carried is not reported: %s", notes)
	}
}

// A project may be imported before its tables are there, and again.
func TestDBTManifestTwice(t *testing.T) {
	dir, project := newWorkspace(t), shared(t, "data", "dbt", "manifest.json")
	importModel(t, project, dir)
	if again := importModel(t, project, dir); len(again["written"].([]any)) != 0 || len(again["conflicts"].([]any)) != 0 {
		t.Errorf("the same project again writes %v, conflicts %v", again["written"], again["conflicts"])
	}
}
