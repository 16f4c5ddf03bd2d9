package dbt

import (
	"errors"
	"flag"
	"fmt"
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

// A manifest that is none, or of which a part is something else, is an error that names the thing and the next step, or a
// note; it never gives an entity or a metric without a name.
func TestImportBadManifests(t *testing.T) {
	const model = `"semantic_models": {"m": {"name": "trips", "entities": [{"name": "trip", "type": "primary"}], "measures": [{"name": "n", "agg": "count", "expr": "1"}]}}`
	derived := func(name, on string) string {
		return `"` + name + `": {"name": "` + name + `", "type": "derived", "type_params": {"expr": "` + on + `", "metrics": [{"name": "` + on + `"}]}}`
	}
	for name, c := range map[string]struct{ raw, want string }{
		"empty":            {``, "manifest.json:1 cannot be read: it ends before it is complete."},
		"cut off":          {"{\n\"nodes\": {\"a\": ", "manifest.json:2 cannot be read: it ends before it is complete."},
		"no JSON":          {`nodes: []`, "manifest.json:1 cannot be read: invalid character"},
		"a list":           {`[]`, "manifest.json cannot be read: an object is expected, and this is a list."},
		"a number":         {`42`, "this is a single value."},
		"nothing":          {`null`, "this is nothing."},
		"another artifact": {`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/run-results/v6.json"}}`, "it holds run-results, and is no manifest."},
		"too old":          {`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v4.json"}, "nodes": {}}`, "a manifest of version 4, which has no semantic models."},
		"newer":            {`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v99.json"}, ` + model + `}`, "look: manifest.json: manifests of version 10 to 12 are known, this one is of version 99."},
		"metrics a text":   {`{` + model + `, "metrics": "none"}`, "metrics is a single value, where a list or an object is expected."},
		"odd items":        {`{` + model + `, "metrics": [7, null, {"name": "m", "type": "simple", "type_params": {"measure": "n"}}]}`, "lost: manifest.json: metrics[1]: an object is expected, and this is a single value"},
		"odd keys":         {`{` + model + `, "exposures": {"a.b": []}}`, "lost: manifest.json: exposures.a.b: an object is expected, and this is a list"},
		"no name":          {`{"semantic_models": [{"entities": 1}, {"name": "trips", "entities": [{"type": "primary"}], "dimensions": "x", "measures": null}]}`, "lost: manifest.json: a semantic model: it has no name and is left out."},
		"no name within":   {`{"semantic_models": [{"name": "trips", "entities": [{"type": "primary"}]}]}`, "lost: manifest.json: semantic model trips: an entity or a dimension has no name and is left out."},
		"in a circle":      {`{` + model + `, "metrics": {` + derived("a", "b") + `, ` + derived("b", "c") + `, ` + derived("c", "a") + `}}`, "metric c: is left out: it rests on itself: a -> b -> c -> a"},
	} {
		got := ""
		r, err := Import(fstest.MapFS{ManifestName: {Data: []byte(c.raw)}}, Options{})
		if err != nil {
			got = err.Error()
			if f := new(fault.Error); !errors.As(err, &f) || f.Hint == "" {
				t.Errorf("%s: no next step: %v", name, err)
			}
		} else {
			notes := map[string]string{}
			imported(t, r, notes)
			got = notes["want/notes"]
			for _, e := range r.Model.Entities {
				if e.Name != "trips" {
					t.Errorf("%s: entity %q", name, e.Name)
				}
			}
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got  %s\n want %s", name, got, c.want)
		}
	}
}

// Thousands of metrics, each over the one before, are all carried.
func TestImportManyMetrics(t *testing.T) {
	var b strings.Builder
	b.WriteString("semantic_models:\n  - {name: trips, entities: [{name: trip, type: primary}], measures: [{name: n, agg: count, expr: '1'}]}\nmetrics:\n")
	b.WriteString("  - {name: m0, type: simple, type_params: {measure: n}}\n")
	const many = 2000
	for i := 1; i < many; i++ {
		fmt.Fprintf(&b, "  - {name: m%d, type: derived, type_params: {expr: m%d + 1, metrics: [{name: m%d}]}}\n", i, i-1, i-1)
	}
	r, err := Import(fstest.MapFS{"m.yaml": {Data: []byte(b.String())}}, Options{})
	if err != nil || len(r.Model.Metrics) != many {
		t.Fatalf("%d metrics, %v", len(r.Model.Metrics), err)
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
