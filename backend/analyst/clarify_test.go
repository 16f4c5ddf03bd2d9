package analyst

import (
	"slices"
	"testing"

	"assay/backend/session"
)

const halfUnderstood = "total revenue by category in 1997 for flimflam"

func clarifies(t *testing.T) {
	k := shopKnowledge(t)
	d := newDesk(t, k)
	a, err := d.ask(t.Context(), Request{Question: halfUnderstood})
	if err != nil {
		t.Fatal(err)
	}
	if a.Outcome != OutcomeClarify || a.Status != "needs_disambiguation" || a.Clarification == nil || a.Clarification.Question == "" || a.Clarification.Options == nil {
		t.Fatalf("answer %+v", a)
	}
	if a.Frame != nil || slices.Contains(d.log, "cost") || len(a.Artifacts) != 1 || a.Artifacts[0].Kind != session.KindClarification {
		t.Errorf("artifacts %+v, log %v", a.Artifacts, d.log)
	}
	if len(a.Understood.Spans) == 0 || !slices.Contains(a.Understood.Unread, "flimflam") {
		t.Errorf("understood %+v", a.Understood)
	}
	if turn := d.turn(t); turn.Outcome != "clarify" {
		t.Errorf("turn %+v", turn)
	}

	// What is offered as the best guess is a question that works.
	guess := a.Clarification.BestGuess
	if guess == nil {
		t.Fatal("no best guess")
	}
	d = newDesk(t, k, categoryRows()...)
	if a, err := d.ask(t.Context(), Request{Question: guess.Question}); err != nil || a.Outcome != OutcomeAnswer || a.Understood.FrameQL != guess.Value {
		t.Errorf("%q: %v, %+v", guess.Question, err, a)
	}
}

func TestJustDoItTakesTheBestGuess(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	a, err := d.ask(t.Context(), Request{Question: halfUnderstood + ", just do it"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Outcome != OutcomeAnswer || !slices.Contains(a.Understood.Assumptions, "You asked not to be asked back, so the best guess was taken.") {
		t.Errorf("answer %+v, understood %+v", a, a.Understood)
	}
	if !slices.Contains(a.Understood.Unread, "flimflam") {
		t.Errorf("unread %v", a.Understood.Unread)
	}
}
