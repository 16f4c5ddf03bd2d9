package memory

import (
	"fmt"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// TestTheChosenVersionIsWhatIsSpokenOf asks three turns and versions of the first one, and looks at what later questions go on from.
func TestTheChosenVersionIsWhatIsSpokenOf(t *testing.T) {
	m := fresh(t)
	take := func(id, insteadOf, outcome string) {
		t.Helper()
		r := request(id, "s", "question "+id)
		r.InsteadOf = insteadOf
		index, err := m.Begin(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		done := turn("s", index)
		done.Outcome, done.FrameQL = outcome, "Q"+id
		if err := m.Finish(t.Context(), id, analyst.Closing{Turn: done}); err != nil {
			t.Fatal(err)
		}
	}
	spoken := func(before int) string {
		t.Helper()
		turns, err := m.Conversation(t.Context(), "s", before)
		if err != nil {
			t.Fatal(err)
		}
		recent, err := m.Recent(t.Context(), "s", before, 10)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, x := range turns {
			all = append(all, fmt.Sprint(x.Place, " ", x.FrameQL))
		}
		return strings.Join(all, " ") + " / " + strings.Join(recent, " ")
	}
	expect := func(before int, want string) {
		t.Helper()
		if got := spoken(before); got != want {
			t.Errorf("before %d it is %q, want %q", before, got, want)
		}
	}
	answer := string(analyst.OutcomeAnswer)
	take("a", "", answer)
	take("b", "", answer)
	take("a2", "a", answer)
	take("c", "", answer)
	expect(0, "1 Qa2 2 Qb 4 Qc / Qc Qb Qa2")
	take("a3", "a2", session.Failed) // it came to nothing: what stood before it is still spoken of
	expect(0, "1 Qa2 2 Qb 4 Qc / Qc Qb Qa2")
	expect(2, "1 Qa2 / Qa2")
	expect(1, " / ")
	take("b2", "b", string(analyst.OutcomeRefuse))
	expect(0, "1 Qa2 2 Qb2 4 Qc / Qc Qb Qa2")
	if err := m.Choose(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	expect(0, "1 Qa 2 Qb2 4 Qc / Qc Qb Qa")
	if _, place, err := m.Place(t.Context(), "a3"); err != nil || place != 1 {
		t.Errorf("place %d, %v", place, err)
	}
	d, err := m.Session(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, x := range d.Turns {
		all = append(all, fmt.Sprint(x.RequestID, x.Place, x.Chosen))
	}
	if got := strings.Join(all, " "); got != "a1 true b2 false a21 false c4 true a31 false b22 true" {
		t.Errorf("document %s", got)
	}
	code(t, m.Choose(t.Context(), "nobody"), fault.NotFound, "nobody")
	if _, err := m.Fork(t.Context(), "s", ForkAt{Turn: 1}, "copy", newNames()); err != nil {
		t.Fatal(err)
	}
	b, err := m.Session(t.Context(), "copy")
	if err != nil || len(b.Turns) != 3 || b.Turns[1].InsteadOf != b.Turns[0].RequestID || b.Turns[2].InsteadOf != b.Turns[1].RequestID || !b.Turns[0].Chosen {
		t.Errorf("a branch behind the first turn has %+v, %v", b, err)
	}
	r := request("x", "elsewhere", "q")
	r.InsteadOf = "a"
	_, err = m.Begin(t.Context(), r)
	code(t, err, fault.NotFound, "another one")
	if _, err := m.Session(t.Context(), "elsewhere"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a refused beginning left a session: %v", err)
	}
	if err := m.Delete(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	code(t, m.Choose(t.Context(), "a"), fault.NotFound, "a")
}

func newNames() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint("copy-", n) }
}
