package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/sqlgate"
	"assay/backend/text"
)

// Suggestion is one way to go on with a statement that is being written.
type Suggestion struct {
	Text   string
	Kind   string // keyword table column function
	Detail string // of a column: its table and type
}

// mostSuggestions is how many are given.
const mostSuggestions = 60

// completers are empty tables of the same names and columns as those that somebody may see, for the engine's own completion: one
// instance for each view of the schema, without a row and without reach to any file.
type completers struct {
	mu    sync.Mutex
	of    string // the schema that db holds
	db    *sql.DB
	calls map[string]bool
}

func (c *completers) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db != nil {
		_ = c.db.Close()
		c.db, c.of = nil, ""
	}
}

// Complete gives ways to go on with a statement that ends at the cursor, the likeliest first, and the byte from which they replace
// it: what the engine offers over the tables that are visible, without what the gate would refuse. Faults: Canceled, Internal.
func (s *Store) Complete(ctx context.Context, head string, visible func(table string) bool) (from int, all []Suggestion, err error) {
	if len(head) > sqlgate.MaxBytes {
		return len(head), nil, nil
	}
	tables := s.visibleTables(visible)
	if from, all, ok := ofAlias(head, tables); ok {
		return from, all, nil
	}
	s.completing.mu.Lock()
	defer s.completing.mu.Unlock()
	if err := s.completing.hold(ctx, tables, s.gate.rules); err != nil {
		return 0, nil, err
	}
	rows, err := s.completing.db.QueryContext(ctx, "SELECT suggestion, suggestion_start FROM sql_auto_complete(?)", head)
	if err != nil {
		if ctx.Err() != nil {
			return 0, nil, canceled(ctx, "complete statement")
		}
		return len(head), nil, nil // the engine gives nothing for a text that it cannot cut into words
	}
	defer func() { _ = rows.Close() }()
	from = len(head)
	kinds := s.completing.kinds(tables)
	for rows.Next() && len(all) < mostSuggestions {
		var word string
		var start int
		if err := rows.Scan(&word, &start); err != nil {
			return 0, nil, fault.Wrap(fault.Internal, "complete statement", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
		}
		if x, ok := kinds(strings.TrimSpace(word)); ok && start <= len(head) {
			from = start
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b Suggestion) int { return rank(a.Kind) - rank(b.Kind) })
	return from, all, rows.Err()
}

func rank(kind string) int {
	return slices.Index([]string{"column", "table", "keyword", "function"}, kind)
}

// visibleTables gives the tables that somebody may see, with their columns.
func (s *Store) visibleTables(visible func(table string) bool) []Table {
	var all []Table
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, e := range s.catalog.Entries {
		for _, t := range e.Tables {
			if visible(t.Name) {
				all = append(all, t)
			}
		}
	}
	return all
}

// hold makes the instance of a schema, where it is not the one of before. The tables are written with names in quotes alone.
func (c *completers) hold(ctx context.Context, tables []Table, rules *sqlgate.Gate) error {
	var ddl []string
	for _, t := range tables {
		var columns []string
		for _, x := range t.Columns {
			columns = append(columns, ident(x.Name)+" "+typeFor(x.Type))
		}
		if len(columns) > 0 {
			ddl = append(ddl, "CREATE TABLE "+ident(t.Name)+" ("+strings.Join(columns, ", ")+")")
		}
	}
	schema := strings.Join(ddl, ";")
	if c.db != nil && c.of == schema {
		return nil
	}
	broke := func(err error) error {
		return fault.Wrap(fault.Internal, "complete statement", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	connector, err := duckdb.NewConnector("?threads=1&enable_external_access=false", nil)
	if err != nil {
		return broke(err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	for _, statement := range append(ddl, "SET disabled_filesystems = 'LocalFileSystem'", "SET lock_configuration = true") {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			_ = db.Close()
			return broke(err)
		}
	}
	calls, _, err := rules.Functions(sqlgate.DuckDB)
	if err != nil {
		_ = db.Close()
		return err
	}
	if c.db != nil {
		_ = c.db.Close()
	}
	c.db, c.of, c.calls = db, schema, map[string]bool{}
	for _, name := range calls {
		c.calls[name] = true
	}
	return nil
}

// typeFor is a type of the engine for the type of a column; for completion only its name is seen.
func typeFor(kind string) string {
	switch kind {
	case "integer":
		return "BIGINT"
	case "decimal", "float":
		return "DOUBLE"
	case "boolean", "date", "timestamp", "time":
		return strings.ToUpper(kind)
	}
	return "VARCHAR"
}

// kinds says what a word of the engine's is; false for what no statement that is let pass has a use for.
func (c *completers) kinds(tables []Table) func(word string) (Suggestion, bool) {
	known := map[string]Suggestion{}
	for _, t := range tables {
		for _, x := range t.Columns {
			if before, twice := known[x.Name]; twice {
				before.Detail += ", " + t.Name
				known[x.Name] = before
			} else {
				known[x.Name] = Suggestion{Kind: "column", Detail: x.Type + " in " + t.Name}
			}
		}
	}
	for _, t := range tables {
		known[t.Name] = Suggestion{Kind: "table"}
	}
	return func(word string) (Suggestion, bool) {
		bare := strings.ReplaceAll(strings.Trim(word, `"`), `""`, `"`)
		if x, ok := known[bare]; ok {
			x.Text = word
			return x, true
		}
		switch {
		case selectWords[strings.ToUpper(word)]:
			return Suggestion{Text: strings.ToUpper(word), Kind: "keyword"}, true
		case c.calls[word]:
			return Suggestion{Text: word, Kind: "function"}, true
		}
		return Suggestion{}, false
	}
}

// selectWords are the keywords of a SELECT.
var selectWords = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(`SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET WITH AS ON USING JOIN LEFT RIGHT INNER FULL OUTER CROSS ASOF
		LATERAL NATURAL SEMI ANTI UNION ALL INTERSECT EXCEPT DISTINCT CASE WHEN THEN ELSE END AND OR NOT IN IS NULL BETWEEN LIKE ILIKE SIMILAR GLOB
		ESCAPE EXISTS ANY SOME CAST TRY_CAST ASC DESC NULLS FIRST LAST OVER PARTITION ROWS RANGE WINDOW QUALIFY FILTER VALUES PIVOT UNPIVOT RECURSIVE
		TRUE FALSE INTERVAL DATE TIMESTAMP EXTRACT ROLLUP CUBE GROUPING SETS TABLESAMPLE COLLATE EXCLUDE REPLACE COLUMNS`) {
		all[w] = true
	}
	return all
}()

// ofAlias gives the columns of the table before a dot: "o." in a statement that says FROM Orders o. The engine's completion does
// not know what a statement calls its tables.
func ofAlias(head string, tables []Table) (from int, all []Suggestion, ok bool) {
	words := wordsOf(head)
	n := len(words)
	written := ""
	from = len(head)
	if n > 0 && words[n-1].name && words[n-1].end == len(head) {
		written, from, n = words[n-1].text, words[n-1].start, n-1
	}
	if n < 2 || words[n-1].text != "." || !words[n-2].name {
		return 0, nil, false
	}
	alias := words[n-2].text
	for i := range words {
		for k := range tables {
			t := &tables[k]
			if !words[i].name || !strings.EqualFold(words[i].text, t.Name) {
				continue
			}
			at := i + 1
			if at < len(words) && strings.EqualFold(words[at].text, "as") {
				at++
			}
			named := strings.EqualFold(alias, t.Name) || at < len(words) && words[at].name && strings.EqualFold(words[at].text, alias)
			if !named {
				continue
			}
			for _, c := range t.Columns {
				if strings.HasPrefix(strings.ToLower(c.Name), strings.ToLower(written)) {
					all = append(all, Suggestion{Text: bareOrQuoted(c.Name), Kind: "column", Detail: c.Type + " in " + t.Name})
				}
			}
			return from, all, true
		}
	}
	return 0, nil, false
}

// bareOrQuoted gives a name as a statement may have it.
func bareOrQuoted(name string) string {
	for i, r := range name {
		if !(r == '_' || r < 0x80 && unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r)) {
			return ident(name)
		}
	}
	return name
}

type sqlWord struct {
	text       string
	name       bool
	start, end int
}

// wordsOf cuts a statement into names and signs, without its strings and comments.
func wordsOf(s string) (all []sqlWord) {
	for i := 0; i < len(s); {
		c := s[i]
		start := i
		switch {
		case c == '-' && strings.HasPrefix(s[i:], "--"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return all
			}
			i += end + 4
		case c == '\'' || c == '"':
			for i++; i < len(s) && s[i] != c; i++ {
			}
			i = min(i+1, len(s))
			if c == '"' {
				all = append(all, sqlWord{strings.Trim(s[start:i], `"`), true, start, i})
			}
		case c == '_' || c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)):
			for i < len(s) && (s[i] == '_' || s[i] >= 0x80 || unicode.IsLetter(rune(s[i])) || unicode.IsDigit(rune(s[i]))) {
				i++
			}
			all = append(all, sqlWord{s[start:i], true, start, i})
		default:
			i++
			if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				all = append(all, sqlWord{s[start:i], false, start, i})
			}
		}
	}
	return all
}
