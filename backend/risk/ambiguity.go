package risk

import (
	"math"

	"assay/backend/text"
)

// Candidate is one meaning that was found for a question or a word of it.
type Candidate struct {
	Score      float64 `json:"score"`      // 0 to 1: how well it fits
	Definition string  `json:"definition"` // what it means; two candidates with one definition do not conflict
}

// Meanings is what was seen while a question was read.
type Meanings struct {
	Conflict   *float64    `json:"conflict"`   // 0 to 1 when the reader computed it; nil: from the candidates
	Candidates []Candidate `json:"candidates"` // of the reading, best first or in any order
	Matches    []int       `json:"matches"`    // for each term: how many columns or tables it may name
	LogProbs   []float64   `json:"log_probs"`  // of the tokens that name an entity, natural logarithms; none: the provider gives none
}

// RetrievalConflict is 0 when one meaning stands alone and 1 when another is as good: 1 - the spread between the best
// candidate and the best one that means something else. The spread is twice the standard deviation of the two scores, which is
// their distance; candidates behind these two add nothing, so that a long tail does not hide two good rivals.
func RetrievalConflict(candidates []Candidate) float64 {
	best, rival := -1.0, -1.0
	definition := ""
	for _, c := range candidates {
		if score := valid(&c.Score); score != nil && *score > best {
			best, definition = *score, c.Definition
		}
	}
	for _, c := range candidates {
		if score := valid(&c.Score); score != nil && c.Definition != definition && *score > rival {
			rival = *score
		}
	}
	if rival <= 0 {
		return 0 // nothing else, or only what does not fit at all
	}
	return clamp(1 - (best - rival))
}

// SchemaCollision is that of the worst term: 0 when every term names one column, 1 - 1/n when one may name n.
func SchemaCollision(matches []int) float64 {
	most := 1
	for _, n := range matches {
		most = max(most, n)
	}
	return 1 - 1/float64(most)
}

// Ambiguity is 0.6 conflict + 0.4 collision, mixed half and half with 1 - the mean probability of the tokens where a
// provider gives it and that is more: a model that is sure of itself takes no doubt away. Logarithms that are no probability are left out. It is always known: reading a question is what gives it.
func (m Meanings) Ambiguity() (ambiguity float64, reason string) {
	conflict := RetrievalConflict(m.Candidates)
	if given := valid(m.Conflict); given != nil {
		conflict = *given
	}
	collision := SchemaCollision(m.Matches)
	heuristic := 0.6*conflict + 0.4*collision
	p, n := 0.0, 0
	for _, lp := range m.LogProbs {
		if lp <= 0 && !math.IsNaN(lp) {
			p, n = p+math.Exp(lp), n+1
		}
	}
	if n == 0 {
		return heuristic, text.Say("risk.ambiguity", "value", figure(heuristic), "conflict", figure(conflict), "collision", figure(collision))
	}
	doubt := 1 - p/float64(n)
	ambiguity = clamp(math.Max(heuristic, 0.5*heuristic+0.5*doubt))
	return ambiguity, text.Say("risk.ambiguity_model", "value", figure(ambiguity), "conflict", figure(conflict), "collision", figure(collision), "doubt", figure(doubt))
}
