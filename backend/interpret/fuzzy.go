package interpret

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"assay/backend/interpret/timex"
	"assay/backend/spelling"
)

// variant is a word of the question as it may have been meant.
type variant struct {
	norm, lemma string
	edits       int // 0: as written
}

// mostVariants bounds the readings of one misspelled word; more ties than this are noise.
const mostVariants = 3

// variants gives what a token may mean: itself when any vocabulary has it, else the closest known words. Guards: words
// under 4 letters, words with digits and common English words are never corrected; two edits need 8 letters. A short form
// is the word that it stands for.
func (ix *Index) variants(t token) []variant {
	if saysPercent(t) {
		return []variant{{"percentage", "percentage", 0}}
	}
	self := []variant{{t.norm, t.lemma, 0}}
	if full, ok := ix.english.short[t.norm]; ok && t.kind == wordToken && !ix.knows(t) {
		return append(self, variant{full, ix.english.singular(full), 1})
	}
	if t.kind != wordToken || ix.knows(t) || !correctable(t.norm) || ix.recorded(t) != nil { // "followed" is no misspelled follower where follows are recorded
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
			if e := spelling.Distance(form, w, allowed); e <= allowed {
				hits = append(hits, found{w, e})
			}
		}
	}
	try(ix.names.words, t.lemma)
	try(ix.english.typed, t.norm)
	if short := ix.shortOf(t.lemma); len(hits) == 0 && short != "" {
		return append(self, variant{short, short, 1})
	}
	if len(hits) == 0 { // values only when nothing of the model or the language is near
		words, edits := ix.values.near(t.norm, allowed)
		for _, w := range words {
			hits = append(hits, found{w, edits})
		}
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

// saysPercent says whether a token is the sign that is read as a word: "% of late orders".
func saysPercent(t token) bool { return t.kind == markToken && t.text == "%" }

// shortOf gives the one word of the model that is the beginning of a longer word and no word of the language itself: "enr"
// for enrollment. Empty when there is none, or several.
func (ix *Index) shortOf(word string) string {
	short := ""
	for _, w := range ix.names.words {
		if n := len(w); n < 3 || n > 5 || n+3 > len(word) || word[:n] != w || ix.english.known[w] {
			continue
		}
		if short != "" {
			return ""
		}
		short = w
	}
	return short
}

// knows says whether a word stands as it is in any vocabulary.
func (ix *Index) knows(t token) bool {
	return ix.english.known[t.norm] || ix.english.known[t.lemma] || ix.names.known[t.lemma] || ix.names.known[t.norm] ||
		ix.values.hasWord(t.norm) || ix.names.known[verbStem(t.norm)] || timex.Month(t.norm) > 0 || ix.english.numbers[t.norm] != ""
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
