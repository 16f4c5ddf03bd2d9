package interpret

import "slices"

// homelands are words in the names of attributes that hold countries or nationalities.
var homelands = []string{"country", "nation", "nationality", "citizenship", "origin", "homeland"}

// fromCountry gives the values that say the country of a nationality, or the other way round: "French singers" where their country is France,
// "players from Spain" where they are Spanish.
func (ix *Index) fromCountry(phrase string) []target {
	lands := ix.english.demonyms[phrase]
	if lands == nil {
		lands = ix.english.demonyms[ix.english.singular(phrase)] // "Italians"
	}
	var out []target
	for _, form := range lands {
		for _, e := range ix.values.exact(valueKey(form)) {
			t := ix.values.target(e, synonymMatch, scoreLoose)
			if t.stands = true; ix.saysHomeland(t) && !slices.ContainsFunc(out, func(o target) bool { return o.name() == t.name() }) {
				out = append(out, t)
			}
		}
	}
	return out
}

// saysHomeland says whether a value is a country, or where somebody is from.
func (ix *Index) saysHomeland(t target) bool {
	in := func(name string) bool {
		return slices.ContainsFunc(ix.english.singulars(words(name)), func(w string) bool { return slices.Contains(homelands, w) })
	}
	return t.dim != nil && (in(t.dim.Name) || in(t.entity.Name) && slices.Contains(ix.nameColumns(t.entity), t.dim.Name))
}
