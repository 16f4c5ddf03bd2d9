package workspace

import (
	"path/filepath"
	"slices"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/store"
)

// A question that is asked while files come in is answered over what is there, and the model is made of all that came in.
func TestQuestionsAreAnsweredDuringAnImport(t *testing.T) {
	w := openTarget(t, Target{Sample: "northwind"}, t.TempDir())
	dir := t.TempDir()
	var outcome string
	requests := []store.ImportRequest{
		{Path: write(t, dir, "towns.csv", "town,people\nRome,5\nOslo,3\n"), Progress: func(store.Progress) {
			if outcome == "" {
				a, err := w.Ask(t.Context(), analyst.Request{Question: "revenue by category in 1997"}, nil)
				if outcome = string(a.Outcome); err != nil {
					t.Error(err)
				}
			}
		}},
		{Path: filepath.Join(dir, "nowhere.csv")},
		{Path: write(t, dir, "rivers.csv", "river,boats\nTiber,405\n")},
	}
	var heard []fault.Code
	err := w.ImportAll(t.Context(), requests, func(i int, s *store.Source, err error) bool {
		heard = append(heard, fault.CodeOf(err))
		return true
	})
	if err != nil || outcome != string(analyst.OutcomeAnswer) || !slices.Equal(heard, []fault.Code{"", fault.NotFound, ""}) {
		t.Errorf("%v, %q, %v", err, outcome, heard)
	}
	for _, question := range []string{"total people", "total boats"} {
		if got := cells(t, w, question); got != map[string]string{"total people": "8", "total boats": "405"}[question] {
			t.Errorf("%s: %s", question, got)
		}
	}
}
