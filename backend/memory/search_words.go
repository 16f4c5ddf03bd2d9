package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is searched by its words: runs of letters and digits, whatever their case and accents; in scripts that write no blanks every character is one. A word that
// is searched for finds those that begin so.

// token is a word of a text, as it is compared, and the bytes of the text that it stands at.
type token struct {
	word       string
	start, end int
}

// tokensOf cuts a text into its words.
func tokensOf(s string) []token {
	var all []token
	start, alone := -1, false // of the word that is being read; it is a character of a script without blanks
	end := func(at int) {
		if start >= 0 {
			if word := plain(s[start:at], false); word != "" {
				all = append(all, token{word, start, at})
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case unicode.IsMark(r) && start >= 0:
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end(i)
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			end(i)
			start, alone = i, true
		case start < 0 || alone:
			end(i)
			start, alone = i, false
		}
	}
	end(len(s))
	return all
}

// spelledOut are letters that decompose into nothing, and are found by how they are written without them.
var spelledOut = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ", "’", "'")

// plain is a text without case and accents; its signs are kept when they are wanted.
func plain(s string, signs bool) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if !ascii {
		s = norm.NFKD.String(strings.ToLower(s)) // of a capital that only its small letter decomposes as
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsMark(r) || !signs && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	if ascii {
		return s
	}
	return spelledOut.Replace(s)
}

// wanted is a word that is searched for: one that stands between blanks.
type wanted struct {
	words []string // that follow each other; the last one may go on. None: it is signs alone
	signs string   // the whole, where it has signs that have to stand so; empty: it has none
	sign  byte     // one of them, that stands in a text as it is; 0: there is none
}

// wantedIn reads what is searched for.
func wantedIn(query string) []wanted {
	var all []wanted
	for _, piece := range strings.Fields(strings.ToValidUTF8(query, "")) {
		var w wanted
		read := 0
		for _, t := range tokensOf(piece) {
			w.words = append(w.words, t.word)
			read += t.end - t.start
		}
		if read < len(piece) {
			w.signs = plain(piece, true)
			if at := strings.IndexFunc(piece, func(r rune) bool {
				return r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\''
			}); at >= 0 {
				w.sign = piece[at]
			}
		}
		all = append(all, w)
	}
	return all
}

// possible says at small cost whether a text may have the word.
func (w wanted) possible(texts ...string) bool {
	if w.sign == 0 {
		return true
	}
	for _, s := range texts {
		if strings.IndexByte(s, w.sign) >= 0 {
			return true
		}
	}
	return false
}

// in gives the first place in a text where the word stands: the bytes from its beginning to its end.
func (w wanted) in(s string, tokens []token) (start, end int, found bool) {
	if w.signs != "" && !strings.Contains(plain(s, true), w.signs) {
		return 0, 0, false
	}
	if len(w.words) == 0 {
		if at := strings.Index(s, w.signs); at >= 0 {
			return at, at + len(w.signs), true
		}
		return 0, 0, true // it stands there in another spelling
	}
	for i := 0; i+len(w.words) <= len(tokens); i++ {
		if w.at(tokens[i:]) {
			return tokens[i].start, tokens[i+len(w.words)-1].end, true
		}
	}
	return 0, 0, false
}

func (w wanted) at(tokens []token) bool {
	last := len(w.words) - 1
	for i, word := range w.words[:last] {
		if tokens[i].word != word {
			return false
		}
	}
	if whole(w.words[last]) {
		return tokens[last].word == w.words[last]
	}
	return strings.HasPrefix(tokens[last].word, w.words[last])
}

// whole says whether a word is too short to be a beginning: half of the words begin with its letter.
func whole(word string) bool { return utf8.RuneCountInString(word) < 2 }

// matching is the expression that the index is asked for the words; empty: all of them are signs alone.
func matching(all []wanted) string {
	var parts []string
	for _, w := range all {
		if len(w.words) == 0 {
			continue
		}
		part := `"` + strings.Join(w.words, " ") + `"` // letters and digits alone: nothing in it is an operator
		if !whole(w.words[len(w.words)-1]) {
			part += "*"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " AND ")
}

// indexed is a text as the index has it.
func indexed(texts ...string) string {
	var out strings.Builder
	for _, s := range texts {
		for _, t := range tokensOf(s) {
			out.WriteString(t.word)
			out.WriteByte(' ')
		}
		out.WriteString("| ") // a word of one text is not followed by one of the next
	}
	return out.String()
}
