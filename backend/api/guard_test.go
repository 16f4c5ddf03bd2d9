package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// guarded gives a guard on port 8123 before a handler that counts what gets through.
func guarded(now *time.Time) (*Guard, *int) {
	through := 0
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { through++ })
	return NewGuard(next, GuardOptions{Port: 8123, Now: func() time.Time { return *now }}), &through
}

func request(method, target string, change func(*http.Request)) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	if method != http.MethodGet {
		r = httptest.NewRequest(method, target, strings.NewReader("{}"))
	}
	r.Host = "127.0.0.1:8123"
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	return r
}

func bearer(g *Guard) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+g.Token()) }
}

func TestGuardRefuses(t *testing.T) {
	now := noon
	g, through := guarded(&now)
	with := func(change func(*http.Request)) func(*http.Request) {
		return func(r *http.Request) { bearer(g)(r); change(r) }
	}
	host := func(h string) func(*http.Request) { return with(func(r *http.Request) { r.Host = h }) }
	header := func(k, v string) func(*http.Request) { return with(func(r *http.Request) { r.Header.Set(k, v) }) }
	cases := []struct {
		name, method, target string
		change               func(*http.Request)
		status               int
	}{
		{"no token", "POST", "/api/ask", nil, 401},
		{"no token for the page", "GET", "/", nil, 401},
		{"wrong bearer", "POST", "/api/ask", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("0", 64)) }, 401},
		{"empty bearer", "POST", "/api/ask", func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401},
		{"basic instead of bearer", "POST", "/api/ask", func(r *http.Request) { r.SetBasicAuth("user", g.Token()) }, 401},
		{"bearer in lower case", "POST", "/api/ask", func(r *http.Request) { r.Header.Set("Authorization", "bearer "+g.Token()) }, 401},
		{"token as a cookie", "POST", "/api/ask", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: g.cookieName(), Value: g.Token()}) }, 401},
		{"login token as a bearer", "POST", "/api/ask", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+g.login) }, 401},
		{"token in the query of a route", "POST", "/api/ask?token=" + g.Token(), nil, 401},
		{"login token on a route", "POST", "/api/ask?token=" + g.login, nil, 401},
		{"wrong login token", "GET", "/?token=" + strings.Repeat("0", 64), nil, 401},
		{"empty login token", "GET", "/?token=", nil, 401},
		{"login by POST", "POST", "/?token=" + g.login, nil, 401},
		{"foreign host", "GET", "/", host("evil.example:8123"), 421},
		{"rebound host", "GET", "/", host("127.0.0.1.nip.io:8123"), 421},
		{"host without port", "GET", "/", host("127.0.0.1"), 421},
		{"host of another port", "GET", "/", host("127.0.0.1:80"), 421},
		{"host with a trailing dot", "GET", "/", host("localhost.:8123"), 421},
		{"host in upper case", "GET", "/", host("LOCALHOST:8123"), 421},
		{"host below localhost", "GET", "/", host("localhost.evil:8123"), 421},
		{"host with a user", "GET", "/", host("user@127.0.0.1:8123"), 421},
		{"any address", "GET", "/", host("0.0.0.0:8123"), 421},
		{"another loopback address", "GET", "/", host("127.0.0.2:8123"), 421},
		{"decimal address", "GET", "/", host("2130706433:8123"), 421},
		{"empty host", "GET", "/", host(""), 421},
		{"foreign origin", "POST", "/api/ask", header("Origin", "https://evil.example"), 403},
		{"null origin", "POST", "/api/ask", header("Origin", "null"), 403},
		{"origin of another port", "POST", "/api/ask", header("Origin", "http://127.0.0.1:80"), 403},
		{"origin of another scheme", "POST", "/api/ask", header("Origin", "https://127.0.0.1:8123"), 403},
		{"origin of another loopback name", "POST", "/api/ask", header("Origin", "http://localhost:8123"), 403},
		{"two origins", "POST", "/api/ask", with(func(r *http.Request) { r.Header["Origin"] = []string{"http://127.0.0.1:8123", "https://evil.example"} }), 400},
		{"cross-site fetch", "POST", "/api/ask", header("Sec-Fetch-Site", "cross-site"), 403},
		{"same-site fetch", "POST", "/api/ask", header("Sec-Fetch-Site", "same-site"), 403},
		{"cross-site image", "GET", "/api/sessions", header("Sec-Fetch-Site", "cross-site"), 403},
		{"form as text", "POST", "/api/ask", header("Content-Type", "text/plain"), 415},
		{"form", "POST", "/api/ask", header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"multipart", "POST", "/api/ask", header("Content-Type", "multipart/form-data; boundary=x"), 415},
		{"no content type", "POST", "/api/ask", with(func(r *http.Request) { r.Header.Del("Content-Type") }), 415},
		{"json-like content type", "POST", "/api/ask", header("Content-Type", "application/jsonp"), 415},
		{"broken content type", "POST", "/api/ask", header("Content-Type", ";"), 415},
		{"absolute form", "GET", "http://127.0.0.1:8123/", with(func(*http.Request) {}), 421},
		{"absolute form of another host", "GET", "http://evil.example/", with(func(*http.Request) {}), 421},
		{"method that nobody uses", "PUT", "/api/ask", with(func(*http.Request) {}), 405},
		{"preflight", "OPTIONS", "/api/ask", header("Origin", "http://127.0.0.1:8123"), 405},
		{"trace", "TRACE", "/", with(func(*http.Request) {}), 405},
		{"steps in a path", "GET", "/assets/../api/sessions", with(func(*http.Request) {}), 400},
		{"hidden steps in a path", "GET", "/assets/%2e%2e/api/sessions", with(func(*http.Request) {}), 400},
		{"hidden slash", "GET", "/api%2fsessions", with(func(*http.Request) {}), 400},
		{"doubled slash", "GET", "//api/sessions", with(func(*http.Request) {}), 400},
		{"doubled slash within", "GET", "/api//sessions", with(func(*http.Request) {}), 400},
		{"backslash", "GET", "/api\\sessions", with(func(*http.Request) {}), 400},
		{"hidden NUL", "GET", "/api/sessions%00.js", with(func(*http.Request) {}), 400},
		{"method override", "POST", "/api/sessions/1", header("X-HTTP-Method-Override", "DELETE"), 400},
		{"method override in the query", "POST", "/api/sessions/1?_method=DELETE", with(func(*http.Request) {}), 400},
		{"address override", "GET", "/", header("X-Original-URL", "/api/sessions"), 400},
		{"two bearers", "GET", "/", with(func(r *http.Request) { r.Header.Add("Authorization", "Bearer x") }), 400},
		{"websocket", "GET", "/", header("Upgrade", "websocket"), 400},
		{"foreign websocket", "GET", "/", with(func(r *http.Request) {
			r.Header.Set("Upgrade", "websocket")
			r.Header.Set("Origin", "https://evil.example")
		}), 400},
		{"body of a GET", "GET", "/api/sessions", with(func(r *http.Request) { r.ContentLength = 2 }), 400},
		{"body of a DELETE", "DELETE", "/api/sessions/1", with(func(*http.Request) {}), 400},
		{"packed body", "POST", "/api/ask", header("Content-Encoding", "gzip"), 415},
		{"another charset", "POST", "/api/ask", header("Content-Type", "application/json; charset=utf-7"), 415},
		{"large body", "POST", "/api/ask", with(func(r *http.Request) { r.ContentLength = 1<<20 + 1 }), 413},
		{"token in the query twice", "GET", "/?token=" + g.login + "&token=" + g.login, nil, 401},
		{"token beside something else", "GET", "/?token=" + g.login + "&x=1", nil, 401},
		{"two cookies", "GET", "/", func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: g.cookieName(), Value: g.cookie()})
			r.AddCookie(&http.Cookie{Name: g.cookieName(), Value: g.cookie()})
		}, 401},
		{"cookie of another port", "GET", "/", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "assay_session_80", Value: g.cookie()}) }, 401},
		{"cookie beside a wrong bearer", "GET", "/", func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: g.cookieName(), Value: g.cookie()})
			r.Header.Set("Authorization", "Bearer x")
		}, 401},
		{"navigation of another site to a route", "GET", "/api/sessions", with(func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}), 403},
		{"frame of another site", "GET", "/", with(func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}), 403},
		{"unknown site word", "GET", "/api/sessions", header("Sec-Fetch-Site", "nowhere"), 403},
		{"upload as JSON", "POST", "/api/uploads", with(func(*http.Request) {}), 415},
		{"upload as a form", "POST", "/api/uploads", header("Content-Type", "text/plain"), 415},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			g.ServeHTTP(w, request(c.method, c.target, c.change))
			if w.Code != c.status {
				t.Errorf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
			if !strings.Contains(w.Body.String(), `"message":"`) {
				t.Errorf("no sentence in %s", w.Body)
			}
			if len(w.Header().Values("Access-Control-Allow-Origin")) > 0 || len(w.Result().Cookies()) > 0 {
				t.Error("a refusal hands something out")
			}
		})
	}
	if *through != 0 {
		t.Errorf("%d refused requests got through", *through)
	}
}

