package store

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/xuri/excelize/v2"

	"assay/backend/fault"
)

// garbage is the same noise in every run.
func garbage(n int) []byte {
	b := make([]byte, n)
	rand.New(rand.NewSource(7)).Read(b)
	return b
}

func zipped(t *testing.T, name, content string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

// truncated makes a file of a kind and cuts its last third off.
func truncated(t *testing.T, kind string) []byte {
	path := filepath.Join(t.TempDir(), "whole."+kind)
	makers[kind](t, path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw[:len(raw)*2/3]
}

func encrypted(t *testing.T) []byte {
	f := excelize.NewFile()
	defer f.Close()
	f.SetCellValue("Sheet1", "A1", "secret")
	path := filepath.Join(t.TempDir(), "locked.xlsx")
	if err := f.SaveAs(path, excelize.Options{Password: "open sesame"}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestBadInput shows the message of every file that cannot be imported, and that nothing is left of the attempt.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	cases := []struct {
		name, file string
		content    []byte
		code       fault.Code
		message    string
	}{
		{"empty", "empty.csv", []byte{}, fault.Invalid, "empty.csv is empty. Export it again."},
		{"blank", "blank.csv", []byte("\n \n\t\n"), fault.Invalid, "blank.csv holds no data. Export it again."},
		{"garbage named csv", "noise.csv", garbage(300_000), fault.Invalid, "noise.csv holds no text and no table that can be recognised. Export the data as CSV, JSON, Parquet, Excel, SQLite or DuckDB."},
		{"garbage named parquet", "noise.parquet", garbage(300_000), fault.Invalid, "noise.parquet holds no text and no table that can be recognised. Export the data as CSV, JSON, Parquet, Excel, SQLite or DuckDB."},
		{"truncated parquet", "t.parquet", truncated(t, "parquet"), fault.Invalid, "t.parquet cannot be read as parquet: "},
		{"truncated xlsx", "t.xlsx", truncated(t, "xlsx"), fault.Invalid, "t.xlsx is damaged: its xlsx ends early or is broken. Export or copy it again."},
		{"truncated sqlite", "t.sqlite", truncated(t, "sqlite"), fault.Invalid, "t.sqlite is damaged: its sqlite ends early or is broken. Export or copy it again."},
		{"truncated duckdb", "t.duckdb", truncated(t, "duckdb"), fault.Invalid, "t.duckdb "},
		{"truncated json", "t.json", []byte("[{\"a\": 1},\n {\"a\": 2},\n {\"a\": "), fault.Invalid, "t.json is not valid JSON: line 3 cannot be read. Correct that line, or export it again."},
		{"broken ndjson", "t.ndjson", []byte("{\"a\": 1}\n{\"a\": 2\n{\"a\": 3}\n"), fault.Invalid, "t.ndjson is not valid JSON: line 3 cannot be read. Correct that line, or export it again."},
		{"json without rows", "none.json", []byte("[]"), fault.Invalid, "none.json holds no data. Export it again."},
		{"encrypted xlsx", "locked.xlsx", encrypted(t), fault.Invalid, "locked.xlsx is protected by a password. Save it without a password and import that."},
		{"old Excel", "old.xls", append([]byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}, make([]byte, 600)...), fault.Invalid, "old.xls is a workbook of an old Excel, or another Office document. Save it as .xlsx and import that."},
		{"archive", "all.zip", zipped(t, "a.csv", "a,b\n1,2\n"), fault.Invalid, "all.zip is an archive and not a workbook. Unpack it and import the files in it."},
		{"damaged gzip", "t.csv.gz", []byte{0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, fault.Invalid, "t.csv.gz is compressed and cannot be unpacked. Export or copy it again."},
		{"gzip cut off", "cut.csv.gz", func() []byte { b := packed(strings.Repeat("a,b\n1,2\n", 50_000)); return b[:len(b)-20] }(), fault.Invalid, "cut.csv.gz is damaged: its csv ends early or is broken. Export or copy it again."},
		{"gzip of parquet", "t.parquet.gz", packed("PAR1 and so on"), fault.Invalid, "t.parquet.gz is a compressed file of a kind that is compressed already. Unpack it and import what is in it."},
		{"no table", "t.csv", []byte("a,b\n" + strings.Repeat("1,2,3\n1\n", 40) + "1,2\n"), fault.Invalid, "t.csv is not a table that can be read: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			writeBytes(t, path, c.content)
			src, err := s.Import(t.Context(), ImportRequest{Path: path})
			shows(t, src, err, c.code, c.message)
		})
	}
	t.Run("missing", func(t *testing.T) {
		src, err := s.Import(t.Context(), ImportRequest{Path: "/no/such/file.csv"})
		shows(t, src, err, fault.NotFound, "There is no file /no/such/file.csv. Check the path.")
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error("is not fs.ErrNotExist")
		}
	})
	t.Run("folder", func(t *testing.T) {
		src, err := s.Import(t.Context(), ImportRequest{Path: t.TempDir()})
		shows(t, src, err, fault.Invalid, "001 is a folder. Name the files in it.")
	})
	t.Run("device", func(t *testing.T) {
		src, err := s.Import(t.Context(), ImportRequest{Path: os.DevNull})
		shows(t, src, err, fault.Invalid, "null is not a file that can be imported. Save the data as a file first.")
	})
	t.Run("sqlite without tables", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "none.sqlite")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("CREATE VIEW v AS SELECT 1"); err != nil {
			t.Fatal(err)
		}
		db.Close()
		src, err := s.Import(t.Context(), ImportRequest{Path: path})
		shows(t, src, err, fault.Invalid, "none.sqlite holds no table. Check that it is the right file.")
	})
	t.Run("duckdb in use", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "busy.duckdb")
		child := start(t, "hold", path)
		child.expect(t, "ready")
		src, err := s.Import(t.Context(), ImportRequest{Path: path})
		shows(t, src, err, fault.Conflict, "busy.duckdb is open in another program that writes to it. Close it there, then import again.")
		child.kill(t)
	})
	if got := left(t, dir); len(got) > 0 || len(s.Sources()) > 0 {
		t.Errorf("left behind: %v %v", got, s.Sources())
	}
}

