package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"assay/backend/fault"
	"assay/backend/frameql"
)

func everyTable(string) bool { return true }

// results opens a store with one imported file and a place for results.
func results(t *testing.T, content string, change ...func(*ResultsOptions)) (*Store, *Results) {
	t.Helper()
	s := open(t, t.TempDir())
	mustImport(t, s, write(t, "shop.csv", content))
	opt := ResultsOptions{Dir: filepath.Join(t.TempDir(), "results")}
	for _, c := range change {
		c(&opt)
	}
	r := s.OpenResults(opt)
	t.Cleanup(r.Close)
	return s, r
}

func mustMake(t *testing.T, r *Results, sql string) Result {
	t.Helper()
	x, err := r.Make(t.Context(), frameql.Statement{SQL: sql}, everyTable)
	if err != nil {
		t.Fatalf("%s: %s", sql, fault.Detail(err))
	}
	return x
}

// window reads a window as text: rows on lines, cells separated by a bar.
func window(t *testing.T, r *Results, id string, w Window) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Rows(t.Context(), id, w, &out); err != nil {
		t.Fatal(fault.Detail(err))
	}
	in, err := ipc.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	var lines []string
	for in.Next() {
		b := in.RecordBatch()
		for row := range int(b.NumRows()) {
			cells := make([]string, b.NumCols())
			for i := range cells {
				cells[i] = b.Column(i).ValueStr(row)
			}
			lines = append(lines, strings.Join(cells, "|"))
		}
	}
	if in.Err() != nil {
		t.Fatal(in.Err())
	}
	return strings.Join(lines, "\n")
}

const shopLines = `region,amount,sold,note
North,10.50,2026-01-01,first
south,9007199254740993.25,2026-01-02,"a ""quoted"" 100% = text"
West,,2026-01-03,
Émile,-3.00,2026-01-04,مرحبا 🎉
`

func TestWindowsKeepEveryDigit(t *testing.T) {
	_, r := results(t, shopLines)
	x := mustMake(t, r, `SELECT region, amount, sold, note, 9223372036854775807 AS big, 170141183460469231731687303715884105727 AS huge, TIMESTAMP '2026-01-01 10:00:00.5' AS at, [1, NULL] AS list FROM shop ORDER BY sold`)
	if x.Rows != 4 || len(x.Columns) != 8 {
		t.Fatalf("%d rows, columns %+v", x.Rows, x.Columns)
	}
	want := `south|9007199254740993.25|2026-01-02|a "quoted" 100% = text|9223372036854775807|170141183460469231731687303715884105727|2026-01-01T10:00:00.5|[1,null]` + "\n" +
		`West|(null)|2026-01-03|(null)|9223372036854775807|170141183460469231731687303715884105727|2026-01-01T10:00:00.5|[1,null]`
	if got := window(t, r, x.ID, Window{Offset: 1, Limit: 2}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := window(t, r, x.ID, Window{Offset: 3, Limit: 5, Columns: []int{3, 0}}); got != "مرحبا 🎉|Émile" {
		t.Errorf("got %q", got)
	}
	if got := window(t, r, x.ID, Window{Offset: 4, Limit: 5}); got != "" {
		t.Errorf("beyond the end: %q", got)
	}
}

func TestViewsSortFilterAndSearch(t *testing.T) {
	_, r := results(t, shopLines)
	x := mustMake(t, r, "SELECT region, amount, sold, note FROM shop")
	cases := []struct {
		name string
		view View
		want string
	}{
		{"text without case and accents", View{Sort: []SortKey{{Column: 0}}}, "Émile North south West"},
		{"numbers down, null last", View{Sort: []SortKey{{Column: 1, Descending: true}}}, "south North Émile West"},
		{"numbers up, null last", View{Sort: []SortKey{{Column: 1}}}, "Émile North south West"},
		{"at least, exactly", View{Filters: []Filter{{Column: 1, Op: "at_least", Value: "9007199254740993.25"}}}, "south"},
		{"a range", View{Filters: []Filter{{Column: 1, Op: "at_least", Value: "-3"}, {Column: 1, Op: "at_most", Value: "10.5"}}}, "North Émile"},
		{"a day", View{Filters: []Filter{{Column: 2, Op: "equals", Value: "2026-01-03"}}}, "West"},
		{"null", View{Filters: []Filter{{Column: 1, Op: "is_null", Value: ""}}}, "West"},
		{"differs keeps null", View{Filters: []Filter{{Column: 1, Op: "differs", Value: "10.50"}}}, "south West Émile"},
		{"contains", View{Filters: []Filter{{Column: 0, Op: "contains", Value: "TH"}}}, "North south"},
		{"search", View{Search: "🎉"}, "Émile"},
		{"what looks like a pattern is text", View{Search: "100% ="}, "south"},
		{"what looks like SQL is text", View{Search: "' OR true --"}, ""},
		{"two at once", View{Filters: []Filter{{Column: 1, Op: "not_null", Value: ""}}, Sort: []SortKey{{Column: 2, Descending: true}}}, "Émile south North"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v, err := r.View(t.Context(), x.ID, c.view)
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			got := strings.ReplaceAll(window(t, r, v.ID, Window{Limit: 10, Columns: []int{0}}), "\n", " ")
			if got != c.want || v.Rows != int64(len(strings.Fields(c.want))) {
				t.Errorf("%d rows: %q, want %q", v.Rows, got, c.want)
			}
		})
	}
	for _, bad := range []View{
		{Sort: []SortKey{{Column: 9}}},
		{Filters: []Filter{{Column: 1, Op: "equals", Value: "1 OR true"}}},
		{Filters: []Filter{{Column: 2, Op: "at_least", Value: "2026-02-30"}}},
		{Filters: []Filter{{Column: 0, Op: "likes", Value: "x"}}},
	} {
		if _, err := r.View(t.Context(), x.ID, bad); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if back, err := r.View(t.Context(), x.ID, View{}); err != nil || back.ID != x.ID {
		t.Errorf("no view is the result itself: %v %v", back.ID, err)
	}
}

func TestSumsAndCells(t *testing.T) {
	_, r := results(t, shopLines)
	x := mustMake(t, r, "SELECT region, amount, repeat('é', 1000000) AS long FROM shop ORDER BY sold")
	sums, err := r.Summarize(t.Context(), x.ID, 0, 3, []int{1, 0})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	want := `[{Column:1 Count:2 Numeric:true Sum:9007199254741003.75 Min:10.50 Max:9007199254740993.25} {Column:0 Count:3 Numeric:false Sum: Min: Max:}]`
	if got := fmt.Sprintf("%+v", sums); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if cut := window(t, r, x.ID, Window{Limit: 1, Columns: []int{2}}); cut != strings.Repeat("é", WindowText+1) {
		t.Errorf("a window has %d bytes of a long text", len(cut))
	}
	whole, null, err := r.Cell(t.Context(), x.ID, 2, 2)
	if err != nil || null || whole != strings.Repeat("é", 1_000_000) {
		t.Errorf("%d bytes, null %v, %v", len(whole), null, err)
	}
	if _, null, err := r.Cell(t.Context(), x.ID, 2, 1); err != nil || !null {
		t.Errorf("null %v, %v", null, err)
	}
	if _, _, err := r.Cell(t.Context(), x.ID, 4, 1); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a row beyond the end: %v", err)
	}
}

