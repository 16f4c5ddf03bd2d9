package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

func TestStrict(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`:                                                                                true,
		`{"type":"object","properties":{},"required":[],"additionalProperties":false}`:                                                                                                        true,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["a"],"additionalProperties":false}`:                                                                         false,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`:                                                                                                             false,
		`{"type":"object","properties":{"a":{"type":"object"}},"required":["a"],"additionalProperties":false}`:                                                                                false,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"object","properties":{"x":{}},"additionalProperties":false}]}},"required":["a"],"additionalProperties":false}`: false,
		`{"type":"object","properties":{"oneOf":{"type":"string"},"type":{"enum":["object"]}},"required":["oneOf","type"],"additionalProperties":false}`:                                      true,
		`{"oneOf":[{"type":"string"}]}`: false,
		`{"$defs":{"x":{"type":"object","properties":{"a":{}},"required":[]}},"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"additionalProperties":false}`: false,
		`no JSON`: false,
	} {
		if strict(json.RawMessage(schema)) != want {
			t.Errorf("strict(%s) is not %v", schema, want)
		}
	}
}

// TestOpenAIItself looks at what only OpenAI is sent, and what only it is known to have.
func TestOpenAIItself(t *testing.T) {
	itself, err := New(llm.Endpoint{})
	if err != nil {
		t.Fatal(err)
	}
	compatible, err := New(llm.Endpoint{URL: "http://127.0.0.1:8000/v1"})
	if err != nil {
		t.Fatal(err)
	}
	r := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}, MaxTokens: 7, LogProbs: true}
	body := func(p *Provider, name string) string {
		raw, err := json.Marshal(p.Open(name).(*model).write(r, nil))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if b := body(itself, "gpt-4.1"); !strings.Contains(b, `"store":false`) || !strings.Contains(b, `"max_completion_tokens":7`) || !strings.Contains(b, `"logprobs":true`) {
		t.Error(b)
	}
	if b := body(itself, "gpt-5.4"); strings.Contains(b, "logprobs") {
		t.Error("a model that thinks is asked for likelihoods:", b)
	}
	if b := body(compatible, "gpt-4.1"); strings.Contains(b, "store") || !strings.Contains(b, `"max_tokens":7`) {
		t.Error(b)
	}
	if c := itself.Open("gpt-5.4-mini-2026-03-17").Card(); c.Price.Input != 0.75 || c.Price.CacheRead != 0.075 || c.Window != 1_000_000 || c.Local {
		t.Errorf("%+v", c)
	}
	for _, unknown := range []llm.Card{itself.Open("gpt-5.4-pro").Card(), itself.Open("gpt-9").Card(), compatible.Open("gpt-5.4").Card()} {
		if unknown.Price != (llm.Price{}) {
			t.Errorf("a price that nobody told: %+v", unknown)
		}
	}
}

// TestLearns has a server that knows the other name of a parameter only: it is asked twice once, and never again.
func TestLearns(t *testing.T) {
	s := llmtest.OpenAI(t, llmtest.Always(llmtest.Text("ok")), func(s *llmtest.Server) { s.NoTemperature = true })
	p, err := New(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	m := p.Open(llmtest.Model)
	for range 3 {
		if _, err := m.Send(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.Heard()); n != 4 {
		t.Errorf("asked %d times", n)
	}
}

func TestErrorsOfCompatibleServers(t *testing.T) {
	for _, c := range []struct {
		e      said
		status int
		want   llm.Trouble
	}{
		{said{Type: "exceed_context_size_error", Code: float64(400)}, 400, llm.TooLong},
		{said{Type: "BadRequestError", Code: float64(400), Message: "This model's maximum context length is 4096 tokens."}, 400, llm.TooLong},
		{said{}, 502, llm.Overloaded},
		{said{Code: "insufficient_quota"}, 429, llm.NoCredit},
		{said{Code: "rate_limit_exceeded"}, 429, llm.TooOften},
		{said{Message: "whatever"}, 400, llm.NotUsed},
		{said{}, 402, llm.NoCredit},
	} {
		if got := trouble(c.e, c.status); got != c.want {
			t.Errorf("%+v with %d is %s, want %s", c.e, c.status, got, c.want)
		}
	}
}

func TestOnlyModelsThatSpeakAreListed(t *testing.T) {
	for name, want := range map[string]bool{"gpt-5.4": true, "o3": true, "text-embedding-3-small": false, "gpt-4o-realtime-preview": false, "dall-e-3": false, "whisper-1": false} {
		if speaks(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
