package analyst

import (
	"context"
	"encoding/json"
	"strings"

	"assay/backend/llm"
	"assay/backend/session"
)

// ledgerKey is under which a context has the ledger of the question that it is of.
type ledgerKey struct{}

// inLedger is a context in which whatever is embedded stands in the ledger of the answer. While a recording is played nothing is sent.
func (r *run) inLedger(ctx context.Context) context.Context {
	log := r.sent
	if r.thinker != nil && r.thinker.Played {
		log = &sentLog{closed: true}
	}
	return context.WithValue(ctx, ledgerKey{}, log)
}

func ledgerOf(ctx context.Context) *sentLog {
	log, _ := ctx.Value(ledgerKey{}).(*sentLog)
	return log
}

// Embedder gives vectors by a model. Each exchange is written down for the answer that it is for, and no model gets to see a personal value.
type Embedder struct {
	llm.Embedder
	Mask func(string) string // nil: there are no personal values
}

// Embed gives the vectors of texts of a kind that the ledger knows; empty: nothing of them is of a person. It gives back what stands in the ledger of the question that ctx is of; where
// it is of none, that is for Ahead. Faults: those of the model; Canceled: the answer is given already, or is played, and nothing was sent.
func (e Embedder) Embed(ctx context.Context, kind string, texts []string) ([][]float32, session.Sent, error) {
	card := e.Card()
	sent := session.Sent{To: card.Endpoint, Provider: card.Provider, Model: card.Model, Local: card.Local, Task: string(llm.Embedding), Failed: true, Carried: []session.SentPart{}}
	safe, bytes := make([]string, len(texts)), 0
	for i, t := range texts {
		safe[i] = t
		if e.Mask != nil && strings.TrimSpace(t) != "" {
			safe[i] = e.Mask(t)
		}
		if safe[i] != t {
			sent.Masked++
		}
		bytes += len(safe[i])
		sent.TokensIn += llm.EstimateText(safe[i]) // no embedder says how many it counted
	}
	raw, err := json.Marshal(safe)
	if err != nil {
		return nil, sent, err
	}
	sent.Bytes = len(raw)
	if kind != "" {
		sent.Carried = append(sent.Carried, session.SentPart{Kind: kind, Columns: []string{}, Bytes: bytes})
	}
	log := ledgerOf(ctx)
	at := 0
	if log != nil {
		open := false
		if at, open = log.begin(sent); !open {
			return nil, sent, llm.Canceled(context.Canceled)
		}
		if !card.Local {
			log.keep(sent, safe)
		}
	}
	vectors, err := e.Embedder.Embed(ctx, safe)
	sent.Failed = err != nil
	if log != nil {
		log.end(at, sent)
	}
	return vectors, sent, err
}

// Ahead writes what was sent before a question, so that it can be compared, into the ledger of the question that ctx is of. false: it is of none, or its answer is given already.
// What it was word for word stands where it came from: these are questions of the memory.
func Ahead(ctx context.Context, all []session.Sent) bool {
	log := ledgerOf(ctx)
	if log == nil {
		return false
	}
	for _, s := range all {
		if _, open := log.begin(s); !open {
			return false
		}
	}
	return true
}

// Answering says whether a context is of a question that is being answered.
func Answering(ctx context.Context) bool { return ledgerOf(ctx) != nil }

// Played says whether nothing may be sent in a context: its question is played from a recording, or was answered.
func Played(ctx context.Context) bool {
	log := ledgerOf(ctx)
	if log == nil {
		return false
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	return log.closed
}
