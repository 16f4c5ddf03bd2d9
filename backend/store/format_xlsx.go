package store

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"assay/backend/store/sniff"
	"assay/backend/text"
)

// headRows is how many rows of a sheet are looked at to find its header, and its totals when those are all of it.
const headRows = 2000

// loadWorkbook loads every sheet that holds cells as a table. A workbook of one sheet that nobody gave a name takes the
// name of the file.
func (l *loader) loadWorkbook(ctx context.Context) error {
	book, err := openWorkbook(l.in)
	if err != nil {
		return err
	}
	defer func() { _ = book.zip.Close() }()
	used := map[string]bool{}
	for _, s := range book.sheets {
		name := s.name
		if len(book.sheets) == 1 && unnamedSheet.MatchString(name) {
			name = l.in.stem
		}
		name = free(name, used)
		used[lower(name)] = true
		if l.limit == 0 && !l.reading.takes(name) {
			continue
		}
		width := 0
		err := l.loadSheet(ctx, book, s, name, &width)
		for errors.Is(err, errWider) {
			err = l.loadSheet(ctx, book, s, name, &width)
		}
		if err != nil {
			var broken *sheetError
			if errors.As(err, &broken) {
				return damaged("read sheet", l.in, err)
			}
			return err
		}
	}
	return nil
}

// unnamedSheet is what spreadsheets call a new sheet, in some languages.
var unnamedSheet = regexp.MustCompile(`^(Sheet|Tabelle|Feuil|Hoja|Foglio|Planilha|Blad|Ark|Arkusz|Лист|シート|工作表) ?[0-9]*$`)

// sheetError is a failure to read the file, as against one to write the table.
type sheetError struct{ err error }

func (e *sheetError) Error() string { return e.err.Error() }
func (e *sheetError) Unwrap() error { return e.err }

// errWider says that a row has more cells than the rows that the columns were taken from.
var errWider = errors.New("a row is wider than the sheet was taken to be")

// loadSheet loads one sheet. width is the number of columns that it has at least; with errWider it was raised and the sheet
// is to be loaded again.
func (l *loader) loadSheet(ctx context.Context, book *workbook, ref sheetRef, name string, width *int) error {
	rows, err := book.rows(ref)
	if err != nil {
		return &sheetError{err}
	}
	defer rows.close()
	var head [][]sheetCell
	for len(head) < headRows {
		cells, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return &sheetError{err}
		}
		head = append(head, cells)
	}
	if len(head) == 0 {
		l.note(text.Say("store.note_sheet_empty", "sheet", ref.name))
		return nil
	}
	first, names, header := layout(head, width, l.reading)
	if first > 0 {
		l.note(text.Say("store.note_sheet_titled", "sheet", ref.name, "lines", first))
	}
	if !header {
		l.note(text.Say("store.note_sheet_no_header", "sheet", ref.name))
	}
	if header {
		for _, c := range head[first] {
			if h := strings.TrimSpace(c.text); h != "" && strings.HasPrefix(names[c.column], h+"_") {
				l.note(text.Say("store.note_column_renamed", "table", name, "column", h, "name", names[c.column]))
			}
		}
	}
	st, err := l.openStage(ctx, names)
	if err != nil {
		return err
	}
	defer func() { _ = st.end() }() // again only after a failure
	used := make([]bool, len(names))
	add := func(cells []sheetCell) error {
		for _, c := range cells {
			if c.column >= len(names) {
				*width = c.column + 1
				return errWider
			}
			st.set(c.column, c.text)
			used[c.column] = true
		}
		return st.add(ctx)
	}
	if header {
		first++
	}
	var totals, kept []sniff.Total
	if len(head) < headRows {
		records := recordsOf(head[first:], *width)
		totals = sniff.Totals(records)
		kept = sniff.Called(records, totals)
	}
	for i, cells := range head[first:] {
		if slices.ContainsFunc(totals, func(x sniff.Total) bool { return x.Row == i }) {
			continue
		}
		if err := add(cells); err != nil {
			return err
		}
	}
	for len(head) == headRows {
		if l.limit > 0 && st.rows >= int64(l.limit) {
			l.cut = true
			break
		}
		cells, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return &sheetError{err}
		}
		if err := add(cells); err != nil {
			return err
		}
	}
	l.tellTotals(name, totals, int64(len(head)-first))
	l.tellKept(name, kept, int64(len(head)-first))
	return l.writeSheet(ctx, st, name, used, header, head[max(first-1, 0)])
}

// layout finds where the table of a sheet begins, the names of its columns and whether it has a header. It raises width to
// the widest row of the head.
func layout(head [][]sheetCell, width *int, reading Reading) (first int, names []string, header bool) {
	usual := map[int]int{}
	for _, cells := range head {
		usual[len(cells)]++
		*width = max(*width, cells[len(cells)-1].column+1)
	}
	most := 0
	for n, times := range usual {
		if times > usual[most] || times == usual[most] && n > most {
			most = n
		}
	}
	// Rows with one cell above a table of several columns are its title.
	if reading.Skip != nil {
		first = min(*reading.Skip, len(head)-1)
	}
	for reading.Skip == nil && first < len(head)-1 && first < 20 && len(head[first]) == 1 && most > 1 {
		first++
	}
	records := recordsOf(head[first:], *width)
	if header = sniff.HasHeader(records); reading.Header != nil {
		header = *reading.Header
	}
	if header {
		return first, sniff.Names(records[0], *width), true
	}
	return first, sniff.Names(nil, *width), false
}

// recordsOf gives rows of a sheet as records of so many fields.
func recordsOf(rows [][]sheetCell, width int) [][]string {
	records := make([][]string, 0, len(rows))
	for _, cells := range rows {
		record := make([]string, width)
		for _, c := range cells {
			record[c.column] = c.text
		}
		records = append(records, record)
	}
	return records
}

// writeSheet writes a staged sheet without the columns that have neither name nor value.
func (l *loader) writeSheet(ctx context.Context, st *stage, name string, used []bool, header bool, head []sheetCell) error {
	if header {
		for _, c := range head {
			used[c.column] = true
		}
	}
	t := textTable{name: name}
	for i, n := range st.names {
		if used[i] {
			t.columns = append(t.columns, textColumn{name: n, values: st.tallies[i].values, missing: true})
		}
	}
	written, err := st.write(ctx, t)
	if err != nil {
		return err
	}
	if written.Rows == 0 {
		l.note(text.Say("store.note_no_rows", "table", name))
	}
	l.tables = append(l.tables, written)
	return nil
}
