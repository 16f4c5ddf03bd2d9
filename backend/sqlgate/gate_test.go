package sqlgate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/sqlgate"
)

// TestOtherDialectsParsersAreNotUsed holds the three statements that a parser of MySQL takes for one harmless SELECT, and of which the
// engine that they are for really drops the table.
func TestOtherDialectsParsersAreNotUsed(t *testing.T) {
	for _, s := range []statement{
		{Dialect: sqlgate.DuckDB, SQL: "SELECT 1 // 1; DROP TABLE t"},
		{Dialect: sqlgate.Postgres, SQL: "SELECT 1 # 1; DROP TABLE t"},
		{Dialect: sqlgate.DuckDB, SQL: `SELECT '\'; DROP TABLE t; --'`},
		{Dialect: sqlgate.Postgres, SQL: `SELECT '\'; DROP TABLE t; --'`},
	} {
		v := check(t, s)
		if v.Allowed || v.Rule != "statement.write" || v.SQLType != "MULTIPLE" || v.Reason != "Write operations are not supported." {
			t.Errorf("%s: %+v", s.SQL, v)
		}
	}
	// Read as MySQL, what follows is a comment or a part of the text; the last one depends on sql_mode and does not pass.
	for sql, want := range map[string]bool{"SELECT 1 # 1; DROP TABLE t": true, "SELECT 1 // 1; DROP TABLE t": false, `SELECT '\'; DROP TABLE t; -- '`: false, `SELECT 'a\'b; DROP TABLE t' AS s`: true} {
		if v := check(t, statement{Dialect: sqlgate.MySQL, SQL: sql}); v.Allowed != want {
			t.Errorf("%s: %+v", sql, v)
		}
	}
}

// TestVerdicts looks at all that a verdict says.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		dialect sqlgate.Dialect
		sql     string
		want    sqlgate.Verdict
	}{
		{sqlgate.DuckDB, "WITH o AS (SELECT region, sum(amount) AS s FROM ORDERS GROUP BY 1) SELECT *, rank() OVER (ORDER BY s) FROM o JOIN main.customers c ON c.country = o.region WHERE s > (SELECT avg(price) FROM products)", sqlgate.Verdict{
			Allowed: true, SQLType: "WITH...SELECT", Objects: []string{"main.customers", "orders", "products"}, Schemas: []string{"main"}, Functions: []string{"avg", "rank", "sum"},
			Shape: sqlgate.Shape{Joins: 1, CTEs: 1, Windows: 1, Subqueries: 1, Aggregates: 2},
		}},
		{sqlgate.Postgres, "WITH o AS (SELECT region, sum(amount) AS s FROM ORDERS GROUP BY 1) SELECT *, rank() OVER (ORDER BY s) FROM o JOIN public.customers c ON c.country = o.region WHERE s > (SELECT avg(price) FROM products)", sqlgate.Verdict{
			Allowed: true, SQLType: "WITH...SELECT", Objects: []string{"orders", "products", "public.customers"}, Schemas: []string{"public"}, Functions: []string{"avg", "rank", "sum"},
			Shape: sqlgate.Shape{Joins: 1, CTEs: 1, Windows: 1, Subqueries: 1, Aggregates: 2},
		}},
		{sqlgate.MySQL, "WITH o AS (SELECT region, SUM(amount) AS s FROM orders GROUP BY 1) SELECT *, RANK() OVER (ORDER BY s) FROM o JOIN shop.customers c ON c.country = o.region WHERE s > (SELECT AVG(price) FROM products)", sqlgate.Verdict{
			Allowed: true, SQLType: "WITH...SELECT", Objects: []string{"orders", "products", "shop.customers"}, Schemas: []string{"shop"}, Functions: []string{"avg", "rank", "sum"},
			Shape: sqlgate.Shape{Joins: 1, CTEs: 1, Windows: 1, Subqueries: 1, Aggregates: 2},
		}},
		{sqlgate.ClickHouse, "WITH o AS (SELECT region, sum(amount) AS s FROM orders GROUP BY 1) SELECT *, rank() OVER (ORDER BY s) FROM o JOIN shop.customers c ON c.country = o.region WHERE s > (SELECT avg(price) FROM products)", sqlgate.Verdict{
			Allowed: true, SQLType: "WITH...SELECT", Objects: []string{"orders", "products", "shop.customers"}, Schemas: []string{"shop"}, Functions: []string{"avg", "rank", "sum"},
			Shape: sqlgate.Shape{Joins: 1, CTEs: 1, Windows: 1, Subqueries: 1, Aggregates: 2},
		}},
		{sqlgate.DuckDB, "SELECT * FROM orders, hr.salary, customers", sqlgate.Verdict{
			SQLType: "SELECT", Rule: "table.unavailable", Reason: "The statement reads a table that is not available to you.", Objects: []string{"customers", "orders"}, Schemas: []string{"main"}, Functions: []string{}, Shape: sqlgate.Shape{Joins: 2},
		}},
		{sqlgate.Postgres, "WITH d AS (DELETE FROM orders RETURNING 1) SELECT 1", sqlgate.Verdict{
			SQLType: "DELETE", Rule: "statement.write", Reason: "Write operations are not supported.", Objects: []string{}, Schemas: []string{}, Functions: []string{}, Shape: sqlgate.Shape{CTEs: 1},
		}},
	} {
		got := check(t, statement{Dialect: c.dialect, SQL: c.sql})
		if !same(got, c.want) {
			t.Errorf("%s: %s\ngot  %+v\nwant %+v", c.dialect, c.sql, got, c.want)
		}
	}
}

