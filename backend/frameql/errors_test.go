package frameql_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/backend/fault"
	. "assay/backend/frameql"
)

// TestErrors holds malformed queries and what is said about them: where, what was expected, what stands there, and the next
// step. Write a query into testdata/syntax and run with -update.
func TestErrors(t *testing.T) {
	for file, parse := range map[string]func(string) error{
		"testdata/syntax/errors.txtar":      func(s string) error { _, err := Parse(s); return err },
		"testdata/syntax/json_errors.txtar": func(s string) error { _, err := ParseJSON([]byte(s)); return err },
	} {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rewritten []txtar.File
		cases := 0
		for i, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".out") {
				continue
			}
			cases++
			got := described(parse(strings.TrimSuffix(string(f.Data), "\n")))
			rewritten = append(rewritten, f, txtar.File{Name: f.Name + ".out", Data: []byte(got)})
			if *update {
				continue
			}
			if want := string(archive.Files[i+1].Data); got != want {
				t.Errorf("%s: %s\ngot\n%s\nwant\n%s", file, f.Name, got, want)
			}
		}
		if cases < 35 {
			t.Errorf("%s: %d cases", file, cases)
		}
		if *update {
			archive.Files = rewritten
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// described writes an error in words that a reviewer can check.
func described(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return fmt.Sprintf("no error: %v\n", err)
	}
	if f.Hint == "" || strings.Contains(err.Error(), "[frameql.") || strings.ContainsAny(f.Message, "\n") {
		return "a bad message: " + err.Error() + "\n"
	}
	where := ""
	if s := new(SyntaxError); errors.As(err, &s) {
		where = fmt.Sprintf("%d:%d ", s.Line, s.Column)
	}
	if j := new(JSONError); errors.As(err, &j) {
		where = fmt.Sprintf("%q %d:%d ", j.Pointer, j.Line, j.Column)
	}
	return fmt.Sprintf("%s%s\n%s\n%s\n", where, f.Code, f.Message, f.Hint)
}
