package profile

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"

	_ "github.com/duckdb/duckdb-go/v2"
)

// engine is a bare DuckDB for tests; the product's is in package store.
type engine struct {
	db         *sql.DB
	statements int
}

func openEngine(t testing.TB) *engine {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &engine{db: db}
}

func (e *engine) exec(t testing.TB, sql string) {
	t.Helper()
	if _, err := e.db.Exec(sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func (e *engine) run(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
	e.statements++
	rows, err := e.db.QueryContext(ctx, s.SQL)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.SQL, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	f := &frameql.Frame{}
	for rows.Next() {
		cells := make([]any, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, c := range cells {
			switch v := c.(type) {
			case int32:
				cells[i] = int64(v)
			case nil, int64, float64, string, bool:
			default:
				cells[i] = fmt.Sprint(v)
			}
		}
		f.Rows = append(f.Rows, cells)
	}
	return f, rows.Err()
}

// number runs a query that gives one number.
func (e *engine) number(t testing.TB, query string) float64 {
	t.Helper()
	var v float64
	if err := e.db.QueryRow("SELECT CAST((" + query + ") AS DOUBLE)").Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// tables declares every table of the main schema, with the aliases that the product would give.
func (e *engine) tables(t testing.TB) []TableDecl {
	t.Helper()
	rows, err := e.db.Query("SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'main' ORDER BY table_name, ordinal_position")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []TableDecl
	for rows.Next() {
		var table, column, kind string
		if err := rows.Scan(&table, &column, &kind); err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 || all[len(all)-1].Table != table {
			all = append(all, TableDecl{Table: table, Alias: alias(table)})
		}
		d := &all[len(all)-1]
		d.Columns = append(d.Columns, ColumnDecl{Name: column, Alias: alias(column), Type: typeOf(kind)})
	}
	return all
}

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

func alias(name string) string {
	return strings.Trim(notName.ReplaceAllString(strings.ToLower(camel.ReplaceAllString(name, "${1}_$2")), "_"), "_")
}

func typeOf(kind string) semantic.Type {
	switch {
	case strings.HasPrefix(kind, "DECIMAL"):
		return semantic.Decimal
	case strings.HasSuffix(kind, "INT"), strings.HasSuffix(kind, "INTEGER"):
		return semantic.Integer
	case kind == "DOUBLE", kind == "FLOAT":
		return semantic.Float
	case kind == "DATE":
		return semantic.Date
	case strings.HasPrefix(kind, "TIMESTAMP"):
		return semantic.Timestamp
	case kind == "BOOLEAN":
		return semantic.Boolean
	case kind == "TIME":
		return semantic.Time
	}
	return semantic.Text
}

func shared(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("ASSAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared data is not there (%s): set ASSAY_SHARED", path)
	}
	return path
}

// loadCSVs makes a table of every CSV file of a folder.
func (e *engine) loadCSVs(t testing.TB, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		table := strings.TrimSuffix(filepath.Base(f), ".csv")
		e.exec(t, fmt.Sprintf("CREATE TABLE %s AS SELECT * FROM read_csv('%s', header = true, nullstr = ['', 'NULL'], sample_size = -1)", quote(table), f))
	}
}

// loadNorthwind runs the sample's own script.
func (e *engine) loadNorthwind(t testing.TB) {
	t.Helper()
	folder := shared(t, "data", "northwind", "csv")
	script, err := os.ReadFile(filepath.Join(folder, "load.duckdb.sql"))
	if err != nil {
		t.Fatal(err)
	}
	e.exec(t, strings.ReplaceAll(string(script), "@DIR@", folder))
}

func infer(t testing.TB, e *engine, s semantic.Settings) (semantic.Facts, *semantic.Model) {
	t.Helper()
	facts, err := Measure(context.Background(), e.run, e.tables(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := semantic.Infer(facts, s)
	for _, p := range semantic.Check(m) {
		if p.Severity == semantic.SeverityError {
			t.Errorf("the inferred model has an error: %s", p)
		}
	}
	return facts, m
}

// metricSQL writes a leaf metric over its own entity by hand.
func metricSQL(t testing.TB, m *semantic.Model, name string) string {
	t.Helper()
	x := m.Metric(name)
	if x == nil {
		t.Fatalf("there is no metric %s", name)
	}
	e := m.Entity(x.Entity)
	source := e.Source.SQL
	if source == "" {
		source = "SELECT * FROM " + quote(e.Source.Table)
	}
	var columns []string
	for _, d := range e.Dimensions {
		if d.Physical() != "" {
			columns = append(columns, quote(d.Physical())+" AS "+quote(d.Name))
		}
	}
	reducer := map[semantic.Reducer]string{semantic.Sum: "sum(", semantic.Avg: "avg(", semantic.Count: "count(", semantic.CountDistinct: "count(DISTINCT "}[x.Reducer]
	return "SELECT " + reducer + x.Expr + ") FROM (SELECT " + strings.Join(columns, ", ") + " FROM (" + source + "))"
}

func describeModel(m *semantic.Model) string {
	var b strings.Builder
	for _, e := range m.Entities {
		fmt.Fprintf(&b, "entity %s %q key=%v display=%s time=%s others=%v table=%s sql=%s syn=%v\n", e.Name, e.Label, e.Key, e.Display, e.DefaultTime, e.OtherTimes, e.Source.Table, e.Source.SQL, e.Synonyms)
		for _, d := range e.Dimensions {
			flags := ""
			if d.Measure {
				flags += " measure"
			}
			if d.NonAdditive {
				flags += " nonadditive"
			}
			if d.FromData {
				flags += " indexed"
			}
			if d.PII != "" {
				flags += " pii=" + d.PII
			}
			fmt.Fprintf(&b, "  %s %q %s unit=%s%s %s\n", d.Name, d.Label, d.Type, d.Unit, flags, d.Description)
		}
		for _, h := range e.Hierarchies {
			fmt.Fprintf(&b, "  hierarchy %s %v\n", h.Name, h.Path)
		}
	}
	for _, j := range m.Joins {
		fmt.Fprintf(&b, "join %s -> %s %v %s role=%s total=%v: %s\n", j.From, j.To, j.On, j.Cardinality, j.Role, j.Total, j.Basis)
	}
	for _, x := range m.Metrics {
		fmt.Fprintf(&b, "metric %s %q %s %s(%s) unit=%s syn=%v: %s\n", x.Name, x.Label, x.Entity, x.Reducer, x.Expr, x.Unit, x.Synonyms, x.Basis)
	}
	return b.String()
}
