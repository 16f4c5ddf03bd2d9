package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/store/sniff"
	"assay/backend/text"
)

// importFile is the database file that an import writes, in its folder.
const importFile = "import" + databaseSuffix

// target is the catalog name of the file that is being written.
const target = "target"

// loader writes one file's tables into a new DuckDB file in a folder of the import's own. It is an engine in memory with
// that file attached; what does not fit into memory is spilled into the same folder.
type loader struct {
	in     input
	dir    string // the import's folder
	file   string // the DuckDB file in it
	facts  textFacts
	report func(Progress)

	db     *sql.DB
	conn   *sql.Conn
	tables []loaded
	notes  []string
	told   []Note // what answers say

	encoding, delimiter string
	dialect             *sniff.Dialect // of delimited text

	reading Reading
	limit   int                  // rows of a table that are read; 0: all
	cut     bool                 // there was more than that
	forms   map[[2]string]string // table, column -> how its values are written, where that is not plain
}

// loaded is a table that was written.
type loaded struct {
	Name     string // in the file
	Columns  []Column
	Rows     int64
	Rejected int64
	Rejects  string // its rejects table; empty: none
	Key      []string
	Foreign  []ForeignKey
	Notes    []Note
	Numbers  map[string]compile.Number // by column
}

func openLoader(ctx context.Context, job loading, in input, facts textFacts, report func(Progress)) (*loader, error) {
	l := &loader{in: in, dir: job.Dir, file: filepath.Join(job.Dir, importFile), facts: facts, report: report, reading: job.Reading, forms: map[[2]string]string{}}
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return nil, l.fault(ctx, err)
	}
	l.db = sql.OpenDB(connector)
	if l.conn, err = l.db.Conn(ctx); err != nil {
		_ = l.close()
		return nil, l.fault(ctx, err)
	}
	settings := []string{
		"SET memory_limit=" + literal(job.MemoryLimit),
		"SET temp_directory=" + literal(filepath.Join(job.Dir, "spill")),
		"SET TimeZone='UTC'",
		"SET enable_progress_bar=true", "SET enable_progress_bar_print=false", // so that progress can be asked for
		"SET autoinstall_known_extensions=false", "SET autoload_known_extensions=false",
	}
	if job.Threads > 0 {
		settings = append(settings, fmt.Sprintf("SET threads=%d", job.Threads))
	}
	settings = append(settings, fmt.Sprintf("ATTACH %s AS %s", literal(l.file), target))
	for _, s := range settings {
		if err := l.exec(ctx, s); err != nil {
			_ = l.close()
			return nil, l.fault(ctx, err)
		}
	}
	return l, nil
}

// close ends the engine; the folder belongs to the import. A second call does nothing.
func (l *loader) close() error {
	var err error
	if l.conn != nil {
		err = l.conn.Close()
	}
	if l.db != nil {
		if closing := l.db.Close(); err == nil {
			err = closing
		}
	}
	l.conn, l.db = nil, nil
	return err
}

