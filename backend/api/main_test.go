package api

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"assay/backend/store"
	"assay/backend/workspace"
)

// TestMain lets the test binary be the worker of the workspaces that its tests open.
func TestMain(m *testing.M) {
	if status, asked := store.Work(os.Args[1:]); asked {
		os.Exit(status)
	}
	if dir := os.Getenv("ASSAY_TEST_FULL_DISK"); dir != "" {
		writeOnFullDisk(dir)
		return
	}
	dir, err := os.MkdirTemp("", "assay-api")
	if err != nil {
		panic(err)
	}
	firstSample = sync.OnceValues(func() (string, error) {
		home := filepath.Join(dir, "home")
		ws, err := workspace.OpenSample(context.Background(), "northwind", workspace.Options{DataDir: home})
		if err != nil {
			return "", err
		}
		return home, ws.Close()
	})
	status := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(status)
}

// firstSample gives a data folder that holds the sample, for tests to begin with a copy of it: the import is made once.
var firstSample func() (string, error)

func sample(t *testing.T) *workspace.Workspace {
	t.Helper()
	return sampleIn(t, home(t))
}

// home is a data folder of the test's own that holds the sample.
func home(t *testing.T) string {
	t.Helper()
	from, err := firstSample()
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(home, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return home
}

func sampleIn(t *testing.T, home string) *workspace.Workspace {
	t.Helper()
	ws, err := workspace.OpenSample(context.Background(), "northwind", workspace.Options{DataDir: home})
	if err != nil {
		t.Fatal(err)
	}
	return ws
}
