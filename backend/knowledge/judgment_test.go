package knowledge

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func piece(id, term, means string) Item {
	return Item{ID: id, Term: term, Means: means, Title: term, Content: term + " means " + means, Category: Factual, Domain: "orders", Contributor: "ada", Status: Approved}
}

// TestWhatAModelSaysIsHeldToWhatItWasShown: each row is what a model writes of one candidate, and what is kept of it.
func TestWhatAModelSaysIsHeldToWhatItWasShown(t *testing.T) {
	item := piece("item", "churn", "customers without an order for 90 days")
	others := []Item{piece("one", "attrition", "customers without an order for 180 days"), piece("two", "churn", "paused accounts")}
	kept := func(contradicts bool, severity, suggestion, why string) Judgment {
		return Judgment{Item: "item", Other: "one", ItemAs: item.Revision(), OtherAs: others[0].Revision(), Contradicts: contradicts, Severity: severity, Suggestion: suggestion, Why: why}
	}
	long := strings.Repeat("they differ ", 30)
	for _, c := range []struct {
		name    string
		said    []Said
		want    Judgment
		dropped int
	}{
		{"as it should be", []Said{{"one", true, "high", "keep_this", "One waits 90 days and the other 180."}}, kept(true, "high", "keep_this", "One waits 90 days and the other 180."), 0},
		{"no contradiction", []Said{{"one", false, "high", "merge", "the same"}}, kept(false, "", "", ""), 0},
		{"nothing", nil, kept(false, "", "", ""), 0},
		{"an invented id", []Said{{"nobody", true, "high", "merge", "x"}, {"", true, "high", "merge", "x"}, {"item", true, "high", "merge", "x"}}, kept(false, "", "", ""), 3},
		{"said twice", []Said{{"one", true, "low", "merge", "first"}, {"one", true, "high", "keep_other", "second"}}, kept(true, "low", "merge", "first"), 1},
		{"taken back", []Said{{"one", false, "", "", ""}, {"one", true, "high", "keep_other", "second"}}, kept(false, "", "", ""), 1},
		{"a weight that is none", []Said{{"one", true, "CRITICAL", "both_valid", "why"}}, kept(true, "", "both_valid", "why"), 0},
		{"a suggestion that is none", []Said{{"one", true, "medium", "delete_all", "why"}}, kept(true, "medium", "", "why"), 0},
		{"a number of its own", []Said{{"one", true, "low", "merge", "It moves revenue by 12 percent."}}, kept(true, "low", "merge", ""), 0},
		{"a number in words", []Said{{"one", true, "low", "merge", "It doubles what is counted."}}, kept(true, "low", "merge", ""), 0},
		{"too long a reason", []Said{{"one", true, "low", "merge", long}}, kept(true, "low", "merge", ""), 0},
		{"a link", []Said{{"one", true, "low", "merge", "see https://evil.example"}}, kept(true, "low", "merge", ""), 0},
		{"markup", []Said{{"one", true, "low", "merge", "<img src=x>"}}, kept(true, "low", "merge", ""), 0},
		{"lines and signs that turn the writing", []Said{{"one", true, "low", "merge", "they\n differ\u202e here"}}, kept(true, "low", "merge", "they differ here"), 0},
	} {
		judged, dropped := Hold(c.said, item, others)
		if len(judged) != 2 || !reflect.DeepEqual(judged[0], c.want) || dropped != c.dropped || judged[1].Contradicts {
			t.Errorf("%s: %+v, %d dropped", c.name, judged, dropped)
		}
	}
}

