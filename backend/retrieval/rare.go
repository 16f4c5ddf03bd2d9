package retrieval

import (
	"maps"
	"math"
)

// rarely gives what is asked with the weights of what is rare among an owner's records: what was taught repeats its words ("means", "customers"), and what tells one from another are the others. Only
// the question is weighed, so that a new record changes no vector of the ones before. How new a question is must not depend on what else is kept, so golden queries are compared as they are; a foreign
// embedder has no words in its dimensions.
func (s *Store) rarely(kind Kind, owner string, asked map[string][]float32) map[string][]float32 {
	of := s.sketches[nameOf(kind, owner, questionField)]
	if kind == Golden || s.embedder.Many != nil || of == nil || asked[questionField] == nil {
		return asked
	}
	weighed := maps.Clone(asked)
	weighed[questionField] = of.weigh(asked[questionField])
	return weighed
}

// count notes a vector that came (1) or went (-1).
func (s *sketches) count(v []float32, by int) {
	if s.having == nil {
		s.having = make([]int, len(v))
	}
	for i, x := range v {
		if x != 0 {
			s.having[i] += by
		}
	}
}

// weigh multiplies each number of a vector by 1 + ln((n+1)/(d+1)), where d of the n vectors have one that is not 0 in its dimension (the smoothed inverse document frequency; Spärck Jones, 1972), and
// makes its length 1 again.
func (s *sketches) weigh(v []float32) []float32 {
	weighed, length := make([]float32, len(v)), 0.0
	for i, x := range v {
		y := float64(x) * (1 + math.Log(float64(len(s.ids)+1)/float64(s.having[i]+1)))
		weighed[i] = float32(y)
		length += y * y
	}
	for i := range weighed {
		weighed[i] /= float32(math.Sqrt(length))
	}
	return weighed
}
