package store

import (
	"context"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/text"
)

// origin is the catalog name of a DuckDB file that is read.
const origin = "origin"

// loadDuckDB loads every table of the main schema of a DuckDB file with its declared keys.
func (l *loader) loadDuckDB(ctx context.Context) error {
	if err := l.exec(ctx, fmt.Sprintf("ATTACH %s AS %s (READ_ONLY)", literal(l.in.path), origin)); err != nil {
		if ctx.Err() == nil && engineType(err) == duckdb.ErrorTypeIO {
			if lockedElsewhere(l.in.path) {
				return fault.Wrap(fault.Conflict, "import file", text.Say("store.in_use", "file", l.in.file), text.Say("store.in_use_hint"), err)
			}
			return damaged("import file", l.in, err)
		}
		return err
	}
	where := " WHERE database_name = " + literal(origin) + " AND schema_name = 'main' AND NOT internal ORDER BY 1"
	tables, err := l.texts(ctx, "SELECT table_name FROM duckdb_tables()"+where)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if l.limit == 0 && !l.reading.takes(t[0]) {
			continue
		}
		written, err := l.writeTyped(ctx, t[0], origin+".main."+ident(t[0]))
		if err != nil {
			return err
		}
		if err := l.duckdbKeys(ctx, t[0], &written); err != nil {
			return err
		}
		for i, k := range written.Key {
			written.Key[i] = l.reading.called(t[0], k)
		}
		l.reading.refer(t[0], written.Foreign)
		l.tables = append(l.tables, written)
	}
	views, err := l.texts(ctx, "SELECT view_name FROM duckdb_views()"+where)
	if err != nil {
		return err
	}
	var names []string
	for _, v := range views {
		names = append(names, v[0])
	}
	l.noteViews(names)
	return l.exec(ctx, "DETACH "+origin)
}

// duckdbKeys reads the declared keys of a table.
func (l *loader) duckdbKeys(ctx context.Context, table string, into *loaded) error {
	rows, err := l.conn.QueryContext(ctx, `SELECT constraint_type, constraint_column_names, coalesce(referenced_table, ''), referenced_column_names
		FROM duckdb_constraints() WHERE database_name = `+literal(origin)+` AND schema_name = 'main' AND table_name = `+literal(table)+`
		AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY constraint_index`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var kind, referred string
		var columns, references any
		if err := rows.Scan(&kind, &columns, &referred, &references); err != nil {
			return err
		}
		switch kind {
		case "PRIMARY KEY":
			into.Key = textList(columns)
		case "FOREIGN KEY":
			into.Foreign = append(into.Foreign, ForeignKey{Columns: textList(columns), RefTable: referred, RefColumns: textList(references)})
		}
	}
	return rows.Err()
}

// textList reads a list of text as the driver hands it out.
func textList(list any) []string {
	var out []string
	if all, ok := list.([]any); ok {
		for _, v := range all {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}
