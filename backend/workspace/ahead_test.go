package workspace

import (
	"slices"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/review"
)

// TestWhatWouldComeOfIt: words that only say for whom, or how to draw it, do not keep a question from being looked at; one that goes on from another is not said to be unanswered.
func TestWhatWouldComeOfIt(t *testing.T) {
	w := openShared(t, t.TempDir())
	accept := func(sessionID, question string) string {
		t.Helper()
		got, a := readAs(t, w, as("gil"), sessionID, question)
		if _, err := w.Say(t.Context(), analyst.Word{RequestID: a.RequestID, On: analyst.OnAccepted, Caller: as("gil")}); err != nil {
			t.Fatalf("%q, read as %s: %s", question, got, fault.Detail(err))
		}
		return got
	}
	mine := teach(t, w, "fay", "revenue means gross revenue")
	offered, err := w.OfferCorrection(t.Context(), mine.ID, "", as("fay"))
	if err != nil {
		t.Fatal(err)
	}
	ahead := func() review.Blast {
		t.Helper()
		blast, err := w.LookAhead(t.Context(), offered.ID, "", as("gil"))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return blast
	}
	before := ahead()
	accept(newID(), "revenue by category in 1997 for the board, as a bar chart")
	blast := ahead()
	at := slices.IndexFunc(blast.Changed, func(m review.Moved) bool { return m.Kind == "accepted" })
	if blast.Looked != before.Looked+1 || blast.Apart != before.Apart || at < 0 || blast.Changed[at].After != "SELECT categories.category_name, gross_revenue AT categories DURING 1997" {
		t.Errorf("what would come of it: %+v", blast)
	}
	one := newID()
	accept(one, "order count by country in 1997")
	if got := accept(one, "and revenue"); got != "SELECT customers.country, order_count, revenue DURING 1997" {
		t.Fatalf("going on is read as %s", got)
	}
	if after := ahead(); after.Looked != blast.Looked+2 || after.Apart != blast.Apart+1 || len(after.Changed) != len(blast.Changed) {
		t.Errorf("going on: %+v", after)
	}
}
