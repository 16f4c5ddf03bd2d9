package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
)

// TestSource looks at everything that an import tells.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	path := write(t, "Order Details.csv", "OrderID;CompanyName;Größe (cm);2nd Value;OrderID\n1;Ana;1,5;x;7\n2;Bo;2,5;y;8\n")
	src, err := s.Import(t.Context(), ImportRequest{Path: path, Name: "My orders"})
	if err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	if src.Name != "My orders" || src.Path != path || src.Format != "csv" || src.Bytes != info.Size() || !src.Modified.Equal(info.ModTime()) ||
		!src.Imported.Equal(clock()) || src.Encoding != "utf-8" || src.Delimiter != ";" || !strings.HasPrefix(src.ID, "order_details-") {
		t.Errorf("%+v", src)
	}
	tb := src.Tables[0]
	var names []string
	for _, c := range tb.Columns {
		names = append(names, c.Name+"="+c.Alias)
	}
	if got := strings.Join(names, " "); tb.Name != "Order Details" || tb.Alias != "order_details" || got != "OrderID=order_id CompanyName=company_name Größe (cm)=grosse_cm 2nd Value=column_4_2nd_value OrderID_2=order_id_2" {
		t.Errorf("%s %s: %s", tb.Name, tb.Alias, got)
	}
	if got := rows(t, s, `SELECT sum("Größe (cm)") FROM "Order Details"`); got != "4.0" {
		t.Errorf("sum %s", got)
	}
	again := open(t, dir)
	if !reflect.DeepEqual(again.Sources(), s.Sources()) || len(again.Sources()) != 1 {
		t.Errorf("another store sees %+v", again.Sources())
	}
}

// TestReplace: a file that changed is replaced under the same ID and names, and other processes' queries see it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	s, other := open(t, dir), open(t, dir)
	path := write(t, "a.csv", "x,y\n1,2\n")
	first := mustImport(t, s, path)
	if got := rows(t, other, "SELECT * FROM a"); got != "1|2" {
		t.Error(got)
	}
	fresh := func(want bool) {
		t.Helper()
		if got, err := s.Fresh(path); err != nil || got != want {
			t.Errorf("fresh is %v %v", got, err)
		}
	}
	fresh(true)
	later := first.Modified.Add(time.Hour)
	os.Chtimes(path, later, later)
	fresh(true) // touched, not changed
	writeBytes(t, path, []byte("x,y\n3,4\n"))
	os.Chtimes(path, later.Add(time.Hour), later.Add(time.Hour))
	fresh(false) // same size, other content
	second := mustImport(t, s, path)
	fresh(true)
	if second.ID != first.ID || second.Epoch == first.Epoch || second.Tables[0].Name != "a" || len(s.Sources()) != 1 {
		t.Errorf("%+v", second)
	}
	if got := rows(t, other, "SELECT * FROM a"); got != "3|4" {
		t.Error(got)
	}
	if got := left(t, dir); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
	if _, err := s.Fresh(filepath.Join(dir, "none.csv")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing gives %v", err)
	}
}

