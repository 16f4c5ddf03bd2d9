package store

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
)

// TestCells looks at one cell of every type.
func TestCells(t *testing.T) {
	s := open(t, t.TempDir())
	cases := []struct {
		sql, kind string
		want      any
	}{
		{"NULL", "integer", nil},
		{"true", "boolean", true},
		{"CAST(-5 AS TINYINT)", "integer", int64(-5)},
		{"CAST(5 AS UINTEGER)", "integer", int64(5)},
		{"9223372036854775807", "integer", "9223372036854775807"},
		{"CAST(18446744073709551615 AS UBIGINT)", "integer", "18446744073709551615"},
		{"CAST(7 AS HUGEINT)", "integer", int64(7)},
		{"CAST('170141183460469231731687303715884105727' AS HUGEINT)", "integer", "170141183460469231731687303715884105727"},
		{"CAST(1.5 AS DOUBLE)", "float", 1.5},
		{"CAST('nan' AS DOUBLE)", "float", "NaN"},
		{"CAST('inf' AS DOUBLE)", "float", "Infinity"},
		{"CAST('-inf' AS DOUBLE)", "float", "-Infinity"},
		{"CAST(12.5 AS DECIMAL(18,2))", "decimal", json.Number("12.50")},
		{"CAST(-0.05 AS DECIMAL(18,2))", "decimal", json.Number("-0.05")},
		{"CAST(0 AS DECIMAL(18,4))", "decimal", json.Number("0.0000")},
		{"CAST(7 AS DECIMAL(5,0))", "decimal", json.Number("7")},
		{"CAST('123456789012345.00' AS DECIMAL(38,2))", "decimal", json.Number("123456789012345.00")},
		{"CAST('1234567890123456.5' AS DECIMAL(38,2))", "decimal", "1234567890123456.50"},
		{"'Größe'", "text", "Größe"},
		{"DATE '2024-02-29'", "date", "2024-02-29"},
		{"TIMESTAMP '2024-02-29 10:11:12'", "timestamp", "2024-02-29T10:11:12"},
		{"TIMESTAMP '2024-02-29 10:11:12.25'", "timestamp", "2024-02-29T10:11:12.25"},
		{"TIMESTAMPTZ '2024-02-29 10:11:12+02'", "timestamp", "2024-02-29T08:11:12"},
		{"TIME '10:11:12.5'", "time", "10:11:12.5"},
		{"[1, 2]", "json", "[1,2]"},
		{"{'a': 1}", "json", `{"a":1}`},
		{"CAST('\\xAA' AS BLOB)", "text", `\xaa`},
		{"CAST('12345678-1234-1234-1234-123456789abc' AS UUID)", "text", "12345678-1234-1234-1234-123456789abc"},
		{"INTERVAL 3 DAY", "text", "P0M3DT0S"},
	}
	for _, c := range cases {
		f, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT " + c.sql + " AS x"})
		if err != nil {
			t.Errorf("%s: %s", c.sql, fault.Detail(err))
			continue
		}
		if got := f.Rows[0][0]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s gives %T %v, want %T %v", c.sql, got, got, c.want, c.want)
		}
		if got := f.Columns[0].Type; got != c.kind {
			t.Errorf("%s has type %s, want %s", c.sql, got, c.kind)
		}
	}
}

