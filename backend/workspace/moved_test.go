package workspace

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"assay/backend/store"
)

// A workspace that was moved, or copied with other times, is the same workspace: nothing is imported again, and nothing stands twice.
func TestMovedWorkspaceIsTheSame(t *testing.T) {
	first := filepath.Join(t.TempDir(), "first")
	w := openTarget(t, Target{Sample: "northwind"}, first)
	before, answer := w.Sources(), cells(t, w, "revenue by category in 1997")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	copied := filepath.Join(t.TempDir(), "copied")
	if err := os.CopyFS(copied, os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(first, moved); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{copied, moved} {
		w := openTarget(t, Target{Sample: "northwind"}, home)
		after := w.Sources()
		for i := range after {
			if want := filepath.Join(w.Dir(), "data", filepath.Base(before[i].Path)); after[i].Path != want {
				t.Errorf("%s is known as %s", want, after[i].Path)
			}
		}
		if !reflect.DeepEqual(withoutPaths(before), withoutPaths(after)) {
			t.Errorf("in %s: %+v\nbefore: %+v", filepath.Base(home), after, before)
		}
		if again := cells(t, w, "revenue by category in 1997"); again != answer {
			t.Errorf("in %s: %s", filepath.Base(home), again)
		}
		source, err := w.Import(t.Context(), store.ImportRequest{Path: after[0].Path})
		if err != nil || source.ID != before[0].ID || len(w.Sources()) != len(before) {
			t.Errorf("imported again in %s: %+v, %v, %d sources", filepath.Base(home), source, err, len(w.Sources()))
		}
	}
}

func withoutPaths(all []store.Source) []store.Source {
	var out []store.Source
	for _, s := range all {
		s.Path = ""
		out = append(out, s)
	}
	return out
}
