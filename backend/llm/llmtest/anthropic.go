package llmtest

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"assay/backend/llm"
)

// Anthropic serves the Messages protocol. It keeps prefixes as the provider does: up to each breakpoint, byte by byte, and says how much of a
// request was read from there.
func Anthropic(t testing.TB, script Script, options ...func(*Server)) *Server {
	return serve(t, anthropic{}, script, options)
}

type anthropic struct{}

func (anthropic) name() string { return "anthropic" }
func (anthropic) chat() string { return "/v1/messages" }

func (anthropic) key(h http.Header) string { return h.Get("X-Api-Key") }

type anthropicRequest struct {
	Model        string            `json:"model"`
	MaxTokens    int               `json:"max_tokens"`
	Stream       bool              `json:"stream"`
	Temperature  *float64          `json:"temperature"`
	System       []json.RawMessage `json:"system"`
	Tools        []json.RawMessage `json:"tools"`
	OutputConfig struct {
		Format struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
	ToolChoice struct {
		Type string `json:"type"`
		Name string `json:"name"`
	} `json:"tool_choice"`
	Messages []struct {
		Role    string            `json:"role"`
		Content []json.RawMessage `json:"content"`
	} `json:"messages"`
}

type anthropicBlock struct {
	Type         string          `json:"type"`
	Text         string          `json:"text"`
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	Input        json.RawMessage `json:"input"`
	ToolUseID    string          `json:"tool_use_id"`
	IsError      bool            `json:"is_error"`
	CacheControl json.RawMessage `json:"cache_control"`
	Content      []struct {
		Text string `json:"text"`
	} `json:"content"`
}

func (anthropic) ask(s *Server, body []byte) (asked, *refusal) {
	var q anthropicRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return asked{}, &refusal{llm.NotUsed, err.Error()}
	}
	a := asked{model: q.Model}
	bad := func(why string) (asked, *refusal) { return a, &refusal{llm.NotUsed, why} }
	switch {
	case !q.Stream:
		return bad("this server streams only")
	case q.MaxTokens <= 0:
		return bad("max_tokens: Field required")
	case s.NoTemperature && q.Temperature != nil:
		return bad("temperature is not supported by this model")
	case s.OldFormat && len(q.OutputConfig.Format.Schema) > 0:
		return bad("output_config: Extra inputs are not permitted")
	}
	a.MaxTokens, a.Schema = q.MaxTokens, q.OutputConfig.Format.Schema
	if q.Temperature != nil {
		a.Temperature = *q.Temperature
	}
	var prefix []part
	for _, raw := range q.Tools {
		var b anthropicBlock
		if json.Unmarshal(raw, &b) != nil || b.Name == "" || len(b.InputSchema) == 0 {
			return bad("tools: not a tool")
		}
		prefix = append(prefix, partOf(raw, b))
		if (q.ToolChoice.Type == "tool" && q.ToolChoice.Name == b.Name || q.ToolChoice.Type == "any") && b.Name == "reply" {
			a.forced, a.Schema = true, b.InputSchema
			continue
		}
		a.Tools = append(a.Tools, llm.Tool{Name: b.Name, Description: b.Description, Schema: b.InputSchema})
	}
	for _, raw := range q.System {
		var b anthropicBlock
		if json.Unmarshal(raw, &b) != nil || b.Text == "" {
			return bad("system: text content blocks must be non-empty")
		}
		prefix = append(prefix, partOf(raw, b))
		a.System = append(a.System, llm.Block{Text: b.Text, Stable: len(b.CacheControl) > 0})
	}
	open := map[string]string{} // calls of the message before
	for i, m := range q.Messages {
		if i == 0 && m.Role != "user" {
			return bad("messages: first message must use the user role")
		}
		one := llm.Message{Role: llm.User}
		if m.Role == "assistant" {
			one.Role = llm.Assistant
		}
		answered := 0
		for _, raw := range m.Content {
			var b anthropicBlock
			if json.Unmarshal(raw, &b) != nil {
				return bad("messages: not a block")
			}
			prefix = append(prefix, partOf(raw, b))
			one.Stable = len(b.CacheControl) > 0
			switch b.Type {
			case "text":
				if b.Text == "" {
					return bad("messages: text content blocks must be non-empty")
				}
				one.Text += b.Text
			case "tool_use":
				if !strings.HasPrefix(string(b.Input), "{") {
					return bad("messages: Input should be a valid dictionary")
				}
				one.Calls = append(one.Calls, llm.Call{ID: b.ID, Name: b.Name, Arguments: b.Input})
			case "tool_result":
				if _, ok := open[b.ToolUseID]; !ok {
					return bad("messages: unexpected tool_use_id " + b.ToolUseID)
				}
				answered++
				text := ""
				for _, c := range b.Content {
					text += c.Text
				}
				one.Results = append(one.Results, llm.Result{CallID: b.ToolUseID, Name: open[b.ToolUseID], Content: text, Failed: b.IsError})
			}
		}
		if answered != len(open) {
			return bad("messages: tool_use ids were found without tool_result blocks immediately after")
		}
		open = map[string]string{}
		for _, c := range one.Calls {
			open[c.ID] = c.Name
		}
		if len(one.Results) > 0 {
			one.Role = llm.Tools
		}
		a.Messages = append(a.Messages, one)
	}
	ends := 0
	for _, p := range prefix {
		if p.end {
			ends++
		}
	}
	if ends > 4 {
		return bad("A maximum of 4 blocks with cache_control may be provided")
	}
	a.cached = s.cache.read(q.Model, prefix, s.CacheFrom)
	return a, nil
}

