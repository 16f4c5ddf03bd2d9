package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Bounds of a look at a file.
const (
	previewBytes   = 4 << 20 // of text
	previewRows    = 2000    // of a table that is not text
	previewShown   = 50      // rows and rejected lines of each table
	previewCell    = 300     // characters of a cell
	previewTables  = 50
	previewColumns = 500
)

// Preview is what a look at a file tells: how it would be read, and what would come of it. Nothing of it is kept.
type Preview struct {
	File      string         `json:"file"`
	Format    string         `json:"format"`
	Bytes     int64          `json:"bytes"`
	Packed    bool           `json:"packed"`   // gzip
	Whole     bool           `json:"whole"`    // the whole file was read; otherwise its beginning, of which all that follows is said
	Text      bool           `json:"text"`     // it has no types of its own: columns may be given some
	Encoding  string         `json:"encoding"` // of text
	Delimiter string         `json:"delimiter"`
	Quote     string         `json:"quote"`  // of delimited text
	Escape    string         `json:"escape"` // of delimited text: what stands before a quote inside quotes
	Header    *bool          `json:"header"` // of delimited text
	Skip      *int           `json:"skip"`   // of delimited text: lines above the header or the first record
	Tables    []PreviewTable `json:"tables"`
	Notes     []string       `json:"notes"`
}

// PreviewTable is one table of a file that was looked at.
type PreviewTable struct {
	Name     string          `json:"name"`
	Columns  []PreviewColumn `json:"columns"`
	Rows     [][]*string     `json:"rows"`      // the first of them; null: no value
	RowCount int64           `json:"row_count"` // that were read
	Rejected int64           `json:"rejected"`  // lines that would not be in the table
	Lines    []RejectedLine  `json:"lines"`     // the first of those
}

// PreviewColumn is a column as it would be.
type PreviewColumn struct {
	Name     string `json:"name"`
	Original string `json:"original"` // as recognised
	Type     string `json:"type"`
	Written  string `json:"written"` // how its values are written, where that is not plain: 1.234,5 or DD.MM.YYYY
}

// RejectedLine is one line of a file that is not in its table.
type RejectedLine struct {
	Line   int64  `json:"line"`
	Column string `json:"column"`
	Reason string `json:"reason"`
	Raw    string `json:"raw"`
}

// Preview looks at a file as Import would read it. Of a large file it reads the beginning. It waits its turn among imports.
//
// Faults as of Import.
func (s *Store) Preview(ctx context.Context, path string, reading Reading) (*Preview, error) {
	if err := reading.check(); err != nil {
		return nil, err
	}
	in, err := look(path)
	if err != nil {
		return nil, err
	}
	unlock, err := s.lock(ctx) // its folder is one that a sweep would take away
	if err != nil {
		return nil, err
	}
	defer unlock()
	dir, err := os.MkdirTemp(s.opt.Dir, tempPrefix)
	if err != nil {
		return nil, writeFault("look at file", s.opt.Dir, err)
	}
	defer os.RemoveAll(dir)
	f, err := s.loadInChild(ctx, in, loading{Dir: dir, Reading: reading, Preview: true}, func(Progress) {})
	if err != nil {
		return nil, err
	}
	return f.Preview, nil
}

// preview is Preview in the child.
func (job loading) preview(ctx context.Context, in input, report func(Progress)) (loadedFile, error) {
	p := &Preview{File: in.file, Bytes: in.size, Packed: in.gzip, Tables: []PreviewTable{}, Notes: []string{}}
	whole := true
	var err error
	switch in.format {
	case formatCSV, formatTSV, formatNDJSON:
		if in, whole, err = beginning(in, job.Dir); err != nil {
			return loadedFile{}, err
		}
	}
	facts := newTextFacts()
	switch in.format {
	case formatCSV, formatTSV, formatNDJSON, formatJSON:
		if _, facts, err = digest(ctx, in.path, nil); err != nil {
			if ctx.Err() != nil {
				return loadedFile{}, canceled(ctx, "look at file")
			}
			return loadedFile{}, openFault("look at file", in, err)
		}
		p.Text = true
	case formatXLSX, formatSQLite:
		p.Text = true
	}
	l, err := openLoader(ctx, job, in, facts, report)
	if err != nil {
		return loadedFile{}, err
	}
	defer func() { _ = l.close() }()
	l.limit = previewRows
	if in.format == formatCSV || in.format == formatTSV {
		l.limit = 0
	}
	if err := l.load(ctx); err != nil {
		return loadedFile{}, l.fault(ctx, err)
	}
	p.Whole = whole && !l.cut
	p.Format, p.Encoding, p.Delimiter = l.in.format, l.encoding, l.delimiter
	if d := l.dialect; d != nil {
		p.Quote, p.Escape, p.Header, p.Skip = `"`, string(rune(d.Escape)), &d.Header, &d.Skip
	}
	p.Notes = append(p.Notes, l.notes...)
	for _, t := range l.tables[:min(len(l.tables), previewTables)] {
		shown, err := l.shown(ctx, t)
		if err != nil {
			return loadedFile{}, l.fault(ctx, err)
		}
		p.Tables = append(p.Tables, shown)
	}
	if len(p.Tables) == 0 {
		return loadedFile{}, invalid("look at file", "store.no_tables", l.in)
	}
	return loadedFile{Preview: p}, nil
}

