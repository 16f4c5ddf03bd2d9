package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// server is a process that serves.
type server struct {
	process    *exec.Cmd
	link       string // signs one browser in
	token      string // for programs
	complaints bytes.Buffer
}

// serving starts a process that serves and waits for its address.
func serving(t *testing.T, c *exec.Cmd) *server {
	t.Helper()
	s := &server{process: c}
	c.Stderr = &s.complaints
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() }) // stopped already when all went well
	lines := bufio.NewReader(out)
	for s.link == "" || s.token == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("it ended with %v before it served: %s", err, s.complaints.String())
		}
		words := strings.Fields(line)
		switch last := words[len(words)-1]; {
		case strings.HasPrefix(last, "http://"):
			s.link = last
		case strings.HasPrefix(line, "Token"):
			s.token = last
		}
	}
	return s
}

func (s *server) address() string {
	address, _, _ := strings.Cut(s.link, "/?")
	return address
}

// stop interrupts the process as a person does and checks that it ends well.
func (s *server) stop(t *testing.T) string {
	t.Helper()
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Errorf("interrupted, it ends with %v: %s", err, s.complaints.String())
	}
	if said := s.complaints.String(); !strings.Contains(said, "Stopping.") {
		t.Errorf("interrupted, it says %q", said)
	}
	return s.complaints.String()
}

func (s *server) ask(t *testing.T, bearer string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.address()+"/api/ask", strings.NewReader(`{"question":"revenue by category in 1997"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, body
}

// contractFields are what an answer always has.
var contractFields = []string{
	"request_id", "session_id", "outcome", "status", "understood", "frame", "verification", "risk", "findings", "narration", "chart", "followups",
	"clarification", "refusal", "metric_card", "plan", "confidence", "acceptance", "escalation", "artifacts", "timings_ms",
}

// `assay serve` answers a program that has the token with the object of the contract, and nobody else.
func TestServeAnswersABearer(t *testing.T) {
	s := serving(t, assay(t, t.TempDir(), "serve"))
	status, body := s.ask(t, s.token)
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%d, %v: %.300s", status, err, body)
	}
	for _, field := range contractFields {
		if _, ok := answer[field]; !ok {
			t.Errorf("the answer has no field %s", field)
		}
	}
	var frame struct{ Rows [][]any }
	if err := json.Unmarshal(answer["frame"], &frame); err != nil || len(frame.Rows) != 8 || string(answer["outcome"]) != `"answer"` {
		t.Errorf("outcome %s, %d rows, %v; want the 8 categories", answer["outcome"], len(frame.Rows), err)
	}
	for _, wrong := range []string{"", strings.Repeat("0", len(s.token))} {
		if status, body := s.ask(t, wrong); status != http.StatusUnauthorized || bytes.Contains(body, []byte(`"rows"`)) {
			t.Errorf("bearer %q: %d %.200s", wrong, status, body)
		}
	}
	s.stop(t)
}

// The link signs one browser in, once.
func TestLinkSignsOneBrowserIn(t *testing.T) {
	s := serving(t, assay(t, t.TempDir(), "serve"))
	first, second := browser(t), browser(t)
	if status, page := visit(t, first, s.link); status != http.StatusOK || page != "<h1>Assay</h1>" {
		t.Errorf("the link gives %d %.200s", status, page)
	}
	if status, list := visit(t, first, s.address()+"/api/sessions"); status != http.StatusOK || !strings.Contains(list, `"sessions"`) {
		t.Errorf("signed in, the sessions are %d %.200s", status, list)
	}
	if status, said := visit(t, second, s.link); status != http.StatusUnauthorized || !strings.Contains(said, `"message":"`) {
		t.Errorf("the link again gives %d %.200s", status, said)
	}
	if status, _ := visit(t, second, s.address()+"/"); status != http.StatusUnauthorized {
		t.Errorf("without signing in the page is %d", status)
	}
	s.stop(t)
}

func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func visit(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	answer, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// `assay` alone says why there is no window and serves: in a build without one, and where there is no display.
func TestNoDisplay(t *testing.T) {
	for name, says := range map[string]string{
		"assay":        "This build has no window; the same workspace is served to a browser instead.",
		"assay-window": "There is no display here; the same workspace is served to a browser instead.",
	} {
		t.Run(name, func(t *testing.T) {
			s := serving(t, program(t, name, t.TempDir()))
			if status, page := visit(t, browser(t), s.link); status != http.StatusOK || page != "<h1>Assay</h1>" {
				t.Errorf("the page is %d %.200s", status, page)
			}
			if said := s.stop(t); !strings.Contains(said, says) {
				t.Errorf("it says %q, want %q", said, says)
			}
		})
	}
}

// A port that somebody else has is a sentence, and another one can be had.
func TestPortInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	run(t, assay(t, t.TempDir(), "serve", "--port", port)).complains(t, exitFault, "Port "+port+" is in use. Choose another with --port, or leave --port out for a free one.")
}
