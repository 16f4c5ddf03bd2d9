package llm_test

import (
	"testing"

	"assay/backend/llm"
)

func request() llm.Request {
	return llm.Request{
		Task:     llm.Planning,
		System:   []llm.Block{{Name: "L1", Text: "You plan.", Stable: true}, {Name: "L2", Text: "Memos."}},
		Tools:    []llm.Tool{{Name: "look", Description: "Looks.", Schema: []byte(`{"type":"object","properties":{"b":{},"a":{}}}`)}},
		Messages: []llm.Message{{Role: llm.User, Text: "revenue by region"}},
		Schema:   []byte(`{"type": "object"}`),
	}
}

// TestHashNamesWhatAModelSees changes a request piece by piece: what a model sees changes the hash, and nothing else does.
func TestHashNamesWhatAModelSees(t *testing.T) {
	base := llm.Hash(request())
	if len(base) != 64 {
		t.Fatalf("%q is no hash", base)
	}
	same := map[string]func(*llm.Request){
		"the task":              func(r *llm.Request) { r.Task = llm.Narration },
		"the name of a block":   func(r *llm.Request) { r.System[0].Name = "X" },
		"where a prefix ends":   func(r *llm.Request) { r.System[0].Stable, r.Messages[0].Stable = false, true },
		"what is the person's":  func(r *llm.Request) { r.Carries = []llm.Carried{{Kind: "question", Bytes: 3}} },
		"the name of a schema":  func(r *llm.Request) { r.SchemaName = "frame_ql" },
		"white space in schema": func(r *llm.Request) { r.Schema = []byte("{\"type\":\n\"object\"}") },
	}
	for name, change := range same {
		r := request()
		change(&r)
		if llm.Hash(r) != base {
			t.Errorf("%s changes the hash", name)
		}
	}
	other := map[string]func(*llm.Request){
		"a block":               func(r *llm.Request) { r.System[1].Text += "!" },
		"a block cut in two":    func(r *llm.Request) { r.System = []llm.Block{{Text: "You plan."}, {Text: "Me"}, {Text: "mos."}} },
		"a message":             func(r *llm.Request) { r.Messages[0].Text += "s" },
		"a role":                func(r *llm.Request) { r.Messages[0].Role = llm.Assistant },
		"a call":                func(r *llm.Request) { r.Messages[0].Calls = []llm.Call{{Name: "look", Arguments: []byte("{")}} },
		"a result":              func(r *llm.Request) { r.Messages[0].Results = []llm.Result{{CallID: "1", Content: "x"}} },
		"the order of a schema": func(r *llm.Request) { r.Tools[0].Schema = []byte(`{"type":"object","properties":{"a":{},"b":{}}}`) },
		"the description":       func(r *llm.Request) { r.Tools[0].Description = "" },
		"temperature":           func(r *llm.Request) { r.Temperature = 0.2 },
		"the seed":              func(r *llm.Request) { r.Seed = 7 },
		"tokens":                func(r *llm.Request) { r.MaxTokens = 150 },
		"likelihoods":           func(r *llm.Request) { r.LogProbs = true },
		"a schema that is none": func(r *llm.Request) { r.Schema = []byte("{") },
		"no schema":             func(r *llm.Request) { r.Schema = nil },
	}
	seen := map[string]string{base: "nothing"}
	for name, change := range other {
		r := request()
		change(&r)
		h := llm.Hash(r)
		if was, ok := seen[h]; ok {
			t.Errorf("%s gives the hash of %s", name, was)
		}
		seen[h] = name
	}
}
