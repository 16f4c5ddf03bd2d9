package compile_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// statements are the queries whose SQL stands in testdata/statements.txtar: one for each shape.
func statements() []struct {
	name string
	built
} {
	ratio := op("/", leaf(revenue), leaf(orderCount))
	year2024 := func(b built) built { return b.during(date(2024, 1, 1), date(2025, 1, 1)) }
	return []struct {
		name string
		built
	}{
		{"one branch", year2024(q([]int{region}, "revenue", leaf(revenue), "orders", leaf(orderCount)).where(orders, op("=", col(1, "segment", semantic.Text), str("O'Neil\n-- x"))))},
		{"ratio", q([]int{month}, "mean", ratio)},
		{"top", q([]int{customer}, "segment", key(segment), "revenue", leaf(revenue)).with(func(q *Query) { q.Top = &Top{N: 10, Members: []int{customer}, By: leaf(revenue)} })},
		{"two facts", q([]int{region}, "revenue", leaf(revenue), "tickets", leaf(ticketCount), "each", op("/", leaf(revenue), leaf(ticketCount)))},
		{"share", q([]int{category}, "revenue", leaf(revenue), "share", op("/", leaf(revenue), coarser(leaf(revenue))))},
		{"year before", year2024(q([]int{month}, "revenue", leaf(revenue), "change", op("-", leaf(revenue), at(revenue, 1)))).context(Context{From: date(2023, 1, 1), To: date(2024, 1, 1), Shift: 12, Unit: "month"})},
		{"moving", year2024(q([]int{month}, "moving", over("moving", leaf(revenue), 3, "")))},
		{"filled", year2024(q([]int{segment, month}, "revenue", leaf(revenue))).with(func(q *Query) {
			q.Fill = &Fill{Axis: month, Mode: "zero", From: date(2024, 1, 1), To: date(2025, 1, 1)}
		})},
		{"two levels", q([]int{segment}, "per_customer", reduce("avg", leaf(revenue), customer))},
		{"snapshots", q([]int{month}, "balance", leaf(balanceLast), "each", leaf(balancePerKey))},
		{"other and totals", q([]int{category}, "revenue", leaf(revenue), "buyers", leaf(buyers)).with(func(q *Query) {
			q.Top = &Top{N: 2, Members: []int{category}, By: leaf(revenue), Other: true}
			q.Totals = [][]int{nil}
			q.Outputs = append(q.Outputs, Output{Name: "is_other", Flag: "other"}, Output{Name: "is_total", Flag: "total"})
		})},
		{"author's select", q([]int{region}, "revenue", leaf(revenue)).with(func(q *Query) {
			q.Sources[orders].Nodes[1].Table, q.Sources[orders].Nodes[1].SQL = "", "SELECT *\nFROM customers\nWHERE name <> 'a\n--b';\n"
		})},
		{"quantifier", q([]int{segment}, "orders", leaf(orderCount)).where(orders, op("not", &Scalar{Op: "exists", Type: semantic.Boolean, Sub: &Sub{
			Nodes: []Node{{Entity: "tickets", Table: "tickets", Parent: -1}},
			On:    []Pair{{Parent: col(1, "customer_id", semantic.Integer), Own: col(0, "customer_id", semantic.Integer)}},
		}}))},
	}
}

// TestStatements compares the plain SQL with the golden file; the rewrites have tests of their own.
func TestStatements(t *testing.T) {
	const file = "testdata/statements.txtar"
	archive := &txtar.Archive{Comment: []byte("The plain SQL of queries over shop.sql, without rewrites.\n")}
	for _, s := range statements() {
		p, err := Compile(s.Query, Options{Without: []string{"all"}})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		again, err := Compile(s.Query, Options{Without: []string{"all"}})
		if err != nil || again.SQL != p.SQL {
			t.Errorf("%s: the text changes", s.name)
		}
		archive.Files = append(archive.Files, txtar.File{Name: s.name, Data: []byte(p.SQL + "\n")})
	}
	got := string(txtar.Format(archive))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				t.Fatalf("line %d: got %q; run with -update and read the difference", i+1, a[i])
			}
		}
		t.Fatal("the file is longer; run with -update and read the difference")
	}
}

// TestExplain: the plan names every step, in the order in which they are evaluated, and says what it does.
func TestExplain(t *testing.T) {
	b := q([]int{region}, "revenue", leaf(revenue), "tickets", leaf(ticketCount), "share", op("/", leaf(revenue), coarser(leaf(revenue))))
	p, err := Compile(b.Query, Options{Without: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, s := range p.Steps {
		kinds = append(kinds, s.Kind)
		if s.Says == "" || strings.HasPrefix(s.Says, "[") {
			t.Errorf("%s says %q", s.Kind, s.Says)
		}
		if s.Name != "" && !strings.Contains(p.SQL, s.Name+" AS (") {
			t.Errorf("no step %s in the SQL", s.Name)
		}
	}
	if got, want := strings.Join(kinds, ","), "scan,scan,scan,scan,stack,collapse,scan,attach,order"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if p, err = Compile(q([]int{region}, "revenue", leaf(revenue)).Query, Options{}); err != nil || len(p.Rewrites) == 0 {
		t.Fatalf("%v, %+v", err, p)
	}
	for _, r := range p.Rewrites {
		if r.Why == "" || strings.HasPrefix(r.Why, "[") {
			t.Errorf("%s says %q", r.Name, r.Why)
		}
	}
}
