package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/memory"
	"assay/backend/session"
	"assay/backend/workspace"
)

func TestASessionIsBegunAskedInAndSaysWhatItCameTo(t *testing.T) {
	_, web := serving(t)
	status, raw := post(t, web.URL+"/api/sessions", `{"title":"For the  board"}`, "application/json")
	var created SessionCreated
	if err := json.Unmarshal([]byte(raw), &created); status != http.StatusOK || err != nil || created.SessionID == "" {
		t.Fatalf("%d %s", status, raw)
	}
	here := web.URL + "/api/sessions/" + created.SessionID
	var list SessionList
	if get(t, web.URL+"/api/sessions", &list); len(list.Sessions) != 0 {
		t.Errorf("an empty session is listed: %+v", list)
	}
	var state workspace.SessionState
	if status := get(t, here+"/state", &state); status != http.StatusOK || state.Title != "For the board" || state.Turns.All != 0 || state.State.Filters == nil || state.Versions.Model == "" {
		t.Errorf("%d %+v", status, state)
	}
	var d session.Document
	if status := get(t, here, &d); status != http.StatusOK || d.Title != "For the board" || len(d.Turns) != 0 {
		t.Errorf("%d %+v", status, d)
	}

	// It is asked in as by /api/ask, with the steps as they happen where they are wanted.
	if status, raw = post(t, here+"/message", `{"question":"revenue by category in 1997"}`, "application/json"); status != http.StatusOK || !strings.Contains(raw, `"outcome":"answer"`) || !strings.Contains(raw, created.SessionID) {
		t.Fatalf("%d %.300s", status, raw)
	}
	_, raw = post(t, here+"/message", `{"question":"only Beverages"}`, "text/event-stream")
	events := eventsOf(t, raw)
	if last := events[len(events)-1]; len(events) < 4 || events[0].name != "step" || last.name != "answer" || !strings.Contains(last.data, "Beverages") {
		t.Errorf("%d events: %.300s", len(events), raw)
	}
	post(t, here+"/message", `{"question":"what is the weather"}`, "application/json")
	post(t, here+"/message", `{"question":"total revenue by category in 1997 for flimflam"}`, "application/json")
	if get(t, web.URL+"/api/sessions", &list); len(list.Sessions) != 1 || list.Sessions[0].Title != "For the board" || list.Sessions[0].Turns != 4 {
		t.Errorf("sessions %+v", list.Sessions)
	}
	if status := get(t, here+"/state", &state); status != http.StatusOK || state.Turns != (workspace.SessionCounts{All: 4, Answers: 2, AskedBack: 1, Refused: 1}) ||
		len(state.State.Filters) != 2 || len(state.State.Entities) != 1 || state.State.Entities[0] != "categories" {
		t.Errorf("%d %+v", status, state)
	}
	if n := len(state.Waiting); n != 3 || state.Waiting[0].Stage != "accept" || state.Waiting[0].Until == nil || state.Waiting[n-1].Stage != "scope" || state.Waiting[n-1].Turn != 4 {
		t.Errorf("waiting %+v", state.Waiting)
	}
	v := state.Versions
	if get(t, here, &d); v.Program != d.Turns[0].MadeBy.Program || v.Model != d.Turns[0].MadeBy.Model || v.Rules != d.Turns[0].MadeBy.Rules || v.Mind != session.Embedded || v.Prompts != "" || v.Sources["Orders"] == "" {
		t.Errorf("versions %+v, the first turn was made by %+v", v, d.Turns[0].MadeBy)
	}

	var cleared memory.Cleared
	if status, raw := post(t, here+"/clear", `{}`, "application/json"); status != http.StatusOK || json.Unmarshal([]byte(raw), &cleared) != nil || cleared.Turns != 4 {
		t.Errorf("clear: %d %s", status, raw)
	}
	if get(t, here, &d); d.Turns[0].Archived == nil {
		t.Error("a cleared turn stands")
	}
	if status, raw := post(t, here+"/clear", `{}`, "application/json"); status != http.StatusConflict {
		t.Errorf("clear again: %d %s", status, raw)
	}
	if status, raw := post(t, here+"/unclear", `{}`, "application/json"); status != http.StatusOK || json.Unmarshal([]byte(raw), &cleared) != nil || cleared.Turns != 4 {
		t.Errorf("unclear: %d %s", status, raw)
	}

	var found SessionHits
	if status := get(t, web.URL+"/api/sessions/search?q=beverages&limit=5", &found); status != http.StatusOK || len(found.Hits) == 0 || found.Hits[0].SessionID != created.SessionID || found.Hits[0].Turn != 2 {
		t.Errorf("search: %d %+v", status, found)
	}
	for _, q := range []string{"", "%25%22%27", "nothing%20like%20this"} {
		if status := get(t, web.URL+"/api/sessions/search?q="+q, &found); status != http.StatusOK || found.Hits == nil || len(found.Hits) != 0 {
			t.Errorf("search %s: %d %+v", q, status, found)
		}
	}
	if status := get(t, web.URL+"/api/sessions/search?q=a&limit=0", &Problem{}); status != http.StatusUnprocessableEntity {
		t.Errorf("search: %d", status)
	}

	for _, c := range []struct {
		path, body string
		want       int
	}{
		{"/api/sessions", `{"name":"x"}`, http.StatusUnprocessableEntity},
		{"/api/sessions/nobody/message", `{"question":"revenue"}`, http.StatusNotFound},
		{"/api/sessions/" + created.SessionID + "/message", `{"question":"revenue","session_id":"other"}`, http.StatusUnprocessableEntity},
		{"/api/sessions/" + created.SessionID + "/message", `{"question":"revenue","now":"noon"}`, http.StatusBadRequest},
	} {
		if status, raw := post(t, web.URL+c.path, c.body, "application/json"); status != c.want {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, raw)
		}
	}
	if status := get(t, web.URL+"/api/sessions/nobody/state", &Problem{}); status != http.StatusNotFound {
		t.Errorf("the state of nobody: %d", status)
	}
	if get(t, web.URL+"/api/sessions", &list); len(list.Sessions) != 1 {
		t.Errorf("a refused message left a session: %+v", list.Sessions)
	}

	var ready Exported
	if status, raw := post(t, here+"/export", `{"frames":"whole"}`, "application/json"); status != http.StatusOK || json.Unmarshal([]byte(raw), &ready) != nil {
		t.Fatalf("export: %d %s", status, raw)
	}
	_, raw = post(t, web.URL+"/api/ask", `{"question":"revenue by country"}`, "application/json")
	var other struct {
		RequestID string `json:"request_id"`
	}
	if err := json.Unmarshal([]byte(raw), &other); err != nil {
		t.Fatal(err)
	}
	var stays Exported
	if status, raw := post(t, web.URL+"/api/exports", `{"answer_to":"`+other.RequestID+`","format":"csv"}`, "application/json"); status != http.StatusOK || json.Unmarshal([]byte(raw), &stays) != nil {
		t.Fatalf("export: %d %s", status, raw)
	}
	for range 2 { // it is there to be deleted for ever once
		r, _ := http.NewRequest(http.MethodDelete, here+"?forever=true", nil)
		status, raw := do(t, r)
		if want := map[bool]int{true: http.StatusNoContent, false: http.StatusNotFound}[ready.ID != ""]; status != want {
			t.Errorf("delete for ever: %d %s", status, raw)
		}
		for id, want := range map[string]int{ready.ID: http.StatusNotFound, stays.ID: http.StatusOK} {
			if r, _ := http.NewRequest(http.MethodGet, web.URL+"/api/exports/"+id, nil); id != "" {
				if status, _ := do(t, r); status != want {
					t.Errorf("a file that waits: %d, want %d", status, want)
				}
			}
		}
		ready.ID = ""
	}
	if status, _ := post(t, here+"/restore", `{}`, "application/json"); status != http.StatusNotFound {
		t.Errorf("restore: %d", status)
	}
	if get(t, web.URL+"/api/sessions", &list); len(list.Sessions) != 1 {
		t.Errorf("%+v", list)
	}
}

