// Package ollama asks the models of an Ollama server, by the official client library: which are there, what they can do, and what they reply.
package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ollama/ollama/api"
	types "github.com/ollama/ollama/types/model"

	"assay/backend/llm"
)

const name = "ollama"

// own is where a server listens that nobody configured.
const own = "http://127.0.0.1:11434"

// window is how many tokens a model is loaded for where its own window is larger: memory grows with it.
const window = 16_384

// Provider is an Ollama server.
type Provider struct {
	client  *api.Client
	address llm.Address
	guard   *llm.Guard
	window  int

	mu    sync.Mutex
	known map[string]card // what the server said of a model
}

// card is what a server said of a model.
type card struct {
	llm.Card
	thinks bool // it thinks aloud unless it is told not to
	bytes  bool // a token is a byte
}

// Option changes a provider.
type Option func(*Provider)

// Window sets for how many tokens a model is loaded at most; 16,384 otherwise. Each size loads a model anew.
func Window(tokens int) Option { return func(p *Provider) { p.window = tokens } }

// New makes a provider; it asks nobody. Of the environment the library reads OLLAMA_AUTH only: with it requests are signed by the key of the
// person's own server. Fault Invalid: the address is none.
func New(e llm.Endpoint, options ...Option) (*Provider, error) {
	address, err := e.Resolve(name, own)
	if err != nil {
		return nil, err
	}
	p := &Provider{address: address, guard: e.Guard, window: window, known: map[string]card{}}
	if p.guard == nil {
		p.guard = llm.NewGuard(nil)
	}
	for _, o := range options {
		o(p)
	}
	client := p.guard.Client(e.Limits)
	if e.Key != "" {
		client.Transport = keyed{next: client.Transport, key: e.Key}
	}
	p.client = api.NewClient(address.URL, client)
	return p, nil
}

// keyed sends a key along, for servers behind a gate.
type keyed struct {
	next http.RoundTripper
	key  string
}

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return k.next.RoundTrip(r)
}

// Name is ollama.
func (p *Provider) Name() string { return name }

// Version asks the server for its version, which also says that it is there.
func (p *Provider) Version(ctx context.Context) (string, error) {
	var seen llm.Seen
	v, err := p.client.Version(llm.Observe(ctx, &seen))
	if err != nil {
		return "", p.failed(ctx, err, p.card(""), &seen)
	}
	return v, nil
}

// List gives the models that are on the server, with what each can do. A server that only passes a model on to another one says so, and the
// model is not local. One that cannot say what a model is gives it without.
func (p *Provider) List(ctx context.Context) ([]llm.Card, error) {
	var seen llm.Seen
	list, err := p.client.List(llm.Observe(ctx, &seen))
	if err != nil {
		return nil, p.failed(ctx, err, p.card(""), &seen)
	}
	cards := []llm.Card{}
	for _, m := range list.Models {
		p.mu.Lock()
		c, ok := p.known[m.Name]
		if ok && c.Digest != m.Digest {
			delete(p.known, m.Name) // it was pulled again
			ok = false
		}
		p.mu.Unlock()
		if !ok {
			if c, err = p.show(ctx, m.Name); err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				c = card{Card: p.card(m.Name)}
			}
		}
		c.Bytes, c.Digest = m.Size, m.Digest
		c.Local = c.Local && m.RemoteHost == ""
		p.mu.Lock()
		p.known[m.Name] = c
		p.mu.Unlock()
		cards = append(cards, c.Card)
	}
	return cards, nil
}

// Loaded is a model that a server holds in memory.
type Loaded struct {
	Model string `json:"model"`
	Bytes int64  `json:"bytes"`
}

// Loaded gives the models that are in memory now: the first request to another one waits until it is loaded.
func (p *Provider) Loaded(ctx context.Context) ([]Loaded, error) {
	var seen llm.Seen
	list, err := p.client.ListRunning(llm.Observe(ctx, &seen))
	if err != nil {
		return nil, p.failed(ctx, err, p.card(""), &seen)
	}
	all := []Loaded{}
	for _, m := range list.Models {
		all = append(all, Loaded{Model: m.Name, Bytes: m.Size})
	}
	return all, nil
}

// Pulled is how far a server is with fetching a model. Bytes are of the part that it fetches now.
type Pulled struct {
	Status    string `json:"status"`
	Total     int64  `json:"total"`
	Completed int64  `json:"completed"`
}

