package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// whenAsked makes the "when" of a question stand for the date or the year that it asks for: the one that the verb names, "when did Ada Quill join",
// else the one by which the rows that are named go, "when was the concert in Balmoor". Where a date is named anyway, "when" adds nothing.
func (ix *Index) whenAsked(tokens []token) []token {
	i := whenAt(tokens)
	if i < 0 {
		return tokens
	}
	if k := slices.IndexFunc(tokens, func(t token) bool { return t.norm == "of" }); i == 0 && k > 2 && k < 5 && says(tokens, 2, "the") && len(ix.names.terms[tokens[k-1].lemma]) == 0 && ix.recorded(tokens[k-1]) == nil {
		return slices.Clone(tokens[1:]) // "when is the birthday of"
	}
	from := i
	if i > 0 {
		from = i - 1 // "the dates when"
	} else if ix.namesTime(tokens[i+1:]) {
		return slices.Delete(slices.Clone(tokens), i, i+1) // "when is the opening date of"
	}
	stands, verb := ix.timesOfVerbs(tokens, i+1)
	note := ""
	if len(stands) == 0 {
		if stands, verb = ix.timesOfRows(tokens, i+1); len(stands) == 0 {
			return tokens
		}
		if len(stands) == 1 {
			note = text.Say("interpret.assume_adjective", "word", tokens[i].text, "meaning", labelOf(stands[0].dim.Label, stands[0].dim.Name))
		}
	}
	out := slices.Clone(tokens)
	word := &out[from]
	word.end, word.text, word.stands, word.note = tokens[i].end, spanned(tokens[from:i+1]), stands, note
	if verb >= 0 {
		out = slices.Delete(out, verb, verb+1)
	}
	return slices.Delete(out, from+1, i+1)
}

// whenAt gives the "when" that asks for a date: at the head of a question, or behind a word for one; -1: there is none.
func whenAt(tokens []token) int {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.norm == "when" })
	switch {
	case i < 0 || i+2 >= len(tokens):
		return -1
	case i == 0 && slices.Contains([]string{"did", "does", "do", "was", "were", "is", "are", "has", "have"}, tokens[1].norm):
		return i
	case i > 0 && slices.Contains([]string{"date", "year", "day", "time"}, tokens[i-1].lemma) && (i < 2 || tokens[i-2].norm != "all"):
		return i
	}
	return -1
}

// namesTime says whether a date is named by its own name.
func (ix *Index) namesTime(tokens []token) bool {
	for i := range tokens {
		for n := 1; n <= longestName && i+n <= len(tokens); n++ {
			if slices.ContainsFunc(ix.names.terms[join(lemmasOf(tokens[i:i+n]))], func(t target) bool {
				return t.dim != nil && !t.verb && t.match != partialMatch && (t.dim.Type.Temporal() || isYear(t.dim))
			}) {
				return true
			}
		}
	}
	return false
}

// timesOfVerbs gives the dates that a verb of the question names, and where it stands.
func (ix *Index) timesOfVerbs(tokens []token, from int) (stands []target, verb int) {
	for i := from; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind != wordToken || t.capital || len(t.norm) < 3 || slices.ContainsFunc(ix.names.terms[t.lemma], isEntity) {
			continue
		}
		for k := range ix.model.Entities {
			e := &ix.model.Entities[k]
			for j := range e.Dimensions {
				if d := &e.Dimensions[j]; (d.Type.Temporal() || isYear(d)) && ix.english.saysTime(d, t.norm) {
					stands = append(stands, target{entity: e, dim: d, match: synonymMatch})
				}
			}
		}
		if len(stands) > 0 {
			return stands, i
		}
	}
	return nil, -1
}

// saysTime says whether a verb is a word in the name of a date: "joined" for joined_on and date_of_joining.
func (l *lexicon) saysTime(d *semantic.Dimension, verb string) bool {
	ws := words(labelOf(d.Label, d.Name))
	return slices.ContainsFunc(ws, func(w string) bool {
		return len(w) > 2 && !slices.Contains(tailsOfTimes, w) && w != "year" && (verbStem(w) == verbStem(verb) || l.verbs[verb] == w || l.verbs[w] == verb)
	})
}

// timesOfRows gives the dates by which the rows go that are named, or that the verb records, and the verb where it says nothing else.
func (ix *Index) timesOfRows(tokens []token, from int) (stands []target, verb int) {
	verb = -1
	for i := from; i < len(tokens); i++ {
		t := tokens[i]
		var es []*semantic.Entity
		for _, o := range ix.names.terms[t.lemma] {
			if isEntity(o) && o.match != partialMatch {
				es = append(es, o.entity)
			}
		}
		if e := ix.recorded(t); e != nil && len(es) == 0 && !t.capital {
			es = append(es, e)
		}
		for _, r := range ix.roles {
			if n, _ := r.said(ix.english, tokens, i); n > 0 && t.norm != "from" && t.norm != "to" {
				es = append(es, ix.entities[r.join.From]) // "when did the Rovers win"
			}
		}
		if ix.isEvent(t.norm) && len(es) == 0 && verb < 0 {
			verb = i
		}
		for _, e := range es {
			if d := ix.goesBy(e); d != nil && !slices.ContainsFunc(stands, func(o target) bool { return o.entity == e }) {
				stands = append(stands, target{entity: e, dim: d, match: synonymMatch})
			}
		}
	}
	return stands, verb
}

// goesBy gives the date by which rows go: their default time, else their only year; nil: none.
func (ix *Index) goesBy(e *semantic.Entity) *semantic.Dimension {
	if d := e.Dimension(e.DefaultTime); d != nil && !strings.Contains(e.DefaultTime, ".") {
		return d
	}
	var only *semantic.Dimension
	for i := range e.Dimensions {
		if d := &e.Dimensions[i]; d.Type.Temporal() || isYear(d) {
			if only != nil {
				return nil
			}
			only = d
		}
	}
	return only
}
