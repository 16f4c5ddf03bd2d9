package export

import (
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/xuri/excelize/v2"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// What a sheet holds at most (ECMA-376, and Excel's specifications and limits).
const (
	sheetRows    = 1_048_576
	sheetColumns = 16_384
	sheetText    = 32_767
)

// writeXLSX writes the rows into a sheet and where they come from into a second one. A text that is longer than a cell is cut, and
// the second sheet says how many were.
func writeXLSX(out io.Writer, t Table) error {
	if len(t.Columns) > sheetColumns {
		return tooLarge()
	}
	f := excelize.NewFile()
	defer f.Close()
	data, about := text.Say("export.sheet_data"), text.Say("export.sheet_about")
	if err := f.SetSheetName("Sheet1", data); err != nil {
		return err
	}
	styles, err := stylesOf(f)
	if err != nil {
		return err
	}
	w, err := f.NewStreamWriter(data)
	if err != nil {
		return err
	}
	if err := w.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	for i, c := range t.Columns {
		if err := w.SetColWidth(i+1, i+1, widthOf(c)); err != nil {
			return err
		}
	}
	head := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = excelize.Cell{StyleID: styles.head, Value: frameql.SpreadsheetText(label(c))}
	}
	if err := w.SetRow("A1", head); err != nil {
		return err
	}
	at, cut := 1, 0
	for record, err := range t.Records {
		if err != nil {
			return err
		}
		for row := range int(record.NumRows()) {
			if at++; at > sheetRows {
				return tooLarge()
			}
			cells := make([]any, len(t.Columns))
			for i, column := range record.Columns() {
				var short bool
				cells[i], short = sheetCell(column, row, t.Columns[i], styles)
				if short {
					cut++
				}
			}
			if err := w.SetRow("A"+strconv.Itoa(at), cells); err != nil {
				return err
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := writeAbout(f, about, t.Provenance, cut, styles); err != nil {
		return err
	}
	_, err = f.WriteTo(out)
	return err
}

type styles struct{ head, date, stamp, percent, title, heading, quiet, wrap, link int }

func stylesOf(f *excelize.File) (s styles, err error) {
	format := func(style *excelize.Style) (id int) {
		if err == nil {
			id, err = f.NewStyle(style)
		}
		return id
	}
	date, stamp, percent := "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "0.0%"
	s.head = format(&excelize.Style{Font: &excelize.Font{Bold: true}, Border: []excelize.Border{{Type: "bottom", Style: 1, Color: "808080"}}})
	s.date = format(&excelize.Style{CustomNumFmt: &date})
	s.stamp = format(&excelize.Style{CustomNumFmt: &stamp})
	s.percent = format(&excelize.Style{CustomNumFmt: &percent})
	s.title = format(&excelize.Style{Font: &excelize.Font{Bold: true, Size: 16}})
	s.heading = format(&excelize.Style{Font: &excelize.Font{Bold: true, Size: 12}})
	s.quiet = format(&excelize.Style{Font: &excelize.Font{Color: "6B675F"}})
	wrapped := &excelize.Alignment{WrapText: true, Vertical: "top"}
	s.wrap = format(&excelize.Style{Alignment: wrapped})
	s.link = format(&excelize.Style{Alignment: wrapped, Font: &excelize.Font{Color: "0A5A86", Underline: "single"}})
	return s, err
}

// sheetCell gives a value as a sheet holds it: numbers whose digits it keeps, dates, and all else as text.
func sheetCell(a arrow.Array, row int, c frameql.Column, s styles) (value any, cut bool) {
	v, number, ok := cellOf(a, row, c)
	switch {
	case !ok:
		return nil, false
	case number && (exact(v) || isFloat(a)):
		if c.Format == "percent" {
			return excelize.Cell{StyleID: s.percent, Value: numberOf(v)}, false
		}
		return numberOf(v), false
	case number:
		return v, false
	case c.Type == "boolean":
		return v == "true", false
	case c.Type == "date" || c.Type == "timestamp":
		if at, err := parseTime(v); err == nil && at.Year() >= 1900 && at.Year() <= 9999 {
			if c.Type == "date" {
				return excelize.Cell{StyleID: s.date, Value: at}, false
			}
			return excelize.Cell{StyleID: s.stamp, Value: at}, false
		}
	}
	if v = frameql.SpreadsheetText(v); utf8.RuneCountInString(v) > sheetText {
		return string([]rune(v)[:sheetText]), true
	}
	return v, false
}

// numberOf makes a number that the library writes as one.
func numberOf(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return x
}

func widthOf(c frameql.Column) float64 {
	width := float64(min(40, utf8.RuneCountInString(label(c))+3))
	if c.Type == "text" {
		return max(width, 18)
	}
	return max(width, 12)
}

// writeAbout writes the sheet that says where the numbers come from.
func writeAbout(f *excelize.File, name string, facts []Fact, cut int, s styles) error {
	if _, err := f.NewSheet(name); err != nil {
		return err
	}
	w, err := f.NewStreamWriter(name)
	if err != nil {
		return err
	}
	if err := w.SetColWidth(1, 1, 24); err != nil {
		return err
	}
	if err := w.SetColWidth(2, 2, 100); err != nil {
		return err
	}
	if cut > 0 {
		facts = append(facts[:len(facts):len(facts)], Fact{text.Say("export.cut"), text.Count("export.cut_cells", int64(cut), "n", cut)})
	}
	for i, fact := range facts {
		value := frameql.SpreadsheetText(fact.Value)
		if utf8.RuneCountInString(value) > sheetText {
			value = string([]rune(value)[:sheetText])
		}
		row := []any{excelize.Cell{StyleID: s.head, Value: fact.Name}, value}
		if err := w.SetRow("A"+strconv.Itoa(i+1), row); err != nil {
			return err
		}
	}
	return w.Flush()
}

func tooLarge() error {
	return fault.New(fault.Limit, "export", text.Say("export.too_large"), text.Say("export.too_large_hint"))
}
