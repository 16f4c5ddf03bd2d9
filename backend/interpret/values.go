package interpret

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assay/backend/interpret/valueindex"
	"assay/backend/semantic"
)

// Values are the values of the searchable dimensions of a model, indexed by what they are called. Building them takes the
// longest of all that a reader needs, so they are made once for a state of the data and serve every copy of the model.
type Values struct {
	found   *valueindex.Index
	columns []indexedColumn
}

// indexedColumn is a column of the index, under the names that it has in a model.
type indexedColumn struct {
	entity, dimension string
	complete          bool
	values            int
}

// MostValues bounds the values of all dimensions that are indexed; the best known ones of each are kept.
const MostValues = 500_000

// longestValue bounds the runes of a value that is indexed: longer ones are prose and no names.
const longestValue = 80

// NewValues indexes values, and beside them those that the model itself lists. Values of dimensions that the model tags as
// personal, or does not have, are left out even when they are handed in.
func NewValues(m *semantic.Model, sets []ValueSet) *Values {
	v := &Values{}
	var columns [][]string
	for _, s := range Within(append(declaredValues(m, sets), sets...), MostValues) {
		e := m.Entity(s.Entity)
		if e == nil {
			continue
		}
		d := e.Dimension(s.Dimension)
		if d == nil || d.PII != "" {
			continue
		}
		v.columns = append(v.columns, indexedColumn{e.Name, d.Name, s.Complete, len(s.Values)})
		columns = append(columns, slices.DeleteFunc(slices.Clone(s.Values), func(s string) bool { return utf8.RuneCountInString(s) > longestValue }))
	}
	v.found = valueindex.Build(columns, valueWords)
	return v
}

// Within cuts the longest lists to one length, so that all of them together hold at most so many values. A list that was
// cut is no longer complete.
func Within(sets []ValueSet, most int) []ValueSet {
	lengths := make([]int, len(sets))
	for i, s := range sets {
		lengths[i] = len(s.Values)
	}
	slices.Sort(lengths)
	left := most
	for i, n := range lengths {
		share := left / (len(lengths) - i)
		if n <= share {
			left -= n
			continue
		}
		out := slices.Clone(sets)
		for k, s := range out {
			if len(s.Values) > share {
				out[k].Values, out[k].Complete = s.Values[:share], false
			}
		}
		return out
	}
	return sets
}

func valueKey(v string) string { return join(valueWords(v)) }

// valueWords cuts a value as the tokeniser cuts a question, so that both give the same key: "B's Beverages" and
// "Alfreds Futterkiste".
func valueWords(v string) []string {
	if strings.ContainsAny(v, "'’") {
		v = strings.ReplaceAll(strings.ReplaceAll(v, "’s", ""), "'s", "")
	}
	return words(v)
}

// valueIndex is the values as one model sees them.
type valueIndex struct {
	*Values
	owners []valueOwner            // beside columns
	looked map[string][]valueEntry // by key: values that were looked up for one question
	heard  map[string]bool         // the words of these
}

type valueOwner struct {
	entity *semantic.Entity
	dim    *semantic.Dimension // nil: this model does not have it, or tags it as personal
}

// valueEntry is one value.
type valueEntry struct {
	text   string // as in the data
	column int
}

func (v *Values) of(ix *Index) *valueIndex {
	x := &valueIndex{Values: v}
	for _, c := range v.columns {
		var o valueOwner
		if o.entity = ix.entities[c.entity]; o.entity != nil {
			if o.dim = o.entity.Dimension(c.dimension); o.dim != nil && o.dim.PII != "" {
				o.dim = nil
			}
		}
		x.owners = append(x.owners, o)
	}
	return x
}

func (x *valueIndex) entries(ids []uint32) []valueEntry {
	var out []valueEntry
	for _, id := range ids {
		if c := x.found.Column(id); x.owners[c].dim != nil {
			out = append(out, valueEntry{x.found.Text(id), c})
		}
	}
	return out
}

// exact gives the entries of a key.
func (x *valueIndex) exact(key string) []valueEntry {
	return append(x.entries(x.found.Exact(key)), x.looked[key]...)
}

func (x *valueIndex) hasWord(w string) bool { return x.heard[w] || x.found.HasWord(w) }

// Knowing gives the index with further values of its columns, looked up in the data because a question names them: those of
// columns that have too many to index all. Like the index itself it serves every question.
func (ix *Index) Knowing(sets []ValueSet) *Index {
	more := *ix.values
	more.looked, more.heard = map[string][]valueEntry{}, map[string]bool{}
	for _, s := range sets {
		column := slices.IndexFunc(more.owners, func(o valueOwner) bool {
			return o.dim != nil && o.entity.Name == s.Entity && o.dim.Name == s.Dimension
		})
		if column < 0 {
			continue
		}
		for _, v := range s.Values {
			e, key := valueEntry{v, column}, valueKey(v)
			if utf8.RuneCountInString(v) > longestValue || slices.Contains(more.exact(key), e) {
				continue
			}
			more.looked[key] = append(more.looked[key], e)
			for _, w := range valueWords(v) {
				more.heard[w] = true
			}
		}
	}
	out := *ix
	out.values = &more
	return &out
}

// near gives the words that a misspelled word may mean, all equally far from it.
func (x *valueIndex) near(w string, edits int) (words []string, distance int) {
	return x.found.Near(w, edits)
}

// containing gives the entries that hold all the words, or nil when there are more than most.
func (x *valueIndex) containing(ws []string, most int) []valueEntry {
	return x.entries(x.found.Containing(ws, most))
}

// beginning gives entries of which the key or a word begins so, the best known ones first.
func (x *valueIndex) beginning(prefix string, most int) []valueEntry {
	return x.entries(x.found.Beginning(prefix, most))
}

// complete says whether all values of a dimension are indexed, so that an unknown value is known not to exist.
func (x *valueIndex) complete(d *semantic.Dimension) bool {
	i := slices.IndexFunc(x.owners, func(o valueOwner) bool { return o.dim != nil && o.dim == d })
	return i >= 0 && x.columns[i].complete
}

func (x *valueIndex) target(e valueEntry, m match, score float64) target {
	o, text := x.owners[e.column], e.text
	return target{entity: o.entity, dim: o.dim, value: &text, match: m, score: score}
}

// flags gives the values that mean yes and no in a dimension that has no others; empty when it has.
func (x *valueIndex) flags(d *semantic.Dimension) (yes, no string) {
	column := slices.IndexFunc(x.owners, func(o valueOwner) bool { return o.dim != nil && o.dim == d })
	if column < 0 || !x.columns[column].complete || x.columns[column].values != 2 {
		return "", ""
	}
	for _, pair := range [][2]string{{"1", "0"}, {"y", "n"}, {"yes", "no"}, {"t", "f"}, {"true", "false"}} {
		found := [2]string{}
		for k, key := range pair {
			for _, e := range x.exact(key) {
				if e.column == column {
					found[k] = e.text
				}
			}
		}
		if found[0] != "" && found[1] != "" {
			return found[0], found[1]
		}
	}
	return "", ""
}
