package valueindex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/spelling"
)

// deletions finds words by what is left of their heads when letters are missing, as SymSpell does: two words that differ by
// one edit have a deletion in common. Heads are cut at so many letters, and words with one head stand together in the
// lexicon, so only the first of them is filed. A bucket says nothing about the bytes: every word is measured.
type deletions struct {
	depth  int // letters that are deleted from heads in the table
	bits   uint
	starts []uint32 // of each bucket in firsts, and the end
	firsts []uint32 // words of the lexicon that are the first of their head
}

const (
	headLength   = 8
	shortest     = 3      // letters of a word that may be meant
	deepVocab    = 50_000 // up to so many words two letters are deleted: every pair of edits is found
	mostMeasured = 20_000 // words that are compared for one misspelling
)

func newDeletions(l *lexicon) deletions {
	d := deletions{depth: 1}
	if l.len() <= deepVocab {
		d.depth = 2
	}
	type entry struct {
		hash  uint64
		first uint32
	}
	entries := make([]entry, 0, 8*l.len())
	eachHead(l, d.depth, func(k uint32, left string) { entries = append(entries, entry{hashOf(left), k}) })
	for 1<<d.bits < len(entries) {
		d.bits++
	}
	d.starts = make([]uint32, 1<<d.bits+1)
	for _, e := range entries {
		d.starts[d.bucket(e.hash)+1]++
	}
	for i := 1; i < len(d.starts); i++ {
		d.starts[i] += d.starts[i-1]
	}
	d.firsts = make([]uint32, len(entries))
	next := slices.Clone(d.starts)
	for _, e := range entries {
		b := d.bucket(e.hash)
		d.firsts[next[b]] = e.first
		next[b]++
	}
	return d
}

func (d *deletions) bucket(hash uint64) uint64 { return hash & (1<<d.bits - 1) }

// eachHead gives what is left of every head of the lexicon, each with the first word that has it.
func eachHead(l *lexicon, depth int, f func(k uint32, left string)) {
	before := ""
	for k := range l.len() {
		w := l.word(k)
		if !meant(w) {
			continue
		}
		if h := head(w); h != before {
			before = h
			eachDeletion(h, depth, func(left string) { f(uint32(k), left) })
		}
	}
}

// meant says whether a misspelling may mean a word: letters only, and some of them.
func meant(w string) bool {
	if runes(w) < shortest {
		return false
	}
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

func head(w string) string {
	n := 0
	for i := range w {
		if n == headLength {
			return w[:i]
		}
		n++
	}
	return w
}

// eachDeletion gives a head and what is left of it without up to depth letters, each once. The first letter stays.
func eachDeletion(h string, depth int, f func(string)) {
	seen := make([]string, 1, 40)
	seen[0] = h
	f(h)
	for from := 0; depth > 0; depth-- {
		to := len(seen)
		for _, s := range seen[from:to] {
			for i, r := range s {
				if i == 0 {
					continue
				}
				left := s[:i] + s[i+utf8.RuneLen(r):]
				if !slices.Contains(seen, left) {
					seen = append(seen, left)
					f(left)
				}
			}
		}
		from = to
	}
}

func (d *deletions) near(l *lexicon, w string, most int) (words []string, distance int) {
	if l.len() == 0 || w == "" {
		return nil, 0
	}
	distance = most
	var seen []uint32
	measured := 0
	look := func(left string) {
		b := d.bucket(hashOf(left))
		for _, first := range d.firsts[d.starts[b]:d.starts[b+1]] {
			if slices.Contains(seen, first) {
				continue
			}
			seen = append(seen, first)
			h := head(l.word(int(first)))
			last := l.len()
			if runes(h) < headLength {
				last = int(first) + 1 // a short word is its own head
			}
			for k := int(first); k < last && strings.HasPrefix(l.word(k), h) && measured < mostMeasured; k++ {
				found := l.word(k)
				if head(found) != h || found[0] != w[0] || !meant(found) {
					continue
				}
				measured++
				e := spelling.Distance(w, found, distance)
				if e > distance {
					continue
				}
				if e < distance {
					words, distance = nil, e
				}
				words = append(words, found)
			}
		}
	}
	for depth := 1; depth <= most && (len(words) == 0 || distance >= depth); depth++ {
		eachDeletion(head(w), depth, look)
	}
	slices.Sort(words)
	return slices.Compact(words), distance
}
