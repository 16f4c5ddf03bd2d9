package llmtest

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"assay/backend/llm"
)

// Adapter is what the suite runs: how to open one, the server that speaks its protocol, and what the protocol cannot say.
type Adapter struct {
	Serve func(t testing.TB, script Script, options ...func(*Server)) *Server
	New   func(e llm.Endpoint) (llm.Provider, error)
	// Embedder gives vectors by the model; nil: the provider has none.
	Embedder func(p llm.Provider, model string) (llm.Embedder, error)

	Likely  bool // it says how likely pieces were
	Broken  bool // arguments can come that are no JSON
	Refuses bool // a refusal is told apart from other replies
	Schemas bool // schemas of tools arrive byte for byte
	Caches  bool // stable prefixes are marked
	Local   bool // its own address is on this machine
}

// Conformance is what every adapter has to do, over a real wire to a scripted mind. It takes about a second.
func Conformance(t *testing.T, a Adapter) {
	for name, value := range map[string]string{ // nothing of the environment may reach a request
		"ANTHROPIC_API_KEY": "of-the-environment", "ANTHROPIC_AUTH_TOKEN": "of-the-environment", "ANTHROPIC_BASE_URL": "http://192.0.2.1",
		"OPENAI_API_KEY": "of-the-environment", "OPENAI_BASE_URL": "http://192.0.2.1", "OPENAI_ORG_ID": "of-the-environment", "OPENAI_PROJECT_ID": "of-the-environment",
		"OPENAI_CUSTOM_HEADERS": "X-Custom: of-the-environment", "ANTHROPIC_CUSTOM_HEADERS": "X-Custom: of-the-environment",
		"OLLAMA_HOST": "192.0.2.1", "HTTP_PROXY": "http://192.0.2.1", "HTTPS_PROXY": "http://192.0.2.1", "ALL_PROXY": "http://192.0.2.1",
	} {
		t.Setenv(name, value)
	}
	t.Run("replies", a.replies)
	t.Run("conversation", a.conversation)
	t.Run("schema", a.schema)
	t.Run("calls", a.calls)
	t.Run("refusals", a.refusals)
	t.Run("broken wires", a.wires)
	t.Run("silence", a.silence)
	t.Run("canceling", a.canceling)
	t.Run("at once", a.atOnce)
	t.Run("endpoints", a.endpoints)
	t.Run("prefixes", a.prefixes)
	t.Run("models", a.models)
	if a.Embedder != nil {
		t.Run("vectors", a.vectors)
	}
}

func (a Adapter) open(t *testing.T, e llm.Endpoint) llm.Model {
	t.Helper()
	p, err := a.New(e)
	if err != nil {
		t.Fatal(err)
	}
	return p.Open(Model)
}

// words asks with one message of a user.
func words(text string) llm.Request {
	return llm.Request{Task: llm.Planning, Messages: []llm.Message{{Role: llm.User, Text: text}}, MaxTokens: 500}
}

