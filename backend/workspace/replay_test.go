package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// conversed asks questions in one session of a workspace and gives its name.
func conversed(t *testing.T, w *Workspace, questions ...string) string {
	t.Helper()
	const id = "replayed"
	for _, q := range questions {
		if _, err := w.Ask(t.Context(), analyst.Request{Question: q, SessionID: id}, nil); err != nil {
			t.Fatalf("%q: %s", q, fault.Detail(err))
		}
	}
	return id
}

func replay(t *testing.T, w *Workspace, id string, o ReplayOptions) session.Replay {
	t.Helper()
	r, err := w.Replay(t.Context(), id, o, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return r
}

// TestReplayIsTheSame asks a session of every kind of turn again, and leaves it as it was.
func TestReplayIsTheSame(t *testing.T) {
	home := t.TempDir()
	w := openTarget(t, Target{}, home)
	id := told(t, w)
	before, err := w.Memory().Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r := replay(t, w, id, ReplayOptions{})
		for _, turn := range r.Turns {
			if turn.Stands != session.StandsSame {
				t.Errorf("turn %d, %s: %s at %s: %s %v %+v", turn.Turn, turn.Question, turn.Stands, turn.Step, turn.Words, turn.Since, turn.Steps)
			}
			for _, s := range turn.Steps {
				if s.Stands != session.StandsSame {
					t.Errorf("turn %d, step %s: %s", turn.Turn, s.Name, s.Stands)
				}
			}
		}
		if r.Same != len(before.Turns) {
			t.Errorf("%d of %d turns are the same", r.Same, len(before.Turns))
		}
	}
	after, err := w.Memory().Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if session.Hash(before) != session.Hash(after) {
		t.Error("the session was changed")
	}
	heads, err := w.Memory().Sessions(t.Context())
	if err != nil || len(heads) != 1 {
		t.Errorf("%d sessions, %v", len(heads), err)
	}
}

// TestReplayOfAnExplanationDoesNotDependOnWhatIsKept explains a query that a frame answers: which frames a machine keeps is its own affair.
func TestReplayOfAnExplanationDoesNotDependOnWhatIsKept(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	const query = "SELECT categories.category_name, revenue AT categories"
	const id = "explained"
	if kept, err := w.Materialize(t.Context(), query); err != nil || len(kept) == 0 {
		t.Fatalf("%v, %v", kept, err)
	}
	a, err := w.Ask(t.Context(), analyst.Request{FrameQL: query, Explain: true, SessionID: id}, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if !slices.ContainsFunc(a.Explanation.Cache, func(c analyst.ExplainedCache) bool { return c.Frame != "" }) {
		t.Fatalf("no frame is used: the test has no teeth: %+v", a.Explanation.Cache)
	}
	r := replay(t, w, id, ReplayOptions{})
	if r.Same != 1 || len(r.Turns[0].Steps) == 0 {
		t.Errorf("%+v", r)
	}
	for _, s := range r.Turns[0].Steps {
		if s.Stands != session.StandsSame {
			t.Errorf("step %s: %s", s.Name, s.Stands)
		}
	}
}

// TestReplayFindsAChangedCell changes one number in the data.
func TestReplayFindsAChangedCell(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "sales.csv")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const sales = "region,amount,day\nNorth,10.50,2025-01-01\nSouth,20.25,2025-01-02\nNorth,5.00,2025-02-01\nWest,7.75,2025-02-03\n"
	write(sales)
	first, err := Open(t.Context(), Target{Data: []string{file}}, Options{DataDir: home, Now: noon})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	id := conversed(t, first, "total amount by region", "number of sales", "total amount by month")
	if r := replay(t, first, id, ReplayOptions{}); r.Same != 3 {
		t.Fatalf("over the same data: %+v", r)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	write(strings.Replace(sales, "20.25", "22.25", 1))
	w := openTarget(t, Target{Data: []string{file}}, home)
	r := replay(t, w, id, ReplayOptions{})
	if r.Same != 1 || r.Differ != 2 {
		t.Fatalf("over the changed data: %+v", r)
	}
	turn := r.Turns[0]
	if turn.Step != "execute" || turn.Change == nil || turn.Change.Cells != 1 || turn.Change.Largest == nil || turn.Comparison == nil {
		t.Fatalf("%+v", turn)
	}
	if l := turn.Change.Largest; l.Row != "South" || !strings.Contains(turn.Words, "South") || !strings.Contains(turn.Words, "20.25 to 22.25 (+9.9 %)") {
		t.Errorf("%+v: %s", l, turn.Words)
	}
	if len(turn.Since) != 1 || !strings.Contains(turn.Since[0], "sales") {
		t.Errorf("since %q", turn.Since)
	}
	if c := turn.Comparison; len(c.Keys) != 1 || len(c.Measures) != 1 || len(c.Base.Frame.Rows) != 3 {
		t.Errorf("comparison %+v", c)
	}
	if r.Turns[1].Stands != session.StandsSame || r.Turns[2].Step != "execute" {
		t.Errorf("%+v", r.Turns[1:])
	}
}
