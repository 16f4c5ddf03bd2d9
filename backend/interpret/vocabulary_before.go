package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// prepositions stand inside names, and say of the noun before them where, when or of what it is.
var prepositions = []string{"in", "of", "per", "for", "at", "on", "by", "from", "as", "with"}

// vague nouns say nothing without what stands behind them: an amount claimed is not the amount.
var vague = []string{"amount", "number", "date", "total", "time", "day", "value", "type", "count", "quantity", "price", "cost", "code", "rate", "state", "place"}

// addBeforeVerb files a number under the noun that its name begins with, where a participle or a preposition follows: the passengers of
// "passengers handled", the speakers of "speakers in 2001".
func (v *vocabulary) addBeforeVerb(l *lexicon, s surface, t target) {
	if !t.dim.Type.Numeric() && t.dim.Type != semantic.Text || len(s.words) < 2 || slices.Contains(unspecific, s.words[0]) {
		return
	}
	if slices.Contains(t.entity.Key, t.dim.Name) || slices.Contains(unspecific, s.words[len(s.words)-1]) {
		return
	}
	next := s.words[1]
	participle := strings.HasSuffix(next, "ed") && len(next) > 4 || l.pasts[next]
	if !participle && !(slices.Contains(prepositions, next) && len(s.words) > 2) {
		return
	}
	if len(l.operators[s.words[0]]) > 0 || slices.Contains(vague, s.words[0]) {
		return
	}
	t.match, t.score = partialMatch, s.score-scorePartial/2
	v.add(s.words[:1], t)
}
