package store

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/store/sniff"
	"assay/backend/text"
)

// mended is a copy of a delimited text in which every line has its fields, and what had to be done for that.
type mended struct {
	path  string
	lines []rejected // that were changed or left out, in their order; mostRejects at most
	left  int64      // lines that are not in the copy

	short, long, quotes, closing int64 // lines with too few fields, too many, a quote out of place; below the table
}

// mendedDialect is how the copy is written.
var mendedDialect = sniff.Dialect{Delimiter: ',', Escape: '"'}

// mend writes the copy. A line with too few fields lacks the last of them. One with too many keeps the first, where they
// are what their columns hold; else it is left out, because a delimiter stands within one of them.
func (d *delimited) mend(ctx context.Context) error {
	source, err := os.Open(d.path)
	if err != nil {
		return openFault("mend lines", d.in, err)
	}
	defer source.Close()
	m := &mended{path: filepath.Join(d.dir, "mended")}
	copied, err := os.OpenFile(m.path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return writeFault("mend lines", d.dir, err)
	}
	defer copied.Close()
	out := bufio.NewWriterSize(copied, 1<<20)
	take := d.mender(m, out)
	n := 0
	d.eachRecord(source, func(rec sniff.Record) bool {
		if rec.Size > d.line/2 {
			d.line = max(longestLine, 2*rec.Size)
		}
		take(rec)
		n++
		return len(m.lines) < mostRejects && (n%10_000 > 0 || ctx.Err() == nil)
	})
	switch {
	case ctx.Err() != nil:
		return canceled(ctx, "mend lines")
	case len(m.lines) >= mostRejects:
		return mostlyRejected(d.in, int64(len(m.lines)), int64(n-len(m.lines)))
	}
	take(sniff.Record{})
	if err := out.Flush(); err != nil {
		return writeFault("mend lines", d.dir, err)
	}
	d.mended = m
	return nil
}

// eachRecord hands out the records behind the header until it is told to stop.
func (d *delimited) eachRecord(r io.Reader, do func(sniff.Record) bool) {
	header := d.dialect.Header
	s := d.dialect.Scanner(r)
	for {
		rec, ok := s.Next()
		if !ok {
			return
		}
		if rec.Line <= d.dialect.Skip {
			continue
		}
		if header {
			header = false
			continue
		}
		if !do(rec) {
			return
		}
	}
}

// findTotals looks for lines that add up others in the text of a whole file, and gives its records without them.
func (d *delimited) findTotals(sample []byte) (records [][]string) {
	var all [][]string
	var lines []int64
	d.eachRecord(bytes.NewReader(sample), func(rec sniff.Record) bool {
		all, lines = append(all, rec.Fields), append(lines, int64(rec.Line))
		return true
	})
	d.totals = map[int64]sniff.Total{}
	found := sniff.Totals(all)
	for _, x := range found {
		d.totals[lines[x.Row]] = x
	}
	d.kept = sniff.Called(all, found)
	for i, fields := range all {
		if _, total := d.totals[lines[i]]; !total {
			records = append(records, fields)
		}
	}
	return records
}

func (d *delimited) isTotal(rec sniff.Record) bool {
	_, total := d.totals[int64(rec.Line)]
	return total
}

// mender gives the function that takes the records one after the other, and at last one without fields. Lines without any
// delimiter are held back until a whole one follows: below the last of those they are no rows, but a remark.
func (d *delimited) mender(m *mended, out *bufio.Writer) func(sniff.Record) {
	width, fits := len(d.table.columns), d.fitting()
	beside := func(rec sniff.Record, key string, left bool) {
		m.lines = append(m.lines, rejected{line: int64(rec.Line), reason: text.Say(key), raw: rec.Raw, left: left})
		if left {
			m.left++
		}
	}
	write := func(fields []string) {
		for i := range width {
			if i > 0 {
				_ = out.WriteByte(',')
			}
			if i < len(fields) { // the writer keeps its first error
				_, _ = out.WriteString(`"` + strings.ReplaceAll(fields[i], `"`, `""`) + `"`)
			}
		}
		_ = out.WriteByte('\n')
	}
	var held []sniff.Record
	one := func(rec sniff.Record) {
		switch n := len(rec.Fields); {
		case d.isTotal(rec):
			beside(rec, "store.reject_total", true)
			return
		case n > width && blank(rec.Fields[width:]):
		case n > width && !fits(rec.Fields[:width]):
			beside(rec, "store.reject_wide", true)
			return
		case n > width:
			m.long++
			beside(rec, "store.mended_wide", false)
		case n < width && !d.dialect.Padded:
			m.short++
			beside(rec, "store.mended_short", false)
		case rec.Mended:
			m.quotes++
			beside(rec, "store.mended_quote", false)
		}
		write(rec.Fields[:min(width, len(rec.Fields))])
	}
	return func(rec sniff.Record) {
		switch n := len(rec.Fields); {
		case n == 1 && width > 1:
			held = append(held, rec)
			return
		case n > 0:
			for _, h := range held {
				one(h)
			}
			one(rec)
		default:
			for _, h := range held {
				if d.table.columns[0].shape.Pattern() != "" && fits(h.Fields) { // the beginning of a row
					one(h)
					continue
				}
				m.closing++
				beside(h, "store.reject_closing", true)
			}
		}
		held = nil
	}
}