// TestColumns: the statement's columns are kept and their types filled in; without any they are made from the result.
func TestColumns(t *testing.T) {
	s := open(t, t.TempDir())
	f, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT 'a' AS region, 1.5 AS revenue", Columns: []frameql.Column{
		{Name: "region", Label: "Region", Role: frameql.RoleDimension, Dimension: "customers.region"},
		{Name: "revenue", Role: frameql.RoleMetric, Unit: "USD", Metric: "revenue"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Columns; c[0].Type != "text" || c[0].Label != "Region" || c[1].Type != "decimal" || c[1].Unit != "USD" || f.Took <= 0 || f.ServedFrom != "backend" {
		t.Errorf("%+v", f)
	}
	f, err = s.Query(t.Context(), frameql.Statement{SQL: "SELECT 1 AS a, 'x' AS A, 2 AS a"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Columns[0].Name, " ", f.Columns[1].Name, " ", f.Columns[2].Name); got != "a A_2 a_3" {
		t.Errorf("names %s", got)
	}
	if _, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT 1, 2", Columns: []frameql.Column{{Name: "a"}}}); fault.CodeOf(err) != fault.Internal {
		t.Errorf("wrong number of columns gives %v", err)
	}
}

// TestRowCap: the cap is data on the frame.
func TestRowCap(t *testing.T) {
	s := open(t, t.TempDir(), func(o *Options) { o.MaxRows = 100 })
	for _, c := range []struct {
		sql   string
		limit int
		rows  int
		want  *frameql.Truncated
	}{
		{"SELECT * FROM range(100)", 0, 100, nil},
		{"SELECT * FROM range(101)", 0, 100, &frameql.Truncated{Cap: 100, TotalRows: 101}},
		{"SELECT * FROM range(5000); -- all\n", 7, 7, &frameql.Truncated{Cap: 7, TotalRows: 5000}},
		{"SELECT * FROM range(5000) -- all", 7, 7, &frameql.Truncated{Cap: 7, TotalRows: 5000}},
		{"SELECT * FROM range(500)", 1000, 500, nil},
	} {
		f, err := s.Query(t.Context(), frameql.Statement{SQL: c.sql, MaxRows: c.limit})
		if err != nil {
			t.Errorf("%s: %s", c.sql, fault.Detail(err))
			continue
		}
		if len(f.Rows) != c.rows || f.RowCount != c.rows || !reflect.DeepEqual(f.Truncated, c.want) {
			t.Errorf("%s: %d rows, %+v", c.sql, len(f.Rows), f.Truncated)
		}
	}
}

// TestEpochs: a frame carries the epochs of the tables that its statement names, and of no others.
func TestEpochs(t *testing.T) {
	s := open(t, t.TempDir())
	a := mustImport(t, s, write(t, "a.csv", "x,y\n1,2\n"))
	mustImport(t, s, write(t, "b.csv", "x,y\n1,3\n"))
	f, err := s.Query(t.Context(), frameql.Statement{SQL: "WITH c AS (SELECT x FROM A) SELECT * FROM c WHERE x IN (SELECT 1)"})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"a": a.Epoch}; !reflect.DeepEqual(f.SourceEpochs, want) {
		t.Errorf("epochs %v, want %v", f.SourceEpochs, want)
	}
	if got := s.Epochs(); len(got) != 2 || got["a"] != a.Epoch || !strings.HasPrefix(got["b"], "sha256:") {
		t.Errorf("epochs %v", got)
	}
}

// TestRefusedStatements: nothing but one SELECT over the data runs. Each attempt is made on its own.
func TestRefusedStatements(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	mustImport(t, s, write(t, "a.csv", "x,y\n1,2\n"))
	files, err := filepath.Glob(filepath.Join(dir, "*"+databaseSuffix))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	own, out := literal(files[0]), literal(filepath.Join(dir, "stolen.csv"))
	for sql, code := range map[string]fault.Code{
		"":                                           fault.Invalid,
		"SELECT 1; SELECT 2":                         fault.Invalid,
		"DROP VIEW a; SELECT 1":                      fault.Invalid,
		"CREATE TABLE b (x INT)":                     fault.Invalid,
		"CREATE TEMP VIEW a AS SELECT 1":             fault.Invalid,
		"INSERT INTO a VALUES (1, 2)":                fault.Invalid,
		"ATTACH ':memory:' AS m":                     fault.Invalid,
		"ATTACH " + own + " AS m":                    fault.Invalid,
		"COPY a TO " + out:                           fault.Invalid,
		"INSTALL fts":                                fault.Invalid,
		"SET threads=1":                              fault.Invalid,
		"PRAGMA database_list":                       fault.Invalid,
		"EXPLAIN SELECT 1":                           fault.Invalid,
		"SELEC 1":                                    fault.Invalid,
		"SELECT nothing FROM a":                      fault.Invalid,
		"FROM read_csv('/etc/passwd')":               fault.Unauthorized,
		"SELECT * FROM '/etc/passwd'":                fault.Unauthorized,
		"SELECT content FROM read_blob(" + own + ")": fault.Unauthorized,
		"FROM glob('/*')":                            fault.Unauthorized,
		"FROM enable_profiling()":                    fault.Unauthorized,
		"FROM enable_logging(storage='file')":        fault.Unauthorized,
		"FROM query('SELECT 1')":                     fault.Unauthorized,
		"FROM duckdb_settings()":                     fault.Unauthorized,
		"SELECT (SELECT count(*) FROM sniff_csv('/etc/passwd'))": fault.Unauthorized,
	} {
		f, err := s.Query(t.Context(), frameql.Statement{SQL: sql})
		if fault.CodeOf(err) != code {
			t.Errorf("%s: %v %v, want %s", sql, f, err, code)
			continue
		}
		if !strings.HasSuffix(err.Error(), ".") || strings.Contains(err.Error(), "[store.") {
			t.Errorf("%s: no sentence: %s", sql, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "stolen.csv")); err == nil {
		t.Error("a file was written")
	}
	if got := rows(t, s, "SELECT * FROM a"); got != "1|2" {
		t.Errorf("the data was changed: %s", got)
	}
}

// TestPivotWithoutValues: a PIVOT that the engine runs as several statements runs as a question for its values and one
// statement with them, and gives what the engine gives.
func TestPivotWithoutValues(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, write(t, "o.csv", "region,status,amount\nN,paid,1\nS,paid,2\nO'Hara,open,4\n"))
	for sql, want := range map[string]string{
		"PIVOT o ON region USING sum(amount) GROUP BY status ORDER BY status":                                                 "open|∅|4|∅\npaid|1|∅|2",
		"WITH p AS (FROM o WHERE amount < 3) PIVOT p ON region, status USING sum(amount) ORDER BY 1; -- values are not named": "1|2",
		"PIVOT o ON region IN ('S') USING sum(amount) GROUP BY status ORDER BY status":                                        "open|∅\npaid|2",
	} {
		if got := rows(t, s, sql); got != want {
			t.Errorf("%s gives\n%s\nwant\n%s", sql, got, want)
		}
		if _, _, _, _, err := s.Cost(t.Context(), frameql.Statement{SQL: sql}); err != nil {
			t.Errorf("cost of %s: %v", sql, err)
		}
	}
	if _, err := s.Query(t.Context(), frameql.Statement{SQL: "PIVOT read_csv('/etc/passwd') ON column0"}); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("a file is pivoted: %v", err)
	}
	if _, err := s.Query(t.Context(), frameql.Statement{SQL: "PIVOT (FROM o WHERE amount > 9) ON region USING sum(amount)"}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("no values: %v", err)
	}
}

