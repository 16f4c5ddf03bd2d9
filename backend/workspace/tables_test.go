package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"assay/backend/fault"
	"assay/backend/store"
)

// TestProfileIsKeptAndFollowsTheData: what was measured is read again, in another process too, until the data changes.
func TestProfileIsKeptAndFollowsTheData(t *testing.T) {
	dir := shop(t)
	measured := func(w *Workspace) (rows int64, columns int) {
		t.Helper()
		p, err := w.Profile(t.Context(), "sales", 0, func(done, _ int) { columns = done })
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return p.Rows, columns
	}
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	if rows, columns := measured(w); rows != 3 || columns != 5 {
		t.Errorf("%d rows, %d columns measured", rows, columns)
	}
	other := openTarget(t, Target{Dir: dir}, t.TempDir())
	if rows, columns := measured(other); rows != 3 || columns != 0 {
		t.Errorf("again: %d rows, %d columns measured", rows, columns)
	}
	write(t, dir, "data/sales.csv", salesCSV+"4,2025-03-01,North,1.5,1\n")
	states, err := w.SourceStates(t.Context())
	if err != nil || len(states) != 1 || states[0].State != store.Changed || !states[0].Declared {
		t.Fatalf("%+v %v", states, err)
	}
	if _, err := w.Refresh(t.Context(), states[0].ID, nil, nil); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if rows, columns := measured(w); rows != 4 || columns != 5 {
		t.Errorf("after the refresh: %d rows, %d columns measured", rows, columns)
	}
	if got := cells(t, w, "turnover"); got != "57.25" {
		t.Errorf("answers follow: %s", got)
	}
	if _, err := w.Profile(t.Context(), "nowhere", 0, func(int, int) {}); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Profile(ctx, "sales", 2, func(int, int) {}); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("stopped: %v", err)
	}
}

// TestRemovedIsRefusedAndComesBack: a question about a removed table is refused, and after the restore it is answered as before.
func TestRemovedIsRefusedAndComesBack(t *testing.T) {
	w := openTarget(t, Target{Dir: shop(t)}, t.TempDir())
	id := w.Sources()[0].ID
	if err := w.Remove(t.Context(), id); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got, err := answered(w, "turnover"); err == nil && got == "55.75" {
		t.Errorf("a removed table answers %s", got)
	}
	if err := w.RequireData(); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	if _, err := w.Restore(t.Context(), id); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := cells(t, w, "turnover"); got != "55.75" {
		t.Errorf("after the restore: %s", got)
	}
}

// TestDataViewKeepsToTheRole: what a role does not see is not there, and cannot be changed.
func TestDataViewKeepsToTheRole(t *testing.T) {
	dir := shop(t)
	write(t, dir, "data/secret.csv", "k,v\n1,2\n")
	write(t, dir, "workspace.yaml", "workspace: shop\nsources: [data/sales.csv, data/secret.csv]\n")
	write(t, dir, "rules/roles.yaml", "default_role: narrow\nroles:\n  - name: narrow\n    schemas: [main]\n    tables: [sales]\n  - name: keeper\n    schemas: [\"*\"]\n    tables: [\"*\"]\n    steward: true\n")
	w, err := Open(t.Context(), Target{Dir: dir}, Options{DataDir: t.TempDir(), Now: noon})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer w.Close()
	states, err := w.SourceStates(t.Context())
	if err != nil || len(states) != 1 || states[0].Tables[0].Name != "sales" {
		t.Errorf("%+v %v", states, err)
	}
	var hidden string
	for _, s := range w.store.Sources() {
		if s.Tables[0].Name == "secret" {
			hidden = s.ID
		}
	}
	if hidden == "" {
		t.Fatal("nothing is hidden")
	}
	for name, do := range map[string]func() error{
		"profile": func() error {
			_, err := w.Profile(t.Context(), "secret", 0, func(int, int) {})
			return err
		},
		"head":     func() error { _, _, err := w.Head(t.Context(), "secret"); return err },
		"rejected": func() error { _, _, err := w.Rejected(t.Context(), "secret", 1); return err },
		"question": func() error { _, err := w.QuestionAbout(t.Context(), "secret", "k", ""); return err },
		"preview":  func() error { _, err := w.PreviewSource(t.Context(), hidden, store.Reading{}); return err },
		"refresh":  func() error { _, err := w.Refresh(t.Context(), hidden, nil, nil); return err },
		"rename":   func() error { return w.Rename(t.Context(), hidden, "x") },
		"remove":   func() error { return w.Remove(t.Context(), hidden) },
		"replace": func() error {
			_, err := w.Import(t.Context(), store.ImportRequest{Path: filepath.Join(dir, "data", "sales.csv"), Replace: hidden})
			return err
		},
	} {
		if err := do(); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSampleIntoAnEmptyWorkspace: a workspace without data takes the sample, and has questions then.
func TestSampleIntoAnEmptyWorkspace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	w := openTarget(t, Target{Dir: dir, Create: true}, t.TempDir())
	if len(w.Starters(t.Context())) != 0 {
		t.Errorf("%v", w.Starters(t.Context()))
	}
	sources, err := w.TakeSample(t.Context(), DefaultSample)
	if err != nil || len(sources) == 0 || len(w.Starters(t.Context())) < 3 {
		t.Errorf("%d sources, questions %v, %v", len(sources), w.Starters(t.Context()), err)
	}
	if _, err := w.TakeSample(t.Context(), "nowhere"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
}
