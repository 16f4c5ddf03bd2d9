package openai

import (
	"context"
	"errors"
	"strconv"

	sdk "github.com/openai/openai-go/v3"

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
		q := sdk.EmbeddingNewParams{Model: e.model, Input: sdk.EmbeddingNewParamsInputUnion{OfArrayOfStrings: part}, EncodingFormat: sdk.EmbeddingNewParamsEncodingFormatFloat}
		if e.dimensions > 0 {
			q.Dimensions = sdk.Int(int64(e.dimensions))
		}
		var seen llm.Seen
		res, err := e.of.client.Embeddings.New(llm.Observe(ctx, &seen), q)
		if err != nil {
			return nil, failed(ctx, err, card, &seen)
		}
		vectors := make([][]float64, len(part))
		for _, d := range res.Data {
			if d.Index < 0 || int(d.Index) >= len(vectors) || vectors[d.Index] != nil {
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
