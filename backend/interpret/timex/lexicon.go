package timex

import (
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The words of date phrases are data: one file per class, one line per meaning, "id: phrase, phrase". A phrase that is or
// holds a mark stands in quotation marks. The file words.txt holds many small classes of one meaning each.
//
//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// lexicon maps class and phrase to what the phrase means. It never changes after it was read.
type lexicon struct {
	classes map[string]map[string]string // class -> phrase (words joined by a space) -> id
	phrases map[string][]meaning         // phrase -> what it means in each class that has it
	longest int                          // words in the longest phrase
}

// meaning is what a phrase means in one class.
type meaning struct{ class, id string }

// hit is a phrase of the lexicon that stands at a token and ends before another.
type hit struct {
	meaning
	end int
}

var english = sync.OnceValue(readLexicon)

func readLexicon() *lexicon {
	l := &lexicon{classes: map[string]map[string]string{}, phrases: map[string][]meaning{}}
	entries, err := lexiconFiles.ReadDir("lexicon")
	if err != nil {
		panic(err) // embedded: cannot happen
	}
	for _, e := range entries {
		raw, err := lexiconFiles.ReadFile(path.Join("lexicon", e.Name()))
		if err != nil {
			panic(err)
		}
		file := strings.TrimSuffix(e.Name(), ".txt")
		for line := range strings.Lines(string(raw)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			id, phrases, ok := strings.Cut(line, ": ")
			if !ok {
				panic("lexicon: no colon in " + line)
			}
			for phrase := range strings.SplitSeq(strings.ReplaceAll(phrases, `","`, "\x00"), ",") {
				phrase = strings.Trim(strings.TrimSpace(strings.ReplaceAll(phrase, "\x00", ",")), `"`)
				l.add(file, id, phrase)
				if file == "words" {
					l.add(id, id, phrase)
				}
			}
		}
	}
	return l
}

// add files a phrase under the tokens that it is cut into.
func (l *lexicon) add(class, id, phrase string) {
	tokens := scan(phrase)
	texts := make([]string, len(tokens))
	for i, t := range tokens {
		texts[i] = t.text
	}
	if l.classes[class] == nil {
		l.classes[class] = map[string]string{}
	}
	key := strings.Join(texts, " ")
	l.classes[class][key] = id
	l.phrases[key] = append(l.phrases[key], meaning{class, id})
	l.longest = max(l.longest, len(tokens))
}

// Month gives 1 to 12 for the name of a month or its abbreviation, in lower case; 0 for any other word.
func Month(name string) int {
	n, _ := strconv.Atoi(english().classes["months"][name])
	return n
}

// Season says whether a word names a season, in lower case.
func Season(name string) bool { return english().classes["seasons"][name] != "" }

// Names gives the single words that name months and days of the week, sorted: words that are spelled as they are meant.
func Names() []string {
	var out []string
	for _, class := range []string{"months", "weekdays"} {
		for phrase := range english().classes[class] {
			out = append(out, phrase)
		}
	}
	slices.Sort(out)
	return out
}

// hitsAt gives the phrases of the lexicon that start at token i, longest first. A hyphen inside a phrase is a space:
// year-to-date.
func (l *lexicon) hitsAt(tokens []token, i int) (out []hit) {
	key := ""
	for j, n := i, 0; j < len(tokens) && n < l.longest; j++ {
		t := tokens[j]
		if t.text == "-" && j > i && t.glued {
			continue
		}
		if n++; n > 1 {
			key += " "
		}
		key += t.text
		for _, m := range l.phrases[key] {
			out = append(out, hit{m, j + 1})
		}
	}
	slices.Reverse(out)
	return out
}

// named gives the id of the longest phrase of a class that starts at token i, and the token behind it.
func (r *reader) named(i int, class string) (id string, end int) {
	if i < 0 || i >= len(r.hits) {
		return "", 0
	}
	for _, h := range r.hits[i] {
		if h.class == class {
			return h.id, h.end
		}
	}
	return "", 0
}

// behind gives the token behind a phrase of a class at i, or 0.
func (r *reader) behind(i int, class string) int {
	_, end := r.named(i, class)
	return end
}

// over skips a phrase of a class, if one stands at i.
func (r *reader) over(i int, class string) int { return max(i, r.behind(i, class)) }

// is says whether token i is one of the texts.
func (r *reader) is(i int, texts ...string) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}
	for _, t := range texts {
		if r.tokens[i].text == t {
			return true
		}
	}
	return false
}

// number gives the value of a token of digits.
func (r *reader) number(i int) (value, length int) {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].kind != digits || len(r.tokens[i].text) > 9 {
		return 0, 0
	}
	n, _ := strconv.Atoi(r.tokens[i].text)
	return n, len(r.tokens[i].text)
}
