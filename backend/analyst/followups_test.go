package analyst

import (
	"slices"
	"strings"
	"testing"

	"assay/backend/session"
)

func suggestions(t *testing.T, recent []string, query string, rows ...[][]any) []session.Followup {
	t.Helper()
	d := newDesk(t, shopKnowledge(t), rows...)
	d.memory.recent = recent
	a, err := d.ask(t.Context(), Request{FrameQL: query})
	if err != nil {
		t.Fatal(err)
	}
	return a.Followups
}

// After three questions about one area another one is offered, even where nothing joins the two.
func TestThreeQuestionsInOneAreaLeadToAnother(t *testing.T) {
	asksOrders := func(fs []session.Followup) bool {
		return slices.ContainsFunc(fs, func(f session.Followup) bool { return strings.HasPrefix(f.Question, "number of orders") })
	}
	total, counted := [][]any{{dec("10")}}, [][]any{{int64(9), int64(9)}}
	if fs := suggestions(t, nil, "SELECT revenue AT ()", total, counted); asksOrders(fs) {
		t.Errorf("after one question: %v", fs)
	}
	if fs := suggestions(t, []string{"SELECT revenue DURING 1997", "SELECT order_count"}, "SELECT revenue AT ()", total, counted); asksOrders(fs) {
		t.Errorf("after questions in two areas: %v", fs)
	}
	if fs := suggestions(t, []string{"SELECT revenue DURING 1997", byCategory}, "SELECT revenue AT ()", total, counted); !asksOrders(fs) {
		t.Errorf("after three questions in one area: %v", fs)
	}
}

// Where joins lead to another area, one suggestion goes there: by the same members.
func TestOneSuggestionCrossesAreas(t *testing.T) {
	fs := suggestions(t, nil, "SELECT revenue AT orders.country", [][]any{{"Germany", dec("10")}, {"France", dec("5")}}, [][]any{{int64(9), int64(9)}})
	if !slices.ContainsFunc(fs, func(f session.Followup) bool { return strings.HasPrefix(f.Question, "number of orders by") }) {
		t.Errorf("%v", fs)
	}
}

// An empty answer is probed: each condition is left out in turn, through the same engine.
func TestAnEmptyAnswerIsProbed(t *testing.T) {
	none := [][]any{{int64(9), int64(0), int64(4), int64(3)}}
	d := newDesk(t, shopKnowledge(t), [][]any{}, none, [][]any{{int64(9), int64(4), int64(4)}}, [][]any{{int64(9), int64(0), int64(3)}})
	a, err := d.ask(t.Context(), Request{FrameQL: "SELECT products.category, revenue WHERE orders.country = 'Germany' DURING 1997"})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Findings) == 0 || !strings.Contains(a.Findings[0].Message, "Without country Germany there are 4 rows.") || strings.Contains(a.Findings[0].Message, "Without 1997") {
		t.Errorf("findings %+v", a.Findings)
	}
	if len(a.Followups) == 0 || a.Followups[0].Title != "Without country Germany" {
		t.Errorf("follow-ups %+v", a.Followups)
	}
}
