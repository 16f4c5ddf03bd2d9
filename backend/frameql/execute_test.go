//go:build cgo

package frameql_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"assay/backend/compile"
	. "assay/backend/frameql"
	"assay/backend/semantic"
)

func openShop(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "?"+compile.DuckDBConfig)
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

// readsUntyped says whether a statement reads a column without a type, of which nobody knows what it can do.
func readsUntyped(statement string, m *semantic.Model) bool {
	for _, e := range m.Entities {
		for _, d := range e.Dimensions {
			if d.Type == "" && d.Physical() != "" && strings.Contains(statement, "."+d.Physical()) {
				return true
			}
		}
	}
	return false
}

// openTables is openShop with empty tables for what a model names and the shop does not have.
func openTables(t *testing.T, m *semantic.Model) *sql.DB {
	t.Helper()
	db := openShop(t)
	types := map[semantic.Type]string{
		semantic.Integer: "BIGINT", semantic.Decimal: "DECIMAL(18,2)", semantic.Float: "DOUBLE", semantic.Boolean: "BOOLEAN",
		semantic.Date: "DATE", semantic.Timestamp: "TIMESTAMP", "": "BIGINT",
	}
	for _, e := range m.Entities {
		var names, columns []string
		for _, d := range e.Dimensions {
			if d.Physical() == "" || slices.Contains(names, fmt.Sprintf("%q", d.Physical())) {
				continue
			}
			typ := types[d.Type]
			if typ == "" {
				typ = "VARCHAR"
			}
			names = append(names, fmt.Sprintf("%q", d.Physical()))
			columns = append(columns, fmt.Sprintf("%q %s", d.Physical(), typ))
		}
		if _, err := db.Exec(fmt.Sprintf("SELECT %s FROM %q LIMIT 0", strings.Join(names, ", "), e.Source.Table)); err == nil || e.Source.Table == "" {
			continue
		}
		if _, err := db.Exec(fmt.Sprintf("CREATE OR REPLACE TABLE %q (%s)", e.Source.Table, strings.Join(columns, ", "))); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// rows runs a statement and writes each row as text; floating numbers to nine digits.
func rows(t *testing.T, db *sql.DB, statement string) (names []string, all []string) {
	t.Helper()
	names, all, err := rowsOf(db, statement)
	if err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	return names, all
}

// rowsOf is rows where the statement may fail.
func rowsOf(db *sql.DB, statement string) (names []string, all []string, err error) {
	res, err := db.Query(statement)
	if err != nil {
		return nil, nil, err
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
			return nil, nil, err
		}
		var words []string
		for _, c := range cells {
			switch x := c.(type) {
			case float64:
				words = append(words, fmt.Sprintf("%.9g", x))
			case interface{ Float64() float64 }: // decimals
				words = append(words, fmt.Sprintf("%.9g", x.Float64()))
			case interface{ Format(string) string }:
				words = append(words, x.Format("2006-01-02 15:04:05"))
			default:
				words = append(words, fmt.Sprint(x))
			}
		}
		all = append(all, strings.Join(words, "|"))
	}
	return names, all, res.Err()
}

// TestMeaning compares the rows of a query with those of a hand-written statement.
func TestMeaning(t *testing.T) {
	db := openShop(t)
	const lines = `"Order Details" d JOIN orders o ON o.order_id = d."OrderID" LEFT JOIN customers c USING (customer_id)
		JOIN products_raw p ON p.product_id = d."ProductID" LEFT JOIN categories k ON k.category_id = p.category_id`
	const rev = `sum(d.unit_price * d.quantity * (1 - d.discount))`
	for _, c := range []struct{ query, check string }{
		{
			"SELECT category_name, revenue DURING 1997",
			"SELECT k.category_name, " + rev + " FROM " + lines + " WHERE year(o.order_date) = 1997 GROUP BY 1 ORDER BY 1 NULLS LAST",
		},
		{
			"SELECT customers.company_name, revenue AT customers TOP 3 customers BY revenue",
			`SELECT c."CompanyName", ` + rev + " r FROM " + lines + ` GROUP BY c.customer_id, c."CompanyName" ORDER BY r DESC, c.customer_id LIMIT 3`,
		},
		{
			"SELECT country, average_order_value, discount_share AT country",
			"SELECT c.country, " + rev + " / count(DISTINCT o.order_id), 100 * (sum(d.unit_price * d.quantity) - " + rev + ") / sum(d.unit_price * d.quantity) FROM " + lines + " GROUP BY 1 ORDER BY 1 NULLS LAST",
		},
		{
			"SELECT month, orders_placed DURING 1997",
			"SELECT date_trunc('month', order_date), count(*) FROM orders WHERE order_date BETWEEN '1997-01-01' AND '1997-12-31' GROUP BY 1 ORDER BY 1",
		},
		{
			"SELECT order_date.fiscal_year, order_date.fiscal_quarter, orders_placed",
			`SELECT make_date(year(order_date) - (month(order_date) < 7)::INT, 7, 1), make_date(year(order_date), CASE WHEN month(order_date) >= 10 THEN 10
				WHEN month(order_date) >= 7 THEN 7 WHEN month(order_date) >= 4 THEN 4 ELSE 1 END, 1), count(*) FROM orders GROUP BY 1, 2 ORDER BY 1, 2`,
		},
		{
			"SELECT area, size, revenue",
			"SELECT CASE WHEN c.country IN ('Germany', 'Austria') THEN 'DACH' WHEN c.customer_id IS NOT NULL THEN 'Other' END, CASE WHEN d.quantity >= 10 THEN 'large' ELSE 'small' END, " + rev + " FROM " + lines + " GROUP BY 1, 2 ORDER BY 1 NULLS LAST, 2",
		},
		{
			"SELECT country, revenue FILTER (WHERE discount > 0) AS discounted, revenue, discounted_lines",
			"SELECT c.country, coalesce(sum(CASE WHEN d.discount > 0 THEN d.unit_price * d.quantity * (1 - d.discount) END), 0), " + rev + ", count(CASE WHEN d.discount > 0 THEN 1 END) FROM " + lines + " GROUP BY 1 ORDER BY 1 NULLS LAST",
		},
		{
			"SELECT ship_to.town, bill_to.town, freight",
			`SELECT s.town, b.town, coalesce(sum(o.freight), 0) FROM orders o LEFT JOIN addresses s ON s.address_id = o.ship_to_id
				LEFT JOIN addresses b ON b.address_id = o.bill_to_id GROUP BY 1, 2 ORDER BY 1 NULLS LAST, 2 NULLS LAST`,
		},
		{
			"SELECT manager.last_name, orders_placed",
			`SELECT b.last_name, count(*) FROM orders o LEFT JOIN employees e USING (employee_id) LEFT JOIN employees b ON b.employee_id = e.reports_to
				GROUP BY 1 ORDER BY 1 NULLS LAST`,
		},
		{
			"SELECT category_name, order_date.year, revenue TOP 2 category_name BY revenue",
			`WITH x AS (SELECT k.category_name n, date_trunc('year', o.order_date) y, ` + rev + ` r FROM ` + lines + ` GROUP BY 1, 2),
				m AS (SELECT n, sum(r) s FROM x GROUP BY 1 ORDER BY s DESC LIMIT 2) SELECT x.* FROM x JOIN m ON m.n IS NOT DISTINCT FROM x.n ORDER BY s DESC, y`,
		},
		{
			"SELECT country, revenue HAVING revenue > 50 TOP 2 country BY revenue ASC ORDER BY country",
			"SELECT * FROM (SELECT c.country n, " + rev + " r FROM " + lines + " GROUP BY 1 HAVING r > 50 ORDER BY r LIMIT 2) ORDER BY n NULLS LAST",
		},
		{
			"SELECT customers.company_name, customers.area AT customers WHERE customers.country <> 'France' ORDER BY customers.city DESC",
			`SELECT "CompanyName", CASE WHEN country IN ('Germany', 'Austria') THEN 'DACH' ELSE 'Other' END FROM customers WHERE country <> 'France' ORDER BY city DESC NULLS LAST`,
		},
		{
			"SELECT AVG(freight), MEDIAN(freight), MIN(freight), MAX(freight), COUNT(freight), COUNT(*), COUNT(DISTINCT customers.city) AT status",
			`SELECT o.status, avg(freight), median(freight), min(freight), max(freight), count(freight), count(*), count(DISTINCT c.city)
				FROM orders o LEFT JOIN customers c USING (customer_id) GROUP BY 1 ORDER BY 1 NULLS LAST`,
		},
		{"SELECT revenue, average_order_value, orders AT () WHERE quantity > 1000", ""},
		{"SELECT revenue, average_order_value AT () WHERE quantity > 1000", "SELECT 0, NULL"},
		{
			"SELECT orders_placed AT () WHERE (customers.country = 'France' OR customers.city IN ('Berlin', 'Bern')) AND NOT status = 'open' AND freight NOT BETWEEN 6 AND 11",
			"SELECT count(*) FROM orders o LEFT JOIN customers c USING (customer_id) WHERE (c.country = 'France' OR c.city IN ('Berlin', 'Bern')) AND status <> 'open' AND (freight < 6 OR freight > 11)",
		},
		{
			"SELECT orders_placed AT () WHERE company_name CONTAINS 'ALP' OR company_name STARTS WITH 'o''b' OR company_name LIKE 'b%'",
			"SELECT count(*) FROM orders o LEFT JOIN customers c USING (customer_id) WHERE c.customer_id IN ('A', 'D', 'F')",
		},
		{"SELECT orders_placed AT () DURING LAST 3 MONTH", "SELECT count(*) FROM orders WHERE order_date >= '1998-02-01' AND order_date < '1998-05-01'"},
		{"SELECT orders_placed AT () DURING PREVIOUS FISCAL_QUARTER", "SELECT count(*) FROM orders WHERE order_date >= '1998-01-01' AND order_date < '1998-04-01'"},
		{
			"SELECT orders_placed AT () WHERE order_date.year = 1997 AND order_date.month <> '1997-05' AND order_date.fiscal_year IN ('FY1997')",
			"SELECT count(*) FROM orders WHERE order_date >= '1997-01-01' AND order_date < '1997-07-01' AND month(order_date) <> 5",
		},
		{"SELECT country AT country ORDER BY revenue DESC LIMIT 2", "SELECT n FROM (SELECT c.country n, " + rev + " r FROM " + lines + " GROUP BY 1) ORDER BY r DESC LIMIT 2"},
		{
			"SELECT SUM(quantity * unit_price) / COUNT(*) AS mean AT employees.last_name",
			`SELECT e.last_name, sum(d.quantity * d.unit_price)::DOUBLE / count(*) FROM "Order Details" d JOIN orders o ON o.order_id = d."OrderID" LEFT JOIN employees e USING (employee_id) GROUP BY 1 ORDER BY 1 NULLS LAST`,
		},
		{"SELECT order_date.week, orders_placed DURING 1998", "SELECT order_date - (isodow(order_date) - 1)::INT, count(*) FROM orders WHERE year(order_date) = 1998 GROUP BY 1 ORDER BY 1"},
		{"SELECT shipped_at.hour, shipped_at.day, orders_placed", "SELECT date_trunc('hour', shipped_at), shipped_at::DATE, count(*) FROM orders GROUP BY 1, 2 ORDER BY 1 NULLS LAST"},
		{"SELECT customers.country, customers.city", "SELECT DISTINCT country, city FROM customers ORDER BY 1 NULLS LAST, 2 NULLS LAST"},
		{"SELECT visits.page AT visits", "SELECT page FROM visits ORDER BY page"},
		{
			"SELECT customers.company_name AT customers FROM orders WHERE orders.status = 'paid'",
			`SELECT DISTINCT ON (c.customer_id) c."CompanyName" FROM orders o LEFT JOIN customers c USING (customer_id) WHERE status = 'paid' ORDER BY c.customer_id NULLS LAST`,
		},
		{"SELECT product_name, price_level AT products", "SELECT name, list_price FROM products_raw ORDER BY product_id"},
		{"SELECT COUNT(*) AS n AT () WHERE order_lines.discount > 1", "SELECT 0"},
		{"SELECT country, revenue LIMIT 2 OFFSET 1", "SELECT c.country, " + rev + " FROM " + lines + " GROUP BY 1 ORDER BY 1 NULLS LAST LIMIT 2 OFFSET 1"},
		{
			"SELECT order_date.year, revenue - gross_revenue AS off, (revenue + 1) * 2 AS twice",
			"SELECT date_trunc('year', o.order_date), " + rev + " - sum(d.unit_price * d.quantity), 2 * " + rev + " + 2 FROM " + lines + " GROUP BY 1 ORDER BY 1",
		},
	} {
		if c.check == "" {
			continue
		}
		plan := mustResolve(t, c.query)
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		names, got := rows(t, db, s.SQL)
		_, want := rows(t, db, c.check)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\ngot\n%s\nwant\n%s\n%s", c.query, strings.Join(got, "\n"), strings.Join(want, "\n"), s.SQL)
		}
		for i, n := range names {
			if n != plan.Columns[i].Name {
				t.Errorf("%s: column %d is %s, the plan says %s", c.query, i, n, plan.Columns[i].Name)
			}
		}
	}
}

