package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Guard stands before a server that listens on loopback: only this machine's own names as Host, only its own pages as
// Origin, only a holder of the token. A browser signs in once by a link whose token is good for one use within a minute and
// swapped for a cookie; a program sends the token as a bearer.
//
// An address that shows one session is open to whoever has it: its own token is in the path, and it is only read.
//
//	request ─▶ address ─▶ verb, paths, doubled headers ─▶ site and origin ─▶ link | shared | cookie | bearer ─▶ body ─▶ routes
//	             └─────────────┴──────────────┴──────────────────┴───────────────────┴──────────────────┴──▶ refused, nothing done
type Guard struct {
	next    http.Handler
	port    int
	token   string // bearer, and what the cookie proves
	now     func() time.Time
	refused func(Refusal)
	sites   *http.CrossOriginProtection
	idle    time.Duration // how long a body may stand still
	mu      sync.Mutex
	login   string    // one-time token of the link; empty once used
	expiry  time.Time // of login
}

const (
	loginLife = time.Minute
	bodyLimit = 1 << 20 // bytes of a JSON body
)

// Refusal is a request that was not let through, for the audit. It holds no token: neither query nor headers but these two, each
// cut at 200 bytes.
type Refusal struct {
	At     time.Time
	Rule   string // foreign_host foreign_origin no_token ...
	Status int
	Method string
	Path   string
	Host   string
	Origin string
}

// GuardOptions of a guard. Zero values are the defaults.
type GuardOptions struct {
	Port    int
	Now     func() time.Time // nil: the clock of the machine
	Refused func(Refusal)    // called after a request was refused, from many goroutines; nil: nobody hears
}

// NewGuard guards a server on a port. It makes its own tokens.
func NewGuard(next http.Handler, o GuardOptions) *Guard {
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &Guard{next: next, port: o.Port, token: newToken(), now: o.Now, refused: o.Refused, sites: http.NewCrossOriginProtection(), idle: idleLimit}
	g.NewLink()
	return g
}

// NewLink makes an address that opens the page once within a minute, and forgets the one before.
func (g *Guard) NewLink() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.login, g.expiry = newToken(), g.now().Add(loginLife)
	return "http://127.0.0.1:" + strconv.Itoa(g.port) + "/?token=" + g.login
}

// Token is the bearer token for programs: Authorization: Bearer TOKEN.
func (g *Guard) Token() string { return g.token }

// LinkPath answers a POST by a bearer with a new link: {"url"}.
const LinkPath = "/login-link"

// ServeHTTP lets a request through or says why not. Nothing has been done when it says no.
func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if rule := g.firstBroken(r); rule != nil {
		g.refuse(w, r, *rule)
		return
	}
	switch {
	case r.URL.Query().Has("token"):
		g.signIn(w, r)
	case strings.HasPrefix(r.URL.Path, SharedPath):
		g.show(w, r)
	case !g.bearer(r) && !g.signedIn(r):
		g.refuse(w, r, ruleNoToken)
	case r.URL.Path == LinkPath:
		g.giveLink(w, r)
	default:
		if rule := bodyBroken(r); rule != nil {
			g.refuse(w, r, *rule)
			return
		}
		bound(w, r, g.idle)
		g.next.ServeHTTP(w, r)
		impatient(w) // what a route left unread is not waited for
	}
}

// show lets a reader through to the one session that the token in the path opens. Whoever reads is not signed in by it, and who is signed in sees no more.
func (g *Guard) show(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.URL.Path, SharedPath)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		g.refuse(w, r, ruleVerb)
	case r.ContentLength != 0:
		g.refuse(w, r, ruleBody)
	case len(token) != len(g.token) || strings.Trim(token, "0123456789abcdef") != "" || r.URL.RawQuery != "":
		g.refuse(w, r, ruleNoToken)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// signIn swaps the one-time token of the link for a cookie and strips it from the address.
func (g *Guard) signIn(w http.ResponseWriter, r *http.Request) {
	given := r.URL.Query()["token"]
	opens := r.Method == http.MethodGet && r.URL.Path == "/" && len(given) == 1 && len(r.URL.Query()) == 1
	g.mu.Lock()
	good := opens && g.login != "" && g.now().Before(g.expiry) && equal(given[0], g.login)
	if good {
		g.login = ""
	}
	g.mu.Unlock()
	if !good {
		if opens && g.signedIn(r) { // the same link again in a browser that is signed in
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		g.refuse(w, r, ruleLinkUsed)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookieName(), Value: g.cookie(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// giveLink is for whoever holds the token that stands in the file of the server: a cookie is not enough, so that no page can make
// links.
func (g *Guard) giveLink(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodPost:
		g.refuse(w, r, ruleVerb)
	case !g.bearer(r):
		g.refuse(w, r, ruleNoToken)
	default:
		w.Header().Set("Cache-Control", "no-store")
		writeJSON(w, struct {
			URL string `json:"url"`
		}{g.NewLink()})
	}
}

// cookieName has the port, because browsers give a cookie to every port of a host.
func (g *Guard) cookieName() string { return "assay_session_" + strconv.Itoa(g.port) }

// cookie proves that the token was known without being it.
func (g *Guard) cookie() string {
	mac := hmac.New(sha256.New, []byte(g.token))
	mac.Write([]byte(g.cookieName()))
	return hex.EncodeToString(mac.Sum(nil))
}

func (g *Guard) bearer(r *http.Request) bool {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && equal(given, g.token)
}

// signedIn wants our cookie once, and no bearer beside it: whoever sends one means it.
func (g *Guard) signedIn(r *http.Request) bool {
	cookies := r.CookiesNamed(g.cookieName())
	return r.Header.Get("Authorization") == "" && len(cookies) == 1 && equal(cookies[0].Value, g.cookie())
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
