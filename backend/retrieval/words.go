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
	named  []token // of a model: what it calls the same thing, in place of to
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
		slices.SortStableFunc(all, longerFirst)
	}
	return l
}

// with knows the names of a model, too: of each group the first name, by whose words the others are read. Left out are names of several
// things, and words that ask or shape an answer.
func (l *wordList) with(groups [][]string) *wordList {
	named := map[string]*phrase{}
	for _, names := range groups {
		if len(names) == 0 {
			continue
		}
		tokens := l.read(names[0])
		for _, name := range names {
			words := split(name)
			for i, w := range words {
				words[i] = stem(w)
			}
			key := strings.Join(words, " ")
			switch known, there := named[key]; {
			case len(words) == 0 || len(words) == 1 && l.shapes(words):
			case !there:
				named[key] = &phrase{words: words, named: tokens}
			case known != nil && !slices.Equal(known.named, tokens):
				named[key] = nil
			}
		}
	}
	out := &wordList{phrases: maps.Clone(l.phrases)}
	for _, key := range slices.Sorted(maps.Keys(named)) {
		if p := named[key]; p != nil {
			out.phrases[p.words[0]] = append([]phrase{*p}, out.phrases[p.words[0]]...) // before the words of business data that are as long
		}
	}
	for first, all := range out.phrases {
		out.phrases[first] = slices.SortedStableFunc(slices.Values(all), longerFirst)
	}
	return out
}

// shapes says whether a phrase asks, or shapes an answer.
func (l *wordList) shapes(words []string) bool {
	p, ok := l.at(words)
	return ok && p.weight != 1
}

func longerFirst(a, b phrase) int { return len(b.words) - len(a.words) }

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
		if p, ok := l.at(words[i:]); ok && p.named != nil {
			tokens = append(tokens, p.named...)
			i += len(p.words)
			continue
		} else if ok {
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
