package interpret

import (
	"embed"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The closed classes of English are data: one file per class, one line per operator, "id: phrase, phrase". A phrase
// that holds the comma itself writes it in quotation marks.
//
//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// operator is one reading of a closed-class phrase.
type operator struct{ class, id string }

// lexicon is the closed-class vocabulary. It never changes after it was read.
type lexicon struct {
	operators map[string][]operator          // phrase, folded words joined by a space
	longest   int                            // words in the longest phrase
	known     map[string]bool                // every single word of every phrase, and common words: never corrected
	typed     []string                       // the words of two classes and more letters that a misspelling may mean, sorted
	irregular map[string]string              // plural -> singular
	numbers   map[string]string              // phrase -> "7", "*100", "3."
	verbs     map[string]string              // verb -> word in the name of a time dimension
	months    map[string]int                 // folded name -> 1..12
	weekdays  map[string]int                 // folded name -> 1..7, Monday first
	scope     map[string]map[string]struct{} // scope class -> phrases
}

// english is read once from the embedded files and never changes afterwards.
var english = sync.OnceValue(readLexicon)

func readLexicon() *lexicon {
	l := &lexicon{
		operators: map[string][]operator{}, known: map[string]bool{}, irregular: map[string]string{}, numbers: map[string]string{}, verbs: map[string]string{},
		months: map[string]int{}, weekdays: map[string]int{}, scope: map[string]map[string]struct{}{},
	}
	entries, err := lexiconFiles.ReadDir("lexicon")
	if err != nil {
		panic(err) // embedded: cannot happen
	}
	correctable := map[string]bool{}
	for _, e := range entries {
		raw, err := lexiconFiles.ReadFile(path.Join("lexicon", e.Name()))
		if err != nil {
			panic(err)
		}
		class := strings.TrimSuffix(e.Name(), ".txt")
		for id, phrases := range lexiconLines(string(raw)) {
			for _, p := range phrases {
				l.add(class, id, p, correctable)
			}
		}
	}
	l.typed = slices.Sorted(maps.Keys(correctable))
	return l
}

// lexiconLines yields the lines of a lexicon file in order.
func lexiconLines(raw string) func(yield func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		for line := range strings.Lines(raw) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			id, rest, ok := strings.Cut(line, ": ")
			if !ok {
				panic("lexicon: no colon in " + line)
			}
			rest = strings.ReplaceAll(rest, `","`, "\x00")
			var phrases []string
			for p := range strings.SplitSeq(rest, ",") {
				p = strings.ReplaceAll(strings.TrimSpace(p), "\x00", ",")
				if p != "" {
					phrases = append(phrases, p)
				}
			}
			if !yield(id, phrases) {
				return
			}
		}
	}
}

// add files one phrase. Words of the structural classes may be corrected to ("averge" is "average").
func (l *lexicon) add(class, id, phrase string, correctable map[string]bool) {
	ws := strings.Fields(fold(phrase))
	for _, w := range ws {
		l.known[w] = true
	}
	phrase = strings.Join(ws, " ")
	switch class {
	case "irregular":
		l.irregular[phrase] = fold(id)
	case "common":
	case "verbs":
		l.verbs[phrase] = id
	case "numbers":
		l.numbers[phrase] = id
	case "months":
		l.months[phrase] = mustInt(id)
		correctable[ws[0]] = true
	case "weekdays":
		l.weekdays[phrase] = mustInt(id)
	case "scope":
		if l.scope[id] == nil {
			l.scope[id] = map[string]struct{}{}
		}
		l.scope[id][phrase] = struct{}{}
	default:
		l.operators[phrase] = append(l.operators[phrase], operator{class, id})
		l.longest = max(l.longest, len(ws))
		switch class {
		case "aggregates", "grouping", "ranking", "comparatives", "grains", "order":
			for _, w := range ws {
				if len(w) >= 5 {
					correctable[w] = true
				}
			}
		}
	}
}

func mustInt(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("lexicon: no number: " + s)
	}
	return n
}

// phrase gives the operators of tokens[i:i+n].
func (l *lexicon) phrase(tokens []token, i, n int) []operator {
	if n == 1 {
		return l.operators[tokens[i].norm]
	}
	parts := make([]string, n)
	for k := range parts {
		if tokens[i+k].kind == quotedToken {
			return nil
		}
		parts[k] = tokens[i+k].norm
	}
	return l.operators[strings.Join(parts, " ")]
}
