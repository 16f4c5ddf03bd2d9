package dbt

import (
	"errors"
	"regexp"
	"strings"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// parseSQL reads a SQL expression of the project as one of ours. Casts that change no value are taken off; everything
// else that our grammar does not know is an error that names it.
func parseSQL(sql string) (*semantic.Expr, error) {
	plain, err := withoutCasts(sql)
	if err != nil {
		return nil, err
	}
	return semantic.ParseExpr(plain)
}

// cannot is an error that says why a part of the project is not carried.
func cannot(why string) error { return fault.New(fault.Invalid, "import dbt", why, "") }

// reason is the sentence of an error without its hint.
func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}

var (
	castCall  = regexp.MustCompile(`(?i)^(?:try_)?cast\s*\(`)
	castColon = regexp.MustCompile(`^::\s*([A-Za-z_]+(?:\s+precision)?(?:\s*\([0-9, ]*\))?)`)
	castEnd   = regexp.MustCompile(`(?is)^(.*)\s+as\s+([a-z_]+(?:\s+precision|\s+varying)?(?:\s*\([0-9, ]*\))?)\s*$`)
)

// withoutCasts takes off casts to types in which the value stays the same number or the same instant: to a time, to a
// floating or decimal number without a scale, to text of a literal. A cast to an integer or to a scale rounds: it stays,
// and the parser then refuses it.
func withoutCasts(sql string) (string, error) {
	var out strings.Builder
	for i := 0; i < len(sql); {
		rest := sql[i:]
		switch c := sql[i]; {
		case c == '\'' || c == '"':
			end := closing(sql, i)
			out.WriteString(sql[i:end])
			i = end
		case castColon.MatchString(rest):
			m := castColon.FindStringSubmatch(rest)
			if !harmless(m[1]) {
				return "", cannot(text.Say("dbt.cast", "type", m[1]))
			}
			i += len(m[0])
		case (i == 0 || !wordByte(sql[i-1])) && castCall.MatchString(rest):
			open := i + strings.IndexByte(rest, '(')
			end := closing(sql, open)
			m := castEnd.FindStringSubmatch(sql[open+1 : end-1])
			if m == nil || !harmless(m[2]) {
				return "", cannot(text.Say("dbt.cast", "type", sql[i:end]))
			}
			inner, err := withoutCasts(m[1])
			if err != nil {
				return "", err
			}
			out.WriteString("(" + inner + ")")
			i = end
		default:
			out.WriteByte(c)
			i++
		}
	}
	return out.String(), nil
}

func harmless(sqlTypeName string) bool {
	name := strings.ToLower(strings.TrimSpace(sqlTypeName))
	switch sqlType(name) {
	case semantic.Timestamp, semantic.Date, semantic.Float, semantic.Boolean:
		return true
	case semantic.Decimal:
		return !strings.Contains(name, "(")
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// closing gives the place behind the quote or parenthesis that closes the one at i; the end when none does.
func closing(s string, i int) int {
	if s[i] != '(' {
		for j := i + 1; j < len(s); j++ {
			if s[j] != s[i] {
				continue
			}
			if j+1 < len(s) && s[j+1] == s[i] {
				j++
				continue
			}
			return j + 1
		}
		return len(s)
	}
	depth := 0
	for j := i; j < len(s); j++ {
		switch s[j] {
		case '\'', '"':
			j = closing(s, j) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return len(s)
}