// TestLockdown reaches around the gate into the query instance: what the gate would not see, the engine itself refuses.
func TestLockdown(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	src := mustImport(t, s, write(t, "a.csv", "x,y\n1,2\n"))
	file := literal(filepath.Join(dir, s.catalog.Entries[0].File))
	outside := literal(write(t, "b.csv", "x,y\n1,2\n"))
	e, err := s.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.users.Done()
	for _, sql := range []string{
		"SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_csv(" + outside + ")", "SELECT content FROM read_blob(" + file + ")",
		"SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM glob('/etc/*')", "ATTACH " + file + " AS again", "ATTACH '" + dir + "/new.duckdb' AS new",
		"COPY a TO '" + dir + "/out.csv'", "COPY (SELECT 1) TO '/dev/stdout'", "EXPORT DATABASE '" + dir + "/out'", "INSTALL fts", "LOAD fts",
		"LOAD '" + dir + "/x.duckdb_extension'", "SET enable_external_access=true", "RESET disabled_filesystems", "SET lock_configuration=false",
		"SET memory_limit='100GB'", "DELETE FROM source_1.main.a", "CREATE TABLE source_1.main.t (x INT)", "SELECT * FROM enable_logging(storage='file', storage_path='" + dir + "/log')",
	} {
		if _, err := e.db.ExecContext(t.Context(), sql); err == nil {
			t.Errorf("%s ran", sql)
		}
	}
	if got := left(t, dir); len(got) > 0 {
		t.Errorf("files were written: %v", got)
	}
	if got := rows(t, s, "SELECT * FROM "+ident(src.Tables[0].Name)); got != "1|2" {
		t.Errorf("the data was changed: %s", got)
	}
}

// TestStop: a statement ends by its deadline and by the person.
func TestStop(t *testing.T) {
	const endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range + b.range) % 7 = 3"
	s := open(t, t.TempDir(), func(o *Options) { o.Timeout = 50 * time.Millisecond })
	if _, err := s.Query(t.Context(), frameql.Statement{SQL: endless}); fault.CodeOf(err) != fault.Limit {
		t.Errorf("deadline gives %v", err)
	}
	s = open(t, t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	stop := context.AfterFunc(ctx, func() {})
	defer stop()
	canceling, stopNow := context.WithCancel(t.Context())
	context.AfterFunc(ctx, stopNow)
	defer cancel()
	if _, err := s.Query(canceling, frameql.Statement{SQL: endless}); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("cancel gives %v", err)
	}
	if got := rows(t, s, "SELECT 1"); got != "1" {
		t.Errorf("after a stop: %s", got)
	}
}

// TestMemory: a statement beyond the memory limit is refused, and the next one runs.
func TestMemory(t *testing.T) {
	s := open(t, t.TempDir(), func(o *Options) { o.MemoryLimit = "60MB" })
	if _, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT count(*) FROM (SELECT i, j, count(*) FROM range(1000000) t(i), range(20) u(j) GROUP BY ALL)"}); fault.CodeOf(err) != fault.Limit {
		t.Errorf("gives %v", err)
	}
	if got := rows(t, s, "SELECT 1"); got != "1" {
		t.Errorf("after: %s", got)
	}
}

