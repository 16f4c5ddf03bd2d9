package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/analyst"
)

// asked is a question that was answered over the API, as far as these tests look.
type asked struct {
	RequestID string `json:"request_id"`
	SessionID string `json:"session_id"`
	Status    string `json:"status"`

	Remembered []analyst.Remembered `json:"remembered"`
}

func ask(t *testing.T, base, body string) asked {
	t.Helper()
	var a asked
	status, answer := post(t, base+"/api/ask", body, "application/json")
	if status != http.StatusOK || json.Unmarshal([]byte(answer), &a) != nil {
		t.Fatalf("asking gave %d: %.300s", status, answer)
	}
	return a
}

func standing(t *testing.T, base, id string) Standing {
	t.Helper()
	var s Standing
	if status := get(t, base+"/api/requests/"+id, &s); status != http.StatusOK {
		t.Fatalf("request %s: %d", id, status)
	}
	return s
}

func TestAResultIsAcceptedByAWordAndKeptOnce(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997","level":3}`)
	path := web.URL + "/api/requests/" + a.RequestID
	if s := standing(t, web.URL, a.RequestID); a.Status != "pending_acceptance" || s.Stage != "accept" || s.Settled != "" || s.MayBeGolden {
		t.Fatalf("it does not wait: %+v", s)
	}
	if status, body := post(t, path+"/keep", `{}`, "application/json"); status != http.StatusConflict {
		t.Errorf("kept before it was accepted: %d %s", status, body)
	}
	if status, body := post(t, path+"/say", `{"on":"accepted","how":"copy"}`, "application/json"); status != http.StatusOK || standing(t, web.URL, a.RequestID).Settled != "" {
		t.Errorf("copying a result of level 3 accepted it: %d %s", status, body)
	}
	status, body := post(t, path+"/say", `{"on":"accepted"}`, "application/json")
	if s := standing(t, web.URL, a.RequestID); status != http.StatusOK || s.Settled != "accepted" || !s.MayBeGolden || s.Kept {
		t.Fatalf("the word was not taken: %d %s, %+v", status, body, s)
	}
	if status, _ := post(t, path+"/say", `{"on":"rejected"}`, "application/json"); status != http.StatusConflict {
		t.Errorf("a second word gave %d", status)
	}
	if status, body := post(t, path+"/keep", `{}`, "application/json"); status != http.StatusOK || !standing(t, web.URL, a.RequestID).Kept {
		t.Errorf("keeping gave %d %s", status, body)
	}
}

func TestWhatWaitsRunsOnceAsTheNextTurn(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997","level":2}`)
	path := web.URL + "/api/requests/" + a.RequestID
	status, body := post(t, path+"/confirm", `{}`, "application/json")
	var ran struct {
		asked
		Frame *struct {
			RowCount int `json:"row_count"`
		} `json:"frame"`
	}
	if err := json.Unmarshal([]byte(body), &ran); status != http.StatusOK || err != nil || ran.SessionID != a.SessionID || ran.Frame == nil || ran.Frame.RowCount != 8 {
		t.Fatalf("confirming gave %d %v: %.300s", status, err, body)
	}
	if s := standing(t, web.URL, a.RequestID); s.Settled != "confirmed" {
		t.Errorf("it stands as %+v", s)
	}
	if status, body := post(t, path+"/confirm", `{}`, "application/json"); status != http.StatusConflict {
		t.Errorf("confirming again gave %d: %.200s", status, body)
	}
}

func TestWhatWaitsRunsInSteps(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997","level":2}`)
	path := web.URL + "/api/requests/" + a.RequestID + "/confirm"
	_, body := post(t, path, `{"request_id":"mine"}`, "text/event-stream")
	if strings.Count(body, "event: step") < 3 || strings.Count(body, "event: answer") != 1 || !strings.Contains(body, `"row_count":8`) {
		t.Errorf("the steps: %.600s", body)
	}
	if _, body = post(t, path, `{}`, "text/event-stream"); !strings.Contains(body, "event: error") || !strings.Contains(body, `"code":"conflict"`) {
		t.Errorf("confirming again: %.300s", body)
	}
}

func TestWhatIsForAPersonIsNotConfirmedAway(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997","level":1}`)
	if status, _ := post(t, web.URL+"/api/requests/"+a.RequestID+"/confirm", `{}`, "application/json"); status != http.StatusConflict {
		t.Errorf("confirming gave %d", status)
	}
}

func TestWordsAboutNoRequestAreRefused(t *testing.T) {
	_, web := serving(t)
	for _, path := range []string{"/api/requests/none/say", "/api/requests/none/confirm", "/api/requests/none/keep", "/api/inbox/999/read"} {
		body := `{}`
		if strings.HasSuffix(path, "say") {
			body = `{"on":"accepted"}`
		}
		if status, answer := post(t, web.URL+path, body, "application/json"); status != http.StatusNotFound {
			t.Errorf("%s gave %d: %s", path, status, answer)
		}
	}
}

// TestAskedFirstOrNever: what a person says beside the question counts as its words do.
func TestAskedFirstOrNever(t *testing.T) {
	_, web := serving(t)
	if a := ask(t, web.URL, `{"question":"revenue by category in 1997","asking":"first"}`); a.Status != "needs_confirmation" {
		t.Errorf("it ran before it was confirmed: %+v", a)
	}
	if status, body := patch(t, web.URL+"/api/settings", chosen(t, web.URL, func(s map[string]any) {
		s["wishes"] = map[string]any{"review_all": false, "trust_routine": false, "always_confirm": []string{"sales"}}
	})); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`); a.Status != "pending_acceptance" {
		t.Errorf("the preference does not hold: %+v", a)
	}
	if a := ask(t, web.URL, `{"question":"revenue by category in 1997","asking":"never"}`); a.Status == "pending_acceptance" {
		t.Errorf("the preference was not waived: %+v", a)
	}
	if status, body := post(t, web.URL+"/api/ask", `{"question":"revenue","asking":"always"}`, "application/json"); status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
		t.Errorf("%d %s", status, body)
	}
}
