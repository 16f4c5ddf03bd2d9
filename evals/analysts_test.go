package evals_test

import (
	"context"
	"testing"

	"assay/backend/analyst"
	"assay/backend/workspace"
	"assay/evals"
)

// The analysts' questions were written before anybody looked at what the reader can do, and none is dropped because it is
// hard: what the reader cannot do yet is declined and counts so.
const (
	analystQuestions = 150 // with gold
	leastCorrect     = 0.95
)

// outcomes counts how questions with gold ended; wrong is counted among those answered.
type outcomes struct{ correct, wrong, clarified, declined int }

func (o outcomes) all() int { return o.correct + o.wrong + o.clarified + o.declined }

// Analysts' questions are answered right or not at all.
func TestAnalystsQuestions(t *testing.T) {
	var total outcomes
	for _, sample := range samples {
		w := openSample(t, sample)
		for _, c := range readCases(t, "analysts_"+sample) {
			if c.Expect != "" {
				ask(t, w, c)
				continue
			}
			grade(t, w, c, &total)
		}
	}
	t.Logf("%d questions: %d correct, %d wrong, %d clarified, %d declined", total.all(), total.correct, total.wrong, total.clarified, total.declined)
	if total.all() != analystQuestions {
		t.Errorf("%d questions with gold, want %d", total.all(), analystQuestions)
	}
	if least := leastCorrect * float64(total.all()); float64(total.correct) < least {
		t.Errorf("%d correct, want at least %.0f", total.correct, least)
	}
}

// grade asks one question and counts how it ended. Only a wrong answer is an error of its own.
func grade(t *testing.T, w *workspace.Workspace, c evalCase, total *outcomes) {
	t.Helper()
	gold := query(t, w, c.SQL)
	a, err := w.Ask(context.Background(), analyst.Request{Question: c.Question, Now: c.Now, Confirm: true}, nil)
	switch {
	case err != nil:
		t.Errorf("%q: %v", c.Question, err)
	case a.Outcome == analyst.OutcomeClarify:
		total.clarified++
		t.Logf("%s clarified: %q%s", c.ID, c.Question, account(a))
	case a.Frame == nil:
		total.declined++
		t.Logf("%s declined: %q%s", c.ID, c.Question, account(a))
	default:
		if ok, why := evals.Match(gold, a.Frame.Rows, c.Ordered); !ok {
			total.wrong++
			t.Errorf("%s wrong: %q: %s%s\n  want %v\n  got  %v", c.ID, c.Question, why, account(a), excerpt(gold), excerpt(a.Frame.Rows))
			return
		}
		total.correct++
	}
}
