package sqlgate

import "strings"

// ansi is MySQL as it splits a text when a backslash is a letter (NO_BACKSLASH_ESCAPES).
const ansi Dialect = "mysql without backslash escapes"

// hints gives the insides of the comments that are optimizer hints.
func hints(sql string) (all []string) {
	for {
		_, rest, found := strings.Cut(sql, "/*+")
		if !found {
			return all
		}
		hint, after, _ := strings.Cut(rest, "*/")
		all, sql = append(all, hint), after
	}
}

// allowedHint takes the hints that steer a plan. SET_VAR changes variables, RESOURCE_GROUP what a statement may use, and
// MAX_EXECUTION_TIME(0) takes the limit away.
func allowedHint(hint string) bool {
	tokens, rule := scan(MySQL, hint)
	if rule != "" {
		return false
	}
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && t.kind == word:
			if !planHints[t.upper()] {
				return false
			}
			if t.is("MAX_EXECUTION_TIME") && (i+2 >= len(tokens) || tokens[i+2].kind != number || strings.Trim(tokens[i+2].text, "0") == "") {
				return false
			}
		}
	}
	return true
}

var planHints = verbs(`MAX_EXECUTION_TIME JOIN_FIXED_ORDER JOIN_ORDER JOIN_PREFIX JOIN_SUFFIX BKA NO_BKA BNL NO_BNL HASH_JOIN NO_HASH_JOIN
	DERIVED_CONDITION_PUSHDOWN NO_DERIVED_CONDITION_PUSHDOWN MERGE NO_MERGE GROUP_INDEX NO_GROUP_INDEX INDEX NO_INDEX INDEX_MERGE NO_INDEX_MERGE JOIN_INDEX NO_JOIN_INDEX
	MRR NO_MRR NO_ICP NO_RANGE_OPTIMIZATION ORDER_INDEX NO_ORDER_INDEX SKIP_SCAN NO_SKIP_SCAN SEMIJOIN NO_SEMIJOIN SUBQUERY QB_NAME`)

// forVitess writes TABLE t as SELECT * FROM t, and EXCEPT and INTERSECT as UNION, which hold the same tables: Vitess does not
// know them.
func forVitess(sql string, tokens []token) string {
	var b strings.Builder
	at := 0
	for i, t := range tokens {
		starts := i == 0 || tokens[i-1].is("(", "UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", ")", "AS")
		switch {
		case i+1 >= len(tokens):
		case t.is("TABLE") && starts && (tokens[i+1].kind == word || tokens[i+1].kind == quotedName):
			b.WriteString(sql[at:t.start] + "SELECT * FROM")
			at = t.end
		case t.is("EXCEPT", "INTERSECT") && i > 0 && tokens[i+1].is("SELECT", "(", "ALL", "DISTINCT", "TABLE", "VALUES", "WITH"):
			b.WriteString(sql[at:t.start] + "UNION")
			at = t.end
		}
	}
	return b.String() + sql[at:]
}

// withoutJSONTable writes JSON_TABLE(x, 'path' COLUMNS (…)) as (SELECT x), which holds the same expression, and reads the
// columns itself: TiDB's parser does not know it. Nor does it know the collations of MariaDB, of which one is as good as another
// here. false: there is a JSON_TABLE that is not written so.
func forTiDB(sql string, tokens []token) (string, bool) {
	var b strings.Builder
	at := 0
	for i := 0; i < len(tokens); i++ {
		if i > 0 && tokens[i-1].is("COLLATE") && (tokens[i].kind == word || tokens[i].kind == quotedText) {
			b.WriteString(sql[at:tokens[i].start] + "utf8mb4_bin")
			at = tokens[i].end
			continue
		}
		if tokens[i].is("UNTIL") { // a name in MySQL, a word of procedures in TiDB
			b.WriteString(sql[at:tokens[i].start] + "`" + tokens[i].text + "`")
			at = tokens[i].end
			continue
		}
		if !tokens[i].is("JSON_TABLE") || i+1 >= len(tokens) || !tokens[i+1].is("(") {
			continue
		}
		if i == 0 || !tokens[i-1].is(",", "JOIN", "FROM", "(") {
			return "", false
		}
		comma := topLevel(tokens, i+2, ",", ")")
		last := topLevel(tokens, i+2, ")")
		if comma >= len(tokens) || last >= len(tokens) || !tokens[comma].is(",") || comma == i+2 || !jsonColumns(tokens[comma+1:last]) {
			return "", false
		}
		b.WriteString(sql[at:tokens[i].start] + "(SELECT " + sql[tokens[i+2].start:tokens[comma-1].end] + ")")
		at = tokens[last].end
		i = last
	}
	return b.String() + sql[at:], true
}

// jsonColumns reads 'path' COLUMNS (…): words, names, numbers and texts, in parentheses and with commas.
func jsonColumns(tokens []token) bool {
	if len(tokens) < 4 || tokens[0].kind != quotedText || !tokens[1].is("COLUMNS") || !tokens[2].is("(") {
		return false
	}
	for i, t := range tokens {
		switch t.kind {
		case quotedName, number, quotedText:
		case word: // a subquery or a function cannot stand here; neither may what looks like one
			if t.is("SELECT", "WITH", "TABLE", "FROM", "JSON_TABLE") {
				return false
			}
			if i+1 < len(tokens) && tokens[i+1].is("(") && !jsonTypes[t.upper()] {
				return false
			}
		default:
			if !t.is("(", ")", ",") {
				return false
			}
		}
	}
	return true
}

var jsonTypes = verbs(`COLUMNS CHAR VARCHAR BINARY VARBINARY TEXT BLOB DECIMAL DEC NUMERIC FLOAT DOUBLE INT INTEGER TINYINT SMALLINT MEDIUMINT BIGINT BIT DATETIME TIMESTAMP TIME YEAR`)
