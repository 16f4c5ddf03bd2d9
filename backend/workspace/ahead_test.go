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

// TestGoldenQueriesAreLookedAt: one with values that may be others is looked at with the usual ones, and one in SQL is said not to be known.
func TestGoldenQueriesAreLookedAt(t *testing.T) {
	w := openShared(t, t.TempDir())
	mine := teach(t, w, "fay", "revenue means gross revenue")
	offered, err := w.OfferCorrection(t.Context(), mine.ID, "", as("fay"))
	if err != nil {
		t.Fatal(err)
	}
	ahead := func() review.Blast {
		t.Helper()
		if _, l := w.Model(); l.Stale {
			t.Fatal(l.Err)
		}
		blast, err := w.LookAhead(t.Context(), offered.ID, "", as("gil"))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return blast
	}
	before := ahead()
	write(t, w.dir, "context/golden/usual.yaml", "question: revenue by country in {period}\nframe_ql: SELECT customers.country, revenue AT customers.country DURING {period}\nparameters: {period: {type: period, default: \"1997\"}}\n")
	write(t, w.dir, "context/golden/unusual.yaml", "question: revenue by country in {period}\nframe_ql: SELECT customers.country, revenue AT customers.country DURING {period}\nparameters: {period: {type: period}}\n")
	write(t, w.dir, "context/golden/sql.yaml", "question: revenue of everybody\nsql: SELECT 1\n")
	w.refresh(t.Context())
	after := ahead()
	if after.Looked != before.Looked+3 || after.Apart != before.Apart+2 || len(after.Changed) != len(before.Changed)+1 {
		t.Errorf("%+v\nbefore %+v", after, before)
	}
	at := slices.IndexFunc(after.Changed, func(m review.Moved) bool { return m.ID == "usual" })
	if at < 0 || after.Changed[at].Question != "revenue by country" || after.Changed[at].Change == nil {
		t.Errorf("%+v", after.Changed)
	}
}
