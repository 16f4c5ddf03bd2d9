package sqlgate

// The kinds of statements that Verdict.SQLType names beside the words that start them.
const (
	kindSelect   = "SELECT"
	kindWith     = "WITH...SELECT"
	kindMultiple = "MULTIPLE"
)

// reads are the words that start a statement which reads but is none that may run: they show what is there, or how.
var reads = map[string]bool{"SHOW": true, "DESCRIBE": true, "DESC": true, "SUMMARIZE": true, "EXPLAIN": true, "PRAGMA": true, "HELP": true}

// queries are the words that start a query.
var queries = map[string]bool{"SELECT": true, "VALUES": true, "TABLE": true, "FROM": true, "PIVOT": true, "UNPIVOT": true, "PIVOT_WIDER": true, "PIVOT_LONGER": true}

// statementKind names a statement by its words, also one that no parser reads. Several statements are MULTIPLE.
func statementKind(tokens []token) string {
	kinds := kindsOf(tokens)
	switch len(kinds) {
	case 0:
		return ""
	case 1:
		return kinds[0]
	default:
		return kindMultiple
	}
}

// kindsOf names each of the statements of a text.
func kindsOf(tokens []token) (kinds []string) {
	start := 0
	for i := 0; i <= len(tokens); i++ {
		if i == len(tokens) || tokens[i].is(";") {
			if i > start {
				kinds = append(kinds, kindOf(tokens[start:i]))
			}
			start = i + 1
		}
	}
	return kinds
}

func kindOf(tokens []token) string {
	i := 0
	for i < len(tokens) && tokens[i].is("(") {
		i++
	}
	if i == len(tokens) || tokens[i].kind != word {
		return "UNKNOWN"
	}
	first := tokens[i].upper()
	switch {
	case queries[first]:
		return kindSelect
	case first == "WITH":
		return afterWith(tokens[i+1:])
	case len(first) > 32:
		return "UNKNOWN"
	default:
		return first
	}
}

// afterWith finds the verb behind the common table expressions: the first one outside of parentheses.
func afterWith(tokens []token) string {
	depth := 0
	for _, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && t.kind == word && queries[t.upper()]:
			return kindWith
		case depth == 0 && t.is("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"):
			return t.upper()
		}
	}
	return kindWith // of a query in parentheses
}

// writes says whether a statement of this kind is one that changes something, or any that does not read.
func writes(kind string) bool {
	return kind != "" && kind != kindSelect && kind != kindWith && kind != kindMultiple && kind != "UNKNOWN" && !reads[kind]
}

// refuseKind refuses a text that is not one SELECT, by what its words say it is.
func (w *walk) refuseKind(tokens []token) {
	kinds := kindsOf(tokens)
	for i, k := range kinds {
		if writes(k) && (i > 0 || knownVerb[k]) {
			w.refuse(ruleWrite)
			return
		}
	}
	if hidesWrite(tokens) {
		w.refuse(ruleWrite)
		return
	}
	switch {
	case len(kinds) == 0:
		w.refuse(ruleEmpty)
	case len(kinds) > 1:
		w.refuse(ruleMultiple)
	case kinds[0] == kindSelect || kinds[0] == kindWith || kinds[0] == "UNKNOWN":
		w.refuse(ruleSyntax)
	case reads[kinds[0]]:
		if w.explainsWrite(tokens) {
			w.refuse(ruleWrite)
		}
		w.refuse(ruleKind)
	default:
		w.refuse(ruleSyntax)
	}
}

// hidesWrite finds WITH x AS (DELETE FROM …) and its like.
func hidesWrite(tokens []token) bool {
	for i := 1; i+1 < len(tokens); i++ {
		verb, next := tokens[i], tokens[i+1]
		if tokens[i-1].is("(") && (verb.is("INSERT", "MERGE") && next.is("INTO", "OR") || verb.is("DELETE") && next.is("FROM") || verb.is("UPDATE") && next.kind == word) {
			return true
		}
	}
	return false
}

// explainsWrite says whether EXPLAIN or another reading word stands before a statement that writes.
func (w *walk) explainsWrite(tokens []token) bool {
	for _, t := range tokens {
		if t.is("INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "DROP", "ALTER", "COPY", "TRUNCATE") {
			return true
		}
	}
	return false
}

// knownVerb are the words that start statements of some engine which do something. A first word that is none of them is a
// slip of the pen and no write.
var knownVerb = verbs(`ALTER ANALYZE ATTACH BEGIN BINLOG CACHE CALL CHANGE CHECK CHECKPOINT CHECKSUM CLOSE CLUSTER COMMENT COMMIT CONNECT COPY CREATE
	DEALLOCATE DECLARE DELETE DELIMITER DETACH DISCARD DISCONNECT DO DROP END EXCHANGE EXECUTE EXPORT FETCH FLUSH FORCE GRANT HANDLER IMPORT INSERT INSTALL KILL
	LISTEN LOAD LOCK MERGE MOVE NOTIFY OPTIMIZE PREPARE PURGE REASSIGN REFRESH REINDEX RELEASE RENAME REPAIR REPLACE RESET RESIGNAL REVOKE ROLLBACK
	SAVEPOINT SECURITY SET SHUTDOWN SIGNAL START STOP SYSTEM TRUNCATE UNDROP UNINSTALL UNLISTEN UNLOCK UPDATE UPSERT USE VACUUM XA ABORT UPDATE_EXTENSIONS RESTART
	BACKUP RESTORE CLONE MARK `)

func verbs(list string) map[string]bool {
	set := map[string]bool{}
	start := -1
	for i := 0; i <= len(list); i++ {
		space := i == len(list) || list[i] <= ' '
		switch {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			set[list[start:i]] = true
			start = -1
		}
	}
	return set
}
