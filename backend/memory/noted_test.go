package memory

import (
	"path/filepath"
	"testing"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// TestWhatIsNoted: it is its author's alone, once for a request and a term, counts the same of before, and goes with its session or with what is taught of the term.
func TestWhatIsNoted(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	for _, id := range []string{"1", "2", "3"} {
		if _, err := m.Begin(t.Context(), request("r"+id, "s"+id, "revenue by month")); err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	note := func(author, request, means string) (knowledge.Correction, knowledge.Noted) {
		t.Helper()
		c := knowledge.Correction{
			Author: author, Term: "revenue", Means: means, Sort: knowledge.Factual, Detection: knowledge.ByCorrection, Quote: "revenue by month", RequestID: request,
			Change: &knowledge.ChangedPart{Slot: "metric", From: "SELECT revenue", To: "SELECT freight"},
		}
		n, err := m.NoteMeaning(t.Context(), &c)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return c, n
	}
	open := func(author string) int {
		t.Helper()
		all, err := m.OpenMeanings(t.Context(), author)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return len(all)
	}
	first, n := note("ada", "r1", "freight")
	if n != (knowledge.Noted{}) || first.ID == "" {
		t.Errorf("the first is %+v, %+v", first, n)
	}
	if again, n := note("ada", "r1", "freight"); again.ID != first.ID || n.Times != 0 {
		t.Errorf("the same again is %+v, %+v", again, n)
	}
	if _, n := note("bob", "r3", "freight"); n.Times != 0 {
		t.Errorf("somebody else's counts: %+v", n)
	}
	got, err := m.NotedMeaning(t.Context(), "ada", first.ID)
	if err != nil || got.Change == nil || *got.Change != *first.Change || got.SessionID != "s1" || got.Quote != first.Quote || got.Detection != knowledge.ByCorrection {
		t.Errorf("noted %+v, %v", got, err)
	}
	_, err = m.NotedMeaning(t.Context(), "bob", first.ID)
	code(t, err, fault.NotFound, "Nothing that was noted")
	code(t, m.SettleMeaning(t.Context(), "bob", first.ID, true), fault.NotFound, "Nothing that was noted")
	code(t, m.SettleMeaning(t.Context(), "ada", "nothing", true), fault.NotFound, "Nothing that was noted")
	if err := m.SettleMeaning(t.Context(), "ada", first.ID, false); err != nil || open("ada") != 0 || open("bob") != 1 {
		t.Errorf("%d and %d are open, %v", open("ada"), open("bob"), err)
	}
	if _, n := note("ada", "r2", "Freight"); n != (knowledge.Noted{Times: 1, Declined: true}) {
		t.Errorf("the second is %+v", n)
	}
	if err := m.Delete(t.Context(), "s2"); err != nil || open("ada") != 0 {
		t.Errorf("%d are open of what was deleted, %v", open("ada"), err)
	}
	if err := m.Restore(t.Context(), "s2"); err != nil || open("ada") != 1 {
		t.Errorf("%d are open of what was restored, %v", open("ada"), err)
	}
	c := lesson("ada", "revenue", "freight")
	if _, err := m.KeepCorrection(t.Context(), c, taughtRecord); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := m.ForgetCorrection(t.Context(), "ada", c.ID, taughtRecord); err != nil || open("ada") != 0 || open("bob") != 1 {
		t.Errorf("%d and %d are open after it was forgotten, %v", open("ada"), open("bob"), err)
	}
}
