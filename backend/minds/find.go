package minds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/text"
)

// Found is what a provider says of itself.
type Found struct {
	Provider string  `json:"provider"`
	Host     string  `json:"host" doc:"Host and port that was asked"`
	Local    bool    `json:"local" doc:"It is this machine"`
	There    bool    `json:"there" doc:"It answered"`
	Version  string  `json:"version" doc:"Of the server, where it says so"`
	Models   []Known `json:"models" nullable:"false"`
	Message  string  `json:"message" doc:"Why it did not answer; empty: it did"`
	Hint     string  `json:"hint"`
}

// Known is a model that is there.
type Known struct {
	Mind     string    `json:"mind" doc:"Its name as a mind: PROVIDER:MODEL"`
	Local    bool      `json:"local"`
	Window   int       `json:"window" doc:"Tokens of a request and its reply together; 0: not known"`
	Tools    bool      `json:"tools"`
	Schema   bool      `json:"schema" doc:"Its reply can be held to a form"`
	LogProbs bool      `json:"log_probs"`
	Price    llm.Price `json:"price" doc:"US dollars for a million tokens; 0: nothing, or not known"`
	Bytes    int64     `json:"bytes" doc:"Of its weights on this machine; 0: not known"`
	Digest   string    `json:"digest"`
}

// findWait bounds how long a provider is waited for.
const findWait = 5 * time.Second

// Find asks a provider which models it has. That it is not there is no fault but a part of what was found. Faults: Invalid (no such provider),
// Canceled.
func (m *Minds) Find(ctx context.Context, provider string) (Found, error) {
	if !slices.Contains(Providers(), provider) {
		return Found{}, fault.New(fault.Invalid, "find models", text.Say("minds.bad_provider", "provider", shown(provider)), text.Say("minds.bad_provider_hint"))
	}
	c := m.deps.Chosen()
	f := Found{Provider: provider, Models: []Known{}, Host: c.host(Name{Provider: provider})}
	within, cancel := context.WithTimeout(ctx, findWait)
	defer cancel()
	cards, err := m.list(within, c, provider, &f)
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	if err != nil {
		f.Message, f.Hint = words(err)
		if provider == Ollama && f.Local && fault.CodeOf(err) == fault.Unavailable {
			f.Message, f.Hint = text.Say("minds.no_ollama", "host", f.Host), text.Say("minds.no_ollama_hint")
		}
		return f, nil
	}
	f.There = true
	for _, card := range cards {
		n := Name{provider, card.Model}
		if _, err := Parse(n.String()); err != nil { // a name that nobody could choose
			continue
		}
		f.Models = append(f.Models, Known{
			Mind: n.String(), Local: card.Local && c.Local(n), Window: card.Window, Tools: card.Tools, Schema: card.Schema, LogProbs: card.LogProbs, Price: card.Price, Bytes: card.Bytes, Digest: card.Digest,
		})
	}
	slices.SortStableFunc(f.Models, func(a, b Known) int { return strings.Compare(a.Mind, b.Mind) })
	if provider == Ollama {
		f.Version = m.version(within)
		if len(f.Models) == 0 {
			f.Hint = text.Say("minds.no_models_hint")
		}
	}
	return f, nil
}

func (m *Minds) list(ctx context.Context, c Chosen, provider string, f *Found) ([]llm.Card, error) {
	address, err := c.Address(provider)
	if err != nil {
		return nil, err
	}
	f.Host, f.Local = address.Host, address.Local
	if m.deps.LocalOnly() && !f.Local {
		return nil, stays(Called(provider), f.Host)
	}
	p, err := m.provider(ctx, provider)
	if err != nil {
		return nil, err
	}
	return p.List(ctx)
}

// version gives the version of an Ollama server; empty: it does not say.
func (m *Minds) version(ctx context.Context) string {
	p, err := m.provider(ctx, Ollama)
	if err != nil {
		return ""
	}
	versioned, ok := p.(interface {
		Version(context.Context) (string, error)
	})
	if !ok {
		return ""
	}
	v, err := versioned.Version(ctx)
	if err != nil {
		return ""
	}
	return shown(v)
}

// words are what a person reads of an error.
func words(err error) (message, hint string) {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message, f.Hint
	}
	if fault.CodeOf(err) == fault.Limit {
		return text.Say("minds.no_time"), text.Say("minds.no_time_hint")
	}
	return text.Say("minds.failed"), text.Say("minds.failed_hint")
}
