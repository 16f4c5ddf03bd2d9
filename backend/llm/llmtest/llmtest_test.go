package llmtest

import (
	"context"
	"testing"

	"assay/backend/fault"
	"assay/backend/llm"
)

// TestAMindFailsLikeAWire says that a script fails in process with the fault that it has over a wire.
func TestAMindFailsLikeAWire(t *testing.T) {
	for f, want := range map[Fault]llm.Trouble{
		FaultCut: llm.Broken, FaultShort: llm.Broken, FaultGarbage: llm.Malformed, FaultType: llm.Malformed, FaultPage: llm.Malformed, FaultHuge: llm.TooLarge, FaultLate: llm.Overloaded,
	} {
		_, err := NewMind(Card, Always(Reply{Text: "one two", Fault: f})).Send(t.Context(), words("x"), nil)
		check(t, string(f), err, want)
	}
	for _, f := range []Fault{FaultDeaf, FaultHang, FaultDrip} {
		ctx, stop := context.WithCancel(t.Context())
		if _, err := NewMind(Card, Always(Reply{Fault: f, Reached: stop})).Send(ctx, words("x"), nil); fault.CodeOf(err) != fault.Canceled {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestAScriptEnds(t *testing.T) {
	m := NewMind(Card, Say(Text("one")))
	if res, err := m.Send(t.Context(), words("x"), nil); err != nil || res.Text != "one" || res.Usage.Input == 0 {
		t.Error(res, err)
	}
	if _, err := m.Send(t.Context(), words("x"), nil); llm.TroubleOf(err) != llm.Malformed {
		t.Error("a script that has ended goes on:", err)
	}
	if len(m.Asked()) != 2 {
		t.Error(m.Asked())
	}
}

// TestServersHoldToTheirProtocols sends conversations that the providers refuse.
func TestServersHoldToTheirProtocols(t *testing.T) {
	result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c9","content":[]}]}`
	for _, body := range []string{
		`{"model":"m","stream":true,"messages":[]}`, `{"model":"m","stream":true,"max_tokens":5,"messages":[{"role":"assistant","content":[{"type":"text","text":"x"}]}]}`,
		`{"model":"m","stream":true,"max_tokens":5,"messages":[` + result + `]}`, `{"model":"m","max_tokens":5}`,
		`{"model":"m","stream":true,"max_tokens":5,"system":[{"type":"text","text":""}],"messages":[]}`, `[]`,
		`{"model":"m","stream":true,"max_tokens":5,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"n","input":{}}]},{"role":"user","content":[{"type":"text","text":"x"}]}]}`,
	} {
		if _, no := (anthropic{}).ask(&Server{}, []byte(body)); no == nil {
			t.Errorf("taken: %s", body)
		}
	}
	for _, body := range []string{
		`{"stream":true}`, `7`, `{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"tool","tool_call_id":"c9"}]}`,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"},{"role":"system","content":"y"}]}`,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"n","arguments":"{"}}]}]}`,
	} {
		if _, no := (openAI{}).ask(&Server{}, []byte(body)); no == nil {
			t.Errorf("taken: %s", body)
		}
	}
}

// TestTheCacheCountsBytes changes one byte of a prefix: nothing behind it is read.
func TestTheCacheCountsBytes(t *testing.T) {
	var c cache
	parts := []part{{"aaaa", true}, {"bbbb", true}, {"cccc", false}}
	if got := c.read("m", parts, 1); got != (Cached{Total: 12, Prefix: 8, Written: 8}) {
		t.Errorf("%+v", got)
	}
	if got := c.read("m", parts, 1); got != (Cached{Total: 12, Prefix: 8, Read: 8}) {
		t.Errorf("%+v", got)
	}
	if got := c.read("m", []part{{"aaaa", true}, {"bxbb", true}}, 1); got != (Cached{Total: 8, Prefix: 8, Read: 4, Written: 4}) {
		t.Errorf("%+v", got)
	}
	if got := c.read("another", parts, 1); got.Read != 0 {
		t.Errorf("%+v", got)
	}
	if got := new(cache).read("m", parts, 0); got.Read != 0 || got.Written != 0 {
		t.Errorf("a prefix that is too short is kept: %+v", got)
	}
}