// finish makes the file whole: everything out of the write-ahead log and on disk.
func (l *loader) finish(ctx context.Context) error {
	for _, s := range []string{"CHECKPOINT " + target, "DETACH " + target} {
		if err := l.exec(ctx, s); err != nil {
			return l.fault(ctx, err)
		}
	}
	if err := l.close(); err != nil {
		return l.fault(ctx, err)
	}
	f, err := os.OpenFile(l.file, os.O_RDWR, 0)
	if err != nil {
		return writeFault("finish import", l.dir, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return writeFault("finish import", l.dir, err)
	}
	return nil
}

func (l *loader) note(sentence string) {
	for _, n := range l.notes {
		if n == sentence {
			return
		}
	}
	l.notes = append(l.notes, sentence)
}

// fewPercent is the share of lines or fields from which on it is more than a remark that they were not taken.
const fewPercent = 3

// tell keeps a note for the answers and says it here, too. Its severity follows from its count where it has none.
func (l *loader) tell(n Note, sentence string) {
	n.Text = sentence
	if n.Severity == "" {
		n.Severity = "info"
		if n.Count*100 > n.Of*fewPercent {
			n.Severity = "caution"
		}
	}
	l.told = append(l.told, n)
	l.note(sentence)
}

// toldOf gives the notes of a table, or of all of them where the note names none.
func toldOf(all []Note, table string) (own []Note) {
	for _, n := range all {
		if n.Table == table || n.Table == "" {
			n.Table = ""
			own = append(own, n)
		}
	}
	return own
}

// noteViews says in one sentence which views were left out.
func (l *loader) noteViews(names []string) {
	if len(names) > 0 {
		l.note(text.Say("store.note_views_skipped", "views", strings.Join(names, ", ")))
	}
}

func (l *loader) exec(ctx context.Context, statement string) error {
	_, err := l.conn.ExecContext(ctx, statement)
	return err
}

// number gives the first cell of a result as an integer.
func (l *loader) number(ctx context.Context, query string) (n int64, err error) {
	err = l.conn.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}

// texts gives all rows of a result of text columns; NULL is the empty text.
func (l *loader) texts(ctx context.Context, query string) ([][]string, error) {
	rows, err := l.conn.QueryContext(ctx, query)
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
		cells := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(names))
		for i, c := range cells {
			row[i] = c.String
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// fault classifies what happened to the import. A fault passes as it is.
func (l *loader) fault(ctx context.Context, err error) error {
	const op = "import file"
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	switch engineType(err) {
	case duckdb.ErrorTypeOutOfMemory:
		return fault.Wrap(fault.Limit, op, text.Say("store.import_memory", "file", l.in.file), text.Say("store.import_memory_hint"), err)
	case duckdb.ErrorTypeIO, duckdb.ErrorTypeFatal, duckdb.ErrorTypeInvalid, duckdb.ErrorTypeTransaction:
		if full := l.room(); full != nil && noSpace(full) {
			return writeFault(op, filepath.Dir(l.dir), full)
		}
	}
	return fault.Wrap(fault.Invalid, op, text.Say("store.unreadable_as", "file", l.in.file, "format", l.in.format, "reason", engineReason(err)), text.Say("store.damaged_hint"), err)
}

// room asks the system whether there is room for the import, because the engine says no more than that writing failed,
// and may have given room back since: as much is written as the import may have needed, 1 GB at most. The import is
// lost already when this is asked.
func (l *loader) room() error {
	f, err := os.Create(filepath.Join(l.dir, "room"))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	block := make([]byte, 1<<20)
	for need := min(2*l.in.size+16<<20, 1<<30); need > 0; need -= int64(len(block)) {
		if _, err := f.Write(block); err != nil {
			return err
		}
	}
	return f.Sync()
}

// columnsOf describes a table as it was written.
func (l *loader) columnsOf(ctx context.Context, table string) ([]Column, error) {
	rows, err := l.texts(ctx, fmt.Sprintf("SELECT column_name, data_type FROM duckdb_columns() WHERE database_name = %s AND schema_name = 'main' AND table_name = %s ORDER BY column_index", literal(target), literal(table)))
	if err != nil {
		return nil, err
	}
	columns := make([]Column, len(rows))
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r[0]
		columns[i] = Column{Name: r[0], Type: columnType(r[1]), EngineType: r[1]}
	}
	for i, a := range aliases(names, "column") {
		columns[i].Alias = a
	}
	return columns, nil
}

// bound is the end of a SELECT that reads no more rows than are wanted.
func (l *loader) bound() string {
	if l.limit == 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", l.limit)
}

// header says whether a delimited text has one; nil: it is none.
func (l *loader) header() *bool {
	if l.dialect == nil {
		return nil
	}
	return &l.dialect.Header
}

func targetTable(name string) string { return target + ".main." + ident(name) }

// globbed writes a path so that the engine's readers take it for one file and not for a pattern.
func globbed(path string) string {
	return literal(strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(path))
}
