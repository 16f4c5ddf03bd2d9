package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// counted gives names one after the other.
func counted() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint("copy", n) }
}

// grown has a session of three turns, of which the second waits for a word.
func grown(t *testing.T) *Memory {
	t.Helper()
	m := fresh(t)
	for i := 1; i <= 3; i++ {
		id := fmt.Sprint("r", i)
		if _, err := m.Begin(t.Context(), request(id, "parent", fmt.Sprint("question ", i))); err != nil {
			t.Fatal(err)
		}
		done := turn("parent", i)
		done.FrameQL = fmt.Sprint("SELECT ", i)
		done.Answer = json.RawMessage(fmt.Sprintf(`{"request_id":%q,"session_id":"parent","artifacts":[{"id":"art_parent_%d_0","kind":"frame"}],"n":12345678901234567890.50}`, id, i))
		closing := analyst.Closing{Turn: done}
		if i == 2 {
			closing.Stage = analyst.StageAccept
		}
		if err := m.Finish(t.Context(), id, closing); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestABranchCarriesTheConversationAndLeavesItsParent(t *testing.T) {
	m := grown(t)
	before, err := m.Session(t.Context(), "parent")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Fork(t.Context(), "parent", ForkAt{Turn: 2}, "branch", counted()); err != nil {
		t.Fatal(err)
	}
	d, err := m.Session(t.Context(), "branch")
	if err != nil {
		t.Fatal(err)
	}
	if d.Origin == nil || *d.Origin != (session.Origin{SessionID: "parent", Title: "question 1", Turn: 2}) || d.Title != "question 1, branch after 2" {
		t.Errorf("origin %+v, title %q", d.Origin, d.Title)
	}
	if len(d.Turns) != 2 || d.Turns[0].RequestID != "copy1" || d.Turns[1].Question != "question 2" || d.Turns[1].Artifacts[0].ID != "art_branch_2_0" {
		t.Fatalf("turns %+v", d.Turns)
	}
	answer := string(d.Turns[1].Answer)
	for _, want := range []string{`"request_id":"copy2"`, `"session_id":"branch"`, `"art_branch_2_0"`, `12345678901234567890.50`} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer has no %s: %s", want, answer)
		}
	}
	spoken, err := m.Conversation(t.Context(), "branch", 0)
	if err != nil || len(spoken) != 2 || spoken[1].FrameQL != "SELECT 2" || string(spoken[1].Said) == "" {
		t.Errorf("conversation %+v, %v", spoken, err)
	}
	// A request waits in one place.
	if waiting, err := m.Waiting(t.Context(), "branch"); err != nil || len(waiting) != 0 {
		t.Errorf("waiting in the branch: %+v, %v", waiting, err)
	}
	if s, err := m.Standing(t.Context(), "copy2"); err != nil || s.Settled != SettledBranched {
		t.Errorf("standing %+v, %v", s, err)
	}
	if waiting, err := m.Waiting(t.Context(), "parent"); err != nil || len(waiting) != 1 {
		t.Errorf("waiting in the parent: %+v, %v", waiting, err)
	}

	// Each goes its own way.
	if index, err := m.Begin(t.Context(), request("own", "branch", "on its own")); err != nil || index != 3 {
		t.Errorf("the next turn is %d, %v", index, err)
	}
	if err := m.SaveView(t.Context(), "copy1", session.View{Show: "table"}); err != nil {
		t.Fatal(err)
	}
	after, err := m.Session(t.Context(), "parent")
	if err != nil {
		t.Fatal(err)
	}
	was, _ := json.Marshal(before)
	is, _ := json.Marshal(after)
	if string(was) != string(is) {
		t.Errorf("the parent changed\nfrom %s\n  to %s", was, is)
	}
	if err := m.Delete(t.Context(), "parent"); err != nil {
		t.Fatal(err)
	}
	if d, err := m.Session(t.Context(), "branch"); err != nil || len(d.Turns) != 3 || d.Origin.Title != "question 1" {
		t.Errorf("without its parent: %+v, %v", d, err)
	}
	if _, err := m.Fork(t.Context(), "branch", ForkAt{Turn: 3}, "again", counted()); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a turn that runs was branched from: %v", err)
	}
}

