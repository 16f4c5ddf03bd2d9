package interpret

import (
	"slices"
	"strings"
	"unicode"
)

// occasions are what the rows of any table may be called.
var occasions = []string{"time", "times", "occasion", "occasions", "entry", "entries", "row", "rows", "line", "lines", "occurrence", "occurrences"}

// rowsNoun lets a noun that nothing is called stand for the rows of the only table, where that has no name that says anything: "which airport
// has the most passengers" of a file 2024-07.csv. Only one who asks which, or how many times, is answered so: the rows show what they are.
func (ix *Index) rowsNoun(tokens []token, i int, add func(*piece)) {
	if len(ix.model.Entities) != 1 || i == 0 || tokens[i].kind != wordToken {
		return
	}
	e := &ix.model.Entities[0]
	if speaks(labelOf(e.Label, e.Name)) {
		return
	}
	t, before := tokens[i], tokens[i-1].norm
	counted := slices.Contains(occasions, t.norm) && (before == "many" || before == "of")
	asked := (before == "which" || before == "what") && len(ix.english.operators[t.norm]) == 0 && t.norm == t.lemma
	if i+1 < len(tokens) && ix.names.known[tokens[i+1].lemma] || slices.ContainsFunc(tokens, func(o token) bool { return o.norm == "number" }) {
		asked = false // it only says which kind of album, or asks how many there are of something
	}
	if !counted && !asked || ix.names.known[t.lemma] || len(ix.values.exact(valueKey(t.text))) > 0 {
		return
	}
	add(&piece{kind: namePiece, to: i + 1, names: []target{{entity: e, match: partialMatch, score: scoreLoose}}, score: scoreLoose})
}

// speaks says whether a name has a word in it, and not only numbers.
func speaks(name string) bool {
	return slices.ContainsFunc(strings.Fields(name), func(w string) bool {
		return strings.ContainsFunc(w, unicode.IsLetter) && !strings.ContainsFunc(w, unicode.IsDigit) && w != "table" && w != "sheet" && w != "data" && w != "export"
	})
}
