package openai

import (
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, llmtest.Adapter{
		Serve: llmtest.OpenAI, New: func(e llm.Endpoint) (llm.Provider, error) { return New(e) },
		Embedder: func(p llm.Provider, model string) (llm.Embedder, error) { return p.(*Provider).Embedder(model, 0), nil },
		Likely:   true, Broken: true, Refuses: true, Schemas: true,
	})
}
