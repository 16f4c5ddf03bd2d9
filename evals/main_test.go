package evals_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"assay/backend/analyst"
	"assay/backend/store"
	"assay/backend/workspace"
)

// TestMain lets the test binary be the worker of the workspaces that its tests open.
func TestMain(m *testing.M) {
	if status, asked := store.Work(os.Args[1:]); asked {
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// openFolder makes a workspace of files by their paths, opens it, and imports some of them.
func openFolder(t *testing.T, dir string, files map[string]string, thinkers analyst.Thinkers, imported ...string) *workspace.Workspace {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(context.Background(), workspace.Target{Dir: dir}, workspace.Options{DataDir: t.TempDir(), Now: wallClock, Thinkers: thinkers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for _, name := range imported {
		if _, err := w.Import(context.Background(), store.ImportRequest{Path: filepath.Join(dir, name)}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}
