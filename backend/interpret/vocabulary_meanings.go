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
	whole := map[string]bool{} // phrases that stand for something that is called nothing else than what they mean
	add := func(name, label string, t target, longer bool) {
		surfaces := surfacesOf(l, name, label, nil)
		if t.dim != nil {
			surfaces = append(unitless(l, t.dim, surfaces), surfaces...) // the net worth in millions is a worth
		}
		for _, s := range surfaces {
			head := s.words[len(s.words)-1]
			if longer != (len(s.words) > 1) {
				continue
			}
			for _, phrase := range l.meanings[head] {
				phrase, faint := strings.CutPrefix(phrase, "~")
				phrase, counts := strings.CutPrefix(phrase, "#")
				if faint = faint || counts; counts && (t.dim == nil || !t.dim.Measure) || faint && t.dim != nil && refers(m, t.entity, t.dim) {
					continue
				}
				ws := l.singulars(words(phrase))
				if taken[join(ws)] || longer && faint && whole[join(ws)] {
					continue // an animal is one of the pets, and no row of has_pet
				}
				whole[join(ws)] = whole[join(ws)] || !longer
				t.match, t.score = synonymMatch, scoreLoose-scorePartial*float64(len(s.words)-1)/float64(2*len(s.words))
				if ws[len(ws)-1] == head && len(s.words) == 1 {
					t.score = scoreSynonym // it only says more: "population density"
				}
				switch t.stands, t.counts = faint, counts; {
				case faint && !longer && t.dim == nil:
					t.score = scoreSame // it is all that the rows are called
				case faint:
					t.score += scoreFaint
				}
				if i := slices.IndexFunc(v.terms[join(ws)], func(o target) bool { return o.name() == t.name() }); i < 0 {
					if len(ws) == 1 {
						v.known[ws[0]] = true
					}
					v.file(ws, t)
				}
			}
		}
	}
	for _, longer := range []bool{false, true} {
		for i := range m.Entities {
			e := &m.Entities[i]
			add(e.Name, e.Label, target{entity: e}, longer)
			for j := range e.Dimensions {
				if d := &e.Dimensions[j]; d.Name != e.Display {
					add(d.Name, d.Label, target{entity: e, dim: d}, longer)
				}
			}
		}
	}
}

// refers says whether an attribute only says to which member of another kind a row leads.
func refers(m *semantic.Model, e *semantic.Entity, d *semantic.Dimension) bool {
	return slices.ContainsFunc(m.Joins, func(j semantic.Join) bool {
		return j.ToOne() && j.From == e.Name && len(j.On) == 1 && j.On[0].From == d.Name
	})
}

// countingBefore are words before a noun in the plural that ask how many there are of it, or compare that.
var countingBefore = []string{"many", "most", "fewest", "more", "fewer", "total", "enough"}

// isCounted says whether what stands at i is asked for, or compared, as a number: "how many students", "number of students",
// "more than 900 students".
func (ix *Index) isCounted(tokens []token, i int) bool {
	if i == 0 {
		return false
	}
	before := tokens[i-1]
	if before.norm == "of" {
		return i > 1 && (slices.Contains(tallies, tokens[i-2].lemma))
	}
	return before.kind == numberToken || ix.english.numbers[before.norm] != "" || slices.Contains(countingBefore, before.norm)
}

// hasNearer says whether words that only stand for what was found mean the same as something else that the model names.
func (ix *Index) hasNearer(ts []token, found []target) bool {
	if len(found) == 0 || slices.ContainsFunc(found, func(t target) bool { return !t.stands }) {
		return false
	}
	return slices.ContainsFunc(ix.names.kin().of(spaced(ts), ix.english), func(k kin) bool {
		return k.match == sameMatch && !k.rare && slices.ContainsFunc(ix.names.terms[k.key], func(t target) bool { return !t.stands })
	})
}
