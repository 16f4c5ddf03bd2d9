package frameql

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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
	text       string // unquoted for tokQuoted and tokString; names in Unicode's composed form (NFC), strings as they are
	keyword    string // of tokWord: in capitals, when it is ASCII; no other letter passes for one of a keyword
	start, end int    // bytes of the source
	shut       int    // of "(": the index of the token that closes it; of others and of one that stays open: 0
}

// byteOrderMark may open a text; some editors put it there.
const byteOrderMark = "\ufeff"

// scan cuts the whole text into tokens, the last of which is tokEnd. It reads every byte once.
func scan(source string) ([]token, error) {
	s := scanner{source: source}
	if strings.HasPrefix(source, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	for {
		if err := s.skipSpace(); err != nil {
			return nil, err
		}
		t, err := s.next()
		if err != nil {
			return nil, err
		}
		s.pair(t)
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
	open   []int // indices of "(" that are not closed yet
}

// pair tells an opening parenthesis where it is closed, so that the parser can look behind it at once.
func (s *scanner) pair(t token) {
	switch {
	case t.kind != tokMark:
	case t.text == "(":
		s.open = append(s.open, len(s.tokens))
	case t.text == ")" && len(s.open) > 0:
		last := len(s.open) - 1
		s.tokens[s.open[last]].shut = len(s.tokens)
		s.open = s.open[:last]
	}
}

// skipSpace passes white space and comments: "-- to the end of the line" and "/* ... */". They are no part of a query and
// are gone from its canonical text.
func (s *scanner) skipSpace() error {
	for s.at < len(s.source) {
		rest := s.source[s.at:]
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r):
			s.at += n
		case strings.HasPrefix(rest, "--"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			s.at += n
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest[2:], "*/"); n < 0 {
				return syntaxFault(s.source, &SyntaxError{Offset: s.at, Found: "/*", Reason: text.Say("frameql.open_comment"), Hint: text.Say("frameql.open_comment_hint")})
			}
			s.at += n + 4
		default:
			return nil
		}
	}
	return nil
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
		Reason: text.Say("frameql.bad_character", "character", shown(r)), Hint: characterHint(r),
	})
}

// shown gives a character as a reader can see it: one that prints nothing, or turns the direction of what follows, by its
// number.
func shown(r rune) string {
	if unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r) {
		return string(r)
	}
	return fmt.Sprintf("U+%04X", r)
}

func (s *scanner) cut(kind tokenKind, start int) token {
	t := token{kind: kind, text: s.source[start:s.at], start: start, end: s.at}
	if kind == tokWord {
		t.keyword = keyword(t.text)
		t.text = norm.NFC.String(t.text)
	}
	return t
}

// keyword gives a word in capitals when it is ASCII, and nothing else: other letters whose capital is ASCII (U+017F, a
// long s) never pass for a keyword.
func keyword(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return ""
		}
	}
	return strings.ToUpper(word)
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
			t := token{kind: kind, text: b.String(), start: start, end: s.at}
			if kind == tokQuoted {
				t.text = norm.NFC.String(t.text)
			}
			return t, nil
		}
	}
	return token{}, syntaxFault(s.source, &SyntaxError{
		Offset: start, Found: string(quote),
		Reason: text.Say("frameql.open_quote", "quote", string(quote)), Hint: text.Say("frameql.open_quote_hint"),
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
	for s.at < len(s.source) { // the rest of the word
		r, n := utf8.DecodeRuneInString(s.source[s.at:])
		if !continuesWord(r) {
			break
		}
		s.at += n
	}
	found := s.source[start:s.at]
	return syntaxFault(s.source, &SyntaxError{
		Offset: start, Found: found,
		Reason: text.Say("frameql.bad_number", "number", shorten(found, 40)), Hint: text.Say("frameql.bad_number_hint"),
	})
}

// maxDigits is what an exact decimal can hold.
const maxDigits = 38

// numeral gives a number its one spelling: no leading zeros (which JSON does not allow), a small e, no plus and no leading
// zeros in the exponent. All other digits stay as written. ok is false for a number that cannot be computed with exactly:
// more than 38 digits, or beyond what a floating number holds.
func numeral(written string) (number string, ok bool) {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(written), "e")
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	for len(mantissa) > 1 && mantissa[0] == '0' && mantissa[1] != '.' {
		mantissa = mantissa[1:]
	}
	digits := strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0")
	number = sign + mantissa
	if scientific {
		minus := strings.HasPrefix(exponent, "-")
		if exponent = strings.TrimLeft(exponent, "+-0"); exponent == "" {
			exponent, minus = "0", false
		}
		if minus {
			exponent = "-" + exponent
		}
		number += "e" + exponent
	}
	f, err := strconv.ParseFloat(number, 64)
	return number, err == nil && !math.IsInf(f, 0) && (f != 0 || digits == "") && len(digits) <= maxDigits
}

func startsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func continuesWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Mn, unicode.Mc)
}

// plainWord says whether a name can stand without quotes.
func plainWord(s string) bool {
	for i, r := range s {
		if i == 0 && !startsWord(r) || !continuesWord(r) {
			return false
		}
	}
	return s != "" && !reserved[keyword(s)]
}

// reserved words cannot be bare names, because the grammar could not tell where a clause begins.
var reserved = wordSet(`SELECT AT FROM WHERE DURING COMPARE HAVING TOP FILL TOTALS ORDER LIMIT OPTIONS EXPLAIN WITH AS ON
	BY AND OR NOT IN IS NULL BETWEEN LIKE CONTAINS STARTS TO ASC DESC PER OFFSET FILTER IGNORING TRUE FALSE ANY ALL NO
	DISTINCT`)

var reducers = wordSet("SUM AVG MIN MAX COUNT MEDIAN PERCENTILE STDDEV FIRST LAST ANY ALL")

var timeFunctions = wordSet("PREV DELTA PCT_CHANGE SHARE CUMULATIVE MOVING RANK INDEX")

// timeGrains are the last segments that cut a time dimension.
var (
	timeGrains = wordSet("HOUR DAY WEEK MONTH QUARTER YEAR FISCAL_QUARTER FISCAL_YEAR")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
