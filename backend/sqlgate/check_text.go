package sqlgate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkText looks at the bytes before anything parses them.
func checkText(d Dialect, sql string, longest int) (rule string) {
	if len(sql) > longest {
		return ruleLength
	}
	if !utf8.ValidString(sql) {
		return ruleEncoding
	}
	for _, r := range sql {
		if !printable(r) {
			return ruleEncoding
		}
	}
	if d == MySQL || d == MariaDB {
		// Also within quotes: what is quoted depends on sql_mode, and a gate that is too careful loses little here.
		if low := lower(sql); strings.Contains(low, "/*!") || strings.Contains(low, "/*m!") {
			return ruleHidden
		}
	}
	return ""
}

// printable refuses what shows as nothing or turns the text around: a person who reads the statement must see what runs.
func printable(r rune) bool {
	switch {
	case r == '\t' || r == '\r' || r == '\n':
		return true
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return false
	case r == '\u200b' || r == '\u2060' || r == '\ufeff' || r == '\u2028' || r == '\u2029' || r == '\u00ad':
		return false
	default: // the bidirectional controls; joiners belong to words of many languages and to emoji
		return !unicode.Is(unicode.Bidi_Control, r)
	}
}

// Bounds of a statement. The parsers are recursive C or C++: what is nested deeper never reaches them.
const (
	deepest     = 200    // parentheses, brackets and CASE inside each other
	mostArms    = 200    // UNION, INTERSECT, EXCEPT
	mostItems   = 10_000 // between one pair of parentheses
	longestRun  = 1_500  // operators between two commas or keywords: a chain nests the tree as parentheses do
	mostTokens  = 40_000
	mostJoins   = 200
	mostSelects = 400
)

// checkSize refuses statements that would nest a parser too deep or keep it busy too long.
func checkSize(tokens []token) (rule string) {
	type level struct {
		items, run int
		inCase     bool
	}
	levels := []level{{}}
	arms, joins, selects := 0, 0, 0
	if len(tokens) > mostTokens {
		return ruleList
	}
	for _, t := range tokens {
		top := &levels[len(levels)-1]
		switch t.kind {
		case punctuation:
			switch t.text {
			case "(", "[", "{":
				top.run++
				if levels = append(levels, level{}); len(levels) > deepest {
					return ruleDepth
				}
			case ")", "]", "}":
				if len(levels) > 1 {
					levels = levels[:len(levels)-1]
				}
			case ",":
				if top.items++; top.items > mostItems {
					return ruleList
				}
				top.run = 0
			default:
				top.run++
			}
		case word:
			switch t.upper() {
			case "CASE":
				if levels = append(levels, level{inCase: true}); len(levels) > deepest {
					return ruleDepth
				}
			case "END":
				if top.inCase {
					levels = levels[:len(levels)-1]
				}
			case "UNION", "INTERSECT", "EXCEPT", "MINUS":
				arms++
			case "JOIN", "PIVOT", "UNPIVOT":
				joins++
			case "SELECT", "FROM", "VALUES":
				selects++
				top.run = 0
			case "AND", "OR", "NOT", "LIKE", "ILIKE", "IN", "IS", "COLLATE", "XOR", "DIV", "MOD", "BETWEEN", "SIMILAR", "GLOB", "AT", "BINARY", "INTERVAL":
				top.run++
			case "WHERE", "GROUP", "HAVING", "ORDER", "WHEN", "THEN", "ELSE", "LIMIT":
				top.run = 0
			}
		}
		if top = &levels[len(levels)-1]; top.run > longestRun {
			return ruleDepth
		}
	}
	if arms > mostArms || joins > mostJoins || selects > mostSelects {
		return ruleArms
	}
	return ""
}
