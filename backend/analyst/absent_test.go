package analyst

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/session"
)

// A session whose answers read tables that are not here says so with whatever comes of its next question, and once something was answered here, no more.
func TestNextQuestionSaysWhichTablesAreNotHere(t *testing.T) {
	left := func(tables ...string) json.RawMessage {
		raw, err := json.Marshal(said{Tables: tables})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	before := []session.Turn{{Index: 1, Outcome: "answer", FrameQL: "SELECT margin", Said: left("depots", "Orders", "trips")}}
	for name, c := range map[string]struct {
		ask     Request
		before  []session.Turn
		outcome Outcome
		says    string
	}{
		"refused":        {Request{Question: "salary flimflam quux"}, before[:0], OutcomeRefuse, ""},
		"not understood": {Request{Question: "and by flimflam"}, before, OutcomeRefuse, "tables that are not here: depots, trips. Import them"},
		"a query":        {Request{FrameQL: "SELECT margin"}, before, OutcomeRefuse, "tables that are not here: depots, trips. Import them"},
		"asked back":     {Request{Question: halfUnderstood}, before, OutcomeClarify, "tables that are not here: depots, trips."},
		"answered":       {Request{Question: "revenue by category in 1997"}, before, OutcomeAnswer, "tables that are not here: depots, trips."},
		"one table":      {Request{Question: "and by flimflam"}, []session.Turn{{Index: 1, Outcome: "answer", Said: left("trips")}}, OutcomeRefuse, "the table trips, which is not here: import it"},
		"all are here":   {Request{Question: "and by flimflam"}, []session.Turn{before[0], {Index: 2, Outcome: "answer", Said: left("orders")}}, OutcomeRefuse, ""},
		"a memo refuses": {Request{Question: "salary by country"}, before, OutcomeRefuse, ""},
	} {
		d := newDesk(t, shopKnowledge(t), categoryRows()...)
		d.memory.before = c.before
		a, err := d.ask(t.Context(), c.ask)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		told := ""
		switch {
		case a.Refusal != nil:
			told = a.Refusal.Message
		case a.Clarification != nil:
			told = a.Clarification.Question
		case a.Understood != nil:
			told = strings.Join(a.Understood.Assumptions, " ")
		}
		if a.Outcome != c.outcome || !strings.Contains(told, c.says) || c.says == "" && strings.Contains(told, "not here") {
			t.Errorf("%s: %s, %q", name, a.Outcome, told)
		}
	}

	d := newDesk(t, Knowledge{})
	d.memory.before = before
	_, err := d.ask(t.Context(), Request{Question: "and by month"})
	wantFault(t, err, fault.NotFound, "not here: depots, Orders, trips.")

	many := []string{}
	for i := range 100 {
		many = append(many, fmt.Sprint("t", i))
	}
	d = newDesk(t, shopKnowledge(t))
	d.memory.before = []session.Turn{{Index: 1, Outcome: "answer", Said: left(many...)}}
	if a, err := d.ask(t.Context(), Request{Question: "and by flimflam"}); err != nil || len(a.Refusal.Message) > 400 {
		t.Errorf("%v, %+v", err, a)
	}
}
