package compile

import (
	"strings"

	"assay/backend/semantic"
)

// What some dialects spell alike.

// plusInterval writes x moved by n units. It binds like a sum.
func plusInterval(interval func(n int, unit string) string, x operand, n int, unit string) string {
	if n < 0 {
		return x.at(rankAdd) + " - " + interval(-n, unit)
	}
	return x.at(rankAdd) + " + " + interval(n, unit)
}

// orUTC is the zone of a stored wall clock that names none.
func orUTC(zone string) string {
	if zone == "" {
		return "UTC"
	}
	return zone
}

// control says that a character would break the line, or cannot be seen.
func control(r rune) bool { return r < ' ' || r == 0x7f }

// hex2 writes a control character as two digits.
func hex2(r rune) string {
	const digits = "0123456789abcdef"
	return string(digits[r>>4&15]) + string(digits[r&15])
}

// filtered writes the conditions of an aggregate; empty ones are none.
func filtered(conditions ...string) string {
	var all []string
	for _, c := range conditions {
		if c != "" {
			all = append(all, c)
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return " FILTER (WHERE " + all[0] + ")"
	}
	for i, c := range all {
		all[i] = enclosed(c)
	}
	return " FILTER (WHERE " + strings.Join(all, " AND ") + ")"
}

// enclosed puts text of unknown rank in parentheses, unless it is a name.
func enclosed(sql string) string {
	if strings.ContainsAny(sql, " (") {
		return "(" + sql + ")"
	}
	return sql
}

// roundedHalfUp rounds a floating number away from zero at a half, as DuckDB does, where ROUND rounds it to even.
func roundedHalfUp(args []operand) string {
	x := args[0].at(rankMultiply)
	if len(args) == 1 {
		return "(SIGN(" + args[0].sql + ") * FLOOR(ABS(" + args[0].sql + ") + 0.5))"
	}
	by := "POWER(10, " + args[1].sql + ")"
	return "(SIGN(" + args[0].sql + ") * FLOOR(ABS(" + x + " * " + by + ") + 0.5) / " + by + ")"
}

// limited writes LIMIT and OFFSET; n < 0: no limit.
func limited(n, offset int) string {
	var parts []string
	if n >= 0 {
		parts = append(parts, "LIMIT "+itoa(n))
	}
	if offset > 0 {
		parts = append(parts, "OFFSET "+itoa(offset))
	}
	return strings.Join(parts, " ")
}

// nullsLast writes a sort key by its alias where it has one.
func nullsLast(x, alias string, desc bool) string {
	if alias != "" {
		x = alias
	}
	if desc {
		x += " DESC"
	}
	return x + " NULLS LAST"
}

// clockUnit says that a unit is shorter than a day.
func clockUnit(unit string) bool { return unit == "hour" || unit == "minute" || unit == "second" }

// typed gives an operand that binds like an atom.
func typed(sql string, t semantic.Type) operand { return operand{sql, rankAtom, t} }
