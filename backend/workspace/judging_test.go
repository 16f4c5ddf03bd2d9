package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/memory"
	"assay/backend/review"
	"assay/backend/rules"
)

// judgedBy is the shared workspace with a scripted model that is asked for nothing but judgments.
func judgedBy(t *testing.T, card llm.Card, script llmtest.Script) (*Workspace, *llmtest.Mind) {
	t.Helper()
	return doneBy(t, llm.Judging, card, script)
}

// doneBy is the shared workspace with a scripted model that does one task and no other.
func doneBy(t *testing.T, does llm.Task, card llm.Card, script llmtest.Script) (*Workspace, *llmtest.Mind) {
	t.Helper()
	w := openShared(t, t.TempDir())
	model := llmtest.NewMind(card, script)
	w.opts.Thinkers = func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "scripted:mind", Rows: analyst.RowsMasked, Select: func(task llm.Task) llm.Model {
			if task != does {
				return nil
			}
			return model
		}}, nil
	}
	return w, model
}

// contradicts is a model to which every candidate with some words contradicts the item.
func contradicts(words, severity, suggestion, why string) llmtest.Script {
	return func(r llm.Request) llmtest.Reply {
		var shown struct {
			Data struct{ Candidates []map[string]string }
		}
		if err := json.Unmarshal([]byte(r.Messages[0].Text), &shown); err != nil {
			return llmtest.Text(err.Error())
		}
		said := []knowledge.Said{}
		for _, c := range shown.Data.Candidates {
			if strings.Contains(c["means"], words) {
				said = append(said, knowledge.Said{Candidate: c["id"], Contradicts: true, Severity: severity, Suggestion: suggestion, Why: why})
			}
		}
		raw, err := json.Marshal(map[string]any{"judgments": said})
		if err != nil {
			return llmtest.Text(err.Error())
		}
		return llmtest.Text(string(raw))
	}
}

// put has somebody put something before the stewards, and waits for the model.
func put(t *testing.T, w *Workspace, who, words string) review.Reviewed {
	t.Helper()
	v, err := w.OfferCorrection(t.Context(), teach(t, w, who, words).ID, "", as(who))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	w.AwaitJudging(t.Context())
	return v
}

func look(t *testing.T, w *Workspace, id, who string) review.Reviewed {
	t.Helper()
	v, err := w.SharedItem(t.Context(), id, "", as(who))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return v
}

