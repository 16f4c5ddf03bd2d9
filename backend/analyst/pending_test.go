package analyst

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assay/backend/interpret"
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
			d.deps.Knowledge = func() Knowledge { return now }
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
