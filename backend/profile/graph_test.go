package profile

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/semantic"
)

func TestDependencyGraph(t *testing.T) {
	e := openEngine(t)
	e.exec(t, `CREATE TABLE "the orders" (id INTEGER, code VARCHAR, city VARCHAR, country VARCHAR, area VARCHAR, made VARCHAR, line INTEGER, "a ""b" VARCHAR)`)
	e.exec(t, `INSERT INTO "the orders" VALUES (1,'a','Bonn','DE','EU','x',1,NULL),(2,'b','Bonn','DE','EU','x',2,'q'),(3,'c','Kiel','DE','EU','x',1,'q'),(4,'d','Rome','IT','EU','x',1,'r'),(5,'e',NULL,NULL,NULL,'x',1,'r')`)
	columns := []string{"id", "code", "city", "country", "area", "made", "line", `a "b`}
	want := &Graph{
		Rows: 5, Constants: []string{"made"}, Keys: [][]string{{"id"}, {"code"}}, Equivalent: [][]string{{"id", "code"}},
		Edges: [][2]string{{"id", "city"}, {"id", "line"}, {"id", `a "b`}, {"city", "country"}, {"country", "area"}},
	}
	for _, s := range []semantic.Source{{Table: "the orders"}, {SQL: `SELECT * FROM "the orders"`}} {
		got, err := DependencyGraph(context.Background(), e.run, s, columns)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
		}
	}
	got, err := DependencyGraph(context.Background(), e.run, semantic.Source{SQL: `SELECT * FROM "the orders" WHERE id > 99`}, columns)
	if err != nil || !reflect.DeepEqual(got, &Graph{Constants: []string{}, Keys: [][]string{}, Equivalent: [][]string{}, Edges: [][2]string{}}) {
		t.Errorf("no rows: %+v, %v", got, err)
	}
	if got, err = DependencyGraph(context.Background(), e.run, semantic.Source{Table: "the orders"}, nil); err != nil || got.Rows != 5 {
		t.Errorf("no columns: %+v, %v", got, err)
	}
}

// TestGraphAgainstBruteForce draws small tables and compares with what pairs of rows say.
func TestGraphAgainstBruteForce(t *testing.T) {
	e := openEngine(t)
	rapid.Check(t, func(rt *rapid.T) {
		wide, long := rapid.IntRange(1, 6).Draw(rt, "columns"), rapid.IntRange(1, 9).Draw(rt, "rows")
		table := make([][]string, long)
		var lines []string
		for i := range table {
			var cells []string
			for range wide {
				v := rapid.SampledFrom([]string{"NULL", "'a'", "'b'", "'c'", "'d'", "''"}).Draw(rt, "cell")
				table[i] = append(table[i], v)
				cells = append(cells, v)
			}
			lines = append(lines, "("+strings.Join(cells, ",")+")")
		}
		var columns, declared []string
		for k := range wide {
			columns = append(columns, fmt.Sprintf("c%d", k))
			declared = append(declared, fmt.Sprintf("c%d VARCHAR", k))
		}
		e.exec(t, "CREATE OR REPLACE TABLE drawn ("+strings.Join(declared, ",")+")")
		e.exec(t, "INSERT INTO drawn VALUES "+strings.Join(lines, ","))
		got, err := DependencyGraph(context.Background(), e.run, semantic.Source{Table: "drawn"}, columns)
		if err != nil {
			rt.Fatal(err)
		}
		if want := bruteForce(table, columns); !reflect.DeepEqual(got, want) {
			rt.Fatalf("%v\n got %+v\nwant %+v", table, got, want)
		}
	})
}

// bruteForce compares every two rows.
func bruteForce(table [][]string, columns []string) *Graph {
	n := len(columns)
	g := &Graph{Rows: int64(len(table)), Constants: []string{}, Keys: [][]string{}, Equivalent: [][]string{}, Edges: [][2]string{}}
	determines := func(left []int, y int) bool {
		for i := range table {
			for j := range i {
				same := !slices.ContainsFunc(left, func(x int) bool { return table[i][x] != table[j][x] })
				if same && table[i][y] != table[j][y] {
					return false
				}
			}
		}
		return true
	}
	constant := func(x int) bool { return determines(nil, x) }
	unique := func(left ...int) bool {
		for i := range table {
			if slices.ContainsFunc(left, func(x int) bool { return table[i][x] == "NULL" }) {
				return false
			}
			for j := range i {
				if !slices.ContainsFunc(left, func(x int) bool { return table[i][x] != table[j][x] }) {
					return false
				}
			}
		}
		return true
	}
	distinct := func(left ...int) bool { // with a missing value as a value
		for i := range table {
			for j := range i {
				if !slices.ContainsFunc(left, func(x int) bool { return table[i][x] != table[j][x] }) {
					return false
				}
			}
		}
		return true
	}
	var heads []int
	for x := range n {
		if constant(x) {
			g.Constants = append(g.Constants, columns[x])
			continue
		}
		if unique(x) {
			g.Keys = append(g.Keys, []string{columns[x]})
		}
		first := true
		class := []string{columns[x]}
		for y := range n {
			if y == x || constant(y) || !determines([]int{x}, y) || !determines([]int{y}, x) {
				continue
			}
			if y < x {
				first = false
			}
			class = append(class, columns[y])
		}
		if !first {
			continue
		}
		heads = append(heads, x)
		if len(class) > 1 {
			g.Equivalent = append(g.Equivalent, class)
		}
	}
	for _, x := range heads {
		for _, y := range heads {
			if x == y || !determines([]int{x}, y) {
				continue
			}
			if !slices.ContainsFunc(heads, func(z int) bool { return z != x && z != y && determines([]int{x}, z) && determines([]int{z}, y) }) {
				g.Edges = append(g.Edges, [2]string{columns[x], columns[y]})
			}
		}
	}
	for x := range n {
		for y := x + 1; y < n; y++ {
			if !constant(x) && !constant(y) && !distinct(x) && !distinct(y) && unique(x, y) {
				g.Keys = append(g.Keys, []string{columns[x], columns[y]})
			}
		}
	}
	return g
}

func TestExactColumn(t *testing.T) {
	e := openEngine(t)
	e.exec(t, `CREATE TABLE t AS SELECT * FROM (VALUES (1, 'b'), (2, 'a'), (3, 'b'), (4, NULL)) AS v(n, s)`)
	got, err := ExactColumn(context.Background(), e.run, semantic.Source{Table: "t"}, "s", false)
	if err != nil || got.Rows != 4 || got.Nulls != 1 || got.Distinct != 2 || *got.Min != "a" || *got.Max != "b" || len(got.Top) != 2 || got.Top[0].Value != "b" || got.Top[0].Count != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = ExactColumn(context.Background(), e.run, semantic.Source{SQL: "SELECT * FROM t"}, "s", true); err != nil || got.Distinct != 2 || got.Min != nil || len(got.Top) != 0 {
		t.Errorf("quietly: %+v, %v", got, err)
	}
	if got, err = ExactColumn(context.Background(), e.run, semantic.Source{SQL: "SELECT * FROM t WHERE n > 9"}, "s", false); err != nil || got.Rows != 0 || got.Min != nil || len(got.Top) != 0 {
		t.Errorf("no rows: %+v, %v", got, err)
	}
}
