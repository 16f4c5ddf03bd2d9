package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/memory"
)

func TestQueriesAreSavedRenamedReplacedAndDeleted(t *testing.T) {
	_, web := serving(t)
	saved := web.URL + "/api/query/saved"
	list := func() string {
		var all SavedQueries
		if status := get(t, saved, &all); status != http.StatusOK {
			t.Fatal(status)
		}
		out := ""
		for _, q := range all.Queries {
			out += q.Name + "=" + q.Text + " (" + q.Language + ") "
		}
		return strings.TrimSpace(out)
	}
	first := told[memory.SavedQuery](t, saved, map[string]any{"name": "Dropping", "language": "sql", "text": "DROP TABLE \"Orders\""})
	body, err := json.Marshal(map[string]any{"name": "dropping", "language": "frame_ql", "text": "SELECT revenue", "replacing": first.Changed})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{http.MethodPost, saved, `{"name":"dropping","language":"sql","text":"SELECT 1"}`, http.StatusConflict, `Dropping=DROP TABLE "Orders" (sql)`},
		{http.MethodPost, saved, string(body), http.StatusOK, `dropping=SELECT revenue (frame_ql)`},
		{http.MethodPost, saved, string(body), http.StatusConflict, `dropping=SELECT revenue (frame_ql)`},
		{http.MethodPost, saved, `{"name":" ","language":"sql","text":"SELECT 1"}`, http.StatusBadRequest, `dropping=SELECT revenue (frame_ql)`},
		{http.MethodPost, saved, `{"name":"x","language":"python","text":"1"}`, http.StatusUnprocessableEntity, `dropping=SELECT revenue (frame_ql)`},
		{http.MethodPatch, saved + "/" + first.ID, `{"name":"Revenue"}`, http.StatusOK, `Revenue=SELECT revenue (frame_ql)`},
		{http.MethodPatch, saved + "/none", `{"name":"Revenue"}`, http.StatusNotFound, `Revenue=SELECT revenue (frame_ql)`},
		{http.MethodDelete, saved + "/" + first.ID, "", http.StatusNoContent, ``},
		{http.MethodDelete, saved + "/" + first.ID, "", http.StatusNotFound, ``},
	} {
		if status := send(t, c.method, c.path, c.body); status != c.status || list() != c.want {
			t.Errorf("%s %s gave %d and %q, want %d and %q", c.method, c.body, status, list(), c.status, c.want)
		}
	}
	// What is saved is text: nothing of it has run.
	check := checked(t, web.URL, "sql", `SELECT count(*) FROM "Orders"`)
	if check.Rule != "" {
		t.Errorf("the table is gone: %s", check.Rule)
	}
	var history QueryHistory
	if get(t, web.URL+"/api/query/history", &history); len(history.Queries) != 0 {
		t.Errorf("saving ran %v", history.Queries)
	}
}

func TestTheWindowStandsAsItStoodAfterARestart(t *testing.T) {
	at := home(t)
	ws := sampleIn(t, at)
	server, web := servingOver(t, ws)
	page := web.URL + "/api/page"
	stands := func() PageState {
		var p PageState
		if status := get(t, page, &p); status != http.StatusOK {
			t.Fatal(status)
		}
		return p
	}
	before := stands()
	if len(before.Values) != 0 || before.Owner == "" || before.Run == "" || strings.Contains(before.Owner, "/") {
		t.Fatalf("at first %+v", before)
	}
	for body, status := range map[string]int{
		`{"values":[{"name":"split","value":"0.3"},{"name":"query.tab.1","value":"{}"}]}`: http.StatusNoContent,
		`{"values":[{"name":"gone","value":null}]}`:                                       http.StatusNoContent,
		`{"values":[]}`:                          http.StatusUnprocessableEntity,
		`{"values":[{"name":"","value":"0.3"}]}`: http.StatusUnprocessableEntity,
		`{"values":[{"name":"long","value":"` + strings.Repeat("x", memory.MostPageValue+1) + `"}]}`: http.StatusRequestEntityTooLarge,
	} {
		if got := send(t, http.MethodPatch, page, body); got != status {
			t.Errorf("%.60s gave %d, want %d", body, got, status)
		}
	}
	now := stands()
	if len(now.Values) != 2 || now.Values[1].Value != "0.3" || now.Owner != before.Owner || now.Run != before.Run {
		t.Errorf("kept %+v", now)
	}
	web.Close()
	server.Close()
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	_, web = servingOver(t, sampleIn(t, at)) // on another port
	page = web.URL + "/api/page"
	if then := stands(); len(then.Values) != 2 || then.Owner != before.Owner || then.Run == before.Run {
		t.Errorf("after a restart %+v, before %+v", then, now)
	}
}
