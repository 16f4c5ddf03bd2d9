package store

import (
	"context"
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

type rejects struct {
	lines   []rejected
	tooLong bool // some line is longer than the reader was told to expect
}

// structural reads which lines the engine's reader could not cut into fields during the last load, one reason for each.
func (d *delimited) structural(ctx context.Context) (rejects, error) {
	var r rejects
	rows, err := d.texts(ctx, `SELECT CAST(line AS VARCHAR), coalesce(column_name, ''), CAST(error_type AS VARCHAR), left(csv_line, `+strconv.Itoa(sniff.RawLimit)+`)
		FROM reject_errors WHERE scan_id = (SELECT max(scan_id) FROM reject_scans) ORDER BY line, byte_position`)
	if err != nil {
		return r, err
	}
	for _, row := range rows {
		line := parseCount(row[0])
		r.tooLong = r.tooLong || row[2] == "LINE SIZE OVER MAXIMUM"
		if n := len(r.lines); n > 0 && r.lines[n-1].line == line {
			continue
		}
		r.lines = append(r.lines, rejected{line: line, column: row[1], reason: structuralReason(row[2]), raw: row[3]})
	}
	return r, nil
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

// misfitting finds the lines whose values were rejected, by walking the text once more: the engine knows which values
// they are, the text knows where they stand.
func (d *delimited) misfitting(ctx context.Context, r *rejects) error {
	bad := map[int]map[string]bool{}
	for i, c := range d.table.columns {
		if !c.shape.Rejects {
			continue
		}
		values, err := d.failing(ctx, &d.table, c)
		if err != nil {
			return err
		}
		bad[i] = map[string]bool{}
		for _, v := range values {
			bad[i][v.Text] = true
		}
	}
	f, err := os.Open(d.path)
	if err != nil {
		return openFault("find rejected lines", d.in, err)
	}
	defer f.Close()
	known := map[int64]bool{}
	for _, l := range r.lines {
		known[l.line] = true
	}
	s := sniff.NewScanner(f, d.dialect.Delimiter, d.dialect.Escape)
	for n := 0; ; n++ {
		if n%10_000 == 0 && ctx.Err() != nil {
			return canceled(ctx, "find rejected lines")
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
				r.lines = append(r.lines, rejected{line: int64(rec.Line), column: c.name, raw: rec.Raw,
					reason: text.Say("store.reject_value", "value", short(rec.Fields[i]), "type", text.Say("store.type_"+string(c.shape.Type)))})
				break
			}
		}
	}
	sort.SliceStable(r.lines, func(i, j int) bool { return r.lines[i].line < r.lines[j].line })
	return nil
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
func (l *loader) writeRejects(ctx context.Context, table string, r rejects) error {
	if err := l.exec(ctx, fmt.Sprintf(`CREATE TABLE %s (line BIGINT, "column" VARCHAR, reason VARCHAR, raw VARCHAR)`, targetTable(table))); err != nil {
		return err
	}
	const batch = 500
	for from := 0; from < len(r.lines); from += batch {
		var rows []string
		for _, x := range r.lines[from:min(from+batch, len(r.lines))] {
			rows = append(rows, fmt.Sprintf("(%d, nullif(%s, ''), %s, %s)", x.line, literal(x.column), literal(x.reason), literal(x.raw)))
		}
		if err := l.exec(ctx, fmt.Sprintf("INSERT INTO %s VALUES %s", targetTable(table), strings.Join(rows, ", "))); err != nil {
			return err
		}
	}
	return nil
}
