package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/workspace"
)

// The guard lets a reader through to a shared session without signing in, and to nothing else.
func TestTheGuardShowsASharedSession(t *testing.T) {
	now := noon
	g, through := guarded(&now)
	token := strings.Repeat("0a", 32)
	for _, c := range []struct {
		name, method, path string
		change             func(*http.Request)
		status             int
	}{
		{"its address", "GET", SharedPath + token, nil, 200},
		{"only its head", "HEAD", SharedPath + token, nil, 200},
		{"a link that is followed from elsewhere", "GET", SharedPath + token, func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 200},
		{"in a frame of another site", "GET", SharedPath + token, func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403},
		{"fetched by another site", "GET", SharedPath + token, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"of a rebound host", "GET", SharedPath + token, func(r *http.Request) { r.Host = "evil.example:8123" }, 421},
		{"written to", "POST", SharedPath + token, nil, 405},
		{"deleted", "DELETE", SharedPath + token, func(r *http.Request) { r.ContentLength = 0 }, 405},
		{"with a body", "GET", SharedPath + token, func(r *http.Request) { r.ContentLength = 2 }, 400},
		{"without a token", "GET", SharedPath, nil, 401},
		{"with half a token", "GET", SharedPath + token[:32], nil, 401},
		{"with what is no token", "GET", SharedPath + strings.Repeat("x", 64), nil, 401},
		{"below it", "GET", SharedPath + token + "/api", nil, 401},
		{"with a question", "GET", SharedPath + token + "?x=1", nil, 401},
		{"the routes by its token", "GET", "/api/sessions", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }, 401},
	} {
		before := *through
		w := httptest.NewRecorder()
		g.ServeHTTP(w, request(c.method, c.path, func(r *http.Request) {
			if c.method == "HEAD" {
				r.ContentLength = 0
			}
			if c.change != nil {
				c.change(r)
			}
		}))
		if passed := *through > before; w.Code != c.status || passed != (c.status == 200) {
			t.Errorf("%s: %d, want %d (let through: %v)", c.name, w.Code, c.status, passed)
		}
		if len(w.Result().Cookies()) > 0 {
			t.Errorf("%s: a cookie is handed out", c.name)
		}
	}
}

func TestARefusedAddressIsTakenDownWithoutItsToken(t *testing.T) {
	var told []Refusal
	g := NewGuard(http.NotFoundHandler(), GuardOptions{Port: 8123, Now: func() time.Time { return noon }, Refused: func(r Refusal) { told = append(told, r) }})
	g.ServeHTTP(httptest.NewRecorder(), request("POST", SharedPath+strings.Repeat("0a", 32), nil))
	if len(told) != 1 || told[0].Path != SharedPath {
		t.Errorf("%+v", told)
	}
}

// sharedServer is a server that has an address, with a session of two turns.
func sharedServer(t *testing.T) (web *httptest.Server, ws *workspace.Workspace, sessionID string) {
	t.Helper()
	ws = sample(t)
	server := New(ws, Options{Version: "v1", Address: "http://127.0.0.1:8123"})
	web = httptest.NewServer(server)
	t.Cleanup(func() { web.Close(); server.Close(); ws.Close() })
	for _, question := range []string{"revenue by category in 1997", "list customers with contact name"} {
		a, err := ws.Ask(context.Background(), analyst.Request{Question: question, SessionID: "handed"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		sessionID = a.SessionID
	}
	return web, ws, sessionID
}

func made(t *testing.T, web *httptest.Server, session, body string) ShareMade {
	t.Helper()
	status, raw := post(t, web.URL+"/api/sessions/"+session+"/share", body, "application/json")
	var m ShareMade
	if err := json.Unmarshal([]byte(raw), &m); err != nil || status != 200 {
		t.Fatalf("%d %v %s", status, err, raw)
	}
	return m
}

// seen opens an address as a browser does.
func seen(t *testing.T, web *httptest.Server, url string) (int, string, http.Header) {
	t.Helper()
	answer, err := http.Get(web.URL + strings.TrimPrefix(url, "http://127.0.0.1:8123"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw), answer.Header
}

func TestASharedSessionIsReadUntilItIsRevoked(t *testing.T) {
	web, ws, id := sharedServer(t)
	whole := made(t, web, id, `{}`)
	first := made(t, web, id, `{"turn":1,"frames":"none","days":1}`)
	masked := made(t, web, id, `{"frames":"masked"}`)
	status, page, head := seen(t, web, whole.URL)
	if status != 200 || !strings.Contains(page, "Beverages") || !strings.Contains(page, "Maria Anders") || whole.Turn != 2 {
		t.Errorf("%d, turn %d: %.400s", status, whole.Turn, page)
	}
	policy := head.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "'self'") || strings.Contains(policy, "connect-src") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("policy %q", policy)
	}
	if head.Get("Cache-Control") != "no-store" || head.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("head %v", head)
	}
	if _, page, _ := seen(t, web, first.URL); strings.Contains(page, "list customers") || strings.Contains(page, "Beverages") || !strings.Contains(page, "revenue by category in 1997") {
		t.Errorf("up to the first turn, without rows: %.400s", page)
	}
	if _, page, _ := seen(t, web, masked.URL); strings.Contains(page, "Maria Anders") || !strings.Contains(page, "Beverages") {
		t.Errorf("masked: %.400s", page)
	}
	var list ShareList
	get(t, web.URL+"/api/sessions/"+id+"/shares", &list)
	if len(list.Shares) != 3 || list.Shares[2].ID != whole.ID || list.Shares[2].Opened != 1 {
		t.Errorf("%+v", list)
	}
	r, _ := http.NewRequest(http.MethodDelete, web.URL+"/api/shares/"+whole.ID, nil)
	if status, body := do(t, r); status/100 != 2 {
		t.Errorf("revoke: %d %s", status, body)
	}
	gone, revoked, _ := seen(t, web, whole.URL)
	never, unknown, _ := seen(t, web, SharedPath+strings.Repeat("0", 64))
	if gone != 404 || never != 404 || revoked != unknown || strings.Contains(revoked, "revenue") {
		t.Errorf("revoked %d %s\nnever %d %s", gone, revoked, never, unknown)
	}
	if err := ws.Memory().Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if status, page, _ := seen(t, web, masked.URL); status != 404 || page != unknown {
		t.Errorf("of a deleted session: %d %s", status, page)
	}
}

func TestAddressesThatCannotBeMade(t *testing.T) {
	web, _, id := sharedServer(t)
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"no session": {"nowhere", `{}`, 404}, "no turn": {id, `{"turn":9}`, 404}, "no such rows": {id, `{"frames":"all"}`, 422}, "no days": {id, `{"days":400}`, 422},
	} {
		if status, body := post(t, web.URL+"/api/sessions/"+c.path+"/share", c.body, "application/json"); status != c.status || !strings.Contains(body, `"message":"`) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	_, window := serving(t)
	if status, body := post(t, window.URL+"/api/sessions/any/share", `{}`, "application/json"); status != 503 || !strings.Contains(body, "assay serve") {
		t.Errorf("where nothing is served: %d %s", status, body)
	}
}
