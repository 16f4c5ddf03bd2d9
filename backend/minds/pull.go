package minds

import (
	"context"
	"strings"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/ollama"
	"assay/backend/text"
)

// Pulled is how far a server is with fetching a model.
type Pulled = ollama.Pulled

// Pull makes the Ollama server fetch a model, by its name with or without ollama: before it, and tells how far it is. The server gets it from the internet, so that it is refused while
// nothing may leave this machine. Canceling ctx stops it; what was fetched is kept for the next time.
//
// Faults: Invalid (no name of a model of Ollama), Unauthorized (nothing may leave this machine), NotFound (there is no such model), Unavailable (no server answers, or it stopped), Canceled.
func (m *Minds) Pull(ctx context.Context, name string, tell func(Pulled)) (Name, error) {
	n, err := Parse(Ollama + ":" + strings.TrimPrefix(name, Ollama+":"))
	if err != nil {
		return n, err
	}
	if m.deps.LocalOnly() {
		return n, fault.New(fault.Unauthorized, "pull model", text.Say("minds.pull_stays", "model", n.Model), text.Say("minds.pull_stays_hint"))
	}
	p, err := m.provider(ctx, n.Provider)
	if err != nil {
		return n, err
	}
	puller, ok := p.(interface {
		Pull(context.Context, string, func(Pulled)) error
	})
	if !ok {
		return n, fault.New(fault.Unavailable, "pull model", text.Say("minds.failed"), text.Say("minds.failed_hint"))
	}
	err = puller.Pull(ctx, n.Model, func(at Pulled) {
		if at.Status = shown(at.Status); tell != nil {
			tell(at)
		}
	})
	switch {
	case ctx.Err() != nil:
		return n, ctx.Err()
	case llm.TroubleOf(err) == llm.NoModel:
		return n, fault.New(fault.NotFound, "pull model", text.Say("minds.pull_nowhere", "model", n.Model), text.Say("minds.pull_nowhere_hint"))
	case fault.CodeOf(err) == fault.Unavailable && llm.TroubleOf(err) != llm.Broken:
		return n, fault.New(fault.Unavailable, "pull model", text.Say("minds.no_ollama", "host", m.deps.Chosen().host(n)), text.Say("minds.no_ollama_hint"))
	}
	return n, err
}
