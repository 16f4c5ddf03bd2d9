package analyst

import (
	"errors"
	"testing"

	"assay/backend/fault"
	"assay/backend/rules"
)

// A run that was confirmed is no freer than what waited: what was advised at level 2 because much is at stake waits for
// acceptance when its person has run it.
func TestConfirmedIsNoFreer(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory, Criticality: "high", Level: 2})
	if err != nil || a.Status != rules.StatusRecommended || a.SQL == "" {
		t.Fatalf("%+v, %v", a, err)
	}
	ran, err := d.Confirm(t.Context(), Word{RequestID: a.RequestID, Caller: ada}, nil)
	if err != nil || ran.Outcome != OutcomeAnswer || ran.Status != rules.StatusPending || ran.Risk.ExpectedCost != "high" || !ran.Acceptance.Required {
		t.Errorf("%+v, %v", ran, err)
	}
	if _, err := d.Confirm(t.Context(), Word{RequestID: a.RequestID, Caller: ada}, nil); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("confirmed twice: %v", err)
	}
}

// A confirmed run that fails leaves the request waiting: nothing is lost.
func TestConfirmedRunThatFailsWaitsOn(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory, Level: 2})
	if err != nil {
		t.Fatal(err)
	}
	d.engine.queryErr = errors.New("a bug")
	if _, err := d.Confirm(t.Context(), Word{RequestID: a.RequestID, Caller: ada}, nil); err == nil {
		t.Fatal("it ran")
	}
	d.engine.queryErr, d.engine.rows = nil, categoryRows()
	if ran, err := d.Confirm(t.Context(), Word{RequestID: a.RequestID, Caller: ada}, nil); err != nil || ran.Outcome != OutcomeAnswer {
		t.Errorf("%+v, %v", ran, err)
	}
}

// What waits for a word waits for a person's.
func TestAgentsAcceptNothingThatWaits(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	robot := rules.Caller{OSUser: "robot"}
	d.deps.Rules = func() *rules.Rules {
		r := *bound()
		r.Actors = append(r.Actors, rules.Actor{ID: "robot", Kind: rules.Agent, Role: "agent", OSUsers: []string{"robot"}})
		return &r
	}
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory, Level: 3, Caller: robot})
	if err != nil || a.Status != rules.StatusPending {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := d.Say(t.Context(), Word{RequestID: a.RequestID, On: OnAccepted, Caller: robot}); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("it accepts itself: %v", err)
	}
	if _, err := d.Say(t.Context(), Word{RequestID: a.RequestID, On: OnAccepted, Caller: ada}); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("somebody else accepts: %v", err)
	}
}
