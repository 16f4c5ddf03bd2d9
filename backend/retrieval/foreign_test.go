package retrieval

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/fault"
)

// leaning embeds as the built-in one does, with a direction that all texts have in common, as sentence models do. It counts how often it was asked.
func leaning(asked *[][]string) func(context.Context, []string) ([][]float32, error) {
	e := BuiltIn()
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		*asked = append(*asked, texts)
		var out [][]float32
		for _, t := range texts {
			v, err := e.Embed(ctx, t, false)
			if err != nil {
				return nil, err
			}
			out = append(out, append(v, 2)) // not of unit length
		}
		return out, nil
	}
}

// TestForeign: texts that have nothing in common are as unlike as with the built-in embedder though the model holds all texts alike, questions are embedded many at once, and Frame-QL never is.
func TestForeign(t *testing.T) {
	var asked [][]string
	by, err := Foreign(t.Context(), "leaning-1", leaning(&asked))
	if err != nil || by.Dimensions != builtInDimensions+1 || by.Baseline < 0.7 {
		t.Fatalf("%+v %v", by, err)
	}
	records := []Record{{Kind: Golden, ID: "frameql alone", FrameQL: "SELECT revenue"}}
	for i := range 100 {
		records = append(records, Record{Kind: Golden, ID: strings.Repeat("x", i+1), Question: "revenue of shop " + strings.Repeat("ab", i), FrameQL: "SELECT revenue"})
	}
	path := filepath.Join(t.TempDir(), "recall.vectors")
	s, rebuilt, err := Open(t.Context(), Options{Embedder: by, Path: path, Records: records})
	if err != nil || rebuilt != len(records) || len(asked) != 3 {
		t.Fatalf("%d in %d requests, %v", rebuilt, len(asked), err)
	}
	if slices.ContainsFunc(asked, func(texts []string) bool { return slices.Contains(texts, "SELECT revenue") }) {
		t.Error("Frame-QL went out")
	}
	for question, most := range map[string]float64{"revenue of shop": 1, "which employees were hired first": 0.2} {
		best, ok, err := s.Best(t.Context(), Query{Kind: Golden, Question: question})
		if err != nil || !ok || best.Similarity > most || most == 1 && best.Similarity < 0.99 {
			t.Errorf("%s: %+v %v", question, best, err)
		}
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	asked = nil
	if _, rebuilt, err = Open(t.Context(), Options{Embedder: by, Path: path, Records: records}); err != nil || rebuilt != 0 || len(asked) != 0 {
		t.Errorf("%d embedded anew in %d requests, %v", rebuilt, len(asked), err)
	}
}

// TestForeignThatGivesNoVectors: nothing that cannot be compared is kept.
func TestForeignThatGivesNoVectors(t *testing.T) {
	away := errors.New("away")
	for name, many := range map[string]func(context.Context, []string) ([][]float32, error){
		"none":  func(context.Context, []string) ([][]float32, error) { return nil, nil },
		"empty": func(_ context.Context, all []string) ([][]float32, error) { return make([][]float32, len(all)), nil },
		"nowhere": func(_ context.Context, all []string) ([][]float32, error) {
			return slices.Repeat([][]float32{{0, 0}}, len(all)), nil
		},
		"no number": func(_ context.Context, all []string) ([][]float32, error) {
			return slices.Repeat([][]float32{{float32(math.NaN()), 1}}, len(all)), nil
		},
	} {
		if _, err := Foreign(t.Context(), "bad", many); fault.CodeOf(err) != fault.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Foreign(t.Context(), "bad", func(context.Context, []string) ([][]float32, error) { return nil, away }); !errors.Is(err, away) {
		t.Error(err)
	}
}
