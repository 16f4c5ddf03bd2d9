package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// booked writes frames as a workbook and reads it again.
func booked(t *testing.T, frames ...BookFrame) (f *excelize.File, names []string, notes [][]string) {
	t.Helper()
	b, err := NewBook("=A title")
	if err != nil {
		t.Fatal(err)
	}
	b.List(BookEntry{Heading: "A heading"})
	for i, frame := range frames {
		name, said, err := b.Frame(frame)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		names, notes = append(names, name), append(notes, said)
		b.List(BookEntry{Title: frame.Title, Question: "=question", Grade: "AA", Sheet: name, Rows: int64(len(frame.Rows)), Source: i + 1, Notes: said})
	}
	b.List(BookEntry{Text: "@A text"})
	var out bytes.Buffer
	long := strings.Repeat("long ", 20_000)
	if err := b.Close(&out, []Fact{{"Workspace", "=x"}}, []BookSource{{Number: 1, Title: "=question", Facts: []BookFact{{"SQL", "", "=1+1"}, {"Checks", "+passed", long}}}}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if to := os.Getenv("ASSAY_BOOK"); to != "" {
		_ = os.WriteFile(to, out.Bytes(), 0o600)
	}
	f, err = excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, names, notes
}

func monthly(title string, chart *BookChart) BookFrame {
	f := BookFrame{Title: title, Chart: chart, Columns: []frameql.Column{
		{Name: "region", Role: frameql.RoleDimension, Type: "text"},
		{Name: "month", Role: frameql.RoleDimension, Type: "date", Grain: "month"},
		{Name: "amount", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD"},
		{Name: "orders", Role: frameql.RoleMetric, Type: "integer"},
	}}
	for m := 1; m <= 3; m++ {
		for i, region := range []string{"North", "South"} {
			f.Rows = append(f.Rows, []any{region, fmt.Sprintf("2025-%02d-01", m), json.Number(fmt.Sprintf("%d.50", m*10+i)), int64(m + i)})
		}
	}
	return f
}

// TestBookKeepsValues reads cells again: numbers are numbers, dates dates, what a sheet would round is text, and what it would run is shown.
func TestBookKeepsValues(t *testing.T) {
	frame := BookFrame{Title: "values", Columns: []frameql.Column{
		{Name: "text", Type: "text"}, {Name: "amount", Type: "decimal", Unit: "USD"}, {Name: "share", Type: "float", Format: "percent"}, {Name: "day", Type: "date"}, {Name: "at", Type: "timestamp"}, {Name: "yes", Type: "boolean"},
	}, Rows: [][]any{
		{"=1+1", json.Number("1.25"), 0.5, "2025-01-31", "2025-01-31T12:30:00", true},
		{nil, "12345678901234567890.5", json.Number("0.1"), "1066-10-14", nil, false},
		{strings.Repeat("x", 40_000), json.Number("1234567890123456.75"), "NaN", nil, nil, nil},
	}}
	f, names, notes := booked(t, frame)
	for cell, want := range map[string]string{"A1": "text", "B1": "amount (USD)", "A2": "'=1+1", "B2": "1.25", "C2": "50.0%", "D2": "2025-01-31", "E2": "2025-01-31 12:30:00", "F2": "TRUE", "A3": "", "B3": "12345678901234567890.5", "D3": "1066-10-14", "B4": "1234567890123456.75", "C4": "NaN"} {
		if got, err := f.GetCellValue(names[0], cell); err != nil || got != want {
			t.Errorf("%s holds %q, want %q, %v", cell, got, want, err)
		}
	}
	for cell, want := range map[string]excelize.CellType{"B2": excelize.CellTypeUnset, "B3": excelize.CellTypeInlineString, "A2": excelize.CellTypeInlineString} {
		if got, err := f.GetCellType(names[0], cell); err != nil || got != want {
			t.Errorf("%s is of type %d, want %d, %v", cell, got, want, err)
		}
	}
	if said := strings.Join(notes[0], " "); !strings.Contains(said, "3 numbers stand as text") || !strings.Contains(said, "1 ") {
		t.Errorf("it says %q", said)
	}
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for j, v := range row {
				at, _ := excelize.CoordinatesToCellName(j+1, i+1)
				if formula, err := f.GetCellFormula(sheet, at); err != nil || formula != "" {
					t.Errorf("%s!%s runs %q", sheet, at, formula)
				}
				if strings.HasPrefix(v, "=") || strings.HasPrefix(v, "+") || strings.HasPrefix(v, "@") {
					t.Errorf("%s!%s begins with a formula: %.40q", sheet, at, v)
				}
			}
		}
	}
}

// TestBookTellsWhatIsInIt reads the first and the last sheet.
func TestBookTellsWhatIsInIt(t *testing.T) {
	f, names, _ := booked(t, monthly("Amount by month", nil))
	if got := f.GetSheetList(); strings.Join(got, "|") != "Contents|Amount by month|Provenance" {
		t.Errorf("the sheets are %q", got)
	}
	rows, err := f.GetRows("Contents")
	if err != nil {
		t.Fatal(err)
	}
	if read := fmt.Sprint(rows); !strings.Contains(read, "A heading") || !strings.Contains(read, "A text") || !strings.Contains(read, "1 Amount by month  '=question AA 6") {
		t.Errorf("the contents are %q", rows)
	}
	linked := ""
	for i := range rows {
		if is, to, err := f.GetCellHyperLink("Contents", fmt.Sprintf("B%d", i+1)); err == nil && is {
			linked = to
		}
	}
	if linked != "'"+names[0]+"'!A1" {
		t.Errorf("it leads to %q", linked)
	}
	about, err := f.GetRows("Provenance")
	if err != nil || len(about) != 6 || len(strings.Join([]string{about[2][4], about[3][4], about[4][4], about[5][4]}, "")) != 100_000 {
		t.Errorf("%d lines, %v", len(about), err)
	}
}