// A version that was set aside stands in the branch that is forked from it, by its turn as by an artifact of it.
func TestAForkFromAnArtifactKeepsItsVersion(t *testing.T) {
	m := grown(t)
	again := request("r4", "parent", "question 2 again")
	again.InsteadOf = "r2"
	if _, err := m.Begin(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	if err := m.Finish(t.Context(), "r4", analyst.Closing{Turn: turn("parent", 4)}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at     ForkAt
		turns  int
		stands string
		origin session.Origin
	}{
		"the last turn":             {ForkAt{}, 4, "question 2 again", session.Origin{Turn: 3}},
		"an artifact of the chosen": {ForkAt{Artifact: "art_parent_4_1"}, 3, "question 2 again", session.Origin{Turn: 4, Artifact: "art_parent_4_1"}},
		"an artifact of the other":  {ForkAt{Artifact: "art_parent_2_0"}, 3, "question 2", session.Origin{Turn: 2, Artifact: "art_parent_2_0"}},
		"the turn of the other":     {ForkAt{Turn: 2}, 3, "question 2", session.Origin{Turn: 2}},
		"before it":                 {ForkAt{Artifact: "art_parent_1_0"}, 1, "", session.Origin{Turn: 1, Artifact: "art_parent_1_0"}},
	} {
		to := strings.ReplaceAll(name, " ", "-")
		names := counted()
		forked, err := m.Fork(t.Context(), "parent", c.at, to, func() string { return to + names() })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d, err := m.Session(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		c.origin.SessionID, c.origin.Title = "parent", "question 1"
		if *d.Origin != c.origin || forked != (Forked{SessionID: to, Title: d.Title, Turn: c.origin.Turn}) || len(d.Turns) != c.turns {
			t.Errorf("%s: %+v, %+v, %d turns", name, *d.Origin, forked, len(d.Turns))
		}
		stands := ""
		for _, x := range d.Turns {
			if x.Place == 2 && x.Chosen {
				stands += x.Question
			}
		}
		if stands != c.stands {
			t.Errorf("%s: %q stands in the second place", name, stands)
		}
	}
	parent, err := m.Session(t.Context(), "parent")
	if err != nil || !parent.Turns[3].Chosen || parent.Turns[1].Chosen {
		t.Errorf("the parent chose anew: %+v, %v", parent, err)
	}
}

func TestForkFaults(t *testing.T) {
	m := grown(t)
	if _, err := m.Begin(t.Context(), request("o1", "other", "question")); err != nil {
		t.Fatal(err)
	}
	if err := m.Finish(t.Context(), "o1", analyst.Closing{Turn: turn("other", 1)}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		from string
		at   ForkAt
		to   string
		want fault.Code
		says string
	}{
		"no such session":          {"nobody", ForkAt{Turn: 1}, "b", fault.NotFound, "nobody"},
		"no such turn":             {"parent", ForkAt{Turn: 4}, "b", fault.NotFound, "no turn 4"},
		"name is taken":            {"parent", ForkAt{Turn: 1}, "parent", fault.Conflict, "parent"},
		"nobody's artifact":        {"parent", ForkAt{Artifact: "art_parent_9_0"}, "b", fault.NotFound, "art_parent_9_0"},
		"another one's artifact":   {"parent", ForkAt{Artifact: "art_other_1_0"}, "b", fault.NotFound, "art_other_1_0"},
		"an artifact with a quote": {"parent", ForkAt{Artifact: "art_'_1_0"}, "b", fault.NotFound, "art_'_1_0"},
	} {
		if _, err := m.Fork(t.Context(), c.from, c.at, c.to, counted()); fault.CodeOf(err) != c.want || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if heads, err := m.Sessions(t.Context()); err != nil || len(heads) != 2 {
		t.Errorf("a failed branch left something: %+v, %v", heads, err)
	}
}
