package worker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

func render(v any, _ string) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

func TestMain(m *testing.M) {
	if _, asked := Asked(os.Args[1:]); asked {
		os.Exit(Serve(Handlers{Render: render, Operations: map[string]Operation{
			"double": func(_ context.Context, args json.RawMessage, progress func(any)) (any, error) {
				var n int
				if err := json.Unmarshal(args, &n); err != nil {
					return nil, err
				}
				progress("half")
				return 2 * n, nil
			},
			"write": func(_ context.Context, args json.RawMessage, _ func(any)) (any, error) {
				var path string
				if err := json.Unmarshal(args, &path); err != nil {
					return nil, err
				}
				return nil, os.WriteFile(path, []byte("x"), 0o600)
			},
			"environment": func(context.Context, json.RawMessage, func(any)) (any, error) { return os.Environ(), nil },
			"hang":        func(context.Context, json.RawMessage, func(any)) (any, error) { select {} },
		}}))
	}
	os.Exit(m.Run())
}

func start(t testing.TB, opt Options) *Process {
	t.Helper()
	if opt.Role == "" {
		opt.Role = "test"
	}
	p, err := Start(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func open(t testing.TB, p *Process) *sql.DB {
	t.Helper()
	c, err := p.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	db.SetMaxIdleConns(0)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// everyType has a value of every type that a result can have, and its edges.
var everyType = []string{
	"NULL", "true", "1::TINYINT", "-2::SMALLINT", "3::INTEGER", "9223372036854775807::BIGINT", "255::UTINYINT", "65535::USMALLINT", "4294967295::UINTEGER",
	"18446744073709551615::UBIGINT", "170141183460469231731687303715884105727::HUGEINT", "(-170141183460469231731687303715884105728)::HUGEINT",
	"340282366920938463463374607431768211455::UHUGEINT", "1.5::FLOAT", "1e300::DOUBLE", "'NaN'::DOUBLE", "'-Infinity'::DOUBLE", "1.10::DECIMAL(4,2)", "-0.001::DECIMAL(38,3)",
	"99999999999999999999999999999999999999::DECIMAL(38,0)", "DATE '1969-12-31'", "DATE '0001-01-01'", "DATE '-4000-02-29'", "'infinity'::DATE", "TIMESTAMP '2024-02-29 23:59:59.999999'",
	"TIMESTAMP_S '2024-02-29 23:59:59'", "TIMESTAMP_MS '1900-02-28 23:59:59.123'", "TIMESTAMP_NS '2024-02-29 23:59:59.123456789'", "TIMESTAMPTZ '2024-02-29 23:59:59+05'",
	"TIME '12:34:56.789012'", "TIMETZ '12:34:56+02'", "''", "'aé😀'", "'\\x00\\xff'::BLOB", "[1, 2, NULL]", "{'a': 1, 'b': 'x'}", "MAP {'k': 2}", "'red'::ENUM('red', 'blue')",
	"uuid '00112233-4455-6677-8899-aabbccddeeff'", "INTERVAL '1 year 2 days 3 seconds'", "'101'::BIT", "'{\"a\": [1, \"x\", null]}'::JSON", "'5'::JSON", "[1, 2]::INTEGER[2]",
	"union_value(n := 3)",
}

// TestValuesAreThoseOfTheDriver compares what comes through the pipe with what the driver gives in this process; what
// Arrow has no type for comes as it was rendered.
func TestValuesAreThoseOfTheDriver(t *testing.T) {
	there := open(t, start(t, Options{}))
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		t.Fatal(err)
	}
	here := sql.OpenDB(connector)
	defer here.Close()
	for _, expression := range everyType {
		query := "SELECT " + expression + " AS x UNION ALL SELECT NULL"
		var got, want []any
		var types []string
		for _, db := range []*sql.DB{there, here} {
			rows, err := db.QueryContext(t.Context(), query)
			if err != nil {
				t.Fatalf("%s: %v", expression, err)
			}
			kinds, err := rows.ColumnTypes()
			if err != nil {
				t.Fatal(err)
			}
			var all []any
			for rows.Next() {
				var v any
				if err := rows.Scan(&v); err != nil {
					t.Fatal(err)
				}
				all = append(all, v)
			}
			if err := rows.Err(); err != nil {
				t.Fatalf("%s: %v", expression, err)
			}
			rows.Close()
			types = append(types, kinds[0].DatabaseTypeName())
			got, want = want, all
		}
		if types[0] != types[1] {
			t.Errorf("%s has type %s, want %s", expression, types[0], types[1])
		}
		if len(got) != 2 || len(want) != 2 || got[1] != nil {
			t.Errorf("%s gives %v, want %v", expression, got, want)
			continue
		}
		if a, b := plain(got[0]), plain(want[0]); !reflect.DeepEqual(a, b) && !reflect.DeepEqual(a, render(want[0], "")) && fmt.Sprint(a) != "NaN" {
			t.Errorf("%s gives %T %v, want %T %v", expression, a, a, b, b)
		}
	}
}

// plain widens integers and writes what has no useful equality.
func plain(v any) any {
	switch x := v.(type) {
	case int8, int16, int32, int64, uint8, uint16, uint32:
		return fmt.Sprint(x)
	case float32:
		return float64(x)
	case *big.Int:
		return x.String()
	case duckdb.Decimal:
		return fmt.Sprint(x.Width, x.Scale, x.Value)
	case time.Time:
		return x.UTC().Format(time.RFC3339Nano)
	default:
		return v
	}
}

// TestRowsComeInOrder reads more rows than one batch has, from several connections at once.
func TestRowsComeInOrder(t *testing.T) {
	db := open(t, start(t, Options{}))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			rows, err := db.QueryContext(t.Context(), "SELECT range, repeat('x', 700) FROM range(10000)")
			if err != nil {
				t.Error(err)
				return
			}
			defer rows.Close()
			n := int64(0)
			for ; rows.Next(); n++ {
				var i int64
				var s string
				if err := rows.Scan(&i, &s); err != nil || i != n || len(s) != 700 {
					t.Errorf("row %d is %d, %d bytes, %v", n, i, len(s), err)
					return
				}
			}
			if rows.Err() != nil || n != 10000 {
				t.Errorf("%d rows, %v", n, rows.Err())
			}
		})
	}
	all.Wait()
}

