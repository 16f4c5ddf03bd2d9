package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/text"
)

// gate asks DuckDB's own parser whether a text is one SELECT, before the text comes near the query engine: the driver
// runs all but the last statement of a text while it prepares it. It works on an instance of its own that holds nothing.
type gate struct {
	db      *sql.DB
	checked memo[[]string] // statements that passed, with their tables: a statement is costed and then run
}

func openGate() (*gate, error) {
	connector, err := duckdb.NewConnector("?threads=1&enable_external_access=false&lock_configuration=true", nil)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "open gate", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	return &gate{db: sql.OpenDB(connector)}, nil
}

func (g *gate) close() error { return g.db.Close() }

// tableFunctions are the functions that may stand in FROM. The others reach for files or change the engine
// (enable_profiling prints to standard output).
var tableFunctions = map[string]bool{"range": true, "generate_series": true, "unnest": true, "json_each": true, "json_tree": true}

// check gives the tables that a statement names. Faults: Invalid when the text is not exactly one SELECT.
func (g *gate) check(ctx context.Context, statement string) (tables []string, err error) {
	if tables, ok := g.checked.get(statement); ok {
		return tables, nil
	}
	var raw string
	if err := g.db.QueryRowContext(ctx, "SELECT CAST(json_serialize_sql(CAST(? AS VARCHAR)) AS VARCHAR)", statement).Scan(&raw); err != nil {
		return nil, statementFault(ctx, err)
	}
	var tree struct {
		Error      bool   `json:"error"`
		Type       string `json:"error_type"`
		Message    string `json:"error_message"`
		Statements []any  `json:"statements"`
	}
	if err := json.Unmarshal([]byte(raw), &tree); err != nil {
		return nil, fault.Wrap(fault.Internal, "check statement", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	switch {
	case tree.Error && tree.Type != "not implemented":
		reason, _, _ := strings.Cut(tree.Message, "\n")
		return nil, fault.New(fault.Invalid, "check statement", text.Say("store.sql_failed", "reason", reason), text.Say("store.sql_failed_hint"))
	case tree.Error || len(tree.Statements) != 1:
		return nil, fault.New(fault.Invalid, "check statement", text.Say("store.not_one_select"), text.Say("store.not_one_select_hint"))
	}
	w := walk{tables: map[string]bool{}}
	w.visit(tree.Statements[0])
	if w.refused != "" {
		return nil, fault.New(fault.Unauthorized, "check statement", text.Say("store.function_refused", "function", w.refused), text.Say("store.forbidden_hint"))
	}
	tables = sortedKeys(w.tables)
	g.checked.put(statement, tables)
	return tables, nil
}

// bare gives a checked statement without comments and closing semicolon, so that it can stand in parentheses.
func (g *gate) bare(ctx context.Context, statement string) (plain string, err error) {
	err = g.db.QueryRowContext(ctx, "SELECT json_deserialize_sql(json_serialize_sql(CAST(? AS VARCHAR)))", statement).Scan(&plain)
	if err != nil {
		return "", statementFault(ctx, err)
	}
	return plain, nil
}

// walk collects the tables of a serialised statement and the first table function that is not allowed.
type walk struct {
	tables  map[string]bool
	refused string
}

func (w *walk) visit(node any) {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			w.visit(child)
		}
	case map[string]any:
		switch n["type"] {
		case "BASE_TABLE":
			if name, ok := n["table_name"].(string); ok {
				w.tables[name] = true
			}
		case "TABLE_FUNCTION":
			if f, ok := n["function"].(map[string]any); ok {
				if name, _ := f["function_name"].(string); !tableFunctions[strings.ToLower(name)] {
					w.refused = name
				}
			}
		case "SHOW_REF":
			w.refused = "SHOW"
		}
		for _, child := range n {
			w.visit(child)
		}
	}
}
