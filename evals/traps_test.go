package evals_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/backend/analyst"
	"assay/backend/store"
	"assay/backend/workspace"
)

// trap is one check: a file that is read wrongly without a word, or a question whose words have a meaning that is easily
// missed. traps/README.md says what the keys mean.
type trap struct {
	ID      string          `json:"id"`
	Topic   string          `json:"topic"`
	Kind    string          `json:"kind"`
	Files   []string        `json:"files"`
	Setup   string          `json:"setup"`
	Sample  string          `json:"sample"`
	Session []string        `json:"session"`
	Ask     string          `json:"ask"`
	Frame   string          `json:"frame"`
	SQL     string          `json:"sql"`
	Expect  json.RawMessage `json:"expect"`
	Source  string          `json:"source"`
	Note    string          `json:"note"`
}

func readTraps(t *testing.T) (all []trap) {
	t.Helper()
	raw, err := os.ReadFile("traps/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		var c trap
		if err := decoder.Decode(&c); err != nil {
			t.Fatalf("check %d: %v", len(all)+1, err)
		}
		all = append(all, c)
	}
	return all
}

// parseExpectations reads the ways of being right: one object, or a list of which one must hold.
func parseExpectations(t *testing.T, raw json.RawMessage) (all []expectation) {
	t.Helper()
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestTraps asks every check, each file in a workspace of its own. A check that fails names the key of each way of being right
// that did not hold.
func TestTraps(t *testing.T) {
	t.Parallel()
	checks := readTraps(t)
	if len(checks) < 60 {
		t.Fatalf("%d checks, want at least 60", len(checks))
	}
	northwind := sync.OnceValue(func() *workspace.Workspace { return openSample(t, "northwind") })
	for _, c := range checks {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			ways := parseExpectations(t, c.Expect)
			r := c.answer(t, ways, northwind)
			var failed []string
			for _, way := range ways {
				ok, why := way.holds(r)
				if ok {
					return
				}
				failed = append(failed, why)
			}
			t.Errorf("%s: %s\n  %q\n  outcome %s %s\n  rows %v\n  told %s", c.Topic, strings.Join(failed, ", "), c.Ask+c.Frame+c.SQL, r.outcome, r.failure,
				excerpt(r.rows), strings.Join(toldBy(r.answer), "\n       "))
		})
	}
}

// answer does what the check does.
func (c trap) answer(t *testing.T, ways []expectation, northwind func() *workspace.Workspace) response {
	if c.Sample != "" {
		if c.Sample != "northwind" {
			t.Fatalf("the sample %q is not opened by this test", c.Sample)
		}
		return c.ask(t, northwind(), ways)
	}
	opens := slices.ContainsFunc(ways, func(e expectation) bool { return e.Opens })
	w, err := c.open(t, opens)
	if err != nil {
		return response{outcome: "error", failure: err.Error(), files: c.Kind == "import"}
	}
	return c.ask(t, w, ways)
}

// open opens a workspace with the files of the check. Where the check has a model, the files are imported first and the model is
// laid beside them; there and where the check is about opening, the workspace is opened again afterwards.
func (c trap) open(t *testing.T, opens bool) (*workspace.Workspace, error) {
	data, dir := t.TempDir(), t.TempDir()
	var files []string
	for _, name := range c.Files {
		raw, err := os.ReadFile(filepath.Join("traps/data", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(data, filepath.Base(name)))
		if err := os.WriteFile(files[len(files)-1], raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target := workspace.Target{Data: files}
	if opens || c.Setup != "" {
		target = workspace.Target{Dir: dir, Create: true}
		if err := c.load(t, target, files); err != nil {
			return nil, err
		}
	}
	w, err := workspace.Open(context.Background(), target, workspace.Options{DataDir: dir, Now: wallClock})
	if err == nil {
		t.Cleanup(func() { _ = w.Close() })
	}
	return w, err
}

// load imports files into a workspace, closes it, and lays the model of the check beside them.
func (c trap) load(t *testing.T, target workspace.Target, files []string) error {
	if c.Setup != "" {
		declared, err := os.ReadFile(filepath.Join("traps/data", c.Setup, "workspace.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(target.Dir, "workspace.yaml"), declared, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(context.Background(), target, workspace.Options{DataDir: target.Dir, Now: wallClock})
	if err != nil {
		return err
	}
	var requests []store.ImportRequest
	for _, path := range files {
		requests = append(requests, store.ImportRequest{Path: path})
	}
	var failed error
	err = w.ImportAll(context.Background(), requests, func(_ int, _ *store.Source, err error) bool {
		failed = err
		return err == nil
	})
	_ = w.Close()
	if failed != nil {
		return failed
	}
	if err != nil || c.Setup == "" {
		return err
	}
	if err := os.Remove(filepath.Join(target.Dir, "workspace.yaml")); err != nil { // it is part of the setup
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(target.Dir, "context")); err != nil {
		t.Fatal(err)
	}
	return os.CopyFS(target.Dir, os.DirFS(filepath.Join("traps/data", c.Setup)))
}

// ask asks the question of the check behind those that come before it in the session. What waits for a confirmation is
// confirmed, unless waiting was right.
func (c trap) ask(t *testing.T, w *workspace.Workspace, ways []expectation) response {
	session := ""
	for _, before := range c.Session {
		a, err := w.Ask(context.Background(), analyst.Request{Question: before, SessionID: session}, nil)
		if err != nil {
			t.Fatalf("%q: %v", before, err)
		}
		session = a.SessionID
	}
	request := analyst.Request{Question: c.Ask, FrameQL: c.Frame, SQL: c.SQL, SessionID: session}
	r := respond(t, w, request, c.Kind == "import")
	waits := r.outcome == "confirm" && !slices.ContainsFunc(ways, func(e expectation) bool { ok, _ := e.holds(r); return ok })
	if waits && c.Ask != "" {
		request.Confirm = true
		return respond(t, w, request, c.Kind == "import")
	}
	return r
}

func respond(t *testing.T, w *workspace.Workspace, request analyst.Request, files bool) response {
	a, err := w.Ask(context.Background(), request, nil)
	if err != nil {
		return response{outcome: "error", failure: fmt.Sprint(err), files: files}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parseAnswer(raw)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
