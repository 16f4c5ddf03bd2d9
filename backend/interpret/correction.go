package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// Correction is what a person means by a term. It helps that person alone.
type Correction struct {
	Term  string // as it is written in questions
	Means string // in words of the model, as a formula or as a period
}

// Corrected gives the places of those corrections that a question asks for, by its own words or by those of another one, in their order.
func (ix *Index) Corrected(question string, all []Correction) []int {
	asked := make([]bool, len(all))
	for words := []string{question}; len(words) > 0; {
		tokens := ix.english.tokenise(words[0])
		words = words[1:]
		for i, c := range all {
			if !asked[i] && ix.english.asks(tokens, written{terms: []string{c.Term}}) != "" {
				asked[i] = true
				words = append(words, c.Means)
			}
		}
	}
	var out []int
	for i, is := range asked {
		if is {
			out = append(out, i)
		}
	}
	return out
}

// Understands says whether a correction has a meaning in the model, beside the others of its person, and the entity that it is about; empty: a period, which is about all of them.
func (ix *Index) Understands(c Correction, others []Correction, env frameql.Env) (entity string, ok bool) {
	others = slices.DeleteFunc(slices.Clone(others), func(o Correction) bool { return o.Term == c.Term })
	under, refusal := ix.withDefinitions(ix.english.tokenise(c.Term), latest(definitions(ix.model.Memos, append(others, c), "")), env, mostDefinitions)
	if refusal != nil {
		return "", false
	}
	for _, def := range under.defined {
		switch {
		case def.by != byCorrection || def.said != c.Term:
		case def.metric != nil:
			return def.metric.Entity, true
		case def.names != nil && def.names[0].metric != nil:
			return def.names[0].metric.Entity, true
		case def.names != nil:
			return def.names[0].entity.Name, true
		default:
			return "", true
		}
	}
	return "", false
}
