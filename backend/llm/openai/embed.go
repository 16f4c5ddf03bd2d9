package openai

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"assay/backend/llm"
)

// batch is how many texts go in one request.
const batch = 256

// Embedder gives vectors by a model of the provider, of so many dimensions; 0: as many as the model has.
func (p *Provider) Embedder(model string, dimensions int) llm.Embedder {
	return &embedder{of: p, model: model, dimensions: dimensions}
}

type embedder struct {
	of         *Provider
	model      string
	dimensions int
}

// Name names provider, server and model: the provider changes its models under new names only.
func (e *embedder) Name() string {
	n := name + "/" + e.of.address.Host + "/" + e.model
	if e.dimensions > 0 {
		n += "/" + strconv.Itoa(e.dimensions)
	}
	return n
}

// Card is that of llm.Embedder.
func (e *embedder) Card() llm.Card {
	return llm.Card{Provider: name, Model: e.model, Endpoint: e.of.address.Host, Local: e.of.address.Local}
}

// Embed is that of llm.Embedder.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	card := e.Card()
	var all [][]float64
	for start := 0; start < len(texts); start += batch {
		part := texts[start:min(start+batch, len(texts))]
		q := embeddingRequest{Model: e.model, Input: part, EncodingFormat: "float", Dimensions: e.dimensions}
		var seen llm.Seen
		var res embeddingList
		if err := e.of.exchange(llm.Observe(ctx, &seen), http.MethodPost, "embeddings", q, &res); err != nil {
			return nil, failed(ctx, err, card, &seen)
		}
		vectors := make([][]float64, len(part))
		for _, d := range res.Data {
			if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil {
				return nil, llm.Fail(llm.Malformed, card, 0, errors.New("a vector of no text"))
			}
			vectors[d.Index] = d.Embedding
		}
		all = append(all, vectors...)
	}
	unit, err := llm.Unit(all, len(texts))
	if err != nil {
		return nil, llm.Fail(llm.Malformed, card, 0, err)
	}
	return unit, nil
}
