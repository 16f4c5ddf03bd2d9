package frameql

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// SyntaxError says where a text stops being Frame-QL. Parse wraps it in a fault.Invalid whose message is a sentence.
type SyntaxError struct {
	Line     int      // from 1
	Column   int      // from 1, in characters
	Offset   int      // from 0, in bytes
	Expected []string // what could have stood there, in the words of the catalogue; keywords in capitals
	Found    string   // what stands there; empty at the end of the text
	Reason   string   // a sentence for what expected and found do not explain; empty otherwise
}

// Error gives the sentence.
func (e *SyntaxError) Error() string {
	where := []any{"line", strconv.Itoa(e.Line), "column", strconv.Itoa(e.Column)}
	if e.Reason != "" {
		return text.Say("frameql.syntax_reason", append(where, "reason", e.Reason)...)
	}
	found := text.Say("frameql.the_end")
	if e.Found != "" {
		found = text.Say("frameql.quoted", "text", shorten(e.Found, 40))
	}
	expected := e.Expected
	if len(expected) > 6 {
		expected = append(append([]string{}, expected[:6]...), "…")
	}
	return text.Say("frameql.syntax_expected", append(where, "expected", strings.Join(expected, ", "), "found", found)...)
}

// syntaxFault completes the position of a syntax error and wraps it.
func syntaxFault(source string, e *SyntaxError) error {
	before := source[:min(e.Offset, len(source))]
	e.Line = 1 + strings.Count(before, "\n")
	e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return fault.Wrap(fault.Invalid, "parse query", e.Error(), text.Say("frameql.syntax_hint"), e)
}

// shorten keeps the first n characters.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n]) + "…"
}