func mustResolve(t *testing.T, text string) *Plan {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	plan, refusals := Resolve(q, env())
	if plan == nil {
		t.Fatalf("%s: %v", text, refusals)
	}
	return plan
}

func TestPopulation(t *testing.T) {
	db := openShop(t)
	plan := mustResolve(t, "SELECT country, orders_placed DURING 1997 WHERE customers.country = 'France' AND (freight > 6 OR status = 'open')")
	s, ok := plan.PopulationStatement(DuckDB)
	if !ok {
		t.Fatal("no statement")
	}
	names, got := rows(t, db, s.SQL)
	if want := "rows_in kept filter_1 filter_2 filter_3"; strings.Join(names, " ") != want {
		t.Errorf("columns %v", names)
	}
	if want := "10|2|3|7|5"; len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if len(plan.Filters) != 2 || plan.Filters[0].Text != "customers.country = 'France'" || plan.Filters[1].Text != "orders.freight > 6 OR orders.status = 'open'" {
		t.Errorf("filters %+v", plan.Filters)
	}
	for query, want := range map[string]string{ // more filters share one scan
		"SELECT orders_placed DURING 1997": "10|5|5",
		"SELECT country, orders_placed DURING 1997 WHERE customers.country = 'France' AND freight > 6 AND status = 'open'": "10|0|3|5|3|5",
	} {
		counted, _ := mustResolve(t, query).PopulationStatement(DuckDB)
		if _, got := rows(t, db, counted.SQL); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	everything, _ := mustResolve(t, "SELECT orders_placed").PopulationStatement(DuckDB)
	if _, got := rows(t, db, everything.SQL); got[0] != "10|10" {
		t.Errorf("without filters %v", got)
	}
}

// TestGoldenSQLRuns executes everything that the corpus holds.
func TestGoldenSQLRuns(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	ran := 0
	for _, file := range files {
		db := openTables(t, fixture(filepath.Base(file)).Model)
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			q, err := Parse(strings.TrimSpace(string(f.Data)))
			if err != nil || strings.HasSuffix(f.Name, ".out") {
				continue
			}
			plan, refusals := Resolve(q, fixture(filepath.Base(file)))
			run := func(p *Plan) {
				s, err := p.Statement(DuckDB)
				if err != nil {
					t.Errorf("%s: %v", f.Name, err)
					return
				}
				names, _, err := rowsOf(db, s.SQL)
				if err != nil {
					if !readsUntyped(s.SQL, fixture(filepath.Base(file)).Model) {
						t.Errorf("%s: %v\n%s", f.Name, err, s.SQL)
					}
					return
				}
				if len(names) != len(p.Columns) {
					t.Errorf("%s: %v for %v", f.Name, names, p.Columns)
				}
				if s, ok := p.PopulationStatement(DuckDB); ok {
					rows(t, db, s.SQL)
				}
				ran++
			}
			if plan != nil {
				run(plan)
			}
			for _, r := range refusals {
				for _, repair := range r.Repairs {
					fixed, still := Resolve(repair.Query, fixture(filepath.Base(file)))
					if fixed == nil {
						t.Errorf("%s: the repair %s is refused: %v", f.Name, repair.FrameQL, still)
						continue
					}
					run(fixed)
				}
			}
		}
	}
	if ran < 100 {
		t.Errorf("only %d statements", ran)
	}
}

