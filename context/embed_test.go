package shipped_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"assay/backend/semantic"
	shipped "assay/context"
)

func sampleNames(t *testing.T) []string {
	t.Helper()
	entries, err := fs.ReadDir(shipped.Samples(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func load(t *testing.T, sample string) (*semantic.Model, fs.FS) {
	t.Helper()
	folder, err := fs.Sub(shipped.Samples(), sample)
	if err != nil {
		t.Fatal(err)
	}
	model, err := semantic.Load(folder)
	if err != nil {
		t.Fatalf("%s: %v", sample, err)
	}
	return model, folder
}

func TestSamplesLoad(t *testing.T) {
	names := sampleNames(t)
	if want := []string{"adventureworks", "northwind"}; !slices.Equal(names, want) {
		t.Fatalf("samples are %v, want %v", names, want)
	}
	northwind, _ := load(t, "northwind")
	for what, n := range map[string]int{
		"entities": len(northwind.Entities), "metrics": len(northwind.Metrics), "joins": len(northwind.Joins),
		"gotchas": len(northwind.Gotchas), "golden queries": len(northwind.Golden), "guides": len(northwind.Guides),
		"calendars": len(northwind.Calendars), "memos": len(northwind.Memos),
	} {
		if n == 0 {
			t.Errorf("northwind has no %s", what)
		}
	}
	for _, kind := range []semantic.Kind{semantic.Leaf, semantic.Ratio, semantic.Derived} {
		if !slices.ContainsFunc(northwind.Metrics, func(m semantic.Metric) bool { return m.Kind == kind }) {
			t.Errorf("northwind has no %s metric", kind)
		}
	}
	for _, p := range semantic.Check(northwind) {
		t.Errorf("northwind: %s %s", p.Severity, p)
	}
	adventureworks, _ := load(t, "adventureworks")
	if n := len(adventureworks.Entities); n != 0 {
		t.Errorf("adventureworks declares %d entities; its model is inferred", n)
	}
	for _, m := range append(northwind.Memos, adventureworks.Memos...) {
		if len(m.RefusalScope) == 0 {
			t.Errorf("the %s memo refuses nothing", m.Level)
		}
	}
}

// The sources of a sample are the files in its data folder, and its licence stands beside them.
func TestSampleFiles(t *testing.T) {
	for _, sample := range sampleNames(t) {
		_, folder := load(t, sample)
		file, err := semantic.LoadWorkspaceFile(folder)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := fs.ReadDir(folder, "data")
		if err != nil {
			t.Fatal(err)
		}
		var present []string
		for _, e := range entries {
			present = append(present, path.Join("data", e.Name()))
		}
		sources := slices.Sorted(slices.Values(file.Sources))
		if slices.Sort(present); !slices.Equal(sources, present) {
			t.Errorf("%s: workspace.yaml lists %v, data/ holds %v", sample, sources, present)
		}
		if _, err := fs.Stat(folder, "LICENSE"); err != nil {
			t.Errorf("%s: %v", sample, err)
		}
	}
}

// One word means one metric: a name, label or synonym that two metrics share would make every question with it ambiguous.
func TestMetricNamesDoNotClash(t *testing.T) {
	northwind, _ := load(t, "northwind")
	owner := map[string]string{}
	for _, m := range northwind.Metrics {
		words := append([]string{strings.ReplaceAll(m.Name, "_", " "), m.Label}, m.Synonyms...)
		for _, w := range words {
			w = strings.ToLower(w)
			if other, taken := owner[w]; taken && other != m.Name {
				t.Errorf("%q names both %s and %s", w, other, m.Name)
			}
			owner[w] = m.Name
		}
		if m.Description == "" {
			t.Errorf("%s has no description", m.Name)
		}
	}
}

// What identifies or reaches a person carries a tag, so that its values are never indexed.
func TestPersonalDimensionsAreTagged(t *testing.T) {
	northwind, _ := load(t, "northwind")
	personal := []string{
		"FirstName", "LastName", "ContactName", "ManagerName", "HomePhone", "Phone", "Fax", "Address",
		"ShipAddress", "BirthDate", "Notes", "Extension",
	}
	for _, e := range northwind.Entities {
		for _, d := range e.Dimensions {
			if slices.Contains(personal, d.Column) && d.PII == "" {
				t.Errorf("%s.%s has no pii tag", e.Name, d.Name)
			}
			if d.PII != "" && d.FromData {
				t.Errorf("%s.%s is personal and must not be indexed", e.Name, d.Name)
			}
		}
	}
}

func TestInstallationMemo(t *testing.T) {
	memo, err := semantic.ParseMemo("installation", "ANALYST.md", string(shipped.Memo()))
	if err != nil {
		t.Fatal(err)
	}
	if memo.Text == "" {
		t.Error("the memo is empty")
	}
}
