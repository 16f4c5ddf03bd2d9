package ollama

import (
	"context"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, llmtest.Adapter{
		Serve: llmtest.Ollama, New: func(e llm.Endpoint) (llm.Provider, error) { return New(e) },
		Embedder: func(p llm.Provider, model string) (llm.Embedder, error) {
			return p.(*Provider).Embedder(context.Background(), model)
		},
		Likely: true, Local: true,
	})
}