func (a Adapter) replies(t *testing.T) {
	s := a.Serve(t, Say(
		Reply{Text: "Revenue rose in March.", Usage: llm.Usage{Input: 40, Output: 7}, LogProbs: []llm.LogProb{{Text: "Revenue", Log: -0.25}, {Text: " rose", Log: -1.5}}},
		Reply{Text: "cut", Stop: llm.StopLength}, Reply{Text: "ünïcödé 数字 <b>&amp;\u2028", Pieces: []string{"ünïc", "ödé 数", "字 <b>&amp;\u2028"}}))
	m := a.open(t, s.Endpoint())
	var heard []string
	r := words("how was March?")
	r.LogProbs = true
	res, err := m.Send(t.Context(), r, func(c llm.Chunk) { heard = append(heard, c.Text) })
	if err != nil {
		t.Fatal(err)
	}
	if res.Text != "Revenue rose in March." || res.Stop != llm.StopEnd || res.Model != Model || len(res.Calls) != 0 {
		t.Errorf("the reply is %+v", res)
	}
	if !reflect.DeepEqual(heard, []string{"Revenue", " rose", " in", " March."}) {
		t.Errorf("heard %q", heard)
	}
	if res.Usage != (llm.Usage{Input: 40, Output: 7}) {
		t.Errorf("usage %+v", res.Usage)
	}
	if a.Likely != (len(res.LogProbs) == 2 && res.LogProbs[1] == llm.LogProb{Text: " rose", Log: -1.5}) {
		t.Errorf("likelihoods %+v", res.LogProbs)
	}
	if res, err := m.Send(t.Context(), words("more"), nil); err != nil || res.Stop != llm.StopLength {
		t.Errorf("cut off: %+v, %v", res, err)
	}
	if res, err := m.Send(t.Context(), words("more"), nil); err != nil || res.Text != "ünïcödé 数字 <b>&amp;\u2028" {
		t.Errorf("other letters: %+v, %v", res, err)
	}
	if a.Refuses {
		s := a.Serve(t, Say(Reply{Text: "I will not say.", Stop: llm.StopRefused}))
		if res, err := a.open(t, s.Endpoint()).Send(t.Context(), words("x"), nil); err != nil || res.Stop != llm.StopRefused || res.Text == "" {
			t.Errorf("refused: %+v, %v", res, err)
		}
	}
}

// tools are two, with schemas whose properties are in no order of their names.
func tools() []llm.Tool {
	return []llm.Tool{
		{Name: "look", Description: "Looks at a column.", Schema: json.RawMessage(`{"type":"object","properties":{"entity":{"type":"string"},"column":{"type":"string","description":"a name"}},"required":["entity","column"],"additionalProperties":false}`)},
		{Name: "list", Description: "Lists families.", Schema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)},
	}
}

// talk is a conversation with everything that one can hold.
func talk() llm.Request {
	return llm.Request{
		System: []llm.Block{{Name: "L1", Text: "You plan.", Stable: true}, {Name: "L2", Text: "Memos: none.", Stable: true}},
		Tools:  tools(), MaxTokens: 300, Temperature: 0, Seed: 7,
		Messages: []llm.Message{
			{Role: llm.User, Text: "what is there?", Stable: true},
			{Role: llm.Assistant, Text: "I will look.", Calls: []llm.Call{{ID: "c1", Name: "look", Arguments: json.RawMessage(`{"entity":"orders","column":"total"}`)}, {ID: "c2", Name: "list", Arguments: json.RawMessage(`{}`)}}},
			{Role: llm.Tools, Results: []llm.Result{{CallID: "c1", Name: "look", Content: `{"n_rows":5}`}, {CallID: "c2", Name: "list", Content: "no such tool", Failed: true}}},
			{Role: llm.Assistant, Text: "There are five rows."},
			{Role: llm.User, Text: "and now?"},
		},
	}
}

