package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/memory"
	"assay/backend/session"
)

func TestABranchGoesOnFromItsTurn(t *testing.T) {
	_, web := serving(t)
	ask := func(question, sessionID string) map[string]any {
		t.Helper()
		body, _ := json.Marshal(map[string]string{"question": question, "session_id": sessionID})
		status, raw := post(t, web.URL+"/api/ask", string(body), "application/json")
		var answer map[string]any
		if err := json.Unmarshal([]byte(raw), &answer); status != http.StatusOK || err != nil {
			t.Fatalf("%s: %d %s", question, status, raw)
		}
		return answer
	}
	first := ask("revenue by category in 1997", "")
	parent := first["session_id"].(string)
	ask("revenue by country in 1996", parent)

	status, raw := post(t, web.URL+"/api/sessions/"+parent+"/fork", `{"turn":1}`, "application/json")
	var branched memory.Forked
	if err := json.Unmarshal([]byte(raw), &branched); status != http.StatusOK || err != nil || branched.SessionID == "" {
		t.Fatalf("branch: %d %s", status, raw)
	}
	// The conversation goes on from the first turn, not from the second.
	next := ask("but for 1998", branched.SessionID)
	if reading := next["understood"].(map[string]any)["reading"].(string); !strings.Contains(reading, "category") || !strings.Contains(reading, "1998") {
		t.Errorf("read as %q", reading)
	}
	var d session.Document
	if status := get(t, web.URL+"/api/sessions/"+branched.SessionID, &d); status != http.StatusOK || len(d.Turns) != 2 || d.Origin == nil || d.Origin.SessionID != parent || d.Origin.Turn != 1 {
		t.Errorf("branch %d: %d turns from %+v", status, len(d.Turns), d.Origin)
	}
	if status := get(t, web.URL+"/api/sessions/"+parent, &d); status != http.StatusOK || len(d.Turns) != 2 {
		t.Errorf("the parent has %d turns", len(d.Turns))
	}
	artifact := d.Turns[1].Artifacts[0].ID
	if status, raw = post(t, web.URL+"/api/sessions/"+parent+"/fork", `{"from_artifact":"`+artifact+`"}`, "application/json"); status != http.StatusOK || json.Unmarshal([]byte(raw), &branched) != nil || branched.Turn != 2 {
		t.Errorf("from an artifact: %d %s", status, raw)
	}
	if get(t, web.URL+"/api/sessions/"+branched.SessionID, &d); len(d.Turns) != 2 || d.Origin == nil || d.Origin.Artifact != artifact {
		t.Errorf("from an artifact: %+v", d.Origin)
	}
	var tree SessionTree
	if status := get(t, web.URL+"/api/sessions/"+branched.SessionID+"/tree", &tree); status != http.StatusOK || len(tree.Sessions) != 3 || tree.Sessions[0].ID != parent || tree.Sessions[2].Artifact != artifact {
		t.Errorf("tree %d: %+v", status, tree)
	}
	if status := get(t, web.URL+"/api/sessions/nobody/tree", &Problem{}); status != http.StatusNotFound {
		t.Errorf("the tree of nobody: %d", status)
	}
	for _, c := range []struct {
		session, body, says string
		want                int
	}{
		{"nobody", `{"turn":1}`, "nobody", http.StatusNotFound},
		{parent, `{"turn":9}`, "no turn 9", http.StatusNotFound},
		{parent, `{"turn":0}`, "turn", http.StatusUnprocessableEntity},
		{parent, `{"from_artifact":"art_elsewhere_1_0"}`, "art_elsewhere_1_0", http.StatusNotFound},
		{branched.SessionID, `{"from_artifact":"` + artifact + `"}`, artifact, http.StatusNotFound},
		{parent, `{}`, "name one of the two", http.StatusBadRequest},
		{parent, `{"turn":1,"from_artifact":"` + artifact + `"}`, "name one of the two", http.StatusBadRequest},
	} {
		if status, raw := post(t, web.URL+"/api/sessions/"+c.session+"/fork", c.body, "application/json"); status != c.want || !strings.Contains(raw, c.says) {
			t.Errorf("%s %s: %d %s", c.session, c.body, status, raw)
		}
	}
}
