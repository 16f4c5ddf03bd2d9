//go:build cgo

package dialecttest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	. "assay/backend/compile"
	"assay/backend/compile/dialecttest"
	"assay/backend/semantic"
)

var update = flag.Bool("update", false, "write the golden SQL anew")

// TestDialectsGiveTheSameRows runs every query of the shop on every server, whole or by leaf frames, with all rewrites and
// without any, and wants DuckDB's rows.
func TestDialectsGiveTheSameRows(t *testing.T) {
	whole, parts := map[Dialect]int{}, map[Dialect]int{}
	lacked := map[Dialect][]string{}
	for _, q := range shopQueries() {
		t.Run(q.name, func(t *testing.T) {
			duck := mustCompile(t, q.query, DuckDB)
			names, want := dialecttest.Rows(t, servers.Shop(t, dialecttest.DuckDB), duck.SQL)
			if len(names) != len(duck.Columns) || len(want) == 0 {
				t.Errorf("%d rows of columns %v, the program says %v", len(want), names, duck.Columns)
			}
			for _, d := range []Dialect{Postgres, MySQL} {
				p := mustCompile(t, q.query, d)
				if len(p.LeafFrames) == 0 {
					whole[d]++
				} else {
					parts[d]++
					lacked[d] = append(lacked[d], strings.Split(p.LeafFrames[0].Missing, ", ")...)
				}
				for _, p := range []*Program{p, mustCompile(t, q.query, d, "all")} {
					if diff := dialecttest.Different(finished(t, p, d), want); diff != "" {
						t.Errorf("%s: %s\n%s", d, diff, p.SQL)
					}
				}
			}
		})
	}
	for d, want := range map[Dialect]string{Postgres: "[ignore_nulls]", MySQL: "[first_last ignore_nulls percentile range_window time_zone]"} {
		slices.Sort(lacked[d])
		if got := fmt.Sprint(slices.Compact(lacked[d])); got != want && whole[d]+parts[d] == len(shopQueries()) {
			t.Errorf("%s: leaf frames for %s, want them for %s", d, got, want)
		}
		t.Logf("%s: %d queries whole, %d by leaf frames", d, whole[d], parts[d])
	}
}

// finished gives the rows of a program: of its statement on the server, or of DuckDB over its leaf frames.
func finished(t *testing.T, p *Program, d Dialect) [][]any {
	t.Helper()
	if len(p.LeafFrames) == 0 {
		_, rows := dialecttest.Rows(t, servers.Shop(t, dialecttest.Engine(d)), p.SQL)
		return rows
	}
	local := servers.Open(t, dialecttest.DuckDB)
	for _, f := range p.LeafFrames {
		_, rows := dialecttest.Rows(t, servers.Shop(t, dialecttest.Engine(d)), f.SQL)
		dialecttest.Load(t, local, dialecttest.DuckDB, []dialecttest.Table{{Name: f.Name, Rows: rows, Columns: frameColumns(f)}})
	}
	_, rows := dialecttest.Rows(t, local, p.SQL)
	return rows
}

// TestGoldenSQL keeps the text of every query in every dialect.
func TestGoldenSQL(t *testing.T) {
	for _, q := range shopQueries() {
		file := filepath.Join("testdata", "dialects", q.name+".txtar")
		archive := &txtar.Archive{Comment: []byte("SQL of the query " + q.name + " of queries_test.go, by dialect. go test ./backend/compile/dialecttest -run TestGoldenSQL -update writes it.\n")}
		for _, d := range []Dialect{DuckDB, Postgres, MySQL, ClickHouse} {
			p := mustCompile(t, q.query, d)
			for _, f := range p.LeafFrames {
				archive.Files = append(archive.Files, txtar.File{Name: string(d) + "/" + f.Name + ".sql", Data: []byte("-- lacks " + f.Missing + "\n" + f.SQL + "\n")})
			}
			archive.Files = append(archive.Files, txtar.File{Name: string(d) + ".sql", Data: []byte(p.SQL + "\n")})
		}
		got := txtar.Format(archive)
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if string(want) != string(got) {
			t.Errorf("%s: the SQL changed: run with -update and read the difference", q.name)
		}
	}
}

func mustCompile(t *testing.T, q *Query, d Dialect, without ...string) *Program {
	t.Helper()
	p, err := Compile(q, Options{Dialect: d, Without: without})
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	return p
}

// frameColumns gives the columns of a leaf frame with a type that holds what came.
func frameColumns(f LeafFrame) []dialecttest.Column {
	var all []dialecttest.Column
	for _, c := range f.Columns {
		if c.Type == semantic.Decimal {
			c.Type = "" // as wide as there is
		}
		all = append(all, dialecttest.Column{Name: c.Name, Type: c.Type})
	}
	return all
}
