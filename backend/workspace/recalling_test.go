package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/memory"
	"assay/backend/mind"
	"assay/backend/rules"
)

// TestExamplesTravel has more verified queries than travel with a question: the twelve that are most like it go along, the nearest first, none of somebody else, none that no longer
// resolves; and a model is told them.
func TestExamplesTravel(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	ctx := t.Context()
	who, err := w.Identify("", rules.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	keep := func(id, question, query, owner string) {
		t.Helper()
		if err := w.memory.AddGolden(ctx, memory.Golden{ID: id, Question: question, FrameQL: query, Owner: owner, Model: w.Knowledge().Model.Version}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 15 {
		keep(fmt.Sprintf("own_%02d", i), fmt.Sprintf("how did our plans for region %d fare", i), "SELECT revenue AT customers.country DURING 1997", who.ID)
	}
	keep("nearest", "how did our grand plans fare lately", "SELECT freight AT shippers.shipper_name", who.ID)
	keep("gone", "how did our grand plans fare lately, gone", "SELECT no_such_metric", who.ID)
	keep("other", "how did our grand plans fare lately, other", "SELECT order_count", "os:somebody-else")
	if err := w.recall(ctx); err != nil {
		t.Fatal(err)
	}
	const question = "how did our grand plans fare lately"
	found := w.examples(ctx, who, question, mind.ExamplesAtMost)
	if len(found) != mind.ExamplesAtMost || found[0].Question != question || found[0].FrameQL != "SELECT freight AT shippers.shipper_name" {
		t.Fatalf("%d examples: %+v", len(found), found)
	}
	for _, e := range found {
		if strings.Contains(e.Question, "gone") || strings.Contains(e.Question, "other") {
			t.Errorf("%+v travels", e)
		}
	}
	model := llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Text("done")))
	w.opts.Thinkers = func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "scripted:mind", Rows: analyst.RowsMasked, Always: true, Select: func(llm.Task) llm.Model { return model }}, nil
	}
	a, err := w.Ask(ctx, analyst.Request{Question: question}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(model.Asked()) == 0 {
		t.Fatalf("the model was not asked: %+v", a.Understood)
	}
	var told mind.Question
	r := model.Asked()[0]
	if err := json.Unmarshal([]byte(r.Messages[len(r.Messages)-1].Text), &told); err != nil {
		t.Fatal(err)
	}
	if len(told.Examples) != mind.ExamplesAtMost || told.Examples[0] != found[0] {
		t.Errorf("the model was told %d examples: %+v", len(told.Examples), told.Examples)
	}
	carried := 0
	for _, p := range a.Sent[0].Carried {
		if p.Kind == "example" {
			carried = p.Bytes
		}
	}
	if carried == 0 {
		t.Errorf("the ledger has no example: %+v", a.Sent[0].Carried)
	}
}
