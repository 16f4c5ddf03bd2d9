package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/sqlgate"
	"assay/backend/text"
)

// gate judges a text before it comes near the query engine, whose driver runs all but the last statement of a text while it
// prepares it. It parses on an instance of its own that holds nothing.
type gate struct {
	db      *sql.DB
	tree    *sql.Stmt
	rules   *sqlgate.Gate
	checked memo[sqlgate.Verdict] // statements that passed: a statement is costed and then run
}

// longestStatement is what our own compiler may write; a person's text is as safe at that length.
const longestStatement = 4 << 20

func openGate() (*gate, error) {
	connector, err := duckdb.NewConnector("?threads=1&enable_external_access=false&lock_configuration=true", nil)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "open gate", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	g := &gate{db: sql.OpenDB(connector)}
	g.tree, err = g.db.Prepare(sqlgate.DuckDBTree)
	if err != nil {
		_ = g.db.Close()
		return nil, fault.Wrap(fault.Internal, "open gate", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	g.rules = sqlgate.New(g.parse)
	return g, nil
}

func (g *gate) close() error { return errors.Join(g.tree.Close(), g.db.Close()) }

// parse is what sqlgate wants of the engine.
func (g *gate) parse(ctx context.Context, statement string) (tree string, err error) {
	err = g.tree.QueryRowContext(ctx, statement).Scan(&tree)
	if err != nil {
		return "", statementFault(ctx, err)
	}
	return tree, nil
}

// OpenParser gives DuckDB's own parser for a gate that has no store, on an instance that holds nothing and can reach nothing.
// Faults: Internal.
func OpenParser() (parse sqlgate.ParseDuckDB, closing func() error, err error) {
	g, err := openGate()
	if err != nil {
		return nil, nil, err
	}
	return g.parse, g.close, nil
}

// judge gives the verdict on a statement that is allowed over some tables. Faults: Invalid when the text is not exactly one SELECT, Unauthorized
// when it reaches for something else.
func (g *gate) judge(ctx context.Context, statement string, tables []string) (sqlgate.Verdict, error) {
	p := sqlgate.Policy{Tables: tables, MaxBytes: longestStatement}
	if v, ok := g.checked.get(statement); ok && within(v.Objects, tables) {
		return v, nil
	}
	v, err := g.rules.Check(ctx, sqlgate.DuckDB, statement, p)
	if err != nil {
		if ctx.Err() != nil {
			return v, canceled(ctx, "check statement")
		}
		return v, err
	}
	if !v.Allowed {
		code, hint := fault.Unauthorized, "store.forbidden_hint"
		switch {
		case strings.HasPrefix(v.Rule, "statement."):
			code, hint = fault.Invalid, "store.not_one_select_hint"
		case strings.HasPrefix(v.Rule, "text.") || strings.HasPrefix(v.Rule, "size."):
			code, hint = fault.Invalid, "store.sql_failed_hint"
		}
		return v, fault.New(code, "check statement", v.Reason, text.Say(hint))
	}
	g.checked.put(statement, v)
	return v, nil
}

// within says whether all objects are tables.
func within(objects, tables []string) bool {
	known := make(map[string]bool, len(tables))
	for _, t := range tables {
		known[strings.ToLower(t)] = true
	}
	for _, o := range objects {
		if !known[o] {
			return false
		}
	}
	return true
}

// bare gives a checked statement without comments and closing semicolon, so that it can stand in parentheses.
func (g *gate) bare(ctx context.Context, statement string) (plain string, err error) {
	err = g.db.QueryRowContext(ctx, "SELECT json_deserialize_sql(json_serialize_sql(CAST(? AS VARCHAR)))", statement).Scan(&plain)
	if err != nil {
		return "", statementFault(ctx, err)
	}
	return plain, nil
}
