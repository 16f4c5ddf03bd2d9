package export

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// Book is a workbook of several results: a first sheet with what is in it, a sheet for each of them, and a last one that says where everything comes from. The
// sheets are written as they come; Close writes the file.
type Book struct {
	file    *excelize.File
	styles  styles
	names   map[string]bool // of sheets, in small letters
	entries []BookEntry
	title   string
	cells   int
}

// BookEntry is a line of the contents.
type BookEntry struct {
	Heading  string // a line of its own
	Text     string // what a person wrote, or an answer in words
	Title    string
	Question string
	Grade    string
	Sheet    string // its name; empty: it has none
	Rows     int64
	Source   int // of the last sheet, from 1; 0: none
	Notes    []string
}

// BookSource is an answer as the last sheet tells of it.
type BookSource struct {
	Number int
	Title  string
	Facts  []BookFact
}

// BookFact is one thing of it.
type BookFact struct{ Name, Detail, Value string }

// BookFrame is a result as a sheet of its own.
type BookFrame struct {
	Title   string
	Columns []frameql.Column
	Rows    [][]any // cells as in frameql.Frame, or numbers as json.Number
	Chart   *BookChart
}

const (
	mostCells     = 10_000_000 // of a workbook
	longestSheet  = 31         // letters of a name, as UTF-16 counts them
	widestContent = 60.0
)

// NewBook begins a workbook. Close or Drop ends it.
func NewBook(title string) (*Book, error) {
	b := &Book{file: excelize.NewFile(), names: map[string]bool{"history": true}, title: title} // a name that Excel keeps for itself
	var err error
	if b.styles, err = stylesOf(b.file); err != nil {
		return nil, err
	}
	contents, sources := text.Say("export.sheet_contents"), text.Say("export.sheet_about")
	b.names[strings.ToLower(contents)], b.names[strings.ToLower(sources)] = true, true
	return b, b.file.SetSheetName("Sheet1", contents)
}

// Drop ends a workbook that is not written.
func (b *Book) Drop() { _ = b.file.Close() }

// List adds a line to the contents.
func (b *Book) List(e BookEntry) { b.entries = append(b.entries, e) }

// Frame writes a result as a sheet and gives its name, with what is to be said of it. Fault Limit: it has more than a sheet holds.
func (b *Book) Frame(f BookFrame) (name string, notes []string, err error) {
	if b.cells += (len(f.Rows) + 1) * len(f.Columns); b.cells > mostCells || len(f.Columns) > sheetColumns || len(f.Rows) >= sheetRows {
		return "", nil, tooLarge()
	}
	name = b.nameOf(f.Title)
	if _, err := b.file.NewSheet(name); err != nil {
		return "", nil, err
	}
	w, err := b.file.NewStreamWriter(name)
	if err != nil {
		return "", nil, err
	}
	s := &bookSheet{book: b, name: name, frame: f, out: w}
	if err := s.write(); err != nil {
		return "", nil, err
	}
	return name, s.notes, nil
}

