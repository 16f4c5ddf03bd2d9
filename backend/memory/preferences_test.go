package memory

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

func TestAPersonHasOnePreferenceOfAKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m := open(t, path)
	keep := func(author string, kind knowledge.PreferenceKind, value string) (*knowledge.Preference, *knowledge.Preference) {
		t.Helper()
		p := &knowledge.Preference{Author: author, Kind: kind, Value: value, Quote: "words for " + value}
		before, err := m.KeepPreference(t.Context(), p, taughtRecord)
		if err != nil {
			t.Fatal(err)
		}
		return p, before
	}
	list := func(author string) string {
		t.Helper()
		all, err := m.Preferences(t.Context(), author)
		if err != nil {
			t.Fatal(err)
		}
		said := make([]string, len(all))
		for i, p := range all {
			said[i] = string(p.Kind) + "=" + p.Value
		}
		return strings.Join(said, "; ")
	}
	first, before := keep("ada", knowledge.Scale, "millions")
	if before != nil || first.ID == "" || first.Created.IsZero() {
		t.Errorf("kept %+v in place of %+v", first, before)
	}
	again, before := keep("ada", knowledge.Scale, "thousands")
	if before == nil || before.Value != "millions" || again.ID != first.ID || !again.Created.Equal(first.Created) || !again.Changed.After(first.Changed) {
		t.Errorf("kept %+v in place of %+v", again, before)
	}
	if _, before := keep("bob", knowledge.Scale, "billions"); before != nil {
		t.Errorf("it took the place of somebody else's: %+v", before)
	}
	keep("ada", knowledge.Grain, "week")
	code(t, m.ForgetPreference(t.Context(), "bob", again.ID, taughtRecord), fault.NotFound, "nothing that is called so")
	code(t, m.ForgetPreference(t.Context(), "bob", "no such id", taughtRecord), fault.NotFound, "nothing that is called so")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, path)
	if got, want := list("ada")+" | "+list("bob")+" | "+list("eve"), "grain=week; scale=thousands | scale=billions | "; got != want {
		t.Errorf("after a restart %q, want %q", got, want)
	}
	if err := m.ForgetPreference(t.Context(), "ada", again.ID, taughtRecord); err != nil || list("ada") != "grain=week" {
		t.Errorf("%v, left is %s", err, list("ada"))
	}
	if left, _, err := m.Traces(t.Context()); err != nil || left {
		t.Errorf("traces are left: %v, %v", left, err)
	}
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid || v.Entries != 5 {
		t.Errorf("the audit log: %+v, %v", v, err)
	}
}
