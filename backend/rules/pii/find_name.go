package pii

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titles announce the name of a person.
var titles = []string{"mr", "mrs", "ms", "miss", "dr", "prof", "herr", "herrn", "frau", "mme", "mlle", "signora", "señor", "señora", "sra", "dear"}

// findTitled looks for a title and one to three capitalised words behind it: "Dr. Jane Example". Names without one are found
// by the column that holds them, or because they were masked before.
func findTitled(s string, emit func(start, end int)) {
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) || isWord(at(s, i-1)) {
			continue
		}
		end := wordEnd(s, i)
		if end-i > 8 || !slices.Contains(titles, strings.ToLower(s[i:end])) {
			i = end
			continue
		}
		start := end
		if at(s, start) == '.' {
			start++
		}
		for at(s, start) == ' ' {
			start++
		}
		if start == end { // the word goes on: "drive"
			i = end
			continue
		}
		if stop := capitalised(s, start, 3); stop > start {
			emit(start, stop)
			i = stop
			continue
		}
		i = end
	}
}

// wordEnd gives where the letters from i on end.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		i += size
	}
	return i
}

// nameEnd is wordEnd with the hyphens and apostrophes inside of a name: O'Neil, Anne-Marie.
func nameEnd(s string, i int) int {
	end := wordEnd(s, i)
	for end > i {
		r, size := utf8.DecodeRuneInString(s[end:])
		if r != '-' && r != '\'' && r != '’' {
			break
		}
		next := wordEnd(s, end+size)
		if next == end+size {
			break
		}
		if r != '-' && next-end-size == 1 && s[next-1] == 's' { // the 's of "Jane's"
			break
		}
		end = next
	}
	return end
}

// particles stand inside of names in lower case.
var particles = []string{"de", "da", "di", "del", "della", "van", "von", "der", "den", "la", "le", "bin", "al", "y", "zu"}

// capitalised gives where up to most capitalised words that begin at i end; i when there is none. Initials count.
func capitalised(s string, i, most int) int {
	end := i
	for n := 0; n < most; {
		r, _ := utf8.DecodeRuneInString(s[i:])
		stop := nameEnd(s, i)
		if stop == i {
			break
		}
		if !unicode.IsUpper(r) {
			if end == 0 || n == 0 || !slices.Contains(particles, s[i:stop]) {
				break
			}
		} else {
			n++
			end = stop
			if stop-i == 1 && at(s, stop) == '.' { // an initial
				stop++
				end = stop
			}
		}
		if at(s, stop) != ' ' {
			break
		}
		i = stop + 1
	}
	return end
}

// announced finds values by a key before them, as logs, errors and documents have them: contact_name: Jane Example,
// "phone": "555 0100", first_name = 'Jane'. The key is read like the name of a column.
func (p Policy) announced(s string) []Span {
	var all []Span
	for i := 1; i < len(s); i++ {
		if s[i] != ':' && s[i] != '=' || at(s, i+1) == s[i] || at(s, i+1) == '/' {
			continue
		}
		key := keyBefore(s, i)
		if key == "" {
			continue
		}
		kind := p.byName(key)
		if kind == "" || slices.Contains(p.Off, kind) {
			continue
		}
		if start, end := valueAfter(s, i+1, kind); start < end {
			all = append(all, Span{start, end, kind})
			i = end - 1
		}
	}
	return all
}

// keyBefore gives the name that stands before i, without its quotes: letters, digits, underscores and hyphens, and a second
// word before a space.
func keyBefore(s string, i int) string {
	end := i
	for end > 0 && (s[end-1] == ' ' || s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '`' || s[end-1] == '\\') {
		end--
	}
	start, words := end, 0
	for start > 0 && end-start < 48 {
		c := s[start-1]
		if c == ' ' && words == 0 && start < end && isWord(at(s, start-2)) {
			words++
		} else if !isWord(c) && c != '_' && c != '-' {
			break
		}
		start--
	}
	for start < end && !utf8.RuneStart(s[start]) {
		start++
	}
	return s[start:end]
}

// valueAfter gives the value that begins behind i: what stands in quotes, the capitalised words of a name, or all up to a
// space or a sign that ends it.
func valueAfter(s string, i int, kind Kind) (start, end int) {
	for at(s, i) == ' ' || at(s, i) == '=' || at(s, i) == '\\' {
		i++
	}
	if c := at(s, i); c == '"' || c == '\'' {
		if n := strings.IndexByte(s[i+1:], c); n > 0 {
			end = i + 1 + n
			if s[end-1] == '\\' {
				end--
			}
			return i + 1, end
		}
		i++
	}
	switch kind {
	case PersonName:
		return i, capitalised(s, i, 4)
	case Address, BirthDate, Phone, Card, IBAN:
		if n := strings.IndexAny(s[i:], ",;\n\t|)}]\"'"); n >= 0 {
			return i, len(strings.TrimRight(s[:i+n], " ."))
		}
		return i, len(strings.TrimRight(s, " ."))
	}
	end = i
	for end < len(s) && strings.IndexByte(" ,;\n\t|)}]\"'&", s[end]) < 0 {
		end++
	}
	return i, end
}
