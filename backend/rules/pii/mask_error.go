package pii

import (
	"slices"
	"strings"
)

// Error masks the message of an engine before a model sees it. Engines quote values of the data, and nothing tells a quoted
// name of a person from another value: whatever stands in quotes, or where PostgreSQL and DuckDB put rows, goes, unless it
// is one of the identifiers, which are the names of the model that the actor may see.
func (m Masker) Error(message string, identifiers ...string) string {
	spans := m.tokens(message)
	spans = append(spans, m.Policy.Find(message)...)
	spans = append(spans, m.Vault.known(message)...)
	for _, q := range quoted(message) {
		inner := message[q.Start:q.End]
		known := func(name string) bool { return strings.EqualFold(name, inner) || qualified(inner, identifiers) }
		if strings.TrimSpace(inner) != "" && !slices.ContainsFunc(identifiers, known) {
			spans = append(spans, q)
		}
	}
	return m.replace(message, append(spans, rowsOf(message)...))
}

// qualified says whether a name with dots is made of identifiers alone.
func qualified(name string, identifiers []string) bool {
	parts := strings.Split(name, ".")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool {
		return !slices.ContainsFunc(identifiers, func(id string) bool { return strings.EqualFold(id, strings.Trim(part, `"`)) })
	})
}

// quoted finds what stands between quotes of one kind. An apostrophe within a word opens nothing.
func quoted(s string) []Span {
	var all []Span
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\'' && c != '"' && c != '`' || c == '\'' && isWord(at(s, i-1)) {
			continue
		}
		end := closingQuote(s, i)
		if end < 0 { // the rest may be a value that was cut
			all = append(all, Span{i + 1, len(s), Literal})
			return all
		}
		all = append(all, Span{i + 1, end, Literal})
		i = end
	}
	return all
}

// closingQuote finds the quote that closes the one at i: one that is not doubled, and, of apostrophes, not within a word.
func closingQuote(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] != s[i]:
		case at(s, j+1) == s[i]:
			j++
		case s[i] == '\'' && isLetter(at(s, j+1)) && isLetter(s[j-1]):
		default:
			return j
		}
	}
	return -1
}

// rowsOf finds rows and keys that are shown without quotes: "Key (email)=(...)", "Failing row contains (...)", "Original
// Line: ...".
func rowsOf(s string) []Span {
	var all []Span
	for _, mark := range []string{")=(", "contains (", "row: (", "values (", "VALUES ("} {
		for from := 0; ; {
			i := strings.Index(s[from:], mark)
			if i < 0 {
				break
			}
			start := from + i + len(mark)
			end := len(s)
			if j := strings.LastIndex(s[start:lineEnd(s, start)], ")"); j >= 0 {
				end = start + j
			}
			all = append(all, Span{start, end, Literal})
			from = end
		}
	}
	for _, mark := range []string{"Original Line:", "Line:", "line contents:"} {
		if i := strings.Index(s, mark); i >= 0 {
			start := i + len(mark)
			if end := lineEnd(s, start); strings.Trim(s[start:end], " 0123456789.") != "" {
				all = append(all, Span{start, end, Literal})
			}
		}
	}
	return all
}

func lineEnd(s string, i int) int {
	if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(s)
}
