package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"assay/backend/fault"
)

func lookAt(t *testing.T, s *Store, path string, r Reading) *Preview {
	t.Helper()
	p, err := s.Preview(t.Context(), path, r)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return p
}

// columnsShown writes the columns of a preview: name type (written).
func columnsShown(p PreviewTable) string {
	var all []string
	for _, c := range p.Columns {
		one := c.Name + " " + c.Type
		if c.Written != "" {
			one += " (" + c.Written + ")"
		}
		all = append(all, one)
	}
	return strings.Join(all, ", ")
}

const german = "Nr;Tag;Betrag;Aktiv\n1;31.01.2025;1.234,50;yes\n2;28.02.2025;20,25;no\n"

// TestPreview: what a look tells is what an import would make, and nothing of it stays.
func TestPreview(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p := lookAt(t, s, write(t, "umsatz.csv", german), Reading{})
	if p.Format != "csv" || p.Delimiter != ";" || p.Quote != `"` || p.Escape != `"` || !*p.Header || *p.Skip != 0 || p.Encoding != "utf-8" || !p.Whole || !p.Text {
		t.Errorf("%+v", p)
	}
	table := p.Tables[0]
	if got := columnsShown(table); got != "Nr integer, Tag date (DD.MM.YYYY), Betrag decimal (1.234,5), Aktiv boolean (yes/no)" {
		t.Error(got)
	}
	if table.RowCount != 2 || *table.Rows[0][2] != "1234.50" || *table.Rows[1][1] != "2025-02-28" {
		t.Errorf("%+v", table)
	}
	if len(s.Sources()) != 0 || len(left(t, dir)) != 0 {
		t.Errorf("a look left %v, %v", s.Sources(), left(t, dir))
	}
}

// TestPreviewOfALargeFile reads its beginning, packed or not, and says so.
func TestPreviewOfALargeFile(t *testing.T) {
	s := open(t, t.TempDir())
	var b bytes.Buffer
	b.WriteString("id,word\n")
	for i := range 600_000 {
		fmt.Fprintf(&b, "%d,%s\n", i, "word")
	}
	plain := write(t, "long.csv", b.String())
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(b.Bytes())
	_ = z.Close()
	for _, path := range []string{plain, write(t, "long.csv.gz", packed.String())} {
		p := lookAt(t, s, path, Reading{})
		if p.Whole || p.Tables[0].RowCount < 100_000 || p.Tables[0].RowCount >= 600_000 || p.Tables[0].Rejected != 0 || len(p.Tables[0].Rows) != previewShown {
			t.Errorf("%s: whole %v, %d rows, %d rejected, %d shown", path, p.Whole, p.Tables[0].RowCount, p.Tables[0].Rejected, len(p.Tables[0].Rows))
		}
	}
}

// TestReadings: everything that a person may change, in a look and in the import, and it stays with the source.
func TestReadings(t *testing.T) {
	s := open(t, t.TempDir())
	yes, no, two := true, false, 2
	latin := "name,town\nJos\xe9,M\xfcnchen\n"
	for name, c := range map[string]struct {
		file, content string
		reading       Reading
		columns, rows string
	}{
		"delimiter": {"a.csv", "x;y\n1,5;2\n", Reading{Delimiter: ","}, "x;y integer, column_2 text", "1|5;2"},
		"no header": {"b.csv", "x,y\na,b\n", Reading{Header: &no}, "column_1 text, column_2 text", "x|y\na|b"},
		"a header":  {"c.csv", "1,2\n3,4\n", Reading{Header: &yes}, "1 integer, 2 integer", "3|4"},
		"skip":      {"d.csv", "one,1\ntwo,2\nk,v\na,7\n", Reading{Skip: &two, Header: &yes}, "k text, v integer", "a|7"},
		"encoding":  {"e.csv", latin, Reading{Encoding: "iso-8859-1"}, "name text, town text", "José|München"},
		"types": {
			"f.csv", "code,n,day\n7,8,2025-01-02\n9,10,2025-01-03\n",
			Reading{Columns: []ColumnReading{{Column: "code", Type: "text"}, {Column: "n", Type: "decimal"}, {Column: "day", Type: "timestamp"}}},
			"code text, n decimal, day timestamp", "7|8.00|2025-01-02T00:00:00\n9|10.00|2025-01-03T00:00:00",
		},
		"flags":  {"g.csv", "n,on\n1,1\n2,0\n", Reading{Columns: []ColumnReading{{Column: "on", Type: "boolean"}}}, "n integer, on boolean (1/0)", "1|true\n2|false"},
		"names":  {"h.csv", "a,b\n1,2\n", Reading{Columns: []ColumnReading{{Column: "a", Name: "First one"}}}, "First one integer, b integer", "1|2"},
		"json":   {"i.json", `[{"a":"1","b":2},{"a":"x","b":3}]`, Reading{Columns: []ColumnReading{{Column: "b", Type: "text", Name: "c"}}}, "a text, c text", "1|2\nx|3"},
		"ndjson": {"j.ndjson", "{\"a\":\"2025-01-01\"}\n{\"a\":\"2025-02-01\"}\n", Reading{Columns: []ColumnReading{{Column: "a", Type: "text"}}}, "a text", "2025-01-01\n2025-02-01"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, c.file, c.content)
			p := lookAt(t, s, path, c.reading)
			if got := columnsShown(p.Tables[0]); got != c.columns {
				t.Errorf("a look gives %s", got)
			}
			src, err := s.Import(t.Context(), ImportRequest{Path: path, Reading: c.reading})
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			if got := rows(t, s, "SELECT * FROM "+ident(src.Tables[0].Name)); got != c.rows {
				t.Errorf("imported\n%s", got)
			}
			if src.Reading == nil || len(src.Reading.Columns) != len(c.reading.Columns) {
				t.Errorf("the source keeps %+v", src.Reading)
			}
		})
	}
}

