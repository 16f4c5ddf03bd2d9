//go:build cgo && unix

package speed

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// generated fills a database file with a star of order lines, customers and products, from hashes, so that every run
// has the same rows. A line has eight dimensions: customer, segment, region, product, category, channel, status and
// date. Its columns have the types that a person would give them.
func generated(t *testing.T, rows int) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", filepath.Join(t.TempDir(), "speed.duckdb")+"?"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"SET threads = 2",
		`CREATE TABLE customers AS SELECT CAST(i AS INTEGER) AS customer_id, 'customer ' || i AS name,
			['Consumer', 'Corporate', 'Home office', 'Small business', 'Government'][1 + CAST(hash(i) % 5 AS INTEGER)] AS segment,
			['North', 'South', 'East', 'West', 'Centre'][1 + CAST(hash(i + 7) % 5 AS INTEGER)] AS region
			FROM range(100000) t(i)`,
		"CREATE TABLE products AS SELECT CAST(i AS INTEGER) AS product_id, 'product ' || i AS name, 'category ' || (i % 20) AS category FROM range(2000) t(i)",
		fmt.Sprintf(`CREATE TABLE lines AS SELECT i AS line_id, CAST(hash(i) %% 100000 AS INTEGER) AS customer_id,
			CAST(hash(i * 3 + 1) %% 2000 AS INTEGER) AS product_id, DATE '2023-01-01' + CAST(hash(i * 5 + 2) %% 1096 AS INTEGER) AS order_date,
			['web', 'store', 'phone', 'partner'][1 + CAST(hash(i * 13) %% 4 AS INTEGER)] AS channel,
			['open', 'paid', 'returned'][1 + CAST(hash(i * 17) %% 3 AS INTEGER)] AS status,
			CAST(1 + hash(i * 7) %% 9 AS INTEGER) AS quantity, CAST((hash(i * 11) %% 100000) / 100.0 AS DECIMAL(9,2)) AS price,
			CAST((hash(i * 19) %% 31) / 100.0 AS DECIMAL(3,2)) AS discount
			FROM range(%d) t(i)`, rows),
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%v\n%s", err, statement)
		}
	}
	return db
}

func coverage(dimension string) (first, last time.Time, ok bool) {
	return time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC), dimension == "lines.order_date"
}

// rowsOf gives the sizes of the tables, as profiling measures them.
func rowsOf(lines int64) func(entity string) int64 {
	return func(entity string) int64 {
		return map[string]int64{"lines": lines, "customers": 100_000, "products": 2_000}[entity]
	}
}

// distinct gives how many values the dimensions have.
func distinct(dimension string) int64 {
	return map[string]int64{
		"customers.segment": 5, "customers.region": 5, "customers.name": 100_000, "customers.customer_id": 100_000, "products.category": 20,
		"products.name": 2_000, "products.product_id": 2_000, "lines.channel": 4, "lines.status": 3, "lines.customer_id": 100_000, "lines.product_id": 2_000,
	}[dimension]
}

// shopModel describes the star. Its joins are total, which the data proves.
func shopModel(t *testing.T) *semantic.Model {
	t.Helper()
	text := func(name string) semantic.Dimension { return semantic.Dimension{Name: name, Type: semantic.Text} }
	number := func(name string) semantic.Dimension { return semantic.Dimension{Name: name, Type: semantic.Integer} }
	measured := &semantic.Attestation{Unique: true}
	m, err := semantic.Seal(&semantic.Model{
		Name: "speed",
		Entities: []semantic.Entity{
			{Name: "lines", Source: semantic.Source{Table: "lines"}, Key: []string{"line_id"}, DefaultTime: "order_date", Dimensions: []semantic.Dimension{
				number("line_id"), number("customer_id"), number("product_id"),
				{Name: "order_date", Type: semantic.Date},
				text("channel"), text("status"),
				{Name: "quantity", Type: semantic.Integer, Measure: true},
				{Name: "price", Type: semantic.Decimal, Measure: true},
				{Name: "discount", Type: semantic.Decimal, Measure: true},
			}},
			{Name: "customers", Source: semantic.Source{Table: "customers"}, Key: []string{"customer_id"}, Dimensions: []semantic.Dimension{
				number("customer_id"), text("name"), text("segment"), text("region"),
			}},
			{Name: "products", Source: semantic.Source{Table: "products"}, Key: []string{"product_id"}, Display: "name", Dimensions: []semantic.Dimension{
				number("product_id"), text("name"), text("category"),
			}},
		},
		Joins: []semantic.Join{
			{From: "lines", To: "customers", On: []semantic.ColumnPair{{From: "customer_id", To: "customer_id"}}, Cardinality: "many_to_one", Total: true, Attested: measured},
			{From: "lines", To: "products", On: []semantic.ColumnPair{{From: "product_id", To: "product_id"}}, Cardinality: "many_to_one", Total: true, Attested: measured},
		},
		Metrics: []semantic.Metric{
			{Name: "revenue", Entity: "lines", Kind: semantic.Leaf, Expr: "quantity * price * (1 - discount)", Reducer: semantic.Sum},
			{Name: "active_customers", Entity: "lines", Kind: semantic.Leaf, Expr: "customer_id", Reducer: semantic.CountDistinct},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
