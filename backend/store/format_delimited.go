package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/store/sniff"
	"assay/backend/text"
)

const (
	sampleBytes   = 4 << 20
	sampleRecords = 20_000

	// Bounds of a record in bytes, as the engine's reader is told. Beyond the bound it refuses a record, and a single line
	// far beyond it is left out without a word; so a file with a long line is read with the larger bound at once.
	longLine, longestLine = 2 << 20, 64 << 20

	// What the engine's reader holds of the text for each thread, in bytes.
	bufferSize = 32 << 20

	// More lines than this that do not fit mean that the file is no table.
	mostRejects = 100_000
)

// delimited is a csv or tsv that is being loaded.
type delimited struct {
	*loader
	path    string // of the UTF-8 text
	dialect sniff.Dialect
	table   textTable
	line    int                   // bound of a record, bytes
	totals  map[int64]sniff.Total // records that add up others, by their lines
	kept    []sniff.Total         // records that are called totals, and are rows
	mended  *mended               // what was put right before the load; nil: nothing had to be
}

// loadDelimited loads csv and tsv. The dialect and the types come from a sample; the engine's parallel reader does the load
// with both given.
func (l *loader) loadDelimited(ctx context.Context) error {
	path, enc, err := l.plainText(ctx)
	if err != nil {
		return err
	}
	sample, complete, err := readSample(path)
	if err != nil {
		return openFault("read sample", l.in, err)
	}
	prefer := byte(0)
	if l.in.format == formatTSV {
		prefer = '\t'
	}
	d := delimited{loader: l, path: path, line: longLine}
	if l.facts.longest > longLine/2 {
		d.line = max(longestLine, 2*l.facts.longest)
	}
	dialect, records, ok := l.reading.dialect().Delimited(sample, complete, prefer)
	if !ok {
		return invalid("read sample", "store.file_blank", l.in)
	}
	d.dialect = dialect
	if d.dialect.Delimiter == '\t' {
		l.in.format = formatTSV
	} else {
		l.in.format = formatCSV
	}
	l.encoding, l.delimiter = enc, string(rune(d.dialect.Delimiter))
	if !d.dialect.Header {
		l.note(text.Say("store.note_no_header"))
	}
	if d.dialect.Skip > 0 {
		l.note(text.Say("store.note_skipped", "lines", d.dialect.Skip))
	}
	for _, r := range d.dialect.Renamed {
		l.note(text.Say("store.note_column_renamed", "table", l.in.stem, "column", r[1], "name", r[0]))
	}
	if complete {
		records = d.findTotals(sample)
	}
	d.table = textTable{name: l.in.stem, reject: true, comma: d.dialect.Delimiter == ','}
	for i, name := range d.dialect.Columns {
		if len(name) > longestName {
			return invalid("read header", "store.name_too_long", l.in)
		}
		var seen tally
		for n, r := range records {
			if n == sampleRecords {
				break
			}
			if i < len(r) && (len(r) == len(d.dialect.Columns) || d.dialect.Padded && len(r) < len(d.dialect.Columns)) {
				seen.add(r[i])
				d.table.comma = d.table.comma && !sniff.DecimalComma(r[i])
			}
		}
		d.table.columns = append(d.table.columns, textColumn{name: name, values: seen.values})
	}
	if err := d.table.want(l); err != nil {
		return err
	}
	l.dialect = &d.dialect
	return d.write(ctx)
}

// longestName is the longest name of a column, in bytes, that is taken for one: beyond it a file is text, not a table.
const longestName = 4 << 10

// readSample reads the beginning of a text without its byte order mark.
func readSample(path string) (sample []byte, complete bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	sample, err = io.ReadAll(io.LimitReader(f, sampleBytes+1))
	if err != nil {
		return nil, false, err
	}
	complete = len(sample) <= sampleBytes
	if !complete {
		sample = sample[:sampleBytes]
	}
	return []byte(strings.TrimPrefix(string(sample), "\ufeff")), complete, nil
}

// write loads the table. A file in which every line can be cut is read by the engine as it is. Of any other a copy is made
// in which every line has its fields, because the engine's reader leaves out whole lines or gives up.
func (d *delimited) write(ctx context.Context) error {
	for {
		if len(d.totals) > 0 && d.mended == nil {
			if err := d.mend(ctx); err != nil {
				return err
			}
		}
		d.table.from = d.relation()
		rows, err := d.writeText(ctx, &d.table)
		if err == nil {
			return d.finishTable(ctx, rows)
		}
		if d.mended != nil || ctx.Err() != nil || engineType(err) != duckdb.ErrorTypeInvalidInput {
			return err
		}
		if err := d.mend(ctx); err != nil {
			return err
		}
	}
}

// relation is the text as the engine reads it: every column text, tokens for "no value" already NULL. The engine's reader
// takes no token that holds the mark it escapes with, so those are made NULL behind it.
func (d *delimited) relation() string {
	path, dialect := d.path, d.dialect
	if d.mended != nil {
		path, dialect = d.mended.path, mendedDialect
	}
	columns := make([]string, len(d.table.columns))
	for i, c := range d.table.columns {
		columns[i] = literal(c.name) + ": 'VARCHAR'"
	}
	var tokens, escaped []string
	for _, t := range sniff.Base() {
		if dialect.Escape != '"' && strings.IndexByte(t, dialect.Escape) >= 0 {
			escaped = append(escaped, t)
		} else {
			tokens = append(tokens, t)
		}
	}
	options := []string{
		globbed(path), "auto_detect=false", "delim=" + literal(string(rune(dialect.Delimiter))), `quote='"'`,
		"escape=" + literal(string(rune(dialect.Escape))), fmt.Sprintf("header=%t", dialect.Header), fmt.Sprintf("skip=%d", dialect.Skip),
		"nullstr=[" + list(tokens) + "]", fmt.Sprintf("null_padding=%t", dialect.Padded),
		"columns={" + strings.Join(columns, ", ") + "}",
	}
	if d.line > longLine { // else the engine's own bound is the same, and its own buffers load a fifth faster
		options = append(options, fmt.Sprintf("max_line_size=%d", d.line), fmt.Sprintf("buffer_size=%d", max(d.line, bufferSize)))
	}
	read := "read_csv(" + strings.Join(options, ", ") + ")"
	for _, t := range escaped {
		read = fmt.Sprintf("(SELECT nullif(COLUMNS(*), %s) FROM %s)", literal(t), read)
	}
	return read
}

// finishTable describes the table and keeps beside it what was not taken as it stands.
func (d *delimited) finishTable(ctx context.Context, rows int64) error {
	t := loaded{Name: d.table.name, Rows: rows}
	var err error
	if t.Columns, err = d.columnsOf(ctx, t.Name); err != nil {
		return err
	}
	var beside []rejected
	if m := d.mended; m != nil {
		t.Rejected, beside = m.left, m.lines
		if n := m.left + m.short + m.long; n*10 > m.left+rows && n >= 10 {
			return mostlyRejected(d.in, n, m.left+rows-n)
		}
		d.tellMended(rows)
	}
	if d.table.tolerant() {
		if beside, err = d.misfitting(ctx, beside); err != nil {
			return err
		}
	}
	if len(beside) > 0 {
		t.Rejects = t.Name + rejectsSuffix
		if err := d.writeRejects(ctx, t.Rejects, beside); err != nil {
			return err
		}
	}
	if rows == 0 && t.Rejected == 0 {
		d.note(text.Say("store.note_no_rows", "table", t.Name))
	}
	d.tables = append(d.tables, t)
	return nil
}
