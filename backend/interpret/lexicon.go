package interpret

import (
	"embed"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/backend/interpret/timex"
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
	short     map[string]string              // short form -> word
	numbers   map[string]string              // phrase -> "7", "*100", "3."
	senses    map[string]string              // kind of attribute and word -> sense, of codes
	codes     map[string][]string            // sense -> every way to write it
	pasts     map[string]bool                // participles that are not spelled with -ed or -en
	verbs     map[string]string              // verb -> word in the name of a time dimension
	acts      map[string][]string            // verb -> words in the names of the entities whose rows record it
	events    map[string]bool                // stems of verbs that only say that something came to be
	scope     map[string]map[string]struct{} // scope class -> phrases
	alike     map[string][]string            // phrase, singular -> the meanings that it shares with others
	meanings  map[string][]string            // attribute -> what else it is asked by
	units     map[string]unit                // word or abbreviation -> unit of measure
	follow    map[string][]string            // phrase -> what it shows of a question that goes on from another one

	demonyms   map[string][]string        // country or nationality -> every way to say it
	ends       map[string]map[string]bool // end of what leads from one to another, and how -> words
	opposites  map[string][]string        // word -> what it is the opposite of
	attributes map[string]string          // phrase -> what the attribute that it asks for may be called
	tallied    []string                   // nouns, singular, that are counted inside rows
}

// english is read once from the embedded files and never changes afterwards.
var english = sync.OnceValue(readLexicon)

func readLexicon() *lexicon {
	l := &lexicon{
		operators: map[string][]operator{}, senses: map[string]string{}, codes: map[string][]string{}, pasts: map[string]bool{}, known: map[string]bool{}, irregular: map[string]string{}, short: map[string]string{}, numbers: map[string]string{}, verbs: map[string]string{},
		meanings: map[string][]string{}, acts: map[string][]string{}, events: map[string]bool{}, scope: map[string]map[string]struct{}{}, follow: map[string][]string{}, alike: map[string][]string{},
		attributes: map[string]string{}, ends: map[string]map[string]bool{}, opposites: map[string][]string{}, units: map[string]unit{}, demonyms: map[string][]string{},
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
			if class == "demonyms" {
				l.addCountry(append(phrases, id))
				continue
			}
			for _, p := range phrases {
				l.add(class, id, p, correctable)
			}
		}
	}
	for _, w := range timex.Names() {
		l.known[w] = true
	}
	l.typed = slices.Sorted(maps.Keys(correctable))
	return l
}

// addCountry files the names of a country and of its people under each of them.
func (l *lexicon) addCountry(forms []string) {
	for i, f := range forms {
		forms[i] = fold(f)
	}
	for _, f := range forms {
		l.demonyms[f] = forms
	}
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
	phrase = strings.Join(ws, " ")
	if class == "follow" {
		l.follow[phrase] = append(l.follow[phrase], id)
		return
	}
	if class == "participles" { // of verbs that the language of questions does not know
		l.pasts[ws[0]] = true
		return
	}
	if class == "synonyms" {
		l.alike[phrase] = append(l.alike[phrase], id)
		return
	}
	if class == "units" {
		l.units[phrase] = unitFrom(id)
	}
	if class != "short" && !(class == "meanings" && strings.ContainsAny(phrase[:1], "~#")) && class != "roles" && class != "tallied" && class != "standing" && !strings.HasPrefix(id, "country ") && !(class == "codes" && namesPlace(id)) {
		for _, w := range ws {
			l.known[w] = true
		}
	}
	switch class {
	case "codes":
		kind, _, _ := strings.Cut(id, " ")
		if kind != "state" || len(phrase) > 2 { // "in", "or" and "me" are words
			l.senses[kind+" "+phrase] = id
		}
		l.codes[id] = append(l.codes[id], phrase)
	case "irregular":
		l.irregular[phrase] = fold(id)
	case "short":
		l.short[phrase] = fold(id)
	case "meanings":
		for head := range strings.SplitSeq(id, "/") {
			l.meanings[head] = append(l.meanings[head], phrase)
		}
	case "common", "units":
	case "tallied":
		l.tallied = append(l.tallied, phrase)
	case "opposites":
		l.opposites[phrase] = append(l.opposites[phrase], id)
	case "attributes":
		l.attributes[phrase] = id
	case "verbs":
		l.verbs[phrase] = id
	case "acts":
		l.acts[phrase] = append(l.acts[phrase], id)
	case "numbers":
		l.numbers[phrase] = id
	case "dating":
		l.events[phrase] = true
	case "roles":
		if l.ends[id] == nil {
			l.ends[id] = map[string]bool{}
		}
		l.ends[id][phrase] = true
	case "scope", "durations", "weekdays", "standing", "ranks":
		switch class {
		case "standing":
			id = standingClass + id
		case "durations":
			id = durationClass + id
		case "ranks":
			id = rankClass + id
		case "weekdays":
			id = weekdayClass + id
		}
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

// namesPlace says whether a line of codes is about a place: its name is no word of the language, and so a value like any other.
func namesPlace(id string) bool {
	kind, _, _ := strings.Cut(id, " ")
	return kind == "country" || kind == "state"
}

// phrase gives the operators of tokens[i:i+n].
func (l *lexicon) phrase(tokens []token, i, n int) []operator {
	return l.operators[asWritten(tokens[i:i+n])]
}

// asWritten gives words as the files of the lexicon have them; empty when something quoted is among them.
func asWritten(tokens []token) string {
	if len(tokens) == 1 {
		return tokens[0].norm
	}
	parts := make([]string, len(tokens))
	for k, t := range tokens {
		if t.kind == quotedToken {
			return ""
		}
		parts[k] = t.norm
	}
	return strings.Join(parts, " ")
}

// kindsOf yields the kinds of attributes that a word has a sense in, with every way to write the sense.
func (l *lexicon) kindsOf(word string) func(yield func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		for _, kind := range []string{"country", "gender", "hand", "sex", "state"} {
			if sense, ok := l.senses[kind+" "+word]; ok && !yield(kind, l.codes[sense]) {
				return
			}
		}
	}
}
