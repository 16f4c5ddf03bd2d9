package llmtest

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"assay/backend/llm"
)

// Mind is a scripted model without a wire, for tests of what asks models. It keeps what it was asked.
type Mind struct {
	card   llm.Card
	script Script

	mu    sync.Mutex
	asked []llm.Request
	calls int
}

// Card is that of a model that can do everything and runs on this machine, with a window of 100,000 tokens.
var Card = llm.Card{Provider: "scripted", Model: "mind", Endpoint: "127.0.0.1", Local: true, Window: 100_000, Output: 8_000, Tools: true, Schema: true, LogProbs: true}

// NewMind is a model that follows a script. Tests of weak models change the card.
func NewMind(card llm.Card, script Script) *Mind { return &Mind{card: card, script: script} }

// Card is what NewMind was given.
func (m *Mind) Card() llm.Card { return m.card }

// Asked gives the requests so far, in the order in which they came.
func (m *Mind) Asked() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.asked...)
}

// Send follows the script. A reply with a trouble fails with the fault that an adapter makes of it; one that hangs, or drips, waits for ctx.
func (m *Mind) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, llm.Canceled(err)
	}
	m.mu.Lock()
	m.asked = append(m.asked, r)
	m.mu.Unlock()
	reply := m.script(r)
	if reply.Hang || reply.Drip {
		<-ctx.Done()
		return llm.Response{}, llm.Canceled(ctx.Err())
	}
	pieces := reply.pieces()
	if reply.Trouble == llm.Broken {
		pieces = pieces[:len(pieces)/2] // what was heard before the stream broke off
	}
	if reply.Trouble == "" || reply.Trouble == llm.Broken {
		for _, p := range pieces {
			if hear != nil {
				hear(llm.Chunk{Text: p})
			}
			if err := ctx.Err(); err != nil {
				return llm.Response{}, llm.Canceled(err)
			}
		}
	}
	if reply.Trouble != "" {
		return llm.Response{}, llm.Fail(reply.Trouble, m.card, reply.After, errors.New(reply.Text))
	}
	res := llm.Response{Text: reply.Text, Stop: reply.stop(), Usage: reply.Usage, Model: m.card.Model}
	if r.LogProbs && m.card.LogProbs {
		res.LogProbs = reply.LogProbs
	}
	for _, c := range reply.Calls {
		res.Calls = append(res.Calls, m.named(c))
	}
	if res.Usage == (llm.Usage{}) {
		res.Usage = llm.Usage{Input: llm.Estimate(r), Output: llm.EstimateText(reply.Text) + len(reply.Calls)*20}
	}
	return res, nil
}

func (m *Mind) named(c llm.Call) llm.Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if c.ID == "" {
		c.ID = "call_" + strconv.Itoa(m.calls)
	}
	return c
}
