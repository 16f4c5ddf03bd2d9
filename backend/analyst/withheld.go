package analyst

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"assay/backend/frameql"
	"assay/backend/tool"
)

// withheld are the values of the data that a model does not get to see: those of personal columns, whichever model it is, and of
// a model elsewhere all of them, unless its rows may be seen masked. Each has a stand-in, "[value 1]", which goes in its place and which the model may write: what it
// writes is put back. What the person typed goes as they typed it.
type withheld struct {
	every    bool                        // no value goes; false: those of personal columns stay
	personal func(dimension string) bool // of entity.dimension
	typed    string                      // all that the person wrote in this conversation
	own      bool                        // the question is the person's own: it was typed
	shown    map[string]bool             // numbers that answers before this one showed

	mu     sync.Mutex
	values []frameql.Value   // of stand-ins, from 1 on
	known  map[string]int    // text of a value -> its stand-in
	wrote  map[string]string // with values in place of stand-ins -> as a model wrote it
}

func newWithheld(every bool, personal func(string) bool, typed string, shown map[string]bool) *withheld {
	return &withheld{every: every, personal: personal, typed: typed, shown: shown, known: map[string]int{}, wrote: map[string]string{}}
}

// standIn is what goes in place of a value.
func (w *withheld) standIn(v frameql.Value) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, there := w.known[v.Text]
	if !there {
		w.values = append(w.values, v)
		n = len(w.values)
		w.known[v.Text] = n
	}
	return "[value " + strconv.Itoa(n) + "]"
}

// stays says whether a value of a dimension may not go. An empty dimension is not known.
func (w *withheld) stays(dimension string, v frameql.Value) bool {
	private := w.personal != nil && dimension != "" && w.personal(dimension)
	switch {
	case !w.every && !private, v.Text == "", hasWord(w.typed, v.Text):
		return false
	case v.Kind == frameql.String:
		return private || !isMoment(v.Text) // a day comes of a period that was asked for
	case v.Kind == frameql.Number:
		return private || w.shown[v.Text]
	}
	return false
}

var moment = regexp.MustCompile(`^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?)?$`)

func isMoment(s string) bool { return moment.MatchString(s) }

// learn makes the values of the personal columns of a frame known, so that no text names one.
func (w *withheld) learn(f *frameql.Frame) {
	if f == nil {
		return
	}
	for i, c := range f.Columns {
		if !c.Personal && (w.personal == nil || c.Dimension == "" || !w.personal(c.Dimension)) {
			continue
		}
		for _, row := range f.Rows {
			if s, is := row[i].(string); is && strings.TrimSpace(s) != "" && !hasWord(w.typed, s) {
				w.standIn(frameql.Value{Kind: frameql.String, Text: s})
			}
		}
	}
}

// query is Frame-QL with stand-ins. What is no query is gone through for the texts that stand in quotes.
func (w *withheld) query(source string) string {
	if strings.TrimSpace(source) == "" {
		return source
	}
	q, err := frameql.Parse(source)
	if err != nil {
		return w.quoted("", source)
	}
	changed := false
	q.EachValue(func(dimension string, v *frameql.Value) {
		if w.stays(dimension, *v) {
			*v, changed = frameql.Value{Kind: frameql.String, Text: w.standIn(*v)}, true
		}
	})
	if !changed {
		return source
	}
	return q.String()
}

// literal is a text in single quotes; a quote in it is doubled.
var literal = regexp.MustCompile(`'(?:[^']|'')*'`)

// quoted puts stand-ins in place of the texts in quotes, which are of one dimension; an empty one: it is not known.
func (w *withheld) quoted(dimension, s string) string {
	return literal.ReplaceAllStringFunc(s, func(q string) string {
		v := frameql.Value{Kind: frameql.String, Text: strings.ReplaceAll(q[1:len(q)-1], "''", "'")}
		if w.stays(dimension, v) || !w.every && dimension == "" && w.names(v.Text) {
			return "'" + w.standIn(v) + "'"
		}
		return q
	})
}

// names says whether a value is one that was held back before.
func (w *withheld) names(s string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.known[s] > 0
}

