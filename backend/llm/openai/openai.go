// Package openai asks the models of OpenAI, and of the many servers that speak its Chat Completions protocol. It
// speaks what it needs of that itself (protocol.go): the official library is fifty packages, and takes longer to compile than the program.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"assay/backend/llm"
)

const name = "openai"

// own is where OpenAI itself is asked.
const own = "https://api.openai.com/v1"

// Provider is OpenAI, or a server that speaks its protocol.
type Provider struct {
	client  *http.Client
	key     string
	address llm.Address
	models  sync.Map // name -> *model
}

// New makes a provider; it asks nobody. Nothing of the environment is used: neither keys nor addresses. A server that wants no key gets none.
// Fault Invalid: the address is none.
func New(e llm.Endpoint) (*Provider, error) {
	address, err := e.Resolve(name, own)
	if err != nil {
		return nil, err
	}
	guard := e.Guard
	if guard == nil {
		guard = llm.NewGuard(nil)
	}
	return &Provider{address: address, key: e.Key, client: guard.Client(e.Limits)}, nil
}

// Name is openai.
func (p *Provider) Name() string { return name }

// official says whether it is OpenAI itself, which knows a few things that compatible servers stumble over.
func (p *Provider) official() bool { return p.address.URL.Hostname() == "api.openai.com" }

// List gives the models that the key may use. OpenAI itself lists models for pictures, sounds and vectors too: they are left out.
func (p *Provider) List(ctx context.Context) ([]llm.Card, error) {
	var seen llm.Seen
	var list modelList
	if err := p.exchange(llm.Observe(ctx, &seen), http.MethodGet, "models", nil, &list); err != nil {
		return nil, failed(ctx, err, llm.Card{Provider: name, Endpoint: p.address.Host}, &seen)
	}
	cards := []llm.Card{}
	for _, m := range list.Data {
		var id string
		if json.Unmarshal(m["id"], &id) != nil || p.official() && !speaks(id) {
			continue
		}
		c := p.card(id)
		// Some compatible servers tell the window, each under a name of its own.
		for _, field := range []string{"max_model_len", "context_length", "context_window", "max_context_length"} {
			var n int
			if json.Unmarshal(m[field], &n) == nil && n > 0 {
				c.Window = n
			}
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// speaks says whether a model of OpenAI answers in words.
func speaks(id string) bool {
	for _, other := range []string{"embedding", "whisper", "tts", "dall-e", "image", "audio", "realtime", "moderation", "transcribe", "sora", "babbage", "davinci", "instruct"} {
		if strings.Contains(id, other) {
			return false
		}
	}
	return true
}

// Open gives a model by its name.
func (p *Provider) Open(id string) llm.Model {
	m, _ := p.models.LoadOrStore(id, &model{of: p, card: p.card(id), not: map[string]bool{}})
	return m.(*model)
}

// failed turns an error into a fault, by its status and the code that the provider gives it.
func failed(ctx context.Context, err error, c llm.Card, seen *llm.Seen) error {
	if f, ok := llm.Ours(ctx, err, c, seen); ok {
		return f
	}
	var refusal *refused
	if !errors.As(err, &refusal) {
		return llm.Fail(llm.Malformed, c, 0, err)
	}
	t := trouble(refusal.said, refusal.status)
	if refusal.status == 0 && t == llm.NotUsed {
		t = llm.Overloaded // it began to answer, so that the request was right
	}
	return llm.Fail(t, c, seen.After(), err)
}

func trouble(e said, status int) llm.Trouble {
	code, _ := e.Code.(string)
	switch code {
	case "invalid_api_key", "account_deactivated":
		return llm.WrongKey
	case "insufficient_quota", "billing_not_active", "billing_hard_limit_reached":
		return llm.NoCredit
	case "model_not_found":
		return llm.NoModel
	case "context_length_exceeded":
		return llm.TooLong
	case "rate_limit_exceeded":
		return llm.TooOften
	case "server_error", "overloaded":
		return llm.Overloaded
	}
	switch e.Type {
	case "insufficient_quota":
		return llm.NoCredit
	case "exceed_context_size_error": // llama.cpp
		return llm.TooLong
	case "server_error":
		return llm.Overloaded
	}
	if t := llm.ByStatus(status); t != "" {
		return t
	}
	// vLLM and others give no code. Where the words change the outcome is still a clear refusal.
	if m := strings.ToLower(e.Message); strings.Contains(m, "maximum context length") || strings.Contains(m, "context size") {
		return llm.TooLong
	}
	return llm.NotUsed
}
