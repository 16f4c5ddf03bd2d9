package timex

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

var update = flag.Bool("update", false, "write what is read now into testdata/phrases.txtar")

// clockOf reads the name of a section: a day, then words that say the manner and the calendars.
func clockOf(t *testing.T, name string) (frameql.Env, Manner) {
	t.Helper()
	fields := strings.Fields(name)
	now, err := time.Parse("2006-01-02", fields[0])
	if err != nil {
		t.Fatal(err)
	}
	env, manner := frameql.Env{Now: now.Add(15 * time.Hour), Model: &semantic.Model{Name: "dates", Version: "sha256:test"}}, Exact
	for _, f := range fields[1:] {
		switch f {
		case "whole":
			manner = Whole
		case "sunday":
			env.Model.Workspace.WeekStart = "sunday"
		case "july":
			env.Model.Calendars = []semantic.Calendar{{Name: "fiscal", StartMonth: 7, LabelYear: "end"}}
		}
	}
	return env, manner
}

// TestPhrases reads every phrase of the table: "phrase: first day .. day after the last", with "-" for what is no range, and
// "open" for an end that is.
func TestPhrases(t *testing.T) {
	path := filepath.Join("testdata", "phrases.txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		env, manner := clockOf(t, f.Name)
		var out strings.Builder
		for line := range strings.Lines(string(f.Data)) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				out.WriteString(line + "\n")
				continue
			}
			phrase, want, _ := strings.Cut(line, " = ")
			got := rangeOf(phrase, env, manner)
			if got != want && !*update {
				t.Errorf("%s: %q: %s, want %s", f.Name, phrase, got, want)
			}
			fmt.Fprintf(&out, "%s = %s\n", phrase, got)
		}
		archive.Files[i].Data = []byte(out.String())
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func rangeOf(phrase string, env frameql.Env, manner Manner) string {
	p, _, ok := Read(phrase, env, manner)
	if !ok {
		return "-"
	}
	use, refusal := frameql.ResolvePeriod(p.Asked, env.Now, env.Model)
	switch {
	case refusal != nil:
		return "refused"
	case p.From.IsZero() != (use.From.Year() == 1) && !p.From.IsZero() || !p.From.IsZero() && !p.From.Equal(use.From) || !p.To.IsZero() && !p.To.Equal(use.To):
		return fmt.Sprintf("two readings: %s %s and %s", ISO(p.From), ISO(p.To), p.Asked)
	}
	from, to := ISO(use.From), ISO(use.To)
	if use.From.Year() <= 1 {
		from = "open"
	}
	if use.To.IsZero() {
		to = "open"
	}
	return from + " .. " + to
}
