package risk

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/text"
)

// Lexicon finds words about stakes in a question. Its phrases are entries of the catalogue.
type Lexicon struct{ entries []entry }

type entry struct {
	audience             string // empty: it says something else
	irreversible, urgent bool
	words                *regexp.Regexp
}

// Mention is a phrase about stakes: bytes From to To of the question. It says who, when or how and nothing about the data, so
// that a reader of the question may blank it.
type Mention struct {
	From, To int
	Text     string
}

// NewLexicon reads the phrases.
func NewLexicon() *Lexicon {
	l := &Lexicon{}
	for _, who := range slices.Sorted(mapKeys(audiences)) {
		l.entries = append(l.entries, entry{audience: who, words: phrases(text.Say("risk.words_" + who))})
	}
	l.entries = append(l.entries,
		entry{irreversible: true, words: phrases(text.Say("risk.words_irreversible"))},
		entry{urgent: true, words: phrases(text.Say("risk.words_urgent"))})
	return l
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// phrases makes an expression that finds any of the phrases between the bars of an entry, the longest first. Case and the amount of space do not matter.
func phrases(entry string) *regexp.Regexp {
	all := strings.Split(entry, "|")
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	for i, phrase := range all {
		words := strings.Fields(phrase)
		for j := range words {
			words[j] = regexp.QuoteMeta(words[j])
		}
		all[i] = strings.Join(words, `\s+`)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}

// Read gives the stakes that a question states in words, and where it states them, in order. The criticality is left empty:
// words name an audience, and that has a cost of its own.
func (l *Lexicon) Read(question string) (Stakes, []Mention) {
	s := Stakes{Audience: []string{}}
	var found []Mention
	for _, e := range l.entries {
		places := e.words.FindAllStringIndex(question, -1)
		if len(places) == 0 {
			continue
		}
		if e.audience != "" {
			s.Audience = append(s.Audience, e.audience)
		}
		s.Irreversible, s.Urgent = s.Irreversible || e.irreversible, s.Urgent || e.urgent
		for _, p := range places {
			found = append(found, Mention{From: p[0], To: p[1], Text: question[p[0]:p[1]]})
		}
	}
	return s, apart(question, found)
}

// apart puts mentions in order and joins those that overlap: one phrase may say more than one thing.
func apart(question string, found []Mention) []Mention {
	slices.SortFunc(found, func(a, b Mention) int { return a.From - b.From })
	var out []Mention
	for _, m := range found {
		if n := len(out); n > 0 && m.From < out[n-1].To {
			out[n-1].To = max(out[n-1].To, m.To)
			out[n-1].Text = question[out[n-1].From:out[n-1].To]
			continue
		}
		out = append(out, m)
	}
	return out
}