func (anthropic) refuse(t llm.Trouble, why string) (int, string) {
	status, kind := 400, "invalid_request_error"
	switch t {
	case llm.WrongKey:
		status, kind = 401, "authentication_error"
	case llm.NoCredit:
		why = "Your credit balance is too low to access the API."
	case llm.NotAllowed:
		status, kind = 403, "permission_error"
	case llm.NoModel:
		status, kind = 404, "not_found_error"
	case llm.TooLong:
		why = "prompt is too long: " + why
	case llm.TooOften:
		status, kind = 429, "rate_limit_error"
	case llm.Overloaded:
		status, kind = 529, "overloaded_error"
	}
	return status, encode(anthropicError(kind, why))
}

func anthropicError(kind, why string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": why}}
}

func (anthropic) broken(f Fault) string {
	switch f {
	case FaultType:
		return "event: content_block_delta\ndata: [1, 2]\n\n"
	case FaultLate:
		return event("error", anthropicError("overloaded_error", "Overloaded"))
	}
	return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"del\n\n"
}

func (anthropic) stream(_ *Server, a asked, r Reply) ([]string, string) {
	u := r.usage(a.Request)
	if r.Usage == (llm.Usage{}) {
		u.Input, u.CacheRead, u.CacheWrite = a.cached.Total/4, a.cached.Read/4, a.cached.Written/4
	}
	usage := map[string]any{
		"input_tokens": u.Input - u.CacheRead - u.CacheWrite, "cache_read_input_tokens": u.CacheRead,
		"cache_creation_input_tokens": u.CacheWrite, "output_tokens": 1,
	}
	events := []string{event("message_start", map[string]any{"type": "message_start", "message": map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": a.model, "content": []any{}, "stop_reason": nil, "usage": usage,
	}}), event("ping", map[string]any{"type": "ping"})}
	index := 0
	block := func(begin map[string]any, deltas ...map[string]any) {
		events = append(events, event("content_block_start", map[string]any{"type": "content_block_start", "index": index, "content_block": begin}))
		for _, d := range deltas {
			events = append(events, event("content_block_delta", map[string]any{"type": "content_block_delta", "index": index, "delta": d}))
		}
		events = append(events, event("content_block_stop", map[string]any{"type": "content_block_stop", "index": index}))
		index++
	}
	stop := map[llm.Stop]string{llm.StopEnd: "end_turn", llm.StopTools: "tool_use", llm.StopLength: "max_tokens", llm.StopRefused: "refusal"}[r.stop()]
	var said []map[string]any
	switch forced := a.forced && len(r.Calls) == 0; {
	case forced:
		for _, p := range r.pieces() {
			said = append(said, map[string]any{"type": "input_json_delta", "partial_json": p})
		}
		block(map[string]any{"type": "tool_use", "id": "toolu_reply", "name": "reply", "input": map[string]any{}}, said...)
		if r.stop() == llm.StopEnd {
			stop = "tool_use"
		}
	case r.Text != "":
		for _, p := range r.pieces() {
			said = append(said, map[string]any{"type": "text_delta", "text": p})
		}
		block(map[string]any{"type": "text", "text": ""}, said...)
	}
	for _, c := range r.Calls {
		arguments := string(c.Arguments)
		half := len(arguments) / 2
		block(map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": map[string]any{}},
			map[string]any{"type": "input_json_delta", "partial_json": ""},
			map[string]any{"type": "input_json_delta", "partial_json": arguments[:half]},
			map[string]any{"type": "input_json_delta", "partial_json": arguments[half:]})
	}
	return append(events,
		event("message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": u.Output}}),
		event("message_stop", map[string]any{"type": "message_stop"})), "text/event-stream; charset=utf-8"
}

func (anthropic) serve(s *Server, w http.ResponseWriter, r *http.Request, _ []byte) bool {
	if r.URL.Path != "/v1/models" {
		return false
	}
	list := []any{}
	for _, m := range s.Models {
		list = append(list, map[string]any{"type": "model", "id": m.Name, "display_name": m.Name, "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": m.Window, "max_tokens": 8192})
	}
	writeJSON(w, map[string]any{"data": list, "has_more": false, "first_id": nil, "last_id": nil})
	return true
}

// Cached is what the cache of prefixes made of a request, in bytes of its blocks.
type Cached struct {
	Total   int // all of the request
	Prefix  int // up to its last breakpoint
	Read    int // of the prefix, that were there already
	Written int // of the prefix, that were not
}

// part is a block of a request; end: a prefix ends with it.
type part struct {
	bytes string
	end   bool
}

// partOf takes what marks the end of a prefix out of a block: it is no part of it.
func partOf(raw json.RawMessage, b anthropicBlock) part {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return part{bytes: string(raw)}
	}
	delete(fields, "cache_control")
	return part{bytes: encode(fields), end: len(b.CacheControl) > 0}
}

// cache keeps the prefixes of all requests so far.
type cache struct {
	mu   sync.Mutex
	kept map[[32]byte]bool
}

func (c *cache) read(model string, parts []part, from int) Cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[[32]byte]bool{}
	}
	if from == 0 {
		from = 1024
	}
	h := sha256.New()
	h.Write([]byte(model))
	var out Cached
	var ends [][32]byte
	last, read := 0, 0
	for _, p := range parts {
		h.Write([]byte(p.bytes))
		out.Total += len(p.bytes)
		sum := [32]byte(h.Sum(nil))
		if c.kept[sum] {
			read = out.Total
		}
		if p.end {
			out.Prefix, last = out.Total, read
			if out.Total >= from*4 {
				ends = append(ends, sum)
			}
		}
	}
	if len(ends) == 0 {
		return out // too short to be kept
	}
	out.Read, out.Written = last, out.Prefix-last
	for _, e := range ends {
		c.kept[e] = true
	}
	return out
}