// conversation checks that what is sent arrives: roles, texts, calls, results, tools and settings.
func (a Adapter) conversation(t *testing.T) {
	s := a.Serve(t, Always(Text("ok")))
	sent := talk()
	if _, err := a.open(t, s.Endpoint()).Send(t.Context(), sent, nil); err != nil {
		t.Fatal(err)
	}
	got := s.Asked()[0]
	var system []string
	for _, b := range got.System {
		system = append(system, b.Text)
	}
	if said := strings.Join(system, "\n\n"); said != "You plan.\n\nMemos: none." {
		t.Errorf("the system is %q", said)
	}
	if len(got.Messages) != len(sent.Messages) || got.MaxTokens != 300 || got.Temperature != 0 {
		t.Fatalf("arrived: %+v", got)
	}
	for i, m := range sent.Messages {
		was := got.Messages[i]
		if was.Role != m.Role || was.Text != m.Text || !reflect.DeepEqual(was.Results, m.Results) || !reflect.DeepEqual(was.Calls, m.Calls) {
			t.Errorf("message %d arrived as %+v, and was %+v", i, was, m)
		}
	}
	for i, tool := range sent.Tools {
		if was := got.Tools[i]; was.Name != tool.Name || was.Description != tool.Description || a.Schemas && string(was.Schema) != string(tool.Schema) || !strings.Contains(string(was.Schema), `"object"`) {
			t.Errorf("tool %d arrived as %s %s %s", i, was.Name, was.Description, was.Schema)
		}
	}
	if a.Likely && got.Seed != 7 {
		t.Errorf("the seed arrived as %d", got.Seed)
	}
	for _, h := range s.Heard() {
		for name, values := range h.Header {
			for _, v := range values {
				if strings.Contains(v, "of-the-environment") {
					t.Errorf("the header %s is of the environment", name)
				}
			}
		}
	}
	// What a model wrote as arguments that were no JSON goes back to it, and the protocol still holds.
	sent.Messages[1].Calls[0].Arguments = json.RawMessage(`{"entity": "ord`)
	sent.Messages[1].Calls[1].Arguments = nil
	if _, err := a.open(t, s.Endpoint()).Send(t.Context(), sent, nil); err != nil {
		t.Errorf("arguments that are no JSON cannot be sent back: %v", err)
	}
	if last := s.Asked()[1]; !strings.Contains(string(last.Messages[1].Calls[0].Arguments), `ord`) {
		t.Errorf("they arrive as %s", last.Messages[1].Calls[0].Arguments)
	}
}

func (a Adapter) schema(t *testing.T) {
	const schema = `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z","a"],"additionalProperties":false}`
	run := func(name string, options ...func(*Server)) {
		s := a.Serve(t, Always(Reply{Text: `{"z":"x","a":1}`, Pieces: []string{`{"z":"x`, `","a":1}`}}), options...)
		m := a.open(t, s.Endpoint())
		for range 2 { // what was learnt the first time holds for the second
			r := words("as JSON")
			r.Schema, r.SchemaName = json.RawMessage(schema), "frame ql/1"
			var heard strings.Builder
			res, err := m.Send(t.Context(), r, func(c llm.Chunk) { heard.WriteString(c.Text) })
			if err != nil || res.Text != `{"z":"x","a":1}` || res.Stop != llm.StopEnd || heard.String() != res.Text || len(res.Calls) > 0 {
				t.Errorf("%s: %+v, %v, heard %q", name, res, err, heard.String())
			}
		}
		asked := s.Asked()
		if last := asked[len(asked)-1]; string(last.Schema) != schema {
			t.Errorf("%s: the schema arrived as %s", name, last.Schema)
		}
		if len(asked) > 4 {
			t.Errorf("%s: asked %d times", name, len(asked))
		}
	}
	run("by the format")
	run("an old model", func(s *Server) { s.OldFormat, s.NoTemperature = true, true })
}

