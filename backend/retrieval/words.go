package retrieval

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// wordList knows phrases by their first word, the longest first.
type wordList struct{ phrases map[string][]phrase }

type phrase struct {
	words  []string
	to     string // canonical
	weight float64
}

// token is a word of a question as the embedder sees it.
type token struct {
	stem            string
	weight          float64
	letters, number bool // its trigrams count; it is a number
}

var classWeights = map[string]float64{"empty": 0, "weak": weakWeight, "shape": shapeWeight, "time": timeWeight, "same": 1}

// readWords reads the file of words, which is ours and read by a test.
func readWords(file string) *wordList {
	l := &wordList{phrases: map[string][]phrase{}}
	for line := range strings.Lines(file) {
		head, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		class, canonical, two := strings.Cut(head, " ")
		if !ok || !two || strings.HasPrefix(line, "#") {
			continue
		}
		weight := classWeights[class]
		if canonical == "for" {
			weight = forWeight
		}
		for entry := range strings.SplitSeq(list, ",") {
			words := split(entry)
			if len(words) == 0 {
				continue
			}
			for i, w := range words {
				words[i] = stem(w)
			}
			l.phrases[words[0]] = append(l.phrases[words[0]], phrase{words: words, to: canonical, weight: weight})
		}
	}
	for _, all := range l.phrases {
		slices.SortStableFunc(all, func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return l
}

// split gives the words of a text: letters and digits in a row, in lower case.
func split(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(plain(text), "'", ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// read gives the tokens of a question.
func (l *wordList) read(text string) []token {
	words := split(text)
	for i, w := range words {
		words[i] = stem(w)
	}
	var tokens []token
	for i := 0; i < len(words); {
		if p, ok := l.at(words[i:]); ok {
			tokens = append(tokens, token{stem: p.to, weight: p.weight, letters: p.weight == 1})
			i += len(p.words)
			continue
		}
		if strings.IndexFunc(words[i], unicode.IsDigit) >= 0 {
			tokens = append(tokens, token{stem: words[i], weight: numberWeight, number: true})
		} else {
			tokens = append(tokens, token{stem: words[i], weight: 1, letters: true})
		}
		i++
	}
	return tokens
}

// at gives the longest phrase that the words begin with.
func (l *wordList) at(words []string) (phrase, bool) {
	for _, p := range l.phrases[words[0]] {
		if len(p.words) <= len(words) && slices.Equal(p.words, words[:len(p.words)]) {
			return p, true
		}
	}
	return phrase{}, false
}

func sorted(f features) []string { return slices.Sorted(maps.Keys(f)) }
