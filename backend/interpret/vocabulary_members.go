package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// addMembers files what the rows of a table are when its name says something else: the key tells, for county_id is one
// county a row whatever the table is called, and so does the head of "member of club". A word that names something else
// already stays with that.
func (v *vocabulary) addMembers(m *semantic.Model, l *lexicon) {
	type named struct {
		words []string
		of    target
	}
	var all []named
	for i := range m.Entities {
		e := &m.Entities[i]
		if len(e.Key) == 1 {
			ws := l.singulars(words(e.Key[0]))
			if n := len(ws); n > 1 && slices.Contains(naming, ws[n-1]) {
				all = append(all, named{ws[:n-1], target{entity: e, match: partialMatch, score: scoreLoose}})
			}
		}
		ws := l.singulars(words(e.Name))
		if key := keyWords(e, l); len(key) > 0 && len(key) < len(ws) && slices.Equal(ws[:len(key)], key) {
			v.add(key, target{entity: e, match: partialMatch}) // each row of "spice_group" with the key "spice" is a spice
		}
		if of := slices.Index(ws, "of"); of > 0 {
			all = append(all, named{ws[:of], target{entity: e, match: partialMatch, score: scoreLoose}})
		}
	}
	taken := func(n named) bool {
		other := func(o named) bool { return o.of.entity != n.of.entity && slices.Equal(o.words, n.words) }
		return len(v.terms[join(n.words)]) > 0 || slices.ContainsFunc(all, other)
	}
	all = slices.DeleteFunc(slices.Clone(all), taken)
	for _, n := range all {
		v.add(n.words, n.of)
	}
}

// keyWords gives the words of a key that is a text, and so the name of what a row is; nil for other keys.
func keyWords(e *semantic.Entity, l *lexicon) []string {
	if len(e.Key) != 1 {
		return nil
	}
	if d := e.Dimension(e.Key[0]); d == nil || d.Type != semantic.Text {
		return nil
	}
	ws := l.singulars(words(e.Key[0]))
	if slices.Contains(naming, ws[len(ws)-1]) || slices.Contains(unspecific, ws[len(ws)-1]) {
		return nil
	}
	return ws
}
