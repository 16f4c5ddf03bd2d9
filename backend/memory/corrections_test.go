package memory

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
)

func lesson(author, term, means string) *knowledge.Correction {
	return &knowledge.Correction{Author: author, Term: term, Means: means, Sort: knowledge.Factual, Detection: knowledge.ByDefinition, Quote: term + " means " + means}
}

var taughtRecord = analyst.Record{Kind: analyst.AuditCorrection, Actor: "ada", Body: json.RawMessage(`{}`)}

func TestATermHasOneMeaningForAPerson(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m := open(t, path)
	keep := func(author, term, means string) (*knowledge.Correction, *knowledge.Correction) {
		c := lesson(author, term, means)
		before, err := m.KeepCorrection(t.Context(), c, taughtRecord)
		if err != nil {
			t.Fatal(err)
		}
		return c, before
	}
	list := func(author string) string {
		all, err := m.Corrections(t.Context(), author)
		if err != nil {
			t.Fatal(err)
		}
		said := make([]string, len(all))
		for i, c := range all {
			said[i] = c.Term + "=" + c.Means
		}
		return strings.Join(said, "; ")
	}
	first, before := keep("ada", "Net Sales", "revenue")
	if before != nil || first.ID == "" || first.Created.IsZero() {
		t.Errorf("kept %+v in place of %+v", first, before)
	}
	again, before := keep("ada", "net-sales", "freight")
	if before == nil || before.ID != first.ID || before.Means != "revenue" || again.ID == first.ID {
		t.Errorf("kept %+v in place of %+v", again, before)
	}
	if _, before := keep("bob", "net sales", "orders"); before != nil {
		t.Errorf("it took the place of what somebody else taught: %+v", before)
	}
	other, _ := keep("ada", "clients", "customers")

	other.Term = "net sales"
	code(t, m.ChangeCorrection(t.Context(), other, taughtRecord), fault.Conflict, "net sales")
	stranger := *again
	stranger.Author, stranger.Means = "bob", "everything"
	code(t, m.ChangeCorrection(t.Context(), &stranger, taughtRecord), fault.NotFound, "nothing that is called so")
	other.Term, other.Means = "buyers", "customers in Germany"
	if err := m.ChangeCorrection(t.Context(), other, taughtRecord); err != nil || other.Quote != "clients means customers" || other.Changed.IsZero() {
		t.Errorf("changed %+v, %v", other, err)
	}
	code(t, m.ForgetCorrection(t.Context(), "bob", again.ID, taughtRecord), fault.NotFound, "nothing that is called so")
	code(t, m.ForgetCorrection(t.Context(), "bob", "no such id", taughtRecord), fault.NotFound, "nothing that is called so")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, path)
	if got, want := list("ada")+" | "+list("bob")+" | "+list("eve"), "buyers=customers in Germany; net-sales=freight | net sales=orders | "; got != want {
		t.Errorf("after a restart %q, want %q", got, want)
	}
	if err := m.ForgetCorrection(t.Context(), "ada", again.ID, taughtRecord); err != nil {
		t.Fatal(err)
	}
	if left, _, err := m.Traces(t.Context()); err != nil || left {
		t.Errorf("traces are left: %v, %v", left, err)
	}
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid || v.Entries != 6 {
		t.Errorf("the audit log: %+v, %v", v, err)
	}
}

func TestAPersonTeachesAtMostSoMuch(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	for i := range MostCorrections {
		if _, err := m.KeepCorrection(t.Context(), lesson("ada", fmt.Sprintf("word %d", i), "revenue"), taughtRecord); err != nil {
			t.Fatal(err)
		}
	}
	_, err := m.KeepCorrection(t.Context(), lesson("ada", "one more", "revenue"), taughtRecord)
	code(t, err, fault.Limit, "at most 1000")
	if before, err := m.KeepCorrection(t.Context(), lesson("ada", "word 7", "freight"), taughtRecord); err != nil || before == nil {
		t.Errorf("what is there already is taught anew: %+v, %v", before, err)
	}
	if _, err := m.KeepCorrection(t.Context(), lesson("bob", "one more", "revenue"), taughtRecord); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	if all, err := m.Corrections(t.Context(), "ada"); err != nil || len(all) != MostCorrections {
		t.Errorf("%d are kept, %v", len(all), err)
	}
}

// TestTakingBackPutsBack: what a correction took the place of stands again when that is taken back, under its id, and what took the place of nothing leaves nothing.
func TestTakingBackPutsBack(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	keep := func(means string) knowledge.Correction {
		c := lesson("ada", "sales", means)
		if _, err := m.KeepCorrection(t.Context(), c, taughtRecord); err != nil {
			t.Fatal(err)
		}
		return *c
	}
	first, second := keep("revenue"), keep("freight")
	if _, err := m.TakeBackCorrection(t.Context(), "bob", second.ID, taughtRecord); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("somebody else takes it back: %v", err)
	}
	back, err := m.TakeBackCorrection(t.Context(), "ada", second.ID, taughtRecord)
	if err != nil || back == nil || back.ID != first.ID || back.Means != "revenue" {
		t.Fatalf("put back %+v, %v", back, err)
	}
	if all, err := m.Corrections(t.Context(), "ada"); err != nil || len(all) != 1 || all[0].ID != first.ID {
		t.Errorf("kept %+v, %v", all, err)
	}
	third := keep("net revenue")
	renamed := third
	renamed.Term = "income"
	if err := m.ChangeCorrection(t.Context(), &renamed, taughtRecord); err != nil {
		t.Fatal(err)
	}
	if back, err := m.TakeBackCorrection(t.Context(), "ada", third.ID, taughtRecord); err != nil || back != nil {
		t.Errorf("put back %+v of another word, %v", back, err)
	}
}