func init() {
	children["hold"] = func(args []string) error {
		db, err := sql.Open("duckdb", args[0])
		if err != nil {
			return err
		}
		if _, err := db.Exec("CREATE TABLE t AS SELECT 1 AS a"); err != nil {
			return err
		}
		fmt.Println("ready")
		select {}
	}
}

func packed(content string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content))
	z.Close()
	return b.Bytes()
}

// shows checks the code and the beginning of the message of a failed import.
func shows(t *testing.T, src *Source, err error, code fault.Code, message string) {
	t.Helper()
	if err == nil {
		t.Fatalf("imported: %+v", src)
	}
	t.Log(err)
	if fault.CodeOf(err) != code || !strings.HasPrefix(err.Error(), message) {
		t.Errorf("%s: %s\nwant %s: %s\n%s", fault.CodeOf(err), err, code, message, fault.Detail(err))
	}
	if strings.Contains(err.Error(), "[store.") || strings.Contains(err.Error(), "{") {
		t.Errorf("unfinished sentence: %s", err)
	}
}

// TestGarbageIsNotRead: a file is recognised by its beginning; how large it is does not matter.
func TestGarbageIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Write(garbage(1 << 20))
	if err := f.Truncate(2 << 30); err != nil { // sparse: 2 GB that are never read
		t.Fatal(err)
	}
	f.Close()
	s := open(t, t.TempDir())
	var stages []string
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = s.Import(t.Context(), ImportRequest{Path: path, Progress: func(p Progress) { stages = append(stages, p.Stage) }})
	runtime.ReadMemStats(&after)
	shows(t, nil, err, fault.Invalid, "huge.csv holds no text and no table that can be recognised.")
	if len(stages) > 0 {
		t.Errorf("it was read: %v", stages)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d bytes allocated", grown)
	}
}