func TestGuardLetsIn(t *testing.T) {
	now := noon
	g, through := guarded(&now)
	for _, change := range []func(*http.Request){
		func(*http.Request) {},
		func(r *http.Request) { r.Host = "localhost:8123" },
		func(r *http.Request) { r.Host = "[::1]:8123" },
		func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:8123") },
		func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") },
		func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") },
		func(r *http.Request) { r.Header.Set("X-Forwarded-Host", "evil.example") }, // it is not looked at
	} {
		before := *through
		w := httptest.NewRecorder()
		g.ServeHTTP(w, request("POST", "/api/ask", func(r *http.Request) { bearer(g)(r); change(r) }))
		if *through != before+1 {
			t.Errorf("not let in: %d %s", w.Code, w.Body)
		}
	}
}

func TestLinkIsGoodForOneUse(t *testing.T) {
	now := noon
	g, through := guarded(&now)
	link, err := url.Parse(g.NewLink())
	if err != nil || link.Host != "127.0.0.1:8123" {
		t.Fatalf("link %v: %v", link, err)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, request("GET", link.RequestURI(), nil))
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" {
		t.Fatalf("status %d to %q", w.Code, w.Header().Get("Location"))
	}
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Value == g.Token() {
		t.Fatalf("cookies %v", cookies)
	}
	signedIn := func(r *http.Request) { r.AddCookie(cookies[0]) }
	g.ServeHTTP(httptest.NewRecorder(), request("GET", "/", signedIn))
	if *through != 1 {
		t.Fatal("the cookie does not open the page")
	}

	again := httptest.NewRecorder()
	g.ServeHTTP(again, request("GET", link.RequestURI(), nil))
	if again.Code != http.StatusUnauthorized || len(again.Result().Cookies()) != 0 {
		t.Errorf("the link worked twice: %d", again.Code)
	}
	reload := httptest.NewRecorder()
	g.ServeHTTP(reload, request("GET", link.RequestURI(), signedIn))
	if reload.Code != http.StatusSeeOther {
		t.Errorf("a signed-in browser cannot open the link again: %d", reload.Code)
	}
}

