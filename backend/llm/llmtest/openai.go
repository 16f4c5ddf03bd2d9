package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/llm"
)

// OpenAI serves the Chat Completions protocol, and embeddings.
func OpenAI(t testing.TB, script Script, options ...func(*Server)) *Server {
	return serve(t, openAI{}, script, options)
}

type openAI struct{}

func (openAI) name() string { return "openai" }
func (openAI) chat() string { return "/v1/chat/completions" }

func (openAI) key(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") }

type openAIRequest struct {
	Model               string   `json:"model"`
	Stream              bool     `json:"stream"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	Temperature         *float64 `json:"temperature"`
	Seed                int      `json:"seed"`
	LogProbs            bool     `json:"logprobs"`
	StreamOptions       struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ResponseFormat struct {
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Messages []struct {
		Role       string `json:"role"`
		Content    string `json:"content"`
		ToolCallID string `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
}

func (openAI) ask(s *Server, body []byte) (asked, *refusal) {
	var q openAIRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return asked{}, &refusal{llm.NotUsed, err.Error()}
	}
	a := asked{model: q.Model}
	bad := func(why string) (asked, *refusal) { return a, &refusal{llm.NotUsed, why} }
	switch {
	case !q.Stream || !q.StreamOptions.IncludeUsage:
		return bad("this server streams only, and with usage")
	case s.NoTemperature && q.Temperature != nil:
		return bad("param:temperature")
	}
	a.MaxTokens, a.Seed, a.LogProbs = max(q.MaxTokens, q.MaxCompletionTokens), q.Seed, q.LogProbs
	a.Schema, a.SchemaName = q.ResponseFormat.JSONSchema.Schema, q.ResponseFormat.JSONSchema.Name
	if q.Temperature != nil {
		a.Temperature = *q.Temperature
	}
	for _, t := range q.Tools {
		a.Tools = append(a.Tools, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	open := map[string]string{}
	for i, m := range q.Messages {
		if m.Role != "tool" && len(open) > 0 {
			return bad("an assistant message with 'tool_calls' must be followed by tool messages")
		}
		switch m.Role {
		case "system":
			if i > 0 {
				return bad("a system message has to be the first")
			}
			a.System = append(a.System, llm.Block{Text: m.Content})
		case "user":
			a.Messages = append(a.Messages, llm.Message{Role: llm.User, Text: m.Content})
		case "assistant":
			one := llm.Message{Role: llm.Assistant, Text: m.Content}
			for _, c := range m.ToolCalls {
				if !json.Valid([]byte(c.Function.Arguments)) {
					return bad("arguments are no JSON")
				}
				one.Calls = append(one.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)})
				open[c.ID] = c.Function.Name
			}
			a.Messages = append(a.Messages, one)
		case "tool":
			name, ok := open[m.ToolCallID]
			if !ok {
				return bad("no call has the id " + m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			a.Messages = result(a.Messages, llm.Result{CallID: m.ToolCallID, Name: name, Content: m.Content})
		}
	}
	return a, nil
}

// result adds a result to the message of results, for protocols that have a message for each. That one failed stands in its text.
func result(all []llm.Message, r llm.Result) []llm.Message {
	if rest, failed := strings.CutPrefix(r.Content, "error: "); failed {
		r.Content, r.Failed = rest, true
	}
	if n := len(all); n > 0 && all[n-1].Role == llm.Tools {
		all[n-1].Results = append(all[n-1].Results, r)
		return all
	}
	return append(all, llm.Message{Role: llm.Tools, Results: []llm.Result{r}})
}

func (openAI) refuse(t llm.Trouble, why string) (int, string) {
	status, kind, code, param := 400, "invalid_request_error", any(nil), any(nil)
	switch t {
	case llm.WrongKey:
		status, code = 401, "invalid_api_key"
	case llm.NoCredit:
		status, kind, code = 429, "insufficient_quota", "insufficient_quota"
	case llm.NotAllowed:
		status = 403
	case llm.NoModel:
		status, code = 404, "model_not_found"
	case llm.TooLong:
		code = "context_length_exceeded"
	case llm.TooOften:
		status, kind, code = 429, "requests", "rate_limit_exceeded"
	case llm.Overloaded:
		status, kind = 503, "server_error"
	case llm.NotUsed:
		if name, ok := strings.CutPrefix(why, "param:"); ok {
			code, param, why = "unsupported_value", name, "Unsupported value"
		}
	}
	return status, encode(map[string]any{"error": map[string]any{"message": why, "type": kind, "param": param, "code": code}})
}

func (openAI) broken(f Fault) string {
	switch f {
	case FaultType:
		return "data: {\"choices\":7}\n\n"
	case FaultLate:
		return event("", map[string]any{"error": map[string]any{"message": "The server had an error", "type": "server_error", "code": nil}})
	}
	return "data: {\"id\":\"x\",\"choices\":[{\"del\n\n"
}

func (openAI) stream(_ *Server, a asked, r Reply) ([]string, string) {
	chunk := func(delta map[string]any, finish any, logprobs any) string {
		return event("", map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": a.model, "usage": nil,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}},
		})
	}
	events := []string{chunk(map[string]any{"role": "assistant", "content": ""}, nil, nil)}
	said := "content"
	if r.stop() == llm.StopRefused {
		said = "refusal"
	}
	var likely any
	if a.LogProbs && len(r.LogProbs) > 0 {
		list := []any{}
		for _, l := range r.LogProbs {
			list = append(list, map[string]any{"token": l.Text, "logprob": l.Log, "bytes": nil, "top_logprobs": []any{}})
		}
		likely = map[string]any{"content": list, "refusal": nil}
	}
	for _, p := range r.pieces() {
		events = append(events, chunk(map[string]any{said: p}, nil, likely))
		likely = nil
	}
	for i, c := range r.Calls {
		arguments := string(c.Arguments)
		half := len(arguments) / 2
		events = append(events,
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": ""}}}}, nil, nil),
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": arguments[:half]}}}}, nil, nil),
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": arguments[half:]}}}}, nil, nil))
	}
	finish := map[llm.Stop]string{llm.StopEnd: "stop", llm.StopTools: "tool_calls", llm.StopLength: "length", llm.StopRefused: "stop"}[r.stop()]
	u := r.usage(a.Request)
	return append(events, chunk(map[string]any{}, finish, nil), event("", map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": a.model, "choices": []any{},
		"usage": map[string]any{"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output, "prompt_tokens_details": map[string]any{"cached_tokens": u.CacheRead}},
	}), "data: [DONE]\n\n"), "text/event-stream"
}

func (openAI) serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool {
	switch r.URL.Path {
	case "/v1/models":
		list := []any{}
		for _, m := range s.Models {
			list = append(list, map[string]any{"id": m.Name, "object": "model", "created": 1, "owned_by": "tests", "max_model_len": m.Window})
		}
		writeJSON(w, map[string]any{"object": "list", "data": list})
	case "/v1/embeddings":
		var q struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if json.Unmarshal(body, &q) != nil {
			s.refuse(w, llm.NotUsed, "no request for embeddings", 0)
			return true
		}
		if _, ok := s.model(q.Model); !ok {
			s.refuse(w, llm.NoModel, "there is no model "+q.Model, 0)
			return true
		}
		data := []any{}
		for i, text := range q.Input {
			data = append([]any{map[string]any{"object": "embedding", "index": i, "embedding": vector(text)}}, data...) // the index counts, not the place
		}
		writeJSON(w, map[string]any{"object": "list", "model": q.Model, "data": data, "usage": map[string]any{"prompt_tokens": 1, "total_tokens": 1}})
	default:
		return false
	}
	return true
}
