package memory

import (
	"path/filepath"
	"testing"

	"assay/backend/knowledge"
)

// TestJudgmentsGoWithTheirPieces: what a model said of two pieces is kept as long as both say the same, is not kept of what changed meanwhile, and leaves no byte once a piece is forgotten.
func TestJudgmentsGoWithTheirPieces(t *testing.T) {
	dir := t.TempDir()
	m := open(t, filepath.Join(dir, "memory.sqlite"))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(term, means string) *knowledge.Item {
		t.Helper()
		mine := lesson("ada", term, means)
		if _, err := m.KeepCorrection(t.Context(), mine, taughtRecord); err != nil {
			t.Fatal(err)
		}
		i := &knowledge.Item{
			Term: term, Means: means, Category: knowledge.Factual, Domain: "orders", Contributor: "ada", Status: knowledge.Pending,
			Evidence: []knowledge.Evidence{{Actor: "ada", Detection: knowledge.ByDefinition, Correction: mine.ID, At: noon}},
		}
		must(m.AddItem(t.Context(), i, knowledgeRecord))
		return i
	}
	a, b, c := add("churn", "no orders"), add("attrition", "paused"), add("loss", "closed accounts")
	judge := func(of *knowledge.Item, failed string, others ...*knowledge.Item) {
		t.Helper()
		var said []knowledge.Judgment
		for _, o := range others {
			said = append(said, knowledge.Judgment{Item: of.ID, Other: o.ID, ItemAs: of.Revision(), OtherAs: o.Revision(), Model: "scripted:mind", Contradicts: true, Severity: "high", Suggestion: "keep_this", Why: "Zebraquagga differs"})
		}
		must(m.KeepJudging(t.Context(), knowledge.Judging{Item: of.ID, As: of.Revision(), Model: "scripted:mind", Actor: "ada", Compared: len(others), Left: 1, Host: "h", Bytes: 7, Masked: 2, Failed: failed}, said))
	}
	kept := func(item string, pairs, asked int) ([]knowledge.Judgment, []knowledge.Judging) {
		t.Helper()
		said, all, err := m.Judged(t.Context(), item)
		if err != nil || len(said) != pairs || len(all) != asked {
			t.Fatalf("%d pairs and %d times asked, want %d and %d: %v", len(said), len(all), pairs, asked, err)
		}
		return said, all
	}
	judge(a, "", b, c)
	said, asked := kept(a.ID, 2, 1)
	if said[0].Other != b.ID { // those of one time come by their ids
		said[0], said[1] = said[1], said[0]
	}
	if j := said[0]; j.Why != "Zebraquagga differs" || !j.Contradicts || !j.At.Equal(noon) || j.Model != "scripted:mind" || j.Suggestion != "keep_this" || j.Severity != "high" || j.OtherAs != b.Revision() {
		t.Errorf("%+v", j)
	}
	if j := asked[0]; j.Actor != "ada" || j.Compared != 2 || j.Left != 1 || j.Bytes != 7 || j.Masked != 2 || j.Local || j.Failed != "" {
		t.Errorf("%+v", j)
	}
	kept(b.ID, 1, 0)
	judge(b, "", a) // of one pair the last word holds, whichever side it was asked from
	if said, _ := kept("", 2, 2); said[0].Item == said[1].Item {
		t.Errorf("%+v", said)
	}
	judge(b, "It did not answer in time.") // that it failed takes nothing away
	if _, asked := kept(b.ID, 1, 1); asked[0].Failed == "" {
		t.Errorf("%+v", asked)
	}

	// A decision leaves what was said; other words do not, and what was said of the words before is not kept afterwards.
	stale := *b
	decided := *b
	decided.Status = knowledge.Approved
	must(m.ChangeItem(t.Context(), &decided, b.Changed, knowledgeRecord))
	kept(b.ID, 1, 1)
	directed := decided
	directed.Audience = "sales"
	must(m.ChangeItem(t.Context(), &directed, decided.Changed, knowledgeRecord))
	kept(b.ID, 0, 0)
	judge(&stale, "", a)
	judge(a, "", &stale)
	if said, _ := kept("", 1, 1); said[0].Other != c.ID {
		t.Errorf("%+v", said)
	}
	judge(&knowledge.Item{ID: "nothing"}, "", a)
	kept("", 1, 1)

	// What is forgotten takes along what was said of it.
	judge(a, "", &directed, c)
	must(m.ForgetCorrection(t.Context(), "ada", c.Evidence[0].Correction, taughtRecord))
	kept("", 1, 1)
	judge(a, "", c) // it was asked while that was forgotten
	kept(c.ID, 0, 0)
	must(m.ForgetCorrection(t.Context(), "ada", a.Evidence[0].Correction, taughtRecord))
	kept("", 0, 0)
	if all := filesWith(t, dir, "Zebraquagga"); len(all) != 0 {
		t.Errorf("it stands in %v", all)
	}
}
