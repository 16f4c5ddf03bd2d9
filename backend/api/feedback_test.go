package api

import (
	"net/http"
	"strings"
	"testing"

	"assay/backend/session"
)

func TestFeedbackIsShownAgainAndChanged(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	path := web.URL + "/api/requests/" + a.RequestID + "/feedback"
	shown := func() *session.Feedback {
		var d session.Document
		if status := get(t, web.URL+"/api/sessions/"+a.SessionID, &d); status != http.StatusOK {
			t.Fatalf("session: %d", status)
		}
		return d.Turns[0].Feedback
	}
	if shown() != nil {
		t.Error("there is feedback before there is any")
	}
	for _, body := range []string{`{"thumb":"down","reason":"wrong","words":"1997 is missing","serious":true}`, `{"thumb":"up"}`} {
		if status, answer := post(t, path, body, "application/json"); status != http.StatusOK {
			t.Fatalf("%s gave %d %s", body, status, answer)
		}
	}
	if f := shown(); f == nil || f.Thumb != "up" || f.Serious || f.Words != "" {
		t.Errorf("shown %+v", f)
	}
	for _, body := range []string{`{"thumb":"maybe"}`, `{"thumb":"up","reason":"wrong"}`, `{"thumb":"up","serious":true}`} {
		if status, _ := post(t, path, body, "application/json"); status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
			t.Errorf("%s gave %d", body, status)
		}
	}
	if status := send(t, http.MethodDelete, path, ""); status != http.StatusNoContent || shown() != nil {
		t.Errorf("taking it back gave %d, %+v", status, shown())
	}
}

func TestSessionsArePinnedArchivedDeletedAndRestored(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue in 1997"}`)
	b := ask(t, web.URL, `{"question":"freight in 1997"}`)
	list := func() string {
		var l SessionList
		if status := get(t, web.URL+"/api/sessions", &l); status != http.StatusOK {
			t.Fatal(status)
		}
		all := ""
		for _, h := range l.Sessions {
			all += map[string]string{a.SessionID: "a", b.SessionID: "b"}[h.ID]
			if h.Pinned {
				all += "+"
			}
			if h.Archived {
				all += "-"
			}
		}
		return all
	}
	one := web.URL + "/api/sessions/" + a.SessionID
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{http.MethodPatch, one, `{"pinned":true}`, http.StatusNoContent, "a+b"},
		{http.MethodPatch, one, `{"archived":true}`, http.StatusNoContent, "ba-"},
		{http.MethodPatch, one, `{"archived":false}`, http.StatusNoContent, "ba"},
		{http.MethodDelete, one, "", http.StatusNoContent, "b"},
		{http.MethodPatch, one, `{"pinned":true}`, http.StatusNotFound, "b"},
		{http.MethodPost, one + "/restore", `{}`, http.StatusNoContent, "ba"},
		{http.MethodPost, one + "/restore", `{}`, http.StatusNotFound, "ba"},
		{http.MethodPatch, one, `{"title":""}`, http.StatusUnprocessableEntity, "ba"},
	} {
		if status := send(t, c.method, c.path, c.body); status != c.status || list() != c.want {
			t.Errorf("%s %s gave %d and %q, want %d and %q", c.method, c.body, status, list(), c.status, c.want)
		}
	}
}

// send gives the status of a request.
func send(t *testing.T, method, url, body string) int {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	status, _ := do(t, r)
	return status
}
