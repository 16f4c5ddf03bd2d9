package api

import (
	"net/url"
	"testing"

	"assay/backend/interpret"
)

func TestCompletions(t *testing.T) {
	_, web := serving(t)
	for question, want := range map[string]interpret.Completion{
		"rev":              {Text: "revenue", Label: "revenue", Kind: interpret.CompleteMetric},
		"revenue by categ": {Text: "revenue by categories", Label: "categories", Kind: interpret.CompleteEntity},
		"revenue in Germ":  {Text: "revenue in Germany", Label: "Germany", Kind: interpret.CompleteValue},
		"revenue last mon": {Text: "revenue last month", Label: "last month", Kind: interpret.CompleteTime},
	} {
		var list CompletionList
		if status := get(t, web.URL+"/api/complete?q="+url.QueryEscape(question), &list); status != 200 || len(list.Completions) == 0 {
			t.Errorf("%s: %d %+v", question, status, list)
			continue
		}
		found := false
		for _, c := range list.Completions {
			found = found || c.Text == want.Text && c.Label == want.Label && c.Kind == want.Kind
		}
		if !found {
			t.Errorf("%s: %+v", question, list.Completions)
		}
	}
	var none CompletionList
	if status := get(t, web.URL+"/api/complete?q=", &none); status != 200 || none.Completions == nil || len(none.Completions) != 0 {
		t.Errorf("%d %+v", status, none)
	}
}
