package memory

import (
	"os"
	"path/filepath"
	"testing"

	"assay/backend/analyst"

	"assay/backend/session"
)

// outcome of the only turn of session "s", as m sees it.
func outcome(t *testing.T, m *Memory) string {
	t.Helper()
	d, err := m.Session(t.Context(), "s")
	if err != nil || len(d.Turns) != 1 {
		t.Fatalf("session %+v, %v", d, err)
	}
	return d.Turns[0].Outcome
}

func TestARunningRequestOfALivingProcessIsNotInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	owner, other := open(t, path), open(t, path)
	if _, err := owner.Begin(t.Context(), request("r", "s", "q")); err != nil {
		t.Fatal(err)
	}
	later := open(t, path)
	for name, m := range map[string]*Memory{"owner": owner, "other": other, "later": later} {
		if got := outcome(t, m); got != session.Running {
			t.Errorf("%s sees %q", name, got)
		}
	}
	owner.Close() // without finishing: to everybody else it is gone
	if got := outcome(t, other); got != session.Interrupted {
		t.Errorf("after the owner left, another one sees %q", got)
	}
	if got := outcome(t, open(t, path)); got != session.Interrupted {
		t.Errorf("after the owner left, the next one sees %q", got)
	}
}

func TestAnInterruptedRequestMayStillFinish(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	owner, other := open(t, path), open(t, path)
	if _, err := owner.Begin(t.Context(), request("r", "s", "q")); err != nil {
		t.Fatal(err)
	}
	// Somebody removes the lock file by hand while its process lives.
	if err := os.Remove(owner.presence.file(owner.presence.instance)); err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, other); got != session.Interrupted {
		t.Fatalf("seen as %q", got)
	}
	if err := owner.Finish(t.Context(), "r", analyst.Closing{Turn: turn("s", 1)}); err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, other); got != "answer" {
		t.Errorf("seen as %q", got)
	}
}

func TestLockFilesOfTheDeadAreSwept(t *testing.T) {
	m := fresh(t)
	dead := m.presence.file("0123456789abcdef")
	if err := os.WriteFile(dead, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	second := open(t, m.Path())
	if !second.presence.foundDead {
		t.Error("the dead instance was not noticed")
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("its lock file is still there: %v", err)
	}
	if _, err := os.Stat(m.presence.file(m.presence.instance)); err != nil {
		t.Errorf("the lock file of a living one is gone: %v", err)
	}
}