func (a Adapter) calls(t *testing.T) {
	s := a.Serve(t, Say(
		Calls(llm.Call{Name: "look", Arguments: json.RawMessage(`{"entity":"orders","column":"total"}`)}, llm.Call{Name: "list", Arguments: json.RawMessage(`{}`)}),
		Reply{Text: "I will look.", Calls: []llm.Call{{Name: "no_such_tool", Arguments: json.RawMessage(`{"entity":7,"nested":{"deep":[1,2,{"x":null}]}}`)}}},
		Call("look", `{"entity": "ord`),
		Call("look", `[1,2]`)))
	m := a.open(t, s.Endpoint())
	r := words("look")
	r.Tools = tools()
	res, err := m.Send(t.Context(), r, nil)
	if err != nil || res.Stop != llm.StopTools || len(res.Calls) != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
	if c := res.Calls; c[0].Name != "look" || string(c[0].Arguments) != `{"entity":"orders","column":"total"}` || c[1].Name != "list" || string(c[1].Arguments) != `{}` || c[0].ID == "" || c[0].ID == c[1].ID {
		t.Errorf("the calls are %s %s %s and %s %s %s", c[0].ID, c[0].Name, c[0].Arguments, c[1].ID, c[1].Name, c[1].Arguments)
	}
	if res, err = m.Send(t.Context(), r, nil); err != nil || res.Text != "I will look." || len(res.Calls) != 1 || res.Calls[0].Name != "no_such_tool" ||
		string(res.Calls[0].Arguments) != `{"entity":7,"nested":{"deep":[1,2,{"x":null}]}}` {
		t.Errorf("a tool that is not there: %+v, %v", res, err)
	}
	if !a.Broken {
		return
	}
	if res, err = m.Send(t.Context(), r, nil); err != nil || len(res.Calls) != 1 || string(res.Calls[0].Arguments) != `{"entity": "ord` {
		t.Errorf("arguments that are no JSON: %+v, %v", res, err)
	}
	if res, err = m.Send(t.Context(), r, nil); err != nil || len(res.Calls) != 1 || string(res.Calls[0].Arguments) != `[1,2]` {
		t.Errorf("arguments that are no object: %+v, %v", res, err)
	}
}

// atOnce asks one model from many goroutines.
func (a Adapter) atOnce(t *testing.T) {
	s := a.Serve(t, func(r llm.Request) Reply { return Text("you said " + r.Messages[0].Text) })
	m := a.open(t, s.Endpoint())
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			said := strings.Repeat("x", i+1)
			res, err := m.Send(t.Context(), words(said), func(llm.Chunk) {})
			if err != nil || res.Text != "you said "+said {
				t.Errorf("%d: %q, %v", i, res.Text, err)
			}
		})
	}
	all.Wait()
}

// endpoints checks where requests may go.
func (a Adapter) endpoints(t *testing.T) {
	for _, url := range []string{"ftp://example.com", "http://", "https://user:pass@example.com", "http://exa mple.com", "https://example.com/?key=1", "::"} {
		if _, err := a.New(llm.Endpoint{URL: url}); llm.TroubleOf(err) != llm.BadEndpoint {
			t.Errorf("%q: %v", url, err)
		}
	}
	for url, local := range map[string]bool{"http://127.0.0.1:9": true, "localhost:9/v1": true, "http://[::1]:9": true, "0.0.0.0:9": true, "https://example.com": false, "http://192.168.1.7:8000": false, "127.0.0.1.example.com": false, "": a.Local} {
		p, err := a.New(llm.Endpoint{URL: url})
		if err != nil {
			t.Errorf("%q: %v", url, err)
			continue
		}
		c := p.Open("some-model").Card()
		if c.Local != local || c.Provider != p.Name() || c.Model != "some-model" || c.Endpoint == "" {
			t.Errorf("%q: the card is %+v", url, c)
		}
		if !local { // without a guard nothing leaves
			_, err := p.Open("some-model").Send(t.Context(), words("x"), nil)
			check(t, url, err, llm.StaysHere)
			_, err = p.List(t.Context())
			check(t, url, err, llm.StaysHere)
		}
	}
	s := a.Serve(t, Always(Text("ok")))
	e := s.Endpoint()
	e.Guard = llm.NewGuard(nil)
	if res, err := a.open(t, e).Send(t.Context(), words("x"), nil); err != nil || res.Text != "ok" {
		t.Errorf("the server of this machine, while nothing leaves: %v", err)
	}
}