func TestLinkGrowsOld(t *testing.T) {
	now := noon
	g, _ := guarded(&now)
	link, _ := url.Parse(g.NewLink())
	now = now.Add(61 * time.Second)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, request("GET", link.RequestURI(), nil))
	if w.Code != http.StatusUnauthorized {
		t.Errorf("status %d", w.Code)
	}
}

// Whoever comes with a link that is good no more is told in words how to get another; a program is told as JSON.
func TestAPersonIsToldHowToSignIn(t *testing.T) {
	now := noon
	g, _ := guarded(&now)
	for _, target := range []string{"/", "/?token=" + strings.Repeat("0", 64)} {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, request("GET", target, func(r *http.Request) { r.Header.Set("Accept", "text/html,*/*") }))
		said := w.Body.String()
		if w.Code != 401 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || !strings.Contains(said, "assay serve --link") {
			t.Errorf("%s: %d %s", target, w.Code, said)
		}
		if strings.Contains(said, g.Token()) || strings.Contains(said, g.login) {
			t.Error("the page tells a token")
		}
	}
}

func TestABearerGetsANewLink(t *testing.T) {
	now := noon
	g, through := guarded(&now)
	first, _ := url.Parse(g.NewLink())
	ask := func(method string, change func(*http.Request)) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, request(method, LinkPath, change))
		return w
	}
	w := ask("POST", bearer(g))
	var given struct{ URL string }
	if err := json.Unmarshal(w.Body.Bytes(), &given); err != nil || w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	link, err := url.Parse(given.URL)
	if err != nil || link.RequestURI() == first.RequestURI() {
		t.Fatalf("%v, %v", link, err)
	}
	old := httptest.NewRecorder()
	g.ServeHTTP(old, request("GET", first.RequestURI(), nil))
	opened := httptest.NewRecorder()
	g.ServeHTTP(opened, request("GET", link.RequestURI(), nil))
	if old.Code != 401 || opened.Code != http.StatusSeeOther {
		t.Errorf("the old link %d, the new one %d", old.Code, opened.Code)
	}
	cookie := opened.Result().Cookies()[0]
	for name, answer := range map[string]int{
		"nobody": ask("POST", nil).Code, "a page": ask("POST", func(r *http.Request) { r.AddCookie(cookie) }).Code,
	} {
		if answer != 401 {
			t.Errorf("%s gets a link: %d", name, answer)
		}
	}
	if got := ask("GET", bearer(g)).Code; got != 405 {
		t.Errorf("a link by GET: %d", got)
	}
	if *through != 0 {
		t.Error("a link is nothing for the routes")
	}
}

