package profile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: got %.4f want %.4f", what, got, want)
	}
}

func joinsOf(m *semantic.Model) []string {
	var all []string
	for _, j := range m.Joins {
		s := j.From + "." + j.On[0].From + " -> " + j.To + "." + j.On[0].To
		if j.Role != "" {
			s += " as " + j.Role
		}
		all = append(all, s)
	}
	return all
}

// The header amounts of AdventureWorks stand on every line of an order. A plain sum of TotalDue gives 2,861,524,087.61.
func TestHeaderAmountsAreCountedOnce(t *testing.T) {
	e := openEngine(t)
	e.loadCSVs(t, shared(t, "data", "adventureworks"))
	_, m := infer(t, e, semantic.Settings{Label: "AdventureWorks", Currency: "USD"})
	near(t, "the trap itself", math.Round(e.number(t, "SELECT sum(TotalDue) FROM orders")*100)/100, 2861524087.61)
	near(t, "total due", math.Round(e.number(t, metricSQL(t, m, "total_due"))*100)/100, 90775446.99)
	for metric, column := range map[string]string{"freight": "Freight", "tax_amt": "TaxAmt", "sub_total": "SubTotal"} {
		want := e.number(t, fmt.Sprintf("SELECT sum(v) FROM (SELECT SalesOrderID, min(%s) AS v FROM orders GROUP BY 1)", column))
		got := e.number(t, metricSQL(t, m, metric))
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s: got %f want %f", metric, got, want)
		}
	}
	near(t, "orders", e.number(t, metricSQL(t, m, "sales_order_count")), e.number(t, "SELECT count(DISTINCT SalesOrderID) FROM orders"))
	near(t, "order lines", e.number(t, metricSQL(t, m, "order_line_count")), 60919)
	if got, want := e.number(t, metricSQL(t, m, "revenue")), e.number(t, "SELECT sum(LineTotal) FROM orders"); math.Abs(got-want) > 0.01 {
		t.Errorf("revenue: got %f want %f", got, want)
	}
	want := []string{
		"employees.manager_id -> employees.employee_id_k as manager",
		"order_lines.product_id_fk -> products.product_id_k",
		"order_lines.sales_order_id -> sales_orders.sales_order_id",
		"products.sub_category_id_fk -> productsubcategories.sub_category_id_k",
		"productsubcategories.category_id_fk -> productcategories.category_id_k",
		"sales_orders.customer_id_fk -> customers.customer_id_k",
		"sales_orders.employee_id_fk -> employees.employee_id_k",
		"vendorproduct.vendor_id_fk -> vendors.vendor_id_k",
	}
	if got := joinsOf(m); !reflect.DeepEqual(got, want) {
		t.Errorf("joins:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	lines, orders := m.Entity("order_lines"), m.Entity("sales_orders")
	if lines.DefaultTime != "sales_orders.order_date" || orders.DefaultTime != "order_date" {
		t.Errorf("times: %s, %s", lines.DefaultTime, orders.DefaultTime)
	}
	if d := lines.Dimension("unit_price"); d == nil || !d.Measure || !d.NonAdditive {
		t.Errorf("unit_price: %+v", d)
	}
	if m.Metric("unit_price") != nil || m.Metric("average_unit_price") == nil || lines.Dimension("total_due") != nil {
		t.Error("prices are averaged and never added up; header amounts leave the lines")
	}
	if d := m.DisplayOf("customers"); d == nil || d.Name != "full_name" {
		t.Errorf("display of customers: %+v", d)
	}
	if !slices.Contains(orders.Synonyms, "orders") || !m.Inferred || !orders.Inferred {
		t.Errorf("sales_orders answers to %v", orders.Synonyms)
	}
}

func TestNorthwind(t *testing.T) {
	e := openEngine(t)
	e.loadNorthwind(t)
	facts, m := infer(t, e, semantic.Settings{})
	keys := map[string][]string{}
	for _, f := range facts.Tables {
		keys[f.Table] = f.Key
	}
	for table, key := range map[string][]string{
		"Orders": {"OrderID"}, "Order Details": {"OrderID", "ProductID"}, "Customers": {"CustomerID"},
		"Employees": {"EmployeeID"}, "CustomerDemographics": nil,
	} {
		if !slices.Equal(keys[table], key) {
			t.Errorf("key of %s: %v want %v", table, keys[table], key)
		}
	}
	want := []string{
		"employee_territories.employee_id -> employees.employee_id",
		"employee_territories.territory_id -> territories.territory_id",
		"employees.reports_to -> employees.employee_id as reports_to",
		"order_details.order_id -> orders.order_id",
		"order_details.product_id -> products.product_id",
		"orders.customer_id -> customers.customer_id",
		"orders.employee_id -> employees.employee_id",
		"orders.ship_via -> shippers.shipper_id",
		"products.category_id -> categories.category_id",
		"products.supplier_id -> suppliers.supplier_id",
		"territories.region_id -> regions.region_id",
	}
	if got := joinsOf(m); !reflect.DeepEqual(got, want) {
		t.Errorf("joins:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := e.number(t, metricSQL(t, m, "revenue")); math.Abs(got-1265793.0395) > 1e-4 {
		t.Errorf("revenue: %f", got)
	}
	if got := e.number(t, metricSQL(t, m, "freight")); math.Abs(got-e.number(t, `SELECT sum("Freight") FROM "Orders"`)) > 1e-6 {
		t.Errorf("freight: %f", got)
	}
	for _, name := range []string{"ship_via", "reorder_level", "unit_price", "discount", "postal_code", "order_id"} {
		if m.Metric(name) != nil {
			t.Errorf("%s is added up", name)
		}
	}
	if o := m.Entity("order_details"); o.DefaultTime != "orders.order_date" || o.Source.Table != "Order Details" || o.Label != "Order details" {
		t.Errorf("order details: %+v", o)
	}
	if x := m.Entity("employees"); x.Display != "full_name" || x.DefaultTime != "hire_date" {
		t.Errorf("employees: display %s, time %s", x.Display, x.DefaultTime)
	}
	if h := m.Entity("customers").Hierarchies; len(h) != 1 || !reflect.DeepEqual(h[0].Path, []string{"city", "country"}) {
		t.Errorf("hierarchies of customers: %+v", h)
	}
	for _, x := range m.Metrics {
		if x.Unit != "" {
			t.Errorf("%s has the unit %q, but nobody named a currency", x.Name, x.Unit)
		}
	}
}

// region.csv repeats its id per state: a join to it would multiply rows.
func TestNoJoinToAColumnThatRepeats(t *testing.T) {
	e := openEngine(t)
	e.loadCSVs(t, shared(t, "data", "cortex"))
	_, m := infer(t, e, semantic.Settings{})
	if got := joinsOf(m); !reflect.DeepEqual(got, []string{"daily_revenue.product_id -> product.product_id"}) {
		t.Errorf("joins: %v", got)
	}
}

func TestTextKeysAndLayeredNames(t *testing.T) {
	e := openEngine(t)
	e.loadCSVs(t, shared(t, "data", "dbt", "seeds"))
	_, m := infer(t, e, semantic.Settings{})
	want := []string{
		"raw_items.order_id -> raw_orders.id", "raw_items.sku -> raw_products.sku", "raw_orders.customer -> raw_customers.id",
		"raw_orders.store_id -> raw_stores.id", "raw_supplies.sku -> raw_products.sku",
	}
	if got := joinsOf(m); !reflect.DeepEqual(got, want) {
		t.Errorf("joins: %v", got)
	}
	if m.Metric("cost") != nil {
		t.Error("the cost of a supply stands on a row per product that uses it; it must not be added up")
	}
	if e := m.Entity("raw_items"); e.Label != "Items" || e.DefaultTime != "raw_orders.ordered_at" {
		t.Errorf("items: %+v", e)
	}
}

func TestOddTables(t *testing.T) {
	e := openEngine(t)
	var wide []string
	for i := range 300 {
		wide = append(wide, fmt.Sprintf("i %% %d AS c%d", i+2, i))
	}
	e.exec(t, "CREATE TABLE wide AS SELECT "+strings.Join(wide, ", ")+" FROM range(2000) t(i)")
	e.exec(t, `CREATE TABLE "empty one" (id BIGINT, "Amount" DOUBLE)`)
	e.exec(t, "CREATE TABLE one_column AS SELECT 'x' AS v")
	e.exec(t, "CREATE TABLE twins AS SELECT 1 AS a, 'b' AS b, 2.5 AS amount FROM range(10)")
	e.exec(t, "CREATE TABLE nothing AS SELECT NULL::VARCHAR AS v, NULL::DOUBLE AS w FROM range(3)")
	e.exec(t, `CREATE TABLE "select" AS SELECT i AS "group", i * 1.5 AS "order ""total""" FROM range(50) t(i)`)
	e.exec(t, "CREATE TABLE nan AS SELECT i AS id, CASE WHEN i = 3 THEN 'nan'::DOUBLE ELSE i / 3 END AS amount FROM range(9) t(i)")
	facts, m := infer(t, e, semantic.Settings{})
	if len(m.Entities) != 7 {
		t.Errorf("%d entities", len(m.Entities))
	}
	for _, f := range facts.Tables {
		if f.Table == "twins" && f.Key != nil {
			t.Errorf("twins have the key %v", f.Key)
		}
	}
	if _, err := semantic.Seal(m); err != nil {
		t.Error(err)
	}
}

// Amounts that look determined but are the row's own must keep their sums, and amounts that repeat must lose them.
func TestHeaderDetection(t *testing.T) {
	for name, c := range map[string]struct {
		sql    []string
		summed []string // metrics that add up
		barred []string // columns of t that must not be added up per row
		split  string   // entity that must come to be; empty: none
	}{
		"price by product": {
			sql: []string{
				"CREATE TABLE products AS SELECT i AS product_id, 'product ' || i AS name FROM range(40) t(i)",
				"CREATE TABLE sales AS SELECT i AS sale_id, i * 7 % 40 AS product_id, (i * 7 % 40) * 1.25 + 3 AS unit_price, (i * 31) // 7 % 5 + 1 AS quantity FROM range(2000) t(i)",
			},
			summed: []string{"quantity"}, barred: []string{"unit_price"},
		},
		"credit limit by customer": {
			sql: []string{
				"CREATE TABLE customers AS SELECT i AS customer_id, 'customer ' || i AS name FROM range(50) t(i)",
				"CREATE TABLE invoices AS SELECT i AS invoice_id, i * 13 % 50 AS customer_id, (i * 13 % 50) * 100 + 500 AS credit_amount, i * 1.1 AS amount FROM range(1500) t(i)",
			},
			summed: []string{"amount"}, barred: []string{"credit_amount"},
		},
		"few classes with a fee each": {
			sql:    []string{"CREATE TABLE bookings AS SELECT i AS booking_id, ['basic', 'plus', 'pro'][i % 3 + 1] AS plan, [10, 20, 50][i % 3 + 1] AS fee FROM range(900) t(i)"},
			summed: []string{"fee"},
		},
		"small flat file": {
			sql: []string{`CREATE TABLE lines AS SELECT * FROM (VALUES (1, 'A', 10.5, 3), (1, 'B', 10.5, 1), (1, 'C', 10.5, 2), (2, 'A', 22.0, 4), (2, 'D', 22.0, 4),
				(3, 'B', 7.25, 1), (3, 'C', 7.25, 1), (3, 'E', 7.25, 9), (4, 'A', 99.9, 2), (4, 'F', 99.9, 7)) v(order_no, item, order_total, quantity)`},
			summed: []string{"quantity", "order_total"}, barred: []string{"order_total"}, split: "orders",
		},
		"two levels": {
			sql: []string{`CREATE TABLE flat AS SELECT i AS line_id, i // 3 AS order_id, (i // 3) % 20 AS customer_id, ((i // 3) % 20) * 1000 + 17 AS budget_amount,
				(i // 3) * 1.37 AS order_total, i * 0.1 AS line_amount FROM range(3000) t(i)`},
			summed: []string{"order_total", "budget_amount", "line_amount"}, barred: []string{"order_total", "budget_amount"}, split: "customers",
		},
		"amounts that are their own": {
			sql:    []string{"CREATE TABLE payments AS SELECT i AS payment_id, i % 97 AS account_id, (i * 7919) % 10007 AS amount FROM range(4000) t(i)"},
			summed: []string{"amount"},
		},
		"daily target": {
			sql:    []string{"CREATE TABLE shop_days AS SELECT i AS row_id, DATE '2024-01-01' + CAST(i // 8 AS INTEGER) AS day, 'shop ' || i % 8 AS shop, (i // 8) * 3 + 100 AS target_amount, (i * 31) % 977 AS sales FROM range(2400) t(i)"},
			summed: []string{"sales"}, barred: []string{"target_amount"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := openEngine(t)
			for _, s := range c.sql {
				e.exec(t, s)
			}
			_, m := infer(t, e, semantic.Settings{})
			for _, s := range c.summed {
				if x := m.Metric(s); x == nil || x.Reducer != semantic.Sum {
					t.Errorf("%s is not added up\n%s", s, describeModel(m))
				}
			}
			for _, b := range c.barred {
				x := m.Metric(b)
				if x != nil && x.Reducer == semantic.Sum && m.Entity(x.Entity).Source.SQL == "" {
					t.Errorf("%s is added up row by row", b)
				}
			}
			split := ""
			for _, x := range m.Entities {
				if x.Source.SQL != "" && (split == "" || x.Name == c.split) {
					split = x.Name
				}
			}
			if split != c.split {
				t.Errorf("split off %q, want %q\n%s", split, c.split, describeModel(m))
			}
			for _, x := range m.Entities {
				if x.Source.SQL != "" {
					rows := e.number(t, "SELECT count(*) FROM ("+x.Source.SQL+")")
					if d := e.number(t, "SELECT count(DISTINCT "+quote(x.Dimension(x.Key[0]).Physical())+") FROM ("+x.Source.SQL+")"); rows != d {
						t.Errorf("%s has %v rows and %v keys", x.Name, rows, d)
					}
				}
			}
		})
	}
}

// Small integers are included in every key: without a name that says so they refer to nothing.
func TestAccidentalInclusions(t *testing.T) {
	e := openEngine(t)
	e.exec(t, "CREATE TABLE shops AS SELECT i AS id, 'shop ' || i AS name FROM range(100) t(i)")
	e.exec(t, "CREATE TABLE people AS SELECT i AS id, i % 90 AS age, i % 5 AS children, i % 7 AS rating, i % 100 AS shop_id FROM range(500) t(i)")
	e.exec(t, "CREATE TABLE matches AS SELECT i AS match_id, i % 20 AS home_team_id, (i + 3) % 20 AS away_team_id, i % 4 AS goals FROM range(300) t(i)")
	e.exec(t, "CREATE TABLE teams AS SELECT i AS team_id, 'team ' || i AS team_name FROM range(20) t(i)")
	_, m := infer(t, e, semantic.Settings{})
	want := []string{"matches.away_team_id -> teams.team_id as away", "matches.home_team_id -> teams.team_id as home", "people.shop_id -> shops.id"}
	if got := joinsOf(m); !reflect.DeepEqual(got, want) {
		t.Errorf("joins: %v", got)
	}
}

// The same data give the same facts, and so the same model.
func TestMeasuringIsDeterministic(t *testing.T) {
	e := openEngine(t)
	e.loadNorthwind(t)
	facts, m := infer(t, e, semantic.Settings{})
	for range 2 {
		again, n := infer(t, e, semantic.Settings{})
		if !reflect.DeepEqual(again, facts) || n.Version != m.Version {
			t.Fatal("two measurements differ")
		}
	}
}

// What is known of tables that stay the same gives the facts that measuring all of them gives, also where another table makes their
// plain names other ones, and no statement reads them but to compare their keys.
func TestKnownTablesAreNotMeasured(t *testing.T) {
	e := openEngine(t)
	e.loadNorthwind(t)
	tables := e.tables(t)
	last := len(tables) - 1
	before, err := Measure(t.Context(), e.run, tables[:last], Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.statements = 0
	all, err := Measure(t.Context(), e.run, tables, Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := e.statements
	e.statements = 0
	some, err := Measure(t.Context(), e.run, tables, Options{Known: func(d TableDecl) (semantic.TableFacts, bool) {
		i := slices.IndexFunc(before.Tables, func(f semantic.TableFacts) bool { return f.Table == d.Table })
		if i < 0 {
			return semantic.TableFacts{}, false
		}
		return before.Tables[i], true
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(some, all) {
		t.Error("what was known gives other facts")
	}
	if e.statements > whole/2 {
		t.Errorf("%d of %d statements ran again", e.statements, whole)
	}
}

// A failure of the engine, and a cancel, come back as they are, at whichever statement they happen.
func TestFailuresComeBack(t *testing.T) {
	e := openEngine(t)
	e.exec(t, "CREATE TABLE a AS SELECT i AS a_id, i % 10 AS b_id, i % 3 AS c, i * 1.0 AS total, 2.0 AS price, i / 2.0 AS quantity FROM range(100) t(i)")
	e.exec(t, "CREATE TABLE b AS SELECT i AS b_id FROM range(10) t(i)")
	tables := e.tables(t)
	if _, err := Measure(context.Background(), e.run, tables, Options{}); err != nil {
		t.Fatal(err)
	}
	total := e.statements
	broken := errors.New("broken")
	for fail := range total {
		n := 0
		_, err := Measure(context.Background(), func(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
			if n++; n == fail+1 {
				return nil, broken
			}
			return e.run(ctx, s)
		}, tables, Options{})
		if !errors.Is(err, broken) {
			t.Errorf("statement %d: %v", fail, err)
		}
	}
	if _, err := Measure(context.Background(), func(context.Context, frameql.Statement) (*frameql.Frame, error) {
		return &frameql.Frame{Rows: [][]any{{int64(1)}}, Truncated: &frameql.Truncated{Cap: 1, TotalRows: 9}}, nil
	}, tables, Options{}); err == nil {
		t.Error("a cut measurement was believed")
	}
}
