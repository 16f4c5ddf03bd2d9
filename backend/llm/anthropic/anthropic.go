// Package anthropic asks the models of Anthropic, and of servers that speak its Messages protocol, by the official library. The retries of the
// library are off: the program has its own, which keep to its budgets.
package anthropic

import (
	"context"
	"errors"
	"sync"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/shared"

	"assay/backend/llm"
)

const name = "anthropic"

// own is where Anthropic itself is asked.
const own = "https://api.anthropic.com"

// Provider is Anthropic, or a server that speaks its protocol.
type Provider struct {
	client  sdk.Client
	address llm.Address
	models  sync.Map // name -> *model
}

// New makes a provider; it asks nobody. Nothing of the environment is used: neither keys nor addresses. Fault Invalid: the address is none.
func New(e llm.Endpoint) (*Provider, error) {
	address, err := e.Resolve(name, own)
	if err != nil {
		return nil, err
	}
	guard := e.Guard
	if guard == nil {
		guard = llm.NewGuard(nil)
	}
	return &Provider{address: address, client: sdk.NewClient(option.WithoutEnvironmentDefaults(), option.WithoutOpenTelemetry(), option.WithMaxRetries(0),
		option.WithBaseURL(address.URL.String()), option.WithAPIKey(e.Key), option.WithHTTPClient(guard.Client(e.Limits)))}, nil
}

// Name is anthropic.
func (p *Provider) Name() string { return name }

// List gives the models that the key may use, the newest first, with the windows that the provider tells.
func (p *Provider) List(ctx context.Context) ([]llm.Card, error) {
	var seen llm.Seen
	page, err := p.client.Models.List(llm.Observe(ctx, &seen), sdk.ModelListParams{Limit: sdk.Int(1000)})
	if err != nil {
		return nil, failed(ctx, err, llm.Card{Provider: name, Endpoint: p.address.Host}, &seen)
	}
	cards := []llm.Card{}
	for _, m := range page.Data {
		c := p.card(m.ID)
		if m.MaxInputTokens > 0 {
			c.Window = int(m.MaxInputTokens)
		}
		if m.MaxTokens > 0 {
			c.Output = int(m.MaxTokens)
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// Open gives a model by its name.
func (p *Provider) Open(id string) llm.Model {
	m, _ := p.models.LoadOrStore(id, &model{of: p, card: p.card(id), forced: !hasFormat(id)})
	return m.(*model)
}

// failed turns an error of the library into a fault, by its type, its status and the type that the provider gives it.
func failed(ctx context.Context, err error, c llm.Card, seen *llm.Seen) error {
	if f, ok := llm.Ours(ctx, err, c, seen); ok {
		return f
	}
	var api *sdk.Error
	if !errors.As(err, &api) {
		return llm.Fail(llm.Malformed, c, 0, err)
	}
	return llm.Fail(trouble(api), c, seen.After(), err)
}

func trouble(e *sdk.Error) llm.Trouble {
	switch e.Type() {
	case shared.ErrorTypeAuthenticationError:
		return llm.WrongKey
	case shared.ErrorTypeBillingError:
		return llm.NoCredit
	case shared.ErrorTypePermissionError:
		return llm.NotAllowed
	case shared.ErrorTypeNotFoundError:
		return llm.NoModel
	case shared.ErrorTypeRateLimitError:
		return llm.TooOften
	case shared.ErrorTypeOverloadedError, shared.ErrorTypeTimeoutError, shared.ErrorTypeAPIError:
		return llm.Overloaded
	case shared.ErrorTypeInvalidRequestError:
		// These two have no type of their own. Where the words change the outcome is still a clear refusal.
		switch said := e.RawJSON(); {
		case says(said, "prompt is too long"), says(said, "exceed context limit"):
			return llm.TooLong
		case says(said, "credit balance is too low"):
			return llm.NoCredit
		}
		return llm.NotUsed
	}
	if t := llm.ByStatus(e.StatusCode); t != "" {
		return t
	}
	if e.StatusCode >= 400 {
		return llm.NotUsed
	}
	return llm.Malformed
}
