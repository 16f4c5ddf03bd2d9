package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// oneOfKind gives the values whose singular the words are, where they are the kinds of something: "beverage" for Beverages.
func (ix *Index) oneOfKind(ts []token) []target {
	word := ts[len(ts)-1]
	if word.kind != wordToken || word.norm != word.lemma || len(word.norm) < 4 || word.capital {
		return nil
	}
	key := ""
	for _, t := range ts[:len(ts)-1] {
		key += valueKey(t.text)
	}
	var out []target
	for _, plural := range []string{word.norm + "s", word.norm + "es", strings.TrimSuffix(word.norm, "y") + "ies"} {
		if ix.english.singular(plural) != word.norm {
			continue
		}
		for _, e := range ix.values.exact(key + plural) {
			if t := ix.values.target(e, synonymMatch, scoreLoose); t.dim != nil && ix.values.columns[e.column].values <= mostKinds && !ofPeople(t.dim) {
				out = append(out, t)
			}
		}
	}
	return out
}

// mostKinds is how many values a column of kinds has at most.
const mostKinds = 200

// ofPeople says whether a column holds the names of people, of whom nobody is one of several.
func ofPeople(dim *semantic.Dimension) bool {
	return holdsName(dim, "first", "given", "fore", "last", "family", "sur", "middle", "full")
}

// behindValues gives the first piece behind the values that stand at a piece like adjectives.
func (d *draft) behindValues(i int) int {
	for i < len(d.pieces) && len(d.values(i)) > 0 && len(d.entities(i)) == 0 {
		i++
	}
	return i
}

// kindHolder gives the members that a kind divides, where the kind itself has nothing to rank by: "the cheapest beverage" is a product,
// whose price it is and whose category is Beverages. nil: none, or several as near.
func (d *draft) kindHolder(kind *semantic.Entity, hints []string) *semantic.Entity {
	for _, hint := range hints {
		var found []*semantic.Entity
		nearest := 0
		for _, t := range d.hinted(hint, []target{{entity: kind}}) {
			if t.dim == nil || t.value != nil || !isNumeric(t) && !isTemporal(t) || slices.Contains(found, t.entity) {
				continue
			}
			if t.entity == kind {
				return nil
			}
			steps, toOne := d.ix.paths.distance(t.entity.Name, kind.Name)
			switch {
			case !toOne || len(found) > 0 && steps > nearest:
			case len(found) > 0 && steps == nearest:
				found = append(found, t.entity)
			default:
				found, nearest = []*semantic.Entity{t.entity}, steps
			}
		}
		if len(found) > 0 {
			if len(found) > 1 {
				return nil
			}
			return found[0]
		}
	}
	return nil
}