// TestRowsMayBeLeft closes a result after its first row: the connection goes on.
func TestRowsMayBeLeft(t *testing.T) {
	db := open(t, start(t, Options{}))
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for range 3 {
		var n int
		if err := conn.QueryRowContext(t.Context(), "SELECT range FROM range(1000000)").Scan(&n); err != nil || n != 0 {
			t.Fatal(n, err)
		}
	}
}

func TestErrorsKeepTheirClass(t *testing.T) {
	db := open(t, start(t, Options{}))
	for statement, want := range map[string]duckdb.ErrorType{
		"SELEC 1":                     duckdb.ErrorTypeParser,
		"SELECT * FROM nowhere":       duckdb.ErrorTypeCatalog,
		"SELECT 'x'::INTEGER":         duckdb.ErrorTypeConversion,
		"SELECT error('in the rows')": duckdb.ErrorTypeInvalidInput,
	} {
		var v any
		err := db.QueryRowContext(t.Context(), statement).Scan(&v)
		var e *duckdb.Error
		if !errors.As(err, &e) || e.Type != want {
			t.Errorf("%s: %T %v, want type %v", statement, err, err, want)
		}
	}
	if _, err := db.ExecContext(t.Context(), "SELECT ?", 1); !errors.Is(err, errOnlyText) {
		t.Errorf("arguments: %v", err)
	}
}

func TestOperations(t *testing.T) {
	p := start(t, Options{})
	var told []string
	raw, err := p.Do(t.Context(), "double", 21, func(m json.RawMessage) { told = append(told, string(m)) })
	if err != nil || string(raw) != "42" || len(told) != 1 || told[0] != `"half"` {
		t.Errorf("%s %v, told %v", raw, err, told)
	}
	if _, err := p.Do(t.Context(), "nothing", nil, nil); err == nil {
		t.Error("an operation that is not there was done")
	}
}

// TestItGoesWhereItMay: a child writes in its folders and nowhere else, and sees no more of the environment than it needs.
func TestItGoesWhereItMay(t *testing.T) {
	t.Setenv("ASSAY_TEST_SECRET", "hunter2")
	mine, other := t.TempDir(), t.TempDir()
	free := start(t, Options{Writes: []string{mine}})
	if _, err := free.Do(t.Context(), "write", filepath.Join(mine, "a"), nil); err != nil {
		t.Errorf("in its folder: %v", err)
	}
	confined := confinable()
	if _, err := free.Do(t.Context(), "write", filepath.Join(other, "a"), nil); confined && err == nil {
		t.Error("it wrote in a folder that is not its own")
	}
	closed := start(t, Options{})
	if _, err := closed.Do(t.Context(), "write", filepath.Join(mine, "b"), nil); err == nil {
		t.Error("it wrote although it may write nowhere")
	}
	raw, err := closed.Do(t.Context(), "environment", nil, nil)
	if err != nil || strings.Contains(string(raw), "hunter2") {
		t.Errorf("environment %s, %v", raw, err)
	}
}