// fill keeps pieces of a domain that hold, as if they had been agreed on long ago.
func fill(t *testing.T, w *Workspace, domain string, n int, change func(int, *knowledge.Item)) {
	t.Helper()
	for k := range n {
		i := knowledge.Item{
			Term: fmt.Sprint("word", k), Means: fmt.Sprint("gross revenue of kind ", k), Title: "word", Category: knowledge.Factual, Domain: domain, Status: knowledge.Approved,
			Tags: []string{}, Entities: []string{}, Evidence: []knowledge.Evidence{{Actor: "hal", Detection: knowledge.ByMandate, At: noon()}},
		}
		i.Content = i.Term + " means " + i.Means
		if change != nil {
			change(k, &i)
		}
		if err := w.memory.AddItem(t.Context(), &i, analyst.Record{Kind: analyst.AuditKnowledge, Body: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAModelFindsWhatTheRulesDoNot: two words for one thing are found by the model that is on, in the background; the pair is asked about once; both sides see it, each with its suggestion; who may not see the other
// sees nothing; and a change, or forgetting, takes the judgment away.
func TestAModelFindsWhatTheRulesDoNot(t *testing.T) {
	w, model := judgedBy(t, llmtest.Card, contradicts("gross", "high", "keep_other", "Zebraquagga: the two count freight differently."))
	gross := put(t, w, "ada", "takings means gross revenue")
	if n := len(model.Asked()); n != 0 {
		t.Fatalf("%d requests where there is nothing to compare with", n)
	}
	one := put(t, w, "gil", "turnover means net revenue")
	if n := len(model.Asked()); n != 1 {
		t.Fatalf("%d requests", n)
	}
	v := look(t, w, one.ID, "gil")
	if len(v.Conflicts) != 1 {
		t.Fatalf("%+v", v.Conflicts)
	}
	want := review.Conflict{
		Item: gross.ID, Term: "takings", Means: "gross revenue", Relation: knowledge.Contrary, Severity: "high", Suggestion: "keep_other", By: "scripted:mind",
		Why: "Zebraquagga: the two count freight differently.",
	}
	if v.Conflicts[0] != want {
		t.Errorf("%+v", v.Conflicts[0])
	}
	if j := v.Judged; v.Judge != "scripted:mind" || j == nil || j.By != "scripted:mind" || j.Actor != "gil" || j.Compared != 1 || j.Left != 0 || j.Failed || !strings.Contains(j.Text, "Nothing left this machine") {
		t.Errorf("%q %+v", v.Judge, v.Judged)
	}
	if v.Stands != knowledge.Pending || v.Confidence != one.Confidence || !slices.Equal(v.May, one.May) {
		t.Errorf("a model changed how it stands: %+v", v)
	}
	if other := look(t, w, gross.ID, "fay"); len(other.Conflicts) != 1 || other.Conflicts[0].Suggestion != "keep_this" || other.Conflicts[0].Item != one.ID || other.Judged != nil {
		t.Errorf("from the other side: %+v %+v", other.Conflicts, other.Judged)
	}
	if mine := look(t, w, gross.ID, "ada"); len(mine.Conflicts) != 0 || mine.Judged != nil {
		t.Errorf("ada sees what gil brought: %+v", mine.Conflicts)
	}
	if all := shared(t, w, "fay"); len(all) != 2 || len(all[0].Conflicts) != 1 || len(all[1].Conflicts) != 1 {
		t.Errorf("the list says %+v", all)
	}
	if _, err := w.JudgeItem(t.Context(), one.ID, "", as("fay")); err != nil || len(model.Asked()) != 1 {
		t.Errorf("the same pair is sent again: %d requests, %v", len(model.Asked()), err)
	}
	if _, err := w.JudgeItem(t.Context(), one.ID, "", as("bob")); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("bob has it compared: %v", err)
	}
	entries, err := w.memory.Audit(t.Context(), memory.AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	noted := slices.DeleteFunc(entries, func(e memory.AuditEntry) bool { return !strings.Contains(string(e.Body), `"what":"judged"`) })
	if len(noted) != 1 || noted[0].Actor != "gil" || !strings.Contains(string(noted[0].Body), `"with":1`) || strings.Contains(string(noted[0].Body), "revenue") {
		t.Errorf("%+v", noted)
	}

	// What says otherwise by the rules stays theirs, and says the model beside it nothing.
	rival := put(t, w, "hal", "turnover means gross revenue")
	v = look(t, w, one.ID, "gil")
	if len(v.Conflicts) != 2 || v.Conflicts[0].By != "rules" || v.Conflicts[0].Relation != knowledge.Rival || v.Conflicts[0].Item != rival.ID || v.Conflicts[1].Item != gross.ID {
		t.Errorf("%+v", v.Conflicts)
	}

	asked := len(model.Asked())
	if _, err := w.DirectItem(t.Context(), one.ID, knowledge.Reach{Audience: "sales"}, "", "", as("gil")); err != nil {
		t.Fatal(err)
	}
	w.AwaitJudging(t.Context())
	if n := len(model.Asked()); n != asked+1 {
		t.Errorf("%d requests after it says something else", n-asked)
	}
	for _, c := range []struct{ who, id string }{{"ada", gross.ID}, {"gil", one.ID}, {"hal", rival.ID}} {
		own, err := w.Corrections(t.Context(), "", as(c.who))
		if err != nil || len(own) != 1 {
			t.Fatal(own, err)
		}
		if err := w.ForgetCorrection(t.Context(), own[0].ID, "", as(c.who)); err != nil {
			t.Fatal(err)
		}
	}
	if said, all, err := w.memory.Judged(t.Context(), ""); err != nil || len(said)+len(all) != 0 {
		t.Errorf("%+v %+v %v", said, all, err)
	}
	w.Close()
	files, err := filepath.Glob(filepath.Join(w.dir, ".assay", "memory.sqlite*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if raw, err := os.ReadFile(f); err == nil && strings.Contains(string(raw), "Zebraquagga") {
			t.Errorf("%s still has the words of the model", filepath.Base(f))
		}
	}
}

// TestOneRequestForAHundred: of many candidates the latest hundred go, together; the rest is counted.
func TestOneRequestForAHundred(t *testing.T) {
	w, model := judgedBy(t, llmtest.Card, contradicts("of kind 149", "low", "both_valid", ""))
	mine := teach(t, w, "gil", "turnover means net revenue")
	fill(t, w, mine.Domain, 150, nil)
	v, err := w.OfferCorrection(t.Context(), mine.ID, "", as("gil"))
	if err != nil {
		t.Fatal(err)
	}
	w.AwaitJudging(t.Context())
	if n := len(model.Asked()); n != 1 {
		t.Fatalf("%d requests", n)
	}
	v = look(t, w, v.ID, "gil")
	if len(v.Conflicts) != 1 || v.Conflicts[0].Term != "word149" || v.Conflicts[0].Suggestion != "both_valid" || v.Conflicts[0].Why != "" || v.Judged.Compared != 100 || v.Judged.Left != 50 {
		t.Errorf("%+v %+v", v.Conflicts, v.Judged)
	}
	if v, err = w.JudgeItem(t.Context(), v.ID, "", as("fay")); err != nil || len(model.Asked()) != 2 || v.Judged.Compared != 50 || v.Judged.Left != 0 || len(v.Conflicts) != 1 {
		t.Errorf("the rest: %+v %v", v.Judged, err)
	}
}

// TestAFailingJudgeHoldsNothingUp: what is offered is there while the model hangs, the rules say what they say, and closing does not wait for it; one that fails is left alone for a while, and is asked again by hand.
func TestAFailingJudgeHoldsNothingUp(t *testing.T) {
	var fails atomic.Bool
	reached := make(chan struct{}, 9)
	fails.Store(true)
	good := contradicts("gross", "medium", "merge", "They differ.")
	w, model := judgedBy(t, llmtest.Card, func(r llm.Request) llmtest.Reply {
		if fails.Load() {
			return llmtest.Reply{Trouble: llm.Overloaded}
		}
		return good(r)
	})
	one := put(t, w, "gil", "turnover means net revenue")
	other := put(t, w, "fay", "turnover means gross revenue")
	v := look(t, w, one.ID, "gil")
	if len(v.Conflicts) != 1 || v.Conflicts[0].By != "rules" || v.Conflicts[0].Item != other.ID {
		t.Errorf("%+v", v.Conflicts)
	}
	if v = look(t, w, other.ID, "fay"); len(model.Asked()) != 1 || v.Judged == nil || !v.Judged.Failed || len(v.Conflicts) != 1 {
		t.Errorf("%d requests, %+v", len(model.Asked()), v.Judged)
	}
	fails.Store(false)
	third := put(t, w, "hal", "takings means revenue")
	if n := len(model.Asked()); n != 1 {
		t.Errorf("it was not left alone: %d requests", n)
	}
	if v, err := w.JudgeItem(t.Context(), third.ID, "", as("gil")); err != nil || v.Judged == nil || v.Judged.Failed || v.Judged.Compared != 2 || len(v.Conflicts) != 1 {
		t.Errorf("by hand: %+v %v", v.Judged, err)
	}

	hanging := llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Reply{Fault: llmtest.FaultHang, Reached: func() { reached <- struct{}{} }}))
	w.opts.Thinkers = func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "scripted:mind", Select: func(llm.Task) llm.Model { return hanging }}, nil
	}
	w.reviewing.judging.leave(noon())
	told, err := w.Teach(t.Context(), analyst.Lesson{Words: "proceeds means revenue", Caller: as("gil")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.OfferCorrection(t.Context(), told.Correction.ID, "", as("gil")); err != nil {
		t.Fatal(err)
	}
	<-reached
	if all := shared(t, w, "gil"); len(all) != 4 {
		t.Errorf("%d pieces wait", len(all))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsConfidentialIsJudgedHere: neither a confidential piece nor one that others are compared with goes to a model elsewhere; one on this machine gets both, without what is personal.
func TestWhatIsConfidentialIsJudgedHere(t *testing.T) {
	for _, local := range []bool{true, false} {
		card := llmtest.Card
		if card.Local = local; !local {
			card.Endpoint = "models.example"
		}
		w, model := judgedBy(t, card, contradicts("nothing", "", "", ""))
		mine := teach(t, w, "gil", "turnover means net revenue")
		fill(t, w, mine.Domain, 3, func(k int, i *knowledge.Item) {
			if k == 1 {
				i.Means, i.Content, i.Sensitivity = "Zebraquagga", "Zebraquagga", knowledge.Confidential
			}
			if k == 2 {
				i.Means = "what ann.miller@example.com counts"
			}
		})
		v, err := w.OfferCorrection(t.Context(), mine.ID, "", as("gil"))
		if err != nil {
			t.Fatal(err)
		}
		w.AwaitJudging(t.Context())
		sent := ""
		for _, r := range model.Asked() {
			sent += r.Messages[0].Text
		}
		if strings.Contains(sent, "Zebraquagga") != local || strings.Contains(sent, "ann.miller") || len(model.Asked()) != 1 {
			t.Errorf("local %v: %s", local, sent)
		}
		v = look(t, w, v.ID, "gil")
		if want := map[bool]int{true: 0, false: 1}[local]; v.Judged == nil || v.Judged.Left != want || strings.Contains(v.Judged.Text, "models.example") == local {
			t.Errorf("local %v: %+v", local, v.Judged)
		}
		if _, err := w.DirectItem(t.Context(), v.ID, knowledge.Reach{Sensitivity: knowledge.Confidential}, "", "", as("gil")); err != nil {
			t.Fatal(err)
		}
		w.AwaitJudging(t.Context())
		if n := len(model.Asked()); n != map[bool]int{true: 2, false: 1}[local] {
			t.Errorf("local %v: %d requests once it is confidential", local, n)
		}
		if _, err := w.JudgeItem(t.Context(), v.ID, "", as("gil")); local != (err == nil) || !local && fault.CodeOf(err) != fault.Conflict {
			t.Errorf("local %v: by hand %v", local, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWithoutAModelTheRulesJudge: nothing is asked where the embedded mind is chosen, and who asks for it is told.
func TestWithoutAModelTheRulesJudge(t *testing.T) {
	w := openShared(t, t.TempDir())
	v := put(t, w, "gil", "turnover means net revenue")
	if v = look(t, w, v.ID, "gil"); v.Judge != "" || v.Judged != nil {
		t.Errorf("%q %+v", v.Judge, v.Judged)
	}
	if _, err := w.JudgeItem(t.Context(), v.ID, "", as("gil")); fault.CodeOf(err) != fault.Conflict || !strings.Contains(err.Error(), "No model is chosen") {
		t.Error(err)
	}
}
