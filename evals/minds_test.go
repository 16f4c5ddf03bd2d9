package evals_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/workspace"
)

// scripted is a workspace in which a script thinks about every question, even where the reader is certain. The script is that of say, which changes from
// question to question.
type scripted struct {
	*workspace.Workspace
	say  llmtest.Script
	card llm.Card
	mind *llmtest.Mind
}

func openScripted(t *testing.T, sample string) *scripted {
	t.Helper()
	s := &scripted{card: llmtest.Card}
	w, err := workspace.OpenSample(context.Background(), sample, workspace.Options{DataDir: t.TempDir(), Now: wallClock, Thinkers: s.thinkers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	s.Workspace = w
	return s
}

func (s *scripted) thinkers(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
	if s.say == nil {
		return nil, nil
	}
	s.mind = llmtest.NewMind(s.card, s.say)
	return &analyst.Thinker{Name: "scripted:mind", Rows: analyst.RowsMasked, Always: true, Select: func(task llm.Task) llm.Model {
		if task != llm.Planning {
			return nil
		}
		return s.mind
	}}, nil
}

func executes(query string) llmtest.Reply {
	raw, err := json.Marshal(map[string]string{"frame_ql": query})
	if err != nil {
		panic(err) // text always has a JSON form
	}
	return llmtest.Call("execute_frame_ql", string(raw))
}

// TestScriptedMinds has, for every question of the cases that the reader answers, a mind that proposes the right query: the frame is the reader's, to the cell. And one that
// proposes a wrong one first, in one of several ways: it is refused, and the first repair that the refusal names runs in its next turn. A mind without tools does the same with its form.
func TestScriptedMinds(t *testing.T) {
	n := everyNth(3)
	for _, sample := range samples {
		t.Run(sample, func(t *testing.T) {
			w := openScripted(t, sample)
			equal, mended := 0, map[string]int{}
			for i, c := range readCases(t, sample) {
				if c.Expect != "" || i%n != 0 {
					continue
				}
				w.say = nil
				reader, err := w.Ask(context.Background(), analyst.Request{Question: c.Question, Now: c.Now}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if reader.Frame == nil {
					continue // TestQuestions tells
				}
				query := reader.Understood.FrameQL
				w.card.Tools = true
				w.say = llmtest.Say(executes(query), llmtest.Text("done"))
				same(t, c.ID+", right", w, c, reader)
				equal++

				for _, wrong := range mistakes(sample, query, equal) {
					fixer := &mender{wrong: wrong.query, right: query}
					w.say = fixer.say
					same(t, c.ID+", mended after "+wrong.name, w, c, reader)
					if fixer.refusals != 1 || !fixer.ran { // the first repair runs
						t.Errorf("%s: %s was refused %d times, ran: %v: %s", c.ID, wrong.name, fixer.refusals, fixer.ran, wrong.query)
					}
					mended[wrong.name+" ("+fixer.code+")"]++
				}

				w.card.Tools = false
				w.say = llmtest.Say(llmtest.Text(`{"select":[{"metric":"no_such_metric_here"}]}`), llmtest.Text(query))
				same(t, c.ID+", form", w, c, reader)
			}
			t.Logf("%d right queries gave the reader's frames; wrong ones were refused and mended: %v", equal, mended)
			if len(mended) < 5 {
				t.Error("too few kinds of mistakes to tell")
			}
			if equal < 5 {
				t.Error("too few questions to tell")
			}
		})
	}
}

// same asks once more and wants the frame of before.
func same(t *testing.T, what string, w *scripted, c evalCase, before *analyst.Answer) {
	t.Helper()
	a, err := w.Ask(context.Background(), analyst.Request{Question: c.Question, Now: c.Now}, nil)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if a.Frame == nil {
		t.Errorf("%s: %s, %+v, %+v", what, a.Outcome, a.Refusal, a.Understood)
		return
	}
	if session.FrameHash(a.Frame) != session.FrameHash(before.Frame) {
		t.Errorf("%s: the frame differs: %s", what, a.Understood.FrameQL)
	}
	if !strings.Contains(strings.Join(a.Understood.Assumptions, " "), "scripted:mind") {
		t.Errorf("%s: the answer does not say who wrote the query", what)
	}
}