// TestSameNames: two sources may hold tables of the same name; the first keeps it whatever happens to either.
func TestSameNames(t *testing.T) {
	s := open(t, t.TempDir())
	first := write(t, "orders.csv", "x,y\n1,2\n")
	second := write(t, "Orders.csv", "x,y\n3,4\n5\n")
	mustImport(t, s, first)
	src := mustImport(t, s, second)
	if tb := src.Tables[0]; tb.Name != "Orders_2" || tb.Alias != "orders_2" || tb.RejectTable != "Orders__rejected" || !strings.Contains(strings.Join(src.Notes, " "), "The table Orders is called Orders_2 here") {
		t.Errorf("%+v", src)
	}
	writeBytes(t, first, []byte("x,y\n7,8\n"))
	mustImport(t, s, first)
	writeBytes(t, second, []byte("x,y\n3,4\n"))
	mustImport(t, s, second)
	if got := rows(t, s, "SELECT x FROM orders UNION ALL SELECT x FROM orders_2"); got != "7\n3" {
		t.Errorf("after importing again: %s", got)
	}
	if err := s.Remove(t.Context(), s.Sources()[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, s, "SELECT x FROM Orders_2"); got != "3" {
		t.Errorf("after removing the first: %s", got)
	}
	if err := s.Remove(t.Context(), "none-000000"); fault.CodeOf(err) != fault.NotFound || err.Error() != "There is no source none-000000. List the sources to see their names." {
		t.Errorf("gives %v", err)
	}
}

// TestRejectedLines: every line that is not in the table as it is written is in the other, with its line, column, reason and text.
func TestRejectedLines(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,day,amount,name\n")
	for i := range 3000 {
		switch i {
		case 500:
			b.WriteString("500,2024-02-31,5,impossible day\n")
		case 1000:
			b.WriteString("1000,2024-01-01,5\n")
		case 1500:
			b.WriteString("1500,2024-01-01,1.2.3,\"two\nlines\"\n")
		case 2000:
			b.WriteString("2000,2024-01-01,5,x,too much\n")
		case 2500:
			b.WriteString("2500,2024-01-01,5,\"open\" quote\n")
		case 2600:
			b.WriteString("2600,a name, with a comma,5,2024-01-01\n")
		default:
			fmt.Fprintf(&b, "%d,2024-01-%02d,%d.5,\"n%d\"\n", i, i%28+1, i, i)
		}
	}
	s := open(t, t.TempDir())
	src := mustImport(t, s, write(t, "r.csv", b.String()))
	tb := src.Tables[0]
	if tb.Rows != 2999 || tb.Rejected != 1 || tb.RejectTable != "r__rejected" || types(tb) != "id integer, day date, amount decimal, name text" {
		t.Errorf("%+v", tb)
	}
	want := `502|day|2024-02-31 is not a date. The field is missing.|500,2024-02-31,5,impossible day
1002|∅|The line has fewer fields than the header. The last ones are missing.|1000,2024-01-01,5
1502|amount|1.2.3 is not a number. The field is missing.|1500,2024-01-01,1.2.3,"two
lines"
2003|∅|The line has more fields than the header. Those beyond the last column were left out.|2000,2024-01-01,5,x,too much
2503|∅|A quote in the line is not closed, or in the wrong place. It was read as a character.|2500,2024-01-01,5,"open" quote
2603|∅|The line has more fields than the header, and they do not fit the columns. It was left out.|2600,a name, with a comma,5,2024-01-01`
	if got := rows(t, s, "SELECT * FROM r__rejected ORDER BY line"); got != want {
		t.Errorf("rejected:\n%s\nwant\n%s", got, want)
	}
	if got := rows(t, s, "SELECT count(*), count(DISTINCT id), sum(id), count(day), count(amount) FROM r"); got != fmt.Sprintf("2999|2999|%d|2998|2998", 2999*3000/2-2600) {
		t.Errorf("kept: %s", got)
	}
	var said []string
	for _, n := range tb.Notes {
		said = append(said, fmt.Sprintf("%s %s %d of %d", n.Code, n.Column, n.Count, n.Of))
	}
	if got := strings.Join(said, "; "); got != "FIELDS_MISSING day 1 of 2999; FIELDS_MISSING amount 1 of 2999; LINES_LEFT_OUT  1 of 3000; LINES_SHORT  1 of 3000; LINES_LONG  1 of 3000; QUOTES_OPEN  1 of 3000" {
		t.Errorf("notes: %s", got)
	}
}

// TestProgress: the stages come in order, bytes only grow within one, and the hash ends with all of them.
func TestProgress(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "p.csv", "x,y\n"+strings.Repeat("12345,abcdefgh\n", 300_000))
	var stages []string
	var last Progress
	_, err := s.Import(t.Context(), ImportRequest{Path: path, Progress: func(p Progress) {
		if p.File != "p.csv" || p.BytesTotal != 4_500_004 || p.BytesDone > p.BytesTotal {
			t.Errorf("%+v", p)
		}
		if p.Stage != last.Stage {
			if last.Stage == stageHash && last.BytesDone != last.BytesTotal {
				t.Errorf("the hash ends at %+v", last)
			}
			stages = append(stages, p.Stage)
		} else if p.BytesDone < last.BytesDone {
			t.Errorf("from %+v to %+v", last, p)
		}
		last = p
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(stages, " "); got != "hash sniff load check publish" {
		t.Errorf("stages %s", got)
	}
}

// TestEngineProgress: the driver still keeps its connection where it is looked for.
func TestEngineProgress(t *testing.T) {
	l, err := openLoader(t.Context(), loading{Dir: t.TempDir(), MemoryLimit: "2GB"}, input{}, newTextFacts(), func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if c, ok := l.connection(); !ok || c.Ptr == nil {
		t.Error("an import tells no progress while the engine loads")
	}
}

// TestCanceledImports cancels at each stage, for each way to load: nothing is left and the next import works.
func TestCanceledImports(t *testing.T) {
	for _, kind := range []string{"csv", "xlsx", "sqlite", "json", "duckdb", "csv.gz"} {
		dir := t.TempDir()
		s := open(t, dir)
		path := filepath.Join(t.TempDir(), "orders."+kind)
		makers[kind](t, path)
		for _, stage := range []string{stageHash, stageSniff, stageLoad, stageCheck, stagePublish} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := s.Import(ctx, ImportRequest{Path: path, Progress: func(p Progress) {
				if p.Stage == stage {
					cancel()
				}
			}})
			cancel()
			if fault.CodeOf(err) != fault.Canceled || err.Error() != "Stopped." {
				t.Errorf("%s canceled during %s gives %v", kind, stage, fault.Detail(err))
			}
			if got := left(t, dir); len(got) > 0 || len(s.Sources()) > 0 {
				t.Errorf("%s canceled during %s leaves %v %v", kind, stage, got, s.Sources())
			}
		}
		mustImport(t, s, path)
	}
}

// TestCanceledLoad cancels while the engine is at work.
func TestCanceledLoad(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	path := benchFile(t, 64)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	loads := 0
	_, err := s.Import(ctx, ImportRequest{Path: path, Progress: func(p Progress) {
		if p.Stage == stageLoad {
			if loads++; loads == 2 {
				cancel()
			}
		}
	}})
	if fault.CodeOf(err) != fault.Canceled {
		t.Errorf("gives %v after %d reports", err, loads)
	}
	if got := left(t, dir); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
}

// TestSweep: what a killed import left behind goes when the store is opened, but not while another process imports.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	mustImport(t, s, write(t, "a.csv", "x,y\n1,2\n"))
	litter := func() {
		os.MkdirAll(filepath.Join(dir, "tmp-123", "spill"), 0o700)
		writeBytes(t, filepath.Join(dir, "tmp-456"), []byte("half a catalogue"))
		writeBytes(t, filepath.Join(dir, "orphan-00aa11.duckdb"), []byte("never named"))
		writeBytes(t, filepath.Join(dir, "notes.txt"), []byte("not ours"))
	}
	litter()
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if got := left(t, dir); len(got) != 4 {
		t.Errorf("swept while another imports: %v", got)
	}
	unlock()
	open(t, dir)
	if got := left(t, dir); fmt.Sprint(got) != "[notes.txt]" {
		t.Errorf("left: %v", got)
	}
	if got := rows(t, s, "SELECT * FROM a"); got != "1|2" {
		t.Error(got)
	}
}

// TestDamagedStore: a lost or broken file takes its own tables with it and nothing else; a broken catalogue is a sentence.
func TestDamagedStore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for _, n := range []string{"a", "b", "c"} {
		mustImport(t, s, write(t, n+".csv", "x,y\n1,2\n"))
	}
	entries := s.catalog.Entries
	os.Remove(filepath.Join(dir, entries[0].File))
	broken := filepath.Join(dir, entries[1].File)
	os.Remove(broken)
	writeBytes(t, broken, garbage(20_000))
	again := open(t, dir)
	if got := rows(t, again, "SELECT * FROM c"); got != "1|2" {
		t.Error(got)
	}
	src := again.Sources()
	if len(src) != 3 || len(src[0].Tables)+len(src[1].Tables) != 0 || fmt.Sprint(src[0].Notes) != "[The imported data of a.csv is missing or damaged; import the file again.]" {
		t.Errorf("%+v", src)
	}
	if fresh, err := again.Fresh(src[0].Path); fresh || err != nil {
		t.Errorf("a lost source is fresh: %v %v", fresh, err)
	}
	mustImport(t, again, src[0].Path)
	if got := rows(t, again, "SELECT * FROM a"); got != "1|2" {
		t.Error(got)
	}
	writeBytes(t, filepath.Join(dir, catalogFile), []byte("{"))
	_, err := Open(t.Context(), Options{Dir: dir})
	shows(t, nil, err, fault.Internal, "The list of sources "+filepath.Join(dir, catalogFile)+" is damaged. Delete the folder that holds it and import the files again")
}

// TestChangedMeanwhile: a file that is written to while it is read is not imported.
func TestChangedMeanwhile(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "a.csv", "x,y\n1,2\n")
	_, err := s.Import(t.Context(), ImportRequest{Path: path, Progress: func(p Progress) {
		if p.Stage == stageSniff {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.WriteString("3,4\n")
			f.Close()
		}
	}})
	shows(t, nil, err, fault.Conflict, "a.csv was changed while it was being read. Import it again when the program that writes it is done.")
}

