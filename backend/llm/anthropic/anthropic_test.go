package anthropic

import (
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

func TestConformance(t *testing.T) {
	llmtest.Conformance(t, llmtest.Adapter{
		Serve: llmtest.Anthropic, New: func(e llm.Endpoint) (llm.Provider, error) { return New(e) },
		Broken: true, Refuses: true, Schemas: true, Caches: true,
	})
}
