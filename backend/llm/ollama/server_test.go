package ollama

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/backend/fault"
	"assay/backend/llm"
)

// tiny is the model of random weights that scripts/test-ollama.sh makes: it says nothing sensible, a byte for each token.
const tiny = "tiny:latest"

// real is a provider of the real server, behind a guard that lets nothing leave.
func real(t *testing.T) *Provider {
	t.Helper()
	url := os.Getenv("ASSAY_OLLAMA_URL")
	if url == "" {
		t.Skip("there is no Ollama server: make test-ollama builds one and sets ASSAY_OLLAMA_URL")
	}
	p, err := New(llm.Endpoint{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func say(words string, tokens int) llm.Request {
	return llm.Request{System: []llm.Block{{Text: "You answer."}}, Messages: []llm.Message{{Role: llm.User, Text: words}}, MaxTokens: tokens, Seed: 1}
}

func TestServerTellsItsModels(t *testing.T) {
	p := real(t)
	if v, err := p.Version(t.Context()); err != nil || v == "" {
		t.Error(v, err)
	} else {
		t.Log("version", v)
	}
	cards, err := p.List(t.Context())
	at := slices.IndexFunc(cards, func(c llm.Card) bool { return c.Model == tiny })
	if err != nil || at < 0 {
		t.Fatal(cards, err)
	}
	if c := cards[at]; c.Model != tiny || c.Window != 8192 || !c.Tools || !c.Schema || !c.Local || c.Bytes < 100_000 || len(c.Digest) != 64 {
		t.Errorf("%+v", c)
	}
}

func TestServerReplies(t *testing.T) {
	m := real(t).Open(tiny)
	var heard strings.Builder
	pieces := 0
	first, err := m.Send(t.Context(), say("revenue by region", 40), func(c llm.Chunk) { heard.WriteString(c.Text); pieces++ })
	if err != nil || first.Stop != llm.StopLength || first.Usage.Output != 40 || first.Usage.Input == 0 || heard.String() != first.Text || pieces < 2 {
		t.Errorf("%+v, %v, heard %q in %d pieces", first, err, heard.String(), pieces)
	}
	again, err := m.Send(t.Context(), say("revenue by region", 40), nil)
	if err != nil || again.Text != first.Text {
		t.Errorf("the same seed at temperature 0 gives another reply: %v", err)
	}
	r := say("revenue by region", 40)
	r.Tools = []llm.Tool{{Name: "look", Description: "Looks.", Schema: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}},"required":["at"],"additionalProperties":false}`)}}
	r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "look", Arguments: json.RawMessage(`{"at":"orders"}`)}}},
		llm.Message{Role: llm.Tools, Results: []llm.Result{{CallID: "1", Name: "look", Content: "five"}}})
	with, err := m.Send(t.Context(), r, nil)
	if err != nil || with.Usage.Input <= first.Usage.Input {
		t.Errorf("with tools: %+v, %v", with, err)
	}
}

// TestServerHoldsASchema has a model that says anything say what fits a schema, forty times.
func TestServerHoldsASchema(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"metric":{"type":"string","enum":["revenue","orders","margin"]},"by":{"type":"array","items":{"type":"string","enum":["region","month"]},"minItems":1,"maxItems":2},
		"descending":{"type":"boolean"}},"required":["metric","by","descending"],"additionalProperties":false}`
	var doc any
	if err := json.Unmarshal([]byte(schema), &doc); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("reply.json", doc); err != nil {
		t.Fatal(err)
	}
	fits := c.MustCompile("reply.json")
	m := real(t).Open(tiny)
	seen := map[string]bool{}
	for seed := 1; seed <= 40; seed++ {
		r := say("which query?", 400)
		r.Schema, r.Seed, r.Temperature = json.RawMessage(schema), seed, 1
		res, err := m.Send(t.Context(), r, nil)
		if err != nil || res.Stop != llm.StopEnd {
			t.Fatalf("seed %d: %+v, %v", seed, res, err)
		}
		var reply any
		if err := json.Unmarshal([]byte(res.Text), &reply); err != nil || fits.Validate(reply) != nil {
			t.Errorf("seed %d: %s does not fit", seed, res.Text)
		}
		seen[res.Text] = true
	}
	t.Logf("40 replies fit the schema, %d of them different", len(seen))
	if len(seen) < 5 {
		t.Error("the seed changes nothing")
	}
}

// TestServerStops cancels in the middle of a reply, and asks again: the server is free.
func TestServerStops(t *testing.T) {
	m := real(t).Open(tiny)
	for range 5 {
		ctx, stop := context.WithCancel(t.Context())
		heard := 0
		_, err := m.Send(ctx, say("go on and on", 4000), func(llm.Chunk) {
			if heard++; heard == 2 {
				stop()
			}
		})
		if fault.CodeOf(err) != fault.Canceled || heard > 2 {
			t.Errorf("heard %d pieces, %v", heard, err)
		}
	}
	if res, err := m.Send(t.Context(), say("and now", 5), nil); err != nil || res.Usage.Output != 5 {
		t.Errorf("%+v, %v", res, err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := m.Send(t.Context(), say("at once", 20), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestServerRefuses(t *testing.T) {
	p := real(t)
	if _, err := p.Open("not-there").Send(t.Context(), say("x", 5), nil); llm.TroubleOf(err) != llm.NoModel {
		t.Error(fault.Detail(err))
	}
	if _, err := p.Open(tiny).Send(t.Context(), say(strings.Repeat("too long ", 1000), 5), nil); llm.TroubleOf(err) != llm.TooLong {
		t.Error("a request beyond the window:", err)
	}
	r := say("x", 5)
	r.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`)
	if _, err := p.Open(tiny).Send(t.Context(), r, nil); llm.TroubleOf(err) != llm.NotUsed {
		t.Error("a schema with a hole:", fault.Detail(err))
	}
	if err := p.Pull(t.Context(), "tiny", nil); llm.TroubleOf(err) != llm.StaysHere {
		t.Error("a pull while nothing leaves:", err)
	}
}

func TestServerEmbeds(t *testing.T) {
	e, err := real(t).Embedder(t.Context(), "tiny")
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Embed(t.Context(), []string{"revenue", "orders", "revenue"})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	same := 0.0
	for i := range v[0] {
		same += float64(v[0][i]) * float64(v[2][i])
	}
	if len(v) != 3 || same < 0.999 || !strings.Contains(e.Name(), "tiny:latest@") {
		t.Errorf("%d vectors, likeness of the same text %v, %s", len(v), same, e.Name())
	}
}

func TestServerLoads(t *testing.T) {
	p := real(t)
	if _, err := p.Open(tiny).Send(t.Context(), say("x", 1), nil); err != nil {
		t.Fatal(err)
	}
	if loaded, err := p.Loaded(t.Context()); err != nil || len(loaded) != 1 || loaded[0].Model != tiny {
		t.Error(loaded, err)
	}
}
