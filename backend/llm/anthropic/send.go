package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"assay/backend/llm"
)

// model is one model. What it turned out not to know is remembered as long as the provider.
type model struct {
	of   *Provider
	card llm.Card

	mu     sync.Mutex
	forced bool // it cannot be held to a schema but by a tool
	cool   bool // it takes no temperature
}

func (m *model) Card() llm.Card { return m.card }

// About is that of llm.Model.
func (m *model) About(context.Context) (llm.Card, error) { return m.card, nil }

// Send is that of llm.Model.
func (m *model) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	for {
		p := m.plan()
		res, err := m.once(ctx, r, p, hear)
		if err == nil || !m.learn(err, r, p) {
			return res, err
		}
	}
}

func (m *model) plan() plan {
	m.mu.Lock()
	defer m.mu.Unlock()
	return plan{forced: m.forced, cool: m.cool}
}

// learn says whether the provider refused a part of the request that can be written otherwise, and remembers it. The provider names the part
// in words only; where they are not understood the refusal stands.
func (m *model) learn(err error, r llm.Request, p plan) bool {
	var api *sdk.Error
	if llm.TroubleOf(err) != llm.NotUsed || !errors.As(err, &api) || api.StatusCode != http.StatusBadRequest {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	said := api.RawJSON()
	switch {
	case !p.cool && says(said, "temperature"):
		m.cool = true
	case !p.forced && len(r.Schema) > 0 && (says(said, "output_config") || says(said, "output_format") || says(said, "schema")):
		m.forced = true
	default:
		return false
	}
	return true
}

func says(text, words string) bool { return strings.Contains(strings.ToLower(text), words) }

func (m *model) once(ctx context.Context, r llm.Request, p plan, hear func(llm.Chunk)) (llm.Response, error) {
	var seen llm.Seen
	stream := m.of.client.Messages.NewStreaming(llm.Observe(ctx, &seen), write(r, m.card, p))
	defer func() { _ = stream.Close() }() // the reply is read or given up
	reply := reply{hear: hear, forced: p.forced && len(r.Schema) > 0}
	for stream.Err() == nil && stream.Next() {
		if err := reply.take(stream.Current()); err != nil {
			return reply.response(), llm.Fail(llm.Malformed, m.card, 0, err)
		}
		if err := ctx.Err(); err != nil {
			return reply.response(), llm.Canceled(context.Cause(ctx))
		}
	}
	switch err := stream.Err(); {
	case err != nil:
		return reply.response(), failed(ctx, err, m.card, &seen)
	case reply.ended:
		return reply.response(), nil
	case !strings.HasPrefix(seen.Header.Get("Content-Type"), "text/event-stream"):
		return reply.response(), llm.Fail(llm.Malformed, m.card, 0, errors.New("the reply is no stream of events"))
	}
	return reply.response(), llm.Fail(llm.Broken, m.card, 0, errors.New("the stream ended without message_stop"))
}

// reply is a response as its events come.
type reply struct {
	hear   func(llm.Chunk)
	forced bool // the reply is in the arguments of a tool
	ended  bool
	model  string
	stop   sdk.StopReason
	usage  sdk.Usage
	blocks []*block
}

type block struct {
	kind, id, name string
	text           strings.Builder // of a text, or the arguments of a call
	first          json.RawMessage // the arguments that came whole, with the beginning of the block
}

// maxBlocks bounds what a reply can make us keep for nothing.
const maxBlocks = 1000

func (p *reply) take(e sdk.MessageStreamEventUnion) error {
	switch e.Type {
	case "message_start":
		p.model, p.usage = e.Message.Model, e.Message.Usage
	case "content_block_start":
		if int(e.Index) != len(p.blocks) || len(p.blocks) >= maxBlocks {
			return errors.New("a block out of order")
		}
		p.blocks = append(p.blocks, &block{kind: e.ContentBlock.Type, id: e.ContentBlock.ID, name: e.ContentBlock.Name})
		b := p.blocks[e.Index]
		if b.kind == "tool_use" {
			b.first = json.RawMessage(e.ContentBlock.JSON.Input.Raw())
		}
		p.say(b, e.ContentBlock.Text)
	case "content_block_delta":
		if e.Index < 0 || int(e.Index) >= len(p.blocks) {
			return errors.New("a piece of a block that did not begin")
		}
		b := p.blocks[e.Index]
		switch e.Delta.Type {
		case "text_delta":
			p.say(b, e.Delta.Text)
		case "input_json_delta":
			b.text.WriteString(e.Delta.PartialJSON)
			if p.forced && b.name == replyTool {
				p.tell(e.Delta.PartialJSON)
			}
		}
	case "message_delta":
		p.stop = e.Delta.StopReason
		p.usage.OutputTokens = e.Usage.OutputTokens
		if e.Usage.JSON.InputTokens.Valid() {
			p.usage.InputTokens = e.Usage.InputTokens
		}
		if e.Usage.JSON.CacheReadInputTokens.Valid() {
			p.usage.CacheReadInputTokens = e.Usage.CacheReadInputTokens
		}
		if e.Usage.JSON.CacheCreationInputTokens.Valid() {
			p.usage.CacheCreationInputTokens = e.Usage.CacheCreationInputTokens
		}
	case "message_stop":
		p.ended = true
	case "":
		return errors.New("an event without a type")
	}
	return nil
}

func (p *reply) say(b *block, text string) {
	if b.kind != "text" || text == "" {
		return
	}
	b.text.WriteString(text)
	if !p.forced {
		p.tell(text)
	}
}

func (p *reply) tell(text string) {
	if p.hear != nil && text != "" {
		p.hear(llm.Chunk{Text: text})
	}
}

// response gives what came so far.
func (p *reply) response() llm.Response {
	res := llm.Response{Model: p.model, Stop: llm.StopEnd, Usage: llm.Usage{
		Input:     int(p.usage.InputTokens + p.usage.CacheReadInputTokens + p.usage.CacheCreationInputTokens),
		Output:    int(p.usage.OutputTokens),
		CacheRead: int(p.usage.CacheReadInputTokens), CacheWrite: int(p.usage.CacheCreationInputTokens),
	}}
	var said, replied strings.Builder
	held := false
	for _, b := range p.blocks {
		switch {
		case b.kind == "text":
			said.WriteString(b.text.String())
		case b.kind == "tool_use" && p.forced && b.name == replyTool:
			held = true
			replied.Write(b.arguments())
		case b.kind == "tool_use":
			res.Calls = append(res.Calls, llm.Call{ID: b.id, Name: b.name, Arguments: b.arguments()})
		}
	}
	res.Text = said.String()
	if held {
		res.Text = replied.String()
	}
	switch {
	case p.stop == sdk.StopReasonRefusal:
		res.Stop = llm.StopRefused
	case p.stop == sdk.StopReasonMaxTokens, p.stop == sdk.StopReasonModelContextWindowExceeded:
		res.Stop = llm.StopLength
	case len(res.Calls) > 0:
		res.Stop = llm.StopTools
	}
	return res
}

// arguments gives those of a call as the model wrote them. A call without any has an empty object.
func (b *block) arguments() json.RawMessage {
	if b.text.Len() > 0 {
		return json.RawMessage(b.text.String())
	}
	if len(b.first) > 0 {
		return b.first
	}
	return json.RawMessage("{}")
}
