package analyst

import (
	"context"
	"strings"
	"testing"

	"assay/backend/risk"
	"assay/backend/rules"
)

// A workspace that wants to be sure of every slot gets questions back that others answer, with the reading as the guess.
func TestRulesMakeItAsk(t *testing.T) {
	strict := func() *rules.Rules {
		r := *bound()
		r.Clarify.Slot = 0.95
		return &r
	}
	for question, asks := range map[string]bool{"revenue by category in 1997": false, "revenu by category in 1997": true, "revenu by category in 1997, just do it": false} {
		d := newDesk(t, shopKnowledge(t), categoryRows()...)
		d.deps.Rules = strict
		a, err := d.ask(t.Context(), Request{Question: question})
		if err != nil {
			t.Fatal(err)
		}
		if (a.Outcome == OutcomeClarify) != asks {
			t.Errorf("%q: %s", question, a.Outcome)
		}
		if c := a.Clarification; asks && (c == nil || !strings.HasPrefix(c.Question, "Is this what you mean: Revenue by category") || c.BestGuess.Value != "SELECT products.category, revenue AT products.category DURING 1997" && !strings.Contains(c.BestGuess.Value, "revenue") || a.Risk == nil || !a.Risk.Provisional) {
			t.Errorf("%q: %+v", question, c)
		}
		d = newDesk(t, shopKnowledge(t), categoryRows()...)
		if a, err := d.ask(t.Context(), Request{Question: question}); err != nil || a.Outcome != OutcomeAnswer {
			t.Errorf("%q with the built-in rules: %v %v", question, a.Outcome, err)
		}
	}
}

// What is like nothing that was confirmed is planned on data and definitions as they are now.
func TestNovelQuestionsLookAgain(t *testing.T) {
	for name, c := range map[string]struct {
		similarity float64
		looks      bool
	}{"novel": {0.1, true}, "known": {0.9, false}} {
		d := newDesk(t, shopKnowledge(t), categoryRows()...)
		looked := 0
		d.deps.Golden = func(context.Context, rules.Actor, string, string) risk.Nearest {
			return risk.Nearest{Similarity: c.similarity, Question: "orders", Of: 1}
		}
		newer := shopKnowledge(t)
		newer.Epochs = map[string]string{"orders": "sha256:9", "lines": "sha256:9", "products": "sha256:9"}
		d.deps.Recheck = func(context.Context) bool {
			looked++
			d.deps.Knowledge = func(rules.Actor) Knowledge { return newer }
			return true
		}
		a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"})
		if err != nil {
			t.Fatal(err)
		}
		want := "sha256:2"
		if c.looks {
			want = "sha256:9"
		}
		if (looked == 1) != c.looks || a.Frame.SourceEpochs["lines"] != want {
			t.Errorf("%s: looked %d times, read %v", name, looked, a.Frame.SourceEpochs)
		}
	}
}
