package prose

import (
	"embed"
	"strings"
)

//go:embed words/*.txt
var files embed.FS

// lexicon knows the words, all in lower case.
type lexicon struct {
	free, claiming map[string]string // by word: its section
	remark         map[string]bool
	refused        map[string]Kind
	phrases        []refusedPhrase
}

type refusedPhrase struct {
	words []string
	kind  Kind
}

var words = readLexicon()

func readLexicon() lexicon {
	l := lexicon{free: map[string]string{}, claiming: map[string]string{}, refused: map[string]Kind{}, remark: map[string]bool{}}
	eachWord("words/free.txt", func(section, word string) { l.free[word] = section })
	eachWord("words/remark.txt", func(_, word string) { l.remark[word] = true })
	eachWord("words/claims.txt", func(section, word string) { l.claiming[word] = section })
	eachWord("words/refused.txt", func(section, word string) {
		kind := Kind(section)
		if section == "number" {
			kind = NumberWord
		}
		if parts := strings.Fields(word); len(parts) > 1 {
			l.phrases = append(l.phrases, refusedPhrase{parts, kind})
			return
		}
		if _, known := l.refused[word]; !known { // of several kinds the first one is named
			l.refused[word] = kind
		}
	})
	return l
}

// eachWord reads a list: a section in brackets, words between spaces, a phrase in quotes on a line of its own. Lines with # are remarks.
func eachWord(path string, take func(section, word string)) {
	raw, err := files.ReadFile(path)
	if err != nil {
		panic(err) // it is compiled in
	}
	section := ""
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		case line[0] == '"':
			take(section, strings.Trim(line, `"`))
		default:
			for word := range strings.FieldsSeq(line) {
				take(section, word)
			}
		}
	}
}
