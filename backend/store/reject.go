package store

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"

	"assay/backend/store/sniff"
	"assay/backend/text"
)

// rejectsSuffix is put behind the name of a table to name the table of its rejected lines.
const rejectsSuffix = "__rejected"

// rejected is one line of a file that is not in its table, or not as it was written.
type rejected struct {
	line   int64 // physical line, from 1
	column string
	reason string
	raw    string
	left   bool // the whole line is not in the table
}

// misfitting adds the fields that were made missing to the lines that are known, by walking the text once more: the engine knows which
// values they are, the text knows where they stand.
func (d *delimited) misfitting(ctx context.Context, all []rejected) ([]rejected, error) {
	bad := map[int]map[string]bool{}
	for i, c := range d.table.columns {
		if c.shape.Rejects {
			bad[i] = map[string]bool{}
			for _, v := range c.misfits {
				bad[i][v.Text] = true
			}
		}
	}
	f, err := os.Open(d.path)
	if err != nil {
		return nil, openFault("find misfits", d.in, err)
	}
	defer f.Close()
	left := map[int64]bool{}
	for _, l := range all {
		left[l.line] = l.left
	}
	n := 0
	d.eachRecord(f, func(rec sniff.Record) bool {
		for i, c := range d.table.columns {
			if i < len(rec.Fields) && bad[i][rec.Fields[i]] && !left[int64(rec.Line)] {
				all = append(all, rejected{
					line: int64(rec.Line), column: c.called(), raw: rec.Raw,
					reason: text.Say("store.reject_value", "type", text.Say("store.type_"+string(c.shape.Type)), "value", short(rec.Fields[i])),
				})
			}
		}
		n++
		return len(all) < mostRejects && (n%10_000 > 0 || ctx.Err() == nil)
	})
	if ctx.Err() != nil {
		return nil, canceled(ctx, "find misfits")
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