// TestHungCallIsKilled: a call that no interrupt reaches ends with its context, the process is gone, and what else ran in it
// is told why.
func TestHungCallIsKilled(t *testing.T) {
	p := start(t, Options{Grace: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	bystander := make(chan error)
	go func() {
		_, err := p.Do(t.Context(), "hang", nil, func(json.RawMessage) {})
		bystander <- err
	}()
	if _, err := p.Do(t.Context(), "double", 1, nil); err != nil { // both have begun
		t.Fatal(err)
	}
	cancel()
	if _, err := p.Do(ctx, "hang", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the hung call gives %v", err)
	}
	var gone *ErrStopped
	if err := <-bystander; !errors.As(err, &gone) || gone.Why != StoppedDeadline {
		t.Errorf("the bystander gets %v", err)
	}
	if _, err := p.Do(t.Context(), "double", 1, nil); !errors.As(err, &gone) || p.Alive() {
		t.Errorf("a call to a dead process gives %v", err)
	}
}

// TestMemoryIsLimited: a statement that takes too much fails, or takes its process along, and says that it was memory.
func TestMemoryIsLimited(t *testing.T) {
	p := start(t, Options{Memory: 512 << 20})
	db := open(t, p)
	for _, statement := range []string{"SELECT len(range(500000000))", "SELECT len(repeat('x', 2000000000))"} {
		if !p.Alive() {
			p = start(t, Options{Memory: 512 << 20})
			db = open(t, p)
		}
		var n int
		err := db.QueryRowContext(t.Context(), statement).Scan(&n)
		var gone *ErrStopped
		var e *duckdb.Error
		if !(errors.As(err, &gone) && gone.Why == StoppedMemory) && !(errors.As(err, &e) && e.Type == duckdb.ErrorTypeOutOfMemory) {
			t.Errorf("%s: %T %v", statement, err, err)
		}
	}
}

func TestResultIsLimited(t *testing.T) {
	db := open(t, start(t, Options{Output: 1 << 20}))
	for _, statement := range []string{
		"SELECT repeat('x', 1000) FROM range(10000)", "SELECT repeat('x', 50000000)",
	} {
		rows, err := db.QueryContext(t.Context(), statement)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		if !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestKilledFromOutside: whoever kills the process, every call ends.
func TestKilledFromOutside(t *testing.T) {
	p := start(t, Options{})
	result := make(chan error)
	go func() {
		_, err := p.Do(t.Context(), "hang", nil, nil)
		result <- err
	}()
	if _, err := p.Do(t.Context(), "double", 1, nil); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	var gone *ErrStopped
	if err := <-result; !errors.As(err, &gone) || gone.Why != StoppedItself {
		t.Errorf("the call gives %v", err)
	}
	<-p.Ended()
}

func TestWorkerStartsNoWorkers(t *testing.T) {
	t.Setenv(settingsVar, "{}")
	if _, err := Start(Options{Role: "test"}); err == nil {
		t.Error("a worker was started by a worker")
	}
}

// BenchmarkHop is what it takes to get 1,000 rows of eight columns through the pipe, above reading them here.
func BenchmarkHop(b *testing.B) {
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		b.Fatal(err)
	}
	here := sql.OpenDB(connector)
	defer here.Close()
	for name, db := range map[string]*sql.DB{"here": here, "there": open(b, start(b, Options{}))} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rows, err := db.Query("SELECT range, range::DOUBLE, range::DECIMAL(18,2), 'name ' || range, DATE '2024-01-01', true, TIMESTAMP '2024-01-01 10:00:00', NULL::INTEGER FROM range(1000)")
				if err != nil {
					b.Fatal(err)
				}
				cells, into := make([]any, 8), make([]any, 8)
				for i := range cells {
					into[i] = &cells[i]
				}
				for rows.Next() {
					if err := rows.Scan(into...); err != nil {
						b.Fatal(err)
					}
				}
				if rows.Err() != nil {
					b.Fatal(rows.Err())
				}
				rows.Close()
			}
		})
	}
}
