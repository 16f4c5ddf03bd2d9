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

// ageAsked makes "age" behind a word of ordering stand for when members were born, where that is all that says it: the order is then the other way
// round. "Sailors in ascending order of age" begin with the one who was born last.
func (ix *Index) ageAsked(tokens []token) []token {
	for i, t := range tokens {
		if i < 2 || t.lemma != "age" || len(ix.names.terms["age"]) > 0 || !endsOrder(tokens, i) {
			continue
		}
		e := ix.onlyNamed(tokens[:i])
		if e == nil {
			continue
		}
		var births []target
		for k := range e.Dimensions {
			dim := &e.Dimensions[k]
			if (dim.Type.Temporal() || isYear(dim)) && slices.ContainsFunc(words(dim.Name), func(w string) bool { return slices.Contains(bornWords, w) }) {
				births = append(births, target{entity: e, dim: dim, match: synonymMatch, stands: true, turned: true})
			}
		}
		if len(births) == 1 {
			out := slices.Clone(tokens)
			out[i].stands = births
			return out
		}
	}
	return tokens
}

// bornWords are in the names of dates and years of birth.
var bornWords = []string{"birth", "born", "birthday", "birthdate", "dob"}

// finishTurned turns the keys round that rank by what falls as the thing that is asked for rises.
func (d *draft) finishTurned() {
	for i := range d.order {
		if by := d.order[i].by; by != nil && len(by.options) > 0 && by.options[0].turned {
			d.order[i].desc = !d.order[i].desc
		}
	}
}