// target is what a piece of a question was read as: a name, or a condition on one.
func (w *withheld) target(s string) string {
	dimension, _, _ := strings.Cut(s, " ")
	before, value, is := strings.Cut(s, " = ")
	if v := (frameql.Value{Kind: frameql.String, Text: value}); is && !strings.HasPrefix(value, "'") && w.stays(dimension, v) {
		return before + " = " + w.standIn(v)
	}
	return w.quoted(dimension, s)
}

// leaving is a text in which no value that is held back stands. It may be JSON: values are found in the forms that they have there and in Frame-QL.
func (w *withheld) leaving(s string) string {
	w.mu.Lock()
	order := make([]int, 0, len(w.values))
	for i, v := range w.values {
		if v.Kind == frameql.String && utf8.RuneCountInString(v.Text) > 1 {
			order = append(order, i)
		}
	}
	values := slices.Clone(w.values)
	w.mu.Unlock()
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(values[b].Text), len(values[a].Text)), cmp.Compare(a, b))
	})
	for _, i := range order {
		for _, form := range formsOf(values[i].Text) {
			s = replaceWord(s, form, "[value "+strconv.Itoa(i+1)+"]")
		}
	}
	return s
}

// formsOf are the ways in which a value stands in what a model gets: as it is, cleaned and cut, with doubled quotes, as JSON.
func formsOf(v string) []string {
	cut := tool.Clean(v, 120)
	forms := []string{v, strings.TrimSuffix(cut, "…"), strings.ReplaceAll(v, "'", "''")}
	for _, f := range slices.Clone(forms) {
		escaped, _ := json.Marshal(f) // a text always has a JSON form
		forms = append(forms, inString(f), string(escaped[1:len(escaped)-1]))
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.DeleteFunc(slices.Compact(forms), func(f string) bool { return f == "" })
}

// inString is a text as it stands between the quotes of a string of JSON.
func inString(s string) string {
	raw := tool.Encode(s)
	return string(raw[1 : len(raw)-1])
}

// hasWord says whether a text has another one in it that begins and ends with a word.
func hasWord(s, word string) bool { return wordAt(s, word, 0) >= 0 }

// wordAt finds a text that is not the middle of a longer word, from a byte on; -1: it is not there.
func wordAt(s, word string, from int) int {
	for from <= len(s)-len(word) && word != "" {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(word):])
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !(isWord(before) && isWord(first)) && !(isWord(after) && isWord(last)) {
			return at
		}
		from = at + 1
	}
	return -1
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

func replaceWord(s, word, by string) string {
	at := wordAt(s, word, 0)
	if at < 0 {
		return s
	}
	var out strings.Builder
	done := 0
	for at >= 0 {
		out.WriteString(s[done:at])
		out.WriteString(by)
		done = at + len(word)
		at = wordAt(s, word, done)
	}
	out.WriteString(s[done:])
	return out.String()
}

// back puts values in place of the stand-ins that a model wrote, and keeps what it wrote: that is what goes back to it. The text may be JSON.
func (w *withheld) back(s string) string {
	if !strings.Contains(s, "[value ") {
		return s
	}
	is := json.Valid([]byte(s))
	put := standing.ReplaceAllStringFunc(s, func(found string) string {
		v, quote, there := w.meant(found)
		if !there {
			return found
		}
		text := v.Text
		if v.Kind == frameql.Number && quote != "" {
			return text
		}
		if quote == "'" {
			text = strings.ReplaceAll(text, "'", "''")
		}
		if is {
			text = inString(text)
		}
		return quote + text + quote
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrote[put] = s
	return put
}

// standing is a stand-in, in the quotes in which it stands.
var standing = regexp.MustCompile(`'\[value \d{1,6}\]'|"\[value \d{1,6}\]"|\[value \d{1,6}\]`)

// meant is the value of a stand-in, and the quotes around it.
func (w *withheld) meant(found string) (v frameql.Value, quote string, there bool) {
	if found[0] != '[' {
		quote, found = found[:1], found[1:len(found)-1]
	}
	n, err := strconv.Atoi(found[len("[value ") : len(found)-1])
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || n < 1 || n > len(w.values) {
		return frameql.Value{}, quote, false
	}
	return w.values[n-1], quote, true
}

// written is what a model wrote where this was made of it, and the text itself elsewhere.
func (w *withheld) written(s string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, there := w.wrote[s]; there {
		return before
	}
	return s
}
