package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// anybody are words for people of whatever kind.
var anybody = []string{"person", "people", "individual"}

// peopleOf gives the only kind of people that the model has where a word says no more than that it is about people, and nothing is called so: "the people
// who teach algebra" are the teachers. Behind "how many" it may be a number in the rows, and stays unread.
func (ix *Index) peopleOf(tokens []token, i int) []target {
	if !slices.Contains(anybody, tokens[i].lemma) || ix.isCounted(tokens, i) {
		return nil
	}
	if e := ix.onlyPeople(); e != nil {
		return []target{{entity: e, match: synonymMatch, score: scoreSame, stands: true}}
	}
	return nil
}

// onlyPeople gives the entity whose members are people, where there is one alone.
func (ix *Index) onlyPeople() *semantic.Entity {
	var only *semantic.Entity
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		ws := ix.english.singulars(words(labelOf(e.Label, e.Name)))
		if len(ws) == 0 || !isKindOf(ws[len(ws)-1], "person") {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}
