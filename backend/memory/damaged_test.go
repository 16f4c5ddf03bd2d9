package memory

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
)

func openFault(t *testing.T, path string) error {
	t.Helper()
	m, err := Open(t.Context(), Options{Path: path, Now: func() time.Time { return noon }})
	if err == nil {
		m.Close()
		t.Fatal("opened")
	}
	return err
}

func TestADamagedFileIsNamedAndLeftAlone(t *testing.T) {
	for name, damage := range map[string]func(sound []byte) []byte{
		"not a database": func([]byte) []byte { return []byte(strings.Repeat("this is no database. ", 500)) },
		"first page":     func(b []byte) []byte { copy(b[100:], bytes.Repeat([]byte{0xff}, 200)); return b },
		"cut short":      func(b []byte) []byte { return b[:len(b)/2] },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.sqlite")
			m := open(t, path)
			for i := range 50 {
				id := fmt.Sprint("r", i)
				index, err := m.Begin(t.Context(), request(id, "s", strings.Repeat("long question ", 100)))
				if err == nil {
					err = m.Finish(t.Context(), id, analyst.Closing{Turn: turn(id, index)})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			sound, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			damaged := damage(bytes.Clone(sound))
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			// A process died here, which is what makes Open look at every page.
			if err := os.WriteFile(filepath.Join(path+"-running", "dead.lock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			code(t, openFault(t, path), fault.Invalid, "is damaged and was left as it is")
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, damaged) {
				t.Errorf("the file was changed (%v)", err)
			}

			aside, err := MoveAside(path, noon)
			if err != nil || !strings.HasSuffix(aside, "memory.sqlite.damaged-20260115T120000") {
				t.Fatalf("moved to %q, %v", aside, err)
			}
			if now, err := os.ReadFile(aside); err != nil || !bytes.Equal(now, damaged) {
				t.Errorf("moving changed the file (%v)", err)
			}
			if heads, err := open(t, path).Sessions(t.Context()); err != nil || len(heads) != 0 {
				t.Errorf("the new memory has %v, %v", heads, err)
			}
		})
	}
	_, err := MoveAside(filepath.Join(t.TempDir(), "none.sqlite"), noon)
	code(t, err, fault.NotFound, "no memory file")
}

func TestDamageFoundWhileRunning(t *testing.T) {
	m := fresh(t)
	if err := m.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	code(t, m.classify("check", fmt.Errorf("wrapped: %w", errDamaged)), fault.Invalid, "damaged")
}

func TestAForeignDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE cookies (x)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	code(t, openFault(t, path), fault.Invalid, "not a memory file of Assay")
}

func TestPathsThatCannotBe(t *testing.T) {
	code(t, openFault(t, ""), fault.Invalid, "no file name")
	folder := t.TempDir()
	code(t, openFault(t, folder), fault.Unavailable, "cannot be opened or made")
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code(t, openFault(t, filepath.Join(file, "memory.sqlite")), fault.Unavailable, "cannot be opened or made")
}

func TestADiskThatIsFullLosesNothing(t *testing.T) {
	m := fresh(t)
	if _, err := m.Begin(t.Context(), request("r1", "s", "q")); err != nil {
		t.Fatal(err)
	}
	limit := func(pages string) {
		if _, err := m.write.ExecContext(t.Context(), "PRAGMA max_page_count = "+pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // SQLite takes it as "no more than now" and answers SQLITE_FULL as a full disk does
	big := turn("s", 1)
	big.Answer = []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	err := m.Finish(t.Context(), "r1", analyst.Closing{Turn: big})
	code(t, err, fault.Unavailable, "no space left")
	code(t, err, fault.Unavailable, "Free some disk space")
	limit("1000000")
	if err := m.Finish(t.Context(), "r1", analyst.Closing{Turn: big}); err != nil {
		t.Errorf("after space was freed: %v", err)
	}
	if err := m.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAFileThatCanOnlyBeRead(t *testing.T) {
	m := fresh(t)
	_, err := m.read.ExecContext(t.Context(), "DELETE FROM session") // SQLITE_READONLY, as for a file without write access
	code(t, m.classify("write", err), fault.Unavailable, "can only be read")
}

func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	db, err := connect(path, 1, "_txlock", "immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files := fstest.MapFS{"migrations/0001_a.sql": {Data: []byte("CREATE TABLE a (x); INSERT INTO a VALUES (1);")}}
	ctx := context.Background()
	if err := migrateTo(ctx, db, files, path, noon); err != nil {
		t.Fatal(err)
	}
	files["migrations/0002_b.sql"] = &fstest.MapFile{Data: []byte("CREATE TABLE b (y);")}
	files["migrations/0003_c.sql"] = &fstest.MapFile{Data: []byte("INSERT INTO missing VALUES (1);")}
	if err := migrateTo(ctx, db, files, path, noon); err == nil {
		t.Fatal("a broken migration passed")
	}
	state := func() (version, tables int) {
		if err := db.QueryRow("SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)").Scan(&version, &tables); err != nil {
			t.Fatal(err)
		}
		return version, tables
	}
	if version, tables := state(); version != 1 || tables != 1 {
		t.Errorf("after a broken migration: version %d, %d tables", version, tables)
	}
	delete(files, "migrations/0003_c.sql")
	if err := migrateTo(ctx, db, files, path, noon.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if version, tables := state(); version != 2 || tables != 2 {
		t.Errorf("after the migration: version %d, %d tables", version, tables)
	}
	if err := migrateTo(ctx, db, files, path, noon); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	copies, _ := filepath.Glob(path + ".before-*")
	if len(copies) != 2 {
		t.Fatalf("copies %v", copies)
	}
	before, err := connect(copies[1], 1)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	var x int
	if err := before.QueryRow("SELECT x FROM a").Scan(&x); err != nil || x != 1 {
		t.Errorf("the copy holds %d, %v", x, err)
	}
	delete(files, "migrations/0002_b.sql")
	code(t, migrateTo(ctx, db, files, path, noon), fault.Conflict, "newer version of Assay")
}
