package api

import (
	"html/template"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// rule is why a request is refused: its name in the audit, the status, and the sentence.
type rule struct {
	name   string
	status int
	code   fault.Code
	key    string
}

var (
	ruleHost     = rule{"foreign_host", http.StatusMisdirectedRequest, fault.Unauthorized, "api.foreign_host"}
	ruleOrigin   = rule{"foreign_origin", http.StatusForbidden, fault.Unauthorized, "api.foreign_origin"}
	ruleVerb     = rule{"verb", http.StatusMethodNotAllowed, fault.Invalid, "api.bad_verb"}
	rulePath     = rule{"path", http.StatusBadRequest, fault.Invalid, "api.bad_path"}
	ruleHeaders  = rule{"headers", http.StatusBadRequest, fault.Invalid, "api.bad_headers"}
	ruleUpgrade  = rule{"upgrade", http.StatusBadRequest, fault.Invalid, "api.no_upgrade"}
	ruleNoToken  = rule{"no_token", http.StatusUnauthorized, fault.Unauthorized, "api.no_token"}
	ruleLinkUsed = rule{"link_used", http.StatusUnauthorized, fault.Unauthorized, "api.link_used"}
	ruleType     = rule{"body_type", http.StatusUnsupportedMediaType, fault.Invalid, "api.json_only"}
	ruleBody     = rule{"body", http.StatusBadRequest, fault.Invalid, "api.no_body_here"}
	ruleSize     = rule{"body_size", http.StatusRequestEntityTooLarge, fault.Limit, "api.body_too_large"}
)

// verbs are those of the routes; nothing answers to another one.
var verbs = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete}

// single are headers of which two would let two readers see two requests, and overriding are those that ask for another verb or
// address than the one on the request line. The server itself refuses a second Host, Content-Length or Transfer-Encoding.
var (
	single     = []string{"Authorization", "Content-Type", "Content-Encoding", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"}
	overriding = []string{"X-Http-Method-Override", "X-Http-Method", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url"}
)

// firstBroken gives the first rule that a request breaks before it matters who sends it; nil: none.
func (g *Guard) firstBroken(r *http.Request) *rule {
	several := func(name string) bool { return len(r.Header.Values(name)) > 1 }
	present := func(name string) bool { return len(r.Header.Values(name)) > 0 }
	switch {
	case !g.ownHost(r):
		return &ruleHost
	case !slices.Contains(verbs, r.Method):
		return &ruleVerb
	case !plainPath(r.URL):
		return &rulePath
	case slices.ContainsFunc(single, several), slices.ContainsFunc(overriding, present), r.URL.Query().Has("_method"):
		return &ruleHeaders
	case present("Upgrade"), strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade"), present("Sec-Websocket-Key"):
		return &ruleUpgrade
	case !g.ownOrigin(r):
		return &ruleOrigin
	}
	return nil
}

// ownHost accepts this machine's loopback names with our port, exactly: a rebound name never matches. A request line with an
// address in it is for proxies, and none stands here.
func (g *Guard) ownHost(r *http.Request) bool {
	if r.URL.Host != "" || r.URL.Scheme != "" || r.URL.User != nil {
		return false
	}
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || port != strconv.Itoa(g.port) {
		return false
	}
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

// plainPath wants a path that every reader reads in one way: absolute, without steps, empty parts, backslashes, control characters,
// or letters that are hidden behind a percent sign though they separate.
func plainPath(u *url.URL) bool {
	clean := path.Clean(u.Path)
	if strings.HasSuffix(u.Path, "/") && clean != "/" {
		clean += "/"
	}
	escaped := strings.ToLower(u.EscapedPath())
	hidden := slices.ContainsFunc([]string{"%2f", "%5c", "%2e", "%25", "%00"}, func(code string) bool { return strings.Contains(escaped, code) })
	odd := strings.ContainsFunc(u.Path, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' || c == ';' })
	return strings.HasPrefix(u.Path, "/") && clean == u.Path && !hidden && !odd && u.Opaque == ""
}

// ownOrigin accepts no Origin, or our own; no site that the browser says is another, but for somebody who follows a link to the
// page itself or to a shared session; and what http.CrossOriginProtection accepts besides.
func (g *Guard) ownOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" &&
			(r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, SharedPath)) && r.Header.Get("Origin") == ""
	}
	if origin := r.Header.Values("Origin"); len(origin) > 0 && origin[0] != "http://"+r.Host {
		return false
	}
	return g.sites.Check(r) == nil
}

// bodyBroken gives the rule that a body breaks; nil: none. JSON is wanted wherever there is one, but for the route that takes a
// file; and to read or to delete takes none.
func bodyBroken(r *http.Request) *rule {
	none := r.ContentLength == 0
	if r.Method != http.MethodPost && r.Method != http.MethodPatch {
		if !none {
			return &ruleBody
		}
		return nil
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	switch {
	case r.Header.Get("Content-Encoding") != "":
		return &ruleType
	case r.URL.Path == uploadPath:
		if err != nil || kind != "application/octet-stream" {
			return &ruleType
		}
		if r.ContentLength > uploadLimit {
			return &ruleSize
		}
		return nil
	case !none && (err != nil || kind != "application/json" || charset != "" && charset != "utf-8"):
		return &ruleType
	case r.ContentLength > bodyLimit:
		return &ruleSize
	}
	return nil
}

// refuse says no: to a person who opens the page in words of a page, to everyone else as JSON.
func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, why rule) {
	hint := text.Say(why.key + "_hint")
	impatient(w)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close") // what else comes on this connection is not read
	if why.status == http.StatusUnauthorized && r.Method == http.MethodGet && r.URL.Path == "/" && strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(why.status)
		_ = signInPage.Execute(w, map[string]string{"Title": text.Say("api.sign_in"), "Message": text.Say(why.key), "Hint": hint, "Command": "assay serve --link"})
	} else {
		writeProblem(w, &Problem{status: why.status, Code: string(why.code), Message: text.Say(why.key), Hint: hint})
	}
	if g.refused != nil {
		g.refused(Refusal{
			At: g.now(), Rule: why.name, Status: why.status, Method: cut(r.Method), Path: cut(untold(r.URL.Path)), Host: cut(r.Host), Origin: cut(r.Header.Get("Origin")),
		})
	}
}

// untold is a path without the token of a shared session.
func untold(path string) string {
	if strings.HasPrefix(path, SharedPath) {
		return SharedPath
	}
	return path
}

func cut(s string) string { return s[:min(len(s), 200)] }

var signInPage = template.Must(template.New("sign in").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 38rem; margin: 18vh auto 0; padding: 0 1.5rem; }
code { font-family: ui-monospace, monospace; padding: .1em .35em; border: 1px solid; border-radius: 4px; }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
<p>{{.Message}} {{.Hint}}</p>
<p><code>{{.Command}}</code></p>
</body>
</html>
`))

// A body that stands still is given up after idleLimit, what is left of a refused one after restLimit.
const (
	idleLimit = 30 * time.Second
	restLimit = 2 * time.Second
)

// impatient gives the connection little time for what is still to be read.
func impatient(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(restLimit)) // a test's recorder has no deadline
}