// prefixes checks that a request whose beginning is the same has the same bytes there, and that stable ends are marked.
func (a Adapter) prefixes(t *testing.T) {
	s := a.Serve(t, Always(Text("ok")), func(s *Server) { s.CacheFrom = 1 })
	m := a.open(t, s.Endpoint())
	first := talk()
	if _, err := m.Send(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	second := talk()
	second.Messages = append(second.Messages, llm.Message{Role: llm.Assistant, Text: "Now six."}, llm.Message{Role: llm.User, Text: "sure?", Stable: true})
	if _, err := m.Send(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	var bodies []Heard
	for _, h := range s.Heard() {
		if h.Path == s.protocol.chat() {
			bodies = append(bodies, h)
		}
	}
	one, two := canonicalParts(t, bodies[0].Body), canonicalParts(t, bodies[1].Body)
	for _, name := range []string{"system", "tools"} {
		if one[name] != two[name] {
			t.Errorf("%s differ between two requests of one conversation", name)
		}
	}
	if !strings.HasPrefix(two["messages"], strings.TrimSuffix(one["messages"], "]")) && !a.Caches {
		t.Errorf("the messages do not go on where they ended:\n%s\n%s", one["messages"], two["messages"])
	}
	if a.Caches {
		if c := bodies[1].Cached; c.Read == 0 || c.Read != bodies[0].Cached.Prefix || c.Written == 0 {
			t.Errorf("of the first request %+v, of the second %+v", bodies[0].Cached, c)
		}
		many := talk()
		for i := range 8 {
			many.System = append(many.System, llm.Block{Text: strings.Repeat("y", i+1), Stable: true})
		}
		res, err := m.Send(t.Context(), many, nil)
		if err != nil || res.Usage.CacheWrite == 0 || res.Usage.Input < res.Usage.CacheRead+res.Usage.CacheWrite {
			t.Errorf("more stable ends than the provider keeps: %+v, %v", res.Usage, err)
		}
	}
}

func canonicalParts(t *testing.T, body []byte) map[string]string {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for k, v := range raw {
		parts[k] = string(v)
	}
	return parts
}

func (a Adapter) models(t *testing.T) {
	s := a.Serve(t, Always(Text("ok")), func(s *Server) {
		s.Models = []ServedModel{{Name: Model, Window: 8192, Digest: "sha256:5f1e", Bytes: 7}, {Name: "small", Window: 2048, NoTools: true}}
	})
	p, err := a.New(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	cards, err := p.List(t.Context())
	if err != nil || len(cards) != 2 {
		t.Fatal(cards, err)
	}
	for i, want := range s.Models {
		if c := cards[i]; c.Model != want.Name || c.Window != want.Window || c.Provider != p.Name() || !c.Local || c.Price != (llm.Price{}) {
			t.Errorf("the card is %+v", c)
		}
	}
	e := s.Endpoint()
	e.Key = "another"
	if p, err = a.New(e); err != nil {
		t.Fatal(err)
	}
	_, err = p.List(t.Context())
	check(t, "the list with a wrong key", err, llm.WrongKey)
}

func (a Adapter) vectors(t *testing.T) {
	s := a.Serve(t, Always(Text("ok")))
	p, err := a.New(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.Embedder(p, Model)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(e.Name(), p.Name()) || !strings.Contains(e.Name(), Model) {
		t.Errorf("the name is %q", e.Name())
	}
	texts := []string{"revenue by region", "orders", "revenue by region"}
	for range 200 {
		texts = append(texts, "text")
	}
	v, err := e.Embed(t.Context(), texts)
	if err != nil || len(v) != len(texts) {
		t.Fatal(len(v), err)
	}
	for _, one := range v {
		sum := 0.0
		for _, x := range one {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("a vector of length %v", math.Sqrt(sum))
		}
	}
	if !reflect.DeepEqual(v[0], v[2]) || reflect.DeepEqual(v[0], v[1]) {
		t.Error("the vectors are not those of their texts")
	}
	if v, err := e.Embed(t.Context(), nil); err != nil || len(v) != 0 {
		t.Errorf("no texts: %v, %v", v, err)
	}
	if missing, err := a.Embedder(p, "not-there"); err == nil {
		_, err = missing.Embed(t.Context(), []string{"x"})
		check(t, "a model that is not there", err, llm.NoModel)
	} else {
		check(t, "a model that is not there", err, llm.NoModel)
	}
}
