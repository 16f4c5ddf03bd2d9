package workspace

import (
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// changes runs a query in the place of an answer.
func changes(t *testing.T, w *Workspace, who rules.Caller, of *analyst.Answer, query string) *analyst.Answer {
	t.Helper()
	a, err := w.Ask(t.Context(), analyst.Request{Question: "what it comes to, in words", FrameQL: query, SessionID: of.SessionID, InsteadOf: of.RequestID, Caller: who}, nil)
	if err != nil {
		t.Fatalf("%q: %s", query, fault.Detail(err))
	}
	if a.Frame == nil {
		t.Fatalf("%q gives %+v", query, a.Refusal)
	}
	return a
}

// TestWhatAChangedPartSays changes parts of readings of every kind: what stands for words that were typed, and says something of them, is asked to be remembered; a change of mind is not.
func TestWhatAChangedPartSays(t *testing.T) {
	for _, c := range []struct{ question, query, says string }{
		// what the words mean
		{"revenue by category in 1997", "SELECT categories.category_name, gross_revenue AT categories DURING 1997", "metric: revenue = gross revenue"},
		{"revenue by category in 1997", "WITH margin = revenue - freight SELECT categories.category_name, margin AT categories DURING 1997", ""}, // it is refused or read: freight is of orders
		{"sales by month in 1997", "SELECT orders.order_date.month, units_sold DURING 1997", "metric: sales = units sold"},
		{"revenue by country in 1997", "SELECT orders.ship_country, revenue DURING 1997", "dimension: country = ship country"},
		{"revenue last quarter", "SELECT revenue DURING LAST 90 DAY", "period: last quarter = last 90 days"},
		// which rows do not count
		{"revenue by category in 1997", "SELECT categories.category_name, revenue AT categories WHERE categories.category_name <> 'Beverages' DURING 1997", "filter: revenue = revenue excluding Beverages"},
		{"revenue and freight by month in 1997", "SELECT orders.order_date.month, revenue, freight WHERE customers.country <> 'Germany' DURING 1997", ""}, // of which of the two
		{"revenue by category in 1997", "SELECT categories.category_name, revenue AT categories WHERE categories.category_name <> 'Beverages' AND customers.country <> 'Germany' DURING 1997", ""},
		// a change of mind
		{"freight by month in 1997", "SELECT orders.order_date.month, revenue DURING 1997", ""},
		{"revenue by category in 1997", "SELECT categories.category_name, revenue AT categories DURING 1998", ""},
		{"revenue last quarter", "SELECT revenue DURING 1998-Q1", ""},
		{"revenue in Germany", "SELECT revenue WHERE customers.country = 'France'", ""},
		{"revenue by category in 1997", "SELECT customers.country, revenue DURING 1997", ""},
		// nobody typed it, or more than one thing changed
		{"revenue by category in 1997", "SELECT categories.category_name, revenue AT categories WHERE customers.country = 'Germany' DURING 1997", ""},
		{"revenue by category in 1997", "SELECT categories.category_name, gross_revenue AT categories DURING 1998", ""},
		{"revenue by category in 1997", "SELECT categories.category_name, revenue, gross_revenue AT categories DURING 1997", ""},
	} {
		t.Run(c.question+" "+c.query, func(t *testing.T) {
			w := openTarget(t, Target{}, t.TempDir())
			_, a := readAs(t, w, ada, "s", c.question)
			if a.Frame == nil {
				t.Fatalf("%q is not answered: %+v", c.question, a)
			}
			if strings.Contains(c.query, "margin") {
				return
			}
			b := changes(t, w, ada, a, c.query)
			got := ""
			if b.Suggested != nil {
				got = b.Suggested.Slot + ": " + b.Suggested.Term + " = " + b.Suggested.Means
			}
			if got != c.says {
				t.Errorf("says %q, want %q; read as %s with %+v", got, c.says, a.Understood.FrameQL, a.Understood.Spans)
			}
			if all, err := w.Corrections(t.Context(), "", ada); err != nil || len(all) > 0 || b.Learned != nil {
				t.Errorf("it taught %+v by itself, %v", all, err)
			}
		})
	}
}

// TestAChangeIsRememberedOnAWord: what a changed part says is kept with all that it rests on when its person says so, is used in the next question and said there, and is changed and forgotten like the rest. Nobody else
// sees it.
func TestAChangeIsRememberedOnAWord(t *testing.T) {
	home := t.TempDir()
	w := openTarget(t, Target{}, home)
	const question = "revenue by category in 1997"
	before, a := readAs(t, w, ada, "s", question)
	const query = "SELECT categories.category_name, gross_revenue AT categories DURING 1997"
	b := changes(t, w, ada, a, query)
	if b.Suggested == nil || !strings.Contains(b.Suggested.Words, "“revenue” means gross revenue") {
		t.Fatalf("suggested %+v", b.Suggested)
	}
	for _, keep := range []bool{true, false} {
		_, theirs := w.Remember(t.Context(), b.Suggested.ID, keep, "", bob)
		_, never := w.Remember(t.Context(), "nothing", keep, "", bob)
		if fault.CodeOf(theirs) != fault.NotFound || theirs.Error() != never.Error() {
			t.Errorf("somebody else's is %v, and what never was %v", theirs, never)
		}
	}
	if open, err := w.Noted(t.Context(), "", bob); err != nil || len(open) > 0 {
		t.Errorf("somebody else sees %+v, %v", open, err)
	}
	if open, err := w.Noted(t.Context(), "", ada); err != nil || len(open) != 1 || open[0].ID != b.Suggested.ID {
		t.Errorf("noted is %+v, %v", open, err)
	}
	told, err := w.Remember(t.Context(), b.Suggested.ID, true, "", ada)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	c := told.Correction
	if c.Quote != question || c.Detection != knowledge.ByCorrection || c.Sort != knowledge.Factual || c.SessionID != "s" || c.RequestID != b.RequestID || c.Change == nil {
		t.Fatalf("kept %+v", c)
	}
	if want := (knowledge.ChangedPart{Slot: "metric", From: before, To: query}); *c.Change != want {
		t.Errorf("it rests on %+v, want %+v", *c.Change, want)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = openTarget(t, Target{}, home)
	got, next := readAs(t, w, ada, "t", "revenue by month in 1997")
	if got != "SELECT orders.order_date.month, gross_revenue DURING 1997" || len(next.Remembered) != 1 || next.Remembered[0].ID != c.ID {
		t.Errorf("the next question is read as %s with %+v", got, next.Remembered)
	}
	if got, other := readAs(t, w, bob, "u", "revenue by month in 1997"); got != "SELECT orders.order_date.month, revenue DURING 1997" || len(other.Remembered) > 0 {
		t.Errorf("somebody else's question is read as %s with %+v", got, other.Remembered)
	}
	all, err := w.Corrections(t.Context(), "", ada)
	if err != nil || len(all) != 1 || all[0].Change == nil || all[0].Change.To != query {
		t.Errorf("after a restart it is %+v, %v", all, err)
	}
	if err := w.ForgetCorrection(t.Context(), c.ID, "", ada); err != nil {
		t.Fatal(fault.Detail(err))
	}
	_, a = readAs(t, w, ada, "v", question)
	if b := changes(t, w, ada, a, query); b.Suggested == nil || b.Learned != nil {
		t.Errorf("what was forgotten was not: %+v", b.Learned)
	}
}

// TestTheSecondChangeTeaches: the same change of the same word, made again, is remembered and said so; one that was declined is asked about again.
func TestTheSecondChangeTeaches(t *testing.T) {
	const question, query = "revenue by category in 1997", "SELECT categories.category_name, gross_revenue AT categories DURING 1997"
	w := openTarget(t, Target{}, t.TempDir())
	again := func(who rules.Caller, sessionID string) *analyst.Answer {
		_, a := readAs(t, w, who, sessionID, question)
		return changes(t, w, who, a, query)
	}
	first := again(ada, "1")
	if first.Suggested == nil || first.Learned != nil {
		t.Fatalf("the first gives %+v and %+v", first.Suggested, first.Learned)
	}
	second := again(ada, "2")
	if second.Suggested != nil || second.Learned == nil || second.Learned.Correction.Means != "gross revenue" || !strings.Contains(second.Learned.Words, "a second time") {
		t.Errorf("the second gives %+v and %+v", second.Suggested, second.Learned)
	}
	declined := again(bob, "3")
	if _, err := w.Remember(t.Context(), declined.Suggested.ID, false, "", bob); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if open, err := w.Noted(t.Context(), "", bob); err != nil || len(open) > 0 {
		t.Errorf("what was declined is asked still: %+v, %v", open, err)
	}
	if asked := again(bob, "4"); asked.Suggested == nil || asked.Learned != nil {
		t.Errorf("after a no the second gives %+v and %+v", asked.Suggested, asked.Learned)
	}
}

// TestAChangeOfAChange: the words are those of the question, however often its reading was changed; one that goes back says nothing, and neither does what is no answer of the person.
func TestAChangeOfAChange(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	_, a := readAs(t, w, ada, "s", "revenue by category in 1997")
	b := changes(t, w, ada, a, "SELECT categories.category_name, revenue AT categories DURING 1998")
	c := changes(t, w, ada, b, "SELECT categories.category_name, gross_revenue AT categories DURING 1998")
	if c.Suggested == nil || c.Suggested.Term != "revenue" || c.Suggested.Means != "gross revenue" {
		t.Errorf("the second change says %+v", c.Suggested)
	}
	d := changes(t, w, ada, c, "SELECT categories.category_name, revenue AT categories DURING 1998")
	if d.Suggested != nil {
		t.Errorf("going back says %+v", d.Suggested)
	}
	edited, err := w.Ask(t.Context(), analyst.Request{FrameQL: "SELECT categories.category_name, gross_revenue AT categories DURING 1997", SessionID: "elsewhere", EditedFrom: a.RequestID, Caller: ada}, nil)
	if err != nil || edited.Learned == nil || edited.Learned.Correction.Term != "revenue" || edited.Learned.Correction.SessionID != "elsewhere" {
		t.Errorf("the same in a query that was edited elsewhere says %+v and teaches %+v, %v", edited.Suggested, edited.Learned, err)
	}
	for _, r := range []analyst.Request{
		{EditedFrom: a.RequestID, Caller: bob}, {EditedFrom: "nothing", Caller: ada}, {Caller: ada},
	} {
		r.FrameQL, r.SessionID = "SELECT categories.category_name, gross_revenue AT categories DURING 1997", "by "+r.Caller.OSUser+r.EditedFrom
		if got, err := w.Ask(t.Context(), r, nil); err != nil || got.Suggested != nil {
			t.Errorf("%+v says %+v, %v", r, got.Suggested, err)
		}
	}
}

// TestWhatIsNotedGoesWithItsSession: with the session that it was noted in it is gone.
func TestWhatIsNotedGoesWithItsSession(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	_, a := readAs(t, w, ada, "s", "revenue by category in 1997")
	changes(t, w, ada, a, "SELECT categories.category_name, gross_revenue AT categories DURING 1997")
	noted, err := w.Noted(t.Context(), "", ada)
	if err != nil || len(noted) != 1 {
		t.Fatalf("noted %+v, %v", noted, err)
	}
	if _, err := w.Memory().Purge(t.Context(), "s", "ada"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	left, err := w.Noted(t.Context(), "", ada)
	if err != nil || slices.ContainsFunc(left, func(c knowledge.Correction) bool { return c.ID == noted[0].ID }) {
		t.Errorf("what was noted outlives its session: %+v, %v", left, err)
	}
}
