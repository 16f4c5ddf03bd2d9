// Package valueindex finds short texts by what they are called: whole, by their words, by a misspelling of one of these,
// and by how they begin. It holds half a million of them in tens of megabytes, without a pointer for each, and is never
// changed once it was built.
//
// What a text is called is its key: its words, folded by the caller's own cutter, without anything between them.
package valueindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Index is an index of the texts of some columns. It may be read by many at once.
type Index struct {
	cut     func(string) []string
	texts   texts    // as in the data, column by column, in the order in which they were given
	columns []uint32 // the first text of each column, and the number of all
	byKey   []uint32 // texts by key, then in their own order
	keys    table    // of a key, where byKey has it first
	words   lexicon
	repairs deletions
}

// Build indexes the texts of columns, best known first in each. cut gives the folded words of a text; a text without words
// and one that repeats in its column are left out.
func Build(columns [][]string, cut func(string) []string) *Index {
	x := &Index{cut: cut}
	var all, keys arena
	var posts []posting
	in := newIntern()
	for _, column := range columns {
		x.columns = append(x.columns, uint32(all.len()))
		for _, text := range column {
			ws := cut(text)
			if len(ws) == 0 {
				continue
			}
			id := uint32(all.len())
			all.add(text)
			keys.add(ws...)
			for _, w := range ws {
				if len(w) > 1 {
					posts = append(posts, posting{in.id(w), id})
				}
			}
		}
	}
	x.columns = append(x.columns, uint32(all.len()))
	x.texts = all.full()
	x.sortByKey(&keys)
	x.words = in.sorted(posts)
	x.repairs = newDeletions(&x.words)
	return x
}

// sortByKey orders the texts by key and files each key once. Most are told apart by their first eight bytes.
func (x *Index) sortByKey(keys *arena) {
	type head struct {
		first uint64
		id    uint32
	}
	heads := make([]head, keys.len())
	for i := range heads {
		var first [8]byte
		copy(first[:], keys.at(uint32(i)))
		heads[i] = head{binary.BigEndian.Uint64(first[:]), uint32(i)}
	}
	slices.SortFunc(heads, func(a, b head) int {
		if c := cmp.Compare(a.first, b.first); c != 0 {
			return c
		}
		if c := bytes.Compare(keys.at(a.id), keys.at(b.id)); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	})
	x.byKey = make([]uint32, 0, len(heads))
	x.keys = newTable(len(heads))
	type member struct {
		text   string
		column int
	}
	run := map[member]bool{} // of one key
	for i, h := range heads {
		if i == 0 || !bytes.Equal(keys.at(h.id), keys.at(heads[i-1].id)) {
			x.keys.put(hashOf(keys.at(h.id)), uint32(len(x.byKey)))
			clear(run)
		}
		if m := (member{x.Text(h.id), x.Column(h.id)}); !run[m] {
			run[m] = true
			x.byKey = append(x.byKey, h.id)
		}
	}
}

// Len is the number of texts.
func (x *Index) Len() int { return len(x.byKey) }

// Text gives a text as it stands in the data.
func (x *Index) Text(id uint32) string { return x.texts.at(id) }

// Column gives the column of a text, as a place in what was handed to Build.
func (x *Index) Column(id uint32) int {
	return sort.Search(len(x.columns)-1, func(i int) bool { return x.columns[i+1] > id })
}

// Rank is the place of a text in its column: 0 is the best known.
func (x *Index) Rank(id uint32) int { return int(id - x.columns[x.Column(id)]) }

func (x *Index) keyOf(id uint32) string {
	return strings.Join(x.cut(x.texts.at(id)), "")
}

// Exact gives the texts of a key, in the order of their columns and best known first. The result must not be changed.
func (x *Index) Exact(key string) []uint32 {
	if key == "" {
		return nil
	}
	at, ok := x.keys.find(hashOf(key), func(at uint32) bool { return x.keyOf(x.byKey[at]) == key })
	if !ok {
		return nil
	}
	end := at + 1
	for int(end) < len(x.byKey) && x.keyOf(x.byKey[end]) == key {
		end++
	}
	return x.byKey[at:end]
}

// HasWord says whether some text has a word.
func (x *Index) HasWord(w string) bool {
	_, ok := x.words.find(w)
	return ok
}

// Containing gives the texts that have all the words, or nil when there are none or more than most.
func (x *Index) Containing(ws []string, most int) []uint32 {
	lists := make([][]uint32, len(ws))
	for i, w := range ws {
		k, ok := x.words.find(w)
		if !ok {
			return nil
		}
		lists[i] = x.words.textsOf(k)
	}
	if len(lists) == 0 {
		return nil
	}
	slices.SortStableFunc(lists, func(a, b []uint32) int { return len(a) - len(b) })
	if len(lists[0]) > 64*most {
		return nil
	}
	var hits []uint32
	for _, id := range lists[0] {
		everywhere := !slices.ContainsFunc(lists[1:], func(list []uint32) bool {
			_, has := slices.BinarySearch(list, id)
			return !has
		})
		if everywhere && x.filed(id) {
			if hits = append(hits, id); len(hits) > most {
				return nil
			}
		}
	}
	return hits
}

// filed says whether a text is no repetition of an earlier one.
func (x *Index) filed(id uint32) bool {
	return slices.Contains(x.Exact(x.keyOf(id)), id)
}

// Near gives the words that a misspelled word may mean, with the number of edits: all that are equally close, at most so
// many edits away, in alphabetical order. A misspelling keeps the first letter; words with digits are never meant.
func (x *Index) Near(w string, edits int) (words []string, distance int) {
	return x.repairs.near(&x.words, w, edits)
}

// mostLooked bounds the texts and words that one prefix is completed from.
const mostLooked = 512

// Beginning gives up to most texts whose key, or one of whose words, begins with a prefix: first those that begin with it
// themselves, then by how well known they are in their column.
func (x *Index) Beginning(prefix string, most int) []uint32 {
	if prefix == "" {
		return nil
	}
	from := sort.Search(len(x.byKey), func(i int) bool { return x.keyOf(x.byKey[i]) >= prefix })
	var heads, inner []uint32
	for i := from; i < len(x.byKey) && i < from+mostLooked && strings.HasPrefix(x.keyOf(x.byKey[i]), prefix); i++ {
		heads = append(heads, x.byKey[i])
	}
	seen := 0
	for k := x.words.from(prefix); k < x.words.len() && seen < mostLooked && strings.HasPrefix(x.words.word(k), prefix); k++ {
		for _, id := range x.words.textsOf(k) {
			if seen++; seen > mostLooked {
				break
			}
			if !slices.Contains(heads, id) && !slices.Contains(inner, id) && x.filed(id) {
				inner = append(inner, id)
			}
		}
	}
	known := func(a, b uint32) int {
		if c := cmp.Compare(x.Rank(a), x.Rank(b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	}
	slices.SortFunc(heads, known)
	slices.SortFunc(inner, known)
	heads = append(heads, inner...)
	return heads[:min(len(heads), most)]
}

// runes counts the letters of a word.
func runes(w string) int { return utf8.RuneCountInString(w) }