// TestWantedTypeMakesMissing: what does not fit a wanted type is missing and kept beside the table, never lost and never another value.
func TestWantedTypeMakesMissing(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "a.csv", "id,amount\n1,10\n2,n.a. so far\n3,30\n4,late\n")
	want := Reading{Columns: []ColumnReading{{Column: "amount", Type: "integer", Name: "sum"}}}
	p := lookAt(t, s, path, want).Tables[0]
	if p.RowCount != 4 || p.Rejected != 0 || p.Lines[0].Line != 3 || p.Lines[1].Line != 5 || p.Lines[0].Column != "sum" || !strings.Contains(p.Lines[0].Reason, "n.a. so far") {
		t.Errorf("%+v", p)
	}
	src, err := s.Import(t.Context(), ImportRequest{Path: path, Reading: want})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := rows(t, s, "SELECT * FROM a"); got != "1|10\n2|∅\n3|30\n4|∅" {
		t.Error(got)
	}
	lines, all, err := s.Rejected(t.Context(), src.Tables[0].Name, 1)
	if err != nil || all != 2 || len(lines) != 1 || lines[0].Line != 3 || lines[0].Raw != "2,n.a. so far" {
		t.Errorf("%+v %d %v", lines, all, err)
	}
	if _, _, err := s.Rejected(t.Context(), "nowhere", 1); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
}

// TestReadingsThatCannotBe are refused by name.
func TestReadingsThatCannotBe(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "a.csv", "id,day\n1,Monday\n2,Tuesday\n")
	far := 20_000
	var words strings.Builder
	words.WriteString("n\n1\n2\n")
	for i := range 1500 {
		fmt.Fprintf(&words, "w%d\n", i)
	}
	many := write(t, "many.csv", words.String())
	jsonFile := write(t, "b.json", `[{"a":"x"},{"a":"1"}]`)
	for name, c := range map[string]struct {
		path    string
		reading Reading
		says    string
	}{
		"delimiter of two": {path, Reading{Delimiter: ";;"}, ";;"},
		"delimiter letter": {path, Reading{Delimiter: "x"}, `"x"`},
		"encoding":         {path, Reading{Encoding: "ebcdic"}, "ebcdic"},
		"skip":             {path, Reading{Skip: &far}, "20000"},
		"type":             {path, Reading{Columns: []ColumnReading{{Column: "id", Type: "colour"}}}, "colour"},
		"name":             {path, Reading{Columns: []ColumnReading{{Column: "id", Name: " "}}}, "id"},
		"twice":            {path, Reading{Columns: []ColumnReading{{Column: "id", Name: "DAY"}}}, "Two columns"},
		"unfit json":       {jsonFile, Reading{Columns: []ColumnReading{{Column: "a", Type: "integer"}}}, `"x"`},
		"too many unfit":   {many, Reading{Columns: []ColumnReading{{Column: "n", Type: "integer"}}}, "1500 values"},
	} {
		if _, err := s.Preview(t.Context(), c.path, c.reading); fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: a look says %v", name, err)
		}
		if _, err := s.Import(t.Context(), ImportRequest{Path: c.path, Reading: c.reading}); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: an import says %v", name, err)
		}
	}
	if len(s.Sources()) != 0 {
		t.Errorf("%v", s.Sources())
	}
}

