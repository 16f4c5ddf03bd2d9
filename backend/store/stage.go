package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/duckdb/duckdb-go/v2"
)

// stage is a temporary table of text columns that is filled row by row from Go. Its types are found out and it is written
// by writeText, like delimited text.
type stage struct {
	*loader
	table   string
	names   []string
	tallies []tally
	rows    int64
	app     *duckdb.Appender
	row     []driver.Value
}

// openStage makes the table of a stage. The caller closes it with end, or leaves it to the end of the import when that fails.
func (l *loader) openStage(ctx context.Context, names []string) (*stage, error) {
	s := &stage{loader: l, table: fmt.Sprintf("stage_%d", len(l.tables)+1), names: names, tallies: make([]tally, len(names)), row: make([]driver.Value, len(names))}
	columns := make([]string, len(names))
	for i, n := range names {
		columns[i] = ident(n) + " VARCHAR"
	}
	if err := l.exec(ctx, fmt.Sprintf("CREATE OR REPLACE TEMP TABLE %s (%s)", s.table, strings.Join(columns, ", "))); err != nil {
		return nil, err
	}
	err := l.conn.Raw(func(c any) (err error) {
		s.app, err = duckdb.NewAppender(c.(driver.Conn), "temp", "main", s.table)
		return err
	})
	return s, err
}

// set fills a field of the row that add appends.
func (s *stage) set(column int, text string) {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	s.row[column] = text
	if s.rows < sampleRecords {
		s.tallies[column].add(text)
	}
}

// add appends the row; fields that were not set are NULL.
func (s *stage) add(ctx context.Context) error {
	if s.rows%1000 == 0 {
		if ctx.Err() != nil {
			return canceled(ctx, "import file")
		}
		s.report(Progress{Stage: stageLoad, File: s.in.file, BytesTotal: s.in.size, Rows: s.rows})
	}
	if err := s.app.AppendRow(s.row...); err != nil {
		return err
	}
	clear(s.row)
	s.rows++
	return nil
}

// end makes the rows readable.
func (s *stage) end() error {
	app := s.app
	if app == nil {
		return nil
	}
	s.app = nil
	return app.Close()
}

// write turns the stage into the table t, which names the columns that are kept.
func (s *stage) write(ctx context.Context, t textTable) (loaded, error) {
	if err := s.end(); err != nil {
		return loaded{}, err
	}
	t.from = "temp.main." + s.table
	if err := t.want(s.loader); err != nil {
		return loaded{}, err
	}
	rows, err := s.writeText(ctx, &t)
	if err != nil {
		return loaded{}, err
	}
	columns, err := s.columnsOf(ctx, t.name)
	if err != nil {
		return loaded{}, err
	}
	return loaded{Name: t.name, Columns: columns, Rows: rows}, s.exec(ctx, "DROP TABLE temp.main."+s.table)
}
