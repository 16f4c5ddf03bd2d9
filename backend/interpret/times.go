package interpret

import "slices"

// timesAsked makes "times" stand for the rows that record what happened: "how many times did Ada Quill report a fault", "the number of times each room
// was reserved" where there are reservations. Where no word says what is recorded, it stays unread.
func (ix *Index) timesAsked(tokens []token) []token {
	var out []token
	for i, t := range tokens {
		if i == 0 || t.norm != "times" || len(ix.names.terms[t.lemma]) > 0 || !ix.countsTimes(tokens[:i]) {
			continue
		}
		stands := ix.happened(tokens, i)
		if stands == nil {
			continue
		}
		if out == nil {
			out = slices.Clone(tokens)
		}
		out[i].stands = stands
	}
	if out == nil {
		return tokens
	}
	return out
}

// countsTimes says whether words before "times" ask how many.
func (ix *Index) countsTimes(before []token) bool {
	n := len(before)
	switch before[n-1].norm {
	case "many", "most", "fewest", "least":
		return true
	case "of":
		return n > 1 && before[n-2].norm == "number"
	}
	return false
}

// happened gives the rows that a verb of the question records: by their name, by a role that it says in them, or by being named beside it.
func (ix *Index) happened(tokens []token, at int) []target {
	for i, t := range tokens {
		if i == at || t.kind != wordToken || t.capital || slices.ContainsFunc(ix.names.terms[t.lemma], isEntity) && t.norm == t.lemma {
			continue
		}
		if e := ix.recorded(t); e != nil {
			return []target{{entity: e, match: synonymMatch}}
		}
	}
	for i := range tokens {
		if i == at {
			continue
		}
		for _, r := range ix.roles {
			if n, _ := r.said(ix.english, tokens, i); n > 0 && tokens[i].norm != "from" && tokens[i].norm != "to" {
				return []target{{entity: ix.entities[r.join.From], match: synonymMatch}}
			}
		}
	}
	for i := at + 1; i < len(tokens); i++ {
		for _, t := range ix.names.terms[tokens[i].lemma] {
			before := slices.ContainsFunc(tokens[:at], func(o token) bool { return o.lemma == tokens[i].lemma })
			if isEntity(t) && t.match != partialMatch && tokens[i].norm != tokens[i].lemma && !before {
				return []target{{entity: t.entity, match: synonymMatch}} // "the number of times reservations were made"
			}
		}
	}
	return nil
}
