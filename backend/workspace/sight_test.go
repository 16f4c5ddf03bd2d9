package workspace

import (
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
)

// Ivy's role sees customers and orders alone.
func TestSharedKnowledgeOfWhatARoleDoesNotSeeDoesNotExist(t *testing.T) {
	w := openShared(t, t.TempDir())
	hidden, seen := agreedOn(t, w, "revenue", "gross revenue"), agreedOn(t, w, "turnover", "freight")
	for _, v := range shared(t, w, "ivy") {
		if v.ID == hidden.ID {
			t.Errorf("ivy sees %+v", v)
		}
	}
	if _, err := w.SharedItem(t.Context(), seen.ID, "", as("ivy")); err != nil {
		t.Error(fault.Detail(err))
	}
	_, unknown := w.SharedItem(t.Context(), strings.Repeat("0", 32), "", as("ivy"))
	_, err := w.SharedItem(t.Context(), hidden.ID, "", as("ivy"))
	_, ahead := w.LookAhead(t.Context(), hidden.ID, "", as("ivy"))
	_, decided := w.Decide(t.Context(), hidden.ID, knowledge.Endorse, "", "", as("ivy"))
	for _, err := range []error{err, ahead, decided} {
		if fault.CodeOf(err) != fault.NotFound || fault.Detail(err) != fault.Detail(unknown) {
			t.Errorf("%v, and of what is not there %v", err, unknown)
		}
	}
	found, err := w.FindTaught(t.Context(), "gross revenue", "", "", as("ivy"))
	for _, f := range found {
		if f.ID == hidden.ID {
			t.Errorf("ivy finds %+v", f)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

func TestWhatIsPersonalGoesWithItsPerson(t *testing.T) {
	w := openShared(t, t.TempDir())
	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, w, who, "turnover means freight")
	}
	v := shared(t, w, "ada")[0]
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Hide, "", "", as("ada")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, err := w.DescribeItem(t.Context(), v.ID, knowledge.Description{Title: "my private note", Content: "a secret", Category: knowledge.Factual}, "", "", as("ada")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	mine, err := w.Corrections(t.Context(), "", as("ada"))
	if err != nil || len(mine) != 1 {
		t.Fatal(mine, err)
	}
	if err := w.ForgetCorrection(t.Context(), mine[0].ID, "", as("ada")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	for _, who := range []string{"ada", "bob", "gil"} {
		if _, err := w.SharedItem(t.Context(), v.ID, "", as(who)); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", who, err)
		}
	}
}

func TestWhatIsWrittenDownIsForgottenByItsAuthor(t *testing.T) {
	w := openShared(t, t.TempDir())
	v, err := w.WriteItem(t.Context(), knowledge.Description{Title: "Part years", Content: "canary words", Category: knowledge.Factual}, "", as("eve"))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := w.ForgetItem(t.Context(), v.ID, "", as("bob")); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("bob: %v", err)
	}
	if err := w.ForgetItem(t.Context(), v.ID, "", as("gil")); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("gil: %v", err)
	}
	if err := w.ForgetItem(t.Context(), v.ID, "", as("eve")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	w.reviewing.running.Wait()
	if held, looked := holding(t, w.dir, "canary words"); len(held) > 0 || looked == 0 {
		t.Errorf("of %d files %v have it still", looked, held)
	}
}

// Who said what in which words is for those who decide, and not for who offered the same.
func TestNobodyReadsColleaguesWordsByOffering(t *testing.T) {
	w := openShared(t, t.TempDir())
	v, err := w.OfferCorrection(t.Context(), teach(t, w, "eve", "turnover means freight").ID, "", as("eve"))
	if err != nil {
		t.Fatal(err)
	}
	teach(t, w, "bob", "please remember that turnover means freight")
	got, err := w.SharedItem(t.Context(), v.ID, "", as("eve"))
	if err != nil || got.People != 2 || len(got.Evidence) != 1 || got.Evidence[0].Actor != "eve" {
		t.Errorf("%+v, %v", got.Evidence, err)
	}
	if all, err := w.SharedItem(t.Context(), v.ID, "", as("gil")); err != nil || len(all.Evidence) != 2 {
		t.Errorf("%+v, %v", all.Evidence, err)
	}
}

func TestWhatAModelReadIsOfferedOnceItIsSaidToBeRight(t *testing.T) {
	w := openShared(t, t.TempDir())
	c := knowledge.Correction{Author: "cyd", Term: "turnover", Means: "freight", Sort: knowledge.Factual, Domain: "orders", Quote: "x", Detection: knowledge.ByDefinition, ReadBy: "some:model"}
	if _, err := w.memory.KeepCorrection(t.Context(), &c, analyst.Record{Kind: analyst.AuditCorrection, Actor: "cyd", Body: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.OfferCorrection(t.Context(), c.ID, "", as("cyd")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("%v", err)
	}
	if _, err := w.AmendCorrection(t.Context(), c.ID, analyst.Lesson{Means: "freight", Caller: as("cyd")}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if v, err := w.OfferCorrection(t.Context(), c.ID, "", as("cyd")); err != nil || v.Stands != knowledge.Pending {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestWhatWasTurnedDownIsTakenUpAgainByAStewardAlone(t *testing.T) {
	w := openShared(t, t.TempDir())
	v, err := w.OfferCorrection(t.Context(), teach(t, w, "ada", "turnover means freight").ID, "", as("ada"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Decide(t.Context(), v.ID, knowledge.Reject, "no", "", as("gil")); err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"bob", "cyd", "dan"} {
		told, err := w.OfferCorrection(t.Context(), teach(t, w, who, "turnover means freight").ID, "", as(who))
		if err != nil || told.Stands != knowledge.Rejected || told.ID != "" {
			t.Errorf("%s is told %+v, %v", who, told, err)
		}
	}
	got, _ := readAs(t, w, as("eve"), newID(), "turnover in 1997")
	if strings.Contains(got, "freight") {
		t.Errorf("eve reads %q", got)
	}
	if v, err = w.Decide(t.Context(), v.ID, knowledge.Approve, "they insist", "", as("gil")); err != nil || v.Stands != knowledge.Approved {
		t.Errorf("%+v, %v", v, err)
	}
}
