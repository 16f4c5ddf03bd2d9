package memory

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
)

// kept is the page state of an actor as name=value.
func kept(t *testing.T, m *Memory, actor string) string {
	t.Helper()
	all, err := m.PageState(t.Context(), actor)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range all {
		out = append(out, v.Name+"="+v.Value)
	}
	return strings.Join(out, " ")
}

func TestTheStateOfAWindowOutlivesTheProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m := open(t, path)
	keep := func(actor string, changes ...PageChange) {
		t.Helper()
		if err := m.KeepPageState(t.Context(), actor, changes); err != nil {
			t.Fatal(err)
		}
	}
	keep("ada", PageChange{"split", new("0.4")}, PageChange{"query.tab.1", new(`{"text":"é"}`)})
	keep("bob", PageChange{"split", new("0.6")})
	keep("ada", PageChange{"split", new("0.5")}, PageChange{"query.tab.1", nil}, PageChange{"query.tab.2", new("")}, PageChange{"nothing", nil})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, path)
	if got, want := kept(t, m, "ada")+" | "+kept(t, m, "bob")+" | "+kept(t, m, "eve"), "query.tab.2= split=0.5 | split=0.6 | "; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func TestTheStateOfAWindowHasALimit(t *testing.T) {
	c := &clock{t: noon}
	m, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.sqlite"), Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	full := strings.Repeat("x", MostPageValue)
	for _, wrong := range []struct {
		change PageChange
		code   fault.Code
		words  string
	}{
		{PageChange{" ", new("1")}, fault.Invalid, "a name"},
		{PageChange{"query.tab.1", new(full + "x")}, fault.Limit, "at most 256 KiB"},
	} {
		err := m.KeepPageState(t.Context(), "ada", []PageChange{{"split", new("0.4")}, wrong.change})
		code(t, err, wrong.code, wrong.words)
	}
	if got := kept(t, m, "ada"); got != "" {
		t.Errorf("of what was refused %q was kept", got)
	}
	most := MostPageBytes / MostPageValue
	for i := range most + 2 { // the oldest make room, one value of somebody else stays
		c.forward(time.Second)
		if err := m.KeepPageState(t.Context(), "ada", []PageChange{{fmt.Sprintf("v%02d", i), &full}}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := m.KeepPageState(t.Context(), "bob", []PageChange{{"split", new("0.6")}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	all, err := m.PageState(t.Context(), "ada")
	if err != nil || len(all) != most || all[0].Name != "v02" || kept(t, m, "bob") != "split=0.6" {
		t.Errorf("%d values are kept, the first is %s: %v", len(all), all[0].Name, err)
	}
	var many []PageChange
	for i := range MostPageValues + 3 {
		many = append(many, PageChange{fmt.Sprintf("w%05d", i), new("1")})
	}
	c.forward(time.Second)
	if err := m.KeepPageState(t.Context(), "ada", many); err != nil {
		t.Fatal(err)
	}
	if all, err := m.PageState(t.Context(), "ada"); err != nil || len(all) != MostPageValues {
		t.Errorf("%d values are kept, want %d: %v", len(all), MostPageValues, err)
	}
}
