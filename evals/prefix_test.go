package evals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/llm"
	"assay/backend/llm/anthropic"
	"assay/backend/llm/llmtest"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// TestPrefixesStayTheSame has a session of twenty questions over the wire of Anthropic: what every request has in common, the prompt, the tools, the catalogue and the memos, is read from
// the cache of prefixes, also of somebody who taught words that some of the questions use. The trace of every turn counts its requests and its tokens.
func TestPrefixesStayTheSame(t *testing.T) {
	for name, taught := range map[string][]string{"nobody taught": nil, "words taught": {"plans means revenue in 1997", "going means freight", "number means order_count"}} {
		t.Run(name, func(t *testing.T) { staysTheSame(t, taught) })
	}
}

func staysTheSame(t *testing.T, taught []string) {
	queries := []string{"SELECT revenue AT customers.country DURING 1997", "SELECT revenue AT order_date.month DURING 1997", "SELECT freight AT shippers.company_name", "SELECT revenue AT categories.category_name DURING 1998"}
	turn := 0
	server := llmtest.Anthropic(t, func(r llm.Request) llmtest.Reply {
		if len(r.Messages[len(r.Messages)-1].Results) > 0 {
			return llmtest.Text("done")
		}
		return executes(queries[turn%len(queries)])
	})
	provider, err := anthropic.New(server.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	model := provider.Open(llmtest.Model)
	w, err := workspace.OpenSample(context.Background(), "northwind", workspace.Options{DataDir: t.TempDir(), Now: wallClock, Thinkers: func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "anthropic:" + llmtest.Model, Always: true, Rows: analyst.RowsMasked, Select: func(task llm.Task) llm.Model {
			if task != llm.Planning {
				return nil
			}
			return model
		}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for _, words := range taught {
		term, means, _ := strings.Cut(words, " means ")
		if _, err := w.Teach(context.Background(), analyst.Lesson{Term: term, Means: means}); err != nil {
			t.Fatalf("%s: %v", words, err)
		}
	}
	var id string
	questions := []string{"how is it going with number %d of our plans", "how is it going with item %d", "what about item %d of our plans"}
	told := 0
	for turn = range 20 {
		a, err := w.Ask(context.Background(), analyst.Request{Question: fmt.Sprintf(questions[turn%len(questions)], turn), SessionID: id, Asking: "never"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		id = a.SessionID
		requests, input := 0, 0
		for _, s := range a.Trace {
			if s.Name != "think" {
				continue
			}
			requests++
			raw, err := json.Marshal(s.Facts["tokens"])
			if err != nil {
				t.Fatal(err)
			}
			var tokens llm.Usage
			if err := json.Unmarshal(raw, &tokens); err != nil || tokens.Input == 0 {
				t.Fatalf("turn %d: tokens %s, %v", turn, raw, err)
			}
			input += tokens.Input
		}
		if requests != 2 || input == 0 {
			t.Errorf("turn %d: %d requests, %d tokens", turn, requests, input)
		}
	}
	if asked := server.Heard(); !strings.Contains(string(asked[len(asked)-1].Body), "verification of metrics, joins and keys: ") {
		t.Error("the catalogue does not say how much of the model is verified")
	}
	var heard []llmtest.Heard
	for _, h := range server.Heard() {
		if strings.Contains(string(h.Body), "taught") && strings.Contains(string(h.Body), "revenue in 1997") {
			told++
		}
		if h.Cached.Total > 0 {
			if len(heard) > 0 && !reflect.DeepEqual(h.Request.System, heard[0].Request.System) {
				t.Error("what comes before the question has other bytes")
			}
			heard = append(heard, h)
		}
	}
	common := heard[0].Cached.Prefix
	hit := 0
	for _, h := range heard {
		hit += min(h.Cached.Read, common)
	}
	share := float64(hit) / float64(common*len(heard))
	t.Logf("%d requests, %d bytes in common, %.1f %% of them read from the cache; the last request has %d bytes", len(heard), common, 100*share, heard[len(heard)-1].Cached.Total)
	if (told > 0) != (len(taught) > 0) {
		t.Errorf("%d requests tell what was taught", told)
	}
	if share < 0.95 || common < 5000 {
		t.Errorf("only %.3f of the %d common bytes were read from the cache", share, common)
	}
}
