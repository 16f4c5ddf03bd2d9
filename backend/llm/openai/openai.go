// Package openai asks the models of OpenAI, and of the many servers that speak its Chat Completions protocol, by the official library. The
// retries of the library are off: the program has its own, which keep to its budgets.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"assay/backend/llm"
)

const name = "openai"

// own is where OpenAI itself is asked.
const own = "https://api.openai.com/v1"

// Provider is OpenAI, or a server that speaks its protocol.
type Provider struct {
	client  sdk.Client
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
	options := []option.RequestOption{
		option.WithMaxRetries(0), option.WithBaseURL(address.URL.String()), option.WithHTTPClient(guard.Client(e.Limits)), option.WithAPIKey(e.Key),
	}
	if e.Key == "" {
		options = append(options, option.WithHeaderDel("Authorization"))
	}
	// The client of the library reads keys, addresses and headers from the environment; the services that it is made of do not.
	client := sdk.Client{Chat: sdk.NewChatService(options...), Models: sdk.NewModelService(options...), Embeddings: sdk.NewEmbeddingService(options...)}
	return &Provider{address: address, client: client}, nil
}

// Name is openai.
func (p *Provider) Name() string { return name }

// official says whether it is OpenAI itself, which knows a few things that compatible servers stumble over.
func (p *Provider) official() bool { return p.address.URL.Hostname() == "api.openai.com" }

// List gives the models that the key may use. OpenAI itself lists models for pictures, sounds and vectors too: they are left out.
func (p *Provider) List(ctx context.Context) ([]llm.Card, error) {
	var seen llm.Seen
	page, err := p.client.Models.List(llm.Observe(ctx, &seen))
	if err != nil {
		return nil, failed(ctx, err, llm.Card{Provider: name, Endpoint: p.address.Host}, &seen)
	}
	cards := []llm.Card{}
	for _, m := range page.Data {
		if p.official() && !speaks(m.ID) {
			continue
		}
		c := p.card(m.ID)
		// Some compatible servers tell the window, each under a name of its own.
		for _, field := range []string{"max_model_len", "context_length", "context_window", "max_context_length"} {
			var n int
			if json.Unmarshal([]byte(m.JSON.ExtraFields[field].Raw()), &n) == nil && n > 0 {
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

// failed turns an error of the library into a fault, by its type, its status and the code that the provider gives it.
func failed(ctx context.Context, err error, c llm.Card, seen *llm.Seen) error {
	if f, ok := llm.Ours(ctx, err, c, seen); ok {
		return f
	}
	var api *sdk.Error
	if errors.As(err, &api) {
		return llm.Fail(trouble(said{Code: api.Code, Type: api.Type, Message: api.Message}, api.StatusCode), c, seen.After(), err)
	}
	var streamed *ssestream.StreamError
	if errors.As(err, &streamed) {
		var event struct {
			Error json.RawMessage `json:"error"`
		}
		var e said
		if json.Unmarshal(streamed.Event.Data, &event) == nil && json.Unmarshal(event.Error, &e) == nil {
			if t := trouble(e, 0); t != llm.NotUsed {
				return llm.Fail(t, c, seen.After(), err)
			}
		}
		return llm.Fail(llm.Overloaded, c, seen.After(), err) // it began to answer, so that the request was right
	}
	return llm.Fail(llm.Malformed, c, 0, err)
}

// said is an error as the protocol has it. Compatible servers write numbers for codes.
type said struct {
	Code    any    `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`
	Param   string `json:"param"`
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