// TestClosed: a closed store says so.
func TestClosed(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "a.csv", "x,y\n1,2\n")
	s.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	_, err := s.Import(t.Context(), ImportRequest{Path: path})
	shows(t, nil, err, fault.Unavailable, "The store is closed.")
}

// benchFile makes a CSV of about so many megabytes: keys, dates, money, text, flags, moments.
func benchFile(t testing.TB, megabytes int) string {
	path := filepath.Join(t.TempDir(), "bench.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := rand.New(rand.NewSource(3))
	day := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	fmt.Fprintln(f, "id,order_date,amount,price,customer,paid,created,qty,category,zip,note")
	var b strings.Builder
	for size, i := 0, 0; size < megabytes<<20; i++ {
		at := day.Add(time.Duration(i) * time.Second)
		fmt.Fprintf(&b, "%d,%s,%d.%02d,%d.%04d,Customer %d,%t,%s,%d,%s,%05d,Lorem ipsum dolor sit amet %d\n", i, at.Format("2006-01-02"), r.Intn(100_000), r.Intn(100),
			r.Intn(100), r.Intn(10_000), r.Intn(50_000), i%3 == 0, at.Format("2006-01-02 15:04:05"), r.Intn(1000), []string{"Beverages", "Condiments", "Dairy Products"}[i%3], r.Intn(100_000), i)
		if b.Len() > 1<<20 {
			size += b.Len()
			f.WriteString(b.String())
			b.Reset()
		}
	}
	f.WriteString(b.String())
	return path
}

// TestNumbersGrow imports a file again whose numbers have grown out of their types: the types grow with them, and what
// is known of the numbers is of the file as it is.
func TestNumbersGrow(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "grown.csv", "n,x\n1,0.5\n-7,2\n")
	mustImport(t, s, path)
	if got := s.Numbers()["grown"]; got["n"] != (compile.Number{Type: "INTEGER", Least: "-7", Most: "1"}) ||
		got["x"] != (compile.Number{Type: "DECIMAL(18,1)", Least: "0.5", Most: "2.0"}) {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(path, []byte("n,x\n1,0.5\n-7,2\n5000000000,12345678901234567890.25\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustImport(t, s, path)
	if got := s.Numbers()["grown"]; got["n"] != (compile.Number{Type: "BIGINT", Least: "-7", Most: "5000000000"}) ||
		got["x"] != (compile.Number{Type: "DECIMAL(38,2)", Least: "0.50", Most: "12345678901234567890.25"}) {
		t.Errorf("%+v", got)
	}
	if got := rows(t, s, "SELECT sum(n), sum(x), count(*) FROM grown"); got != "4999999994|12345678901234567892.75|3" {
		t.Error(got)
	}
}
