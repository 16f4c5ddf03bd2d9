package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"assay/backend/llm"
	"assay/backend/llm/anthropic"
	"assay/backend/llm/llmtest"
	"assay/backend/llm/ollama"
	"assay/backend/llm/openai"
)

// insideVar says that this process is the one in a network of its own.
const insideVar = "ASSAY_TEST_INSIDE_NETWORK"

// TestNothingLeaves runs the suite of every adapter in a network namespace of its own. There a way out is: a device with a default route, of
// which this test reads every packet. While the switch is on there is none, and when it is off there is one, so that one would have been seen.
func TestNothingLeaves(t *testing.T) {
	if os.Getenv(insideVar) != "" {
		inside(t)
		return
	}
	if testing.Short() {
		t.Skip("the network of its own takes seconds: run without -short")
	}
	c := exec.Command(os.Args[0], "-test.run=^TestNothingLeaves$", "-test.v", "-test.timeout=5m")
	c.Env = append(os.Environ(), insideVar+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		notHere(t, err.Error())
	case strings.Contains(string(out), "--- SKIP: TestNothingLeaves"):
		notHere(t, strings.TrimSpace(string(out)))
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case !strings.Contains(string(out), "--- PASS: TestNothingLeaves"):
		t.Fatalf("nothing ran:\n%s", out)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if strings.Contains(line, "packets") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// notHere skips with a clear line, and fails where ASSAY_SERVERS=required says that nothing may be left out.
func notHere(t *testing.T, why string) {
	t.Helper()
	line := "nothing was shown of what leaves this machine, for a test may have no network of its own here (user namespaces, /dev/net/tun and ip are needed): " + why
	if os.Getenv("ASSAY_SERVERS") == "required" {
		t.Fatal(line)
	}
	t.Skip("skipped: " + line)
}

func inside(t *testing.T) {
	w := wayOut(t)
	always := llm.NewGuard(nil)
	behind := func(a llmtest.Adapter) llmtest.Adapter {
		open := a.New
		a.New = func(e llm.Endpoint) (llm.Provider, error) {
			if e.Guard != nil {
				e.Guard = always
			}
			return open(e)
		}
		return a
	}
	for name, a := range map[string]llmtest.Adapter{
		"anthropic": {Serve: llmtest.Anthropic, New: func(e llm.Endpoint) (llm.Provider, error) { return anthropic.New(e) }, Broken: true, Refuses: true, Schemas: true, Caches: true},
		"openai":    {Serve: llmtest.OpenAI, New: func(e llm.Endpoint) (llm.Provider, error) { return openai.New(e) }, Likely: true, Broken: true, Refuses: true, Schemas: true},
		"ollama":    {Serve: llmtest.Ollama, New: func(e llm.Endpoint) (llm.Provider, error) { return ollama.New(e) }, Likely: true, Local: true},
	} {
		t.Run(name, func(t *testing.T) { llmtest.Conformance(t, behind(a)) })
	}
	if s := always.SelfTest(t.Context()); !s.Held {
		t.Errorf("the guard says of itself that it does not hold: %+v", s)
	}
	// A request with the switch off is the sign that ends the counting, and that a packet can be counted.
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer stop()
		w.until("192.0.2.99")
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://192.0.2.99:8080/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := llm.NewGuard(func() bool { return false }).Client(llm.Limits{}).Do(r); err == nil {
		_ = res.Body.Close()
		t.Error("nobody is there, and answers")
	}
	before := w.before("192.0.2.99")
	if before == nil {
		t.Fatal("a packet that leaves is not seen")
	}
	for _, p := range *before {
		t.Errorf("a packet left: %s", p)
	}
	t.Logf("packets beyond the loopback: %d while the switch was on, at least 1 when it was off", len(*before))
}

// device is a way out of which every packet is read.
type device struct {
	mu   sync.Mutex
	seen []string
	more *sync.Cond
}

// wayOut makes a device with default routes of both versions of IP.
func wayOut(t *testing.T) *device {
	t.Helper()
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("/dev/net/tun: %v", err)
	}
	var request struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "out0")
	request.flags = unix.IFF_TUN | unix.IFF_NO_PI
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TUNSETIFF, uintptr(unsafe.Pointer(&request))); errno != 0 {
		t.Skipf("a device: %v", errno)
	}
	for _, line := range []string{
		"link set lo up", "link set out0 addrgenmode none", "link set out0 up", "addr add 198.51.100.2/24 dev out0", "route add default dev out0",
		"-6 addr add 2001:db8:1::2/64 dev out0 nodad", "-6 route add default dev out0",
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil && !strings.Contains(line, "-6") && !strings.Contains(line, "addrgenmode") {
			t.Skipf("ip %s: %v %s", line, err, out)
		}
	}
	d := &device{}
	d.more = sync.NewCond(&d.mu)
	go func() {
		packet := make([]byte, 1<<16)
		for {
			n, err := unix.Read(fd, packet)
			if err != nil {
				return
			}
			d.note(packet[:n])
		}
	}()
	return d
}

// note keeps what a packet is and where it goes. What the kernel itself tells its neighbours of IP version 6 is nobody's.
func (d *device) note(p []byte) {
	said := ""
	switch {
	case len(p) >= 20 && p[0]>>4 == 4:
		said = fmt.Sprintf("protocol %d to %d.%d.%d.%d", p[9], p[16], p[17], p[18], p[19])
	case len(p) >= 40 && p[0]>>4 == 6:
		if p[6] == 58 || p[6] == 0 {
			return
		}
		said = fmt.Sprintf("protocol %d to %x", p[6], p[24:40])
	default:
		said = fmt.Sprintf("%d bytes of something else", len(p))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen = append(d.seen, said)
	d.more.Broadcast()
}

// until waits for a packet to an address.
func (d *device) until(address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.find(address) < 0 {
		d.more.Wait()
	}
}

// before gives what came before the first packet to an address; nil: there was none.
func (d *device) before(address string) *[]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.find(address)
	if i < 0 {
		return nil
	}
	all := append([]string{}, d.seen[:i]...)
	return &all
}

func (d *device) find(address string) int {
	for i, p := range d.seen {
		if strings.HasSuffix(p, " "+address) {
			return i
		}
	}
	return -1
}
