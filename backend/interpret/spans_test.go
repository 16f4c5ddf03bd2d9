package interpret

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// labelled is a question with what its underlined stretches mean, written by a person: testdata/spans.jsonl.
type labelled struct {
	Question string  `json:"question"`
	Spans    []claim `json:"spans"`
}

type claim struct {
	Text   string `json:"text"`
	Slot   string `json:"slot"`
	Target string `json:"target"`
}

const leastLabelled = 100

// Every underlined stretch of an answered question means what a person says that it means, and is that stretch of the question.
func TestSpansMeanWhatTheyClaim(t *testing.T) {
	f, err := os.Open("testdata/spans.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	answers := 0
	for lines := bufio.NewScanner(f); lines.Scan(); answers++ {
		var want labelled
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		r := ask(t, want.Question)
		if r.Reading == nil || r.Clarify != nil {
			t.Errorf("%q is not answered: %s", want.Question, outcome(r))
			continue
		}
		end := 0
		for _, s := range r.Reading.Spans {
			if !slices.Contains(want.Spans, claim{s.Text, s.Slot, s.Target}) {
				t.Errorf("%q: %q is underlined as %s %s", want.Question, s.Text, s.Slot, s.Target)
			}
			if s.Start < end || want.Question[s.Start:s.End] != s.Text {
				t.Errorf("%q: %q does not stand at %d to %d", want.Question, s.Text, s.Start, s.End)
			}
			end = s.End
		}
		if len(r.Reading.Spans) != len(want.Spans) {
			t.Errorf("%q: %d stretches are underlined, want %d", want.Question, len(r.Reading.Spans), len(want.Spans))
		}
	}
	if answers < leastLabelled {
		t.Errorf("%d questions, want at least %d", answers, leastLabelled)
	}
}