// shown reads what is shown of a table.
func (l *loader) shown(ctx context.Context, t loaded) (PreviewTable, error) {
	p := PreviewTable{Name: t.Name, Columns: []PreviewColumn{}, Rows: [][]*string{}, RowCount: t.Rows, Rejected: t.Rejected, Lines: []RejectedLine{}}
	original := map[string]string{}
	for _, c := range l.reading.Columns {
		if c.Name != "" && (c.Table == "" || strings.EqualFold(c.Table, t.Name)) {
			original[lower(strings.TrimSpace(c.Name))] = c.Column
		}
	}
	var cells []string
	for _, c := range t.Columns[:min(len(t.Columns), previewColumns)] {
		of := c.Name
		if known, ok := original[lower(c.Name)]; ok {
			of = known
		}
		p.Columns = append(p.Columns, PreviewColumn{Name: c.Name, Original: of, Type: c.Type, Written: l.forms[[2]string{t.Name, c.Name}]})
		cells = append(cells, fmt.Sprintf("left(CAST(%s AS VARCHAR), %d)", ident(c.Name), previewCell))
	}
	rows, err := l.conn.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(cells, ", "), targetTable(t.Name), previewShown))
	if err != nil {
		return p, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row, into := make([]*string, len(cells)), make([]any, len(cells))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return p, err
		}
		p.Rows = append(p.Rows, row)
	}
	if err := rows.Err(); err != nil || t.Rejects == "" {
		return p, err
	}
	lines, err := l.texts(ctx, fmt.Sprintf(`SELECT CAST(line AS VARCHAR), coalesce("column", ''), reason, left(raw, %d) FROM %s ORDER BY line LIMIT %d`, previewCell, targetTable(t.Rejects), previewShown))
	for _, x := range lines {
		p.Lines = append(p.Lines, RejectedLine{Line: parseCount(x[0]), Column: x[1], Reason: x[2], Raw: x[3]})
	}
	return p, err
}

// beginning puts the first part of a large text into the folder of the import, unpacked, and says whether that is all of it.
// It ends with a whole line where its bytes tell where one ends.
func beginning(in input, dir string) (input, bool, error) {
	if !in.gzip && in.size <= previewBytes {
		return in, true, nil
	}
	f, err := os.Open(in.path)
	if err != nil {
		return in, false, openFault("look at file", in, err)
	}
	defer f.Close()
	var r io.Reader = f
	if in.gzip {
		if r, err = gzip.NewReader(f); err != nil {
			return in, false, damaged("look at file", in, err)
		}
	}
	part, err := io.ReadAll(io.LimitReader(r, previewBytes+1))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return in, false, damaged("look at file", in, err)
	}
	whole := len(part) <= previewBytes
	if !whole {
		part = part[:previewBytes]
		if _, enc := decodeHead(part[:headSize]); enc != encodingUTF16LE && enc != encodingUTF16BE {
			if end := bytes.LastIndexByte(part, '\n'); end > 0 {
				part = part[:end+1]
			}
		}
	}
	in.path, in.gzip, in.size = filepath.Join(dir, "beginning"), false, int64(len(part))
	if err := os.WriteFile(in.path, part, 0o600); err != nil {
		return in, whole, writeFault("look at file", dir, err)
	}
	return in, whole, nil
}

// Rejected reads the lines of a table's source that are not in the table as they are written: the first of them, and how many
// there are.
// Faults: NotFound (no such table), and those of Query.
func (s *Store) Rejected(ctx context.Context, table string, most int) (lines []RejectedLine, all int64, err error) {
	t, ok := s.table(table)
	if !ok {
		return nil, 0, noTable(table)
	}
	lines = []RejectedLine{}
	if t.RejectTable == "" {
		return lines, 0, nil
	}
	frame, err := s.Query(ctx, selectRejected(t.RejectTable, most))
	if err != nil {
		return nil, 0, err
	}
	counted, err := s.Query(ctx, frameql.Statement{SQL: "SELECT count(*) FROM " + ident(t.RejectTable)})
	if err != nil {
		return nil, 0, err
	}
	all, _ = counted.Rows[0][0].(int64)
	for _, r := range frame.Rows {
		line, _ := r[0].(int64)
		lines = append(lines, RejectedLine{Line: line, Column: textOf(r[1]), Reason: textOf(r[2]), Raw: textOf(r[3])})
	}
	return lines, all, nil
}

func textOf(cell any) string {
	s, _ := cell.(string)
	return s
}

func (s *Store) table(name string) (Table, bool) {
	for _, src := range s.Sources() {
		for _, t := range src.Tables {
			if strings.EqualFold(t.Name, name) {
				return t, true
			}
		}
	}
	return Table{}, false
}

func noTable(name string) error {
	return notFound("find table", text.Say("store.no_table", "table", name), text.Say("store.no_table_hint"))
}
