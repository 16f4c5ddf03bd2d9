package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
)

// drawn writes a family down: a line a session, a dot a depth, a cross where it is gone.
func drawn(tree []Branch) string {
	var out strings.Builder
	for _, b := range tree {
		gone := ""
		if b.Gone {
			gone = "×"
		}
		fmt.Fprintf(&out, "%s%s%s %q<%s %d %s|%d\n", strings.Repeat(".", b.Depth), b.ID, gone, b.Title, b.Parent, b.Turn, b.Artifact, b.Turns)
	}
	return out.String()
}

// grove has a family: a session of two turns, forked twice, and one of its forks again.
func grove(t *testing.T, c *clock) *Memory {
	t.Helper()
	m := at(t, c)
	for i := 1; i <= 2; i++ {
		id := fmt.Sprint("r", i)
		if _, err := m.Begin(t.Context(), request(id, "root", fmt.Sprint("question ", i))); err != nil {
			t.Fatal(err)
		}
		if err := m.Finish(t.Context(), id, analyst.Closing{Turn: turn("root", i)}); err != nil {
			t.Fatal(err)
		}
	}
	names := counted()
	for _, f := range []struct {
		from string
		at   ForkAt
		to   string
	}{
		{"root", ForkAt{Turn: 1}, "first"},
		{"first", ForkAt{}, "under"},
		{"root", ForkAt{Artifact: "art_root_2_1"}, "second"},
		{"under", ForkAt{Artifact: "art_under_1_0"}, "leaf"},
	} {
		if _, err := m.Fork(t.Context(), f.from, f.at, f.to, names); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Begin(t.Context(), request("alone", "alone", "a question of its own")); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTreeShowsAFamily(t *testing.T) {
	now := &clock{t: noon}
	m := grove(t, now)
	family := func(id, want string) {
		t.Helper()
		tree, err := m.Tree(t.Context(), id)
		if got := drawn(tree); err != nil || got != want {
			t.Errorf("%s: %v\n%swant\n%s", id, err, got, want)
		}
	}
	whole := `root "question 1"< 0 |2
.first "question 1, branch after 1"<root 1 |1
..under "question 1, branch after 1, branch after 1"<first 1 |1
...leaf "question 1, branch after 1, branch after 1, branch after 1"<under 1 art_under_1_0|1
.second "question 1, branch after 2"<root 2 art_root_2_1|2
`
	for _, id := range []string{"root", "first", "under", "leaf", "second"} {
		family(id, whole)
	}
	family("alone", "alone \"a question of its own\"< 0 |1\n")
	trees, err := m.Trees(t.Context())
	if err != nil || len(trees) != 1 || drawn(trees[0]) != whole {
		t.Errorf("%v, %d families", err, len(trees))
	}

	// One in the middle goes: those below it stay in the family. A renamed one that goes is called as whoever came of it knows it.
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(m.Rename(t.Context(), "first", "Another name"))
	must(m.Delete(t.Context(), "first"))
	must(m.Delete(t.Context(), "second"))
	without := `root "question 1"< 0 |2
.first× "question 1, branch after 1"<root 1 |1
..under "question 1, branch after 1, branch after 1"<first 1 |1
...leaf "question 1, branch after 1, branch after 1, branch after 1"<under 1 art_under_1_0|1
`
	family("leaf", without)
	if _, err := m.Tree(t.Context(), "first"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the tree of a deleted session: %v", err)
	}
	if _, err := m.Tree(t.Context(), "nobody"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the tree of nobody: %v", err)
	}

	// So it does when it is forgotten.
	now.forward(keepDeleted + time.Hour)
	must(m.forget(t.Context()))
	forgotten := strings.Replace(without, "<root 1 |1", "<root 1 |0", 1)
	family("root", forgotten)
	family("under", forgotten)

	// Its name begins anew: it is no relative.
	if _, err := m.Begin(t.Context(), request("anew", "first", "another question")); err != nil {
		t.Fatal(err)
	}
	family("first", "first \"another question\"< 0 |1\n")
	family("under", forgotten)

	// Without its root the family begins with what is left of it.
	must(m.Delete(t.Context(), "root"))
	now.forward(keepDeleted + time.Hour)
	must(m.forget(t.Context()))
	family("leaf", `first× "question 1, branch after 1"< 0 |0
.under "question 1, branch after 1, branch after 1"<first 1 |1
..leaf "question 1, branch after 1, branch after 1, branch after 1"<under 1 art_under_1_0|1
`)
	must(m.Delete(t.Context(), "under"))
	must(m.Delete(t.Context(), "leaf"))
	now.forward(keepDeleted + time.Hour)
	must(m.forget(t.Context()))
	var left int
	must(m.read.QueryRow(`SELECT count(*) FROM ancestor`).Scan(&left))
	if trees, err := m.Trees(t.Context()); err != nil || len(trees) != 0 || left != 0 {
		t.Errorf("%d families and %d names are left, %v", len(trees), left, err)
	}
}

// The family that was used last comes first, whoever of it was.
func TestTreesComeByUse(t *testing.T) {
	now := &clock{t: noon}
	m := grove(t, now)
	r := request("other", "other", "something else")
	r.Asked = noon.Add(time.Hour)
	if _, err := m.Begin(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := m.Finish(t.Context(), "other", analyst.Closing{Turn: turn("other", 1)}); err != nil {
		t.Fatal(err)
	}
	now.forward(2 * time.Hour)
	if _, err := m.Fork(t.Context(), "other", ForkAt{}, "fork-of-other", newNames()); err != nil {
		t.Fatal(err)
	}
	first := func() string {
		trees, err := m.Trees(t.Context())
		if err != nil || len(trees) != 2 {
			t.Fatalf("%d families, %v", len(trees), err)
		}
		return trees[0][0].ID
	}
	if got := first(); got != "other" {
		t.Errorf("%s comes first", got)
	}
	r = request("late", "leaf", "and then")
	r.Asked = noon.Add(3 * time.Hour)
	if _, err := m.Begin(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := first(); got != "root" {
		t.Errorf("%s comes first", got)
	}
}
