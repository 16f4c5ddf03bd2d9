package memory

import (
	"path/filepath"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
)

func TestAnEmptySessionIsKeptForADayAndListedWhenItIsAskedIn(t *testing.T) {
	now := &clock{t: noon}
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	openAt := func() *Memory {
		t.Helper()
		m, err := Open(t.Context(), Options{Path: path, Now: now.now})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return m
	}
	m := openAt()
	for id, title := range map[string]string{"named": " For\nthe board ", "nameless": "", "never": "Never"} {
		if err := m.Create(t.Context(), id, title); err != nil {
			t.Fatal(err)
		}
	}
	code(t, m.Create(t.Context(), "named", "again"), fault.Conflict, "named")
	if heads, err := m.Sessions(t.Context()); err != nil || len(heads) != 0 {
		t.Errorf("%+v, %v", heads, err)
	}
	if _, err := m.Fork(t.Context(), "named", ForkAt{}, "fork", newNames()); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an empty session was forked: %v", err)
	}
	for _, id := range []string{"named", "nameless"} {
		r := request("r-"+id, id, "revenue by category")
		if _, err := m.Begin(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if err := m.Finish(t.Context(), "r-"+id, analyst.Closing{Turn: turn(id, 1)}); err != nil {
			t.Fatal(err)
		}
	}
	titles := func(want ...string) {
		t.Helper()
		for i, id := range []string{"named", "nameless", "never"} {
			d, err := m.Session(t.Context(), id)
			if want[i] == "" && fault.CodeOf(err) != fault.NotFound || want[i] != "" && (err != nil || d.Title != want[i]) {
				t.Errorf("%s: %+v, %v", id, d, err)
			}
		}
	}
	titles("For the board", "revenue by category", "Never")
	for _, day := range []string{"Never", ""} {
		m.Close()
		m = openAt()
		titles("For the board", "revenue by category", day)
		now.forward(keepEmpty + time.Minute)
	}
	m.Close()
}
