package interpret

import (
	"slices"
	"strings"
)

// lostWords gives the words of a question that say nothing elsewhere, say something where they stand, and left no trace in
// the query: a verb whose rows the model has ("medications prescribed" where prescriptions are recorded), and a noun in
// front of an attribute that is only partly called so ("the result description" for the description of something else).
func (c candidate) lostWords() []string {
	d := c.draft
	covered := make([]*piece, len(d.tokens))
	for _, p := range d.pieces {
		for k := p.from; k < p.to; k++ {
			covered[k] = p
		}
	}
	var out []string
	for k, t := range d.tokens {
		if covered[k] != nil || t.kind != wordToken {
			continue
		}
		if c.lostAct(t) || c.lostNoun(k, covered) {
			out = append(out, t.text)
		}
	}
	return out
}

// lostAct says whether a verb is recorded by the rows of an entity that the query does not look at.
func (c candidate) lostAct(t token) bool {
	if !c.draft.ix.english.isVerb(t) || !strings.HasSuffix(t.norm, "ed") {
		return false
	}
	e := c.draft.ix.recorded(t)
	return e != nil && c.plan != nil && !slices.Contains(c.plan.Entities, e.Name)
}

// emptyNouns are empty words that are nouns: in front of another noun they say which one.
var emptyNouns = []string{"result", "report", "record", "figure", "level"}

// lostNoun says whether an empty noun stands directly before an attribute that was only named in part.
func (c candidate) lostNoun(k int, covered []*piece) bool {
	d := c.draft
	if k+1 == len(covered) || covered[k+1] == nil || covered[k+1].from != k+1 || !slices.Contains(emptyNouns, d.tokens[k].lemma) {
		return false
	}
	t, ok := c.picks[slices.Index(d.pieces, covered[k+1])]
	return ok && isDimension(t) && t.match == partialMatch
}
