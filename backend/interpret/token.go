package interpret

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word, number, quoted text or mark of a question.
type token struct {
	start, end int // bytes of the question
	text       string
	norm       string // folded; possessive endings are gone
	lemma      string // singular of norm
	kind       tokenKind
	capital    bool     // written with a capital letter, not at the head of the question
	stands     []target // what a word of a conversation stands for: "their", "those"; nil: for itself
	settled    string   // what it means with the settles-1 tokens behind it, as the person has chosen; empty: open
	settles    int
	note       string // what was assumed to read it; empty: nothing
}

type tokenKind byte

const (
	wordToken   tokenKind = iota
	numberToken           // starts with a digit: 10, 1,000.5, 10k, 1997-03-05, 3rd, 1997-Q3
	quotedToken           // between quotation marks; norm is the key of what stands inside
	markToken             // punctuation and operators
)

// closing gives the mark that ends a quotation that r opens; 0 when r opens none.
func closing(r rune) rune {
	switch r {
	case '"', '\'', '`':
		return r
	case '“':
		return '”'
	case '„':
		return '“'
	case '«':
		return '»'
	case '‘':
		return '’'
	}
	return 0
}

// tokenise cuts a question into tokens. Every byte of the question that is not white space belongs to one.
func (l *lexicon) tokenise(q string) []token {
	var out []token
	for i := 0; i < len(q); {
		r, size := utf8.DecodeRuneInString(q[i:])
		var t token
		switch {
		case unicode.IsSpace(r) || r == '_':
			i += size
			continue
		case closing(r) != 0 && quoted(q, i, r, size) > 0:
			end := quoted(q, i, r, size)
			_, last := utf8.DecodeLastRuneInString(q[:end])
			t = token{start: i, end: end, text: q[i+size : end-last], kind: quotedToken}
			t.norm = join(words(t.text))
		case unicode.IsDigit(r):
			end := numberEnd(q, i)
			t = token{start: i, end: end, text: q[i:end], norm: fold(q[i:end]), kind: numberToken}
		case wordRune(r):
			end := wordEnd(q, i)
			t = token{start: i, end: end, text: q[i:end], norm: fold(q[i:end]), kind: wordToken}
			t.capital = unicode.IsUpper(r) && len(out) > 0
			t.norm = strings.ReplaceAll(t.norm, "’", "'")
			t.norm = strings.TrimSuffix(t.norm, "'s")
		default:
			end := i + size
			if two := q[i:min(i+2, len(q))]; two == ">=" || two == "<=" || two == "<>" || two == "!=" {
				end = i + 2
			}
			t = token{start: i, end: end, text: q[i:end], norm: fold(q[i:end]), kind: markToken}
		}
		if t.text == "us" && len(out) > 0 && slices.Contains([]string{"the", "in", "within", "across"}, out[len(out)-1].norm) {
			t.text, t.capital = "US", true // no pronoun stands behind an article
		}
		t.lemma = l.singular(t.norm)
		out = append(out, t)
		i = t.end
	}
	return out
}

// quoted gives the end of a quotation that starts at i, or 0 when the mark is no quotation mark here: an apostrophe
// before a year ('97), one without a partner, or one inside a word.
func quoted(q string, i int, open rune, size int) int {
	rest := q[i+size:]
	single := open == '\'' || open == '‘'
	if single && i > 0 {
		before, _ := utf8.DecodeLastRuneInString(q[:i])
		if wordRune(before) {
			return 0
		}
	}
	for j, r := range rest {
		if r != closing(open) && !(open == '“' && r == '"') {
			continue
		}
		end := i + size + j + utf8.RuneLen(r)
		if next, _ := utf8.DecodeRuneInString(q[end:]); single && end < len(q) && wordRune(next) {
			continue // an apostrophe inside: 'B's Beverages'
		}
		if strings.TrimSpace(rest[:j]) == "" {
			return 0
		}
		return end
	}
	return 0
}

// wordEnd ends a word at i. An apostrophe between letters belongs to it; a change from lower to upper case ends it.
func wordEnd(q string, i int) int {
	var prev rune
	for j, r := range q[i:] {
		inner := (r == '\'' || r == '’') && nextIsLetter(q, i+j+utf8.RuneLen(r))
		if !wordRune(r) && !inner || unicode.IsUpper(r) && unicode.IsLower(prev) {
			return i + j
		}
		prev = r
	}
	return len(q)
}

func nextIsLetter(q string, i int) bool {
	r, _ := utf8.DecodeRuneInString(q[i:])
	return unicode.IsLetter(r)
}

// numberEnd ends a token that starts with a digit: digits and letters, and a single '.', ',', '-', '/' or ':' between
// digits where it makes a number or a date, or before a Q (1997-Q3).
func numberEnd(q string, i int) int {
	j := i
	for j < len(q) {
		r, size := utf8.DecodeRuneInString(q[j:])
		switch {
		case wordRune(r):
		case strings.ContainsRune(".,-/:", r) && j+size < len(q) && joinsNumber(q[i:j], r, q[j+size:]):
		default:
			return j
		}
		j += size
	}
	return j
}

func joinsNumber(before string, mark rune, after string) bool {
	next := after[0]
	digit := next >= '0' && next <= '9'
	switch mark {
	case '.':
		return digit
	case ',': // only thousands: exactly three digits follow
		return digit && leadingDigits(after) == 3 && !strings.ContainsAny(before, "-/:.")
	case '-': // 1997-03, 1997-03-05, 1997-Q3; never 4-23
		year := len(before) >= 4 && leadingDigits(before) == 4
		return year && (digit && leadingDigits(after) <= 2 || (next == 'Q' || next == 'q') && len(after) > 1 && unicode.IsDigit(rune(after[1])))
	default: // 3/5/1997, 12:30
		return digit
	}
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
