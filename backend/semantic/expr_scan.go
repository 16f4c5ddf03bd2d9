package semantic

import (
	"strings"
	"unicode"

	"assay/backend/text"
)

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenQuoted // an identifier in double quotes
	tokenNumber
	tokenString
	tokenMark // punctuation and operators
)

type exprToken struct {
	kind   tokenKind
	text   string // unquoted
	column int    // in characters, the first is 1
}

var twoMarks = map[string]bool{"<>": true, "!=": true, "<=": true, ">=": true}

// scanExpr cuts an expression into tokens; the last one is tokenEnd.
func scanExpr(source string) ([]exprToken, error) {
	s := []rune(source)
	var tokens []exprToken
	for i := 0; i < len(s); {
		start := i
		switch c := s[i]; {
		case unicode.IsSpace(c):
			i++
			continue
		case c == '\'' || c == '"':
			body, end, ok := scanQuoted(s, i)
			if !ok {
				return nil, exprFault(source, start+1, text.Say("semantic.expr_open_quote", "quote", string(c)))
			}
			kind := tokenString
			if c == '"' {
				kind = tokenQuoted
			}
			tokens, i = append(tokens, exprToken{kind, body, start + 1}), end
			continue
		case c == '_' || unicode.IsLetter(c):
			for i < len(s) && (s[i] == '_' || unicode.IsLetter(s[i]) || unicode.IsDigit(s[i])) {
				i++
			}
			tokens = append(tokens, exprToken{tokenWord, string(s[start:i]), start + 1})
			continue
		case asciiDigit(c) || c == '.' && i+1 < len(s) && asciiDigit(s[i+1]):
			i = scanNumber(s, i)
			if i < len(s) && (s[i] == '_' || s[i] == '.' || unicode.IsLetter(s[i]) || unicode.IsDigit(s[i])) {
				return nil, exprFault(source, start+1, text.Say("semantic.expr_bad_number", "number", string(s[start:i+1])))
			}
			tokens = append(tokens, exprToken{tokenNumber, string(s[start:i]), start + 1})
			continue
		case i+1 < len(s) && twoMarks[string(s[i:i+2])]:
			i += 2
		case strings.ContainsRune("+-*/=<>(),.", c):
			i++
		default:
			return nil, exprFault(source, start+1, text.Say("semantic.expr_bad_character", "character", string(c)))
		}
		tokens = append(tokens, exprToken{tokenMark, string(s[start:i]), start + 1})
	}
	return append(tokens, exprToken{tokenEnd, "", len(s) + 1}), nil
}

func asciiDigit(c rune) bool { return c >= '0' && c <= '9' }

// scanQuoted reads from an opening quote to its closing one; a doubled quote stands for itself.
func scanQuoted(s []rune, i int) (body string, end int, ok bool) {
	quote := s[i]
	var b strings.Builder
	for i++; i < len(s); i++ {
		if s[i] != quote {
			b.WriteRune(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			b.WriteRune(quote)
			i++
			continue
		}
		return b.String(), i + 1, quote == '\'' || b.Len() > 0
	}
	return "", i, false
}

// scanNumber reads digits [. digits] [e [+-] digits].
func scanNumber(s []rune, i int) int {
	digits := func() {
		for i < len(s) && asciiDigit(s[i]) {
			i++
		}
	}
	digits()
	if i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && asciiDigit(s[j]) {
			i = j
			digits()
		}
	}
	return i
}
