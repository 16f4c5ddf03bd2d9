package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// frequencies are words for how many there are of what stands before them.
var frequencies = []string{"frequency", "count", "counts"}

// frequencyAsked makes "frequency" behind a word of ordering stand for how many rows there are of the only kind of thing that is named: "genres of the
// books, sorted by their frequency", "in ascending order of count".
func (ix *Index) frequencyAsked(tokens []token) []token {
	for i, t := range tokens {
		if i < 2 || !slices.Contains(frequencies, t.norm) || len(ix.names.terms[t.lemma]) > 0 || !endsOrder(tokens, i) {
			continue
		}
		e := ix.onlyNamed(tokens[:i])
		if e == nil {
			continue
		}
		if m := ix.counter(e); m != nil {
			out := slices.Clone(tokens)
			out[i].stands = []target{{metric: m, match: synonymMatch}}
			return out
		}
	}
	return tokens
}

// endsOrder says whether a word stands behind "by" or "order of", with nothing behind it but the direction.
func endsOrder(tokens []token, i int) bool {
	before := i - 1
	if slices.Contains([]string{"the", "their", "its"}, tokens[before].norm) {
		before--
	}
	by := before > 0 && (tokens[before].norm == "by" || tokens[before].norm == "of" && tokens[before-1].norm == "order")
	return by && (i+1 == len(tokens) || tokens[i+1].kind == markToken || slices.Contains([]string{"descending", "ascending", "in"}, tokens[i+1].norm))
}

// onlyNamed gives the entity that words name, where they name one alone.
func (ix *Index) onlyNamed(tokens []token) *semantic.Entity {
	var e *semantic.Entity
	for i, t := range tokens {
		if i == 0 && len(ix.english.operators[t.norm]) > 0 {
			continue // "show the formats" is about no show
		}
		for _, o := range ix.names.terms[t.lemma] {
			if !isEntity(o) || o.match == partialMatch || t.kind != wordToken {
				continue
			}
			if e != nil && e != o.entity {
				return nil
			}
			e = o.entity
		}
	}
	return e
}
