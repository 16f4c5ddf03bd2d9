package frameql

import (
	"maps"
	"slices"
	"strings"

	"assay/backend/spelling"
	"assay/backend/text"
)

// hint gives the next step for a token that does not fit: what to write instead of a habit from SQL, the keyword that was
// probably meant, quotes around a reserved word, or an example of the clause it stands in.
func (p *parser) hint(t token) string {
	before := p.tokens[max(p.at-1, 0)]
	switch {
	case t.kind == tokMark && t.text == "(" && sqlHabits[before.keyword] != "":
		return text.Say("frameql.hint_habit_" + sqlHabits[before.keyword])
	case t.kind == tokMark && t.text == "(" && isName(before) && before.kind == tokWord && p.clauseOf != "options":
		functions := slices.Sorted(maps.Keys(reducers))
		functions = append(functions, slices.Sorted(maps.Keys(timeFunctions))...)
		return text.Say("frameql.hint_function", "name", before.text, "functions", strings.Join(functions, ", "))
	case t.kind == tokWord && sqlHabits[t.keyword] != "":
		return text.Say("frameql.hint_habit_" + sqlHabits[t.keyword])
	case t.kind == tokWord && p.nearKeyword(t) != "":
		return text.Say("frameql.hint_near", "keyword", p.nearKeyword(t), "found", t.text)
	case t.kind == tokWord && reserved[t.keyword] && p.nameHoped():
		return text.Say("frameql.hint_reserved", "word", t.text)
	case t.kind == tokMark && t.text == "*" && p.clauseOf == "select":
		return text.Say("frameql.hint_star")
	case t.kind == tokMark && t.text == "=" && before.text == "=":
		return text.Say("frameql.hint_double_equals")
	case t.kind == tokMark && t.text == ".":
		return text.Say("frameql.hint_dot")
	case isOperator(t) && p.clauseOf == "where":
		return text.Say("frameql.hint_where_arithmetic")
	case t.keyword == "TOP" && before.keyword == "IN":
		return text.Say("frameql.hint_not_in_top")
	case t.kind == tokMark && t.text == "-" && p.clauseOf != "during" && p.clauseOf != "compare":
		return text.Say("frameql.hint_minus")
	case t.kind == tokString && p.clauseOf == "during":
		return text.Say("frameql.hint_period_quotes")
	case t.kind == tokString && p.nameHoped():
		return text.Say("frameql.hint_name_quotes")
	case p.clauseOf != "":
		return text.Say("frameql.hint_clause_" + p.clauseOf)
	}
	return text.Say("frameql.syntax_hint")
}

// sqlHabits are words of SQL that Frame-QL has no use for, and which entry of the catalogue says what to write instead.
var sqlHabits = map[string]string{
	"GROUP": "group", "JOIN": "join", "INNER": "join", "LEFT": "join", "RIGHT": "join", "FULL": "join", "OUTER": "join", "CROSS": "join",
	"UNION": "union", "INTERSECT": "union", "EXCEPT": "union", "CASE": "case", "WHEN": "case", "OVER": "over", "PARTITION": "over",
	"EXISTS": "exists", "SELECT": "select", "INTERVAL": "interval", "DATE": "interval", "CURRENT_DATE": "interval",
	"INSERT": "write", "UPDATE": "write", "DELETE": "write", "DROP": "write", "CREATE": "write", "ALTER": "write",
	"ILIKE": "ilike", "QUALIFY": "having", "FETCH": "limit", "PERCENT": "limit",
}

func (p *parser) nameHoped() bool {
	for _, e := range p.expected {
		if e == text.Say("frameql.a_name") || e == text.Say("frameql.a_metric") {
			return true
		}
	}
	return false
}

// nearKeyword gives the expected keyword that a word is a slip of; empty when there is none.
func (p *parser) nearKeyword(t token) string {
	best, least := "", 3
	for _, e := range p.expected {
		first, _, _ := strings.Cut(e, " ")
		if keyword(first) != first || len(first) < 3 || t.keyword == "" || t.keyword == first {
			continue
		}
		if d := spelling.Distance(t.keyword, first, 2); d < least && 3*d <= len(first) {
			best, least = e, d
		}
	}
	return best
}

// characterHint gives the next step for a character that has no meaning outside quotes.
func characterHint(r rune) string {
	switch {
	case strings.ContainsRune("‘’‚‛“”„«»´", r):
		return text.Say("frameql.hint_straight_quotes")
	case strings.ContainsRune("≤≥≠−–—×÷＝＜＞，；（）", r):
		return text.Say("frameql.hint_signs")
	case strings.ContainsRune("`[]", r):
		return text.Say("frameql.hint_name_quotes")
	case strings.ContainsRune("?$:@{}", r):
		return text.Say("frameql.hint_parameter")
	}
	return text.Say("frameql.syntax_hint")
}
