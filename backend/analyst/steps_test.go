package analyst

import (
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/session"
)

// Every step is kept before anybody is told that it ended, but the last one, which is kept with the turn.
func TestStepsAreKeptBeforeTheyAreTold(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	if _, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"}); err != nil {
		t.Fatal(err)
	}
	turn := d.turn(t)
	kept := d.memory.steps[turn.RequestID]
	if len(kept) != len(turn.Trace)-1 {
		t.Fatalf("%d steps are kept of %d", len(kept), len(turn.Trace))
	}
	for i, s := range kept {
		if was := turn.Trace[i]; s.Name != was.Name || s.Output != was.Output || s.TookMS != was.TookMS || s.Status != "done" {
			t.Errorf("step %d was kept as %+v and is %+v", i, s, was)
		}
	}
	told := 0
	for _, line := range d.log {
		switch {
		case line == "step":
			told++
		case strings.HasSuffix(line, " done") && line != "close done":
			if told--; told < 0 {
				t.Errorf("%s is told before it is kept: %v", line, d.log)
			}
		}
	}
}

// A step that cannot be kept ends the request, and is not told of. Where nothing can be kept, the session says that it failed as soon as it can.
func TestAStepThatCannotBeKeptEndsTheRequest(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	d.memory.stepErr = fault.New(fault.Unavailable, "keep step", "There is no space left.", "")
	_, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"})
	wantFault(t, err, fault.Unavailable, "no space left")
	if got := strings.Join(d.log, ", "); got != "intake started, begin, step, finish, fault" {
		t.Errorf("log %s", got)
	}
	if turn := d.turn(t); turn.Outcome != session.Failed || turn.Fault == nil {
		t.Errorf("turn %+v", turn)
	}
	if d.memory.stepErr = nil; d.running["id1"] {
		t.Error("the session is taken for ever")
	}
}

// A step that failed is kept as such, and the request that it ends says why.
func TestAStepThatFailedIsKept(t *testing.T) {
	d := newDesk(t, Knowledge{})
	_, err := d.ask(t.Context(), Request{Question: "revenue"})
	wantFault(t, err, fault.NotFound, "no data")
	turn := d.turn(t)
	kept := d.memory.steps[turn.RequestID]
	if len(kept) != 2 || kept[1].Name != "interpret" || kept[1].Status != "failed" || !strings.Contains(kept[1].Note, "no data") {
		t.Errorf("%+v", kept)
	}
}

// What is asked again keeps nothing.
func TestAReplayKeepsNoSteps(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), append(categoryRows(), categoryRows()...)...)
	if _, err := d.ask(t.Context(), Request{FrameQL: byCategory}); err != nil {
		t.Fatal(err)
	}
	turn := d.turn(t)
	turn.Chosen, turn.Place = true, 1
	before := len(d.memory.steps)
	all, err := d.Replay(t.Context(), Replaying{SessionID: "s", Turns: []session.Turn{turn}, Caller: ada}, nil)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if len(d.memory.steps) != before || len(d.memory.begun) != 1 {
		t.Errorf("%d requests have steps, %d were begun", len(d.memory.steps), len(d.memory.begun))
	}
}
