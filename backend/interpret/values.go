package interpret

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"assay/backend/semantic"
)

// valueIndex finds members of dimensions by what they are called. It is laid out in sorted arrays, not maps, to hold
// 500,000 values in tens of megabytes: a value is found by binary search over its key, a word over its postings.
type valueIndex struct {
	columns []valueColumn
	entries []valueEntry // sorted by key, then column
	words   []string     // every word of every value, sorted
	posts   []uint32     // entries by word: posts[starts[w]:starts[w+1]]
	starts  []uint32
	byHead  map[headLength][]string // words by first letter and length, for repairs
}

type valueColumn struct {
	entity   *semantic.Entity
	dim      *semantic.Dimension
	complete bool
	values   int
}

type valueEntry struct {
	key    string // folded words without spaces
	text   string // as in the data
	column uint16
}

type headLength struct {
	head   rune
	length int
}

// longestValue bounds the runes of a value that is indexed: longer ones are prose and no names.
const longestValue = 80

func newValueIndex(m *semantic.Model, sets []ValueSet) *valueIndex {
	x := &valueIndex{byHead: map[headLength][]string{}}
	for _, s := range sets {
		e := m.Entity(s.Entity)
		if e == nil {
			continue
		}
		d := e.Dimension(s.Dimension)
		if d == nil || d.PII != "" || len(x.columns) > 1<<15 {
			continue
		}
		column := uint16(len(x.columns))
		x.columns = append(x.columns, valueColumn{e, d, s.Complete, len(s.Values)})
		for _, v := range s.Values {
			if utf8.RuneCountInString(v) > longestValue {
				continue
			}
			if key := valueKey(v); key != "" {
				x.entries = append(x.entries, valueEntry{key, v, column})
			}
		}
	}
	slices.SortFunc(x.entries, func(a, b valueEntry) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		if a.column != b.column {
			return int(a.column) - int(b.column)
		}
		return strings.Compare(a.text, b.text)
	})
	x.entries = slices.CompactFunc(x.entries, func(a, b valueEntry) bool { return a == b })
	x.indexWords()
	return x
}

func valueKey(v string) string { return join(valueWords(v)) }

// valueWords cuts a value as the tokeniser cuts a question, so that both give the same key: "B's Beverages" and
// "Alfreds Futterkiste".
func valueWords(v string) []string {
	ws := words(strings.ReplaceAll(strings.ReplaceAll(v, "’s", ""), "'s", ""))
	return ws
}

func (x *valueIndex) indexWords() {
	type posting struct {
		word  string
		entry uint32
	}
	var all []posting
	for i, e := range x.entries {
		for _, w := range valueWords(e.text) {
			if len(w) > 1 {
				all = append(all, posting{w, uint32(i)})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].word != all[j].word {
			return all[i].word < all[j].word
		}
		return all[i].entry < all[j].entry
	})
	for i, p := range all {
		if i == 0 || p.word != all[i-1].word {
			x.words = append(x.words, strings.Clone(p.word))
			x.starts = append(x.starts, uint32(len(x.posts)))
		}
		if i == 0 || p != all[i-1] {
			x.posts = append(x.posts, p.entry)
		}
	}
	x.starts = append(x.starts, uint32(len(x.posts)))
	for _, w := range x.words {
		head, _ := utf8.DecodeRuneInString(w)
		k := headLength{head, utf8.RuneCountInString(w)}
		x.byHead[k] = append(x.byHead[k], w)
	}
}

// exact gives the entries of a key.
func (x *valueIndex) exact(key string) []valueEntry {
	i, _ := slices.BinarySearchFunc(x.entries, key, func(e valueEntry, k string) int { return strings.Compare(e.key, k) })
	j := i
	for j < len(x.entries) && x.entries[j].key == key {
		j++
	}
	return x.entries[i:j]
}

func (x *valueIndex) hasWord(w string) bool {
	_, ok := slices.BinarySearch(x.words, w)
	return ok
}

// near gives the words that a misspelling of w may mean by its first letter and its length.
func (x *valueIndex) near(w string) []string {
	head, _ := utf8.DecodeRuneInString(w)
	n := utf8.RuneCountInString(w)
	var out []string
	for length := n - 2; length <= n+2; length++ {
		out = append(out, x.byHead[headLength{head, length}]...)
	}
	return out
}

// containing gives the entries that hold all the words, or nil when there are more than most.
func (x *valueIndex) containing(ws []string, most int) []valueEntry {
	var hits []uint32
	for i, w := range ws {
		k, ok := slices.BinarySearch(x.words, w)
		if !ok {
			return nil
		}
		posts := x.posts[x.starts[k]:x.starts[k+1]]
		if i == 0 {
			if len(posts) > 64*most {
				return nil
			}
			hits = posts
			continue
		}
		var both []uint32
		for _, h := range hits {
			if _, ok := slices.BinarySearch(posts, h); ok {
				both = append(both, h)
			}
		}
		hits = both
	}
	if len(hits) == 0 || len(hits) > most {
		return nil
	}
	out := make([]valueEntry, len(hits))
	for i, h := range hits {
		out[i] = x.entries[h]
	}
	return out
}

// complete says whether all values of a dimension are indexed, so that an unknown value is known not to exist.
func (x *valueIndex) complete(d *semantic.Dimension) bool {
	for _, c := range x.columns {
		if c.dim == d {
			return c.complete
		}
	}
	return false
}

func (x *valueIndex) target(e valueEntry, m match, score float64) target {
	c := x.columns[e.column]
	text := e.text
	return target{entity: c.entity, dim: c.dim, value: &text, match: m, score: score}
}

// flags gives the values that mean yes and no in a dimension that has no others; empty when it has.
func (x *valueIndex) flags(d *semantic.Dimension) (yes, no string) {
	column := slices.IndexFunc(x.columns, func(c valueColumn) bool { return c.dim == d && c.complete })
	if d == nil || column < 0 {
		return "", ""
	}
	for _, pair := range [][2]string{{"1", "0"}, {"y", "n"}, {"yes", "no"}, {"t", "f"}, {"true", "false"}} {
		found := [2]string{}
		for k, key := range pair {
			for _, e := range x.exact(key) {
				if int(e.column) == column {
					found[k] = e.text
				}
			}
		}
		if found[0] != "" && found[1] != "" && x.columns[column].values == 2 {
			return found[0], found[1]
		}
	}
	return "", ""
}
