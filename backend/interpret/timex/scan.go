package timex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a run of letters, a run of digits, or one mark.
type token struct {
	text       string // lower case; a possessive ending is gone, dashes and apostrophes are - and '
	start, end int    // bytes of the source
	kind       kind
	glued      bool // nothing stands between it and the token before
	capital    bool // written with a capital, not at the head of the source
}

type kind byte

const (
	word kind = iota
	digits
	mark
)

// scan cuts a text into tokens finer than words: 3rd is 3 and rd, 2016-11 three tokens. How they belong together is the
// grammar's business.
func scan(s string) []token {
	var out []token
	last := -1
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) || r == '_' {
			i += size
			continue
		}
		t := token{start: i, glued: last == i}
		switch {
		case r >= '0' && r <= '9':
			t.kind, t.end = digits, runEnd(s, i, func(r rune) bool { return r >= '0' && r <= '9' })
			t.text = s[i:t.end]
		case unicode.IsLetter(r):
			t.kind, t.end = word, wordEnd(s, i)
			t.text = bare(strings.ToLower(s[i:t.end]))
			t.capital = unicode.IsUpper(r) && len(out) > 0
		default:
			t.kind, t.end = mark, i+size
			t.text = plainMark(r)
		}
		out = append(out, t)
		i, last = t.end, t.end
	}
	return out
}

// plainMark gives the one form of dashes and apostrophes.
func plainMark(r rune) string {
	switch r {
	case '‐', '‑', '‒', '–', '—', '−':
		return "-"
	case '’', '‘', '`', '´':
		return "'"
	}
	return string(r)
}

func runEnd(s string, i int, in func(rune) bool) int {
	for j, r := range s[i:] {
		if !in(r) {
			return i + j
		}
	}
	return len(s)
}

// wordEnd ends a word; an apostrophe before a letter, or behind the s of a plural, belongs to it.
func wordEnd(s string, i int) int {
	end := runEnd(s, i, unicode.IsLetter)
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if plainMark(r) != "'" {
			return end
		}
		next, _ := utf8.DecodeRuneInString(s[end+size:])
		if !unicode.IsLetter(next) {
			if s[end-1] == 's' && end+size < len(s) && unicode.IsSpace(next) {
				return end + size // the days' sum
			}
			return end
		}
		end = runEnd(s, end+size, unicode.IsLetter)
	}
	return end
}

// bare takes the possessive ending off a word.
func bare(w string) string {
	if strings.ContainsAny(w, "’‘`´") {
		w = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "´", "'").Replace(w)
	}
	return strings.TrimSuffix(strings.TrimSuffix(w, "'"), "'s")
}