func TestRefusalsAreTold(t *testing.T) {
	var told []Refusal
	g := NewGuard(http.NotFoundHandler(), GuardOptions{Port: 8123, Now: func() time.Time { return noon }, Refused: func(r Refusal) { told = append(told, r) }})
	g.ServeHTTP(httptest.NewRecorder(), request("GET", "/api/sessions?token=SECRET", nil))
	g.ServeHTTP(httptest.NewRecorder(), request("POST", "/"+strings.Repeat("x", 900), func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }))
	g.ServeHTTP(httptest.NewRecorder(), request("GET", "/", bearer(g)))
	if len(told) != 2 || told[0].Rule != "link_used" || told[1].Rule != "foreign_origin" || told[1].Status != 403 || told[1].Origin != "https://evil.example" || len(told[1].Path) != 200 {
		t.Errorf("%+v", told)
	}
	if strings.Contains(fmt.Sprint(told), "SECRET") {
		t.Error("a token is told")
	}
}

// Every answer carries the policy: pages, data, refusals, streams, what is not there.
func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	server, _ := serving(t)
	g := NewGuard(server, GuardOptions{Port: 8123})
	for _, c := range []struct{ method, target, body string }{
		{"GET", "/", ""},
		{"GET", "/assets/a.js", ""},
		{"GET", "/assets/", ""},
		{"GET", "/no/such/page", ""},
		{"GET", "/index.html", ""},
		{"GET", "/api/workspace", ""},
		{"GET", "/api/none", ""},
		{"GET", "/api/sessions/none", ""},
		{"GET", "/?token=x", ""},
		{"PUT", "/", ""},
		{"POST", "/api/ask", "{"},
		{"POST", "/api/ask", `{"question":"revenue by category in 1997"}`},
		{"POST", "/api/import", `{"tokens":["` + strings.Repeat("0", 64) + `"]}`},
		{"POST", LinkPath, ""},
		{"DELETE", "/api/sources/none", ""},
	} {
		r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
		r.Host = "127.0.0.1:8123"
		r.Header.Set("Content-Type", "application/json")
		bearer(g)(r)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		for name, want := range map[string]string{
			"Content-Security-Policy": ContentPolicy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := w.Header().Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s %s (%d): %s is %q", c.method, c.target, w.Code, name, got)
			}
		}
		for name := range w.Header() {
			if strings.HasPrefix(name, "Access-Control-") || name == "Server" || name == "X-Powered-By" {
				t.Errorf("%s %s: it says %s", c.method, c.target, name)
			}
		}
		if strings.Contains(w.Body.String(), "<pre>") || c.target == "/assets/" && !strings.Contains(w.Body.String(), "<h1>Assay</h1>") {
			t.Errorf("%s lists a folder: %s", c.target, w.Body)
		}
	}
}

