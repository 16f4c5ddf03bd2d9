package store

import (
	"fmt"

	"assay/backend/store/sniff"
)

// conversion is a sniff.Shape as SQL over a text expression.
type conversion struct {
	engineType string // of the result
	strict     string // the value; raises an error for a text that breaks the shape's promise
	lenient    string // the value; missing for such a text
	fails      string // whether a text breaks it
}

// convert writes a shape as SQL. The engine's own casts are lenient (1.5 becomes the BIGINT 2, 2020-01-01 10:00 the DATE
// 2020-01-01, 06897 loses its zero), so each stands behind a guard: what the guard does not know is an error, never
// another value. The error is DuckDB's conversion error, which tells it from what is wrong with the file itself.
func convert(s sniff.Shape, column string) conversion {
	v := ident(column)
	if s.Type == sniff.Text {
		return conversion{engineType: "VARCHAR", strict: v, lenient: v, fails: "false"}
	}
	if s.Trim {
		v = "trim(" + v + ", ' ')"
	}
	if len(s.Missing) > 0 {
		v = fmt.Sprintf("CASE WHEN %s IN (%s) THEN NULL ELSE %s END", v, list(s.Missing), v)
	}
	guard, cast, try, engineType := forms(s, v)
	return conversion{
		engineType: engineType,
		strict:     fmt.Sprintf("CASE WHEN %s OR %s IS NULL THEN %s ELSE CAST('?' || %s AS %s) END", guard, v, cast, v, engineType),
		lenient:    fmt.Sprintf("CASE WHEN %s THEN %s END", guard, try),
		fails:      fmt.Sprintf("(%s IS NOT NULL AND (NOT coalesce(%s, false) OR %s IS NULL))", v, guard, try),
	}
}

// forms gives for a text expression v: the guard, the conversion that raises an error, the one that gives NULL, and the type.
func forms(s sniff.Shape, v string) (guard, cast, try, engineType string) {
	matches := fmt.Sprintf("regexp_full_match(%s, %s)", v, literal(s.Pattern()))
	switch s.Type {
	case sniff.Boolean:
		yes := fmt.Sprintf("(lower(%s) = %s)", v, literal(s.Words[0]))
		return fmt.Sprintf("lower(%s) IN (%s)", v, list(s.Words[:])), yes, yes, "BOOLEAN"
	case sniff.Integer:
		engineType = "BIGINT"
		if s.Digits == sniff.FewDigits {
			engineType = "INTEGER"
		}
		if s.Number.Plain() { // printed again it must be the same text; quicker than the expression
			return fmt.Sprintf("CAST(%s AS VARCHAR) = %s", casts("TRY_CAST", v, engineType), v), casts("CAST", v, engineType), casts("TRY_CAST", v, engineType), engineType
		}
		v = cleaned(s.Number, v)
	case sniff.Decimal:
		engineType = fmt.Sprintf("DECIMAL(%d,%d)", s.Digits, s.Scale)
		v = cleaned(s.Number, v)
	case sniff.Float:
		engineType = "DOUBLE"
		v = cleaned(s.Number, v)
	case sniff.Time:
		engineType = "TIME"
	default:
		return calendarForms(s, v, matches)
	}
	return matches, casts("CAST", v, engineType), casts("TRY_CAST", v, engineType), engineType
}

func casts(how, v, engineType string) string {
	return fmt.Sprintf("%s(%s AS %s)", how, v, engineType)
}

// calendarForms are the forms of dates and timestamps.
func calendarForms(s sniff.Shape, v, matches string) (guard, cast, try, engineType string) {
	l := s.Layout
	engineType = "TIMESTAMP"
	if s.Type == sniff.Date {
		engineType = "DATE"
	}
	switch {
	case l.ISO && l.Offset:
		zoned := func(how string) string { return "timezone('UTC', " + casts(how, v, "TIMESTAMPTZ") + ")" }
		return matches, zoned("CAST"), zoned("TRY_CAST"), engineType
	case l.ISO && s.Type == sniff.Date && !l.Midnight:
		return fmt.Sprintf("(length(%s) = 10 AND %s >= '0')", v, v), casts("CAST", v, engineType), casts("TRY_CAST", v, engineType), engineType
	case l.ISO && s.Type == sniff.Date:
		v = "left(" + v + ", 10)"
		return matches, casts("CAST", v, engineType), casts("TRY_CAST", v, engineType), engineType
	case l.ISO:
		return matches, casts("CAST", v, engineType), casts("TRY_CAST", v, engineType), engineType
	}
	parsed := fmt.Sprintf("try_strptime(%s, %s)", v, literal(l.Format))
	guard = fmt.Sprintf("(%s AND %s IS NOT NULL)", matches, parsed)
	if s.Type == sniff.Date {
		if l.Midnight {
			guard = fmt.Sprintf("(%s AND %s = CAST(%s AS DATE))", matches, parsed, parsed)
		}
		parsed = casts("CAST", parsed, "DATE")
	}
	return guard, parsed, parsed, engineType
}

// cleaned takes symbols and thousands marks off a number and writes its decimal mark as a point. The order is that of
// sniff.Number.Clean.
func cleaned(n sniff.Number, v string) string {
	replace := func(from, to string) { v = fmt.Sprintf("replace(%s, %s, %s)", v, literal(from), literal(to)) }
	if n.Plain() {
		return v
	}
	if n.Symbol != "" {
		replace(n.Symbol, "")
	}
	if n.Percent {
		replace("%", "")
	}
	if n.Signs {
		replace("+", "")
		replace("−", "-")
		replace("–", "-")
	}
	if n.Parens {
		replace(" ", "")
		replace("(-", "(")
		replace("(", "-")
		replace(")", "")
	}
	if n.Behind {
		v = fmt.Sprintf("CASE WHEN ends_with(%s, '-') THEN '-' || trim(%s, '-') ELSE %s END", v, v, v)
	}
	if n.Group != "" {
		replace(n.Group, "")
	}
	if n.Point != "" && n.Point != "." {
		replace(n.Point, ".")
	}
	replace(" ", "")
	return v
}
