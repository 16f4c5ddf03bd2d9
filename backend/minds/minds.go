package minds

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/anthropic"
	"assay/backend/llm/ollama"
	"assay/backend/llm/openai"
	"assay/backend/secret"
	"assay/backend/text"
)

// Deps are what minds need from elsewhere.
type Deps struct {
	Chosen    func() Chosen // of the person
	LocalOnly func() bool   // nothing leaves this machine
	Keys      *secret.Store
	Now       func() time.Time
	Day       func() llm.Day // what was used on the last day that was kept; nil: nothing is kept
	Keep      func(llm.Day)  // keeps it
	Limits    llm.Limits     // of an exchange; zero: the defaults
	Sizes     Sizes          // of what leaves
	Patience  llm.Patience   // with a model that is unavailable; zero: the defaults
}

// Minds are the minds of a person. They are safe for concurrent use.
type Minds struct {
	deps  Deps
	guard *llm.Guard

	mu    sync.Mutex
	open  map[string]opened // by provider
	daily *llm.Daily
}

type opened struct {
	made     [sha256.Size]byte // of address and key
	provider llm.Provider
}

// New builds them. It asks nobody.
func New(d Deps) *Minds {
	return &Minds{deps: d, guard: llm.NewGuard(d.LocalOnly), open: map[string]opened{}}
}

// Guard stands below every provider.
func (m *Minds) Guard() *llm.Guard { return m.guard }

// Name gives the name of the mind that is meant; an empty one is what the person chose. Fault Invalid.
func (m *Minds) Name(s string) (Name, error) {
	if s == "" {
		s = m.deps.Chosen().Mind
	}
	return Parse(s)
}

// Model gives the model of a mind; nil: the embedded one. It asks nobody but the keyring.
//
// Faults: Invalid (no such provider), Unauthorized (nothing may leave this machine, or there is no key), and those of the key store.
func (m *Minds) Model(ctx context.Context, s string) (llm.Model, error) {
	n, err := m.Name(s)
	if err != nil || n.Provider == "" {
		return nil, err
	}
	if err := m.May(n); err != nil {
		return nil, err
	}
	p, err := m.provider(ctx, n.Provider)
	if err != nil {
		return nil, err
	}
	model := p.Open(n.Model)
	if m.deps.LocalOnly() && !model.Card().Local { // a server on this machine that hands it on
		return nil, stays(n.String(), model.Card().Endpoint)
	}
	return model, nil
}

// May says whether a mind may be asked: not one that is elsewhere while nothing may leave this machine. Fault Unauthorized.
func (m *Minds) May(n Name) error {
	c := m.deps.Chosen()
	if !m.deps.LocalOnly() || c.Local(n) {
		return nil
	}
	return stays(n.String(), c.host(n))
}

func stays(mind, host string) error {
	return fault.New(fault.Unauthorized, "choose mind", text.Say("minds.local_only", "mind", mind, "host", host), text.Say("minds.local_only_hint"))
}

// host is where a mind is asked, for a person.
func (c Chosen) host(n Name) string {
	if hosted(n) {
		return text.Say("minds.hosted")
	}
	a, err := c.Address(n.Provider)
	if err != nil {
		return c.url(n.Provider)
	}
	return a.Host
}

// provider opens a provider with the address and the key of now.
func (m *Minds) provider(ctx context.Context, name string) (llm.Provider, error) {
	c := m.deps.Chosen()
	address, err := c.Address(name)
	if err != nil {
		return nil, err
	}
	key, err := m.key(ctx, c, name, address.Local)
	if err != nil {
		return nil, err
	}
	made := sha256.Sum256([]byte(address.URL.String() + "\x00" + key))
	m.mu.Lock()
	defer m.mu.Unlock()
	if o, ok := m.open[name]; ok && o.made == made {
		return o.provider, nil
	}
	p, err := newProvider(name, llm.Endpoint{URL: c.url(name), Key: key, Guard: m.guard, Limits: m.deps.Limits})
	if err != nil {
		return nil, err
	}
	m.open[name] = opened{made, p}
	return p, nil
}

func newProvider(name string, e llm.Endpoint) (llm.Provider, error) {
	switch name {
	case Anthropic:
		return anthropic.New(e)
	case OpenAI:
		return openai.New(e)
	default:
		return ollama.New(e)
	}
}

// KeyID names the credential of a provider at an address. A key that was given for the provider itself is never sent to another server.
func (c Chosen) KeyID(provider string) string {
	a, err := c.Address(provider)
	if c.url(provider) == "" || err != nil || a.Host == (Chosen{}).must(provider).Host {
		return provider
	}
	return provider + "." + strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, strings.ToLower(a.Host)), "-")
}

// must is for addresses that stand in this file.
func (c Chosen) must(provider string) llm.Address {
	a, err := c.Address(provider)
	if err != nil {
		panic(err)
	}
	return a
}

// key gives what a provider is asked with. Ollama has none; a server on this machine needs none.
func (m *Minds) key(ctx context.Context, c Chosen, provider string, local bool) (string, error) {
	if provider == Ollama {
		return "", nil
	}
	id := c.KeyID(provider)
	key, _, err := m.deps.Keys.Get(ctx, id)
	if err == nil || local && errors.Is(err, secret.ErrNotFound) {
		return key, nil
	}
	if errors.Is(err, secret.ErrNotFound) {
		return "", fault.Wrap(fault.Unauthorized, "choose mind", text.Say("minds.no_key", "provider", Called(provider)),
			text.Say("minds.no_key_hint", "provider", provider, "variable", secret.Variables(id)[len(secret.Variables(id))-1]), err)
	}
	return "", err
}

// Called is how a person calls a provider.
func Called(provider string) string {
	switch provider {
	case Anthropic:
		return "Anthropic"
	case OpenAI:
		return "OpenAI"
	case Ollama:
		return "Ollama"
	}
	return provider
}
