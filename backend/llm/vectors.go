package llm

import (
	"errors"
	"math"
)

// Unit scales vectors to length 1. An error says that they are not what an embedder gives: none, one too few, of different lengths, or without
// a direction.
func Unit(vectors [][]float64, texts int) ([][]float32, error) {
	if len(vectors) != texts {
		return nil, errors.New("another number of vectors than of texts")
	}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return nil, errors.New("vectors of different lengths")
		}
		sum := 0.0
		for _, x := range v {
			sum += x * x
		}
		length := math.Sqrt(sum)
		if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
			return nil, errors.New("a vector without a direction")
		}
		out[i] = make([]float32, len(v))
		for j, x := range v {
			out[i][j] = float32(x / length)
		}
	}
	return out, nil
}
