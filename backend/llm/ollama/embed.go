package ollama

import (
	"context"
	"strings"

	"github.com/ollama/ollama/api"

	"assay/backend/llm"
)

// batch is how many texts go in one request.
const batch = 64

// Embedder gives vectors by a model of the server. It asks the server for the digest of the model, because a name can be pulled anew with
// other weights. Faults as of llm.Model; NotFound: the server has no such model.
func (p *Provider) Embedder(ctx context.Context, model string) (llm.Embedder, error) {
	cards, err := p.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range cards {
		if c.Model == model || strings.TrimSuffix(c.Model, ":latest") == model {
			return &embedder{of: p, card: c}, nil
		}
	}
	return nil, llm.Fail(llm.NoModel, p.card(model), 0, nil)
}

type embedder struct {
	of   *Provider
	card llm.Card
}

// Name names provider, model and digest.
func (e *embedder) Name() string {
	digest := strings.TrimPrefix(e.card.Digest, "sha256:")
	return name + "/" + e.card.Model + "@" + digest[:min(12, len(digest))]
}

// Card is that of llm.Embedder.
func (e *embedder) Card() llm.Card { return e.card }

// Embed is that of llm.Embedder. A text that is longer than the window of the model is cut by the server.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if e.of.guard.On() && !e.card.Local {
		return nil, llm.Fail(llm.StaysHere, e.card, 0, nil)
	}
	var all [][]float64
	for start := 0; start < len(texts); start += batch {
		var seen llm.Seen
		res, err := e.of.client.Embed(llm.Observe(ctx, &seen), &api.EmbedRequest{Model: e.card.Model, Input: texts[start:min(start+batch, len(texts))]})
		if err != nil {
			return nil, e.of.failed(ctx, err, e.card, &seen)
		}
		for _, v := range res.Embeddings {
			wide := make([]float64, len(v))
			for i, x := range v {
				wide[i] = float64(x)
			}
			all = append(all, wide)
		}
	}
	unit, err := llm.Unit(all, len(texts))
	if err != nil {
		return nil, llm.Fail(llm.Malformed, e.card, 0, err)
	}
	return unit, nil
}
