package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findEmails looks around every @, also where it is written as %40, [at] or (at).
func findEmails(s string, emit func(start, end int)) {
	for i := 0; i < len(s); i++ {
		size, loose := 0, false
		switch {
		case s[i] == '@':
			size = 1
		case s[i] == '%' && strings.HasPrefix(s[i:], "%40"):
			size = 3
		case (s[i] == '[' || s[i] == '(') && i+4 <= len(s) && (strings.EqualFold(s[i:i+4], "[at]") || strings.EqualFold(s[i:i+4], "(at)")):
			size, loose = 4, true
		default:
			continue
		}
		left, right := i, i+size
		if loose {
			left, right = trimBack(s, left), trimAhead(s, right)
		}
		start, end := localPart(s, left), domain(s, right, loose)
		if start < left && end > right {
			emit(start, end)
		}
	}
}

func trimBack(s string, i int) int {
	for at(s, i-1) == ' ' {
		i--
	}
	return i
}

func trimAhead(s string, i int) int {
	for at(s, i) == ' ' {
		i++
	}
	return i
}

// localPart gives where the part before the @ begins; i when there is none.
func localPart(s string, i int) int {
	start := i
	for start > 0 && i-start < 64 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._%+-'&", r) {
			break
		}
		start -= size
	}
	for start < i && strings.IndexByte(".'&%", s[start]) >= 0 {
		start++
	}
	return start
}

// domain gives where a domain with at least one dot and a last label of letters ends; i when there is none.
func domain(s string, i int, loose bool) int {
	end, labels, label := i, 0, 0
	letters := true // of the present label
	good := i
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		switch {
		case unicode.IsLetter(r):
			label++
		case unicode.IsDigit(r) || r == '-':
			label++
			letters = false
		case r == '.' && label > 0:
			labels, label, letters = labels+1, 0, true
			end += size
			continue
		case loose && label > 0 && dotWord(s, end) > 0:
			end += dotWord(s, end)
			labels, label, letters = labels+1, 0, true
			continue
		default:
			return good
		}
		end += size
		if labels > 0 && label >= 2 && (letters || strings.Contains(lower(s[i:end]), ".xn--")) {
			good = end
		} else if labels > 0 && label > 0 && !letters {
			good = i // a label of digits is no top-level domain
		}
	}
	return good
}

// dotWord gives the length of " [dot] " at i; 0 when it is not there.
func dotWord(s string, i int) int {
	j := trimAhead(s, i)
	if j+5 <= len(s) && (strings.EqualFold(s[j:j+5], "[dot]") || strings.EqualFold(s[j:j+5], "(dot)")) {
		return trimAhead(s, j+5) - i
	}
	return 0
}
