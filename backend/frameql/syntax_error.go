package frameql

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// SyntaxError says where a text stops being Frame-QL. Parse wraps it in a fault.Invalid whose message is a sentence and
// whose hint is the next step.
type SyntaxError struct {
	Line     int      // from 1
	Column   int      // from 1, in characters
	Offset   int      // from 0, in bytes
	Expected []string // what could have stood there, in the words of the catalogue; keywords in capitals
	Found    string   // what stands there; empty at the end of the text
	Reason   string   // a sentence for what expected and found do not explain; empty otherwise
	Hint     string   // the next step; empty: an example of a query
}

// maxExpected is how many alternatives a sentence lists.
const maxExpected = 20

// Error gives the sentence.
func (e *SyntaxError) Error() string {
	where := []any{"line", strconv.Itoa(e.Line), "column", strconv.Itoa(e.Column)}
	if e.Reason != "" {
		return visible(text.Say("frameql.syntax_reason", append(where, "reason", e.Reason)...))
	}
	found := text.Say("frameql.the_end")
	if e.Found != "" {
		found = text.Say("frameql.quoted", "text", shorten(e.Found, 40))
	}
	expected := readable(e.Expected)
	if len(expected) == 1 {
		return visible(text.Say("frameql.syntax_expected_one", append(where, "expected", expected[0], "found", found)...))
	}
	return visible(text.Say("frameql.syntax_expected", append(where, "expected", strings.Join(expected, ", "), "found", found)...))
}

// visible keeps a sentence that quotes a query on one line and in its direction: what prints nothing becomes a space or a
// replacement character.
func visible(sentence string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		default:
			return utf8.RuneError
		}
	}, sentence)
}

// readable lists alternatives for a sentence: words first, then signs in quotes, and no more than fit.
func readable(expected []string) []string {
	var words, signs []string
	for _, e := range expected {
		if strings.ContainsFunc(e, unicode.IsLetter) {
			words = append(words, e)
		} else {
			signs = append(signs, text.Say("frameql.quoted", "text", e))
		}
	}
	all := slices.Concat(words, signs)
	if len(all) > maxExpected {
		all = append(all[:maxExpected:maxExpected], "…")
	}
	return all
}

// syntaxFault completes the position of a syntax error and wraps it.
func syntaxFault(source string, e *SyntaxError) error {
	e.Line, e.Column = position(source, e.Offset)
	if e.Hint == "" {
		e.Hint = text.Say("frameql.syntax_hint")
	}
	e.Hint = visible(e.Hint)
	return fault.Wrap(fault.Invalid, "parse query", e.Error(), e.Hint, e)
}

// position gives the line and the column of a byte, both from 1, the column in characters. A byte order mark at the start
// is no character.
func position(source string, offset int) (line, column int) {
	before := strings.TrimPrefix(source[:min(offset, len(source))], byteOrderMark)
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// shorten keeps the first n characters.
func shorten(s string, n int) string {
	runes := 0
	for i := range s {
		if runes == n {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}

// asSyntax gives the syntax error within an error of Parse; nil: it is another one.
func asSyntax(err error) *SyntaxError {
	var bad *SyntaxError
	if errors.As(err, &bad) {
		return bad
	}
	return nil
}
