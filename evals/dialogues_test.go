package evals_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"assay/backend/analyst"
	"assay/evals"
)

// dialogue is one line of a dialogue file: turns of one session, each a case of its own.
type dialogue struct {
	ID    string     `json:"id"`
	Turns []evalCase `json:"turns"`
}

// In a dialogue every turn is asked in the session of the ones before, and its rows are those of the hand-written SQL.
func TestDialogues(t *testing.T) {
	for _, sample := range samples {
		t.Run(sample, func(t *testing.T) { sayDialogues(t, sample) })
	}
}

func sayDialogues(t *testing.T, sample string) {
	raw, err := os.ReadFile("dialogues_" + sample + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w := openSample(t, sample)
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		var d dialogue
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		t.Run(d.ID, func(t *testing.T) {
			session := ""
			for i, c := range d.Turns {
				a, err := w.Ask(context.Background(), analyst.Request{Question: c.Question, SessionID: session, Now: c.Now}, nil)
				if err != nil {
					t.Fatalf("%q: %v", c.Question, err)
				}
				session = a.SessionID
				if c.Expect != "" {
					if string(a.Outcome) != c.Expect {
						t.Errorf("turn %d %q: outcome %s, want %s%s", i+1, c.Question, a.Outcome, c.Expect, account(a))
					}
					continue
				}
				if a.Outcome != analyst.OutcomeAnswer || a.Frame == nil {
					t.Errorf("turn %d %q: outcome %s, want an answer%s", i+1, c.Question, a.Outcome, account(a))
					continue
				}
				if gold := query(t, w, c.SQL); gold != nil {
					if ok, why := evals.Match(gold, a.Frame.Rows, c.Ordered); !ok {
						t.Errorf("turn %d %q: %s%s\n  want %v\n  got  %v", i+1, c.Question, why, account(a), excerpt(gold), excerpt(a.Frame.Rows))
					}
				}
			}
		})
	}
}
