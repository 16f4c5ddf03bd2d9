package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

func written(t *testing.T, r llm.Request, p plan) string {
	t.Helper()
	raw, err := json.Marshal(write(r, llm.Card{Model: "m", Output: 8192}, p))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestEndsOfPrefixes marks no more than the provider keeps: the first tiers, and the latest turns.
func TestEndsOfPrefixes(t *testing.T) {
	r := llm.Request{System: []llm.Block{{Text: "L1", Stable: true}, {Text: ""}, {Text: "L2", Stable: true}, {Text: "today"}}}
	for _, words := range []string{"one", "two", "three", "four"} {
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: words, Stable: true}, llm.Message{Role: llm.Assistant, Text: "yes"})
	}
	body := written(t, r, plan{})
	if n := strings.Count(body, "cache_control"); n != 4 {
		t.Fatalf("%d ends are marked: %s", n, body)
	}
	for _, words := range []string{"L1", "L2", "three", "four"} {
		if !strings.Contains(body, `{"text":"`+words+`","cache_control":{"type":"ephemeral"},"type":"text"}`) {
			t.Errorf("%s is not the end of a prefix: %s", words, body)
		}
	}
}

func TestOldModelsReplyByATool(t *testing.T) {
	for name, format := range map[string]bool{"claude-3-5-haiku-latest": false, "claude-sonnet-4-20250514": false, "claude-sonnet-4-5": true, "claude-opus-4-1": true, "claude-opus-5-5": true} {
		if hasFormat(name) != format {
			t.Errorf("%s: %v", name, !format)
		}
	}
	r := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}, Schema: json.RawMessage(`{"type":"object","properties":{}}`)}
	if body := written(t, r, plan{forced: true}); !strings.Contains(body, `"tool_choice":{"name":"reply","type":"tool"}`) || strings.Contains(body, "output_config") {
		t.Error(body)
	}
	r.Tools = []llm.Tool{{Name: "look"}}
	if body := written(t, r, plan{forced: true}); !strings.Contains(body, `"tool_choice":{"type":"any"}`) {
		t.Error("with other tools it may use these first:", body)
	}
	// A model that looks first, and then replies.
	s := llmtest.Anthropic(t, llmtest.Say(llmtest.Call("look", `{}`), llmtest.Text(`{"a":1}`)), func(s *llmtest.Server) { s.OldFormat = true })
	p, err := New(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	m := p.Open(llmtest.Model)
	if res, err := m.Send(t.Context(), r, nil); err != nil || res.Stop != llm.StopTools || len(res.Calls) != 1 || res.Text != "" {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := m.Send(t.Context(), r, nil); err != nil || res.Stop != llm.StopEnd || res.Text != `{"a":1}` {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestPrices(t *testing.T) {
	p, err := New(llm.Endpoint{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Open("claude-haiku-4-5-20251001").Card(); c.Price != (llm.Price{Input: 1, Output: 5, CacheRead: 0.1, CacheWrite: 1.25}) || c.Window != 200_000 || c.Local {
		t.Errorf("%+v", c)
	}
	if c := p.Open("claude-sonnet-4-6").Card(); c.Window != 1_000_000 || c.Price.Output != 15 {
		t.Errorf("%+v", c)
	}
	if c := p.Open("claude-next").Card(); c.Price != (llm.Price{}) || c.Window == 0 || c.Output == 0 {
		t.Errorf("a price that nobody told: %+v", c)
	}
}

// TestACachedConversation goes on for twenty turns: what was there before is read from the cache.
func TestACachedConversation(t *testing.T) {
	s := llmtest.Anthropic(t, llmtest.Always(llmtest.Text("It rose by a little.")))
	p, err := New(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	m := p.Open(llmtest.Model)
	r := llm.Request{System: []llm.Block{{Name: "L1", Text: strings.Repeat("All that a model is told. ", 400), Stable: true}, {Name: "L2", Text: strings.Repeat("A memo. ", 200), Stable: true}}, MaxTokens: 50}
	first := 0
	for turn := range 20 {
		for i := range r.Messages {
			r.Messages[i].Stable = false
		}
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: strings.Repeat("and then? ", turn+1), Stable: true})
		res, err := m.Send(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Text: res.Text})
		switch u := res.Usage; {
		case turn == 0:
			first = u.CacheWrite
			if u.CacheRead != 0 || first == 0 {
				t.Errorf("the first turn: %+v", u)
			}
		case u.CacheRead < first || u.Input-u.CacheRead > 100:
			t.Errorf("turn %d: %+v", turn, u)
		}
	}
}