func same(a, b sqlgate.Verdict) bool {
	return a.Allowed == b.Allowed && a.SQLType == b.SQLType && a.Rule == b.Rule && a.Reason == b.Reason && a.Shape == b.Shape &&
		slices.Equal(a.Objects, b.Objects) && slices.Equal(a.Schemas, b.Schemas) && slices.Equal(a.Functions, b.Functions)
}

// TestWritesSayTheSameSentence: whatever the write is hidden in.
func TestWritesSayTheSameSentence(t *testing.T) {
	for _, c := range []struct {
		sql  string
		but  []sqlgate.Dialect // where something else is wrong with it first
		kind string
	}{
		{"INSERT INTO orders VALUES (1)", nil, "INSERT"},
		{"/* SELECT */ update orders SET amount = 0", nil, "UPDATE"},
		{"DELETE FROM orders", nil, "DELETE"},
		{"DROP TABLE orders", nil, "DROP"},
		{"CREATE TABLE x AS SELECT 1", nil, "CREATE"},
		{"TRUNCATE TABLE orders", nil, "TRUNCATE"},
		{"ALTER TABLE orders ADD COLUMN x INT", nil, "ALTER"},
		{"SET x = 1", nil, "SET"},
		{"BEGIN", nil, "BEGIN"},
		{"SELECT 1; DROP TABLE orders", nil, "MULTIPLE"},
		{"WITH x AS (DELETE FROM orders) SELECT 1", nil, ""},
		{"WITH x AS (SELECT 1) DELETE FROM orders", []sqlgate.Dialect{sqlgate.ClickHouse}, "DELETE"},
		{"EXPLAIN DELETE FROM orders", nil, "EXPLAIN"},
	} {
		for _, d := range sqlgate.Dialects() {
			v := check(t, statement{Dialect: d, SQL: c.sql})
			if v.Allowed || !slices.Contains(c.but, d) && v.Reason != "Write operations are not supported." || c.kind != "" && v.SQLType != c.kind {
				t.Errorf("%s: %s: %+v", d, c.sql, v)
			}
		}
	}
}

