package api

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"assay/backend/fault"
	"assay/backend/text"
)

// LinkBody is an address that stands in a text of the page and that a person wants to open.
type LinkBody struct {
	URL string `json:"url" maxLength:"2048"`
}

// Link is an address that may be opened: by its id, once, within a minute, after a person was asked. Host is what to show them.
type Link struct {
	ID   string `json:"id"`
	Host string `json:"host"`
	URL  string `json:"url"`
}

func (s *Server) registerLinks() {
	register(s, http.MethodPost, "/api/links", "link", "Ask whether an address may be opened outside; opening it is for the shell, after a person was asked",
		func(_ context.Context, in *struct{ Body LinkBody }) (*struct{ Body Link }, error) {
			if s.ws != nil && s.ws.Settings().LocalOnly {
				return nil, fault.New(fault.Unauthorized, "open address", text.Say("api.local_only"), text.Say("api.local_only_hint"))
			}
			link, err := s.links.issue(in.Body.URL)
			return &struct{ Body Link }{link}, err
		})
}

// TakeLink gives the address of an id, which is good for nothing afterwards. fault.NotFound for one that was never given, was
// taken, or is older than a minute.
func (s *Server) TakeLink(id string) (Link, error) { return s.links.take(id) }

const (
	linkLife  = time.Minute
	linksHeld = 100
)

type issuedLink struct {
	Link
	at time.Time
}

type links struct {
	mu  sync.Mutex
	now func() time.Time
	all []issuedLink // oldest first
}

func (l *links) issue(raw string) (Link, error) {
	address, host, err := external(raw)
	if err != nil {
		return Link{}, err
	}
	link := Link{ID: newToken(), Host: host, URL: address}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, issuedLink{link, l.now()})
	l.all = l.all[max(0, len(l.all)-linksHeld):]
	return link, nil
}

func (l *links) take(id string) (Link, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, link := range l.all {
		if equal(link.ID, id) {
			l.all = append(l.all[:i:i], l.all[i+1:]...)
			if age := l.now().Sub(link.at); age >= 0 && age < linkLife {
				return link.Link, nil
			}
			break
		}
	}
	return Link{}, fault.New(fault.NotFound, "open link", text.Say("api.link_unknown"), text.Say("api.link_unknown_hint"))
}

// external checks an address that is to be opened outside: https, a name of letters that everybody reads in one way, no user in
// front of it, nothing that hides. It gives the address as it will be opened.
func external(raw string) (address, host string, err error) {
	refused := fault.New(fault.Invalid, "open link", text.Say("api.link_refused"), text.Say("api.link_refused_hint"))
	hides := strings.ContainsFunc(raw, func(r rune) bool { return r > unicode.MaxASCII || r <= ' ' || r == 0x7f || r == '\\' })
	u, parseErr := url.Parse(raw)
	if hides || parseErr != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" || u.Hostname() == "" {
		return "", "", refused
	}
	host = strings.ToLower(u.Hostname())
	named := strings.Contains(host, ".") && !strings.ContainsFunc(host, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	})
	if !named || net.ParseIP(host) != nil || strings.HasSuffix(host, ".") || strings.Contains(host, "..") {
		return "", "", refused
	}
	return u.String(), host, nil
}
