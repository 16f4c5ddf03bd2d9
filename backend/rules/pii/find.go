package pii

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Span is a personal value in a text, by bytes: text[Start:End].
type Span struct {
	Start, End int
	Kind       Kind
}

// Find gives the personal values and the secrets of a text, in order and without overlap. Values that only a column's tag or
// name gives away are not found here; see Masker.
func (p Policy) Find(text string) []Span {
	plain, back := normalised(text)
	all := p.find(plain)
	if back != nil {
		for i := range all {
			all[i] = inText(all[i], back)
		}
	}
	return all
}

func (p Policy) find(text string) []Span {
	var all []Span
	if !p.worthALook(text) {
		return nil
	}
	for _, d := range p.detectors() {
		if slices.Contains(p.Off, d.kind) {
			continue
		}
		d.find(text, func(start, end int) {
			if start < end {
				all = append(all, Span{start, end, d.kind})
			}
		})
	}
	for _, s := range secrets(text) {
		all = append(all, Span{s[0], s[1], Secret})
	}
	all = append(all, p.announced(text)...)
	return joined(all)
}

// worthALook is false for most texts: nothing is found in one without a digit, an @, a sign that assigns, or a capital
// after a title.
func (Policy) worthALook(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c == '@', c == ':', c == '=', c == '.', c == ' ', c == '(', c == '[', c == '%', c == '-', c == '_':
			return true
		}
	}
	return len(text) > 16 // a lone key has no sign in it
}

type detector struct {
	kind Kind
	find func(text string, emit func(start, end int))
}

// detectors stand in the order in which they are believed where two find the same bytes.
func (Policy) detectors() []detector {
	return []detector{
		{Email, findEmails},
		{IBAN, findIBANs},
		{IP, findIPs},
		{Card, findCards},
		{SSN, findSSNs},
		{Phone, findPhones},
		{PersonName, findTitled},
	}
}

// joined puts spans in order. Where some overlap, one span covers all of them and has the kind of the one that was found
// first: a part that is left over might still name somebody.
func joined(all []Span) []Span {
	if len(all) < 2 {
		return all
	}
	slices.SortStableFunc(all, func(a, b Span) int { return a.Start - b.Start })
	out := all[:1]
	for _, s := range all[1:] {
		last := &out[len(out)-1]
		if s.Start < last.End {
			last.End = max(last.End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf }

func isWord(c byte) bool { return isDigit(c) || isLetter(c) }

// at gives the byte at i, 0 outside.
func at(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

// wordBefore gives the word that ends before i, in lower case ASCII as it is; empty when something else than a letter stands
// there.
func wordBefore(s string, i int) (word string, start int) {
	start = i
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if !unicode.IsLetter(r) {
			break
		}
		start -= size
	}
	return lower(s[start:i]), start
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
