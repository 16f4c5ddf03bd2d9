package sqlgate_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/backend/compile/dialecttest"
	"assay/backend/sqlgate"
)

var servers = dialecttest.New()

func TestMain(m *testing.M) {
	code := m.Run()
	servers.Stop()
	os.Exit(code)
}

// everything is all statements of a dialect that there are here.
func everything(t testing.TB, d sqlgate.Dialect) (attacks, legit []statement) {
	of := func(all []statement) []statement {
		return slices.DeleteFunc(all, func(s statement) bool { return s.Dialect != d })
	}
	attacks = append(of(shared(t, "sqlgate_attacks.jsonl")), of(corpus(t, filepath.Join("testdata", "attacks.jsonl")))...)
	legit = append(of(shared(t, "sqlgate_legit.jsonl")), of(corpus(t, filepath.Join("testdata", "legit.jsonl")))...)
	return attacks, legit
}

// TestDuckDBIsNotChanged runs what the gate allows on an engine that is not locked in any way, over a file that may be written:
// every legitimate statement gives what the engine gives, and neither the file nor the catalogue is another one afterwards.
func TestDuckDBIsNotChanged(t *testing.T) {
	attacks, legit := everything(t, sqlgate.DuckDB)
	file := filepath.Join(t.TempDir(), "shop.duckdb")
	db := openFile(t, file)
	for _, sql := range strings.Split(duckdbShop, ";\n") {
		if _, err := db.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	db.Close()
	before := digestOf(t, file)
	db = openFile(t, file)
	for _, s := range attacks {
		if v := check(t, s); v.Allowed && !s.limited() {
			if _, err := answer(db, s.SQL); err != nil {
				t.Logf("%s: %v", s.SQL, err)
			}
		}
	}
	for _, s := range legit {
		v := check(t, s)
		if !v.Allowed {
			continue // another test says so
		}
		want, err := answer(db, s.SQL)
		if err != nil {
			t.Errorf("%s: %s\n\tdoes not run: %v", s.ID, s.SQL, err)
			continue
		}
		if v.Pivot != nil {
			if got, err := pivoted(t, db, s, v.Pivot); err != nil || got != want {
				t.Errorf("%s: %s\n\tin two steps gives\n%s\n\tand not\n%s\n\t%v", s.ID, s.SQL, got, want, err)
			}
		}
	}
	db.Close()
	if after := digestOf(t, file); after != before {
		t.Error("the database was changed")
	}
}

// TestTheEngineReadsNoOtherTables compares two answers that know nothing of each other: the tables that the engine's plan scans
// are among those that the gate found.
func TestTheEngineReadsNoOtherTables(t *testing.T) {
	_, legit := everything(t, sqlgate.DuckDB)
	db := openFile(t, filepath.Join(t.TempDir(), "shop.duckdb"))
	for _, sql := range strings.Split(duckdbShop, ";\n") {
		if _, err := db.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	scanned := regexp.MustCompile(`"Table": "shop\.main\.(\w+)"`)
	scans := 0
	for _, s := range legit {
		v := check(t, s)
		if !v.Allowed || v.Pivot != nil {
			continue
		}
		var kind, plan string
		if err := db.QueryRow("EXPLAIN (FORMAT json) "+s.SQL).Scan(&kind, &plan); err != nil {
			t.Errorf("%s: %v", s.SQL, err)
			continue
		}
		for _, m := range scanned.FindAllStringSubmatch(plan, -1) {
			scans++
			if !slices.Contains(v.Objects, m[1]) && !slices.Contains(v.Objects, "main."+m[1]) {
				t.Errorf("%s: the engine reads %s, and the gate found %v", s.SQL, m[1], v.Objects)
			}
		}
	}
	if scans < 100 {
		t.Errorf("only %d scans were seen", scans)
	}
}

// TestMutantsOfLegitimateStatementsChangeNothing runs mutants that are allowed; ASSAY_MUTANTS makes more of them.
func TestMutantsOfLegitimateStatementsChangeNothing(t *testing.T) {
	count := 200
	if n, err := strconv.Atoi(os.Getenv("ASSAY_MUTANTS")); err == nil {
		count = n / 20
	}
	file := filepath.Join(t.TempDir(), "shop.duckdb")
	db := openFile(t, file)
	for _, sql := range strings.Split(duckdbShop, ";\n") {
		if _, err := db.Exec(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	db.Close()
	before := digestOf(t, file)
	db = openFile(t, file)
	seeds := seedsOf(t, "legit", sqlgate.DuckDB)
	m := mutator{rand.New(rand.NewPCG(5, 6)), sqlgate.DuckDB}
	ran := 0
	for i := range count {
		sql := m.mutate(seeds[i%len(seeds)])
		if v := check(t, statement{Dialect: sqlgate.DuckDB, SQL: sql}); v.Allowed && v.Pivot == nil {
			if _, err := answer(db, sql); err == nil {
				ran++
			}
		}
	}
	db.Close()
	if after := digestOf(t, file); after != before {
		t.Error("the database was changed")
	}
	if t.Logf("%d of %d mutants ran", ran, count); ran < count/2 {
		t.Errorf("only %d of %d mutants ran", ran, count)
	}
}

// pivoted runs a PIVOT as its two steps, each of them judged.
func pivoted(t *testing.T, db *sql.DB, s statement, p *sqlgate.Pivot) (string, error) {
	var values [][]string
	for _, ask := range p.Values {
		if v := check(t, statement{Dialect: s.Dialect, SQL: ask}); !v.Allowed || v.Pivot != nil {
			return "", fmt.Errorf("%s is refused: %s", ask, v.Reason)
		}
		rows, err := answer(db, ask)
		if err != nil {
			return "", err
		}
		lines := strings.Split(strings.TrimSpace(rows), "\n")
		values = append(values, lines[1:])
	}
	full, err := p.Statement(values)
	if err != nil {
		return "", err
	}
	if v := check(t, statement{Dialect: s.Dialect, SQL: full}); !v.Allowed || v.Pivot != nil {
		return "", fmt.Errorf("%s is refused: %s", full, v.Reason)
	}
	return answer(db, full)
}

func openFile(t testing.TB, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", file+"?threads=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func digestOf(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(raw))
}

// answer gives the names and rows of a statement as lines, in the order of their text.
func answer(db *sql.DB, statement string) (string, error) {
	rows, err := db.Query(statement)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var lines []string
	for rows.Next() && len(lines) < 10_000 {
		cells := make([]any, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		line := make([]string, len(cells))
		for i, c := range cells {
			line[i] = fmt.Sprint(c)
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	slices.Sort(lines)
	return strings.Join(append([]string{strings.Join(names, "|")}, lines...), "\n"), rows.Err()
}

// TestServersAreNotChanged runs what the gate allows on a real PostgreSQL and a real MariaDB as somebody who may do everything.
// What one of them does not know (a grammar is newer than the server) it refuses by itself.
func TestServersAreNotChanged(t *testing.T) {
	for _, c := range []struct {
		dialect sqlgate.Dialect
		engine  dialecttest.Engine
		shop    string
		lacks   []string // what an error may say: that the server is older than the statement, or another one
	}{
		{sqlgate.Postgres, dialecttest.Postgres, postgresShop, nil},
		{sqlgate.MySQL, dialecttest.MySQL, mariadbShop, []string{"Error 1064", "Error 1305", "Error 1630", "Error 1054", "Error 1176"}},
		{sqlgate.MariaDB, dialecttest.MySQL, mariadbShop, []string{"Error 1064", "Error 1305", "Error 1630", "Error 1054", "Error 1176"}},
	} {
		t.Run(string(c.dialect), func(t *testing.T) {
			read := c.dialect
			if read == sqlgate.MariaDB {
				read = sqlgate.MySQL
			}
			attacks, legit := everything(t, read)
			db := servers.Open(t, c.engine)
			for _, sql := range strings.Split(c.shop, ";\n") {
				if err := db.Exec(sql); err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
			}
			before := stateOf(t, db, c.dialect)
			for _, s := range attacks {
				s.Dialect = c.dialect
				if v := check(t, s); v.Allowed && !s.limited() {
					t.Errorf("%s is allowed", s.SQL)
					db.Query(s.SQL) //nolint:errcheck // what it did is compared
				}
			}
			ran := 0
			for _, s := range legit {
				s.Dialect = c.dialect
				v := check(t, s)
				if !v.Allowed {
					t.Errorf("%s is refused: %s", s.SQL, v.Rule)
					continue
				}
				_, _, err := db.Query(strings.ReplaceAll(s.SQL, "shop.", ""))
				switch {
				case err == nil:
					ran++
				case slices.ContainsFunc(c.lacks, func(said string) bool { return strings.Contains(err.Error(), said) }):
					t.Logf("%s: %v", s.SQL, err)
				default:
					t.Errorf("%s: %s\n\tdoes not run: %v", s.ID, s.SQL, err)
				}
			}
			t.Logf("%d of %d legitimate statements ran", ran, len(legit))
			if after := stateOf(t, db, c.dialect); after != before {
				t.Errorf("the database was changed from\n%s\nto\n%s", before, after)
			}
		})
	}
}

// stateOf is the catalogue of a server and the rows of every table.
func stateOf(t testing.TB, db dialecttest.Database, d sqlgate.Dialect) string {
	t.Helper()
	home := "DATABASE()"
	if d == sqlgate.Postgres {
		home = "'public'"
	}
	var state strings.Builder
	for _, ask := range []string{
		"SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = " + home + " ORDER BY 1, 2",
		"SELECT count(*) FROM information_schema.tables", "SELECT count(*) FROM information_schema.routines",
		"SELECT * FROM orders ORDER BY 1", "SELECT * FROM customers ORDER BY 1", "SELECT * FROM products ORDER BY 1", "SELECT * FROM employees ORDER BY 1",
	} {
		_, rows, err := db.Query(ask)
		if err != nil {
			t.Fatalf("%s: %v", ask, err)
		}
		fmt.Fprintln(&state, rows)
	}
	return state.String()
}

//nolint:dupword // rows
const duckdbShop = `CREATE TABLE orders(order_id INT, customer_id INT, product_id INT, region VARCHAR, status VARCHAR, amount DOUBLE, quantity INT, order_date DATE, created_at TIMESTAMP, "update" VARCHAR, "delete" BOOLEAN, notes VARCHAR, tags VARCHAR[], meta STRUCT(channel VARCHAR));
CREATE TABLE customers(customer_id INT, name VARCHAR, email VARCHAR, city VARCHAR, country VARCHAR, signup_date DATE, update_count INT, deleted_at TIMESTAMP, created_at TIMESTAMP);
CREATE TABLE products(product_id INT, name VARCHAR, category VARCHAR, price DOUBLE);
CREATE TABLE events(event_id INT, user_id INT, ts TIMESTAMP, event_type VARCHAR, payload JSON);
CREATE TABLE trades(symbol VARCHAR, ts TIMESTAMP, price DOUBLE);
CREATE TABLE quotes(symbol VARCHAR, ts TIMESTAMP, bid DOUBLE);
CREATE TABLE employees(id INT, manager_id INT, name VARCHAR);
CREATE TABLE monthly_sales(empid INT, dept VARCHAR, jan INT, feb INT, mar INT);
CREATE SEQUENCE order_seq;
CREATE SCHEMA hr;
CREATE TABLE hr.salary(id INT, amt INT);
CREATE VIEW v_all_salaries AS SELECT * FROM hr.salary;
INSERT INTO orders VALUES (1, 1, 1, 'N', 'paid', 10, 1, '2024-01-05', '2024-01-05 10:00:00', 'u', false, NULL, ['a', 'b'], {'channel': 'web'}), (2, 2, 1, 'S', 'open', 20.5, 2, '2024-02-05', '2024-02-05 11:30:00', 'u', true, 'note', ['c'], {'channel': 'shop'}), (3, 1, 2, 'S', 'paid', 30, 3, '2025-02-06', '2025-02-06 12:00:00', NULL, false, 'x', [], NULL), (4, 3, 2, NULL, 'it''s', 5, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO customers VALUES (1, 'Ann', 'ann@example.com', 'Berlin', 'N', '2023-01-01', 1, NULL, '2023-01-01'), (2, 'Bob', 'bob@example.com', 'Paris', 'S', '2023-06-01', 0, NULL, '2023-06-01');
INSERT INTO products VALUES (1, 'Pen', 'office', 2.5), (2, 'Ink', 'office', 12);
INSERT INTO events VALUES (1, 1, '2024-01-05 10:00:00', 'click', '{"page": "a", "items": [{"qty": 2}], "a": {"b": "c"}}');
INSERT INTO trades VALUES ('X', '2024-01-05 10:00:00', 5);
INSERT INTO quotes VALUES ('X', '2024-01-05 09:59:00', 4);
INSERT INTO employees VALUES (1, NULL, 'Root'), (2, 1, 'Leaf');
INSERT INTO monthly_sales VALUES (1, 'a', 1, 2, 3), (2, 'b', 4, 5, 6);
INSERT INTO hr.salary VALUES (1, 100)`

const postgresShop = `CREATE TABLE orders(order_id int, customer_id int, product_id int, region text, status text, amount float8, quantity int, order_date date, created_at timestamp, "update" text, "delete" boolean, notes text, tags text[]);
CREATE TABLE customers(customer_id int, name text, email text, city text, country text, signup_date date, update_count int, deleted_at timestamp, created_at timestamp);
CREATE TABLE products(product_id int, name text, category text, price float8);
CREATE TABLE events(event_id int, user_id int, ts timestamp, event_type text, payload jsonb);
CREATE TABLE trades(symbol text, ts timestamp, price float8);
CREATE TABLE quotes(symbol text, ts timestamp, bid float8);
CREATE TABLE employees(id int, manager_id int, name text);
CREATE TABLE monthly_sales(empid int, dept text, jan int, feb int, mar int);
CREATE SEQUENCE order_seq;
CREATE SCHEMA hr;
CREATE TABLE hr.salary(id int, amt int);
CREATE VIEW v_all_salaries AS SELECT * FROM hr.salary;
INSERT INTO orders VALUES (1, 1, 1, 'N', 'paid', 10, 1, '2024-01-05', '2024-01-05 10:00:00', 'u', false, NULL, ARRAY['a', 'b']), (2, 2, 1, 'S', 'open', 20.5, 2, '2024-02-05', '2024-02-05 11:30:00', 'u', true, 'note', ARRAY['c']);
INSERT INTO customers VALUES (1, 'Ann', 'ann@example.com', 'Berlin', 'N', '2023-01-01', 1, NULL, '2023-01-01'), (2, 'Bob', 'bob@example.com', 'Paris', 'S', '2023-06-01', 0, NULL, '2023-06-01');
INSERT INTO products VALUES (1, 'Pen', 'office', 2.5), (2, 'Ink', 'office', 12);
INSERT INTO events VALUES (1, 1, '2024-01-05 10:00:00', 'click', '{"page": "a", "items": [{"qty": 2}], "a": [1]}');
INSERT INTO employees VALUES (1, NULL, 'Root'), (2, 1, 'Leaf');
INSERT INTO hr.salary VALUES (1, 100)`

const mariadbShop = "CREATE TABLE orders(order_id INT PRIMARY KEY, customer_id INT, product_id INT, region VARCHAR(20), status VARCHAR(20), amount DOUBLE, quantity INT, order_date DATE, created_at DATETIME, `update` VARCHAR(20), `delete` BOOLEAN, notes TEXT, KEY idx (region));\n" +
	`CREATE TABLE customers(customer_id INT PRIMARY KEY, name VARCHAR(20), email VARCHAR(40), city VARCHAR(20), country VARCHAR(20), signup_date DATE, update_count INT, deleted_at DATETIME, created_at DATETIME);
CREATE TABLE products(product_id INT, name VARCHAR(20), category VARCHAR(20), price DOUBLE);
CREATE TABLE events(event_id INT, user_id INT, ts DATETIME, event_type VARCHAR(20), payload JSON);
CREATE TABLE trades(symbol VARCHAR(20), ts DATETIME, price DOUBLE);
CREATE TABLE quotes(symbol VARCHAR(20), ts DATETIME, bid DOUBLE);
CREATE TABLE employees(id INT, manager_id INT, name VARCHAR(20));
CREATE TABLE monthly_sales(empid INT, dept VARCHAR(20), jan INT, feb INT, mar INT);
CREATE SEQUENCE order_seq;
INSERT INTO orders VALUES (1, 1, 1, 'N', 'paid', 10, 1, '2024-01-05', '2024-01-05 10:00:00', 'u', false, NULL), (2, 2, 1, 'S', 'open', 20.5, 2, '2024-02-05', '2024-02-05 11:30:00', 'u', true, 'note');
INSERT INTO customers VALUES (1, 'Ann', 'ann@example.com', 'Berlin', 'N', '2023-01-01', 1, NULL, '2023-01-01'), (2, 'Bob', 'bob@example.com', 'Paris', 'S', '2023-06-01', 0, NULL, '2023-06-01');
INSERT INTO products VALUES (1, 'Pen', 'office', 2.5), (2, 'Ink', 'office', 12);
INSERT INTO events VALUES (1, 1, '2024-01-05 10:00:00', 'click', '{"page": "a", "items": [{"qty": 2}], "a": [1]}');
INSERT INTO employees VALUES (1, NULL, 'Root'), (2, 1, 'Leaf')`

// TestListsKnowThePostgresThatIsInstalled fails when a server has a function or an operator of its own that no list knows.
func TestListsKnowThePostgresThatIsInstalled(t *testing.T) {
	db := servers.Open(t, dialecttest.Postgres)
	known := listed(t, "postgres")
	for _, ask := range []string{
		"SELECT DISTINCT proname::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace",
		"SELECT DISTINCT oprname::text FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace",
	} {
		_, rows, err := db.Query(ask)
		if err != nil || len(rows) < 50 {
			t.Fatal(len(rows), err)
		}
		for _, row := range rows {
			if name := strings.ToLower(fmt.Sprint(row[0])); !known[name] {
				t.Errorf("%s is on no list of lists/postgres.txt", name)
			}
		}
	}
	// What is allowed does nothing: but for these two, each of the allowed functions is stable.
	_, rows, err := db.Query("SELECT DISTINCT proname::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 'v'")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		name := fmt.Sprint(row[0])
		if v := check(t, statement{Dialect: sqlgate.Postgres, SQL: "SELECT " + name + "()"}); v.Allowed && name != "random" && name != "clock_timestamp" {
			t.Errorf("%s is volatile and allowed", name)
		}
	}
}

// listed gives all names of a list.
func listed(t *testing.T, dialect string) map[string]bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("lists", dialect+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, line := range strings.Split(string(raw), "\n") {
		if !strings.HasPrefix(line, "# ") && !(strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")) {
			for _, name := range strings.Fields(line) {
				names[name] = true
			}
		}
	}
	return names
}
