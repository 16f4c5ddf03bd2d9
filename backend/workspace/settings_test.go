package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"assay/backend/rules"
)

// What a person chose holds at the next start, and after the files of the rules were read anew.
func TestSettingsOutliveTheProcess(t *testing.T) {
	home, target := t.TempDir(), Target{Sample: "northwind"}
	w := openTarget(t, target, home)
	s := w.Settings()
	s.Theme, s.Wishes.ReviewAll = "dark", true
	if _, err := w.Choose(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = openTarget(t, target, home)
	if got := w.Settings(); got.Theme != "dark" || !got.Wishes.ReviewAll || got.Limits != s.Limits {
		t.Fatalf("%+v", got)
	}
	folder := filepath.Join(w.Dir(), rules.Folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "autonomy.yaml"), []byte("mandatory_review: {above: 0.9}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.refresh(t.Context())
	if me, err := w.Identify("", rules.Caller{}); err != nil || !me.ReviewAll || w.Rules().Review != 0.9 {
		t.Errorf("%+v %v", me, err)
	}
	for _, f := range w.RuleFiles() {
		if f.Present != (f.Name == "rules/autonomy.yaml") {
			t.Errorf("%+v", f)
		}
	}
}
