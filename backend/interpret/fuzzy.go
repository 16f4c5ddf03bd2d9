package interpret

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// variant is a word of the question as it may have been meant.
type variant struct {
	norm, lemma string
	edits       int // 0: as written
}

// mostVariants bounds the readings of one misspelled word; more ties than this are noise.
const mostVariants = 3

// variants gives what a token may mean: itself when any vocabulary has it, else the closest known words. Guards: words
// under 4 letters, words with digits and common English words are never corrected; two edits need 8 letters.
func (ix *Index) variants(t token) []variant {
	self := []variant{{t.norm, t.lemma, 0}}
	if t.kind != wordToken || ix.knows(t) || !correctable(t.norm) {
		return self
	}
	n := utf8.RuneCountInString(t.norm)
	allowed := 1
	if n >= 8 {
		allowed = 2
	}
	type found struct {
		word  string
		edits int
	}
	var hits []found
	try := func(ws []string, form string) {
		for _, w := range ws {
			if d := utf8.RuneCountInString(w) - utf8.RuneCountInString(form); d > allowed || -d > allowed {
				continue
			}
			if e := distance(form, w, allowed); e <= allowed {
				hits = append(hits, found{w, e})
			}
		}
	}
	try(ix.names.words, t.lemma)
	try(ix.english.typed, t.norm)
	if len(hits) == 0 { // values only when nothing of the model or the language is near
		try(ix.values.near(t.norm), t.norm)
	}
	slices.SortFunc(hits, func(a, b found) int {
		if a.edits != b.edits {
			return a.edits - b.edits
		}
		if a.word < b.word {
			return -1
		}
		return 1
	})
	for _, h := range hits {
		if h.edits > hits[0].edits || len(self) > mostVariants {
			break
		}
		if v := (variant{h.word, ix.english.singular(h.word), h.edits}); !slices.ContainsFunc(self, func(o variant) bool { return o.norm == v.norm }) {
			self = append(self, v)
		}
	}
	return self
}

// knows says whether a word stands as it is in any vocabulary.
func (ix *Index) knows(t token) bool {
	return ix.english.known[t.norm] || ix.english.known[t.lemma] || ix.names.known[t.lemma] || ix.names.known[t.norm] ||
		ix.values.hasWord(t.norm) || ix.names.known[verbStem(t.norm)] || ix.english.months[t.norm] > 0 || ix.english.numbers[t.norm] != ""
}

func correctable(w string) bool {
	if utf8.RuneCountInString(w) < 4 {
		return false
	}
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// distance is the optimal string alignment distance (insert, delete, replace, swap neighbours), or most+1 when it is
// more than most.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > most || -d > most {
		return most + 1
	}
	older, old, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		older, old, row = old, row, older
	}
	return old[len(y)]
}
