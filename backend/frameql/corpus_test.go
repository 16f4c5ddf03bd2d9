package frameql_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	. "assay/backend/frameql"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// TestCorpus holds query -> canonical text and SQL, or refusals with their repairs. A file is a txtar of cases: the
// sections "name" (the query) and "name.out". Write a query and run with -update. A file whose name begins with
// another model's (see fixture) asks about that one, any other about the shop.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rewritten []txtar.File
		for i, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".out") {
				continue
			}
			got := outcome(strings.TrimSpace(string(f.Data)), fixture(filepath.Base(file)))
			rewritten = append(rewritten, f, txtar.File{Name: f.Name + ".out", Data: []byte(got)})
			if *update {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				want := ""
				if i+1 < len(archive.Files) && archive.Files[i+1].Name == f.Name+".out" {
					want = string(archive.Files[i+1].Data)
				}
				if got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
		if *update {
			archive.Files = rewritten
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// outcome writes what becomes of a query in words that a reviewer can check.
func outcome(source string, e Env) string {
	q, err := Parse(source)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	plan, refusals := Resolve(q, e)
	if tried := Try(q, e); (tried == nil) != (plan == nil) || plan != nil && tried.Query.String() != plan.Query.String() {
		b.WriteString("trying says otherwise\n")
	}
	for _, r := range refusals {
		fmt.Fprintf(&b, "refused: %s %s\n", r.Code, r.Message)
		if r.Span != [2]int{} {
			fmt.Fprintf(&b, "  at %q\n", q.String()[r.Span[0]:r.Span[1]])
		}
		for _, p := range r.Repairs {
			fmt.Fprintf(&b, "  %s: %s\n", p.Label, p.FrameQL)
		}
	}
	if plan == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "%s\n", plan.Query)
	for _, c := range plan.Columns {
		fmt.Fprintf(&b, "# %s %s %s %q", c.Name, c.Role, c.Type, c.Label)
		for _, s := range []string{c.Unit, c.Grain, c.Dimension, c.Metric, c.Additivity} {
			if s != "" {
				b.WriteString(" " + s)
			}
		}
		if d := c.Derived; d != nil {
			fmt.Fprintf(&b, " (%s of %q, %q)", d.How, d.Of, d.With)
		}
		b.WriteByte('\n')
	}
	b.WriteString("# of " + strings.Join(plan.Facts, ", "))
	for _, j := range plan.Joins {
		b.WriteString(", " + strings.TrimSpace(j.From+" -> "+j.To+" "+j.Role))
	}
	fmt.Fprintf(&b, "; %d subqueries, %d windows\n", plan.Complexity.Subqueries, plan.Complexity.Windows)
	if p := plan.Period; p != nil {
		fmt.Fprintf(&b, "# period %s on %s: %s to %s by %q", p.Label, p.On, day(p.From), day(p.To), p.Grain)
		if p.Relative {
			b.WriteString(", relative")
		}
		if p.Calendar != "" {
			b.WriteString(", " + p.Calendar)
		}
		b.WriteByte('\n')
	}
	for _, c := range plan.Comparands {
		fmt.Fprintf(&b, "# beside %s: %s to %s\n", c.Label, day(c.From), day(c.To))
	}
	for _, s := range plan.Assumptions {
		b.WriteString("# assumed: " + s + "\n")
	}
	for _, s := range plan.Notices {
		b.WriteString("# notice " + s.Code + ": " + s.Text + "\n")
	}
	s, err := plan.Statement(DuckDB)
	if err != nil {
		return b.String() + err.Error()
	}
	for line := range strings.Lines(s.SQL + "\n") {
		if len(line) > 600 { // the buckets of a calendar
			line = line[:600] + "...\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func day(t interface {
	IsZero() bool
	Format(string) string
},
) string {
	if t.IsZero() {
		return "open"
	}
	return t.Format("2006-01-02")
}
