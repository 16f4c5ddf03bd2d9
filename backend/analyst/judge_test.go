package analyst

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/rules"
	"assay/backend/session"
)

func known(id, term, means string) knowledge.Item {
	return knowledge.Item{ID: id, Term: term, Means: means, Title: term, Content: term + " means " + means, Category: knowledge.Factual, Domain: "orders", Status: knowledge.Approved}
}

func heard(session.Sent) error { return nil }

// TestAJudgeIsAskedOnce: all candidates go in one request, by names that no id is learned from; what the model writes comes back by their ids.
func TestAJudgeIsAskedOnce(t *testing.T) {
	reply := `{"judgments":[{"candidate_id":"c2","contradicts":true,"severity":"high","suggestion":"merge","why":"They differ."},{"candidate_id":"c9","contradicts":true,"severity":"low","suggestion":"merge","why":""}]}`
	d, model := thoughtfully(t, llmtest.Card, llmtest.Always(llmtest.Text(reply)))
	j, err := d.Judge(t.Context(), rules.Actor{ID: "ada"})
	if err != nil || j == nil || j.Name != "scripted:mind" || !j.Local {
		t.Fatalf("%+v, %v", j, err)
	}
	var noted []session.Sent
	r, err := j.Compare(t.Context(), known("item", "churn", "no orders"), []knowledge.Item{known("one", "attrition", "paused"), known("two", "loss", "closed")}, func(s session.Sent) error {
		if len(model.Asked()) > 0 {
			t.Error("it was sent before that was noted")
		}
		noted = append(noted, s)
		return nil
	})
	if err != nil || r.Failed != "" || len(r.Compared) != 2 || len(r.Said) != 2 || r.Said[0].Candidate != "two" || r.Said[1].Candidate != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(model.Asked()) != 1 || len(noted) != 1 || noted[0].Bytes == 0 || r.Sent.Failed || r.Sent.TokensOut == 0 || noted[0].Carried[0].Kind != "knowledge" {
		t.Errorf("%d requests, noted %+v, sent %+v", len(model.Asked()), noted, r.Sent)
	}
	asked := model.Asked()[0]
	if asked.Task != llm.Judging || asked.Schema == nil || asked.MaxTokens != judgingTokens || !strings.Contains(asked.Messages[0].Text, `{"id":"c1","term":"attrition","means":"paused"`) || strings.Contains(asked.Messages[0].Text, "two") {
		t.Errorf("%+v", asked)
	}
}

// TestNoJudge: the embedded mind judges nothing, and a choice that cannot be asked is a fault.
func TestNoJudge(t *testing.T) {
	d := newDesk(t, shopKnowledge(t))
	if j, err := d.Judge(t.Context(), rules.Actor{ID: "ada"}); j != nil || err != nil {
		t.Errorf("%+v, %v", j, err)
	}
}

// TestWhatAJudgeElsewhereIsShown: personal values are replaced, with "no rows" also the values that a condition names, and what a stand-in stands for comes back.
func TestWhatAJudgeElsewhereIsShown(t *testing.T) {
	card := llmtest.Card
	card.Local, card.Endpoint = false, "models.example"
	reply := `{"judgments":[{"candidate_id":"c1","contradicts":true,"severity":"high","suggestion":"merge","why":"One is about [value 1]."}]}`
	for _, rows := range []RowsPolicy{RowsNone, RowsMasked} {
		d, model := thoughtfully(t, card, llmtest.Always(llmtest.Text(reply)))
		d.deps.Mask = func(s string) string { return strings.ReplaceAll(s, "ann@example.com", "<EMAIL>") }
		j, err := d.Judge(t.Context(), rules.Actor{ID: "ada"})
		if err != nil {
			t.Fatal(err)
		}
		j.rows = rows
		r, err := j.Compare(t.Context(), known("item", "drinks", "orders where category = 'Beverages'"), []knowledge.Item{known("one", "contact", "ann@example.com buys Beverages")}, heard)
		if err != nil || r.Failed != "" {
			t.Fatalf("%+v, %v", r, err)
		}
		sent := model.Asked()[0].Messages[0].Text
		if strings.Contains(sent, "ann@example.com") || !strings.Contains(sent, "EMAIL") || r.Sent.Masked == 0 || r.Sent.Local || r.Sent.To != "models.example" {
			t.Errorf("%s: %s, %+v", rows, sent, r.Sent)
		}
		if stays := rows == RowsNone; strings.Contains(sent, "Beverages") == stays || stays && r.Said[0].Why != "One is about Beverages." {
			t.Errorf("%s: %s, %+v", rows, sent, r.Said)
		}
	}
}

// TestAJudgeThatFails: whatever goes wrong with a model is said and is no fault, what is not noted is not sent, and what does not fit into its window is left.
func TestAJudgeThatFails(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"hangs": {Fault: llmtest.FaultHang}, "refuses": {Text: "no", Stop: llm.StopRefused}, "is cut": {Text: `{"judgments":[{"candid`}, "says words": llmtest.Text("They contradict."),
		"is out of order": {Trouble: llm.Overloaded}, "says nothing": {},
	} {
		d, _ := thoughtfully(t, llmtest.Card, llmtest.Always(reply))
		j, err := d.Judge(t.Context(), rules.Actor{ID: "ada"})
		if err != nil {
			t.Fatal(err)
		}
		j.wait = 20 * time.Millisecond
		r, err := j.Compare(t.Context(), known("item", "churn", "no orders"), []knowledge.Item{known("one", "loss", "closed")}, heard)
		if err != nil || r.Failed == "" || len(r.Said) != 0 || r.Sent.Bytes == 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	d, model := thoughtfully(t, llmtest.Card, llmtest.Always(llmtest.Text(`{"judgments":[]}`)))
	j, err := d.Judge(t.Context(), rules.Actor{ID: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	full := fault.New(fault.Unavailable, "write", "The disk is full.", "")
	if _, err := j.Compare(t.Context(), known("item", "churn", "no orders"), []knowledge.Item{known("one", "loss", "closed")}, func(session.Sent) error { return full }); !errors.Is(err, full) || len(model.Asked()) != 0 {
		t.Errorf("%v, and %d requests were sent", err, len(model.Asked()))
	}
	small := llmtest.Card
	small.Window = 4_000
	d, model = thoughtfully(t, small, llmtest.Always(llmtest.Text(`{"judgments":[]}`)))
	if j, err = d.Judge(t.Context(), rules.Actor{ID: "ada"}); err != nil {
		t.Fatal(err)
	}
	var many []knowledge.Item
	for n := range 100 {
		many = append(many, known(fmt.Sprint(n), "loss", strings.Repeat("closed accounts ", 20)))
	}
	r, err := j.Compare(t.Context(), known("item", "churn", "no orders"), many, heard)
	if err != nil || r.Failed != "" || len(r.Compared) < 2 || len(r.Compared) > 40 || llm.Estimate(model.Asked()[0])+judgingTokens > small.Window {
		t.Errorf("%d of %d were compared in %d tokens: %+v, %v", len(r.Compared), len(many), llm.Estimate(model.Asked()[0]), r.Failed, err)
	}
}