// What answered a turn, and over which content of its sources, stands in the document and in what is exported of it.
func TestASessionCarriesItsVersions(t *testing.T) {
	_, web := serving(t)
	_, raw := post(t, web.URL+"/api/ask", `{"question":"revenue by category in 1997","session_id":"s"}`, "application/json")
	if !strings.Contains(raw, `"outcome":"answer"`) {
		t.Fatal(raw)
	}
	for _, path := range []string{"/api/sessions/s", "/api/sessions/s/export"} {
		var d struct {
			Turns []struct {
				MadeBy map[string]any `json:"made_by"`
				Answer struct {
					Frame struct {
						SourceEpochs map[string]string `json:"source_epochs"`
					} `json:"frame"`
				} `json:"answer"`
			} `json:"turns"`
		}
		if status := get(t, web.URL+path, &d); status != http.StatusOK || len(d.Turns) != 1 {
			t.Fatalf("%s: %d", path, status)
		}
		made := d.Turns[0].MadeBy
		for _, name := range []string{"program", "mind", "prompts", "model", "rules", "clock"} {
			if value, is := made[name].(string); !is || value == "" != (name == "prompts") {
				t.Errorf("%s: made_by has %s %v", path, name, made[name])
			}
		}
		if len(d.Turns[0].Answer.Frame.SourceEpochs) == 0 {
			t.Errorf("%s: no epochs", path)
		}
	}
}
