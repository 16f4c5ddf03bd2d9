package memory

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/fault"
)

// before gives the migrations as they were before one of a number.
func before(t *testing.T, number string) fs.FS {
	t.Helper()
	old := fstest.MapFS{}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if filepath.Base(name) < number {
			raw, err := fs.ReadFile(migrations, name)
			if err != nil {
				t.Fatal(err)
			}
			old[name] = &fstest.MapFile{Data: raw}
		}
	}
	return old
}

// A file of the version before sessions were documents is read, searched and forked; what it held before is copied beside it, and goes with the first session that is removed.
func TestAFileOfBeforeIsBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.sqlite")
	if err := touch(path); err != nil {
		t.Fatal(err)
	}
	db, err := connect(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := migrateTo(t.Context(), db, before(t, "0009"), path, noon); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO session (id, title, created, updated) VALUES ('s', 'Zebraquagga', '2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z'), ('other', 'Freight', '2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z')`,
		`INSERT INTO request (id, session, turn, question, actor, asked, overrides, instance, finished, outcome, status, frame_ql, answer)
			VALUES ('r1', 's', 1, 'how many zebraquaggas', 'ada', '2026-01-15T12:00:00Z', '{}', 'gone', '2026-01-15T12:00:00Z', 'answer', 'completed', 'SELECT animals', '{"frame":{"columns":[{"label":"Animals","role":"metric"}],"rows":[["Zebraquagga"]]}}'),
			('r2', 's', 2, 'and by month', 'ada', '2026-01-15T12:00:00Z', '{}', 'gone', NULL, '', '', '', NULL),
			('r3', 'other', 1, 'freight by country', 'ada', '2026-01-15T12:00:00Z', '{}', 'gone', '2026-01-15T12:00:00Z', 'refuse', 'completed', '', NULL)`,
		`INSERT INTO artifact (id, request, position, kind, title, body, created) VALUES ('art_s_1_0', 'r1', 0, 'narration', '', '{"text":"Zebraquagga leads"}', '2026-01-15T12:00:00Z')`,
		`DELETE FROM request WHERE id = 'nothing'`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	m := open(t, path)
	if got := hits(t, m, "animals leads"); got != "s/1 metric" {
		t.Errorf("found %q", got)
	}
	d, err := m.Session(t.Context(), "s")
	if err != nil || len(d.Turns) != 2 || traceOf(d.Turns[1]) != "interrupted: " || d.Turns[0].Archived != nil || d.Turns[0].Given != nil {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, err := m.Fork(t.Context(), "other", ForkAt{}, "f", newNames()); err != nil {
		t.Error(fault.Detail(err))
	}
	copies, err := filepath.Glob(path + beforeMigration + "*")
	if err != nil || len(copies) != 1 || !strings.Contains(strings.Join(filesWith(t, dir, "Zebraquagga"), " "), filepath.Base(copies[0])) {
		t.Fatalf("copies %v, %v", copies, err)
	}
	if _, err := m.Purge(t.Context(), "s", "ada"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if found := filesWith(t, dir, "ebraquagga"); len(found) > 0 {
		t.Errorf("it stands in %v", found)
	}
}
