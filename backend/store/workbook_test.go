package store

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestWorkbook reads a workbook as people make them: titles, gaps, several sheets, merged cells, formulas, errors.
func TestWorkbook(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	set := func(sheet, cell string, v any) {
		t.Helper()
		if err := f.SetCellValue(sheet, cell, v); err != nil {
			t.Fatal(err)
		}
	}
	style := func(sheet, cell string, s *excelize.Style) {
		t.Helper()
		id, err := f.NewStyle(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.SetCellStyle(sheet, cell, cell, id); err != nil {
			t.Fatal(err)
		}
	}
	custom := func(format string) *excelize.Style { return &excelize.Style{CustomNumFmt: &format} }

	f.SetSheetName("Sheet1", "Sales 2024")
	set("Sales 2024", "B1", "Sales of the year")
	f.MergeCell("Sales 2024", "B1", "F1")
	for i, h := range []string{"Region", "Day", "Amount", "Paid", "At"} {
		set("Sales 2024", fmt.Sprintf("%c3", 'B'+i), h)
	}
	for i, r := range [][]any{{"North", 45292, 0.29, true, 0.5}, {nil, 45293, 1234.5, false, 0.75}, {"South", nil, nil, nil, nil}, {"N/A", 45294, 7, true, 0.25}} {
		for j, v := range r {
			cell := fmt.Sprintf("%c%d", 'B'+j, 4+i)
			if v != nil {
				set("Sales 2024", cell, v)
			}
		}
		style("Sales 2024", fmt.Sprintf("C%d", 4+i), custom(`[$-409]d\-mmm\-yy;@`))
		style("Sales 2024", fmt.Sprintf("D%d", 4+i), custom(`#,##0.0 "dollars";[Red]-#,##0.0`))
		style("Sales 2024", fmt.Sprintf("F%d", 4+i), &excelize.Style{NumFmt: 20})
	}
	f.MergeCell("Sales 2024", "B4", "B5")
	f.SetCellFormula("Sales 2024", "D6", "1/0")

	f.NewSheet("Empty")
	f.NewSheet("Wide")
	set("Wide", "A1", "id")
	for i := range 300 {
		set("Wide", fmt.Sprintf("A%d", i+2), i)
	}
	set("Wide", "E301", "far out")
	f.NewSheet("Codes")
	for i, c := range []string{"code", "007", "010"} {
		set("Codes", fmt.Sprintf("A%d", i+1), c)
	}
	path := filepath.Join(t.TempDir(), "book.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	s := open(t, t.TempDir())
	src := mustImport(t, s, path)
	var tables []string
	for _, tb := range src.Tables {
		tables = append(tables, fmt.Sprintf("%s (%d): %s", tb.Name, tb.Rows, types(tb)))
	}
	if got, want := strings.Join(tables, "\n"), "Sales 2024 (4): Region text, Day date, Amount decimal, Paid boolean, At time\nWide (300): id integer, column_5 text\nCodes (2): code text"; got != want {
		t.Errorf("tables\n%s\nwant\n%s", got, want)
	}
	if got, want := rows(t, s, `SELECT * FROM "Sales 2024"`), "North|2024-01-01|0.29|true|12:00:00\n∅|2024-01-02|1234.50|false|18:00:00\nSouth|∅|∅|∅|∅\n∅|2024-01-03|7.00|true|06:00:00"; got != want {
		t.Errorf("rows\n%s\nwant\n%s", got, want)
	}
	if got := rows(t, s, `SELECT sum(id), max(column_5) FROM "Wide"`); got != "44850|far out" {
		t.Errorf("wide: %s", got)
	}
	if got := strings.Join(src.Notes, "\n"); got != "The sheet Sales 2024: 1 rows above the header were left out.\nThe sheet Empty is empty and was left out." {
		t.Errorf("notes %s", got)
	}
}

// TestSheetParts reads what other programs write and the library of the tests does not: text in the cell, phonetic
// readings, escaped characters, days counted from 1904, ISO dates, cells without references, absolute part names.
func TestSheetParts(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="Tabelle1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="/xl/worksheets/one.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="s.xml"/><Relationship Id="rId3" Type="x/styles" Target="st.xml"/></Relationships>`,
		"xl/s.xml":                   `<sst><si><t>name</t></si><si><r><t>To</t></r><r><t xml:space="preserve">kyo </t></r><rPh><t>no</t></rPh></si><si><t>a_x000A_b</t></si></sst>`,
		"xl/st.xml":                  `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
		"xl/worksheets/one.xml": `<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>day</t></is></c><c t="str"><v>n</v></c><c t="inlineStr"><is><t>iso</t></is></c></row>
			<row><c t="s"><v>1</v></c><c s="1"><v>0</v></c><c><v>0.28999999999999998</v></c><c t="d"><v>2024-01-31T00:00:00Z</v></c></row>
			<row/><row><c t="s"><v>2</v></c><c s="1"><v>43830</v></c><c><v>1E+2</v></c><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`,
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(content))
	}
	z.Close()
	s := open(t, t.TempDir())
	src := mustImport(t, s, write(t, "parts.xlsx", b.String()))
	if got := types(src.Tables[0]); src.Tables[0].Name != "parts" || got != "name text, day date, n decimal, iso date" {
		t.Errorf("%s %s", src.Tables[0].Name, got)
	}
	if got := rows(t, s, "SELECT * FROM parts"); got != "Tokyo |1904-01-01|0.29|2024-01-31\na\nb|2024-01-01|100.00|∅" {
		t.Errorf("rows %s", got)
	}
}

func TestStyles(t *testing.T) {
	for code, want := range map[string]timeStyle{
		"yyyy-mm-dd": dateStyle, "dd.mm.yy hh:mm": dateStyle, "h:mm AM/PM": clockStyle, "mmm-yy": dateStyle, "mmmm": dateStyle, "[h]:mm:ss": plainStyle,
		"General": plainStyle, "0.00": plainStyle, "#,##0 \"days\"": plainStyle, "[Red]0.0": plainStyle, "[$-407]d. mmmm yyyy": dateStyle, "\\d0": plainStyle, "@": plainStyle, "mm:ss.0": clockStyle,
	} {
		if got := styleOf(200, code); got != want {
			t.Errorf("%s is %d, want %d", code, got, want)
		}
	}
}
