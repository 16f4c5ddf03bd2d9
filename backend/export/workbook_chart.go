package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/xuri/excelize/v2"

	"assay/backend/frameql"
	"assay/backend/text"
)

// BookChart is a chart of a result, by the names of its columns.
type BookChart struct {
	Type   string // bar stacked grouped line area scatter pie; others are left out, which is said
	Title  string
	X      string
	Y      []string
	Series string // the column that parts the rows into series; empty: each of Y is one
	Lying  bool   // bars lie
}

const (
	mostSeriesOfChart = 12
	mostBarsOfChart   = 200
	mostPoints        = 20_000
	chartWidth        = 640
	chartHeight       = 360
)

// drawnChart is a chart with the cells that it is drawn from.
type drawnChart struct {
	kind    excelize.ChartType
	title   string
	sheet   string
	x       int     // column of the members, from 0
	ys      []int   // columns of the numbers
	rows    int     // that are drawn, from the second row of the sheet
	from    int     // column at which the helping table begins
	beside  [][]any // the helping table, its head first; empty: the chart is drawn from the rows
	columns int     // of the sheet, with the helping table
	titles  [2]string
	scatter bool
}

// planChart says from which cells a chart is drawn; nil with a note: it cannot be.
func (s *bookSheet) planChart() (*drawnChart, string) {
	c := s.frame.Chart
	if c == nil {
		return nil, ""
	}
	leave := func(key string) (*drawnChart, string) { return nil, text.Say(key, "type", c.Type) }
	kind, known := kindOf(*c)
	if !known {
		return leave("export.chart_no_type")
	}
	at := func(name string) int {
		return slices.IndexFunc(s.frame.Columns, func(k frameql.Column) bool { return k.Name == name })
	}
	d := &drawnChart{kind: kind, title: c.Title, sheet: s.name, x: at(c.X), columns: len(s.frame.Columns), scatter: c.Type == "scatter"}
	for _, y := range c.Y {
		d.ys = append(d.ys, at(y))
	}
	if c.Type == "pie" && len(d.ys) > 1 {
		d.ys = d.ys[:1]
	}
	d.rows = s.members()
	switch {
	case d.x < 0 || len(d.ys) == 0 || slices.Contains(d.ys, -1) || d.rows == 0:
		return leave("export.chart_no_cells")
	case d.rows > mostPoints || d.rows > mostBarsOfChart && c.Type != "line" && c.Type != "area" && c.Type != "scatter" && c.Series == "":
		return leave("export.chart_many")
	case !s.numbers(d.ys, d.rows) || d.scatter && !s.numbers([]int{d.x}, d.rows):
		return leave("export.chart_as_text")
	}
	d.titles = [2]string{label(s.frame.Columns[d.x]), label(s.frame.Columns[d.ys[0]])}
	if c.Series == "" {
		if !d.scatter && s.repeats(d.rows, d.x) {
			return leave("export.chart_together")
		}
		return d, ""
	}
	series := at(c.Series)
	if series < 0 {
		return leave("export.chart_no_cells")
	}
	if key := s.part(d, series); key != "" {
		return leave(key)
	}
	return d, ""
}

// kindOf gives the chart of a spreadsheet for one of ours.
func kindOf(c BookChart) (excelize.ChartType, bool) {
	lying := func(standing, lying excelize.ChartType) (excelize.ChartType, bool) {
		if c.Lying {
			return lying, true
		}
		return standing, true
	}
	switch c.Type {
	case "bar":
		if c.Series != "" {
			return lying(excelize.ColStacked, excelize.BarStacked)
		}
		return lying(excelize.Col, excelize.Bar)
	case "grouped":
		return lying(excelize.Col, excelize.Bar)
	case "stacked":
		return lying(excelize.ColStacked, excelize.BarStacked)
	case "line":
		return excelize.Line, true
	case "area":
		return excelize.AreaStacked, true
	case "pie":
		return excelize.Pie, true
	case "scatter":
		return excelize.Scatter, c.Series == ""
	}
	return 0, false
}

// members counts the rows before the totals, which come last.
func (s *bookSheet) members() int {
	total := slices.IndexFunc(s.frame.Columns, func(c frameql.Column) bool { return c.Role == frameql.RoleFlag && c.Name == "is_total" })
	if total < 0 {
		return len(s.frame.Rows)
	}
	if first := slices.IndexFunc(s.frame.Rows, func(row []any) bool { return row[total] == true }); first >= 0 {
		return first
	}
	return len(s.frame.Rows)
}

