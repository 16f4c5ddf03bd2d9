package evals_test

import (
	"cmp"
	"os"
	"slices"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/ollama"
	"assay/backend/retrieval"
)

// TestCorrectionsByLikenessAlone reports what the pairs of TestCorrectionsThatMeanTheSame would come to if vectors decided: those of the built-in embedder and, where a server of Ollama is there
// (ASSAY_OLLAMA_URL), those of a model of it (ASSAY_OLLAMA_EMBEDDER; tiny, whose weights are random, where none is named). Nothing decides by them: opposites differ in one word of many.
func TestCorrectionsByLikenessAlone(t *testing.T) {
	reportLikeness(t, retrieval.BuiltIn())
	address := os.Getenv("ASSAY_OLLAMA_URL")
	if address == "" {
		t.Log("ASSAY_OLLAMA_URL names no server of Ollama: its vectors are not compared")
		return
	}
	provider, err := ollama.New(llm.Endpoint{URL: address, Guard: llm.NewGuard(func() bool { return true })})
	if err != nil {
		t.Fatal(err)
	}
	model, err := provider.Embedder(t.Context(), cmp.Or(os.Getenv("ASSAY_OLLAMA_EMBEDDER"), "tiny"))
	if err != nil {
		t.Fatal(err)
	}
	embedder, err := retrieval.Foreign(t.Context(), model.Name(), model.Embed)
	if err != nil {
		t.Fatal(err)
	}
	reportLikeness(t, embedder)
}

// reportLikeness says what comes of pairs that are called the same above the similarity of the council, and above the one that would find the most without an opposite.
func reportLikeness(t *testing.T, e retrieval.Embedder) {
	t.Helper()
	type judged struct {
		taughtPair
		near float64
	}
	var all []judged
	most := 0.0 // of a pair of opposites
	for _, p := range taughtPairs(t) {
		s, _, err := retrieval.Open(t.Context(), retrieval.Options{Embedder: e, Records: []retrieval.Record{{Kind: retrieval.Golden, ID: "one", Question: p.one}}})
		if err != nil {
			t.Fatal(err)
		}
		best, ok, err := s.Best(t.Context(), retrieval.Query{Kind: retrieval.Golden, Question: p.other})
		if err != nil || !ok || best.Similarity < 0 || best.Similarity > 1 {
			t.Fatalf("%q and %q: %+v, %v", p.one, p.other, best, err)
		}
		all = append(all, judged{p, best.Similarity})
		if p.opposite {
			most = max(most, best.Similarity)
		}
	}
	for _, above := range slices.Compact([]float64{0.85, most}) {
		same, right, called, opposites := 0, 0, 0, 0
		for _, p := range all {
			if p.same {
				same++
			}
			if p.near <= above {
				continue
			}
			called++
			if p.same {
				right++
			}
			if p.opposite {
				opposites++
			}
		}
		t.Logf("%s: of %d pairs %d are nearer than %.2f: precision %.3f, recall %.3f; %d of them are opposites", e.ID, len(all), called, above, float64(right)/float64(max(1, called)), float64(right)/float64(same), opposites)
	}
}
