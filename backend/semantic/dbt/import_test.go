package dbt

import (
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/fault"
	"assay/backend/semantic"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite what the archives in testdata expect")

// project gives the files under project/ of an archive.
func projectFS(a *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "project/"); ok {
			fsys[name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return fsys
}

// Every archive of testdata/import holds a project, and under want/ the files and the notes that the import makes of it.
func TestImport(t *testing.T) {
	files, err := filepath.Glob("testdata/import/*.txtar")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d archives, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			r, err := Import(projectFS(a), Options{})
			if err != nil {
				got["want/error"] = err.Error() + "\n"
			} else {
				imported(t, r, got)
			}
			if *update {
				rewrite(t, file, a, got)
				return
			}
			for _, f := range a.Files {
				if strings.HasPrefix(f.Name, "want/") {
					if got[f.Name] != string(f.Data) {
						t.Errorf("%s:\n%s\nwant:\n%s", f.Name, got[f.Name], f.Data)
					}
					delete(got, f.Name)
				}
			}
			for name, text := range got {
				t.Errorf("not expected: %s\n%s", name, text)
			}
		})
	}
}

func imported(t *testing.T, r *Result, got map[string]string) {
	t.Helper()
	m, err := r.Sealed()
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range semantic.WriteYAML(m) {
		got["want/"+name] = string(body)
	}
	for _, c := range m.Calendars {
		got["want/calendars"] += c.Name + " " + c.Table + "." + c.DateColumn + "\n"
	}
	for _, n := range r.Notes {
		mark := "look: "
		if n.Lost {
			mark = "lost: "
		}
		got["want/notes"] += mark + n.String() + "\n"
	}
}

func rewrite(t *testing.T, file string, a *txtar.Archive, got map[string]string) {
	t.Helper()
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	for _, name := range slices.Sorted(maps.Keys(got)) {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestImportNothing(t *testing.T) {
	for name, fsys := range map[string]fstest.MapFS{
		"empty folder": {},
		"other YAML":   {"a.yaml": {Data: []byte("version: 2\n")}},
	} {
		if _, err := Import(fsys, Options{}); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What anyone may write into a file gives an error with its place, never a panic.
func TestImportBadFiles(t *testing.T) {
	for name, raw := range map[string]string{
		"syntax.yaml":   "semantic_models: [{name: a\n",
		"deep.yaml":     strings.Repeat("[", 10_000),
		"deeper.yaml":   "a:\n" + strings.Repeat(" ", 4000) + "- b\n",
		"manifest.json": `{"semantic_models": {`,
		"twice.yaml":    "semantic_model: {name: a, name: b}\n",
	} {
		_, err := Import(fstest.MapFS{name: {Data: []byte(raw)}}, Options{})
		var f *fault.Error
		if !errors.As(err, &f) || !strings.Contains(f.Message, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	deep := `{"metrics":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}"
	if _, err := Import(fstest.MapFS{"manifest.json": {Data: []byte(deep)}}, Options{}); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("deep JSON: %v", err)
	}
}

// Whatever is done to the lines of a project, the import gives a model that seals or an error, and never panics.
func TestImportSurvivesDamage(t *testing.T) {
	files, err := filepath.Glob("testdata/import/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	archives := map[string]*txtar.Archive{}
	for _, file := range files {
		if archives[file], err = txtar.ParseFile(file); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		fsys := projectFS(archives[rapid.SampledFrom(files).Draw(t, "archive")])
		for _, name := range slices.Sorted(maps.Keys(fsys)) {
			text := string(fsys[name].Data)
			for range rapid.IntRange(1, 4).Draw(t, "damages") {
				text = damaged(t, text)
			}
			fsys[name].Data = []byte(text)
		}
		r, err := Import(fsys, Options{})
		if err != nil {
			return
		}
		_, _ = r.Sealed()
	})
}

// damaged takes away, repeats or changes a piece of a text.
func damaged(t *rapid.T, text string) string {
	if text == "" {
		return text
	}
	from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
	to := min(len(text), from+rapid.IntRange(0, 40).Draw(t, "length"))
	with := rapid.SampledFrom([]string{"", "", text[from:to] + text[from:to], "null", "[]", "{}", "''", "-1", "{{", "__", ": ", "\n- "}).Draw(t, "with")
	return text[:from] + with + text[to:]
}

// The types of columns come from the loaded tables first, and the tables' names too.
func TestImportKnowsLoadedTables(t *testing.T) {
	fsys := fstest.MapFS{"m.yaml": {Data: []byte(`
semantic_models:
  - name: trips
    model: ref('fct_trips')
    entities: [{name: trip, type: primary, expr: trip_id}]
    dimensions: [{name: city, type: categorical}, {name: began, type: time, type_params: {time_granularity: day}}]
    measures: [{name: km, agg: sum}]
  - name: gone
    model: ref('fct_gone')
    entities: [{name: x, type: primary}]
`)}}
	tables := []Table{{Name: "t_1", Alias: "FCT_TRIPS", Columns: []Column{{"TRIP_ID", semantic.Integer}, {"CITY", semantic.Text}, {"BEGAN", semantic.Timestamp}, {"KM", semantic.Float}}}}
	r, err := Import(fsys, Options{Tables: tables})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Model.Entities[1]
	if e.Name != "trips" || e.Source.Table != "t_1" {
		t.Errorf("entity %s reads %s", e.Name, e.Source.Table)
	}
	if d := e.Dimension("trip"); d.Type != semantic.Integer || d.Column != "TRIP_ID" {
		t.Errorf("key: %+v", d)
	}
	if d := e.Dimension("began"); d.Type != semantic.Timestamp || d.Granularity != "day" {
		t.Errorf("time: %+v", d)
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0].Message, "fct_gone") {
		t.Errorf("a table that is not loaded is not noted: %v", r.Notes)
	}
}
