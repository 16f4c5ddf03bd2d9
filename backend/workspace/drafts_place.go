package workspace

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/fault"
)

var (
	placeNamed = regexp.MustCompile(`(\d+):(\d+)`)
	nameQuoted = regexp.MustCompile(`["“'‘]([^"”'’\n]{1,200})["”'’]`)
)

// byteAt gives the byte at a line and a column, both from 1, the column in characters.
func byteAt(s string, line, column int) (int, bool) {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(s[at:], '\n')
		if next < 0 {
			return 0, false
		}
		at += next + 1
	}
	for ; column > 1 && at < len(s) && s[at] != '\n'; column-- {
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return at, column == 1
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordEnd gives the end of the word at a byte, or of the one character there.
func wordEnd(s string, at int) int {
	end := at
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !inWord(r) {
			break
		}
		end += n
	}
	if end == at && at < len(s) {
		_, n := utf8.DecodeRuneInString(s[at:])
		end += n
	}
	return end
}

// wordAt finds a name as a whole word, whatever its case; -1: it is not there.
func wordAt(s, name string) int {
	low, want := strings.ToLower(s), strings.ToLower(name)
	if len(low) != len(s) || want == "" { // letters whose cases differ in length
		low, want = s, name
	}
	for from := 0; ; {
		at := strings.Index(low[from:], want)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(low[:at])
		after, _ := utf8.DecodeRuneInString(low[at+len(want):])
		if !inWord(before) && !inWord(after) {
			return at
		}
		from = at + len(want)
	}
}

// asFault gives the fault within an error; nil: there is none.
func asFault(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	return nil
}
