package evals_test

import (
	"cmp"
	"os"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/ollama"
	"assay/backend/retrieval"
)

// TestCorrectionsByLikenessAlone reports what the pairs of TestCorrectionsThatMeanTheSame would come to if vectors decided: those of the built-in embedder and, where a server of Ollama is there
// (ASSAY_OLLAMA_URL), those of a model of it (ASSAY_OLLAMA_EMBEDDER; tiny, whose weights are random, where none is named). Nothing decides by them: opposites differ in one word of many. Where the built-in ones came to
// what the comparison of meanings has to reach, that would have to be thought over.
func TestCorrectionsByLikenessAlone(t *testing.T) {
	if precision, recall := likenessAlone(t, retrieval.BuiltIn()); precision >= leastPrecision && recall >= leastRecall {
		t.Errorf("vectors decide as well as meanings: precision %.3f, recall %.3f", precision, recall)
	}
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
	likenessAlone(t, embedder)
}

// likenessAlone gives what comes of it when pairs are called the same above the similarity of the council, and logs that, and what comes of it above the nearest opposite.
func likenessAlone(t *testing.T, e retrieval.Embedder) (precision, recall float64) {
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
	above := func(least float64) (precision, recall float64) {
		same, right, called, opposites := 0, 0, 0, 0
		for _, p := range all {
			if p.same {
				same++
			}
			if p.near <= least {
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
		precision, recall = float64(right)/float64(max(1, called)), float64(right)/float64(same)
		t.Logf("%s: of %d pairs %d are nearer than %.2f: precision %.3f, recall %.3f; %d of them are opposites", e.ID, len(all), called, least, precision, recall, opposites)
		return precision, recall
	}
	above(most)
	return above(0.85)
}
