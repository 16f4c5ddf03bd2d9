package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/backend/text"
)

// Guard stands before a server that listens on loopback: only this machine's own names as Host, only its own pages as
// Origin, only a holder of the token. A browser signs in once by a link whose token is good for one use and swapped for
// a cookie; a program sends the token as a bearer.
type Guard struct {
	next   http.Handler
	port   int
	token  string // bearer, and what the cookie proves
	now    func() time.Time
	mu     sync.Mutex
	login  string    // one-time token of the link; empty once used
	expiry time.Time // of login
}

const (
	loginLife  = 10 * time.Minute // a person may take a moment to open the link
	cookieName = "assay_session"
)

// NewGuard guards a server on a port. It makes its own tokens.
func NewGuard(next http.Handler, port int, now func() time.Time) *Guard {
	return &Guard{next: next, port: port, token: newToken(), login: newToken(), now: now, expiry: now().Add(loginLife)}
}

// LoginURL is the address that opens the page once.
func (g *Guard) LoginURL() string {
	return "http://127.0.0.1:" + strconv.Itoa(g.port) + "/?token=" + g.login
}

// Token is the bearer token for programs: Authorization: Bearer TOKEN.
func (g *Guard) Token() string { return g.token }

// ServeHTTP lets a request through or says why not. Nothing has been done when it says no.
func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !g.ownHost(r):
		g.refuse(w, http.StatusMisdirectedRequest, "api.foreign_host")
	case !g.ownOrigin(r):
		g.refuse(w, http.StatusForbidden, "api.foreign_origin")
	case r.URL.Query().Has("token"):
		g.signIn(w, r)
	case !g.knows(r):
		g.refuse(w, http.StatusUnauthorized, "api.no_token")
	case !bodyAllowed(r):
		g.refuse(w, http.StatusUnsupportedMediaType, "api.json_only")
	default:
		g.next.ServeHTTP(w, r)
	}
}

func (g *Guard) refuse(w http.ResponseWriter, status int, key string) {
	writeProblem(w, &Problem{status: status, Code: "unauthorized", Message: text.Say(key), Hint: text.Say(key + "_hint")})
}

// ownHost accepts this machine's loopback names with our port, exactly: a rebound name never matches.
func (g *Guard) ownHost(r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || port != strconv.Itoa(g.port) {
		return false
	}
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

// ownOrigin accepts no Origin, or our own; and no site that the browser says is another.
func (g *Guard) ownOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return len(origins) == 1 && err == nil && u.Scheme == "http" && u.Host == r.Host
}

// signIn swaps the one-time token of the link for a cookie and strips it from the address.
func (g *Guard) signIn(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	given := r.URL.Query().Get("token")
	good := r.Method == http.MethodGet && r.URL.Path == "/" && g.login != "" && g.now().Before(g.expiry) && equal(given, g.login)
	if good {
		g.login = ""
	}
	g.mu.Unlock()
	if !good {
		if g.knows(r) && r.URL.Path == "/" && r.Method == http.MethodGet { // the same link again in a browser that is signed in
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		g.refuse(w, http.StatusUnauthorized, "api.link_used")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.cookie(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// cookie proves that the token was known without being it.
func (g *Guard) cookie() string {
	mac := hmac.New(sha256.New, []byte(g.token))
	mac.Write([]byte(cookieName))
	return hex.EncodeToString(mac.Sum(nil))
}

func (g *Guard) knows(r *http.Request) bool {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return equal(bearer, g.token)
	}
	c, err := r.Cookie(cookieName)
	return err == nil && equal(c.Value, g.cookie())
}

// bodyAllowed wants JSON wherever there is a body, but for the one route that takes a file.
func bodyAllowed(r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodDelete {
		return true
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.URL.Path == "/api/uploads" {
		return err == nil && kind == "application/octet-stream"
	}
	return err == nil && kind == "application/json" || r.ContentLength == 0
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
