package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// standingIn writes down which turns of a session stand, and which were cleared away.
func standingIn(t *testing.T, m *Memory, id string) string {
	t.Helper()
	d, err := m.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var stand, cleared []string
	for _, x := range d.Turns {
		if x.Archived == nil {
			stand = append(stand, fmt.Sprint(x.Index))
		} else {
			cleared = append(cleared, fmt.Sprint(x.Index))
		}
	}
	return strings.Join(stand, " ") + "|" + strings.Join(cleared, " ")
}

func TestAClearedConversationBeginsAnewAndComesBack(t *testing.T) {
	now := &clock{t: noon} // it stands still: two clearings at once are two
	m := at(t, now)
	answer := func(id string) {
		t.Helper()
		index, err := m.Begin(t.Context(), request(id, "s", "question "+id))
		if err != nil {
			t.Fatal(err)
		}
		x := turn("s", index)
		x.FrameQL = "Q" + id
		if err := m.Finish(t.Context(), id, analyst.Closing{Turn: x, Stage: analyst.StageAccept}); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want, waiting string) {
		t.Helper()
		if got := standingIn(t, m, "s"); got != want {
			t.Errorf("%s stand|are cleared, want %s", got, want)
		}
		stand, cleared, _ := strings.Cut(want, "|")
		spoken, err := m.Conversation(t.Context(), "s", 0)
		if err != nil || len(spoken) != len(strings.Fields(stand)) {
			t.Errorf("conversation of %d, %v", len(spoken), err)
		}
		recent, err := m.Recent(t.Context(), "s", 0, 10)
		if err != nil || len(recent) != len(spoken) {
			t.Errorf("recent %v, %v", recent, err)
		}
		var ids []string
		all, err := m.Waiting(t.Context(), "s")
		for _, x := range all {
			ids = append(ids, x.RequestID)
		}
		if got := strings.Join(ids, " "); err != nil || got != waiting {
			t.Errorf("waiting %q, %v", got, err)
		}
		heads, err := m.Sessions(t.Context())
		if err != nil || len(heads) != 1 || heads[0].Turns != len(strings.Fields(stand)) || heads[0].Cleared != len(strings.Fields(cleared)) || heads[0].Title != "question a" {
			t.Errorf("head %+v, %v", heads, err)
		}
	}
	cleared := func(want int) {
		t.Helper()
		if c, err := m.Clear(t.Context(), "s"); err != nil || c.Turns != want {
			t.Errorf("cleared %+v, %v", c, err)
		}
	}
	back := func(want int) {
		t.Helper()
		if c, err := m.Unclear(t.Context(), "s"); err != nil || c.Turns != want {
			t.Errorf("brought back %+v, %v", c, err)
		}
	}
	answer("a")
	answer("b")
	expect("1 2|", "a b")
	cleared(2)
	expect("|1 2", "")
	_, err := m.Clear(t.Context(), "s")
	code(t, err, fault.Conflict, "Nothing stands")
	again := request("b2", "s", "question b again")
	again.InsteadOf = "b"
	_, err = m.Begin(t.Context(), again)
	code(t, err, fault.Conflict, "cleared away")
	answer("c")
	expect("3|1 2", "c")
	cleared(1)
	answer("d")
	expect("4|1 2 3", "d")
	d, err := m.Session(t.Context(), "s")
	if err != nil || d.Turns[3].Artifacts[0].ID != session.ArtifactID("s", 4, 0) || !d.Turns[2].Archived.After(*d.Turns[0].Archived) {
		t.Errorf("%+v, %v", d, err)
	}

	// A branch from what was cleared has the conversation as it was; what was cleared before that stays so.
	for name, c := range map[string]struct {
		at   ForkAt
		want string
	}{
		"last":     {ForkAt{}, "4|1 2 3"},
		"third":    {ForkAt{Turn: 3}, "3|1 2"},
		"second":   {ForkAt{Artifact: "art_s_2_0"}, "1 2|"},
		"standing": {ForkAt{Turn: 4}, "4|1 2 3"},
	} {
		names := counted()
		if _, err := m.Fork(t.Context(), "s", c.at, name, func() string { return name + names() }); err != nil {
			t.Fatal(err)
		}
		if got := standingIn(t, m, name); got != c.want {
			t.Errorf("branch from %s: %s, want %s", name, got, c.want)
		}
		if err := m.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	back(1)
	expect("3 4|1 2", "c d")
	back(2)
	expect("1 2 3 4|", "a b c d")
	_, err = m.Unclear(t.Context(), "s")
	code(t, err, fault.Conflict, "Nothing was cleared")
	cleared(4)
	now.forward(-time.Hour) // a clock that was set back
	answer("e")
	cleared(1)
	back(1)
	expect("5|1 2 3 4", "e")
}

func TestClearFaults(t *testing.T) {
	m := fresh(t)
	_, err := m.Clear(t.Context(), "nobody")
	code(t, err, fault.NotFound, "nobody")
	_, err = m.Unclear(t.Context(), "nobody")
	code(t, err, fault.NotFound, "nobody")
	if _, err := m.Begin(t.Context(), request("r", "s", "question")); err != nil {
		t.Fatal(err)
	}
	_, err = m.Clear(t.Context(), "s")
	code(t, err, fault.Conflict, "Turn 1 is not finished")
	if err := m.Finish(t.Context(), "r", analyst.Closing{Turn: turn("s", 1)}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Fork(t.Context(), "s", ForkAt{}, "f", newNames()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.write.Exec(`UPDATE session SET imported = '{}' WHERE id = 'f'`); err != nil {
		t.Fatal(err)
	}
	_, err = m.Clear(t.Context(), "f")
	code(t, err, fault.Conflict, "stays as it came")
	if err := m.Delete(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	_, err = m.Clear(t.Context(), "s")
	code(t, err, fault.NotFound, "no session s")
}
