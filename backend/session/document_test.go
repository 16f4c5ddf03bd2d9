package session

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/backend/text"
)

func TestTitle(t *testing.T) {
	long := "revenue by category and by customer country in the fourth quarter of 1997 compared"
	for question, want := range map[string]string{
		"":                          "",
		"revenue by category":       "revenue by category",
		"  revenue\n by\tcategory ": "revenue by category",
		long:                        "revenue by category and by customer country in the fourth…",
		"revenue \xff by region":    "revenue by region",
	} {
		if got := Title(question); got != want {
			t.Errorf("Title(%q) = %q, want %q", question, got, want)
		}
	}
	unbroken := Title(strings.Repeat("ä", 500))
	if !utf8.ValidString(unbroken) || utf8.RuneCountInString(unbroken) != TitleRunes+1 {
		t.Errorf("a word without spaces gives %d runes: %q", utf8.RuneCountInString(unbroken), unbroken)
	}
}

func TestAppendLeavesTheDocumentAlone(t *testing.T) {
	first := time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)
	d := Append(Document{ID: "s"}, Turn{Index: 1, Question: "revenue by region", Asked: first})
	base := d
	left := Append(base, Turn{Index: 2, Question: "left", Asked: first.Add(time.Minute)})
	right := Append(base, Turn{Index: 2, Question: "right", Asked: first.Add(time.Hour)})
	if len(base.Turns) != 1 || left.Turns[1].Question != "left" || right.Turns[1].Question != "right" {
		t.Errorf("branches share their turns: %+v %+v %+v", base.Turns, left.Turns, right.Turns)
	}
	if left.Title != "revenue by region" || !left.Created.Equal(first) || !left.Updated.Equal(first.Add(time.Minute)) {
		t.Errorf("title %q, created %v, updated %v", left.Title, left.Created, left.Updated)
	}
}

func TestStackNumbersArtifacts(t *testing.T) {
	s := Stack{SessionID: "abc", Turn: 3}
	now := time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)
	if err := s.Push(KindFrame, "Revenue", map[string]int{"rows": 1}, now); err != nil {
		t.Fatal(err)
	}
	if err := s.Push(KindChart, "Revenue", Chart{Type: "bar"}, now); err != nil {
		t.Fatal(err)
	}
	if s.Artifacts[0].ID != "art_abc_3_0" || s.Artifacts[1].ID != "art_abc_3_1" {
		t.Errorf("ids %q, %q", s.Artifacts[0].ID, s.Artifacts[1].ID)
	}
	if err := s.Push(KindFrame, "", func() {}, now); err == nil || len(s.Artifacts) != 2 {
		t.Errorf("a body without a JSON form: error %v, %d artifacts", err, len(s.Artifacts))
	}
}

// TestWordsOfAModelAreComparedWhereTheSameWroteThem: its replies are played again, so that the same program gives the same words; another one may read the reply in
// another way, and is not blamed for that, but the report says so.
func TestWordsOfAModelAreComparedWhereTheSameWroteThem(t *testing.T) {
	ours, other := &Narration{Text: "a", By: "template"}, &Narration{Text: "b", By: "template"}
	theirs, theirOthers := &Narration{Text: "c", By: "model"}, &Narration{Text: "d", By: "model"}
	for _, c := range []struct {
		then, now        *Narration
		same, byTheOther bool
	}{
		{ours, ours, true, true},
		{ours, other, false, false},
		{ours, theirs, false, true},
		{theirs, other, false, true},
		{theirs, theirOthers, false, true},
		{theirs, theirs, true, true},
		{nil, nil, true, true},
		{nil, ours, false, false},
		{theirs, nil, false, false},
	} {
		if got := sameWords(c.then, c.now, true); got != c.same {
			t.Errorf("%+v and %+v by the same: %v", c.then, c.now, got)
		}
		if got := sameWords(c.then, c.now, false); got != c.byTheOther {
			t.Errorf("%+v and %+v by others: %v", c.then, c.now, got)
		}
	}
	made := MadeBy{Program: "1", Mind: "m", Prompts: "p"}
	turn := func(n *Narration, by MadeBy) Turn {
		raw, err := json.Marshal(map[string]any{"narration": n})
		if err != nil {
			t.Fatal(err)
		}
		return Turn{Outcome: "answer", Answer: raw, MadeBy: &by}
	}
	if r := CompareTurns(turn(theirs, made), turn(theirOthers, made)); r.Stands != StandsDiffer || r.Step != "narrate" || len(r.Since) > 0 {
		t.Errorf("by the same: %+v", r)
	}
	for _, by := range []MadeBy{{Program: "2", Mind: "m", Prompts: "p"}, {Program: "1", Mind: "n", Prompts: "p"}, {Program: "1", Mind: "m", Prompts: "q"}} {
		r := CompareTurns(turn(theirs, made), turn(theirOthers, by))
		if r.Stands != StandsSame || len(r.Since) != 2 || r.Since[1] != text.Say("session.since_words") {
			t.Errorf("by %+v: %+v", by, r)
		}
		if r := CompareTurns(turn(theirs, made), turn(theirs, by)); r.Stands != StandsSame || len(r.Since) != 1 {
			t.Errorf("the same words by %+v: %+v", by, r)
		}
		if r := CompareTurns(turn(ours, made), turn(other, by)); r.Stands != StandsDiffer {
			t.Errorf("words of the program by %+v: %+v", by, r)
		}
	}
}
