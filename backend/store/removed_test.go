package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// TestRemoveAndRestore: what was removed is out of every process's sight, and comes back as it was where it was.
func TestRemoveAndRestore(t *testing.T) {
	dir := t.TempDir()
	s, other := open(t, dir), open(t, dir)
	first := mustImport(t, s, write(t, "a.csv", "x\n1\n"))
	mustImport(t, s, write(t, "b.csv", "x\n2\n"))
	if err := s.Remove(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*Store{s, other} {
		if _, err := one.Query(t.Context(), frameql.Statement{SQL: "SELECT * FROM a"}); err == nil {
			t.Error("a removed table answers")
		}
	}
	third := open(t, dir) // its sweep leaves what may come back
	if _, err := third.Restore(t.Context(), first.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("another process restores: %v", err)
	}
	back, err := s.Restore(t.Context(), first.ID)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, err := other.Present(t.Context()); err != nil { // as every request does
		t.Fatal(err)
	}
	if back.ID != first.ID || s.Sources()[0].ID != first.ID || rows(t, other, "SELECT * FROM a") != "1" {
		t.Errorf("%+v", s.Sources())
	}
	if _, err := s.Restore(t.Context(), first.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("twice: %v", err)
	}
	if err := s.Remove(t.Context(), "nobody"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	if got := left(t, dir); len(got) > 0 {
		t.Error(got)
	}
}

// TestRestoreWhereSomethingIsNow: nothing that was imported since is replaced.
func TestRestoreWhereSomethingIsNow(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "a.csv", "x\n1\n")
	first := mustImport(t, s, path)
	if err := s.Remove(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	mustImport(t, s, path)
	if _, err := s.Restore(t.Context(), first.ID); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("the same file: %v", err)
	}
	if err := s.Remove(t.Context(), first.ID); err != nil { // the second removal is the one that comes back
		t.Fatal(err)
	}
	second := mustImport(t, s, write(t, "a.csv", "x\n5\n"))
	if second.Tables[0].Name != "a" {
		t.Fatalf("%+v", second)
	}
	if _, err := s.Restore(t.Context(), first.ID); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a table of the same name: %v", err)
	}
	if rows(t, s, "SELECT * FROM a") != "5" {
		t.Error("what is there was changed")
	}
}

// TestRemovedIsDeleted at the end of the session, and by the next start where a session ended without that.
func TestRemovedIsDeleted(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir, Now: clock, InProcess: true})
	if err != nil {
		t.Fatal(err)
	}
	src := mustImport(t, s, write(t, "a.csv", "x\n1\n"))
	if err := s.Remove(t.Context(), src.ID); err != nil {
		t.Fatal(err)
	}
	if len(left(t, dir)) != 2 {
		t.Errorf("held: %v", left(t, dir))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := left(t, dir); len(got) > 0 {
		t.Errorf("after the session: %v", got)
	}
	for _, name := range []string{"gone-12345678.duckdb", "gone-12345678.duckdb" + keptSuffix} { // as a killed process leaves it
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir)
	if got := left(t, dir); len(got) > 0 {
		t.Errorf("after the next start: %v", got)
	}
}

// TestStateOf: same, touched, changed, gone.
func TestStateOf(t *testing.T) {
	s := open(t, t.TempDir())
	path := write(t, "a.csv", "x\n1\n")
	src := mustImport(t, s, path)
	state := func(want State) {
		t.Helper()
		if got, err := s.StateOf(t.Context(), src.ID); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
	state(Same)
	at := src.Modified.Add(time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	state(Same)
	state(Same)
	writeBytes(t, path, []byte("x\n2\n"))
	if err := os.Chtimes(path, at.Add(time.Hour), at.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	state(Changed)
	writeBytes(t, path, []byte("x\n2\n3\n"))
	state(Changed)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	state(Missing)
	if _, err := s.StateOf(t.Context(), "nobody"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
}