// TestDrawnPlansRun executes whatever resolves among drawn queries: the engine must take every statement, and grouping
// must not change an additive total.
func TestDrawnPlansRun(t *testing.T) {
	db := openShop(t)
	resolved := 0
	check(t, 200, func(rt *rapid.T) {
		q := drawShopQuery(rt)
		plan, _ := Resolve(q, env())
		if plan == nil {
			return
		}
		resolved++
		s, err := plan.Statement(DuckDB)
		if err != nil {
			rt.Fatal(err)
		}
		res, err := db.Query(s.SQL)
		if err != nil {
			rt.Fatalf("%s\n%s\n%v", plan.Query, s.SQL, err)
		}
		names, _ := res.Columns()
		for res.Next() {
		}
		if err := res.Err(); err != nil {
			rt.Fatalf("%s\n%s\n%v", plan.Query, s.SQL, err)
		}
		res.Close()
		if len(names) != len(plan.Columns) {
			rt.Fatalf("%v for %v", names, plan.Columns)
		}
	})
	if resolved < 10 {
		t.Errorf("only %d queries resolved", resolved)
	}
	t.Logf("%d queries resolved and ran", resolved)
}

// TestTotalsAreConserved adds the groups up again: no join may lose or repeat a row.
func TestTotalsAreConserved(t *testing.T) {
	db := openShop(t)
	dims := []string{
		"country", "customers", "category_name", "products", "ship_to.town", "manager.last_name", "size", "area", "month",
		"order_date.fiscal_quarter", "orders", "order_lines", "status", "employees.city",
	}
	check(t, 200, func(rt *rapid.T) {
		picked := rapid.SliceOfNDistinct(rapid.SampledFrom(dims), 1, 3, rapid.ID).Draw(rt, "dims")
		where := rapid.SampledFrom([]string{"", " WHERE status <> 'open'", " WHERE customers.country = 'France'"}).Draw(rt, "where")
		metrics := " revenue AS r, line_count AS n"
		grouped := mustSQL(rt, "SELECT"+metrics+" AT ("+strings.Join(picked, ", ")+")"+where)
		whole := mustSQL(rt, "SELECT"+metrics+" AT ()"+where)
		var a, b, c, d float64
		if err := db.QueryRow("SELECT coalesce(sum(r), 0)::DOUBLE, coalesce(sum(n), 0)::DOUBLE FROM ("+grouped+")").Scan(&a, &b); err != nil {
			rt.Fatal(err)
		}
		if err := db.QueryRow("SELECT r::DOUBLE, n::DOUBLE FROM ("+whole+")").Scan(&c, &d); err != nil {
			rt.Fatal(err)
		}
		if a != c || b != d {
			rt.Fatalf("%v: %g and %g in groups, %g and %g as a whole", picked, a, b, c, d)
		}
	})
}

func mustSQL(t *rapid.T, text string) string {
	q, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	plan, refusals := Resolve(q, env())
	if plan == nil {
		t.Fatalf("%s: %v", text, refusals)
	}
	s, err := plan.Statement(DuckDB)
	if err != nil {
		t.Fatal(err)
	}
	return s.SQL
}
