package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"assay/backend/fault"
	"assay/backend/store/sniff"
	"assay/backend/text"
)

// loadSQLite loads every table of a SQLite database with its declared keys. Declared types are advice: in SQLite the values
// have the types, so they are asked.
func (l *loader) loadSQLite(ctx context.Context) error {
	db, err := l.openSQLite(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	objects, err := sqliteRows(ctx, db, "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
	if err != nil {
		return l.sqliteFault(ctx, err)
	}
	var views []string
	for _, o := range objects {
		switch name, kind := o[0], o[1]; kind {
		case "table":
			if l.limit == 0 && !l.reading.takes(name) {
				continue
			}
			if err := l.loadSQLiteTable(ctx, db, name); err != nil {
				return l.sqliteFault(ctx, err)
			}
		case "view":
			views = append(views, name)
		case "virtual":
			l.note(text.Say("store.note_virtual_skipped", "table", name))
		}
	}
	l.noteViews(views)
	return nil
}

// openSQLite opens a copy of the database in the import's folder, with its write-ahead log when there is one: nothing is
// written beside the original and no lock is held on it. The copy is opened for reading, and its schema is not trusted.
func (l *loader) openSQLite(ctx context.Context) (*sql.DB, error) {
	copied := filepath.Join(l.dir, "origin.sqlite")
	for _, suffix := range []string{"", "-wal"} {
		if err := l.copyFile(ctx, l.in.path+suffix, copied+suffix); err != nil {
			if suffix != "" && os.IsNotExist(err) {
				continue
			}
			return nil, err
		}
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: copied}).EscapedPath()+"?_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func (l *loader) copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return writeFault("copy file", l.dir, err)
	}
	defer out.Close()
	buf := make([]byte, 1<<20)
	for {
		if ctx.Err() != nil {
			return canceled(ctx, "copy file")
		}
		n, err := in.Read(buf)
		if _, err := out.Write(buf[:n]); err != nil {
			return writeFault("copy file", l.dir, err)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return openFault("copy file", l.in, err)
		}
	}
}

// sqliteFault says that the database is damaged when SQLite does.
func (l *loader) sqliteFault(ctx context.Context, err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && ctx.Err() == nil {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FORMAT:
			return damaged("import file", l.in, err)
		default:
			return fault.Wrap(fault.Invalid, "import file", text.Say("store.unreadable_as", "file", l.in.file, "format", l.in.format, "reason", e.Error()), text.Say("store.damaged_hint"), err)
		}
	}
	return l.fault(ctx, err)
}

// sqliteColumn is a column with what its declaration and its values say.
type sqliteColumn struct {
	name     string
	declared string // upper case
	key      int    // place in the primary key, from 1; 0: none
	binary   bool   // some value is no text
	others   bool   // some value is neither 0 nor 1
}

func (l *loader) loadSQLiteTable(ctx context.Context, db *sql.DB, table string) error {
	columns, err := sqliteColumns(ctx, db, table)
	if err != nil {
		return err
	}
	selected, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		// The plus takes the declared type off, so that the driver hands out what is stored.
		selected[i], names[i] = "+"+ident(c.name), c.name
	}
	st, err := l.openStage(ctx, names)
	if err != nil {
		return err
	}
	defer func() { _ = st.end() }() // again only after a failure
	rows, err := db.QueryContext(ctx, "SELECT "+strings.Join(selected, ", ")+" FROM "+ident(table)+l.bound())
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	cells, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range cells {
			if s, ok := columns[i].text(v); ok {
				st.set(i, s)
			}
		}
		if err := st.add(ctx); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	l.cut = l.cut || l.limit > 0 && st.rows >= int64(l.limit)
	t := textTable{name: table}
	for i, c := range columns {
		if c.binary {
			l.note(text.Say("store.note_blob_dropped", "table", table, "column", c.name))
			continue
		}
		t.columns = append(t.columns, textColumn{name: c.name, values: st.tallies[i].values, accept: c.accept(), places: c.places(), flags: c.flags()})
	}
	if len(t.columns) == 0 {
		return st.end()
	}
	written, err := st.write(ctx, t)
	if err != nil {
		return err
	}
	for place := 1; place <= len(columns); place++ {
		for _, c := range columns {
			if c.key == place {
				written.Key = append(written.Key, l.reading.called(table, c.name))
			}
		}
	}
	if written.Foreign, err = sqliteForeignKeys(ctx, db, table); err != nil {
		return err
	}
	l.reading.refer(table, written.Foreign)
	l.tables = append(l.tables, written)
	return nil
}

