package minds

import (
	"context"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/ollama"
	"assay/backend/llm/openai"
	"assay/backend/text"
)

// BuiltIn is what a person calls the embedder that needs nothing.
const BuiltIn = "built-in"

// embeds says whether there are models of a provider that give vectors. The embedded mind is none: the built-in embedder is chosen by no name.
func embeds(n Name) bool { return n.Provider == Ollama || n.Provider == OpenAI }

// ParseEmbedding reads who finds what is alike: built-in gives the empty name. Fault Invalid.
func ParseEmbedding(s string) (string, error) {
	if s == "" || s == BuiltIn {
		return "", nil
	}
	if n, err := Parse(s); err != nil || !embeds(n) {
		return "", fault.New(fault.Invalid, "choose embedder", text.Say("minds.bad_embedder", "mind", shown(s)), text.Say("minds.bad_embedder_hint"))
	}
	return s, nil
}

// Embedder gives the model that finds what is alike, as the person chose it; nil: the one that is built in. It keeps within the budget of the day. An Ollama
// server is asked for the digest of the model, others are not asked.
//
// Faults: Invalid, Unauthorized (nothing may leave this machine, or there is no key), NotFound (an Ollama server has no such model), Unavailable, and those of the key store.
func (m *Minds) Embedder(ctx context.Context) (llm.Embedder, error) {
	name, err := ParseEmbedding(m.deps.Chosen().Embedding)
	if err != nil || name == "" {
		return nil, err
	}
	n, err := Parse(name)
	if err != nil {
		return nil, err
	}
	if err := m.May(n); err != nil {
		return nil, err
	}
	p, err := m.provider(ctx, n.Provider)
	if err != nil {
		return nil, err
	}
	var e llm.Embedder
	switch p := p.(type) {
	case *ollama.Provider:
		if e, err = p.Embedder(ctx, n.Model); err != nil {
			return nil, err
		}
	case *openai.Provider:
		e = p.Embedder(n.Model, 0)
	}
	if m.deps.LocalOnly() && !e.Card().Local { // a server on this machine that hands it on
		return nil, stays(name, e.Card().Endpoint)
	}
	return llm.NewBudget(llm.Bounds{}, m.today(), m.deps.Now).Embedder(e), nil
}

// Embeds says, in a sentence, what leaves this machine so that what is alike is found, by what is chosen now. It asks nobody.
func (m *Minds) Embeds() string {
	c := m.deps.Chosen()
	n, err := Parse(c.Embedding)
	switch {
	case c.Embedding == "" || err != nil:
		return text.Say("minds.embeds_here")
	case c.Local(n):
		return text.Say("minds.leaves_local", "host", c.host(n))
	}
	return text.Say("minds.embeds_remote", "host", c.host(n))
}
