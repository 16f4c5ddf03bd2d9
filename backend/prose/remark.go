package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/frameql"
)

// mostRemark is how many runes a remark may have: one sentence, or two.
const mostRemark = 300

// Remark gives what a model says of a question where there is no frame to hold it against, as it may be shown beside the name of who said it: words of the
// list of remarks and names that are known here, and no number, claim, cause, outlook, address or markup. known are names of the model and words of the question; those that
// claim something stay claims. false: it must not be shown.
func Remark(text string, known []string) (string, bool) {
	said := strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if strings.ContainsRune("\"“”„«»", c) {
			return -1
		}
		return c
	}, text)), " ")
	if utf8.RuneCountInString(said) > mostRemark {
		return "", false
	}
	l := newLock(strings.ReplaceAll(said, "?", "."), Scene{Frame: &frameql.Frame{}})
	for _, text := range known {
		if text = strings.TrimSpace(text); remarkable(text) {
			l.names = append(l.names, name{text: text, folds: true})
		}
	}
	slices.SortStableFunc(l.names, func(a, b name) int { return len(b.text) - len(a.text) })
	l.scan()
	for _, v := range l.violations {
		if !v.remarked() {
			return "", false
		}
	}
	for _, t := range l.tokens {
		if t.claims || t.what == value {
			return "", false
		}
	}
	return said, true
}

// remarked says whether a remark may have what a sentence about a frame may not: a word of its own list, or one that denies.
func (v Violation) remarked() bool {
	switch v.Kind {
	case Negation:
		return true
	case Word:
		return words.remark[strings.ToLower(v.Words)]
	case NumberWord:
		return v.Words == "I"
	case Future:
		return v.Words == "could" || v.Words == "can"
	}
	return false
}

// remarkable says whether a name may stand in a remark: plain words, of which one at least means nothing else in a sentence.
func remarkable(s string) bool {
	return namely(strings.ReplaceAll(s, "_", " ")) && !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && c != '_' && c != ' ' && c != '-'
	})
}
