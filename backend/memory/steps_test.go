package memory

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// ended is a step that took so many milliseconds.
func ended(name string, took float64) session.Step {
	return session.Step{Name: name, Status: "done", Started: noon, TookMS: took, Note: "Größe: 41,203 rows", Output: "sha256:1", Facts: map[string]any{"engine_ms": 1.5}}
}

func traceOf(t session.Turn) string {
	var names []string
	for _, s := range t.Trace {
		names = append(names, s.Name)
	}
	return t.Outcome + ": " + strings.Join(names, " ")
}

// The steps of a request stand in its session as they end. Finishing puts the trace in their place; when the process dies, they are the trace.
func TestStepsStandInTheSessionAsTheyEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m := open(t, path)
	for _, id := range []string{"finishes", "dies"} {
		if _, err := m.Begin(t.Context(), request(id, "s", "question "+id)); err != nil {
			t.Fatal(err)
		}
		for i, s := range []session.Step{ended("intake", 0.1), ended("interpret", 3), ended("execute", 1500)} {
			if err := m.Step(t.Context(), id, i, s); err != nil {
				t.Fatal(fault.Detail(err))
			}
		}
	}
	traces := func(m *Memory, want ...string) {
		t.Helper()
		d, err := m.Session(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		if err := m.EachTurn(t.Context(), "s", func(x session.Turn) error {
			_, found, err := m.Find(t.Context(), x.RequestID)
			for _, got := range []string{traceOf(d.Turns[i]), traceOf(x), traceOf(found)} {
				if got != want[i] || err != nil {
					t.Errorf("turn %d reads %q, %v, want %q", i+1, got, err, want[i])
				}
			}
			i++
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	other := open(t, path) // another process reads the same
	traces(other, ": intake interpret execute", ": intake interpret execute")
	if err := m.Finish(t.Context(), "finishes", analyst.Closing{Turn: turn("s", 1)}); err != nil {
		t.Fatal(err)
	}
	traces(other, "answer: intake", ": intake interpret execute")
	d, err := m.Session(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	if s, want := d.Turns[1].Trace[2], ended("execute", 1500); s.Note != want.Note || s.Output != want.Output || s.TookMS != 1500 || fmt.Sprint(s.Facts) != fmt.Sprint(want.Facts) || !s.Started.Equal(noon) {
		t.Errorf("%+v", s)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	traces(other, "answer: intake", "interrupted: intake interpret execute")
	var left int
	if err := other.read.QueryRow(`SELECT count(*) FROM step`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d steps are left, %v", left, err)
	}
	if _, err := other.Fork(t.Context(), "s", ForkAt{}, "f", newNames()); err != nil {
		t.Fatal(err)
	}
	if d, err := other.Session(t.Context(), "f"); err != nil || traceOf(d.Turns[1]) != "interrupted: intake interpret execute" {
		t.Errorf("a branch: %+v, %v", d, err)
	}

	// Its process lives after all, and finishes.
	if err := other.Step(t.Context(), "dies", 3, ended("check", 1)); err != nil {
		t.Fatal(err)
	}
	if err := other.Finish(t.Context(), "dies", analyst.Closing{Turn: turn("s", 2)}); err != nil {
		t.Fatal(err)
	}
	traces(other, "answer: intake", "answer: intake")
	if err := other.read.QueryRow(`SELECT count(*) FROM step`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d steps are left, %v", left, err)
	}
	code(t, other.Step(t.Context(), "nobody", 0, ended("intake", 1)), fault.NotFound, "no request nobody")
}

// After a step that the disk was not waited for, it is waited for again.
func TestWritesWaitForTheDiskAfterAStep(t *testing.T) {
	m := fresh(t)
	if _, err := m.Begin(t.Context(), request("r", "s", "question")); err != nil {
		t.Fatal(err)
	}
	waits := func() (mode int) { // of the next one that writes something that has to last
		t.Helper()
		err := m.update(t.Context(), func(tx *sql.Tx) error { return tx.QueryRow(`PRAGMA synchronous`).Scan(&mode) })
		if err != nil {
			t.Fatal(err)
		}
		return mode
	}
	const full = 2
	for i, took := range []float64{0.1, 100, 0.1} {
		if err := m.Step(t.Context(), "r", i, ended("interpret", took)); err != nil || waits() != full {
			t.Errorf("%v, synchronous is %d", err, waits())
		}
	}
	if err := m.Step(t.Context(), "r", 0, ended("interpret", 0.1)); err == nil || waits() != full { // it is there
		t.Errorf("%v, synchronous is %d", err, waits())
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := m.Step(stopped, "r", 9, ended("interpret", 0.1)); fault.CodeOf(err) != fault.Canceled || waits() != full {
		t.Errorf("%v, synchronous is %d", err, waits())
	}
}
