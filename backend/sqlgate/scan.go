package sqlgate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	word        tokenKind = iota // bare: a keyword or a name
	quotedName                   // "x", `x`
	quotedText                   // a string of any spelling
	number                       //
	punctuation                  // operators, parentheses, everything else
)

// token is a piece of a statement. Comments and white space are none.
type token struct {
	kind       tokenKind
	text       string // as written, quotes included
	start, end int    // bytes
}

func (t token) upper() string { return strings.ToUpper(t.text) }

// is says whether a token is one of these bare words or signs.
func (t token) is(words ...string) bool {
	if t.kind != word && t.kind != punctuation {
		return false
	}
	for _, w := range words {
		if len(w) == len(t.text) && strings.EqualFold(w, t.text) {
			return true
		}
	}
	return false
}

// scan splits a statement into tokens as the dialect does. It decides nothing that the dialect's parser decides: it
// names the kind of a statement for messages, and bounds its size before a parser sees it. For ClickHouse it is the
// parser's own.
func scan(d Dialect, sql string) (tokens []token, rule string) {
	s := scanner{dialect: d, sql: sql, tokens: make([]token, 0, len(sql)/4+8)}
	for s.at < len(sql) {
		if !s.next() {
			return s.tokens, ruleSyntax
		}
	}
	return s.tokens, ""
}

type scanner struct {
	dialect Dialect
	sql     string
	at      int
	tokens  []token
}

// next reads one token, comment or run of white space; false: a quote or a comment that never ends.
func (s *scanner) next() bool {
	rest := s.sql[s.at:]
	mysql := s.dialect == MySQL || s.dialect == MariaDB || s.dialect == ansi
	escapes := mysql && s.dialect != ansi
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "--") && (!mysql || len(rest) == 2 || rest[2] <= ' '), mysql && c == '#', s.dialect == ClickHouse && (strings.HasPrefix(rest, "#!") || strings.HasPrefix(rest, "# ")):
		line, _, _ := strings.Cut(rest, "\n")
		if bare := strings.TrimSuffix(line, "\r"); s.dialect == ClickHouse && strings.Contains(bare, "\r") {
			return false // whether it ends the comment is read in two ways
		}
		s.at = min(s.at+len(line)+1, len(s.sql))
		return true
	case strings.HasPrefix(rest, "/*"):
		return s.comment(!mysql)
	case c == '\'':
		return s.quoted(0, '\'', escapes || s.dialect == ClickHouse, quotedText)
	case c == '"':
		if mysql {
			return s.quoted(0, '"', escapes, quotedText)
		}
		return s.quoted(0, '"', s.dialect == ClickHouse, quotedName)
	case c == '`' && (mysql || s.dialect == ClickHouse):
		return s.quoted(0, '`', s.dialect == ClickHouse, quotedName)
	case c == '$' && !mysql && s.dialect != ClickHouse:
		if tag, ok := dollarTag(rest); ok {
			end := strings.Index(rest[len(tag):], tag)
			if end < 0 {
				return false
			}
			s.add(quotedText, len(tag)+end+len(tag))
			return true
		}
		s.add(punctuation, 1)
		return true
	case len(rest) > 1 && rest[1] == '\'' && strings.IndexByte("eExXbBnN", c) >= 0:
		return s.quoted(1, '\'', escapes || ((c == 'e' || c == 'E') && s.dialect != ClickHouse), quotedText)
	case s.dialect == Postgres && len(rest) > 2 && (c == 'u' || c == 'U') && rest[1] == '&' && (rest[2] == '\'' || rest[2] == '"'):
		kind := quotedText
		if rest[2] == '"' {
			kind = quotedName
		}
		return s.quoted(2, rest[2], false, kind)
	case c >= '0' && c <= '9', c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		n := 1
		for n < len(rest) && (isWordByte(rest[n]) && (rest[n] < utf8.RuneSelf || s.dialect != ClickHouse) && rest[n] != '$' || rest[n] == '.' || (rest[n] == '+' || rest[n] == '-') && (rest[n-1] == 'e' || rest[n-1] == 'E') && !strings.HasPrefix(lower(rest), "0x")) {
			n++
		}
		s.add(number, n)
		return true
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r >= utf8.RuneSelf && s.dialect == ClickHouse: // which of them are spaces is the server's own list
		return false
	case unicode.IsSpace(r) || r == '\u00a0' || unicode.Is(unicode.Zs, r):
		s.at += size
	case isWordRune(r):
		n := size
		for n < len(rest) {
			r, size := utf8.DecodeRuneInString(rest[n:])
			if !isWordRune(r) && !(r >= '0' && r <= '9') && (r != '$' || s.dialect == ClickHouse) {
				break
			}
			n += size
		}
		s.add(word, n)
	default:
		s.add(punctuation, size)
	}
	return true
}

func (s *scanner) add(kind tokenKind, length int) {
	s.tokens = append(s.tokens, token{kind, s.sql[s.at : s.at+length], s.at, s.at + length})
	s.at += length
}

// quoted reads up to the closing quote; a doubled quote is none, nor is one behind a backslash where that escapes.
func (s *scanner) quoted(prefix int, quote byte, backslash bool, kind tokenKind) bool {
	rest := s.sql[s.at:]
	for i := prefix + 1; i < len(rest); i++ {
		switch {
		case backslash && rest[i] == '\\':
			i++
		case rest[i] == quote && i+1 < len(rest) && rest[i+1] == quote:
			i++
		case rest[i] == quote:
			s.add(kind, i+1)
			return true
		}
	}
	return false
}

func (s *scanner) comment(nested bool) bool {
	depth := 0
	for i := s.at; i+1 < len(s.sql); i++ {
		switch {
		case s.sql[i] == '/' && s.sql[i+1] == '*' && (nested || depth == 0):
			if depth++; depth > 1 && s.dialect == ClickHouse { // its versions differ in whether comments nest
				return false
			}
			i++
		case s.sql[i] == '*' && s.sql[i+1] == '/':
			depth--
			i++
			if depth == 0 {
				s.at = i + 1
				return true
			}
		}
	}
	return false
}

// dollarTag gives $tag$ at the start of a text.
func dollarTag(s string) (tag string, ok bool) {
	for i := 1; i < len(s); i++ {
		if s[i] == '$' {
			return s[:i+1], true
		}
		if !isWordByte(s[i]) || i == 1 && s[i] >= '0' && s[i] <= '9' {
			return "", false
		}
	}
	return "", false
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func isWordRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 && !unicode.IsSpace(r) && !unicode.Is(unicode.Zs, r)
}
