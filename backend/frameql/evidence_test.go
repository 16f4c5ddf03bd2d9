//go:build cgo

package frameql_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"assay/backend/compile"
	. "assay/backend/frameql"
)

// What stands besides a frame is about the same rows: asking what the numbers rest on adds columns and changes nothing, the
// second path gives the same rows, and the rows without partner can be counted. Over the corpus and over drawn queries.
func TestBesidesTheFrame(t *testing.T) {
	db := openShop(t)
	files, _ := filepath.Glob("testdata/*.txtar")
	seen, counted := 0, 0
	try := func(fail func(string, ...any), q *Query) {
		plan, _ := Resolve(q, env())
		if plan == nil {
			return
		}
		seen++
		counted += besides(t, fail, db, plan)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if q, err := Parse(strings.TrimSpace(string(f.Data))); err == nil && !strings.HasSuffix(f.Name, ".out") {
				try(func(format string, args ...any) { t.Errorf(f.Name+": "+format, args...) }, q)
			}
		}
	}
	if seen < 50 || counted < 5 {
		t.Errorf("only %d plans, %d with something to count", seen, counted)
	}
	check(t, 100, func(rt *rapid.T) { try(rt.Fatalf, drawShopQuery(rt)) })
}

// besides runs what may be asked besides a plan; 1: something is counted behind its numbers.
func besides(t *testing.T, fail func(string, ...any), db *sql.DB, plan *Plan) (counts int) {
	s, err := plan.Statement(DuckDB)
	if err != nil {
		t.Fatal(err)
	}
	_, base, err := rowsOf(db, s.SQL)
	if err != nil {
		fail("%s\n%s\n%v", plan.Query, s.SQL, err)
		return 0
	}
	ask := func(q *compile.Query, without ...string) ([]string, string) {
		program, err := compile.Compile(q, compile.Options{Dialect: DuckDB, Without: without})
		if err != nil {
			t.Fatalf("%s: %v", plan.Query, err)
		}
		_, all, err := rowsOf(db, program.SQL)
		if err != nil {
			fail("%s\n%s\n%v", plan.Query, program.SQL, err)
		}
		return all, program.SQL
	}
	if again, written := ask(plan.SecondPath(), "all"); !slices.Equal(again, base) {
		fail("%s\nsecond path:\n%s\n%s\nwant\n%s", plan.Query, written, strings.Join(again, "\n"), strings.Join(base, "\n"))
	}
	if e := plan.Evidence(true); e != nil {
		more, written := ask(e.Query)
		if !slices.EqualFunc(more, base, strings.HasPrefix) {
			fail("%s\nevidence:\n%s\n%s\nwant\n%s", plan.Query, written, strings.Join(more, "\n"), strings.Join(base, "\n"))
		}
		counts = min(len(e.Behind), 1)
	}
	if u := plan.Unmatched(); u != nil {
		if one, written := ask(u.Query); len(one) != 1 || len(strings.Split(one[0], "|")) != len(u.Query.Outputs) {
			fail("%s\nunmatched: %v\n%s", plan.Query, one, written)
		}
	}
	if q, columns := plan.Whole(); q != nil {
		if one, _ := ask(q, "all"); len(one) != 1 || len(strings.Split(one[0], "|")) != len(columns) {
			fail("%s\nwhole: %v", plan.Query, one)
		}
	}
	return counts
}

// What counts the things behind a number is the least support that it has.
func TestWhatIsBehind(t *testing.T) {
	db := openShop(t)
	for query, want := range map[string]string{
		"SELECT average_freight":                          "COUNT(o.freight)",
		"SELECT average_order_value":                      "COUNT(DISTINCT ol.\"OrderID\")",
		"SELECT typical_freight":                          "COUNT(o.freight)",
		"SELECT freight":                                  "",
		"SELECT SHARE(freight) AT status":                 "",
		"SELECT freight / 2 AS half":                      "",
		"SELECT AVG(freight AT customers) AS x":           "COUNT(",
		"SELECT AVG(freight AT month) AS x":               "", // the months of a period are all of them
		"SELECT mean_stock AT products":                   "",
		"SELECT CUMULATIVE(average_freight) AT month":     "",
		"SELECT freight / (freight AT ()) AS x AT status": "COUNT(o.freight)",
	} {
		e := mustResolve(t, query).Evidence(false)
		if (e == nil || len(e.Behind) == 0) != (want == "") {
			t.Errorf("%s: %+v", query, e)
			continue
		}
		if want == "" {
			continue
		}
		program, err := compile.Compile(e.Query, compile.Options{Dialect: DuckDB})
		if err != nil || !strings.Contains(program.SQL, want) {
			t.Errorf("%s: %v\n%s", query, err, program.SQL)
		}
		if names, _ := rows(t, db, program.SQL); !strings.Contains(fmt.Sprint(names), "evidence_1") {
			t.Errorf("%s: %v", query, names)
		}
	}
}
