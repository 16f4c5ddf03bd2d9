package memory

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
)

var knowledgeRecord = analyst.Record{Kind: analyst.AuditKnowledge, Body: json.RawMessage(`{}`)}

// TestItemsAreKeptWhole: everything of a piece of shared knowledge comes back as it was kept, and a change is made of what is there or not at all.
func TestItemsAreKeptWhole(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	mine := lesson("ada", "turnover", "revenue")
	if _, err := m.KeepCorrection(t.Context(), mine, taughtRecord); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 27, 9, 0, 0, 5, time.UTC)
	i := knowledge.Item{
		Term: "turnover", Means: "revenue", Title: "turnover", Content: "turnover means revenue", Category: knowledge.Factual, Domain: "order_lines", Tags: []string{"sales", "it's"}, Entities: []string{"order_lines"},
		Audience: "sales", Sensitivity: knowledge.Confidential, Contributor: "ada", Supersedes: "other", From: at, Until: at.Add(time.Hour), Status: knowledge.Pending, History: []knowledge.Decision{},
		Evidence: []knowledge.Evidence{{Actor: "ada", Detection: knowledge.ByCorrection, Quote: "no, revenue", Ref: "r1", Correction: mine.ID, At: at}, {Actor: "bob", Detection: knowledge.ByDefinition, At: at}},
	}
	if err := m.AddItem(t.Context(), &i, knowledgeRecord); err != nil {
		t.Fatal(err)
	}
	got, err := m.Item(t.Context(), i.ID)
	if err != nil || !reflect.DeepEqual(got, i) {
		t.Fatalf("%+v\nwant %+v, %v", got, i, err)
	}
	twin := i
	if err := m.AddItem(t.Context(), &twin, knowledgeRecord); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("pending twice: %v", err)
	}
	before := i.Changed
	i.Status, i.Merged = knowledge.Approved, &at
	i.History = append(i.History, knowledge.Decision{Verdict: knowledge.Approve, By: "gil", Reason: "so", At: at})
	i.Evidence = append(i.Evidence, knowledge.Evidence{Actor: "gil", Detection: knowledge.ByConfirmation, At: at})
	if err := m.ChangeItem(t.Context(), &i, before, knowledgeRecord); err != nil {
		t.Fatal(err)
	}
	if got, err = m.Item(t.Context(), i.ID); err != nil || !reflect.DeepEqual(got, i) || !got.Changed.After(before) {
		t.Fatalf("%+v\nwant %+v, %v", got, i, err)
	}
	if err := m.ChangeItem(t.Context(), &i, before, knowledgeRecord); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("over a newer one: %v", err)
	}
	twin.Evidence = nil
	if err := m.AddItem(t.Context(), &twin, knowledgeRecord); err != nil { // the first is approved: it may wait again
		t.Fatal(err)
	}
	again := i
	again.Status = knowledge.Pending
	if err := m.ChangeItem(t.Context(), &again, again.Changed, knowledgeRecord); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("pending again beside the same: %v", err)
	}
	if got, err = m.Item(t.Context(), i.ID); err != nil || got.Status != knowledge.Approved {
		t.Errorf("what was refused is kept: %+v, %v", got, err)
	}
	gone := knowledge.Item{ID: "nothing"}
	if err := m.ChangeItem(t.Context(), &gone, before, knowledgeRecord); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("of what is not there: %v", err)
	}
	if _, err := m.Item(t.Context(), "nothing"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	for status, n := range map[knowledge.Status]int{knowledge.Approved: 1, knowledge.Pending: 1} {
		if all, err := m.Items(t.Context(), status); err != nil || len(all) != n {
			t.Errorf("%s: %d, %v", status, len(all), err)
		}
	}
	if all, err := m.Items(t.Context()); err != nil || len(all) != 2 || len(all[1].Evidence) != 3 || len(all[1].History) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid || v.Entries != 4 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestWhatWasForgottenIsNotWrittenBack: evidence that was read before its correction was forgotten is in no item that is written after, new or changed.
func TestWhatWasForgottenIsNotWrittenBack(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	mine := lesson("ada", "turnover", "revenue")
	if _, err := m.KeepCorrection(t.Context(), mine, taughtRecord); err != nil {
		t.Fatal(err)
	}
	there := knowledge.Item{Term: "turnover", Means: "revenue", Status: knowledge.Approved, Contributor: "bob", Evidence: []knowledge.Evidence{{Actor: "bob", Detection: knowledge.ByConfirmation}}}
	if err := m.AddItem(t.Context(), &there, knowledgeRecord); err != nil {
		t.Fatal(err)
	}
	late := knowledge.Evidence{Actor: "ada", Detection: knowledge.ByCorrection, Quote: "no, revenue", Correction: mine.ID}
	if err := m.ForgetCorrection(t.Context(), "ada", mine.ID, taughtRecord); err != nil {
		t.Fatal(err)
	}
	fresh := knowledge.Item{Term: "turnover", Means: "revenue", Status: knowledge.Pending, Contributor: "ada", Evidence: []knowledge.Evidence{late}}
	if err := m.AddItem(t.Context(), &fresh, knowledgeRecord); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a new item: %v", err)
	}
	there.Evidence = append(there.Evidence, late)
	if err := m.ChangeItem(t.Context(), &there, there.Changed, knowledgeRecord); err != nil {
		t.Fatal(err)
	}
	if all, err := m.Items(t.Context()); err != nil || len(all) != 1 || len(all[0].Evidence) != 1 || all[0].Evidence[0].Actor != "bob" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestWhatAPersonDoesNotSayAnyMore: another meaning, and forgetting, take the evidence; a decided item stays with what others said.
func TestWhatAPersonDoesNotSayAnyMore(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	c := knowledge.Correction{Author: "ada", Term: "turnover", Means: "revenue", Sort: knowledge.Factual, Domain: "order_lines", Detection: knowledge.ByDefinition}
	if _, err := m.KeepCorrection(t.Context(), &c, taughtRecord); err != nil {
		t.Fatal(err)
	}
	item := func(status knowledge.Status) *knowledge.Item {
		i := knowledge.Item{Term: "turnover", Means: "revenue " + string(status), Category: knowledge.Factual, Contributor: "ada", Status: status, Evidence: []knowledge.Evidence{{Actor: "ada", Detection: knowledge.ByDefinition, Correction: c.ID}}}
		if err := m.AddItem(t.Context(), &i, knowledgeRecord); err != nil {
			t.Fatal(err)
		}
		return &i
	}
	pending, approved := item(knowledge.Pending), item(knowledge.Approved)
	c2 := c
	c2.Means = "freight"
	if _, err := m.KeepCorrection(t.Context(), &c2, taughtRecord); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Item(t.Context(), pending.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("nobody says it, and it waits: %v", err)
	}
	if i, err := m.Item(t.Context(), approved.ID); err != nil || len(i.Evidence) != 0 || i.Contributor != "" || i.Status != knowledge.Approved || !i.Changed.After(approved.Changed) {
		t.Errorf("%+v, %v", i, err)
	}
	if all, err := m.Teachers(t.Context()); err != nil || !reflect.DeepEqual(all, []string{"ada"}) {
		t.Errorf("%v, %v", all, err)
	}
	if all, err := m.CorrectionsAbout(t.Context(), "order_lines"); err != nil || len(all) != 1 || all[0].Means != "freight" {
		t.Errorf("%+v, %v", all, err)
	}
}