// TestOddInput imports what is unusual and still a table.
func TestOddInput(t *testing.T) {
	wide := func() string {
		var head, line []string
		for i := range 2000 {
			head, line = append(head, fmt.Sprintf("c%d", i)), append(line, fmt.Sprint(i))
		}
		return strings.Join(head, ",") + "\n" + strings.Join(line, ",") + "\n"
	}
	cases := []struct {
		name, file, content string
		sql, want, note     string
		rejected            int64
	}{
		{"header only", "h.csv", "a,b\n", "SELECT count(*) FROM h", "0", "h has a header and no rows.", 0},
		{"two thousand columns", "w.csv", wide(), "SELECT c0 + c1999 FROM w", "1999", "", 0},
		{"one column", "o.csv", "name\nAna\n\"B, C\"\n", "SELECT string_agg(name, '|') FROM o", "Ana|B, C", "", 0},
		{"no header", "n.csv", "1,x\n2,y\n", "SELECT sum(column_1), max(column_2) FROM n", "3|y", "The first line is data, so the columns are numbered.", 0},
		{"years as names", "y.csv", "country,2019,2020\nFrance,1.5,2\nSpain,3,4\n", `SELECT sum("2019") FROM y`, "4.5", "", 0},
		{"title above", "t.csv", "Report of May\n\na,b,c\n1,2,3\n4,5,6\n", "SELECT sum(a) FROM t", "5", "The first 2 lines stand above the table", 0},
		{"repeated and empty names", "d.csv", "a,A,,b,\n1,2,3,4,5\n", `SELECT a, "A_2", column_3, b, column_5 FROM d`, "1|2|3|4|5", "the second column A is called A_2 here", 0},
		{"a long line", "l.csv", "a,b\n1,x\n2," + strings.Repeat("y", 50<<20) + "\n3,z\n", "SELECT count(*), max(length(b)) FROM l", "3|52428800", "", 0},
		{"a long record of many lines", "ll.csv", "a,b\n1,x\n2,\"" + strings.Repeat("yyyyyyyyy\n", 4<<20) + "\"\n3,z\n", "SELECT count(*), max(length(b)) FROM ll", "3|41943040", "", 0},
		{"NUL", "z.csv", "a,b\n1,x\x00y\n2,z\n", "SELECT string_agg(b, '|') FROM z", "xy|z", "NUL characters were taken out", 0},
		{"byte order mark", "m.csv", "\ufeffa,b\n1,2\n", "SELECT a FROM m", "1", "", 0},
		{"windows-1252", "e.csv", "name,n\nM\xfcller \x80,1\n", "SELECT name FROM e", "Müller €", "windows-1252", 0},
		{"utf-16", "u.csv", utf16LE("\ufeffname,n\r\nMüller €,1\r\n"), "SELECT name, n FROM u", "Müller €|1", "utf-16le", 0},
		{"utf-16 without mark", "v.csv", utf16LE("name,n\r\nMuller,1\r\n"), "SELECT name, n FROM v", "Muller|1", "utf-16le", 0},
		{"late umlaut", "f.csv", "name,n\n" + strings.Repeat("Ana,1\n", 20_000) + "M\xfcller,2\n", "SELECT name FROM f WHERE n = 2", "Müller", "windows-1252", 0},
		{"old line ends", "r.csv", "a,b\r1,2\r3,4\r", "SELECT sum(a), sum(b) FROM r", "4|6", "", 0},
		{"Windows line ends", "q.csv", "a,b\r\n1,\"x\r\ny\"\r\n3,z\r\n", "SELECT count(*), sum(a) FROM q", "2|4", "", 0},
		{"no line end", "p.csv", "a,b\n1,2", "SELECT a FROM p", "1", "", 0},
		{"quoted delimiters", "k.csv", "a;b\n\"1;2\";\"say \"\"hi\"\"\"\n", "SELECT * FROM k", `1;2|say "hi"`, "", 0},
		{"pipes", "i.csv", "a|b\n1|2\n", "SELECT * FROM i", "1|2", "", 0},
		{"tabs in .csv", "j.csv", "a\tb\n1\t2\n", "SELECT * FROM j", "1|2", "", 0},
		{"parquet named csv", "g.csv", parquetBytes(t), "SELECT count(*) FROM g", "500", "The name ends in .csv, but the content is parquet; the content counts.", 0},
		{"csv named xlsx", "c.xlsx", "a,b\n1,2\n", "SELECT * FROM c", "1|2", "The name ends in .xlsx, but the content is csv; the content counts.", 0},
		{"ndjson named json", "s.json", "{\"a\": 1}\n{\"a\": 2}\n", "SELECT sum(a) FROM s", "3", "", 0},
		{"one object", "b.json", "{\"a\": 1, \"b\": {\"c\": [1, 2]}}", "SELECT a, b_c FROM b", `1|[1,2]`, "kept as JSON text", 0},
		{"wrapped rows", "x.json", "{\"data\": [{\"a\": 1, \"b.c\": \"x\"}, {\"a\": 2}], \"next\": null}", `SELECT sum(a), max("b.c") FROM x`, "3|x", "The rows are those of data", 0},
		{"keys that come late", "aa.json", "[{\"a\": 1}, {\"b\": \"2024-01-31\"}]", "SELECT count(a), max(b) FROM aa", "1|2024-01-31", "", 0},
		{"ragged lines", "rr.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n", "SELECT sum(a) FROM rr", "15", "rr: 1 line has too few fields; the last ones are missing.", 0},
	}
	s := open(t, t.TempDir())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			src := mustImport(t, s, write(t, c.file, c.content))
			if got := rows(t, s, c.sql); got != c.want {
				t.Errorf("%s gives %s, want %s", c.sql, got, c.want)
			}
			if notes := strings.Join(src.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			if src.Tables[0].Rejected != c.rejected {
				t.Errorf("%d rejected, want %d", src.Tables[0].Rejected, c.rejected)
			}
		})
	}
}