// TestCost: the estimate knows how many rows a statement reads.
func TestCost(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, write(t, "a.csv", "x,y\n"+strings.Repeat("1,2\n", 10_000)))
	n, bytes, ms, basis, err := s.Cost(t.Context(), frameql.Statement{SQL: "SELECT sum(x) FROM a WHERE y > 1"})
	if err != nil || n != 10_000 || bytes < 40_000 || ms <= 0 || !strings.Contains(basis, "EXPLAIN") {
		t.Errorf("%d rows %d bytes %v ms %s %v", n, bytes, ms, basis, err)
	}
	all, _, longer, _, err := s.Cost(t.Context(), frameql.Statement{SQL: "SELECT count(*) FROM a, a AS b, a AS c"})
	if err != nil || all != 30_000 || longer <= ms {
		t.Errorf("%d rows %v ms %v", all, longer, err)
	}
	if _, _, _, _, err := s.Cost(t.Context(), frameql.Statement{SQL: "DROP VIEW a"}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("gives %v", err)
	}
}

// What pairs rows, or has a size that the engine does not tell, is never taken for cheap; ordinary statements are.
func TestCostOfPairs(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, write(t, "a.csv", "x,y\n"+strings.Repeat("1,2\n3,4\n", 10_000)))
	const limit = 10 * 60 * 1000 // milliseconds
	for sql, dear := range map[string]bool{
		"SELECT count(*) FROM a, a AS b, a AS c":                                           true,
		"SELECT sum(a.x + b.x + c.x) FROM a, a AS b, a AS c":                               true,
		"SELECT count(*) FROM a JOIN a AS b ON a.x + b.y > 3 JOIN a AS c ON a.y + c.x > 2": true,
		"SELECT count(*) FROM range(1000000) t(i), range(1000000) u(j)":                    true,
		"SELECT count(*) FROM a, range(1000000) u(j), range(1000000) v(k)":                 true,
		"SELECT 1": false,
		"SELECT x, sum(y) FROM a GROUP BY x ORDER BY 2 LIMIT 5":                                                               false,
		"WITH c AS (SELECT x, count(*) AS n FROM a GROUP BY 1) SELECT c.x, c.n FROM c JOIN c AS d ON c.x = d.x":               false,
		"SELECT x, rank() OVER (ORDER BY y) FROM a QUALIFY 1 = 1":                                                             false,
		"SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL 1 MONTH)) AS month":                     false,
		"SELECT i, count(x) FROM range(12) t(i) LEFT JOIN a ON a.x = t.i GROUP BY 1":                                          false,
		"SELECT a.x, (SELECT max(y) FROM a AS b WHERE b.x = a.x) FROM a WHERE a.y IN (SELECT y FROM a) UNION ALL SELECT 1, 2": false,
		"SELECT v.n FROM (VALUES (1), (2)) AS v(n), (SELECT max(x) AS m FROM a) AS w WHERE v.n < w.m":                         false,
	} {
		_, _, ms, _, err := s.Cost(t.Context(), frameql.Statement{SQL: sql})
		if err != nil || (ms > limit) != dear {
			plan, _ := s.Plan(t.Context(), frameql.Statement{SQL: sql})
			t.Errorf("%s takes %v ms: %v\n%+v", sql, ms, err, plan)
		}
	}
}

// TestOptimizers: the engine runs statements with the settings under which they give their rows.
func TestOptimizers(t *testing.T) {
	name, value, _ := strings.Cut(compile.DuckDBConfig, "=")
	e, err := open(t, t.TempDir()).acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.users.Done()
	var got string // the gate lets no statement ask
	if err := e.db.QueryRowContext(t.Context(), "SELECT current_setting('"+name+"')").Scan(&got); err != nil || got != value {
		t.Errorf("%s is %q, not %q: %v", name, got, value, err)
	}
}

// TestMoreRowsThanFitIntoMemory has a result that is too large for the memory: the rows that are wanted are given, and the number
// of all.
func TestMoreRowsThanFitIntoMemory(t *testing.T) {
	s := open(t, t.TempDir(), func(o *Options) { o.MemoryLimit = "200MB" })
	f, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT a.range AS a, repeat('x', 100) || b.range AS b FROM range(3000) a, range(1000) b", MaxRows: 10})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if len(f.Rows) != 10 || f.Truncated == nil || f.Truncated.TotalRows != 3_000_000 {
		t.Errorf("%d rows, truncated %+v", len(f.Rows), f.Truncated)
	}
}