func TestResultsPassTheGate(t *testing.T) {
	_, r := results(t, shopLines)
	cases := []struct {
		sql  string
		code fault.Code
	}{
		{"DELETE FROM shop", fault.Invalid},
		{"SELECT * FROM read_csv('/etc/passwd')", fault.Unauthorized},
		{"SELECT 1; SELECT 2", fault.Invalid},
		{"SELECT no_column FROM shop", fault.Invalid},
	}
	for _, c := range cases {
		if _, err := r.Make(t.Context(), frameql.Statement{SQL: c.sql}, everyTable); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", c.sql, err)
		}
	}
	_, err := r.Make(t.Context(), frameql.Statement{SQL: "SELECT * FROM shop"}, func(string) bool { return false })
	if fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("a table that is not to be seen: %v", err)
	}
}

func TestResultsAreBounded(t *testing.T) {
	_, r := results(t, shopLines, func(o *ResultsOptions) { o.Most = 2 })
	first := mustMake(t, r, "SELECT 1 AS a FROM shop")
	second := mustMake(t, r, "SELECT 2 AS a FROM shop")
	if again := mustMake(t, r, "SELECT 1 AS a FROM shop"); again.ID != first.ID {
		t.Errorf("made twice: %s and %s", first.ID, again.ID)
	}
	window(t, r, first.ID, Window{Limit: 1})
	mustMake(t, r, "SELECT 3 AS a FROM shop")
	if _, err := r.Find(second.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the one that was looked at longest ago is there: %v", err)
	}
	if _, err := r.Find(first.ID); err != nil {
		t.Errorf("the one that was looked at is gone: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(r.folder, resultPrefix+"*"))
	if len(files) != 2 {
		t.Errorf("files %v", files)
	}
}

func TestResultsOfTheDeadAreSwept(t *testing.T) {
	s, r := results(t, shopLines)
	mustMake(t, r, "SELECT 1 AS a FROM shop")
	left := filepath.Join(r.opt.Dir, "deadbeef")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "s_1.duckdb"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := s.OpenResults(ResultsOptions{Dir: r.opt.Dir})
	defer other.Close()
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what a dead process left is there: %v", err)
	}
	if _, err := os.Stat(r.folder); err != nil {
		t.Errorf("the folder of a living one is gone: %v", err)
	}
}

func TestAResultThatIsTooLargeIsStopped(t *testing.T) {
	_, r := results(t, shopLines, func(o *ResultsOptions) { o.Budget = 1 << 20 })
	_, err := r.Make(t.Context(), frameql.Statement{SQL: "SELECT a.region || b.range || md5(CAST(b.range AS VARCHAR)) AS x FROM shop a, range(900000) b"}, everyTable)
	if fault.CodeOf(err) != fault.Limit {
		t.Errorf("%v", err)
	}
	files, _ := filepath.Glob(filepath.Join(r.folder, "*.duckdb*"))
	if len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}

func TestMakingAResultIsCanceled(t *testing.T) {
	_, r := results(t, shopLines)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Make(ctx, frameql.Statement{SQL: "SELECT * FROM shop"}, everyTable); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("%v", err)
	}
}

// TestNamesAreNoSQL has columns whose names are equal, long, empty-looking or made of quotes.
func TestNamesAreNoSQL(t *testing.T) {
	_, r := results(t, shopLines)
	long := strings.Repeat("n", 300)
	x := mustMake(t, r, `SELECT region AS "`+long+`", amount AS "x""; DROP", 1 AS a, 2 AS a FROM shop`)
	if x.Columns[0].Name != long || len(x.Columns) != 4 {
		t.Errorf("%+v", x.Columns)
	}
	v, err := r.View(t.Context(), x.ID, View{Sort: []SortKey{{Column: 3}, {Column: 1}}, Filters: []Filter{{Column: 0, Op: "contains", Value: "o"}}})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := window(t, r, v.ID, Window{Limit: 9}); got != "North|10.5|1|2\nsouth|9007199254740993.25|1|2" {
		t.Errorf("%q", got)
	}
}
