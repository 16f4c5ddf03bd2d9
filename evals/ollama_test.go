package evals_test

import (
	"context"
	"os"
	"testing"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/llm"
	"assay/backend/llm/ollama"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// TestRandomWeights asks a real Ollama server whose model has random weights a hundred questions. Whatever it writes, held to the schema or cut at its limit of tokens, each ends in a query
// that resolves or in an honest refusal.
func TestRandomWeights(t *testing.T) {
	address, name := os.Getenv("ASSAY_OLLAMA_URL"), os.Getenv("ASSAY_OLLAMA_MODEL")
	if address == "" {
		t.Skip("ASSAY_OLLAMA_URL names no server of Ollama: make test-ollama starts one")
	}
	if name == "" {
		name = "plain"
	}
	at := func(address string) llm.Model {
		provider, err := ollama.New(llm.Endpoint{URL: address, Guard: llm.NewGuard(func() bool { return true })})
		if err != nil {
			t.Fatal(err)
		}
		return provider.Open(name)
	}
	model := at(address)
	planner := model
	if of := os.Getenv("ASSAY_OLLAMA_PLANNER"); of != "" { // a server that keeps what the prompts for a query begin with
		planner = at(of)
	}
	w, err := workspace.OpenSample(context.Background(), "northwind", workspace.Options{DataDir: t.TempDir(), Now: wallClock, Thinkers: func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "ollama:" + name, Always: true, Rows: analyst.RowsMasked, Select: func(task llm.Task) llm.Model {
			if task == llm.Planning {
				return planner
			}
			return model
		}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	var questions []string
	for _, c := range readCases(t, "northwind") {
		questions = append(questions, c.Question)
	}
	for _, c := range readCases(t, "adventureworks") {
		questions = append(questions, c.Question)
	}
	for len(questions) < 100 {
		questions = append(questions, questions[len(questions)%37]+", once more")
	}
	questions = questions[:100]
	ended := map[analyst.Outcome]int{}
	asked, tokens := 0, 0
	failed := map[string]int{} // requests without a reply: there is none to be malformed, and the answer is the reader's
	for i, q := range questions {
		if i%10 == 0 {
			t.Logf("%d questions, %d requests, %d tokens written: %v", i, asked, tokens, ended)
		}
		a, err := w.Ask(context.Background(), analyst.Request{Question: q}, nil)
		if err != nil {
			t.Errorf("%s: %v", q, err)
			continue
		}
		ended[a.Outcome]++
		for _, s := range a.Sent {
			asked++
			tokens += s.TokensOut
			if s.Failed {
				failed[s.Task]++
			}
			if s.TokensOut > 800 {
				t.Errorf("%s: %d tokens in one reply", q, s.TokensOut)
			}
		}
		switch a.Outcome {
		case analyst.OutcomeAnswer, analyst.OutcomeConfirm:
			if _, err := frameql.Parse(a.Understood.FrameQL); err != nil {
				t.Errorf("%s: answered by %q: %v", q, a.Understood.FrameQL, err)
			}
		case analyst.OutcomeClarify:
			if a.Clarification == nil || a.Clarification.Question == "" {
				t.Errorf("%s: asks nothing back", q)
			}
		case analyst.OutcomeRefuse:
			if a.Refusal == nil || a.Refusal.Message == "" {
				t.Errorf("%s: refused without a reason", q)
			}
		default:
			t.Errorf("%s: ended in %q", q, a.Outcome)
		}
	}
	t.Logf("%d questions, %d requests, %d tokens written: %v; without a reply: %v", len(questions), asked, tokens, ended, failed)
	if planned := asked - failed["planning"]; failed["planning"] > planned/10 {
		t.Errorf("%d requests for a query had no reply: the model was hardly asked", failed["planning"])
	}
}
