package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/store"
)

// The test binary runs itself with this variable set to a data folder as another process that asks the sample.
const askingEnv = "ASSAY_WORKSPACE_TEST_ASKS"

func TestMain(m *testing.M) {
	if status, asked := store.Work(os.Args[1:]); asked {
		os.Exit(status)
	}
	if home := os.Getenv(askingEnv); home != "" {
		fmt.Println(askSample(home))
		return
	}
	status := m.Run()
	if sampleHome != "" {
		_ = os.RemoveAll(sampleHome)
	}
	os.Exit(status)
}

// sampleHome is the data folder in which the sample was imported for the tests; empty: none has asked for it yet.
var sampleHome string

// importedSample gives the folder of the sample as its first opening leaves it, without a memory.
var importedSample = sync.OnceValues(func() (string, error) {
	var err error
	if sampleHome, err = os.MkdirTemp("", "assay-sample-*"); err != nil {
		return "", err
	}
	w, err := Open(context.Background(), Target{}, Options{DataDir: sampleHome, Now: noon})
	if err != nil {
		return "", err
	}
	dir := w.dir
	if err := w.Close(); err != nil {
		return "", err
	}
	kept, err := filepath.Glob(filepath.Join(dir, ".assay", "memory.sqlite*"))
	for _, file := range kept {
		err = errors.Join(err, os.RemoveAll(file))
	}
	return dir, err
})

// layOut copies the imported sample into a data folder that has none yet: to import it for each test takes longer than the tests.
func layOut(t *testing.T, home string) {
	t.Helper()
	from, err := importedSample()
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	to := filepath.Join(home, filepath.Base(filepath.Dir(from)), filepath.Base(from))
	if _, err := os.Stat(to); err == nil {
		return
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// noon is the wall clock of these tests.
func noon() time.Time { return time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC) }

func openTarget(t *testing.T, target Target, home string) *Workspace {
	t.Helper()
	if reflect.DeepEqual(target, Target{}) {
		layOut(t, home)
	}
	w, err := Open(context.Background(), target, Options{DataDir: home, Now: noon})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// cells asks a question and writes the answer's rows, one a line, cells separated by a bar.
func cells(t *testing.T, w *Workspace, question string) string {
	t.Helper()
	got, err := answered(w, question)
	if err != nil {
		t.Fatalf("%q: %s", question, fault.Detail(err))
	}
	return got
}

func answered(w *Workspace, question string) (string, error) {
	a, err := w.Ask(context.Background(), analyst.Request{Question: question}, nil)
	if err != nil {
		return "", err
	}
	if a.Frame == nil {
		said := ""
		if a.Refusal != nil {
			said = a.Refusal.Message
		}
		return fmt.Sprintf("%s %s", a.Outcome, said), nil
	}
	return rowsOf(a.Frame), nil
}

func rowsOf(f *frameql.Frame) string {
	var lines []string
	for _, row := range f.Rows {
		var line []string
		for _, c := range row {
			line = append(line, fmt.Sprint(c))
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	return strings.Join(lines, "\n")
}

// write writes a file below a folder and gives its path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// wrongs is what is said of the problems of a workspace, one a line.
func wrongs(w *Workspace) string {
	var lines []string
	for _, p := range w.Problems() {
		lines = append(lines, p.Kind+" "+p.String()+" "+strings.Join(p.Repairs, ","))
	}
	return strings.Join(lines, "\n")
}
