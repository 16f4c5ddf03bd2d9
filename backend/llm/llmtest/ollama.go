package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/llm"
)

// Ollama serves the protocol of an Ollama server: version, list, show, chat, pull and embed.
func Ollama(t testing.TB, script Script, options ...func(*Server)) *Server {
	return serve(t, ollama{}, script, options)
}

type ollama struct{}

func (ollama) name() string { return "ollama" }
func (ollama) chat() string { return "/api/chat" }

func (ollama) key(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") }

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type ollamaRequest struct {
	Model    string          `json:"model"`
	Stream   *bool           `json:"stream"`
	Format   json.RawMessage `json:"format"`
	LogProbs bool            `json:"logprobs"`
	Options  struct {
		Temperature float64 `json:"temperature"`
		Seed        int     `json:"seed"`
		NumPredict  int     `json:"num_predict"`
		NumCtx      int     `json:"num_ctx"`
	} `json:"options"`
	Tools []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Messages []struct {
		Role       string       `json:"role"`
		Content    string       `json:"content"`
		ToolName   string       `json:"tool_name"`
		ToolCallID string       `json:"tool_call_id"`
		ToolCalls  []ollamaCall `json:"tool_calls"`
	} `json:"messages"`
}

func (ollama) ask(_ *Server, body []byte) (asked, *refusal) {
	var q ollamaRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return asked{}, &refusal{llm.NotUsed, err.Error()}
	}
	a := asked{model: q.Model}
	if q.Stream != nil && !*q.Stream {
		return a, &refusal{llm.NotUsed, "this server streams only"}
	}
	a.MaxTokens, a.Seed, a.LogProbs, a.Schema, a.Temperature = q.Options.NumPredict, q.Options.Seed, q.LogProbs, q.Format, q.Options.Temperature
	for _, t := range q.Tools {
		a.Tools = append(a.Tools, llm.Tool{Name: t.Function.Name, Description: t.Function.Description, Schema: t.Function.Parameters})
	}
	for _, m := range q.Messages {
		switch m.Role {
		case "system":
			a.System = append(a.System, llm.Block{Text: m.Content})
		case "user":
			a.Messages = append(a.Messages, llm.Message{Role: llm.User, Text: m.Content})
		case "assistant":
			one := llm.Message{Role: llm.Assistant, Text: m.Content}
			for _, c := range m.ToolCalls {
				one.Calls = append(one.Calls, llm.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
			}
			a.Messages = append(a.Messages, one)
		case "tool":
			a.Messages = result(a.Messages, llm.Result{CallID: m.ToolCallID, Name: m.ToolName, Content: m.Content})
		}
	}
	return a, nil
}

func (ollama) refuse(t llm.Trouble, why string) (int, string) {
	status := 400
	switch t {
	case llm.WrongKey:
		status = 401
	case llm.NoCredit:
		status = 402
	case llm.NotAllowed:
		status = 403
	case llm.NoModel:
		status = 404
	case llm.TooLong:
		why = "the input length exceeds the context length: " + why
	case llm.TooOften:
		status = 429
	case llm.Overloaded:
		status = 503
	}
	return status, encode(map[string]any{"error": why})
}

func (ollama) broken(f Fault) string {
	switch f {
	case FaultType:
		return `{"model":7,"message":[]}` + "\n"
	case FaultLate:
		return `{"error":"an error was encountered while running the model"}` + "\n"
	}
	return `{"model":"x","mess` + "\n"
}

func (ollama) stream(_ *Server, a asked, r Reply) ([]string, string) {
	line := func(message map[string]any, more map[string]any) string {
		message["role"] = "assistant"
		if message["content"] == nil {
			message["content"] = ""
		}
		all := map[string]any{"model": a.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false}
		for k, v := range more {
			all[k] = v
		}
		return encode(all) + "\n"
	}
	var events []string
	likely := map[string]any{}
	if a.LogProbs && len(r.LogProbs) > 0 {
		list := []any{}
		for _, l := range r.LogProbs {
			list = append(list, map[string]any{"token": l.Text, "logprob": l.Log})
		}
		likely["logprobs"] = list
	}
	for _, p := range r.pieces() {
		events = append(events, line(map[string]any{"content": p}, likely))
		likely = nil
	}
	for _, c := range r.Calls { // the protocol carries arguments as an object, and no ids
		arguments := c.Arguments
		if !json.Valid(arguments) {
			arguments = []byte(encode(map[string]any{"as_written": string(arguments)}))
		}
		events = append(events, line(map[string]any{"tool_calls": []any{map[string]any{"function": map[string]any{"name": c.Name, "arguments": arguments}}}}, nil))
	}
	reason := "stop"
	if r.stop() == llm.StopLength {
		reason = "length"
	}
	u := r.usage(a.Request)
	return append(events, line(map[string]any{}, map[string]any{"done": true, "done_reason": reason, "prompt_eval_count": u.Input, "eval_count": u.Output})), "application/x-ndjson"
}

func (p ollama) serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool {
	var q struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	_ = json.Unmarshal(body, &q) // some have no body
	m, known := s.model(q.Model)
	missing := func() { s.refuse(w, llm.NoModel, "model '"+q.Model+"' not found", 0) }
	switch r.URL.Path {
	case "/api/version":
		writeJSON(w, map[string]any{"version": "0.6.8"})
	case "/api/tags", "/api/ps":
		list := []any{}
		for _, m := range s.Models {
			list = append(list, map[string]any{"name": m.Name, "model": m.Name, "size": m.Bytes, "digest": m.Digest, "remote_host": m.Elsewhere})
		}
		writeJSON(w, map[string]any{"models": list})
	case "/api/show":
		if !known {
			missing()
			return true
		}
		can := []string{"completion"}
		if !m.NoTools {
			can = append(can, "tools")
		}
		if m.Thinks {
			can = append(can, "thinking")
		}
		writeJSON(w, map[string]any{
			"capabilities": can, "remote_host": m.Elsewhere, "details": map[string]any{"family": "llama"},
			"model_info": map[string]any{"general.architecture": "llama", "llama.context_length": m.Window, "llama.vocab_size": 32000},
		})
	case "/api/embed":
		if !known {
			missing()
			return true
		}
		vectors := [][]float64{}
		for _, text := range q.Input {
			vectors = append(vectors, vector(text))
		}
		writeJSON(w, map[string]any{"model": q.Model, "embeddings": vectors})
	case "/api/pull":
		w.Header().Set("Content-Type", "application/x-ndjson")
		for _, step := range s.PullSteps {
			_, _ = w.Write([]byte(encode(step) + "\n")) // whoever asked may have gone
		}
	default:
		return false
	}
	return true
}