// TestPolicies: which tables a policy lets through, by dialect.
func TestPolicies(t *testing.T) {
	type policy = sqlgate.Policy
	for _, c := range []struct {
		dialect sqlgate.Dialect
		from    string
		policy  policy
		want    bool
	}{
		{sqlgate.DuckDB, "t", policy{}, true},
		{sqlgate.DuckDB, "s.t", policy{}, true},
		{sqlgate.DuckDB, "c.s.t", policy{}, false}, // another catalogue is named, or it is not
		{sqlgate.DuckDB, "c.s.t", policy{Tables: []string{"c.s.t"}}, true},
		{sqlgate.DuckDB, "sqlite_master", policy{}, false},
		{sqlgate.DuckDB, "main.duckdb_tables", policy{}, false},
		{sqlgate.DuckDB, "information_schema.tables", policy{Schemas: []string{"information_schema"}}, false},
		{sqlgate.DuckDB, "t", policy{Tables: []string{}}, false},
		{sqlgate.DuckDB, "t", policy{Schemas: []string{}}, false},
		{sqlgate.DuckDB, "T", policy{Tables: []string{"t"}}, true},
		{sqlgate.DuckDB, `"T"`, policy{Tables: []string{"t"}}, true},
		{sqlgate.DuckDB, "\"\u212a\"", policy{Tables: []string{"k"}}, false}, // the sign of Kelvin
		{sqlgate.DuckDB, "main.t", policy{Tables: []string{"T"}}, true},
		{sqlgate.DuckDB, "hr.t", policy{Tables: []string{"t"}}, false},
		{sqlgate.DuckDB, "hr.t", policy{Tables: []string{"hr.t"}}, true},
		{sqlgate.DuckDB, "t", policy{Tables: []string{"hr.t"}}, false},
		{sqlgate.DuckDB, "t", policy{Tables: []string{"main.t"}}, true},
		{sqlgate.DuckDB, "t", policy{Schemas: []string{"hr"}}, false}, // an unqualified name is of main
		{sqlgate.DuckDB, "hr.t", policy{Schemas: []string{"HR"}}, true},
		{sqlgate.DuckDB, "hr.t", policy{Schemas: []string{"hr"}, Tables: []string{"u"}}, false},
		{sqlgate.DuckDB, "hr.t", policy{Schemas: []string{"main", "hr"}, Tables: []string{"t"}}, true},
		{sqlgate.DuckDB, `"a.csv"`, policy{}, false},
		{sqlgate.DuckDB, `"a.csv"`, policy{Tables: []string{"a.csv"}}, true},
		{sqlgate.Postgres, "T", policy{Tables: []string{"t"}}, true},
		{sqlgate.Postgres, `"T"`, policy{Tables: []string{"t"}}, false},
		{sqlgate.Postgres, "t", policy{Schemas: []string{"hr"}}, false},
		{sqlgate.Postgres, "db.public.t", policy{Tables: []string{"db.public.t"}}, false},
		{sqlgate.Postgres, "pg_class", policy{}, false},
		{sqlgate.Postgres, "pg_temp.t", policy{}, false},
		{sqlgate.MySQL, "t", policy{Schemas: []string{"shop"}}, true}, // of the connection's database
		{sqlgate.MySQL, "shop.t", policy{Schemas: []string{"shop"}, Tables: []string{"t"}}, true},
		{sqlgate.MySQL, "hr.t", policy{Schemas: []string{"shop"}}, false},
		{sqlgate.MySQL, "hr.t", policy{Tables: []string{"t"}}, false},
		{sqlgate.MySQL, "mysql.user", policy{}, false},
		{sqlgate.MariaDB, "MySQL.user", policy{Schemas: []string{"mysql"}}, false},
		{sqlgate.ClickHouse, "system.one", policy{}, false},
		{sqlgate.ClickHouse, "t", policy{Tables: []string{"t"}}, true},
		{sqlgate.ClickHouse, "`t`", policy{Tables: []string{"u"}}, false},
	} {
		v, err := gate().Check(t.Context(), c.dialect, "SELECT * FROM "+c.from, c.policy)
		if err != nil || v.Allowed != c.want {
			t.Errorf("%s: %s under %+v: %+v %v", c.dialect, c.from, c.policy, v, err)
		}
		if v.Allowed && len(v.Objects) != 1 {
			t.Errorf("%s: %s: objects %v", c.dialect, c.from, v.Objects)
		}
	}
}

// TestTextsThatNobodyCanRead never reach a parser.
func TestTextsThatNobodyCanRead(t *testing.T) {
	for _, d := range sqlgate.Dialects() {
		for name, sql := range map[string]string{
			"no UTF-8": "SELECT '\xff'", "half a surrogate": "SELECT '\xed\xa0\x80'", "NUL": "SELECT 1\x00; DROP TABLE x", "bell": "SELECT '\a'", "escape": "SELECT '\x1b[2J'", "delete": "SELECT '\x7f'",
			"turned around": "SELECT '\u202e'", "isolated": "SELECT 1 \u2066", "of no width": "SELECT\u200b1", "a byte order mark": "\ufeffSELECT 1", "a line separator": "SELECT 1 --\u2028; DROP TABLE x",
			"next line": "SELECT 1 --\u0085; DROP TABLE x", "a vertical tab": "SELECT\v1",
		} {
			v, err := gate().Check(t.Context(), d, sql, sqlgate.Policy{})
			if err != nil || v.Allowed || v.Rule != "text.encoding" {
				t.Errorf("%s: %s: %+v %v", d, name, v, err)
			}
		}
		if v, err := gate().Check(t.Context(), d, "SELECT 'Zoë, 東京, 👩\u200d🔬'", sqlgate.Policy{}); err != nil || !v.Allowed {
			t.Errorf("%s: a text of other scripts: %+v %v", d, v, err)
		}
	}
}

