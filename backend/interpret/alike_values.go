package interpret

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"assay/backend/spelling"
)

// FoundValue is a value of the data that is like some words.
type FoundValue struct {
	Entity    string
	Dimension string
	Value     string
	Like      float64 // 0 to 1; 1: the same words
}

// mostContaining bounds the values that are weighed for one search.
const mostContaining = 512

// Alike gives the values that are like some words, the most alike first: the same words, values that hold them all or begin with them, and those of
// which a word is misspelled. Of equally alike ones the better known comes first. Personal values are never indexed, so never found.
func (ix *Index) Alike(said string, most int) []FoundValue {
	ws := valueWords(said)
	key := join(ws)
	if key == "" || most <= 0 {
		return nil
	}
	found := map[valueEntry]float64{}
	var order []valueEntry
	note := func(all []valueEntry, like func(key string) float64) {
		for _, e := range all {
			score := like(valueKey(e.text))
			if _, seen := found[e]; !seen {
				order = append(order, e)
			}
			found[e] = max(found[e], score)
		}
	}
	share := func(k string) float64 {
		return min(1, float64(utf8.RuneCountInString(key))/float64(max(1, utf8.RuneCountInString(k))))
	}
	note(ix.values.exact(key), func(string) float64 { return 1 })
	note(ix.values.containing(ws, mostContaining), func(k string) float64 { return 0.6 + 0.35*share(k) })
	note(ix.values.beginning(key, mostContaining), func(k string) float64 { return 0.5 + 0.4*share(k) })
	if mended := ix.mended(ws); mended != nil {
		misspelled := func(k string) float64 {
			edits := spelling.Distance(key, k, len(key))
			return max(0.3, min(0.9, 0.95-float64(edits)/float64(max(len(key), len(k)))))
		}
		note(ix.values.exact(join(mended)), misspelled)
		note(ix.values.containing(mended, mostContaining), func(k string) float64 { return 0.9 * misspelled(k) })
	}
	slices.SortStableFunc(order, func(a, b valueEntry) int { return cmp.Compare(found[b], found[a]) })
	var out []FoundValue
	for _, e := range order[:min(len(order), most)] {
		o := ix.values.owners[e.column]
		out = append(out, FoundValue{Entity: o.entity.Name, Dimension: o.dim.Name, Value: e.text, Like: found[e]})
	}
	return out
}

// mended gives words in which those that no value has are replaced by the nearest that some value has. nil: there is nothing to mend, or no way to.
func (ix *Index) mended(ws []string) []string {
	out, some := slices.Clone(ws), false
	for i, w := range ws {
		if ix.values.hasWord(w) {
			continue
		}
		edits := 1
		if len(w) > 6 {
			edits = 2
		}
		meant, _ := ix.values.near(w, edits)
		if len(meant) == 0 {
			return nil
		}
		out[i], some = meant[0], true
	}
	if !some {
		return nil
	}
	return out
}
