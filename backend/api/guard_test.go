package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// guarded gives a guard on port 8123 before a handler that counts what gets through.
func guarded(now *time.Time) (*Guard, *int) {
	through := 0
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { through++ })
	return NewGuard(next, 8123, func() time.Time { return *now }), &through
}

func request(method, target string, change func(*http.Request)) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader("{}"))
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
		{"token as a cookie", "POST", "/api/ask", func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookieName, Value: g.Token()}) }, 401},
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
		{"two origins", "POST", "/api/ask", with(func(r *http.Request) { r.Header["Origin"] = []string{"http://127.0.0.1:8123", "https://evil.example"} }), 403},
		{"cross-site fetch", "POST", "/api/ask", header("Sec-Fetch-Site", "cross-site"), 403},
		{"same-site fetch", "POST", "/api/ask", header("Sec-Fetch-Site", "same-site"), 403},
		{"cross-site image", "GET", "/api/sessions", header("Sec-Fetch-Site", "cross-site"), 403},
		{"form as text", "POST", "/api/ask", header("Content-Type", "text/plain"), 415},
		{"form", "POST", "/api/ask", header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"multipart", "POST", "/api/ask", header("Content-Type", "multipart/form-data; boundary=x"), 415},
		{"no content type", "POST", "/api/ask", with(func(r *http.Request) { r.Header.Del("Content-Type") }), 415},
		{"json-like content type", "POST", "/api/ask", header("Content-Type", "application/jsonp"), 415},
		{"broken content type", "POST", "/api/ask", header("Content-Type", ";"), 415},
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
	link, err := url.Parse(g.LoginURL())
	if err != nil || link.Host != "127.0.0.1:8123" {
		t.Fatalf("link %q: %v", g.LoginURL(), err)
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
	link, _ := url.Parse(g.LoginURL())
	now = now.Add(loginLife + time.Second)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, request("GET", link.RequestURI(), nil))
	if w.Code != http.StatusUnauthorized {
		t.Errorf("status %d", w.Code)
	}
}