// Pull makes the server fetch a model, and tells how far it is. The server leaves this machine for it, so that it is refused while nothing
// may. Canceling ctx stops it; what was fetched is kept for the next time.
func (p *Provider) Pull(ctx context.Context, model string, tell func(Pulled)) error {
	c := p.card(model)
	if p.guard.On() {
		return llm.Fail(llm.StaysHere, llm.Card{Provider: name, Model: model, Endpoint: "registry.ollama.ai"}, 0, nil)
	}
	var seen llm.Seen
	done := false
	err := p.client.Pull(llm.Observe(ctx, &seen), &api.PullRequest{Model: model}, func(r api.ProgressResponse) error {
		done = r.Status == "success"
		if tell != nil {
			tell(Pulled{Status: r.Status, Total: r.Total, Completed: r.Completed})
		}
		return nil
	})
	if err != nil {
		return p.failed(ctx, err, c, &seen)
	}
	if !done {
		return llm.Fail(llm.Broken, c, 0, errors.New("the server stopped before it had the model"))
	}
	return nil
}

// Open gives a model by its name.
func (p *Provider) Open(id string) llm.Model { return &model{of: p, name: id} }

// card is what is known without asking.
func (p *Provider) card(id string) llm.Card {
	elsewhere := strings.HasSuffix(id, ":cloud") || strings.HasSuffix(id, "-cloud") // the server passes these on
	return llm.Card{Provider: name, Model: id, Endpoint: p.address.Host, Local: p.address.Local && !elsewhere, Window: p.window, Schema: true}
}

// about gives what the server says of a model, and asks it once.
func (p *Provider) about(ctx context.Context, id string) (card, error) {
	p.mu.Lock()
	c, ok := p.known[id]
	p.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := p.show(ctx, id)
	if err == nil {
		p.mu.Lock()
		p.known[id] = c
		p.mu.Unlock()
	}
	return c, err
}

// tokens finds the window that a model file asks for.
var tokens = regexp.MustCompile(`(?m)^num_ctx\s+(\d+)\s*$`)

func (p *Provider) show(ctx context.Context, id string) (card, error) {
	c := card{Card: p.card(id)}
	var seen llm.Seen
	s, err := p.client.Show(llm.Observe(ctx, &seen), &api.ShowRequest{Model: id})
	if err != nil {
		return c, p.failed(ctx, err, c.Card, &seen)
	}
	c.Local = c.Local && s.RemoteHost == ""
	c.LogProbs = true // servers before v0.12 leave them out
	for _, can := range s.Capabilities {
		c.Tools = c.Tools || can == types.CapabilityTools
		c.thinks = c.thinks || can == types.CapabilityThinking
	}
	architecture, _ := s.ModelInfo["general.architecture"].(string)
	if n, ok := s.ModelInfo[architecture+".context_length"].(float64); ok && n > 0 {
		c.Window = min(int(n), p.window)
	}
	if m := tokens.FindStringSubmatch(s.Parameters); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 {
			c.Window = n
		}
	}
	if n, ok := s.ModelInfo[architecture+".vocab_size"].(float64); ok && n <= 512 {
		c.bytes = true
	}
	return c, nil
}

// failed turns an error of the client into a fault. It has types for what HTTP says; what comes inside a stream it gives as words, so that the
// lines themselves decide.
func (p *Provider) failed(ctx context.Context, err error, c llm.Card, seen *llm.Seen) error {
	if f, ok := llm.Ours(ctx, err, c, seen); ok {
		return f
	}
	var status api.StatusError
	var unauthorized api.AuthorizationError
	switch {
	case errors.As(err, &unauthorized):
		return llm.Fail(llm.WrongKey, c, 0, err)
	case errors.As(err, &status):
		return llm.Fail(trouble(status.StatusCode, status.ErrorMessage), c, seen.After(), err)
	}
	var last []byte
	for line := range bytes.Lines(seen.Tail) {
		var told struct {
			Error string `json:"error"`
		}
		if json.Unmarshal(line, &told) == nil && told.Error != "" {
			return llm.Fail(trouble(http.StatusInternalServerError, told.Error), c, seen.After(), err) // it began to answer, and failed
		}
		last = line
	}
	if seen.Ended && !bytes.HasSuffix(last, []byte("\n")) && bytes.HasPrefix(last, []byte("{")) && !json.Valid(last) {
		return llm.Fail(llm.Broken, c, 0, err)
	}
	return llm.Fail(llm.Malformed, c, 0, err)
}

func trouble(status int, said string) llm.Trouble {
	// The server has no codes, and one status for much. Where the words change the outcome is still a clear refusal.
	switch m := strings.ToLower(said); {
	case status < 500 && status != 400:
	case strings.Contains(m, "context length"), strings.Contains(m, "context size"):
		return llm.TooLong
	case strings.Contains(m, "does not support tools"):
		return llm.NoTools
	case strings.Contains(m, "invalid json schema"):
		return llm.NotUsed
	case strings.Contains(m, "file does not exist"), strings.Contains(m, "not found"):
		return llm.NoModel
	}
	if t := llm.ByStatus(status); t != "" {
		return t
	}
	return llm.NotUsed
}