// nameOf makes a name for a sheet of a title: without the signs that a name must not have, short enough, and one of its kind.
func (b *Book) nameOf(title string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || strings.ContainsRune(`[]:*?/\`, r) {
			return ' '
		}
		return r
	}, title)
	plain = strings.Trim(strings.Join(strings.Fields(plain), " "), "' ")
	if plain == "" {
		plain = text.Say("export.sheet_data")
	}
	for n := 1; ; n++ {
		end := ""
		if n > 1 {
			end = " " + strconv.Itoa(n)
		}
		name := strings.Trim(cutUnits(plain, longestSheet-len(end)), "' ") + end
		if key := strings.ToLower(name); !b.names[key] {
			b.names[key] = true
			return name
		}
	}
}

// cutUnits shortens a text to so many units of UTF-16.
func cutUnits(s string, most int) string {
	n := 0
	for i, r := range s {
		if n += utf16.RuneLen(r); n > most {
			return s[:i]
		}
	}
	return s
}

// Close writes the last sheet, the first one with what is said of the whole, and the file. The errors are those of out, and Limit.
func (b *Book) Close(out io.Writer, about []Fact, sources []BookSource) error {
	defer b.Drop()
	if err := b.writeSources(sources); err != nil {
		return err
	}
	if err := b.writeContents(about); err != nil {
		return err
	}
	b.file.SetActiveSheet(0)
	_, err := b.file.WriteTo(out)
	return err
}

// writeContents fills the first sheet.
func (b *Book) writeContents(about []Fact) error {
	sheet := text.Say("export.sheet_contents")
	set := func(column string, row int, value any, style int) error {
		if s, is := value.(string); is {
			value = sheetText64(s)
		}
		at := column + strconv.Itoa(row)
		if err := b.file.SetCellValue(sheet, at, value); err != nil || style == 0 {
			return err
		}
		return b.file.SetCellStyle(sheet, at, at, style)
	}
	row := 1
	if err := set("A", row, b.title, b.styles.title); err != nil {
		return err
	}
	for _, f := range about {
		row++
		if err := set("A", row, f.Name, b.styles.quiet); err != nil {
			return err
		}
		if err := set("B", row, f.Value, 0); err != nil {
			return err
		}
	}
	row += 2
	for i, key := range []string{"export.contents_source", "export.contents_what", "export.contents_words", "export.contents_question", "export.contents_grade", "export.contents_rows", "export.contents_notes"} {
		if err := set(string(rune('A'+i)), row, text.Say(key), b.styles.head); err != nil {
			return err
		}
	}
	for _, e := range b.entries {
		row++
		if err := b.writeEntry(sheet, row, e, set); err != nil {
			return err
		}
	}
	for i, width := range []float64{12, 44, widestContent, 44, 8, 10, widestContent} {
		column := string(rune('A' + i))
		if err := b.file.SetColWidth(sheet, column, column, width); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) writeEntry(sheet string, row int, e BookEntry, set func(string, int, any, int) error) error {
	if e.Heading != "" {
		return set("B", row, e.Heading, b.styles.heading)
	}
	cells := []struct {
		column string
		value  any
		style  int
		is     bool
	}{
		{"A", e.Source, 0, e.Source > 0},
		{"B", e.Title, b.styles.wrap, e.Title != ""},
		{"C", e.Text, b.styles.wrap, e.Text != ""},
		{"D", e.Question, b.styles.wrap, e.Question != ""},
		{"E", e.Grade, 0, e.Grade != ""},
		{"F", e.Rows, 0, e.Sheet != ""},
		{"G", strings.Join(e.Notes, " "), b.styles.wrap, len(e.Notes) > 0},
	}
	for _, c := range cells {
		if !c.is {
			continue
		}
		if err := set(c.column, row, c.value, c.style); err != nil {
			return err
		}
	}
	if e.Sheet == "" {
		return nil
	}
	at := "B" + strconv.Itoa(row)
	if err := b.file.SetCellHyperLink(sheet, at, quotedSheet(e.Sheet)+"!A1", "Location"); err != nil {
		return err
	}
	return b.file.SetCellStyle(sheet, at, at, b.styles.link)
}

// quotedSheet is the name of a sheet within a reference.
func quotedSheet(name string) string { return "'" + strings.ReplaceAll(name, "'", "''") + "'" }

// sheetText64 is a text as one cell holds it.
func sheetText64(s string) string {
	if s = frameql.SpreadsheetText(s); utf8.RuneCountInString(s) > sheetText {
		return string([]rune(s)[:sheetText])
	}
	return s
}

// writeSources fills the last sheet: a line for every thing that is known of every answer. A text that is longer than a cell goes on in the next line.
func (b *Book) writeSources(sources []BookSource) error {
	sheet := text.Say("export.sheet_about")
	if _, err := b.file.NewSheet(sheet); err != nil {
		return err
	}
	w, err := b.file.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	for i, width := range []float64{9, 40, 24, 30, 110} {
		if err := w.SetColWidth(i+1, i+1, width); err != nil {
			return err
		}
	}
	if err := w.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	head := []any{}
	for _, key := range []string{"export.contents_source", "export.contents_question", "export.source_fact", "export.source_detail", "export.source_text"} {
		head = append(head, excelize.Cell{StyleID: b.styles.head, Value: text.Say(key)})
	}
	if err := w.SetRow("A1", head); err != nil {
		return err
	}
	row := 1
	for _, s := range sources {
		for _, f := range s.Facts {
			for _, part := range partsOf(f.Value) {
				if row++; row > sheetRows {
					return tooLarge()
				}
				cells := []any{s.Number, sheetText64(s.Title), sheetText64(f.Name), sheetText64(f.Detail), excelize.Cell{StyleID: b.styles.wrap, Value: frameql.SpreadsheetText(part)}}
				if err := w.SetRow("A"+strconv.Itoa(row), cells); err != nil {
					return err
				}
			}
		}
	}
	return w.Flush()
}

// partsOf cuts a text into what one cell holds each, with room for an apostrophe.
func partsOf(s string) (parts []string) {
	runes := []rune(s)
	for len(runes) > sheetText-1 {
		parts, runes = append(parts, string(runes[:sheetText-1])), runes[sheetText-1:]
	}
	return append(parts, string(runes))
}

// bookFault says what of a workbook could not be written.
func bookFault(err error) error {
	return fault.Wrap(fault.Internal, "write workbook", text.Say("export.book_broken"), "", err)
}
