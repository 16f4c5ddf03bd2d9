package workspace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
)

// A conversation that was left for longer than its person goes on with is not gone on with. What its words would have gone on from is said; a question of its own is not
// disturbed, and neither is a branch, another version of a turn, or a replay.
func TestAnOldConversationIsNotGoneOnWith(t *testing.T) {
	home, clock := t.TempDir(), &wall{at: noon()}
	w := wallOf(t, home, clock, 0)
	defer func() { w.Close() }()
	const told = "days old and is not carried over"
	ask := func(id, question, insteadOf string) *analyst.Answer {
		t.Helper()
		a, err := w.Ask(t.Context(), analyst.Request{Question: question, SessionID: id, InsteadOf: insteadOf}, nil)
		if err != nil {
			t.Fatalf("%s: %s", question, fault.Detail(err))
		}
		return a
	}
	says := func(a *analyst.Answer) string {
		switch {
		case a.Refusal != nil:
			return a.Refusal.Message
		case a.Clarification != nil:
			return a.Clarification.Question
		}
		return strings.Join(a.Understood.Assumptions, " ")
	}
	days := func(n int) { clock.forward(time.Duration(n)*24*time.Hour + time.Minute) }
	for _, id := range []string{"fresh", "own", "tied", "drawn", "answered", "version", "branch", "never"} {
		ask(id, "revenue by category in 1997", "")
	}
	days(6)
	if a := ask("fresh", "only Beverages", ""); len(a.Understood.Carried) == 0 || strings.Contains(says(a), "old") {
		t.Errorf("after six days: %+v", a.Understood)
	}
	days(6) // the twelfth for the others, the sixth for this one
	if a := ask("fresh", "but for 1998", ""); a.Understood.Derived == nil || strings.Contains(says(a), "old") {
		t.Errorf("six days after its last turn: %+v", a.Understood)
	}
	if a := ask("own", "freight by country", ""); a.Outcome != analyst.OutcomeAnswer || a.Understood.Derived != nil || strings.Contains(says(a), "old") {
		t.Errorf("a question of its own: %+v", a.Understood)
	}
	if a := ask("tied", "and by month", ""); !strings.Contains(says(a), "12 "+told) || len(a.Understood.Carried) > 0 {
		t.Errorf("words that go on: %s %q", a.Outcome, says(a))
	}
	if a := ask("drawn", "as a pie chart", ""); a.Outcome != analyst.OutcomeRefuse || !strings.Contains(says(a), "12 "+told) {
		t.Errorf("words that draw again: %s %q", a.Outcome, says(a))
	}
	a := ask("answered", "how about orders by month", "")
	if strings.Contains(says(a), "1997") || a.Understood.FrameQL != "" && strings.Contains(a.Understood.FrameQL, "1997") {
		t.Errorf("something was carried over: %s %+v", a.Outcome, a.Understood)
	}
	ask("answered", "only Germany", "") // goes on from what was asked today

	version := ask("version", "only Beverages", "") // refused or asked back
	if again := ask("version", "only Seafood", version.RequestID); len(again.Understood.Carried) == 0 || strings.Contains(says(again), "old") {
		t.Errorf("another version: %s %q %+v", again.Outcome, says(again), again.Understood.Carried)
	}
	fork, err := w.Fork(t.Context(), "branch", memory.ForkAt{})
	if err != nil {
		t.Fatal(err)
	}
	if a := ask(fork.SessionID, "only Beverages", ""); len(a.Understood.Carried) == 0 || strings.Contains(says(a), "old") {
		t.Errorf("a branch: %s %q", a.Outcome, says(a))
	}
	days(8)
	if a := ask(fork.SessionID, "only Seafood", ""); !strings.Contains(says(a), "8 "+told) {
		t.Errorf("a branch that was left: %s %q", a.Outcome, says(a))
	}
	s := w.Settings()
	s.Keep.ContextDays = 0
	if _, err := w.Choose(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if a := ask("never", "only Beverages", ""); len(a.Understood.Carried) == 0 || strings.Contains(says(a), "old") {
		t.Errorf("who goes on with everything: %s %q", a.Outcome, says(a))
	}

	// All of it is asked again as it was, whatever the setting is now, by recorded clocks and by those of now, here and in a fork.
	for _, id := range []string{"fresh", "own", "tied", "drawn", "answered", "version", fork.SessionID, "never"} {
		before, err := w.memory.Session(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		report, err := w.Replay(t.Context(), id, ReplayOptions{}, nil)
		if err != nil || report.Differ+report.Failed > 0 {
			t.Errorf("%s: %+v %v", id, report, err)
		}
		if i := slices.IndexFunc(before.Turns[1:], func(turn session.Turn) bool { return turn.Given == nil || turn.MadeBy == nil }); i >= 0 {
			t.Errorf("%s: turn %d does not say what it was asked with", id, i+2)
		}
		got := imported(t, w, exported(t, w, id, SessionChoice{}))
		if report, err := w.Replay(t.Context(), got.ID, ReplayOptions{}, nil); err != nil || report.Differ+report.Failed > 0 {
			t.Errorf("%s imported: %+v %v", id, report, err)
		}
	}
	d, err := w.memory.Session(t.Context(), "tied")
	if err != nil || d.Turns[1].Given.ContextDays != 7 || d.Turns[1].MadeBy.Outlived != 12 || len(d.Turns[1].MadeBy.Context) != 0 {
		t.Errorf("%+v %+v %v", d.Turns[1].Given, d.Turns[1].MadeBy, err)
	}
	if d, err = w.memory.Session(t.Context(), "own"); err != nil || d.Turns[1].MadeBy.Outlived != 0 {
		t.Errorf("%+v %v", d.Turns[1].MadeBy, err)
	}
}
