package llm

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"assay/backend/fault"
)

// Endpoint is where a provider is asked, and how.
type Endpoint struct {
	URL    string // empty: the provider's own
	Key    string // empty: none is sent
	Guard  *Guard // nil: nothing leaves this machine
	Limits Limits
}

// Address is an endpoint whose address was read.
type Address struct {
	URL   *url.URL
	Host  string // host and port
	Local bool   // it is this machine
}

// Resolve reads the address of an endpoint, or the provider's own. An address without a scheme is one of HTTP on this machine, and of HTTPS
// elsewhere; that of every interface (0.0.0.0) is this machine. Fault Invalid: it is none.
func (e Endpoint) Resolve(provider, own string) (Address, error) {
	raw := strings.TrimSpace(e.URL)
	if raw == "" {
		raw = own
	}
	if !strings.Contains(raw, "://") {
		host, _, _ := strings.Cut(raw, "/")
		if h, _, ok := strings.Cut(host, ":"); ok && h != "" {
			host = h
		}
		scheme := "https://"
		if loopbackName(host) || host == "0.0.0.0" {
			scheme = "http://"
		}
		raw = scheme + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Address{}, Fail(BadEndpoint, Card{Provider: provider, Endpoint: raw}, 0, err)
	}
	if any := u.Hostname(); any == "0.0.0.0" || any == "::" {
		u.Host = strings.Replace(strings.Replace(u.Host, "0.0.0.0", "127.0.0.1", 1), "[::]", "[::1]", 1)
	}
	return Address{URL: u, Host: u.Host, Local: loopbackName(u.Hostname())}, nil
}

// Ours turns an error that is not the provider's own into a fault: what the wire and the context say. false: it is none of these.
func Ours(ctx context.Context, err error, c Card, seen *Seen) (*fault.Error, bool) {
	var f *Failure
	switch {
	case errors.As(err, &f), errors.As(seen.Err, &f):
		return Fail(f.Trouble, c, f.After, err), true
	case ctx.Err() != nil:
		return Canceled(context.Cause(ctx)), true
	case errors.Is(seen.Err, context.Canceled), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Canceled(err), true
	case seen.Status == 0: // nobody answered, because nobody was asked: the library could not write the request
		return Fail(NotUsed, c, 0, err), true
	}
	return nil, false
}

// ByStatus names the trouble of a status that every provider uses alike; empty: the status alone does not tell.
func ByStatus(status int) Trouble {
	switch {
	case status == 401:
		return WrongKey
	case status == 402:
		return NoCredit
	case status == 403:
		return NotAllowed
	case status == 404:
		return NoModel
	case status == 408, status >= 500:
		return Overloaded
	case status == 413:
		return TooLong
	case status == 429:
		return TooOften
	case status >= 300 && status < 400:
		return Malformed
	}
	return ""
}

// ObjectOf gives arguments as a JSON object, which is what protocols want to hear again: those that were none stand in one, as text.
func ObjectOf(arguments json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(arguments, &object) == nil && object != nil {
		return arguments
	}
	if strings.TrimSpace(string(arguments)) == "" {
		return json.RawMessage("{}")
	}
	wrapped, _ := json.Marshal(map[string]string{"arguments_as_written": string(arguments)}) // strings always encode
	return wrapped
}