// TestSheetNames makes names of titles that are none, too long, or the same.
func TestSheetNames(t *testing.T) {
	titles := []string{"a/b:c?d*e[f]\\g", "", "''", "History", "Contents", "contents", strings.Repeat("long ", 30), strings.Repeat("long ", 30), strings.Repeat("𝕳", 40), "'quoted'", "x\x00y\nz", "=1+1", strings.Repeat("é", 40)}
	var frames []BookFrame
	for _, title := range titles {
		frames = append(frames, monthly(title, &BookChart{Type: "line", X: "month", Y: []string{"amount"}, Series: "region"}))
	}
	f, names, _ := booked(t, frames...)
	seen := map[string]bool{"contents": true, "provenance": true}
	for i, name := range names {
		switch {
		case name == "" || len(utf16.Encode([]rune(name))) > 31 || strings.ContainsAny(name, `[]:*?/\`) || strings.HasPrefix(name, "'") || strings.HasSuffix(name, "'"):
			t.Errorf("%q became %q", titles[i], name)
		case seen[strings.ToLower(name)]:
			t.Errorf("%q became %q, which is there", titles[i], name)
		}
		seen[strings.ToLower(name)] = true
		if v, err := f.GetCellValue(name, "A2"); err != nil || v != "North" {
			t.Errorf("%q holds %q, %v", name, v, err)
		}
	}
}

// TestBookDrawsCharts draws every type that a sheet has, from its cells, and says of the others that they are left out.
func TestBookDrawsCharts(t *testing.T) {
	one := func(kind string) *BookChart {
		return &BookChart{Type: kind, Title: "A <chart>", X: "month", Y: []string{"amount"}, Series: "region"}
	}
	alone := monthly("alone", &BookChart{Type: "bar", X: "month", Y: []string{"amount", "orders"}, Lying: true})
	alone.Rows = [][]any{alone.Rows[0], alone.Rows[2], alone.Rows[4]}
	pie := alone
	pie.Chart = &BookChart{Type: "pie", X: "month", Y: []string{"orders"}}
	points := monthly("points", &BookChart{Type: "scatter", X: "orders", Y: []string{"amount"}})
	exact := monthly("exact", one("line"))
	exact.Rows[0][2] = "12345678901234567890.5"
	for name, c := range map[string]struct {
		frame BookFrame
		drawn string // a part of the note where it is left out
		refs  []string
	}{
		"line":      {monthly("line", one("line")), "", []string{"'line'!$F$2:$F$4", "'line'!$G$2:$G$4", "'line'!$H$2:$H$4", "'line'!$H$1"}},
		"area":      {monthly("area", one("area")), "", nil},
		"stacked":   {monthly("stacked", one("stacked")), "", nil},
		"grouped":   {monthly("grouped", one("grouped")), "", nil},
		"bar":       {alone, "", []string{"'alone'!$B$2:$B$4", "'alone'!$C$2:$C$4", "'alone'!$D$2:$D$4"}},
		"pie":       {pie, "", nil},
		"scatter":   {points, "", []string{"'points'!$D$2:$D$7", "'points'!$C$2:$C$7"}},
		"heatmap":   {monthly("heatmap", one("heatmap")), "cannot draw one of type heatmap", nil},
		"together":  {monthly("together", &BookChart{Type: "bar", X: "month", Y: []string{"amount"}}), "several rows stand behind", nil},
		"exact":     {exact, "more digits than a sheet keeps", nil},
		"no column": {monthly("no column", &BookChart{Type: "bar", X: "nothing", Y: []string{"amount"}}), "not in the rows", nil},
	} {
		f, names, notes := booked(t, c.frame)
		xml := ""
		f.Pkg.Range(func(path, raw any) bool {
			if strings.HasPrefix(path.(string), "xl/charts/chart") {
				xml += string(raw.([]byte))
			}
			return true
		})
		said := strings.Join(notes[0], " ")
		if drawn := xml != ""; drawn != (c.drawn == "") || !strings.Contains(said, c.drawn) {
			t.Errorf("%s: drawn %v, and it says %q", name, drawn, said)
		}
		for _, ref := range c.refs {
			if !strings.Contains(xml, ">"+strings.ReplaceAll(ref, "'", "&#39;")+"<") && !strings.Contains(xml, ">"+ref+"<") {
				t.Errorf("%s: no %s in %s", name, ref, xml)
			}
		}
		if name == "line" {
			if v, err := f.GetCellValue(names[0], "G3"); err != nil || v != "20.5" {
				t.Errorf("the cells of the chart hold %q, %v", v, err)
			}
		}
	}
}

// TestBookHasLimits refuses more than a sheet holds.
func TestBookHasLimits(t *testing.T) {
	b, err := NewBook("x")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Drop()
	wide := BookFrame{Title: "wide", Columns: make([]frameql.Column, sheetColumns+1)}
	long := BookFrame{Title: "long", Columns: make([]frameql.Column, 1), Rows: make([][]any, sheetRows)}
	for _, f := range []BookFrame{wide, long} {
		if _, _, err := b.Frame(f); fault.CodeOf(err) != fault.Limit {
			t.Errorf("%s: %v", f.Title, err)
		}
	}
}
