package analyst

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assay/backend/interpret"
	"assay/backend/rules"
)

// A question that needs values which are still being read waits for them; one that does not is answered at once, and both
// say so as long as the values are not there.
func TestAQuestionWaitsForValuesOnlyWhenItNeedsThem(t *testing.T) {
	whole := shopKnowledge(t)
	bare := whole
	bare.Index = interpret.NewIndex(whole.Model, nil)
	const pending = "The values of the data are still being read, so a name that stands only in the data may not have been recognised."
	for name, c := range map[string]struct {
		question string
		arrive   bool
		waited   int
		outcome  Outcome
		says     bool
	}{
		"understood without":      {"revenue by category in 1997", true, 0, OutcomeAnswer, true},
		"the values came":         {"revenue of Chai in 1997", true, 1, OutcomeAnswer, false},
		"the values did not come": {"revenue of Chai in 1997", false, 1, OutcomeClarify, true},
		"nothing is known of it":  {"Chai of Chang", false, 1, OutcomeRefuse, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, bare, categoryRows()...)
			waited := 0
			now := bare
			now.Await = func(context.Context) bool {
				if waited++; c.arrive {
					now = whole
				}
				return c.arrive
			}
			d.deps.Knowledge = func(rules.Actor) Knowledge { return now }
			a, err := d.ask(t.Context(), Request{Question: c.question})
			if err != nil {
				t.Fatal(err)
			}
			if a.Outcome != c.outcome || waited != c.waited || slices.Contains(a.Understood.Assumptions, pending) != c.says {
				t.Errorf("%s after waiting %d times, assumptions %v, refusal %+v", a.Outcome, waited, a.Understood.Assumptions, a.Refusal)
			}
			if a.Refusal != nil && !strings.Contains(a.Refusal.Message, pending) {
				t.Errorf("refusal %q", a.Refusal.Message)
			}
		})
	}
}

// A name that nobody knows is looked up in the data; one that is known is not.
func TestNamesThatNobodyKnowsAreLookedUp(t *testing.T) {
	k := shopKnowledge(t)
	k.Index = interpret.NewIndex(k.Model, []interpret.ValueSet{{Entity: "products", Dimension: "product_name", Values: []string{"Tofu"}}})
	var asked []string
	k.LookUp = func(_ context.Context, names []string) []interpret.ValueSet {
		if asked = append(asked, names...); names[0] != "Chai" {
			return nil
		}
		return []interpret.ValueSet{{Entity: "products", Dimension: "product_name", Values: []string{"Chai"}}}
	}
	for _, c := range []struct {
		question, asked string
		outcome         Outcome
	}{
		{"revenue of Chai in 1997", "Chai", OutcomeAnswer},
		{"revenue of Tofu in 1997", "", OutcomeAnswer},
		{"revenue of Wubble in 1997", "Wubble", OutcomeClarify},
	} {
		d, before := newDesk(t, k, categoryRows()...), len(asked)
		a, err := d.ask(t.Context(), Request{Question: c.question})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(asked[before:], " "); a.Outcome != c.outcome || got != c.asked {
			t.Errorf("%s: %s, looked up %q, refusal %+v", c.question, a.Outcome, got, a.Refusal)
		}
	}
}
