package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// counting words stand in names of columns that hold how many there are of something: num_employees, citation_count.
var counting = []string{"num", "number", "count", "no", "nr", "total", "of"}

// addCounted files a column under what it names or counts: country_name is the country, reference_num "the number of references".
func (v *vocabulary) addCounted(d *semantic.Dimension, e *semantic.Entity, surfaces []surface) {
	for _, s := range surfaces { // country_name: "country"
		if n := len(s.words); n > 1 && s.words[n-1] == "name" && !slices.Contains([]string{"first", "last", "full", "middle", "user"}, s.words[n-2]) {
			v.add(s.words[:n-1], target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose})
		}
	}
	if !d.Measure {
		return
	}
	for _, s := range surfaces {
		if s.words[len(s.words)-1] == "total" && d.Type != semantic.Integer {
			continue // line_total is an amount and no number of lines
		}
		things := slices.DeleteFunc(slices.Clone(s.words), func(w string) bool { return slices.Contains(counting, w) })
		if len(things) > 0 && len(things) < len(s.words) && !slices.Equal(s.words[:1], []string{"total"}) {
			v.add(things, target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose})
		}
	}
}

// addNumbered files identifiers of an inferred model under what they tell apart: customer_no is "customers", where no rows are called so.
func (v *vocabulary) addNumbered(m *semantic.Model, l *lexicon) {
	nouns := map[string]bool{} // what rows are called
	for i := range m.Entities {
		for _, s := range surfacesOf(l, m.Entities[i].Name, m.Entities[i].Label, m.Entities[i].Synonyms) {
			nouns[s.words[len(s.words)-1]] = true
		}
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		for j := range e.Dimensions {
			d := &e.Dimensions[j]
			points := slices.ContainsFunc(m.Joins, func(x semantic.Join) bool {
				return x.From == e.Name && slices.ContainsFunc(x.On, func(on semantic.ColumnPair) bool { return on.From == d.Name })
			})
			if !e.Inferred || points || d.Measure || d.Type.Temporal() {
				continue
			}
			for _, s := range surfacesOf(l, d.Name, d.Label, d.Synonyms) {
				n := len(s.words)
				if n > 1 && slices.Contains(naming, s.words[n-1]) && !slices.Contains(places, s.words[0]) && !nouns[s.words[n-2]] {
					v.add(s.words[:n-1], target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose})
				}
			}
		}
	}
}
