package pii

import (
	"strings"
	"unicode/utf8"
)

// normalised writes signs that look like others as those: spaces of any width, hyphens and dashes, full-width letters and
// digits, and nothing for what has no width at all. back[i] is where byte i of the result stands in the text, with one more
// for its end. nil: the text is the same.
func normalised(text string) (string, []int) {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && plainOf(r) != r }) {
		return text, nil
	}
	var b strings.Builder
	var back []int
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		switch p := plainOf(r); {
		case p < 0:
			continue
		case p == r:
			for k := range size {
				b.WriteByte(text[i+k])
				back = append(back, i+k)
			}
		default:
			b.WriteRune(p)
			back = append(back, i)
		}
	}
	return b.String(), append(back, len(text))
}

// plainOf gives the ASCII sign that a sign looks like, the sign itself when there is none, -1 when nothing is seen of it.
func plainOf(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r == 0x00A0, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' '
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xFE63:
		return '-'
	case r == 0x00AD, r >= 0x200B && r <= 0x200F, r == 0x2060, r == 0xFEFF, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return -1
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	}
	return r
}

// inText gives a span of a normalised text as one of the text.
func inText(x Span, back []int) Span {
	x.Start, x.End = back[x.Start], back[x.End]
	return x
}