func utf16LE(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

func parquetBytes(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "p")
	makeParquet(t, path)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestOddPaths: quotes, line feeds, patterns and other scripts in a path are nothing special, neither in the file's nor in
// the store's.
func TestOddPaths(t *testing.T) {
	for i, name := range []string{"it's \"quoted\".csv", "line\nfeed.csv", "Umsätze 東京.csv", "sales[1]*.csv", "a;DROP TABLE b--.csv", "100%.csv", "-.csv", "#.csv"} {
		dir := filepath.Join(t.TempDir(), name)
		for kind, make := range makers {
			if len(kind) > 7 || i > 0 && kind != "csv" && kind != "sqlite" && kind != "duckdb" {
				continue // every kind with the first name, three with the others
			}
			path := filepath.Join(dir, strings.TrimSuffix(name, "csv")+kind)
			os.MkdirAll(dir, 0o700)
			make(t, path)
			s := open(t, filepath.Join(dir, ".assay", "store"))
			src := mustImport(t, s, path)
			if got := rows(t, s, "SELECT count(*) FROM "+ident(src.Tables[0].Name)); got != "500" {
				t.Errorf("%q: %s rows", path, got)
			}
			if err := s.Remove(t.Context(), src.ID); err != nil {
				t.Error(err)
			}
		}
	}
	_, err := Open(t.Context(), Options{Dir: filepath.Join(t.TempDir(), "why?", "store")})
	shows(t, nil, err, fault.Invalid, "The folder ")
	s := open(t, t.TempDir())
	if src := mustImport(t, s, write(t, "why?.csv", "a,b\n1,2\n")); src.Tables[0].Name != "why?" {
		t.Errorf("a question mark gives %+v", src)
	}
	target := write(t, "real.csv", "a,b\n1,2\n")
	link := filepath.Join(t.TempDir(), "link.csv")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if src := mustImport(t, s, link); src.Path != link || src.Tables[0].Name != "link" {
		t.Errorf("a link is %+v", src)
	}
}

// TestRights: a file that may not be read and a store that may not be written, as a user without rights sees them.
func TestRights(t *testing.T) {
	base := t.TempDir()
	file, dir := filepath.Join(base, "mine.csv"), filepath.Join(base, "store")
	writeBytes(t, file, []byte("a,b\n1,2\n"))
	readable := filepath.Join(base, "yours.csv")
	if err := os.WriteFile(readable, []byte("a,b\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	mustImport(t, s, file)
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{filepath.Dir(base), base} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	os.Chmod(filepath.Join(dir, catalogFile), 0o644)
	os.Chmod(filepath.Join(dir, lockFile), 0o600)
	os.Chmod(filepath.Join(dir, s.catalog.Entries[0].File), 0o444)
	os.Chmod(dir, 0o555)
	defer os.Chmod(dir, 0o755)

	child := start(t, "unprivileged", filepath.Join(base, "new"), file)
	child.expect(t, "FAULT unavailable The folder "+filepath.Join(base, "new")+" cannot be written.")
	child.wait()
	child = start(t, "unprivileged", dir, file)
	child.expect(t, "rows 1") // what is there can be read
	child.expect(t, "FAULT unauthorized The file "+file+" may not be read by you. Give yourself the right to read it.")
	child.wait()
	child = start(t, "unprivileged", dir, readable)
	child.expect(t, "rows 1")
	child.expect(t, "FAULT unavailable The folder "+dir+" cannot be written.")
	child.wait()
}

func init() {
	children["unprivileged"] = func(args []string) error {
		if os.Geteuid() == 0 {
			if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
				return err
			}
		} else {
			os.Chmod(filepath.Dir(args[0]), 0o555)
			defer os.Chmod(filepath.Dir(args[0]), 0o755)
		}
		s, err := Open(context.Background(), Options{Dir: args[0]})
		if err != nil {
			return err
		}
		defer s.Close()
		for _, src := range s.Sources() {
			fmt.Println("rows", src.Tables[0].Rows)
		}
		_, err = s.Import(context.Background(), ImportRequest{Path: args[1]})
		return err
	}
	// A limit on the size of files stands for a full disk: the engine sees a failed write in both cases.
	children["full"] = func(args []string) error {
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 3 << 20, Max: 3 << 20}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		s, err := Open(context.Background(), Options{Dir: args[0]})
		if err != nil {
			return err
		}
		defer s.Close()
		_, err = s.Import(context.Background(), ImportRequest{Path: args[1]})
		return err
	}
}

// TestNoSpace: a disk that fills up during an import of any kind is told as that, and what was there stays.
func TestNoSpace(t *testing.T) {
	noise := rand.New(rand.NewSource(1))
	var b, j strings.Builder
	b.WriteString("id,noise\n")
	for i := range 60_000 {
		n := fmt.Sprintf("%x%x%x%x%x%x", noise.Uint64(), noise.Uint64(), noise.Uint64(), noise.Uint64(), noise.Uint64(), noise.Uint64())
		fmt.Fprintf(&b, "%d,%s\n", i, n)
		fmt.Fprintf(&j, "{\"id\": %d, \"noise\": \"%s\"}\n", i, n)
	}
	lite := filepath.Join(t.TempDir(), "big.sqlite")
	db, err := sql.Open("sqlite", lite)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT i, hex(randomblob(48)) AS noise FROM n"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, path := range []string{write(t, "big.csv", b.String()), write(t, "big.ndjson", j.String()), lite, write(t, "big.csv.gz", string(packed(b.String()))), write(t, "latin.csv", b.String()+"1,M\xfcller\n")} {
		dir := t.TempDir()
		before := open(t, dir)
		mustImport(t, before, write(t, "a.csv", "x,y\n1,2\n"))
		child := start(t, "full", dir, path)
		child.expect(t, "FAULT unavailable No space left on the disk of ")
		child.wait()
		if got := left(t, dir); len(got) > 0 {
			t.Errorf("%s: left behind %v", filepath.Base(path), got)
		}
		if got := rows(t, before, "SELECT * FROM a"); got != "1|2" || len(before.Sources()) != 1 {
			t.Errorf("%s: the store was changed: %s", filepath.Base(path), got)
		}
	}
}
