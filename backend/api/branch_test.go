package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

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

	status, raw := post(t, web.URL+"/api/sessions/"+parent+"/branch", `{"turn":1}`, "application/json")
	var branched Branched
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
	for path, want := range map[string]int{"/api/sessions/nobody/branch": http.StatusNotFound, "/api/sessions/" + parent + "/branch": http.StatusNotFound} {
		if status, raw := post(t, web.URL+path, `{"turn":9}`, "application/json"); status != want {
			t.Errorf("%s: %d %s", path, status, raw)
		}
	}
}
