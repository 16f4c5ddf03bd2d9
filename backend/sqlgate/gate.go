package sqlgate

import (
	"context"
)

// Dialect names the engine whose grammar a statement is read by.
type Dialect string

// The dialects.
const (
	DuckDB     Dialect = "duckdb"
	Postgres   Dialect = "postgres"
	MySQL      Dialect = "mysql"
	MariaDB    Dialect = "mariadb"
	ClickHouse Dialect = "clickhouse" // a strict subset by a grammar of our own: what it does not know, it refuses
)

// Dialects are all of them, in the order of the documentation.
var dialects = []Dialect{DuckDB, Postgres, MySQL, MariaDB, ClickHouse}

// Dialects lists the dialects that Check reads.
func Dialects() []Dialect { return append([]Dialect(nil), dialects...) }

// Verdict is what the gate says of one statement. It is about the exact bytes that were given.
type Verdict struct {
	Allowed bool
	SQLType string // SELECT, WITH...SELECT, INSERT, DROP, ...; MULTIPLE for several statements; empty: no statement
	Rule    string // the rule that refused it, as in rules.go; empty when allowed
	Reason  string // one plain sentence; empty when allowed

	// Objects, Schemas and Functions are what the statement uses, sorted, names as the dialect stores them. Objects are named as
	// the statement does, common table expressions left out. Of a refused statement they hold only what the policy
	// allows: a verdict never tells somebody what they may not see.
	Objects, Schemas, Functions []string

	Shape Shape

	// Pivot is set when the statement is a DuckDB PIVOT that names no values: the engine would run several statements. It is
	// allowed as the pair of statements that Pivot makes, and never as it stands.
	Pivot *Pivot
}

// Shape counts what makes a statement complex. A subquery in FROM, an expression or a lateral join counts as one.
type Shape struct{ Joins, CTEs, Windows, Subqueries, Aggregates int }

// DuckDBTree is the query by which DuckDB writes the tree of a statement, which is its only parameter. What is null or empty is
// left out: a third of the fields.
const DuckDBTree = "SELECT CAST(json_serialize_sql(CAST(? AS VARCHAR), skip_null := true, skip_empty := true) AS VARCHAR)"

// ParseDuckDB gives the tree of a statement as DuckDBTree writes it. It must parse with the same build of the engine
// that will run the statement, on a connection that holds no data.
type ParseDuckDB func(ctx context.Context, sql string) (json string, err error)

// Gate judges statements. Its methods may be called from any goroutine.
type Gate struct {
	parse ParseDuckDB
	lists func() (map[Dialect]*list, error)
}

// New gives a gate. parse may be nil: then every statement of DuckDB is refused.
func New(parse ParseDuckDB) *Gate {
	return &Gate{parse: parse, lists: knownLists}
}

// MaxBytes is the length of the longest statement that is read.
const MaxBytes = 64 << 10

// Check says whether a text is one read-only SELECT of the dialect over objects that the policy allows. It changes nothing,
// runs nothing and opens nothing.
//
// The error is one of the machine: the parser is broken (fault.Internal), or the context ended. Whatever is wrong with the
// statement is a verdict.
func (g *Gate) Check(ctx context.Context, dialect Dialect, sql string, p Policy) (Verdict, error) {
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	lists, err := g.lists()
	if err != nil {
		return Verdict{}, broken(err)
	}
	l := lists[dialect]
	if l == nil {
		return refusal(Verdict{}, ruleDialect), nil
	}
	if rule := checkText(dialect, sql, p.maxBytes()); rule != "" {
		return refusal(Verdict{SQLType: ""}, rule), nil
	}
	tokens, rule := scan(dialect, sql)
	if rule == "" {
		rule = checkSize(tokens)
	}
	kind := statementKind(tokens)
	if rule != "" {
		return refusal(Verdict{SQLType: kind}, rule), nil
	}
	w := newWalk(dialect, l, p, kind)
	defer w.trees.clear()
	switch dialect {
	case DuckDB:
		err = g.checkDuckDB(ctx, w, sql, tokens)
	case Postgres:
		checkPostgres(w, sql)
	case MySQL, MariaDB:
		checkMySQL(w, sql, tokens)
	case ClickHouse:
		checkClickHouse(w, tokens)
	}
	if err != nil {
		return Verdict{}, err
	}
	if len(kindsOf(tokens)) != 1 { // the gate's own reading must agree that this is one statement
		w.refuse(ruleDisagree)
	}
	return w.verdict(), nil
}
