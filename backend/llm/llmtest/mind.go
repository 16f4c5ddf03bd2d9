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

// About is that of llm.Model.
func (m *Mind) About(context.Context) (llm.Card, error) { return m.card, nil }

// Asked gives the requests so far, in the order in which they came.
func (m *Mind) Asked() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.asked...)
}

// Send follows the script. A reply with a trouble, or a fault of a wire, fails with the fault that an adapter makes of it; one that hangs waits
// for ctx.
func (m *Mind) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, llm.Canceled(context.Cause(ctx))
	}
	m.mu.Lock()
	m.asked = append(m.asked, r)
	m.mu.Unlock()
	reply := m.script(r)
	trouble := reply.trouble()
	pieces := reply.pieces()
	switch {
	case reply.Fault == FaultDeaf, reply.Fault == FaultHang, reply.Fault == FaultDrip:
		if reply.Reached != nil {
			reply.Reached()
		}
		<-ctx.Done()
		return llm.Response{}, llm.Canceled(context.Cause(ctx))
	case trouble == llm.Broken, trouble == llm.Overloaded && reply.Fault == FaultLate:
		pieces = pieces[:len(pieces)/2] // what was heard before the stream broke off
	case trouble != "":
		pieces = nil
	}
	for _, p := range pieces {
		if hear != nil {
			hear(llm.Chunk{Text: p})
		}
		if ctx.Err() != nil {
			return llm.Response{}, llm.Canceled(context.Cause(ctx))
		}
	}
	if trouble != "" {
		return llm.Response{}, llm.Fail(trouble, m.card, reply.After, errors.New("as the script has it: "+reply.Text))
	}
	res := llm.Response{Text: reply.Text, Stop: reply.stop(), Usage: reply.usage(r), Model: m.card.Model}
	if r.LogProbs && m.card.LogProbs {
		res.LogProbs = reply.LogProbs
	}
	for _, c := range reply.Calls {
		res.Calls = append(res.Calls, m.named(c))
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
