package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
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
	line    int  // bound of a record, bytes
	lenient bool // lines that cannot be cut are rejected; otherwise the first of them ends the load
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
			if i < len(r) && len(r) <= len(d.dialect.Columns) {
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

// write loads the table. A file in which every line can be cut is read once. Otherwise it is surveyed first: the engine
// keeps rejected lines in a time that grows with the square of their number.
func (d *delimited) write(ctx context.Context) error {
	for {
		d.table.again = d.relation("ignore_errors=true")
		d.table.from = d.relation("ignore_errors=false")
		if d.lenient {
			d.table.from = d.relation(fmt.Sprintf("store_rejects=true, rejects_limit=%d", mostRejects))
		}
		rows, err := d.writeText(ctx, &d.table)
		if err != nil {
			if d.lenient || ctx.Err() != nil || engineType(err) != duckdb.ErrorTypeInvalidInput {
				return err
			}
			if err := d.survey(ctx); err != nil {
				return err
			}
			d.lenient = true
			continue
		}
		var rejects []rejected
		if d.lenient {
			if rejects, err = d.structural(ctx); err != nil {
				return err
			}
		}
		return d.finishTable(ctx, rows, rejects)
	}
}

// survey walks the whole text for the length of its longest record, and refuses a file that is no table.
func (d *delimited) survey(ctx context.Context) error {
	f, err := os.Open(d.path)
	if err != nil {
		return openFault("survey lines", d.in, err)
	}
	defer f.Close()
	s := sniff.NewScanner(f, d.dialect.Delimiter, d.dialect.Escape)
	var fit, unfit int64
	for n := 0; ; n++ {
		if n%10_000 == 0 && ctx.Err() != nil {
			return canceled(ctx, "survey lines")
		}
		rec, ok := s.Next()
		if !ok {
			break
		}
		if len(rec.Fields) == len(d.table.columns) || d.dialect.Padded && len(rec.Fields) < len(d.table.columns) {
			fit++
		} else if unfit++; unfit >= mostRejects {
			return mostlyRejected(d.in, unfit, fit)
		}
		if rec.Size > d.line/2 {
			d.line = max(longestLine, 2*rec.Size)
		}
	}
	return nil
}

func mostlyRejected(in input, rejected, rows int64) error {
	return fault.New(fault.Invalid, "load table", text.Say("store.mostly_rejected", "file", in.file, "rejected", rejected, "rows", rows), text.Say("store.mostly_rejected_hint"))
}

// relation is the text as the engine reads it: every column text, tokens for "no value" already NULL. The engine's reader
// takes no token that holds the mark it escapes with, so those are made NULL behind it.
func (d *delimited) relation(extra string) string {
	columns := make([]string, len(d.table.columns))
	for i, c := range d.table.columns {
		columns[i] = literal(c.name) + ": 'VARCHAR'"
	}
	var tokens, escaped []string
	for _, t := range sniff.Base() {
		if d.dialect.Escape != '"' && strings.IndexByte(t, d.dialect.Escape) >= 0 {
			escaped = append(escaped, t)
		} else {
			tokens = append(tokens, t)
		}
	}
	options := []string{
		globbed(d.path), "auto_detect=false", "delim=" + literal(string(rune(d.dialect.Delimiter))), `quote='"'`,
		"escape=" + literal(string(rune(d.dialect.Escape))), fmt.Sprintf("header=%t", d.dialect.Header), fmt.Sprintf("skip=%d", d.dialect.Skip),
		"nullstr=[" + list(tokens) + "]", fmt.Sprintf("null_padding=%t", d.dialect.Padded),
		"columns={" + strings.Join(columns, ", ") + "}", extra,
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

func (d *delimited) finishTable(ctx context.Context, rows int64, rejects []rejected) error {
	columns, err := d.columnsOf(ctx, d.table.name)
	if err != nil {
		return err
	}
	if d.table.tolerant() {
		if rejects, err = d.misfitting(ctx, rejects); err != nil {
			return err
		}
	}
	if n := int64(len(rejects)); n >= mostRejects || n > rows && n >= 10 {
		return mostlyRejected(d.in, n, rows)
	}
	t := loaded{Name: d.table.name, Columns: columns, Rows: rows, Rejected: int64(len(rejects))}
	if t.Rejected > 0 {
		t.Rejects = t.Name + rejectsSuffix
		if err := d.writeRejects(ctx, t.Rejects, rejects); err != nil {
			return err
		}
	}
	if rows == 0 && t.Rejected == 0 {
		d.note(text.Say("store.note_no_rows", "table", t.Name))
	}
	d.tables = append(d.tables, t)
	return nil
}
