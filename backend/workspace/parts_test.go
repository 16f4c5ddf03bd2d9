package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/memory"
)

// TestStagedFilesOfTheDeadAreSwept opens a workspace in which an import died and another one is at work: what the first had staged goes at once, that of the other stays.
func TestStagedFilesOfTheDeadAreSwept(t *testing.T) {
	home := t.TempDir()
	w := openTarget(t, Target{}, home)
	path := exported(t, w, told(t, w), SessionChoice{})
	dead := filepath.Join(w.dir, ".assay", partBegins+"0123456789abcdef-42"+partEnds)
	write(t, filepath.Dir(dead), filepath.Base(dead), "{}")
	other := filepath.Join(w.dir, ".assay", "session-notes.txt")
	write(t, filepath.Dir(other), filepath.Base(other), "no part")
	file, err := openSessionFile(path)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer file.file.Close()
	staged, err := w.stage(t.Context(), file, &memory.Arriving{ID: "a"}, func(there string) string { return there })
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	next, err := Open(t.Context(), Target{}, Options{DataDir: home, Now: noon})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer next.Close()
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("what the dead had staged is there: %v", err)
	}
	for _, stays := range []string{other, staged.file.Name()} {
		if _, err := os.Stat(stays); err != nil {
			t.Error(err)
		}
	}
	turns := 0
	for _, err := range staged.turns() {
		if err != nil {
			t.Fatal(err)
		}
		turns++
	}
	if turns != 12 {
		t.Errorf("%d turns are staged", turns)
	}
	staged.close()
	if left, err := filepath.Glob(filepath.Join(w.dir, ".assay", "*"+partEnds)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestHalfWrittenFilesBesideAreSwept writes a file where writing died before: what is older than a day goes, what may still be written stays, and so does all that is not ours.
func TestHalfWrittenFilesBesideAreSwept(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * besideLife)
	for _, name := range []string{besideBegins + "1" + besideEnds, ".assay-notes", "mine.part"} {
		write(t, dir, name, "half")
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, besideBegins+"2"+besideEnds, "half")
	if err := WriteWhole(filepath.Join(dir, "whole"), func(f *os.File) error { return writeAll(f, []byte("whole")) }); err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{besideBegins + "2" + besideEnds, ".assay-notes", "mine.part", "whole"}; !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
}
