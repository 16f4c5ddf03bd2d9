package workspace

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/fault"
)

func shippedFiles(files map[string]string) fstest.MapFS {
	sample := fstest.MapFS{}
	for name, content := range files {
		sample[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return sample
}

// A newer program replaces what it shipped, takes away what it no longer ships, and leaves what a person made of it.
func TestUpgradeKeepsWhatAPersonChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample")
	first := shippedFiles(map[string]string{
		"workspace.yaml": "workspace: shop\n", "context/a.yaml": "a: 1\n", "context/b.yaml": "b: 1\n", "context/old.yaml": "old: 1\n", "context/loved.yaml": "loved: 1\n",
	})
	if err := layDown(first, dir); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "context/a.yaml", "a: mine\n")
	write(t, dir, "context/loved.yaml", "loved: mine\n")
	write(t, dir, "context/own.yaml", "own: mine\n")

	second := shippedFiles(map[string]string{
		"workspace.yaml": "workspace: shop\n", "context/a.yaml": "a: 2\n", "context/b.yaml": "b: 2\n", "context/new.yaml": "new: 2\n",
	})
	want := map[string]string{
		"workspace.yaml": "workspace: shop\n", "context/a.yaml": "a: mine\n", "context/b.yaml": "b: 2\n", "context/new.yaml": "new: 2\n",
		"context/loved.yaml": "loved: mine\n", "context/own.yaml": "own: mine\n",
	}
	for _, again := range []string{"the upgrade", "the next start"} {
		if err := layDown(second, dir); err != nil {
			t.Fatal(err)
		}
		for name, content := range want {
			if got := read(t, dir, name); got != content {
				t.Errorf("after %s %s holds %q, want %q", again, name, got, content)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "context", "old.yaml")); !os.IsNotExist(err) {
			t.Errorf("after %s an untouched file that is no longer shipped is still there (%v)", again, err)
		}
	}
	third := shippedFiles(map[string]string{"workspace.yaml": "workspace: shop\n", "context/a.yaml": "a: 3\n", "context/b.yaml": "b: 3\n"})
	if err := layDown(third, dir); err != nil {
		t.Fatal(err)
	}
	if a, b := read(t, dir, "context/a.yaml"), read(t, dir, "context/b.yaml"); a != "a: mine\n" || b != "b: 3\n" {
		t.Errorf("a second upgrade leaves %q and %q", a, b)
	}
}

// What a killed process left of a file is gone after the next start, and the file is whole.
func TestUnfinishedFileIsWrittenAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".assay/new", "workspa")
	sample := shippedFiles(map[string]string{"workspace.yaml": "workspace: shop\n"})
	if err := layDown(sample, dir); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "workspace.yaml"); got != "workspace: shop\n" {
		t.Errorf("the file holds %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, ".assay", "new")); !os.IsNotExist(err) {
		t.Errorf("the unfinished file is still there (%v)", err)
	}
}

// A manifest that cannot be read costs nothing of what a person wrote.
func TestDamagedManifestReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, manifestFile, "{")
	write(t, dir, "a.yaml", "mine\n")
	if err := layDown(shippedFiles(map[string]string{"a.yaml": "shipped\n"}), dir); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "a.yaml"); got != "mine\n" {
		t.Errorf("the file holds %q", got)
	}
}

// Two processes that start at once with nothing there both get the sample whole and answer.
func TestTwoProcessesOpenTheSampleAtOnce(t *testing.T) {
	home := t.TempDir()
	var running []*exec.Cmd
	var said [2]strings.Builder
	for i := range said {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), askingEnv+"="+home)
		process.Stdout, process.Stderr = &said[i], os.Stderr
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, process)
	}
	for i, process := range running {
		if err := process.Wait(); err != nil {
			t.Error(err)
		}
		if got := strings.TrimSpace(said[i].String()); got != "617085.2035" {
			t.Errorf("process %d answers %q", i+1, got)
		}
	}
}

// askSample is what each of the two processes does.
func askSample(home string) string {
	w, err := Open(context.Background(), Target{}, Options{DataDir: home, Now: noon})
	if err != nil {
		return fault.Detail(err)
	}
	defer w.Close()
	got, err := answered(w, "revenue in 1997")
	if err != nil {
		return fault.Detail(err)
	}
	return got
}
