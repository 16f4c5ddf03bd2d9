package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// spelled gives the values of a key. Where marks tell several values of one dimension apart, as in "Russia" and "Russia]]",
// only the one that is written exactly so is meant.
func (ix *Index) spelled(key string, ts []token) []target {
	var written strings.Builder
	for _, t := range ts {
		written.WriteString(fold(t.text))
	}
	var out []target
	exact := map[*semantic.Dimension]bool{}
	for _, e := range ix.values.exact(key) {
		t := ix.values.target(e, exactMatch, 0)
		same := strings.ReplaceAll(fold(e.text), " ", "") == written.String()
		switch {
		case same && !exact[t.dim]:
			out = slices.DeleteFunc(out, func(o target) bool { return o.dim == t.dim })
			exact[t.dim] = true
		case !same && exact[t.dim]:
			continue
		}
		out = append(out, t)
	}
	return out
}

// inflected gives the values whose plural the words are: "professors" for Professor.
func (ix *Index) inflected(vs []variant, ts []token) []target {
	if v := last(vs); v.lemma == v.norm || ts[len(ts)-1].kind != wordToken {
		return nil
	}
	key := ""
	for _, t := range ts[:len(ts)-1] {
		key += valueKey(t.text)
	}
	var out []target
	for _, e := range ix.values.exact(key + last(vs).lemma) {
		out = append(out, ix.values.target(e, synonymMatch, scoreLoose))
	}
	return out
}

func last(vs []variant) variant { return vs[len(vs)-1] }

// coded gives the values that a word means where data writes it in short: "female" is F in a column that is called sex or
// gender.
func (ix *Index) coded(word string) []target {
	var out []target
	for kind, short := range ix.english.kindsOf(word) {
		for _, code := range short {
			for _, e := range ix.values.exact(code) {
				t := ix.values.target(e, synonymMatch, scoreSynonym)
				if t.dim != nil && code != word && slices.Contains(words(t.dim.Name), kind) {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// grammatical says whether a word only holds a sentence together, so that it is no value even where the data has it: "the",
// "in", "who". In capital letters it is a value: "US", "vitamin A".
func (ix *Index) grammatical(t token) bool {
	if shouted(t) || len(t.text) == 1 && t.capital && t.norm != "i" {
		return false
	}
	return slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool {
		return o.class == "glue" || o.class == "stop" && o.id == "function" || o.class == "grouping"
	})
}