// fitting gives the function that says whether fields are what the sample of their columns was.
func (d *delimited) fitting() func(fields []string) bool {
	forms := make([]*regexp.Regexp, len(d.table.columns))
	for i, c := range d.table.columns {
		shape := c.shape
		if form := shape.Pattern(); form != "" {
			forms[i] = regexp.MustCompile("^(?:" + form + ")$")
		}
	}
	return func(fields []string) bool {
		for i, f := range fields {
			f = strings.Trim(f, " ")
			if forms[i] != nil && f != "" && !forms[i].MatchString(f) {
				return false
			}
		}
		return true
	}
}

func blank(fields []string) bool {
	for _, f := range fields {
		if strings.TrimSpace(f) != "" {
			return false
		}
	}
	return true
}

// tellMended says what was done to the lines.
func (d *delimited) tellMended(rows int64) {
	m := d.mended
	all := rows + m.left
	d.tell(Note{Code: LinesLeftOut, Count: m.left - m.closing - int64(len(d.totals)), Of: all}, "store.told_left")
	d.tell(Note{Code: LinesBelow, Count: m.closing, Of: all}, "store.told_closing")
	var totals []sniff.Total
	for _, line := range slices.Sorted(maps.Keys(d.totals)) {
		totals = append(totals, d.totals[line])
	}
	d.tellTotals(d.table.name, totals, all)
	d.tellKept(d.table.name, d.kept, all)
	d.tell(Note{Code: LinesShort, Count: m.short, Of: all}, "store.told_short")
	d.tell(Note{Code: LinesLong, Count: m.long, Of: all}, "store.told_long")
	d.tell(Note{Code: QuotesOpen, Count: m.quotes, Of: all}, "store.told_quotes")
}

// tell keeps a note of the table; one that counts nothing says nothing.
func (d *delimited) tell(n Note, key string) {
	if n.Count == 0 {
		return
	}
	n.Table = d.table.name
	d.loader.tell(n, text.Count(key, n.Count, "n", n.Count, "of", n.Of, "table", n.Table))
}

func mostlyRejected(in input, rejected, rows int64) error {
	return fault.New(fault.Invalid, "load table", text.Say("store.mostly_rejected", "file", in.file, "rejected", rejected, "rows", rows), text.Say("store.mostly_rejected_hint"))
}

// mostLabels bounds the totals that a note calls by their names.
const mostLabels = 3

// tellTotals says which lines add up others, or are their mean, and are not in the table.
func (l *loader) tellTotals(table string, found []sniff.Total, all int64) {
	for _, mean := range []bool{false, true} {
		n := Note{Code: TotalLines, Severity: "info", Table: table, Of: all}
		key := "store.told_totals"
		if mean {
			key = "store.told_means"
		}
		var labels []string
		for _, x := range found {
			if x.Mean != mean {
				continue
			}
			n.Count++
			if x.Label != "" && len(labels) < mostLabels {
				labels = append(labels, short(x.Label))
			}
		}
		switch {
		case n.Count == 0:
		case len(labels) == 0:
			l.tell(n, text.Count(key, n.Count, "n", n.Count, "table", table))
		default:
			l.tell(n, text.Count(key+"_named", n.Count, "n", n.Count, "table", table, "labels", "“"+strings.Join(labels, "”, “")+"”"))
		}
	}
}

// tellKept says which lines are called totals and are rows, because they do not add up the others.
func (l *loader) tellKept(table string, kept []sniff.Total, all int64) {
	if len(kept) == 0 {
		return
	}
	n := Note{Code: TotalsKept, Severity: "caution", Table: table, Count: int64(len(kept)), Of: all}
	l.tell(n, text.Count("store.told_kept", n.Count, "n", n.Count, "table", table, "label", short(kept[0].Label)))
}
