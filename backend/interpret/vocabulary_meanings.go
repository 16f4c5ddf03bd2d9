package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// addMeanings files what else an attribute or a kind of thing is asked by, "how many people" for a population, where nothing of
// the model is called so.
func (v *vocabulary) addMeanings(m *semantic.Model, l *lexicon) {
	taken := map[string]bool{}
	for key := range v.terms {
		taken[key] = true
	}
	add := func(name, label string, t target) {
		surfaces := surfacesOf(l, name, label, nil)
		if t.dim != nil {
			surfaces = append(unitless(l, t.dim, surfaces), surfaces...) // the net worth in millions is a worth
		}
		for _, s := range surfaces {
			head := s.words[len(s.words)-1]
			for _, phrase := range l.meanings[head] {
				phrase, faint := strings.CutPrefix(phrase, "~")
				ws := l.singulars(words(phrase))
				if taken[join(ws)] {
					continue
				}
				t.match, t.score = synonymMatch, scoreLoose-scorePartial*float64(len(s.words)-1)/float64(2*len(s.words))
				if ws[len(ws)-1] == head && len(s.words) == 1 {
					t.score = scoreSynonym // it only says more: "population density"
				}
				if t.stands = faint; faint {
					t.score += scoreFaint
				}
				if i := slices.IndexFunc(v.terms[join(ws)], func(o target) bool { return o.name() == t.name() }); i < 0 {
					v.add(ws, t)
				}
			}
		}
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		add(e.Name, e.Label, target{entity: e})
		for j := range e.Dimensions {
			if d := &e.Dimensions[j]; d.Name != e.Display {
				add(d.Name, d.Label, target{entity: e, dim: d})
			}
		}
	}
}
