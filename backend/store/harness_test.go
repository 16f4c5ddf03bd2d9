package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// The test binary runs itself again as another process: childVar names what that process does.
const childVar = "ASSAY_STORE_TEST_CHILD"

var children = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	if status, asked := Work(os.Args[1:]); asked {
		os.Exit(status)
	}
	if name := os.Getenv(childVar); name != "" {
		if err := children[name](os.Args[1:]); err != nil {
			fmt.Println("FAULT", fault.CodeOf(err), err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// clock is the time of every import in the tests.
func clock() time.Time { return time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC) }

func open(t testing.TB, dir string, change ...func(*Options)) *Store {
	t.Helper()
	opt := Options{Dir: dir, Now: clock, Threads: 2, InProcess: raced} // the detector sees what runs here, and no child
	for _, c := range change {
		c(&opt)
	}
	s, err := Open(context.Background(), opt)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustImport(t testing.TB, s *Store, path string) *Source {
	t.Helper()
	src, err := s.Import(context.Background(), ImportRequest{Path: path})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return src
}

// rows runs a statement and writes each row on a line, cells separated by a bar, NULL as ∅.
func rows(t testing.TB, s *Store, sql string) string {
	t.Helper()
	f, err := s.Query(context.Background(), frameql.Statement{SQL: sql})
	if err != nil {
		t.Fatalf("%s: %s", sql, fault.Detail(err))
	}
	var lines []string
	for _, r := range f.Rows {
		cells := make([]string, len(r))
		for i, c := range r {
			cells[i] = fmt.Sprint(c)
			if c == nil {
				cells[i] = "∅"
			}
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, "\n")
}

// types writes the columns of a table: name type, name type.
func types(tb Table) string {
	var out []string
	for _, c := range tb.Columns {
		out = append(out, c.Name+" "+c.Type)
	}
	return strings.Join(out, ", ")
}

// shared gives a path below the folder of shared data, or skips.
func shared(t testing.TB, path ...string) string {
	t.Helper()
	base := os.Getenv("ASSAY_SHARED")
	if base == "" {
		base = filepath.Join("..", "..", "..", "shared")
	}
	full := filepath.Join(append([]string{base}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("needs %s; set ASSAY_SHARED to the folder of shared data", full)
	}
	return full
}

// left lists what stands in a store's folder beside the catalogue, the lock and the files that the catalogue names.
func left(t testing.TB, dir string) []string {
	t.Helper()
	c, err := readCatalog(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{catalogFile: true, lockFile: true}
	for _, e := range c.Entries {
		known[e.File] = true
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var extra []string
	for _, f := range files {
		if !known[f.Name()] {
			extra = append(extra, f.Name())
		}
	}
	return extra
}
