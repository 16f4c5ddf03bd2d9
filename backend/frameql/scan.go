package frameql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/text"
)

type tokenKind int

const (
	tokEnd    tokenKind = iota
	tokWord             // bare identifier or keyword
	tokQuoted           // "identifier"
	tokString           // 'string'
	tokNumber
	tokMark // punctuation and operators
)

type token struct {
	kind       tokenKind
	text       string // unquoted for tokQuoted and tokString
	start, end int    // bytes of the source
}

// scan cuts the whole text into tokens, the last of which is tokEnd.
func scan(source string) ([]token, error) {
	s := scanner{source: source}
	for {
		s.skipSpace()
		t, err := s.next()
		if err != nil {
			return nil, err
		}
		s.tokens = append(s.tokens, t)
		if t.kind == tokEnd {
			return s.tokens, nil
		}
	}
}

type scanner struct {
	source string
	at     int
	tokens []token
}

func (s *scanner) skipSpace() {
	for s.at < len(s.source) {
		r, n := utf8.DecodeRuneInString(s.source[s.at:])
		if !unicode.IsSpace(r) {
			return
		}
		s.at += n
	}
}

func (s *scanner) next() (token, error) {
	if s.at >= len(s.source) {
		return token{kind: tokEnd, start: len(s.source), end: len(s.source)}, nil
	}
	start := s.at
	r, _ := utf8.DecodeRuneInString(s.source[start:])
	switch {
	case r == '\'':
		return s.quoted('\'', tokString)
	case r == '"':
		return s.quoted('"', tokQuoted)
	case r >= '0' && r <= '9':
		return s.number()
	case startsWord(r):
		for s.at < len(s.source) {
			c, n := utf8.DecodeRuneInString(s.source[s.at:])
			if !continuesWord(c) {
				break
			}
			s.at += n
		}
		return s.cut(tokWord, start), nil
	}
	for _, m := range []string{"<>", "!=", "<=", ">=", "(", ")", ",", ".", ";", "=", "<", ">", "+", "-", "*", "/"} {
		if strings.HasPrefix(s.source[start:], m) {
			s.at += len(m)
			return s.cut(tokMark, start), nil
		}
	}
	return token{}, syntaxFault(s.source, &SyntaxError{
		Offset: start, Found: string(r),
		Reason: text.Say("frameql.bad_character", "character", string(r)),
	})
}

func (s *scanner) cut(kind tokenKind, start int) token {
	return token{kind: kind, text: s.source[start:s.at], start: start, end: s.at}
}

func (s *scanner) quoted(quote byte, kind tokenKind) (token, error) {
	start := s.at
	var b strings.Builder
	for i := start + 1; i < len(s.source); i++ {
		switch {
		case s.source[i] != quote:
			b.WriteByte(s.source[i])
		case i+1 < len(s.source) && s.source[i+1] == quote:
			b.WriteByte(quote)
			i++
		case kind == tokQuoted && b.Len() == 0:
			return token{}, syntaxFault(s.source, &SyntaxError{Offset: start, Found: `""`, Reason: text.Say("frameql.empty_name")})
		default:
			s.at = i + 1
			return token{kind: kind, text: b.String(), start: start, end: s.at}, nil
		}
	}
	return token{}, syntaxFault(s.source, &SyntaxError{
		Offset: start, Found: string(quote),
		Reason: text.Say("frameql.open_quote", "quote", string(quote)),
	})
}

// number reads digits, a fraction and an exponent, and keeps them as written.
func (s *scanner) number() (token, error) {
	start := s.at
	digits := func() bool {
		from := s.at
		for s.at < len(s.source) && s.source[s.at] >= '0' && s.source[s.at] <= '9' {
			s.at++
		}
		return s.at > from
	}
	digits()
	if s.at+1 < len(s.source) && s.source[s.at] == '.' && s.source[s.at+1] >= '0' && s.source[s.at+1] <= '9' {
		s.at++
		digits()
	}
	if s.at < len(s.source) && (s.source[s.at] == 'e' || s.source[s.at] == 'E') {
		s.at++
		if s.at < len(s.source) && (s.source[s.at] == '+' || s.source[s.at] == '-') {
			s.at++
		}
		if !digits() {
			return token{}, s.badNumber(start)
		}
	}
	if r, n := utf8.DecodeRuneInString(s.source[s.at:]); n > 0 && continuesWord(r) {
		s.at += n
		return token{}, s.badNumber(start)
	}
	return s.cut(tokNumber, start), nil
}

func (s *scanner) badNumber(start int) error {
	found := s.source[start:s.at]
	return syntaxFault(s.source, &SyntaxError{Offset: start, Found: found, Reason: text.Say("frameql.bad_number", "number", found)})
}

func startsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func continuesWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// plainWord says whether a name can stand without quotes.
func plainWord(s string) bool {
	for i, r := range s {
		if i == 0 && !startsWord(r) || !continuesWord(r) {
			return false
		}
	}
	return s != "" && !reserved[strings.ToUpper(s)]
}

// reserved words cannot be bare names, because the grammar could not tell where a clause begins.
var reserved = wordSet(`SELECT AT FROM WHERE DURING COMPARE HAVING TOP FILL TOTALS ORDER LIMIT OPTIONS EXPLAIN WITH AS ON
	BY AND OR NOT IN IS NULL BETWEEN LIKE CONTAINS STARTS TO ASC DESC PER OFFSET FILTER IGNORING TRUE FALSE ANY ALL NO
	DISTINCT`)

var reducers = wordSet("SUM AVG MIN MAX COUNT MEDIAN PERCENTILE STDDEV FIRST LAST ANY ALL")

var timeFunctions = wordSet("PREV DELTA PCT_CHANGE SHARE CUMULATIVE MOVING RANK INDEX")

// timeGrains are the last segments that cut a time dimension; calendarUnits the units that a period may count.
var (
	timeGrains    = wordSet("HOUR DAY WEEK MONTH QUARTER YEAR FISCAL_QUARTER FISCAL_YEAR")
	calendarUnits = wordSet("DAY WEEK MONTH QUARTER YEAR FISCAL_QUARTER FISCAL_YEAR")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