// text writes a value as text; false for NULL.
func (c *sqliteColumn) text(v any) (string, bool) {
	switch x := v.(type) {
	case nil:
		return "", false
	case int64:
		c.others = c.others || x != 0 && x != 1
		return strconv.FormatInt(x, 10), true
	case float64:
		c.others = true
		return floatText(x), true
	case []byte:
		c.others = true
		c.binary = c.binary || !utf8.Valid(x)
		return string(x), true
	default:
		c.others = true
		return fmt.Sprint(x), true
	}
}

// floatText writes a float so that it reads back the same and shows that it is one: 18 is 18.0.
func floatText(f float64) string {
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		return strconv.FormatFloat(f, 'g', -1, 64)
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return strconv.FormatFloat(f, 'f', 1, 64)
	case math.Abs(f) >= 1e15 || math.Abs(f) < 1e-6:
		return strconv.FormatFloat(f, 'e', -1, 64)
	default:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
}

// accept follows SQLite's rules of affinity: a column declared as text keeps its digits as text.
func (c *sqliteColumn) accept() sniff.Accepts {
	if strings.Contains(c.declared, "INT") {
		return sniff.Anything
	}
	for _, word := range []string{"CHAR", "CLOB", "TEXT", "STRING"} {
		if strings.Contains(c.declared, word) {
			return sniff.Calendar
		}
	}
	return sniff.Anything
}

// flags says whether the column is declared boolean and holds nothing but 0 and 1.
func (c *sqliteColumn) flags() bool { return strings.HasPrefix(c.declared, "BOOL") && !c.others }

var declaredPlaces = regexp.MustCompile(`^(?:DECIMAL|NUMERIC|MONEY|NUMBER)\s*\(\s*\d+\s*,\s*(\d+)\s*\)`)

// places gives the declared decimal places: 2 of DECIMAL(10,2).
func (c *sqliteColumn) places() int {
	m := declaredPlaces.FindStringSubmatch(c.declared)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n > sniff.MaxScale {
		return 0
	}
	return n
}

func sqliteColumns(ctx context.Context, db *sql.DB, table string) ([]sqliteColumn, error) {
	rows, err := sqliteRows(ctx, db, "SELECT name, coalesce(type, ''), pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid", table)
	if err != nil {
		return nil, err
	}
	columns := make([]sqliteColumn, len(rows))
	for i, r := range rows {
		columns[i] = sqliteColumn{name: r[0], declared: strings.ToUpper(r[1]), key: int(parseCount(r[2]))}
	}
	return columns, nil
}

// sqliteForeignKeys gives the declared references; one to a table without named columns is to its primary key.
func sqliteForeignKeys(ctx context.Context, db *sql.DB, table string) ([]ForeignKey, error) {
	rows, err := sqliteRows(ctx, db, `SELECT id, "table", "from", coalesce("to", '') FROM pragma_foreign_key_list(?) ORDER BY id, seq`, table)
	if err != nil {
		return nil, err
	}
	byID := map[string]*ForeignKey{}
	var ids []string
	for _, r := range rows {
		f := byID[r[0]]
		if f == nil {
			f = &ForeignKey{RefTable: r[1]}
			byID[r[0]] = f
			ids = append(ids, r[0])
		}
		f.Columns = append(f.Columns, r[2])
		if r[3] != "" {
			f.RefColumns = append(f.RefColumns, r[3])
		}
	}
	sort.Strings(ids)
	var keys []ForeignKey
	for _, id := range ids {
		f := byID[id]
		if len(f.RefColumns) == 0 {
			primary, err := sqliteRows(ctx, db, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", f.RefTable)
			if err != nil {
				return nil, err
			}
			for _, p := range primary {
				f.RefColumns = append(f.RefColumns, p[0])
			}
		}
		if len(f.RefColumns) == len(f.Columns) {
			keys = append(keys, *f)
		}
	}
	return keys, nil
}

// sqliteRows gives all rows of a query as text.
func sqliteRows(ctx context.Context, db *sql.DB, query string, args ...any) ([][]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all [][]string
	for rows.Next() {
		row, into := make([]string, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
