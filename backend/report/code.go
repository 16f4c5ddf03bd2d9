package report

import (
	"regexp"

	"assay/backend/frameview"
	"assay/backend/text"
)

// mostCode bytes of a query or statement stand on a page.
const mostCode = 16 * 1024

// token finds what is coloured in a query: strings and quoted names, comments, numbers, and words in capitals.
var token = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\b[0-9]+(?:\.[0-9]+)?\b|\b[A-Z][A-Z_]+\b`)

// codeOf cuts a query into pieces by their kind, and says how much of a long one is left out.
func codeOf(s string) (pieces []Piece, cut string) {
	if s == "" {
		return nil, ""
	}
	if len(s) > mostCode {
		end := mostCode
		for !boundary(s, end) {
			end--
		}
		cut = text.Say("report.code_cut", "n", frameview.Grouped(int64(len(s)-end)))
		s = s[:end]
	}
	at := 0
	for _, m := range token.FindAllStringIndex(s, -1) {
		if m[0] > at {
			pieces = append(pieces, Piece{Text: s[at:m[0]]})
		}
		pieces = append(pieces, Piece{Text: s[m[0]:m[1]], Class: classOf(s[m[0]:m[1]])})
		at = m[1]
	}
	if at < len(s) {
		pieces = append(pieces, Piece{Text: s[at:]})
	}
	return pieces, cut
}

func classOf(token string) string {
	switch c := token[0]; {
	case c == '\'':
		return "s"
	case c == '"':
		return "" // a name
	case c == '-':
		return "c"
	case c >= '0' && c <= '9':
		return "n"
	}
	return "k"
}

func statement(title, sql string) *Statement {
	code, cut := codeOf(sql)
	return &Statement{Title: title, Code: code, Cut: cut}
}