// TestWithWhatAPieceIsCompared: those of its domain that wait or hold and that are there for whoever asks, at most so many, and none that is confidential for a model elsewhere.
func TestWithWhatAPieceIsCompared(t *testing.T) {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	item := piece("item", "churn", "no orders")
	change := func(id string, do func(*Item)) Item {
		i := piece(id, "x", "y")
		do(&i)
		return i
	}
	all := []Item{
		item, piece("holds", "x", "y"),
		change("waits", func(i *Item) { i.Status = Pending }),
		change("ordered", func(i *Item) { i.Status = Mandatory }),
		change("secret", func(i *Item) { i.Sensitivity = Confidential }),
		change("rejected", func(i *Item) { i.Status = Rejected }),
		change("revoked", func(i *Item) { i.Status = Revoked }),
		change("expired", func(i *Item) { i.Until = now }),
		change("elsewhere", func(i *Item) { i.Domain = "customers" }),
		change("own", func(i *Item) { i.Personal = true }),
		change("others'", func(i *Item) { i.Audience, i.Contributor = "board", "bob" }),
		change("unseen", func(i *Item) { i.Status, i.Contributor = Pending, "bob" }),
		change("before", func(*Item) {}),
	}
	ids := func(of Item, elsewhere bool) string {
		chosen, left := of.Candidates(all, Viewer{Actor: "ada"}, now, elsewhere, func(o Item) bool { return o.ID == "before" })
		var said []string
		for _, o := range chosen {
			said = append(said, o.ID)
		}
		return fmt.Sprint(said, left)
	}
	confidential := item
	confidential.Sensitivity = Confidential
	for _, c := range []struct {
		of        Item
		elsewhere bool
		want      string
	}{
		{item, false, "[holds waits ordered secret] 0"},
		{item, true, "[holds waits ordered] 1"},
		{confidential, false, "[holds waits ordered secret] 0"},
		{confidential, true, "[] 4"},
	} {
		if got := ids(c.of, c.elsewhere); got != c.want {
			t.Errorf("elsewhere %v: %s, want %s", c.elsewhere, got, c.want)
		}
	}
	many := make([]Item, 150)
	for n := range many {
		many[n] = piece(fmt.Sprint(n), "x", "y")
	}
	if chosen, left := item.Candidates(many, Viewer{Steward: true}, now, true, func(Item) bool { return false }); len(chosen) != MostJudged || left != 50 || chosen[0].ID != "0" {
		t.Errorf("%d are compared and %d are not", len(chosen), left)
	}
}

// TestARevisionIsWhatAPieceSays: what is decided about a piece, and who stands behind it, leaves it; anything that a model was shown makes another one.
func TestARevisionIsWhatAPieceSays(t *testing.T) {
	was := piece("item", "churn", "no orders")
	for name, same := range map[string]func(*Item){
		"decided": func(i *Item) { i.Status, i.History = Mandatory, []Decision{{Verdict: Order}} }, "evidence": func(i *Item) { i.Evidence = []Evidence{{Actor: "bob"}} },
		"written": func(i *Item) { i.Branch, i.Changed = "b", i.Changed.Add(1) }, "who": func(i *Item) { i.Contributor = "" },
	} {
		now := was
		if same(&now); now.Revision() != was.Revision() {
			t.Errorf("%s: it is another revision", name)
		}
	}
	for name, other := range map[string]func(*Item){
		"term": func(i *Item) { i.Term = "attrition" }, "means": func(i *Item) { i.Means = "no visits" }, "content": func(i *Item) { i.Content = "to be known" }, "domain": func(i *Item) { i.Domain = "x" },
		"audience": func(i *Item) { i.Audience = "sales" }, "until": func(i *Item) { i.Until = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) },
		"personal": func(i *Item) { i.Personal = true }, "confidential": func(i *Item) { i.Sensitivity = Confidential },
	} {
		now := was
		if other(&now); now.Revision() == was.Revision() {
			t.Errorf("%s: it is the same revision", name)
		}
	}
	if w := was.Words(); w.Says != "" || w.Term != "churn" || w.Means != "no orders" {
		t.Errorf("it is shown twice: %+v", w)
	}
}

// TestAJudgmentIsSeenFromBothSides: the suggestion turns, and what was said of other words is seen from neither.
func TestAJudgmentIsSeenFromBothSides(t *testing.T) {
	a, b := piece("a", "churn", "no orders"), piece("b", "churn", "paused")
	j := Judgment{Item: "a", Other: "b", ItemAs: a.Revision(), OtherAs: b.Revision(), Contradicts: true, Suggestion: "keep_this"}
	for _, c := range []struct {
		from, other Item
		want        string
	}{{a, b, "keep_this true"}, {b, a, "keep_other true"}} {
		if seen, holds := j.Seen(c.from, c.other); fmt.Sprint(seen.Suggestion, " ", holds) != c.want || seen.Item != c.from.ID || seen.Other != c.other.ID {
			t.Errorf("from %s: %+v %v", c.from.ID, seen, holds)
		}
	}
	j.Suggestion = "both_valid"
	if seen, _ := j.Seen(b, a); seen.Suggestion != "both_valid" {
		t.Errorf("%+v", seen)
	}
	changed := b
	changed.Means = "closed"
	for _, pair := range [][2]Item{{a, changed}, {changed, a}, {a, piece("c", "churn", "paused")}, {piece("c", "churn", "paused"), b}} {
		if _, holds := j.Seen(pair[0], pair[1]); holds {
			t.Errorf("it holds between %s and %s", pair[0].ID, pair[1].ID)
		}
	}
}
