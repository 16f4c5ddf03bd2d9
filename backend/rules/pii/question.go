package pii

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Question masks a question before a model reads it. Beside what Text finds, runs of capitalised words that nobody knows are
// taken for names of people: "orders of Jane Example". known says whether a word or a phrase belongs to the model, to the
// values that may be shown, or to the language; nil: only what Text finds is masked.
func (m Masker) Question(s string, known func(phrase string) bool) string {
	spans := m.tokens(s)
	spans = append(spans, m.Policy.Find(s)...)
	spans = append(spans, m.Vault.known(s)...)
	if known != nil && !slices.Contains(m.Policy.Off, PersonName) {
		spans = append(spans, unknownNames(s, known)...)
	}
	return m.replace(s, spans)
}

// unknownNames finds the longest runs of capitalised words without the known words at their ends.
func unknownNames(s string, known func(string) bool) []Span {
	var all []Span
	for i := 0; i < len(s); {
		if !isWord(s[i]) || isDigit(s[i]) || isWord(at(s, i-1)) || at(s, i-1) == '_' {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		end := capitalised(s, i, 6)
		if end <= i {
			i = max(wordEnd(s, i), i+1)
			continue
		}
		start, stop := trimKnown(s, i, end, known)
		if run := s[start:stop]; start < stop && !known(run) && !isAcronym(run) && !isDigit(at(s, stop)) && at(s, stop) != '_' {
			all = append(all, Span{start, stop, PersonName})
		}
		i = end
	}
	return all
}

// trimKnown leaves known words out at both ends of a run: of "Show Jane Example" the first.
func trimKnown(s string, start, end int, known func(string) bool) (from, to int) {
	if known(s[start:end]) {
		return start, start
	}
	for start < end {
		word, _, _ := strings.Cut(s[start:end], " ")
		if !known(word) {
			break
		}
		start = min(start+len(word)+1, end)
	}
	for start < end {
		i := strings.LastIndexByte(s[start:end], ' ')
		if !known(s[start+i+1 : end]) {
			break
		}
		end = start + max(i, 0)
	}
	return start, end
}

// isAcronym says whether a run is one word of capitals: GPM, EMEA.
func isAcronym(run string) bool {
	for _, r := range run {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return true
}
