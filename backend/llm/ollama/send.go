package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"

	"assay/backend/llm"
)

// model is one model of a server.
type model struct {
	of   *Provider
	name string
}

// Card is what the server said of the model, or what is known without asking until it was asked.
func (m *model) Card() llm.Card {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	if c, ok := m.of.known[m.name]; ok {
		return c.Card
	}
	return m.of.card(m.name)
}

// About is that of llm.Model.
func (m *model) About(ctx context.Context) (llm.Card, error) {
	c, err := m.of.about(ctx, m.name)
	return c.Card, err
}

// Send is that of llm.Model. The first request to a model asks the server what the model can do.
//
// A server cuts a conversation that is longer than its window, and says nothing: what does not fit is refused here. A model that the server
// passes on to another one is refused while nothing may leave this machine.
func (m *model) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	c, err := m.of.about(ctx, m.name)
	if err != nil {
		return llm.Response{}, err
	}
	switch {
	case m.of.guard.On() && !c.Local:
		return llm.Response{}, llm.Fail(llm.StaysHere, c.Card, 0, errors.New("the server passes the model on"))
	case len(r.Tools) > 0 && !c.Tools:
		return llm.Response{}, llm.Fail(llm.NoTools, c.Card, 0, nil)
	case c.length(r)+r.MaxTokens > c.Window:
		return llm.Response{}, llm.Fail(llm.TooLong, c.Card, 0, nil)
	}
	q, err := write(r, c)
	if err != nil {
		return llm.Response{}, llm.Fail(llm.NotUsed, c.Card, 0, err)
	}
	var seen llm.Seen
	reply := reply{hear: hear, begun: calls(r)}
	err = m.of.client.Chat(llm.Observe(ctx, &seen), q, func(res api.ChatResponse) error {
		reply.take(res)
		return ctx.Err()
	})
	switch {
	case err != nil:
		return reply.response(), m.of.failed(ctx, err, c.Card, &seen)
	case reply.done:
		return reply.response(), nil
	case seen.Bytes > 0 && !strings.Contains(seen.Header.Get("Content-Type"), "json"):
		return reply.response(), llm.Fail(llm.Malformed, c.Card, 0, errors.New("the reply is no stream of JSON"))
	}
	return reply.response(), llm.Fail(llm.Broken, c.Card, 0, errors.New("the stream ended before it was done"))
}

// length says how many tokens a request is, without the schema of the reply, which the model does not read.
func (c card) length(r llm.Request) int {
	r.Schema = nil
	n := llm.Estimate(r)
	if c.bytes {
		return 4 * n
	}
	return n
}

func calls(r llm.Request) int {
	n := 0
	for _, m := range r.Messages {
		n += len(m.Calls)
	}
	return n
}

func write(r llm.Request, c card) (*api.ChatRequest, error) {
	options := map[string]any{"temperature": r.Temperature, "num_ctx": c.Window}
	if r.Seed != 0 {
		options["seed"] = r.Seed
	}
	if r.MaxTokens > 0 {
		options["num_predict"] = r.MaxTokens
	}
	no := false
	q := &api.ChatRequest{Model: c.Model, Options: options, Format: r.Schema, Logprobs: r.LogProbs, Truncate: &no, Shift: &no}
	if c.thinks {
		q.Think = &api.ThinkValue{Value: false}
	}
	var system []string
	for _, b := range r.System {
		if b.Text != "" {
			system = append(system, b.Text)
		}
	}
	if len(system) > 0 {
		q.Messages = append(q.Messages, api.Message{Role: "system", Content: strings.Join(system, "\n\n")})
	}
	for _, m := range r.Messages {
		messages, err := message(m)
		if err != nil {
			return nil, err
		}
		q.Messages = append(q.Messages, messages...)
	}
	for _, t := range r.Tools {
		one := api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
		if len(t.Schema) > 0 {
			if err := json.Unmarshal(t.Schema, &one.Function.Parameters); err != nil {
				return nil, err
			}
		}
		if one.Function.Parameters.Properties == nil {
			one.Function.Parameters.Type, one.Function.Parameters.Properties = "object", api.NewToolPropertiesMap()
		}
		q.Tools = append(q.Tools, one)
	}
	return q, nil
}

func message(m llm.Message) ([]api.Message, error) {
	var out []api.Message
	for _, res := range m.Results {
		content := res.Content
		if res.Failed {
			content = "error: " + content // the protocol has no place for it
		}
		out = append(out, api.Message{Role: "tool", Content: content, ToolName: res.Name, ToolCallID: res.CallID})
	}
	if m.Role == llm.Assistant {
		a := api.Message{Role: "assistant", Content: m.Text}
		for i, c := range m.Calls {
			call := api.ToolCall{ID: c.ID, Function: api.ToolCallFunction{Index: i, Name: c.Name}}
			if err := json.Unmarshal(llm.ObjectOf(c.Arguments), &call.Function.Arguments); err != nil {
				return nil, err
			}
			a.ToolCalls = append(a.ToolCalls, call)
		}
		return append(out, a), nil
	}
	if m.Text != "" {
		out = append(out, api.Message{Role: "user", Content: m.Text})
	}
	return out, nil
}

// reply is a response as its lines come.
type reply struct {
	hear     func(llm.Chunk)
	begun    int // calls of the conversation so far: servers before v0.12 give no ids
	done     bool
	reason   string
	model    string
	text     strings.Builder
	calls    []llm.Call
	usage    llm.Usage
	logProbs []llm.LogProb
}

func (p *reply) take(r api.ChatResponse) {
	if r.Model != "" {
		p.model = r.Model
	}
	if said := r.Message.Content; said != "" {
		p.text.WriteString(said)
		if p.hear != nil {
			p.hear(llm.Chunk{Text: said})
		}
	}
	for _, c := range r.Message.ToolCalls {
		id := c.ID
		if id == "" {
			id = "call_" + strconv.Itoa(p.begun+len(p.calls)+1)
		}
		p.calls = append(p.calls, llm.Call{ID: id, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments.String())})
	}
	for _, l := range r.Logprobs {
		p.logProbs = append(p.logProbs, llm.LogProb{Text: l.Token, Log: l.Logprob})
	}
	if r.Done {
		p.done, p.reason = true, r.DoneReason
		p.usage = llm.Usage{Input: r.PromptEvalCount, Output: r.EvalCount}
	}
}

// response gives what came so far.
func (p *reply) response() llm.Response {
	res := llm.Response{Text: p.text.String(), Calls: p.calls, Stop: llm.StopEnd, Usage: p.usage, Model: p.model, LogProbs: p.logProbs}
	switch {
	case p.reason == "length":
		res.Stop = llm.StopLength
	case len(res.Calls) > 0:
		res.Stop = llm.StopTools
	}
	return res
}
