package workspace

import (
	"reflect"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
)

// TestStateHasWhatThePersonSaidOnTheWay chooses a meaning and puts an answer right: both stand in the state, in a file of the session and in what becomes of it, and of what was cleared
// away nothing does.
func TestStateHasWhatThePersonSaidOnTheWay(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	const id = "a-session"
	outcomes := []analyst.Outcome{analyst.OutcomeClarify, analyst.OutcomeAnswer, analyst.OutcomeAnswer, analyst.OutcomeAnswer, analyst.OutcomeAnswer}
	var last *analyst.Answer
	for i, q := range []string{"revenue by region", "customer state", "revenue by employee in 1997", "actually, I meant gross revenue", "only Germany"} {
		a, err := w.Ask(t.Context(), analyst.Request{Question: q, SessionID: id}, nil)
		if err != nil || a.Outcome != outcomes[i] {
			t.Fatalf("%s: %v %+v", q, err, a)
		}
		last = a
	}
	d, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	state, err := w.SessionState(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := session.State{
		Entities:    []string{"employees"},
		Filters:     state.State.Filters,
		Corrections: []session.CorrectedTurn{{Turn: 4, Of: 3, FrameQL: d.Turns[3].FrameQL}},
		Choices:     []session.Chosen{{Turn: 2, Words: "region", Target: "customers.state"}},
	}
	if !reflect.DeepEqual(state.State, want) || d.Turns[3].FrameQL == d.Turns[2].FrameQL || len(want.Filters) != 2 {
		t.Errorf("%+v, want %+v", state.State, want)
	}
	if !reflect.DeepEqual(analyst.StateOf(d.Turns), want) {
		t.Errorf("of whole turns: %+v", analyst.StateOf(d.Turns))
	}
	taken := imported(t, w, exported(t, w, id, SessionChoice{}))
	if got := analyst.StateOf(taken.Turns); !reflect.DeepEqual(got, want) {
		t.Errorf("imported: %+v, want %+v", got, want)
	}
	fork, err := w.Fork(t.Context(), taken.ID, memory.ForkAt{})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got, err := w.SessionState(t.Context(), fork.SessionID); err != nil || !reflect.DeepEqual(got.State, want) {
		t.Errorf("forked: %+v %v", got.State, err)
	}
	if _, err := w.Ask(t.Context(), analyst.Request{Question: "go back one step", SessionID: id}, nil); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if state, err = w.SessionState(t.Context(), id); err != nil || len(state.State.Corrections) != 2 || state.State.Corrections[1].Turn != last.Turn+1 {
		t.Errorf("undone: %+v %v", state.State.Corrections, err)
	}
	if _, err := w.memory.Clear(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if state, err = w.SessionState(t.Context(), id); err != nil || len(state.State.Choices)+len(state.State.Corrections)+len(state.State.Entities)+len(state.State.Filters) > 0 {
		t.Errorf("cleared: %+v %v", state.State, err)
	}
}
