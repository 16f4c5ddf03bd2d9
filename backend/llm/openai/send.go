package openai

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"

	sdk "github.com/openai/openai-go/v3"

	"assay/backend/llm"
)

// model is one model. What it turned out not to know is remembered as long as the provider.
type model struct {
	of   *Provider
	card llm.Card

	mu  sync.Mutex
	not map[string]bool // parameters that it does not know
}

func (m *model) Card() llm.Card { return m.card }

// About is that of llm.Model.
func (m *model) About(context.Context) (llm.Card, error) { return m.card, nil }

// Send is that of llm.Model.
func (m *model) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	for {
		m.mu.Lock()
		not := maps.Clone(m.not)
		m.mu.Unlock()
		res, err := m.once(ctx, r, not, hear)
		if err == nil || !m.learn(err, not) {
			return res, err
		}
	}
}

// learn says whether a parameter was refused that can be left out, or has another name, and remembers it.
func (m *model) learn(err error, not map[string]bool) bool {
	var api *sdk.Error
	if llm.TroubleOf(err) != llm.NotUsed || !errors.As(err, &api) || api.StatusCode != http.StatusBadRequest && api.StatusCode != http.StatusUnprocessableEntity {
		return false
	}
	if not[api.Param] {
		return false // it was left out, and is not the reason
	}
	switch api.Param {
	case temperature, seed, logprobs, streamOptions:
	case maxTokens, maxCompletion: // one of them is always there
		if not[maxTokens] || not[maxCompletion] {
			return false
		}
	default:
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.not[api.Param] = true
	return true
}

func (m *model) once(ctx context.Context, r llm.Request, not map[string]bool, hear func(llm.Chunk)) (llm.Response, error) {
	var seen llm.Seen
	stream := m.of.client.Chat.Completions.NewStreaming(llm.Observe(ctx, &seen), m.write(r, not))
	defer func() { _ = stream.Close() }() // the reply is read or given up
	reply := reply{hear: hear}
	for stream.Next() {
		if err := reply.take(stream.Current()); err != nil {
			return reply.response(), llm.Fail(llm.Malformed, m.card, 0, err)
		}
		if ctx.Err() != nil {
			return reply.response(), llm.Canceled(context.Cause(ctx))
		}
	}
	switch err := stream.Err(); {
	case err != nil:
		return reply.response(), failed(ctx, err, m.card, &seen)
	case reply.finish != "":
		return reply.response(), nil
	case !strings.HasPrefix(seen.Header.Get("Content-Type"), "text/event-stream"):
		return reply.response(), llm.Fail(llm.Malformed, m.card, 0, errors.New("the reply is no stream of events"))
	}
	return reply.response(), llm.Fail(llm.Broken, m.card, 0, errors.New("the stream ended without finish_reason"))
}

// reply is a response as its pieces come.
type reply struct {
	hear     func(llm.Chunk)
	model    string
	finish   string
	usage    llm.Usage
	text     strings.Builder
	refusal  strings.Builder
	calls    []*call
	logProbs []llm.LogProb
}

type call struct {
	id, name  string
	arguments strings.Builder
}

// maxCalls bounds what a reply can make us keep for nothing.
const maxCalls = 128

func (p *reply) take(c sdk.ChatCompletionChunk) error {
	if c.Model != "" {
		p.model = c.Model
	}
	if c.JSON.Usage.Valid() {
		p.usage = llm.Usage{Input: int(c.Usage.PromptTokens), Output: int(c.Usage.CompletionTokens), CacheRead: int(c.Usage.PromptTokensDetails.CachedTokens)}
	}
	if len(c.Choices) == 0 {
		if c.JSON.Choices.Raw() != "" && !c.JSON.Choices.Valid() {
			return errors.New("choices that are no list")
		}
		return nil
	}
	choice := c.Choices[0]
	if choice.FinishReason != "" {
		p.finish = choice.FinishReason
	}
	p.refusal.WriteString(choice.Delta.Refusal)
	if said := choice.Delta.Content; said != "" {
		p.text.WriteString(said)
		if p.hear != nil {
			p.hear(llm.Chunk{Text: said})
		}
	}
	for _, l := range choice.Logprobs.Content {
		p.logProbs = append(p.logProbs, llm.LogProb{Text: l.Token, Log: l.Logprob})
	}
	for _, d := range choice.Delta.ToolCalls {
		i := int(d.Index)
		if i < 0 || i > len(p.calls) || i >= maxCalls {
			return errors.New("a call out of order")
		}
		if i == len(p.calls) {
			p.calls = append(p.calls, &call{})
		}
		if d.ID != "" {
			p.calls[i].id = d.ID
		}
		if p.calls[i].name == "" { // some servers say it again with every piece
			p.calls[i].name = d.Function.Name
		}
		p.calls[i].arguments.WriteString(d.Function.Arguments)
	}
	return nil
}

// response gives what came so far.
func (p *reply) response() llm.Response {
	res := llm.Response{Text: p.text.String(), Model: p.model, Usage: p.usage, LogProbs: p.logProbs, Stop: llm.StopEnd}
	for _, c := range p.calls {
		arguments := json.RawMessage(c.arguments.String())
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		res.Calls = append(res.Calls, llm.Call{ID: c.id, Name: c.name, Arguments: arguments})
	}
	switch {
	case p.finish == "content_filter", p.refusal.Len() > 0:
		res.Stop = llm.StopRefused
		if res.Text == "" {
			res.Text = p.refusal.String()
		}
	case p.finish == "length":
		res.Stop = llm.StopLength
	case len(res.Calls) > 0:
		res.Stop = llm.StopTools
	}
	return res
}
