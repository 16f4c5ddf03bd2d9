package llm_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/backend/llm"
)

func get(t *testing.T, c *http.Client, url string) error {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(r)
	if err == nil {
		_ = res.Body.Close()
	}
	return err
}

// TestGuardRefusesEveryWayOut tries addresses, names, and what looks like this machine and is not.
func TestGuardRefusesEveryWayOut(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://192.0.2.7:3128")
	t.Setenv("HTTPS_PROXY", "http://192.0.2.7:3128")
	c := llm.NewGuard(nil).Client(llm.Limits{})
	for _, url := range []string{
		"http://192.0.2.1/", "https://192.0.2.1/", "http://[2001:db8::1]/", "http://[::ffff:192.0.2.1]/", "http://example.invalid/", "http://localhost.example.invalid/",
		"http://127.0.0.1.example.invalid/", "http://0.0.0.0:9/", "http://[::]:9/", "http://10.0.0.1/", "http://169.254.169.254/latest/", "http://2130706433/", "http://127.1/",
	} {
		if err := get(t, c, url); llm.TroubleOf(err) != llm.StaysHere {
			t.Errorf("%s: %v", url, err)
		}
	}
	here := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer here.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(here.URL, "http://"))
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST", "localhost."} {
		if err := get(t, c, "http://"+host+":"+port+"/"); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestGuardFollowsNoRedirection(t *testing.T) {
	var followed atomic.Int32
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	defer trap.Close()
	for _, to := range []string{trap.URL, "http://192.0.2.1/"} {
		leads := httptest.NewServer(http.RedirectHandler(to, http.StatusFound))
		if err := get(t, llm.NewGuard(nil).Client(llm.Limits{}), leads.URL); llm.TroubleOf(err) != llm.Malformed {
			t.Errorf("%s: %v", to, err)
		}
		leads.Close()
	}
	if followed.Load() > 0 {
		t.Error("the redirection was followed")
	}
}

// TestGuardHoldsAfterTheSwitch opens a connection to an address of this machine that is not of the loopback, and turns the switch: what was
// open sends nothing more, and Enforce ends it.
func TestGuardHoldsAfterTheSwitch(t *testing.T) {
	address := elsewhere(t)
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Skipf("this machine cannot listen on %s: %v", address, err)
	}
	var asked atomic.Int32
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) })}
	go func() { _ = s.Serve(l) }()
	defer func() { _ = s.Close() }()
	var on atomic.Bool
	g := llm.NewGuard(on.Load)
	c := g.Client(llm.Limits{})
	url := "http://" + l.Addr().String() + "/"
	if err := get(t, c, url); err != nil {
		t.Fatal(err)
	}
	on.Store(true)
	if err := get(t, c, url); llm.TroubleOf(err) != llm.StaysHere {
		t.Errorf("over the open connection: %v", err)
	}
	on.Store(false)
	if err := get(t, c, url); err != nil || asked.Load() != 2 {
		t.Errorf("off again: %v, asked %d times", err, asked.Load())
	}
}

// TestEnforceEndsWhatIsUnderWay turns the switch while a reply from elsewhere is on its way.
func TestEnforceEndsWhatIsUnderWay(t *testing.T) {
	l, err := net.Listen("tcp", net.JoinHostPort(elsewhere(t), "0"))
	if err != nil {
		t.Skipf("nothing can listen here but on the loopback, so that no connection from elsewhere was ended: %v", err)
	}
	defer func() { _ = l.Close() }()
	closed := make(chan error, 1)
	begun := make(chan struct{})
	go func() {
		conn, err := l.Accept()
		if err != nil {
			closed <- err
			return
		}
		in := bufio.NewReader(conn)
		if _, err := http.ReadRequest(in); err != nil {
			closed <- err
			return
		}
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")) // the other half never comes
		close(begun)
		_, err = in.ReadByte()
		closed <- err
	}()
	var on atomic.Bool
	g := llm.NewGuard(on.Load)
	go func() {
		<-begun
		on.Store(true)
		g.Enforce()
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.Client(llm.Limits{}).Do(r)
	if err == nil {
		_, err = bufio.NewReader(res.Body).ReadString('\n')
		_ = res.Body.Close()
	}
	if err == nil {
		t.Error("the reply goes on")
	}
	if err := <-closed; err == nil {
		t.Error("the connection is not closed")
	}
}

// elsewhere gives an address of this machine that is not of the loopback: for a guard it is elsewhere.
func elsewhere(t *testing.T) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Skipf("the addresses of this machine cannot be listed, so that none stands for elsewhere: %v", err)
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but the loopback, so that none stands for elsewhere")
	return ""
}

func TestSelfTest(t *testing.T) {
	s := llm.NewGuard(nil).SelfTest(t.Context())
	if !s.On || !s.Held || len(s.Attempts) != 6 {
		t.Errorf("%+v", s)
	}
	for _, a := range s.Attempts {
		if !a.Refused || a.Detail == "" {
			t.Errorf("%+v", a)
		}
	}
	if s := llm.NewGuard(func() bool { return false }).SelfTest(t.Context()); s.On || s.Held || len(s.Attempts) > 0 {
		t.Errorf("while the switch is off nothing is tried: %+v", s)
	}
}

// TestSelfTestSaysWhenTheGuardDoesNotHold gives it a switch that is on when it is asked first, and off below: what a broken guard is like.
func TestSelfTestSaysWhenTheGuardDoesNotHold(t *testing.T) {
	var asked atomic.Int32
	g := llm.NewGuard(func() bool { return asked.Add(1) == 1 })
	ctx, stop := context.WithCancel(t.Context())
	stop() // so that nothing is really sent
	if s := g.SelfTest(ctx); s.Held {
		t.Errorf("%+v", s)
	}
}
