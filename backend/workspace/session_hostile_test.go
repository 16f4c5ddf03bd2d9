package workspace

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/memory"
	"assay/backend/session"
)

// FuzzImportSession takes in session files whose entries are anything, with the checksums that these have: so that what stands behind the checksums is reached, the
// Parquet too, which is read in a child. The signature is over whatever it is over. What is taken in can be opened and handed over again, and nothing runs.
func FuzzImportSession(f *testing.F) {
	w, err := Open(context.Background(), Target{}, Options{DataDir: f.TempDir(), Now: noon})
	if err != nil {
		f.Fatal(fault.Detail(err))
	}
	f.Cleanup(func() { _ = w.Close() })
	for _, c := range []SessionChoice{{Model: true, Sign: true}, {Frames: session.FramesNone}, {Frames: session.FramesMasked}} {
		if parts := partsOf(f, w, c); len(parts["trace.jsonl"]) > 0 {
			f.Add(parts["manifest.json"], parts["session.json"], parts["trace.jsonl"], parts["signature.json"], parts["frames/0001.parquet"])
		}
	}
	path := filepath.Join(f.TempDir(), "fuzzed.assay")
	f.Fuzz(func(t *testing.T, manifest, document, trace, signature, frame []byte) {
		all := []zipped{{"session.json", document}, {"trace.jsonl", trace}, {"manifest.json", manifest}}
		if len(signature) > 0 {
			all = append(all, zipped{"signature.json", signature})
		}
		if len(frame) > 0 {
			all = append(all, zipped{"frames/0001.parquet", frame})
		}
		if err := os.WriteFile(path, rezipped(t, all), 0o600); err != nil {
			t.Fatal(err)
		}
		logged := lastLogged(t, w)
		arrived, err := w.tryMutant(path, 0)
		if now := lastLogged(t, w); now != logged {
			t.Errorf("%d entries of the audit log came of it", now-logged)
		}
		switch code := fault.CodeOf(err); {
		case err == nil:
			if _, err := w.ExportSession(context.Background(), arrived, SessionChoice{}, &bytes.Buffer{}); err != nil && fault.CodeOf(err) != fault.Limit {
				t.Errorf("what was taken in cannot be handed over: %s", fault.Detail(err))
			}
			if err := w.memory.Delete(context.Background(), arrived); err != nil {
				t.Error(err)
			}
		case code != fault.Invalid && code != fault.Limit && code != fault.Conflict:
			t.Error(fault.Detail(err))
		}
	})
}

// partsOf exports a session of one answer, so that its one frame is the one that is fuzzed, and gives its entries by name.
func partsOf(f *testing.F, w *Workspace, c SessionChoice) map[string][]byte {
	f.Helper()
	id := "one-" + string(c.Frames)
	if _, err := w.Ask(context.Background(), analyst.Request{Question: "revenue by category", SessionID: id}, nil); err != nil {
		f.Fatal(fault.Detail(err))
	}
	var out bytes.Buffer
	if _, err := w.ExportSession(context.Background(), id, c, &out); err != nil {
		f.Fatal(fault.Detail(err))
	}
	parts := map[string][]byte{}
	for _, e := range unzipped(f, out.Bytes()) {
		parts[e.name] = e.content
	}
	return parts
}

// TestImportStartsNothingThatCouldRun takes a session in, and refuses one, in a workspace whose process that runs statements was ended: no entry of the audit log came of
// it, and no such process was started again, as it is with the next statement.
func TestImportStartsNothingThatCouldRun(t *testing.T) {
	from := openTarget(t, Target{}, t.TempDir())
	path := exported(t, from, told(t, from), SessionChoice{Model: true, Sign: true})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && !slices.Contains(slices.Collect(maps.Values(workers())), "query") {
		t.Fatalf("what runs statements is not seen among %v: the test has no teeth", workers())
	}
	if err := from.Close(); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	write(t, empty, "workspace.yaml", "workspace: empty\nsources: []\n")
	w := openTarget(t, Target{Dir: empty}, t.TempDir())
	endWorkers(t)
	document := imported(t, w, path)
	half := filepath.Join(t.TempDir(), "half.assay")
	if err := os.WriteFile(half, raw[:len(raw)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ImportSession(t.Context(), half); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	if _, err := w.PreviewSession(t.Context(), path); err != nil {
		t.Error(fault.Detail(err))
	}
	if entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{}); err != nil || len(entries) > 0 {
		t.Errorf("in the audit log: %+v %v", entries, err)
	}
	if waiting, err := w.memory.Waiting(t.Context(), document.ID); err != nil || len(waiting) > 0 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	if ran := workers(); len(ran) > 0 {
		t.Errorf("%v were started", ran)
	}
	if _, err := w.Query(t.Context(), frameql.Statement{SQL: "SELECT 1", Dialect: frameql.DuckDB}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if ran := workers(); runtime.GOOS == "linux" && len(ran) != 1 {
		t.Errorf("%v run after a statement: the test has no teeth", ran)
	}
}

// endWorkers ends the children of this process.
func endWorkers(t *testing.T) {
	t.Helper()
	for pid := range workers() {
		id, err := strconv.Atoi(pid)
		if err != nil {
			t.Fatal(err)
		}
		child, err := os.FindProcess(id)
		if err != nil {
			t.Fatal(err)
		}
		_ = child.Kill() // it may have ended
	}
	for len(workers()) > 0 { // whoever started them takes note
		runtime.Gosched()
	}
}
