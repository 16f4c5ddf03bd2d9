package evals_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/workspace"
)

// suggested is the least share of answers, empty ones included, that say what may be asked next.
const suggested = 0.9

// emptyQuestions have no rows in the samples, and a condition without which they have some.
var emptyQuestions = map[string][]string{
	"northwind": {
		"revenue in Norway for Seafood in July 1996", "customers in Poland with revenue above 100000", "freight in Argentina in July 1996",
		"revenue of Chai in Ireland in July 1996",
	},
	"adventureworks": {
		"line total of Helmets in Australia in June 2011", "customers with total due above 100 million", "line total in Germany in 2011",
		"employees in France with line total above 1 billion",
	},
}

// What is suggested is answered when it is asked next in the same conversation, and nearly every answer suggests something.
func TestSuggestionsAreAnswered(t *testing.T) {
	for _, sample := range samples {
		t.Run(sample, func(t *testing.T) {
			w := openSample(t, sample)
			questions := slices.Clone(emptyQuestions[sample])
			for _, set := range []string{sample, "analysts_" + sample} {
				for i, c := range readCases(t, set) {
					if c.Expect == "" && i%everyNth(6) == 0 {
						questions = append(questions, c.Question)
					}
				}
			}
			answers, with, asked := 0, 0, 0
			for _, q := range questions {
				a := answered(t, w, analyst.Request{Question: q, Confirm: true})
				if a == nil {
					continue
				}
				answers++
				if len(a.Followups) > 0 {
					with++
				}
				for _, f := range a.Followups {
					asked++
					b := answered(t, w, analyst.Request{Question: f.Question, SessionID: a.SessionID, Confirm: true})
					if b == nil {
						t.Errorf("%q suggests %q, which is not answered", q, f.Question)
					}
				}
			}
			t.Logf("%d of %d answers suggest something, %d suggestions in all", with, answers, asked)
			if float64(with) < suggested*float64(answers) {
				t.Errorf("%d of %d answers suggest something", with, answers)
			}
		})
	}
}

// answered asks a question and gives its answer; nil: it has none.
func answered(t *testing.T, w *workspace.Workspace, r analyst.Request) *analyst.Answer {
	t.Helper()
	a, err := w.Ask(context.Background(), r, nil)
	if err != nil {
		t.Fatalf("%q: %v", r.Question, err)
	}
	if a.Outcome != analyst.OutcomeAnswer || a.Frame == nil {
		return nil
	}
	return a
}

// An empty answer says which condition emptied it and offers the question without it.
func TestAnEmptyAnswerSaysWhatToTry(t *testing.T) {
	for _, sample := range samples {
		w := openSample(t, sample)
		for _, q := range emptyQuestions[sample] {
			a := answered(t, w, analyst.Request{Question: q, Confirm: true})
			if a == nil {
				t.Errorf("%q is not answered", q)
				continue
			}
			var message string
			for _, f := range a.Findings {
				if f.Code == "EMPTY_RESULT" {
					message = f.Message
				}
			}
			if !strings.Contains(message, "Without ") {
				t.Errorf("%q: %q does not say which condition emptied it", q, message)
			}
			if len(a.Followups) == 0 || !strings.HasPrefix(a.Followups[0].Title, "Without ") {
				t.Errorf("%q: nothing to try first: %v", q, a.Followups)
				continue
			}
			if b := answered(t, w, analyst.Request{Question: a.Followups[0].Question, SessionID: a.SessionID, Confirm: true}); b == nil || len(b.Frame.Rows) == 0 {
				t.Errorf("%q: %q has no rows either", q, a.Followups[0].Question)
			}
		}
	}
}