// TestChosenTables: of a database only the chosen tables are imported, under the wanted names; of a workbook too.
func TestChosenTables(t *testing.T) {
	s := open(t, t.TempDir())
	for _, kind := range []string{"sqlite", "duckdb", "xlsx"} {
		t.Run(kind, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "several."+kind)
			makeSeveral(t, kind, path)
			p := lookAt(t, s, path, Reading{})
			if len(p.Tables) != 2 || p.Text != (kind != "duckdb") {
				t.Fatalf("%+v", p)
			}
			keep := p.Tables[1]
			r := Reading{Tables: []string{keep.Name}, Columns: []ColumnReading{{Table: keep.Name, Column: keep.Columns[0].Name, Name: "renamed"}}}
			if again := lookAt(t, s, path, r); len(again.Tables) != 2 || again.Tables[1].Columns[0].Original != keep.Columns[0].Name || again.Tables[1].Columns[0].Name != "renamed" {
				t.Errorf("%+v", again.Tables)
			}
			src, err := s.Import(t.Context(), ImportRequest{Path: path, Reading: r})
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			if len(src.Tables) != 1 || src.Tables[0].Columns[0].Name != "renamed" {
				t.Errorf("%+v", src.Tables)
			}
			r.Tables = []string{"elsewhere"}
			if _, err := s.Import(t.Context(), ImportRequest{Path: path, Reading: r}); fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), "elsewhere") {
				t.Error(err)
			}
		})
	}
}

// TestPreviewIsCanceled and leaves nothing.
func TestPreviewIsCanceled(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Preview(ctx, write(t, "a.csv", german), Reading{}); fault.CodeOf(err) != fault.Canceled {
		t.Error(err)
	}
	if _, err := s.Preview(t.Context(), filepath.Join(dir, "gone.csv"), Reading{}); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	if got := left(t, dir); len(got) > 0 {
		t.Error(got)
	}
}

// TestReplaceByAnotherFile: a newer file takes the place of a source under its ID, its tables' names and the name that somebody gave it.
func TestReplaceByAnotherFile(t *testing.T) {
	s := open(t, t.TempDir())
	old := mustImport(t, s, write(t, "sales.csv", "a\n1\n"))
	if err := s.Rename(t.Context(), old.ID, " My sales "); err != nil {
		t.Fatal(err)
	}
	next, err := s.Import(t.Context(), ImportRequest{Path: write(t, "sales.csv", "a\n2\n3\n"), Replace: old.ID})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if next.ID != old.ID || next.Name != "My sales" || next.Tables[0].Name != "sales" || len(s.Sources()) != 1 || rows(t, s, "SELECT count(*) FROM sales") != "2" {
		t.Errorf("%+v", next)
	}
	if _, err := s.Import(t.Context(), ImportRequest{Path: next.Path, Replace: "nobody-000000"}); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	for _, bad := range []string{"", "  ", "a\nb", strings.Repeat("x", 301)} {
		if err := s.Rename(t.Context(), old.ID, bad); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := s.Rename(t.Context(), "nobody", "x"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
}

// TestReadingIsKept: a file that changed is read again the way a person wanted.
func TestReadingIsKept(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	path := write(t, "a.csv", "x;y\n1,5;2\n")
	if _, err := s.Import(t.Context(), ImportRequest{Path: path, Reading: Reading{Delimiter: ","}}); err != nil {
		t.Fatal(err)
	}
	kept := open(t, dir).Sources()[0]
	if kept.Reading == nil || kept.Reading.Delimiter != "," {
		t.Fatalf("%+v", kept)
	}
	if err := os.WriteFile(path, []byte("x;y\n3,7;4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := s.Import(t.Context(), ImportRequest{Path: path, Reading: *kept.Reading})
	if err != nil || types(src.Tables[0]) != "x;y integer, column_2 text" {
		t.Errorf("%v %+v", err, src)
	}
}

// makeSeveral makes a file with two tables.
func makeSeveral(t *testing.T, kind, path string) {
	t.Helper()
	switch kind {
	case "sqlite":
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, q := range []string{"CREATE TABLE first (a INTEGER)", "CREATE TABLE second (b INTEGER PRIMARY KEY)", "INSERT INTO first VALUES (1)", "INSERT INTO second VALUES (2)"} {
			if _, err := db.Exec(q); err != nil {
				t.Fatal(err)
			}
		}
	case "duckdb":
		duck(t, "ATTACH "+literal(path)+" AS o", "CREATE TABLE o.first AS SELECT 1 AS a", "CREATE TABLE o.second AS SELECT 2 AS b", "DETACH o")
	default:
		f := excelize.NewFile()
		defer f.Close()
		if _, err := f.NewSheet("second"); err != nil {
			t.Fatal(err)
		}
		for _, sheet := range []string{"Sheet1", "second"} {
			for i, v := range []any{"key", 1, 2} {
				if err := f.SetCellValue(sheet, fmt.Sprintf("A%d", i+1), v); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.SaveAs(path); err != nil {
			t.Fatal(err)
		}
	}
}