// numbers says whether all cells of columns are numbers in the sheet, or missing.
func (s *bookSheet) numbers(columns []int, rows int) bool {
	for _, at := range columns {
		c := s.frame.Columns[at]
		if c.Type != "integer" && c.Type != "decimal" && c.Type != "float" {
			return false
		}
		for _, row := range s.frame.Rows[:rows] {
			switch v := row[at].(type) {
			case string:
				return false
			case json.Number:
				if c.Type != "float" && !exact(string(v)) {
					return false
				}
			}
		}
	}
	return true
}

// repeats says whether several rows have the same cells.
func (s *bookSheet) repeats(rows int, columns ...int) bool {
	seen := map[string]bool{}
	for _, row := range s.frame.Rows[:rows] {
		key := keyOf(row, columns...)
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

func keyOf(row []any, columns ...int) string {
	cells := make([]any, len(columns))
	for i, at := range columns {
		cells[i] = row[at]
	}
	raw, err := json.Marshal(cells)
	if err != nil {
		return fmt.Sprint(cells)
	}
	return string(raw)
}

// part makes the helping table of a chart with series: a line for each member, a column for each series. It gives the key of what is in the way; empty: nothing.
func (s *bookSheet) part(d *drawnChart, series int) string {
	if s.repeats(d.rows, d.x, series) {
		return "export.chart_together"
	}
	columns, lines := map[string]int{}, map[string]int{}
	y := d.ys[0]
	head := []any{excelize.Cell{StyleID: s.book.styles.head, Value: text.Say("export.chart_cells", "column", label(s.frame.Columns[d.x]))}}
	table := [][]any{head}
	for _, row := range s.frame.Rows[:d.rows] {
		member, of := keyOf(row, d.x), keyOf(row, series)
		if _, known := columns[of]; !known {
			if len(columns) == mostSeriesOfChart {
				return "export.chart_many_series"
			}
			columns[of] = len(columns) + 1
			table[0] = append(table[0], excelize.Cell{StyleID: s.book.styles.head, Value: sheetText64(fmt.Sprint(orNull(row[series])))})
		}
		line, known := lines[member]
		if !known {
			line = len(table)
			lines[member] = line
			table = append(table, []any{s.cell(row[d.x], s.frame.Columns[d.x])})
		}
		for len(table[line]) <= columns[of] {
			table[line] = append(table[line], nil)
		}
		table[line][columns[of]] = s.cell(row[y], s.frame.Columns[y])
	}
	d.beside, d.from = table, len(s.frame.Columns)+1
	d.x, d.rows, d.columns = d.from, len(table)-1, d.from+len(table[0])
	d.ys = nil
	for i := 1; i < len(table[0]); i++ {
		d.ys = append(d.ys, d.from+i)
	}
	return ""
}

func orNull(v any) any {
	if v == nil {
		return text.Say("window.cell.null")
	}
	return v
}

// anchor is the cell at which the chart begins: right of everything.
func (d *drawnChart) anchor() string {
	column, err := excelize.ColumnNumberToName(d.columns + 2)
	if err != nil {
		return "A1"
	}
	return column + "2"
}

// chart is the chart as the library takes it.
func (d *drawnChart) chart() *excelize.Chart {
	plain := false
	c := &excelize.Chart{
		Type: d.kind, Dimension: excelize.ChartDimension{Width: chartWidth, Height: chartHeight}, ShowBlanksAs: "gap", VaryColors: &plain,
		Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: d.title, Font: &excelize.Font{Size: 11, Bold: true}}}}, Legend: excelize.ChartLegend{Position: "bottom"},
	}
	if d.kind == excelize.Pie {
		vary := true
		c.VaryColors = &vary
	} else {
		axis := func(title string) []excelize.RichTextRun {
			return []excelize.RichTextRun{{Text: title, Font: &excelize.Font{Size: 9}}}
		}
		c.XAxis.Title.Paragraph, c.YAxis.Title.Paragraph = axis(d.titles[0]), axis(d.titles[1])
		c.YAxis.MajorGridLines = true
	}
	if len(d.ys) == 1 && d.kind != excelize.Pie {
		c.Legend.Position = "none"
	}
	for _, y := range d.ys {
		c.Series = append(c.Series, excelize.ChartSeries{Name: d.cells(y, 1, 1), Categories: d.cells(d.x, 2, d.rows+1), Values: d.cells(y, 2, d.rows+1)})
	}
	return c
}

// cells is a reference to cells of a column.
func (d *drawnChart) cells(column, from, to int) string {
	name, err := excelize.ColumnNumberToName(column + 1)
	if err != nil {
		return ""
	}
	cell := quotedSheet(d.sheet) + "!$" + name + "$" + strconv.Itoa(from)
	if from == to {
		return cell
	}
	return cell + ":$" + name + "$" + strconv.Itoa(to)
}
