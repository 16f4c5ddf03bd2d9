//go:build cgo

package frameqltest_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
)

var update = flag.Bool("update", false, "write the rows of the corpus")

// TestMeaning holds the evaluator, and what the resolver and the compiler make of a query, against SQL that a person wrote:
// for every query of the corpus all must give the rows that stand there.
func TestMeaning(t *testing.T) {
	const path = "testdata/meaning.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := Trade()
	e := openEngine(t)
	if err := e.load(w); err != nil {
		t.Fatal(err)
	}
	files := map[string]int{}
	for i, f := range archive.Files {
		files[f.Name] = i
	}
	count := 0
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".frameql")
		if !ok {
			continue
		}
		count++
		t.Run(name, func(t *testing.T) {
			q, err := frameql.Parse(string(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			want, err := w.Answer(q)
			if err != nil {
				t.Fatal(err)
			}
			statement, ok := files[name+".sql"]
			if !ok {
				t.Fatal("no statement")
			}
			got, err := e.run(string(archive.Files[statement].Data))
			if err != nil {
				t.Fatal(err)
			}
			if d := Diff(got, want); d != "" {
				t.Fatalf("%s\nthe statement is taken for right or wrong with the evaluator:\n%s", f.Data, d)
			}
			plan, refusals := frameql.Resolve(q, env(w))
			if plan == nil {
				t.Fatalf("%s\n%v", f.Data, refusals[0])
			}
			own, err := plan.Statement(frameql.DuckDB)
			if err != nil {
				t.Fatal(err)
			}
			if got, err = e.run(own.SQL); err != nil {
				t.Fatalf("%v\n%s", err, own.SQL)
			}
			if d := Diff(got, want); d != "" {
				t.Fatalf("%s\n%s\n%s", f.Data, d, own.SQL)
			}
			rows := want.String()
			at, ok := files[name+".rows"]
			if *update {
				if !ok {
					archive.Files = append(archive.Files, txtar.File{Name: name + ".rows"})
					at = len(archive.Files) - 1
				}
				archive.Files[at].Data = []byte(rows)
				return
			}
			if !ok || string(archive.Files[at].Data) != rows {
				t.Errorf("rows\n%s", rows)
			}
		})
	}
	if count < 40 {
		t.Errorf("only %d queries", count)
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
