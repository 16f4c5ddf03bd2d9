package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"assay/backend/store/sniff"
	"assay/backend/text"
)

// rejectsSuffix is put behind the name of a table to name the table of its rejected lines.
const rejectsSuffix = "__rejected"

// rejected is one line of a file that is not in its table.
type rejected struct {
	line   int64 // physical line, from 1
	column string
	reason string
	raw    string
}

// structural reads which lines the engine's reader could not cut into fields during the last load, one reason for each.
func (d *delimited) structural(ctx context.Context) ([]rejected, error) {
	rows, err := d.texts(ctx, `SELECT CAST(line_byte_position AS VARCHAR), coalesce(column_name, ''), CAST(error_type AS VARCHAR), left(csv_line, `+strconv.Itoa(sniff.RawLimit)+`)
		FROM reject_errors WHERE scan_id = (SELECT max(scan_id) FROM reject_scans) ORDER BY line_byte_position, byte_position`)
	if err != nil {
		return nil, err
	}
	starts := make([]int64, len(rows))
	for i, row := range rows {
		starts[i] = parseCount(row[0])
	}
	lines, err := linesAt(d.path, starts)
	if err != nil {
		return nil, openFault("find rejected lines", d.in, err)
	}
	var all []rejected
	for i, row := range rows {
		line := lines[i]
		if n := len(all); n > 0 && all[n-1].line == line {
			continue
		}
		all = append(all, rejected{line: line, column: row[1], reason: structuralReason(row[2]), raw: row[3]})
	}
	return all, nil
}

// linesAt gives the physical lines of bytes of a text, counted from 1 and in ascending order. The engine counts records, of
// which one may span several lines.
func linesAt(path string, positions []int64) ([]int64, error) {
	lines := make([]int64, len(positions))
	if len(positions) == 0 {
		return lines, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	line, at := int64(1), int64(1)
	for i, p := range positions {
		for at < p {
			read, err := r.ReadSlice('\n')
			at += int64(len(read))
			if err == nil {
				line++
			} else if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		if lines[i] = line; at > p { // within the line that was just read
			lines[i]--
		}
	}
	return lines, nil
}

func structuralReason(kind string) string {
	switch kind {
	case "MISSING COLUMNS":
		return text.Say("store.reject_short")
	case "TOO MANY COLUMNS":
		return text.Say("store.reject_wide")
	case "UNQUOTED VALUE":
		return text.Say("store.reject_quote")
	case "LINE SIZE OVER MAXIMUM":
		return text.Say("store.reject_long")
	default:
		return text.Say("store.reject_other")
	}
}

// misfitting adds the lines whose values were rejected to those that are known, by walking the text once more: the engine knows which values
// they are, the text knows where they stand.
func (d *delimited) misfitting(ctx context.Context, all []rejected) ([]rejected, error) {
	bad := map[int]map[string]bool{}
	for i, c := range d.table.columns {
		if !c.shape.Rejects {
			continue
		}
		values, err := d.failing(ctx, &d.table, c)
		if err != nil {
			return nil, err
		}
		bad[i] = map[string]bool{}
		for _, v := range values {
			bad[i][v.Text] = true
		}
	}
	f, err := os.Open(d.path)
	if err != nil {
		return nil, openFault("find rejected lines", d.in, err)
	}
	defer f.Close()
	known := map[int64]bool{}
	for _, l := range all {
		known[l.line] = true
	}
	s := sniff.NewScanner(f, d.dialect.Delimiter, d.dialect.Escape)
	for n := 0; ; n++ {
		if n%10_000 == 0 && ctx.Err() != nil {
			return nil, canceled(ctx, "find rejected lines")
		}
		rec, ok := s.Next()
		if !ok {
			break
		}
		if rec.Line <= d.dialect.Skip || known[int64(rec.Line)] {
			continue
		}
		for i := range d.table.columns {
			if i < len(rec.Fields) && bad[i][rec.Fields[i]] {
				c := d.table.columns[i]
				all = append(all, rejected{
					line: int64(rec.Line), column: c.called(), raw: rec.Raw,
					reason: text.Say("store.reject_value", "value", short(rec.Fields[i]), "type", text.Say("store.type_"+string(c.shape.Type))),
				})
				break
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].line < all[j].line })
	return all, nil
}

// short cuts a value for a sentence.
func short(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// writeRejects keeps rejected lines beside their table.
func (l *loader) writeRejects(ctx context.Context, table string, all []rejected) error {
	if err := l.exec(ctx, fmt.Sprintf(`CREATE TABLE %s (line BIGINT, "column" VARCHAR, reason VARCHAR, raw VARCHAR)`, targetTable(table))); err != nil {
		return err
	}
	const batch = 500
	for from := 0; from < len(all); from += batch {
		var rows []string
		for _, x := range all[from:min(from+batch, len(all))] {
			rows = append(rows, fmt.Sprintf("(%d, nullif(%s, ''), %s, %s)", x.line, literal(x.column), literal(x.reason), literal(x.raw)))
		}
		if err := l.exec(ctx, fmt.Sprintf("INSERT INTO %s VALUES %s", targetTable(table), strings.Join(rows, ", "))); err != nil {
			return err
		}
	}
	return nil
}
