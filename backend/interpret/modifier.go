package interpret

import "slices"

// modifies says whether a value stands directly before the entity that has it: then it is one, even when it is spelled like
// a word of the language, as in "sell transactions" and "open tickets".
func (ix *Index) modifies(tokens []token, next int, p *piece) bool {
	if next >= len(tokens) || tokens[next].kind != wordToken {
		return false
	}
	return slices.ContainsFunc(ix.names.terms[tokens[next].lemma], func(t target) bool {
		return isEntity(t) && t.match != partialMatch && p.has(func(v target) bool { return v.value != nil && v.entity == t.entity })
	})
}
