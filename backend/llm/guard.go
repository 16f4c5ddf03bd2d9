package llm

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Guard stands below every adapter and embedder: the only way from them to a socket. While the switch "nothing leaves this machine" is on it
// opens none but to the loopback, asks no name server, follows no proxy, and sends nothing over what was opened before.
//
// The switch is asked three times, because each alone can be got around: by the name in the address (a name server would hear it), by the
// address that is dialed (a name can lead anywhere), and by each connection before it sends.
type Guard struct {
	on        func() bool
	transport *http.Transport

	mu      sync.Mutex
	outside map[*watched]struct{} // connections that leave this machine
}

// NewGuard watches over a switch, which is asked again for every request. nil is a switch that is always on.
func NewGuard(on func() bool) *Guard {
	if on == nil {
		on = func() bool { return true }
	}
	g := &Guard{on: on, outside: map[*watched]struct{}{}}
	g.transport = &http.Transport{
		Proxy:               g.proxy,
		DialContext:         g.dial,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        16,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}
	return g
}

// On says whether nothing may leave now.
func (g *Guard) On() bool { return g.on() }

// Client gives an HTTP client behind the guard, whose exchanges keep within limits. It follows no redirect: a key would go along with it.
func (g *Guard) Client(l Limits) *http.Client {
	return &http.Client{
		Transport: &wire{next: g.transport, limits: l.orDefault(), guard: g},
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			return &Failure{Trouble: Malformed, Err: errors.New("redirected to " + r.URL.Host)}
		},
	}
}

// Enforce ends what is under way to elsewhere. Whoever turns the switch on calls it.
func (g *Guard) Enforce() {
	g.transport.CloseIdleConnections()
	g.mu.Lock()
	conns := make([]*watched, 0, len(g.outside))
	for c := range g.outside {
		conns = append(conns, c)
	}
	g.mu.Unlock()
	for _, c := range conns {
		_ = c.Close() // it is to go, whether it says so or not
	}
}

// allow says whether a request may go to a host: any, or only this machine by a name that no server is asked about.
func (g *Guard) allow(host string) error {
	if !g.on() || loopbackName(host) {
		return nil
	}
	return &Failure{Trouble: StaysHere, Err: errors.New(host + " is not this machine")}
}

func (g *Guard) proxy(r *http.Request) (*url.URL, error) {
	if g.on() || loopbackName(r.URL.Hostname()) {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if err := g.allow(host); err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, ControlContext: g.control}
	var conn net.Conn
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") { // where the hosts file does not name it a name server would be asked
		if conn, err = d.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port)); err != nil {
			var six error
			if conn, six = d.DialContext(ctx, network, net.JoinHostPort("::1", port)); six == nil {
				err = nil
			}
		}
	} else {
		conn, err = d.DialContext(ctx, network, address)
	}
	if err != nil {
		return nil, err
	}
	if remote, ok := conn.RemoteAddr().(*net.TCPAddr); ok && remote.IP.IsLoopback() {
		return conn, nil
	}
	w := &watched{Conn: conn, guard: g}
	g.mu.Lock()
	g.outside[w] = struct{}{}
	g.mu.Unlock()
	return w, nil
}

// control sees the address that a socket is about to connect to, after all names are resolved.
func (g *Guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	if !g.on() {
		return nil
	}
	if to, err := netip.ParseAddrPort(address); err == nil && to.Addr().Unmap().IsLoopback() {
		return nil
	}
	return &Failure{Trouble: StaysHere, Err: errors.New("a socket to " + address)}
}

// watched is a connection that leaves this machine.
type watched struct {
	net.Conn
	guard *Guard
}

func (w *watched) Write(p []byte) (int, error) {
	if w.guard.on() {
		_ = w.Close() // the refusal is what counts
		return 0, &Failure{Trouble: StaysHere, Err: errors.New("a connection to " + w.RemoteAddr().String())}
	}
	return w.Conn.Write(p)
}

func (w *watched) Close() error {
	w.guard.mu.Lock()
	delete(w.guard.outside, w)
	w.guard.mu.Unlock()
	return w.Conn.Close()
}

// loopbackName says whether a host is this machine without asking anybody: an address of the loopback, or localhost.
func loopbackName(host string) bool {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return a.Unmap().IsLoopback()
	}
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}

// Sealed is what came of trying to leave this machine.
type Sealed struct {
	On       bool      `json:"on"`   // the switch
	Held     bool      `json:"held"` // it is on, and every attempt was refused by the guard itself
	Attempts []Attempt `json:"attempts" nullable:"false"`
}

// Attempt is one way out that was tried.
type Attempt struct {
	Way     string `json:"way" enum:"address,address_v6,mapped,name,socket,proxy" doc:"An address, one of version 6, one of version 4 in version 6, a name, a socket below the names, a proxy of the environment"`
	Target  string `json:"target"`
	Refused bool   `json:"refused"`
	Detail  string `json:"detail"`
}

// SelfTest tries to leave this machine, and says whether it could. An attempt is only held where the guard refused it before a socket was
// there: that a network is missing proves nothing. The targets are addresses and names for documentation, which belong to nobody. While the
// switch is off nothing is tried.
func (g *Guard) SelfTest(ctx context.Context) Sealed {
	s := Sealed{On: g.on(), Attempts: []Attempt{}}
	if !s.On {
		return s
	}
	client := g.Client(Limits{First: 2 * time.Second, Total: 2 * time.Second})
	try := func(way, target string, err error) {
		s.Attempts = append(s.Attempts, Attempt{Way: way, Target: target, Refused: TroubleOf(err) == StaysHere, Detail: errorText(err)})
	}
	for _, a := range []struct{ way, target string }{
		{"address", "http://192.0.2.1/"}, {"address_v6", "http://[2001:db8::1]/"}, {"mapped", "http://[::ffff:192.0.2.1]/"}, {"name", "http://example.invalid/"},
	} {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.target, nil)
		if err == nil {
			var res *http.Response
			if res, err = client.Do(r); err == nil {
				_ = res.Body.Close() // it was not to be there at all
			}
		}
		try(a.way, a.target, err)
	}
	d := net.Dialer{Timeout: 2 * time.Second, ControlContext: g.control}
	conn, err := d.DialContext(ctx, "tcp", "192.0.2.1:80")
	if err == nil {
		_ = conn.Close()
	}
	try("socket", "192.0.2.1:80", err)
	way, err := g.proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: "example.invalid"}})
	if err == nil && way == nil {
		err = &Failure{Trouble: StaysHere, Err: errors.New("no proxy is used")}
	}
	try("proxy", "https://example.invalid", err)
	s.Held = true
	for _, a := range s.Attempts {
		s.Held = s.Held && a.Refused
	}
	return s
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
