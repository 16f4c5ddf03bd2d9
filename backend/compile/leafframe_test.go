//go:build cgo

package compile

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"assay/backend/semantic"
)

// lesser is DuckDB without some capabilities: what it lacks is cut off, and the same DuckDB runs both parts.
type lesser struct {
	duckdb
	lacks []capability
}

func (lesser) kind() Dialect { return "lesser" }

func (l lesser) missing() []capability { return l.lacks }

// TestLeafFrames runs queries whole and cut into leaf frames.
func TestLeafFrames(t *testing.T) {
	db, err := sql.Open("duckdb", "?"+DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	script, err := os.ReadFile("testdata/shop.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(script)); err != nil {
		t.Fatal(err)
	}
	amount := &Scalar{Op: "col", Text: "amount", Type: semantic.Decimal}
	at := &Scalar{Op: "col", Text: "order_date", Type: semantic.Date}
	sources := []Source{{Nodes: []Node{
		{Entity: "orders", Table: "orders", Parent: -1},
		{Entity: "customers", Table: "customers", On: []Pair{{Parent: &Scalar{Op: "col", Text: "customer_id"}, Own: &Scalar{Op: "col", Node: 1, Text: "customer_id"}}}},
	}, Where: []*Scalar{compare(">", &Scalar{Op: "col", Text: "quantity", Type: semantic.Integer}, number(0))}}}
	keys := []Key{
		{Name: "segment", Exprs: []*Scalar{{Op: "col", Node: 1, Text: "segment", Type: semantic.Text}}, Type: semantic.Text},
		{Name: "month", Axis: true, Cut: &Scalar{Op: "trunc", Text: "month"}, Type: semantic.Date},
	}
	leaves := []Leaf{
		{Reducer: "sum", Expr: amount, Time: at, Zero: true, Name: "revenue", Type: semantic.Decimal},
		{Reducer: "median", Expr: amount, Filter: compare(">", amount, number(1)), Time: at, Name: "middle"},
		{Reducer: "last", Expr: amount, Time: at, Tie: []*Scalar{{Op: "col", Text: "order_id"}}, Name: "latest", Type: semantic.Decimal},
		{Reducer: "sum", Expr: amount, Filter: &Scalar{Op: "exists", Sub: &Sub{Nodes: []Node{{Entity: "tickets", Table: "tickets", Parent: -1}}, On: []Pair{{Parent: &Scalar{Op: "col", Text: "customer_id"}, Own: &Scalar{Op: "col", Text: "customer_id"}}}}}, Time: at, Zero: true, Name: "of_callers", Type: semantic.Decimal},
	}
	leaf := func(i int) *Scalar { return &Scalar{Op: "leaf", Index: i, Type: leaves[i].Type} }
	period := Context{From: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		name   string
		lack   capability
		grain  []int
		cell   *Scalar
		fill   string
		frames int
	}{
		{"median of groups", canPercentile, []int{0}, leaf(1), "", 1},
		{"median of all", canPercentile, nil, leaf(1), "", 1},
		{"last", canFirstLast, []int{1}, leaf(2), "", 1},
		{"filter by other rows", canExistsInAgg, []int{0}, leaf(3), "", 1},
		{"moving", canRange, []int{1}, &Scalar{Op: "moving", Args: []*Scalar{leaf(0)}, N: 3}, "", 1},
		{"moving beside a share", canRange, []int{0, 1}, op2("-", &Scalar{Op: "moving", Args: []*Scalar{leaf(0)}, N: 3}, &Scalar{Op: "at", Args: []*Scalar{leaf(0)}, Keys: []int{0}}, semantic.Decimal), "", 1},
		{"series", canSeries, []int{0, 1}, leaf(0), "zero", 1},
		{"carried", canCarry, []int{1}, leaf(0), "last", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := &Query{Sources: sources, Keys: keys, Leaves: leaves, Grain: c.grain, Contexts: []Context{period}}
			for _, k := range c.grain {
				q.Outputs = append(q.Outputs, Output{Name: keys[k].Name, Cell: &Scalar{Op: "key", Index: k, Type: keys[k].Type}})
			}
			q.Outputs = append(q.Outputs, Output{Name: "v", Cell: c.cell})
			if c.fill != "" {
				q.Fill = &Fill{Axis: 1, Mode: c.fill, From: period.From, To: period.To}
			}
			whole, err := compileFor(duckdb{}, q, Options{})
			if err != nil {
				t.Fatal(err)
			}
			parts, err := compileFor(lesser{lacks: []capability{c.lack}}, q, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(whole.LeafFrames) != 0 || len(parts.LeafFrames) != c.frames {
				t.Fatalf("%d leaf frames, want %d", len(parts.LeafFrames), c.frames)
			}
			for _, f := range parts.LeafFrames {
				if f.Missing != string(c.lack) {
					t.Errorf("missing %q, want %q", f.Missing, c.lack)
				}
				if _, err := db.Exec("CREATE OR REPLACE TABLE " + f.Name + " AS " + f.SQL); err != nil {
					t.Fatalf("%v\n%s", err, f.SQL)
				}
			}
			if strings.Contains(parts.SQL, "orders AS") || strings.Contains(parts.SQL, "tickets AS") {
				t.Errorf("reads base tables\n%s", parts.SQL)
			}
			want, got := run(t, db, whole.SQL), run(t, db, parts.SQL)
			if want != got || want == "" {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, want, parts.SQL)
			}
		})
	}
}

func run(t *testing.T, db *sql.DB, statement string) string {
	t.Helper()
	res, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	defer res.Close()
	names, _ := res.Columns()
	var all strings.Builder
	for res.Next() {
		cells := make([]any, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := res.Scan(into...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, cells...)
	}
	return all.String()
}