// TestRecursionsThatNothingEnds: without a condition, and without a LIMIT that may stop it, a recursion is refused.
func TestRecursionsThatNothingEnds(t *testing.T) {
	for sql, want := range map[string]bool{
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r":                                                       false,
		"SELECT (WITH RECURSIVE R AS (SELECT 1 AS n UNION ALL SELECT max(n) FROM r) SELECT count(*) FROM r)":                                           false,
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 3":                                                      true,
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT count(*) FROM r":                                           true,
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n % 3 FROM r) SELECT count(*) FROM r":                                                           true,
		"WITH RECURSIVE r(n) AS (SELECT id FROM employees UNION ALL SELECT e.id FROM r JOIN employees e ON r.n = e.manager_id) SELECT count(*) FROM r": true,
	} {
		if v := check(t, statement{Dialect: sqlgate.DuckDB, SQL: sql}); v.Allowed != want || !want && v.Rule != "recursion.endless" {
			t.Errorf("%s: %+v", sql, v)
		}
	}
}

// bombs are what would exhaust a recursive parser.
func bombs() map[string]string {
	deep := strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000)
	return map[string]string{
		"parentheses":  "SELECT " + deep,
		"open":         "SELECT " + strings.Repeat("(", 30_000),
		"brackets":     "SELECT " + strings.Repeat("[", 30_000),
		"subqueries":   strings.Repeat("SELECT (", 5_000) + "SELECT 1" + strings.Repeat(")", 5_000),
		"from":         strings.Repeat("SELECT * FROM (", 3_000) + "SELECT 1" + strings.Repeat(") t", 3_000),
		"unions":       "SELECT 1" + strings.Repeat(" UNION SELECT 1", 4_000),
		"arms":         "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 3_000),
		"a list":       "SELECT 1 IN (1" + strings.Repeat(",1", 500_000) + ")",
		"a short list": "SELECT 1 IN (1" + strings.Repeat(",1", 30_000) + ")",
		"cases":        "SELECT " + strings.Repeat("CASE WHEN 1 = 1 THEN ", 2_500) + "1" + strings.Repeat(" END", 2_500),
		"sum":          "SELECT 1" + strings.Repeat("+1", 30_000),
		"signs":        "SELECT " + strings.Repeat("- ", 30_000) + "1",
		"not":          "SELECT " + strings.Repeat("NOT ", 15_000) + "true",
		"and":          "SELECT true" + strings.Repeat(" AND true", 7_000),
		"joins":        "SELECT 1 FROM t" + strings.Repeat(" JOIN t", 9_000),
		"casts":        "SELECT 1" + strings.Repeat("::INT", 12_000),
		"indexes":      "SELECT a" + strings.Repeat("[1]", 20_000),
		"members":      "SELECT a" + strings.Repeat(".a", 30_000),
		"with":         strings.Repeat("WITH a AS (", 5_000) + "SELECT 1" + strings.Repeat(") SELECT 1", 5_000),
		"comments":     "SELECT " + strings.Repeat("/*", 30_000) + strings.Repeat("*/", 1_000) + " 1",
		"lambdas":      "SELECT " + strings.Repeat("x -> ", 10_000) + "1",
		"columns":      "SELECT " + strings.Repeat("a,", 32_000) + "a",
		"collations":   "SELECT a" + strings.Repeat(" COLLATE x", 6_000),
		"null":         "SELECT 1" + strings.Repeat(" IS NULL", 8_000),
	}
}

