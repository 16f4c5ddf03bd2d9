package valueindex

import (
	"bytes"
	"slices"
	"sort"
)

// lexicon is every word of every text once, in alphabetical order, with the texts that have it.
type lexicon struct {
	words  texts
	places table
	starts []uint32 // of each word in texts, and the end
	texts  []uint32
}

func (l *lexicon) len() int { return l.words.len() }

func (l *lexicon) word(k int) string { return l.words.at(uint32(k)) }

func (l *lexicon) find(w string) (int, bool) {
	if l.len() == 0 {
		return 0, false
	}
	k, ok := l.places.find(hashOf(w), func(k uint32) bool { return l.words.at(k) == w })
	return int(k), ok
}

// from gives the first word that is not before w.
func (l *lexicon) from(w string) int {
	return sort.Search(l.len(), func(k int) bool { return l.word(k) >= w })
}

func (l *lexicon) textsOf(k int) []uint32 { return l.texts[l.starts[k]:l.starts[k+1]] }

// posting says that a text has a word.
type posting struct{ word, text uint32 }

// intern numbers words in the order in which they come.
type intern struct {
	words  arena
	places table
}

func newIntern() *intern { return &intern{places: newTable(1024)} }

func (in *intern) id(w string) uint32 {
	h := hashOf(w)
	if id, ok := in.places.find(h, func(id uint32) bool { return string(in.words.at(id)) == w }); ok {
		return id
	}
	id := uint32(in.words.len())
	in.words.add(w)
	if int(id)*3 > len(in.places.slots)*2 {
		in.places = newTable(2 * len(in.places.slots))
		for old := range id {
			in.places.put(hashOf(in.words.at(old)), old)
		}
	}
	in.places.put(h, id)
	return id
}

// sorted makes the lexicon of the words and of the postings, which come in the order of their texts.
func (in *intern) sorted(posts []posting) lexicon {
	n := in.words.len()
	order, place := make([]uint32, n), make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(in.words.at(a), in.words.at(b)) })
	var sorted arena
	l := lexicon{places: newTable(n), starts: make([]uint32, n+1)}
	for k, id := range order {
		place[id] = uint32(k)
		sorted.add(string(in.words.at(id)))
		l.places.put(hashOf(in.words.at(id)), uint32(k))
	}
	l.words = sorted.full()
	last := make([]uint32, n) // the text that a word was filed for last, + 1: a word counts once in a text
	kept := posts[:0]
	for _, p := range posts {
		if last[p.word] != p.text+1 {
			last[p.word] = p.text + 1
			kept = append(kept, p)
			l.starts[place[p.word]+1]++
		}
	}
	for k := range n {
		l.starts[k+1] += l.starts[k]
	}
	l.texts = make([]uint32, len(kept))
	next := slices.Clone(l.starts)
	for _, p := range kept {
		k := place[p.word]
		l.texts[next[k]] = p.text
		next[k]++
	}
	return l
}
