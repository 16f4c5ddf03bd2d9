package export

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"assay/backend/frameql"
	"assay/backend/text"
)

// bookSheet is one result while it becomes a sheet.
type bookSheet struct {
	book   *Book
	name   string
	frame  BookFrame
	out    *excelize.StreamWriter
	cut    int // texts that are longer than a cell
	asText int // numbers whose digits a sheet would lose
	notes  []string
}

// write writes rows and chart. What the chart needs in another form than the rows have stands beside them.
func (s *bookSheet) write() error {
	if err := s.out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	for i, c := range s.frame.Columns {
		if err := s.out.SetColWidth(i+1, i+1, widthOf(c)); err != nil {
			return err
		}
	}
	drawn, note := s.planChart()
	head := make([]any, 0, len(s.frame.Columns))
	for _, c := range s.frame.Columns {
		head = append(head, excelize.Cell{StyleID: s.book.styles.head, Value: sheetText64(label(c))})
	}
	if err := s.row(1, head, drawn); err != nil {
		return err
	}
	for i, row := range s.frame.Rows {
		cells := make([]any, len(s.frame.Columns))
		for at := range s.frame.Columns {
			if at < len(row) {
				cells[at] = s.cell(row[at], s.frame.Columns[at])
			}
		}
		if err := s.row(i+2, cells, drawn); err != nil {
			return err
		}
	}
	if s.asText > 0 {
		s.notes = append(s.notes, text.Count("export.as_text", int64(s.asText), "n", s.asText))
	}
	if s.cut > 0 {
		s.notes = append(s.notes, text.Count("export.cut_cells", int64(s.cut), "n", s.cut))
	}
	if note != "" {
		s.notes = append(s.notes, note)
	}
	if drawn != nil {
		if err := s.book.file.AddChart(s.name, drawn.anchor(), drawn.chart()); err != nil {
			return bookFault(err)
		}
	}
	return s.out.Flush()
}

// row writes a row of the sheet, with the row of the helping table beside it.
func (s *bookSheet) row(n int, cells []any, drawn *drawnChart) error {
	if drawn != nil && n-1 < len(drawn.beside) {
		for len(cells) < drawn.from {
			cells = append(cells, nil)
		}
		cells = append(cells, drawn.beside[n-1]...)
	}
	return s.out.SetRow("A"+strconv.Itoa(n), cells)
}

// cell gives a cell of a frame as a sheet holds it: a number where it keeps every digit, a date as a date, and all else as text that nothing runs.
func (s *bookSheet) cell(v any, c frameql.Column) any {
	switch x := v.(type) {
	case nil:
		return nil
	case bool:
		return x
	case string:
		return s.textCell(x, c)
	case float64:
		return s.number(strconv.FormatFloat(x, 'g', -1, 64), c, true)
	case json.Number:
		return s.number(string(x), c, c.Type == "float")
	}
	return s.number(fmt.Sprint(v), c, false)
}

func (s *bookSheet) number(digits string, c frameql.Column, binary bool) any {
	if !binary && !exact(digits) {
		s.asText++
		return digits
	}
	if c.Format == "percent" {
		return excelize.Cell{StyleID: s.book.styles.percent, Value: numberOf(digits)}
	}
	return numberOf(digits)
}

func (s *bookSheet) textCell(x string, c frameql.Column) any {
	switch c.Type {
	case "integer", "decimal", "float": // a decimal of many digits, or no number
		s.asText++
		return sheetText64(x)
	case "date", "timestamp":
		if at, err := parseTime(x); err == nil && at.Year() >= 1900 && at.Year() <= 9999 {
			if c.Type == "date" {
				return excelize.Cell{StyleID: s.book.styles.date, Value: at}
			}
			return excelize.Cell{StyleID: s.book.styles.stamp, Value: at}
		}
	}
	if utf8.RuneCountInString(x) > sheetText-1 {
		s.cut++
	}
	return sheetText64(x)
}
