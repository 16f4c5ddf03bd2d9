package memory

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"assay/backend/fault"
	"assay/backend/text"
)

// impatient has everything that is opened from now on give up at once.
func impatient(t *testing.T) {
	patient := busyWait
	busyWait = time.Millisecond
	t.Cleanup(func() { busyWait = patient })
}

// saysBusy checks that a fault is the sentence of a file that another process holds, and names what to do.
func saysBusy(t *testing.T, err error, path string) {
	t.Helper()
	if fault.CodeOf(err) != fault.Unavailable || err == nil || !strings.Contains(err.Error(), text.Say("memory.busy", "file", path)) {
		t.Errorf("it says %v", err)
	}
}

// TestABusyMemorySaysSo writes while another one holds the file, and once it has let go: nothing of the first is there, and all of the second.
func TestABusyMemorySaysSo(t *testing.T) {
	impatient(t)
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m, other := open(t, path), open(t, path)
	held, err := other.write.BeginTx(t.Context(), nil) // it begins as a writer
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Begin(t.Context(), request("r", "s", "q"))
	saysBusy(t, err, path)
	if heads, err := m.Sessions(t.Context()); err != nil || len(heads) > 0 { // reading waits for nobody
		t.Errorf("%v %v", heads, err)
	}
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Begin(t.Context(), request("r", "s", "q")); err != nil {
		t.Errorf("once it is free: %s", fault.Detail(err))
	}
}

// TestAMemoryThatIsBeingOpenedSaysSo opens a file while another process is opening it.
func TestAMemoryThatIsBeingOpenedSaysSo(t *testing.T) {
	impatient(t)
	m := fresh(t)
	opening := flock.New(filepath.Join(m.presence.dir, "opening"))
	if held, err := opening.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	_, err := Open(t.Context(), Options{Path: m.Path()})
	saysBusy(t, err, m.Path())
	if err := opening.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, m.Path())
}
