package interpret

import (
	"slices"
	"strings"
)

// attributeAt adds the attribute that words ask for without its name: "how old", "3 years old", "who weighs", "born", also
// with whose it is before it: "students aged". A verb behind "how old" belongs to it. Words that are a name themselves keep
// their meaning.
func (ix *Index) attributeAt(tokens []token, i int, add func(*piece)) {
	owner, from := "", i
	if ix.namesExactly(tokens[i]) {
		owner, from = tokens[i].lemma, i+1
	}
	for n := 1; n <= ix.english.longest && from+n <= len(tokens); n++ {
		hints := ix.english.attributes[asWritten(tokens[from:from+n])]
		if hints == "" || n == 1 && ix.namesExactly(tokens[from]) {
			continue
		}
		names := ix.attributesCalled(owner, strings.Split(hints, "/"))
		if len(names) == 0 {
			continue
		}
		to := from + n
		if tokens[from].norm == "how" && to < len(tokens) && slices.Contains(copulas, tokens[to].norm) {
			to++
		}
		add(&piece{kind: namePiece, to: to, names: names, score: names[0].score})
	}
}

// copulas stand between the question for an attribute and whose it is: "how old is the pilot".
var copulas = []string{"is", "are", "was", "were"}

// attributesCalled gives the numbers and years of the model that are called by one of the hints, the first hints best.
// An owner stands before the hint.
func (ix *Index) attributesCalled(owner string, hints []string) []target {
	var out []target
	for k, hint := range hints {
		for _, t := range ix.names.terms[owner+join(ix.english.singulars(strings.Fields(hint)))] {
			if !isNumeric(t) && !(isDimension(t) && isYear(t.dim)) || slices.ContainsFunc(out, func(o target) bool { return o.name() == t.name() }) {
				continue
			}
			t.score += scoreLoose + scoreSynonym*float64(k)
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b target) int { return compareScore(b.score, a.score) })
	return out
}