func TestPageWithoutIndexListsNothing(t *testing.T) {
	w := httptest.NewRecorder()
	Page(fstest.MapFS{"secret.txt": {Data: []byte("1")}}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 404 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// What can be read without acting: a GET of these routes and no other. Whoever adds one reads it for what it does.
func TestGetNeverActs(t *testing.T) {
	server, _ := serving(t)
	reads := map[string]bool{
		"/api/workspace": true, "/api/sessions": true, "/api/sessions/{id}": true, "/api/sessions/{id}/state": true, "/api/sessions/{id}/tree": true, "/api/sessions/{id}/shares": true, "/api/sessions/search": true, "/api/values": true, "/api/complete": true, "/api/glance": true,
		"/api/inbox": true, "/api/requests/{id}": true, "/api/requests/{id}/sent": true, "/api/requests/{id}/holding": true, "/api/answers/unsettled": true,
		"/api/sources": true, "/api/table/head": true, "/api/table/rejected": true, "/api/table/question": true,
		"/api/model": true, "/api/model/file": true, "/api/query/history": true, "/api/query/saved": true, "/api/page": true, "/api/settings": true, "/api/diagnostics": true,
		"/api/minds": true, "/api/minds/leaving": true, "/api/corrections": true, "/api/memory/find": true, "/api/memory/work": true, "/api/memory/bundle": true, "/api/preferences": true, "/api/knowledge": true, "/api/knowledge/{id}": true, "/api/knowledge/{id}/blast": true,
		"/api/results/{id}": true, "/api/results/{id}/cell": true, "/api/results/{id}/sums": true, "/api/results/{id}/rows": true,
		"/api/sessions/{id}/export": true, "/api/sessions/{id}/export/contents": true, // that somebody looked is written down, as of rows
		"/api/sessions/{id}/model": true,
		"/shared/{token}":          true, // that an address was opened is counted, as it must be
		"/api/exports/{id}":        true, // the file stays until its time is over
	}
	for path, item := range server.api.OpenAPI().Paths {
		if item.Get != nil && !reads[path] {
			t.Errorf("GET %s is new: does it only read?", path)
		}
		if item.Put != nil || item.Options != nil || item.Trace != nil || item.Head != nil {
			t.Errorf("%s answers to a method that the guard does not let through", path)
		}
	}
}

func TestOnlySoManyConnections(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Limited(inner, 2)
	accepted := make(chan net.Conn, 8)
	ended := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first, second := <-accepted, <-accepted
	select {
	case <-accepted:
		t.Error("a third one is accepted")
	default:
	}
	_ = first.Close()
	_ = first.Close() // twice gives one place
	third := <-accepted
	_, _ = second.Close(), third.Close()
	_ = l.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed, it says %v", err)
	}
}

// A body that stops on its way is given up, and what it was to do is not done; an answer that takes longer than a body may stand
// still is not.
func TestABodyThatStandsStillIsGivenUp(t *testing.T) {
	read := make(chan error, 1)
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		read <- err
		if err == nil {
			select {
			case <-r.Context().Done(): // a deadline that is left on the connection ends it
				t.Error("the request is canceled while it is answered")
			case <-time.After(20 * time.Millisecond):
			}
			w.WriteHeader(http.StatusNoContent)
		}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := NewGuard(next, GuardOptions{Port: l.Addr().(*net.TCPAddr).Port})
	g.idle = 5 * time.Millisecond
	web := &http.Server{Handler: g}
	go web.Serve(l)
	defer web.Close()
	for body, want := range map[string]bool{"{}": true, "{": false} {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(30 * time.Second)) // so that a fault fails the test and does not hold it
		fmt.Fprintf(c, "POST /api/ask HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n%s", l.Addr(), g.Token(), body)
		if err := <-read; (err == nil) != want {
			t.Errorf("%q: %v", body, err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if want && (err != nil || answer.StatusCode != http.StatusNoContent) {
			t.Errorf("%q is answered %v, %v", body, answer, err)
		}
		if want {
			c.Close()
			continue
		}
		if _, err := io.Copy(io.Discard, c); err != nil { // the server ends it, and waits for nothing more
			t.Errorf("%q: the connection stays open: %v", body, err)
		}
		c.Close()
	}
}