// TestBombsAreRefused: by size and not by a crash. How fast stands in BenchmarkBombs.
func TestBombsAreRefused(t *testing.T) {
	for _, d := range sqlgate.Dialects() {
		for name, sql := range bombs() {
			v, err := gate().Check(t.Context(), d, sql, sqlgate.Policy{})
			if err != nil || v.Allowed {
				t.Errorf("%s: %s: %+v %v", d, name, v, err)
			}
			if len(sql) > sqlgate.MaxBytes { // the same for a caller whose statements may be long
				if v, err = gate().Check(t.Context(), d, sql, sqlgate.Policy{MaxBytes: 8 << 20}); err != nil || v.Allowed {
					t.Errorf("%s: %s, long: %+v %v", d, name, v, err)
				}
			}
		}
	}
}

// TestTheMachineFails: what is wrong with the parser is an error, and no verdict.
func TestTheMachineFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		parse sqlgate.ParseDuckDB
		want  fault.Code
	}{
		"no parser": {t.Context(), nil, fault.Internal},
		"it fails":  {t.Context(), func(context.Context, string) (string, error) { return "", errors.New("gone") }, fault.Internal},
		"it says so": {t.Context(), func(context.Context, string) (string, error) {
			return "", fault.New(fault.Unavailable, "", "Gone.", "")
		}, fault.Unavailable},
		"no JSON":       {t.Context(), func(context.Context, string) (string, error) { return "{]", nil }, fault.Internal},
		"it is stopped": {ctx, func(context.Context, string) (string, error) { return "", nil }, fault.Canceled},
	} {
		v, err := sqlgate.New(c.parse).Check(c.ctx, sqlgate.DuckDB, "SELECT 1", sqlgate.Policy{})
		if fault.CodeOf(err) != c.want || v.Allowed {
			t.Errorf("%s: %+v %v", name, v, err)
		}
	}
	if v, err := sqlgate.New(nil).Check(t.Context(), "oracle", "SELECT 1", sqlgate.Policy{}); err != nil || v.Rule != "dialect.unknown" {
		t.Errorf("an unknown dialect: %+v %v", v, err)
	}
}

// TestTreesOfAnotherEngine: a kind of node, a field or a class that this engine does not have is refused.
func TestTreesOfAnotherEngine(t *testing.T) {
	const query = `{"type":"SELECT_NODE","modifiers":[],"cte_map":{"map":[]},"select_list":[{"class":"CONSTANT","type":"VALUE_CONSTANT","alias":"","query_location":7,"value":{"type":{"id":"INTEGER","type_info":null},"is_null":false,"value":1}}],"from_table":{"type":"EMPTY","alias":"","sample":null,"query_location":0},"where_clause":null,"group_expressions":[],"group_sets":[],"aggregate_handling":"STANDARD_HANDLING","having":null,"sample":null,"qualify":null}`
	tree := func(query string) sqlgate.ParseDuckDB {
		return func(context.Context, string) (string, error) {
			return `{"error":false,"statements":[{"node":` + query + `,"named_param_map":[]}]}`, nil
		}
	}
	if v, err := sqlgate.New(tree(query)).Check(t.Context(), sqlgate.DuckDB, "SELECT 1", sqlgate.Policy{}); err != nil || !v.Allowed {
		t.Fatalf("%+v %v", v, err)
	}
	for _, change := range [][2]string{
		{"SELECT_NODE", "INSERT_NODE"},
		{`"qualify":null`, `"qualify":null,"returning":[]`},
		{`"class":"CONSTANT"`, `"class":"MERGE"`},
		{`"type":"EMPTY"`, `"type":"SHOW_REF"`},
		{`"type":"EMPTY"`, `"type":"DELETE_REF"`},
		{`"modifiers":[]`, `"modifiers":[{"type":"INTO_MODIFIER"}]`},
		{`"id":"INTEGER"`, `"id":"POINTER"`},
		{`"value":1}`, `"value":1,"more":{}}`},
		{`"cte_map":{"map":[]}`, `"cte_map":{"map":[{"key":"x","value":{"aliases":[],"materialized":"","key_targets":[],"query":{"node":{"type":"DELETE_NODE"},"named_param_map":[]}}}]}`},
	} {
		changed := strings.Replace(query, change[0], change[1], 1)
		if changed == query {
			t.Fatalf("%s is not there", change[0])
		}
		if v, err := sqlgate.New(tree(changed)).Check(t.Context(), sqlgate.DuckDB, "SELECT 1", sqlgate.Policy{}); err != nil || v.Allowed {
			t.Errorf("%s: %+v %v", change[1], v, err)
		}
	}
}
