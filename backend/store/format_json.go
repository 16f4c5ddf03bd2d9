package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/text"
)

// largestObject bounds one JSON value of the outermost level, in bytes.
const largestObject = 256 << 20

// loadJSON loads an array of objects, or objects one behind the other. The keys of all objects are the columns, and
// those of objects in them that are alike; other nested values stay JSON text. A document that wraps its rows, {"data": [{…}, …]}, gives those rows.
func (l *loader) loadJSON(ctx context.Context) error {
	path, enc, err := l.plainText(ctx)
	if err != nil {
		return err
	}
	l.encoding = enc
	format := "auto"
	if l.in.format == formatNDJSON {
		format = "newline_delimited"
	}
	raw := fmt.Sprintf("CREATE OR REPLACE TEMP TABLE raw AS SELECT * FROM read_json(%s, format='%s', maximum_depth=1, sample_size=-1, maximum_object_size=%d)", globbed(path), format, largestObject)
	if err := l.execWatched(ctx, raw); err != nil {
		if ctx.Err() == nil && engineType(err) == duckdb.ErrorTypeInvalidInput {
			if line, bad := badLine(path); bad {
				return fault.Wrap(fault.Invalid, "import file", text.Say("store.bad_json", "file", l.in.file, "line", line), text.Say("store.bad_json_hint"), err)
			}
		}
		return err
	}
	if err := l.unwrap(ctx); err != nil {
		return err
	}
	if err := l.spreadObjects(ctx); err != nil {
		return err
	}
	columns, err := l.texts(ctx, "SELECT column_name, CAST(column_index AS VARCHAR) FROM duckdb_columns() WHERE database_name = 'temp' AND table_name = 'raw' ORDER BY column_index")
	if err != nil {
		return err
	}
	var exprs, nested []string
	for _, c := range columns {
		nested = append(nested, fmt.Sprintf("CAST(coalesce(bool_or(json_type(%s) IN ('OBJECT', 'ARRAY')), false) AS VARCHAR)", asJSON(c[0])))
	}
	answers, err := l.texts(ctx, "SELECT CAST(count(*) AS VARCHAR), "+strings.Join(nested, ", ")+" FROM temp.main.raw")
	if err != nil {
		return err
	}
	if answers[0][0] == "0" {
		return invalid("import file", "store.file_blank", l.in)
	}
	t := textTable{name: l.in.stem}
	for i, c := range columns {
		v := asJSON(c[0]) + "->>'$'"
		if answers[0][i+1] == "true" {
			v = "CAST(" + asJSON(c[0]) + " AS VARCHAR)"
		}
		exprs = append(exprs, v+" AS "+ident(c[0]))
		t.columns = append(t.columns, textColumn{name: c[0]})
	}
	t.from = "(SELECT " + strings.Join(exprs, ", ") + " FROM temp.main.raw" + l.bound() + ")"
	if err := t.want(l); err != nil {
		return err
	}
	if err := l.sample(ctx, &t); err != nil {
		return err
	}
	rows, err := l.writeText(ctx, &t)
	if err != nil {
		return err
	}
	written := loaded{Name: t.name, Rows: rows}
	if written.Columns, err = l.columnsOf(ctx, t.name); err != nil {
		return err
	}
	for i := range written.Columns {
		if answers[0][i+1] == "true" && written.Columns[i].EngineType == "VARCHAR" {
			written.Columns[i].Type = "json"
			l.note(text.Say("store.note_nested", "table", t.name, "column", written.Columns[i].Name))
		}
	}
	l.cut = l.cut || l.limit > 0 && rows >= int64(l.limit)
	l.tables = append(l.tables, written)
	return nil
}

// asJSON is a column of the raw table as JSON, whatever type the reader gave it.
func asJSON(column string) string { return "to_json(" + ident(column) + ")" }

// unwrap replaces the raw table by the rows of its only list of objects when it is one single object.
func (l *loader) unwrap(ctx context.Context) error {
	n, err := l.number(ctx, "SELECT count(*) FROM temp.main.raw")
	if err != nil || n != 1 {
		return err
	}
	columns, err := l.texts(ctx, "SELECT column_name FROM duckdb_columns() WHERE database_name = 'temp' AND table_name = 'raw' ORDER BY column_index")
	if err != nil {
		return err
	}
	list := ""
	for _, c := range columns {
		kind, err := l.texts(ctx, fmt.Sprintf("SELECT json_type(%s), json_type(%s, '$[0]') FROM temp.main.raw", asJSON(c[0]), asJSON(c[0])))
		if err != nil {
			return err
		}
		if kind[0][0] == "ARRAY" && kind[0][1] == "OBJECT" {
			if list != "" {
				return nil
			}
			list = c[0]
		}
	}
	if list == "" {
		return nil
	}
	rows := fmt.Sprintf("(SELECT unnest(from_json(%s, '[\"JSON\"]')) AS r FROM temp.main.raw)", asJSON(list))
	keys, err := l.texts(ctx, "SELECT k FROM (SELECT unnest(json_keys(r)) AS k, generate_subscripts(json_keys(r), 1) AS place FROM "+rows+") GROUP BY k ORDER BY min(place), k")
	if err != nil {
		return err
	}
	var exprs []string
	for _, k := range keys {
		exprs = append(exprs, fmt.Sprintf("json_extract(r, %s) AS %s", literal(jsonPointer(k[0])), ident(k[0])))
	}
	l.note(text.Say("store.note_unwrapped", "key", list))
	return l.exec(ctx, fmt.Sprintf("CREATE OR REPLACE TEMP TABLE raw AS SELECT %s FROM %s", strings.Join(exprs, ", "), rows))
}

// sample fills the sample values of a table from its first rows.
func (l *loader) sample(ctx context.Context, t *textTable) error {
	rows, err := l.conn.QueryContext(ctx, fmt.Sprintf("SELECT * FROM %s LIMIT %d", t.from, sampleRecords))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	tallies := make([]tally, len(t.columns))
	cells, into := make([]sql.NullString, len(tallies)), make([]any, len(tallies))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, c := range cells {
			if c.Valid {
				tallies[i].add(c.String)
			}
		}
	}
	for i := range tallies {
		t.columns[i].values = tallies[i].values
	}
	return rows.Err()
}

// badLine finds the first line that is no JSON.
func badLine(path string) (line int, bad bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	d := json.NewDecoder(f)
	depth := 0
	for err == nil {
		var t json.Token
		t, err = d.Token()
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	if errors.Is(err, io.EOF) && depth == 0 {
		return 0, false
	}
	offset := d.InputOffset()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, false
	}
	line = 1
	buf := make([]byte, 1<<16)
	for offset > 0 {
		n, err := f.Read(buf[:min(int64(len(buf)), offset)])
		line += bytes.Count(buf[:n], []byte{'\n'})
		offset -= int64(n)
		if err != nil {
			break
		}
	}
	return line, true
}
