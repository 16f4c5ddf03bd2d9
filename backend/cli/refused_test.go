package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile is a request as bytes: what stands below with one thing changed. {port}, {token}, {login}, {cookie} and {session} are filled.
type hostile struct {
	name   string
	line   string   // "POST /api/ask"; the version is added when it has none
	host   string   // of the Host line; "-": none
	set    []string // headers that take the place of the usual ones of their name, or join them
	more   []string // headers that stand beside those of their name
	drop   string   // a usual header that is left out
	body   string   // "-": none
	status int      // 0: the connection ends without an answer, or the answer is any of 4xx
	says   string   // for requests that reach a route and are refused there
}

const question = `{"question":"revenue by category in 1997","session_id":"made-by-an-attack"}`

// theNegatives are requests that must have no effect on a server that serves.
var theNegatives = []hostile{
	// Host
	{name: "another host", host: "evil.example:{port}", status: 421},
	{name: "a rebound name", host: "127.0.0.1.nip.io:{port}", status: 421},
	{name: "a name below localhost", host: "localhost.evil:{port}", status: 421},
	{name: "trailing dot", host: "localhost.:{port}", status: 421},
	{name: "upper case", host: "LOCALHOST:{port}", status: 421},
	{name: "without a port", host: "127.0.0.1", status: 421},
	{name: "port of another", host: "127.0.0.1:1", status: 421},
	{name: "any address", host: "0.0.0.0:{port}", status: 421},
	{name: "hexadecimal address", host: "0x7f000001:{port}", status: 421},
	{name: "short address", host: "127.1:{port}", status: 421},
	{name: "mapped address", host: "[::ffff:127.0.0.1]:{port}", status: 421},
	{name: "user in the host", host: "127.0.0.1@evil.example:{port}", status: 0},
	{name: "empty host", host: "", status: 421},
	{name: "no host", host: "-", status: 400},
	{name: "host twice", more: []string{"Host: evil.example"}, status: 400},
	{name: "own host twice", more: []string{"Host: 127.0.0.1:{port}"}, status: 400},
	{name: "host with a space", host: "127.0.0.1:{port} evil", status: 400},
	{name: "HTTP/1.0 without a host", line: "POST /api/ask HTTP/1.0", host: "-", status: 421},
	// request line
	{name: "absolute form", line: "POST http://127.0.0.1:{port}/api/ask", status: 421},
	{name: "absolute form of another", line: "POST http://evil.example/api/ask", status: 421},
	{name: "absolute form with a user", line: "POST http://a:b@127.0.0.1:{port}/api/ask", status: 421},
	{name: "file address", line: "GET file:///etc/passwd", body: "-", status: 421},
	{name: "tunnel", line: "CONNECT evil.example:443", body: "-", status: 421},
	{name: "star", line: "OPTIONS *", body: "-", status: 405},
	{name: "steps", line: "GET /assets/../../../etc/passwd", body: "-", status: 400},
	{name: "hidden steps", line: "GET /%2e%2e/%2e%2e/etc/passwd", body: "-", status: 400},
	{name: "hidden slash", line: "DELETE /api%2fsessions%2f{session}", body: "-", status: 400},
	{name: "twice hidden slash", line: "DELETE /api/%252e%252e/sessions/{session}", body: "-", status: 400},
	{name: "doubled slash", line: "DELETE /api//sessions/{session}", body: "-", status: 400},
	{name: "backslash", line: `DELETE /api\sessions\{session}`, body: "-", status: 400},
	{name: "semicolon", line: "DELETE /api/sessions/{session};x", body: "-", status: 400},
	{name: "NUL", line: "GET /api/sessions%00.html", body: "-", status: 400},
	// verbs
	{name: "put", line: "PUT /api/ask", status: 405},
	{name: "preflight", line: "OPTIONS /api/ask", set: []string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, body: "-", status: 405},
	{name: "trace", line: "TRACE /", body: "-", status: 405},
	{name: "invented verb", line: "PROPFIND /api/sessions", body: "-", status: 405},
	{name: "lower case verb", line: "post /api/ask", status: 405},
	{name: "asking by GET", line: "GET /api/ask?question=revenue", body: "-", status: 404},
	{name: "deleting by GET", line: "GET /api/sessions/{session}/delete", body: "-", status: 404},
	{name: "deleting by POST", line: "POST /api/sessions/{session}", body: "{}", status: 404},
	{name: "method override", line: "POST /api/sessions/{session}", set: []string{"X-HTTP-Method-Override: DELETE"}, body: "{}", status: 400},
	{name: "another method override", line: "GET /api/sessions/{session}", set: []string{"X-Method-Override: DELETE"}, body: "-", status: 400},
	{name: "method override in the query", line: "POST /api/sessions/{session}?_method=DELETE", body: "{}", status: 400},
	{name: "address override", line: "GET /", set: []string{"X-Original-URL: /api/sessions"}, body: "-", status: 400},
	// origin
	{name: "another origin", set: []string{"Origin: https://evil.example"}, status: 403},
	{name: "null origin", set: []string{"Origin: null"}, status: 403},
	{name: "origin of another port", set: []string{"Origin: http://127.0.0.1:1"}, status: 403},
	{name: "origin of another scheme", set: []string{"Origin: https://127.0.0.1:{port}"}, status: 403},
	{name: "origin with a path", set: []string{"Origin: http://127.0.0.1:{port}/"}, status: 403},
	{name: "origin twice", set: []string{"Origin: http://127.0.0.1:{port}", "Origin: https://evil.example"}, status: 400},
	{name: "cross-site", set: []string{"Sec-Fetch-Site: cross-site"}, status: 403},
	{name: "another port of this machine", set: []string{"Sec-Fetch-Site: same-site"}, status: 403},
	{name: "cross-site form", drop: "Authorization", set: []string{"Cookie: {cookie}", "Sec-Fetch-Site: cross-site", "Origin: https://evil.example", "Content-Type: text/plain"}, status: 403},
	{name: "cross-site frame", line: "GET /", set: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, body: "-", status: 403},
	{name: "foreign websocket", line: "GET /api/ask", set: []string{"Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "Origin: https://evil.example"}, body: "-", status: 400},
	{name: "websocket", line: "GET /", set: []string{"Upgrade: websocket", "Connection: keep-alive, Upgrade"}, body: "-", status: 400},
	{name: "upgrade to HTTP/2", set: []string{"Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"}, status: 400},
	// who
	{name: "no token", drop: "Authorization", status: 401},
	{name: "no token for a stream", drop: "Authorization", set: []string{"Accept: text/event-stream"}, status: 401},
	{name: "empty token", set: []string{"Authorization: Bearer "}, status: 401},
	{name: "part of the token", set: []string{"Authorization: Bearer {half}"}, status: 401},
	{name: "token and more", set: []string{"Authorization: Bearer {token}0"}, status: 401},
	{name: "token as a password", set: []string{"Authorization: Basic {token}"}, status: 401},
	{name: "token twice", more: []string{"Authorization: Bearer {token}"}, status: 400},
	{name: "token in the query", line: "POST /api/ask?token={token}", drop: "Authorization", status: 401},
	{name: "token in the query twice", line: "GET /?token={token}&token={token}", drop: "Authorization", body: "-", status: 401},
	{name: "token by another name", line: "POST /api/ask?access_token={token}", drop: "Authorization", status: 401},
	{name: "login token on a route", line: "GET /api/sessions?token={login}", drop: "Authorization", body: "-", status: 401},
	{name: "login token by POST", line: "POST /?token={login}", drop: "Authorization", status: 401},
	{name: "login token twice", line: "GET /?token={login}&token={login}", drop: "Authorization", body: "-", status: 401},
	{name: "token as a cookie", drop: "Authorization", set: []string{"Cookie: assay_session_{port}={token}"}, status: 401},
	{name: "cookie of another server", drop: "Authorization", set: []string{"Cookie: assay_session_1={token}"}, status: 401},
	{name: "a link for a page", line: "POST /login-link", drop: "Authorization", set: []string{"Cookie: {cookie}"}, body: "-", status: 401},
	// bodies
	{name: "text", set: []string{"Content-Type: text/plain"}, status: 415},
	{name: "form", set: []string{"Content-Type: application/x-www-form-urlencoded"}, body: "question=revenue", status: 415},
	{name: "multipart", set: []string{"Content-Type: multipart/form-data; boundary=x"}, status: 415},
	{name: "no type", drop: "Content-Type", status: 415},
	{name: "type twice", more: []string{"Content-Type: text/plain"}, status: 400},
	{name: "packed", set: []string{"Content-Encoding: gzip"}, status: 415},
	{name: "another charset", set: []string{"Content-Type: application/json; charset=utf-16"}, status: 415},
	{name: "not JSON", body: "{", status: 400},
	{name: "two JSON values", body: question + question, status: 400},
	{name: "unknown field", body: `{"question":"revenue","role":"admin"}`, status: 422},
	{name: "too large", body: `{"question":"` + strings.Repeat("x", 1<<20) + `"}`, status: 413},
	{name: "too large in pieces", set: []string{"Transfer-Encoding: chunked"}, drop: "Content-Length", body: "200000\r\n" + strings.Repeat(" ", 0x200000) + "\r\n0\r\n\r\n", status: 413},
	{name: "length and pieces", set: []string{"Transfer-Encoding: chunked"}, body: "0\r\n\r\n", status: 0},
	{name: "two lengths", more: []string{"Content-Length: 3"}, status: 400},
	{name: "body of a delete", line: "DELETE /api/sessions/{session}", status: 400},
	{name: "header that is too large", set: []string{"X-Filler: " + strings.Repeat("x", 64<<10)}, status: 431},
	// files
	{name: "upload as JSON", line: "POST /api/uploads?name=a.csv", body: `{"a":1}`, status: 415},
	{name: "upload across sites", line: "POST /api/uploads?name=a.csv", set: []string{"Content-Type: application/octet-stream", "Origin: https://evil.example"}, body: "a,b\n1,2\n", status: 403},
	{name: "upload without a name", line: "POST /api/uploads?name=", set: []string{"Content-Type: application/octet-stream"}, body: "a,b\n", status: 400},
	{name: "upload to a folder above", line: "POST /api/uploads?name=..", set: []string{"Content-Type: application/octet-stream"}, body: "a,b\n", status: 400},
	{name: "upload with a hidden name", line: "POST /api/uploads?name=a%00.csv", set: []string{"Content-Type: application/octet-stream"}, body: "a,b\n", status: 400},
	{name: "import of a forged token", line: "POST /api/import", body: `{"tokens":["` + strings.Repeat("0", 64) + `"]}`, status: 200, says: "not known"},
	{name: "import of a path", line: "POST /api/import", body: `{"tokens":["/etc/passwd"]}`, status: 200, says: "not known"},
	{name: "import of steps", line: "POST /api/import", body: `{"tokens":["../../../workspace.yaml"]}`, status: 200, says: "not known"},
	{name: "cross-site deletion", line: "DELETE /api/sessions/{session}", set: []string{"Origin: https://evil.example"}, body: "-", status: 403},
	{name: "cross-site renaming", line: "PATCH /api/sessions/{session}", set: []string{"Sec-Fetch-Site: cross-site"}, body: `{"title":"owned"}`, status: 403},
}

// bytes writes the request.
func (h hostile) bytes(fill *strings.Replacer) string {
	line, body := h.line, h.body
	if line == "" {
		line = "POST /api/ask"
	}
	if !strings.Contains(line, " HTTP/") {
		line += " HTTP/1.1"
	}
	switch body {
	case "":
		body = question
	case "-":
		body = ""
	}
	headers := []string{"Authorization: Bearer {token}"}
	if body != "" {
		headers = append(headers, "Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))
	}
	if h.host != "-" {
		host := h.host
		if host == "" && h.name != "empty host" {
			host = "127.0.0.1:{port}"
		}
		headers = append([]string{"Host: " + host}, headers...)
	}
	name := func(header string) string { head, _, _ := strings.Cut(header, ":"); return strings.ToLower(head) }
	kept := headers[:0:0]
	for _, header := range headers {
		replaced := strings.EqualFold(name(header), h.drop)
		for _, s := range h.set {
			replaced = replaced || name(s) == name(header)
		}
		if !replaced {
			kept = append(kept, header)
		}
	}
	kept = append(append(kept, h.set...), h.more...)
	return fill.Replace(line+"\r\n"+strings.Join(kept, "\r\n")+"\r\n\r\n") + body
}

// send writes bytes to the server and gives the status, 0 when the connection ends without one, and what it said.
func send(t *testing.T, address, raw string) (int, string, http.Header) {
	t.Helper()
	c, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	go func() { _, _ = io.WriteString(c, raw) }() // a refusal may come before all is written
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err.Error(), nil
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20)) // it may be cut off
	return answer.StatusCode, string(said), answer.Header
}

// state is what must stay as it is: sessions, sources, files that were taken in.
func (s *server) state(t *testing.T, home string) string {
	t.Helper()
	get := func(path string) string {
		r, err := http.NewRequest(http.MethodGet, s.address()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+s.token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		raw, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, answer.StatusCode, err)
		}
		return string(raw)
	}
	var ws struct{ Sources json.RawMessage }
	if err := json.Unmarshal([]byte(get("/api/workspace")), &ws); err != nil {
		t.Fatal(err)
	}
	uploads, _ := filepath.Glob(filepath.Join(home, "*", "*", ".assay", "uploads", "*"))
	return get("/api/sessions") + string(ws.Sources) + fmt.Sprint(uploads)
}

// Nothing that is sent to the port by anybody but the person has an effect.
func TestServeRefusesWithoutEffect(t *testing.T) {
	home := t.TempDir()
	s := serving(t, assay(t, home, "serve"))
	if status, _ := s.ask(t, s.token); status != http.StatusOK {
		t.Fatalf("a question is %d", status)
	}
	at, err := url.Parse(s.link)
	if err != nil {
		t.Fatal(err)
	}
	b := browser(t)
	visit(t, b, s.link)
	cookies := b.Jar.Cookies(&url.URL{Scheme: "http", Host: at.Host, Path: "/"})
	if len(cookies) != 1 {
		t.Fatalf("cookies %v", cookies)
	}
	var list struct{ Sessions []struct{ ID string } }
	if _, raw := visit(t, b, s.address()+"/api/sessions"); json.Unmarshal([]byte(raw), &list) != nil || len(list.Sessions) != 1 {
		t.Fatalf("sessions %s", raw)
	}
	links := run(t, assay(t, home, "serve", "--link")) // a link that nobody has used
	login, err := url.Parse(strings.TrimSpace(links.stdout[strings.LastIndex(links.stdout, "http://"):]))
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("{port}", at.Port(), "{token}", s.token, "{half}", s.token[:32], "{login}", login.Query().Get("token"),
		"{cookie}", cookies[0].String(), "{session}", list.Sessions[0].ID)

	before := s.state(t, home)
	for _, h := range theNegatives {
		status, said, header := send(t, at.Host, h.bytes(fill))
		refused := status >= 400 && status < 500 || status == h.status && h.says != "" || status == 0 && h.status == 0
		if !refused || h.status != 0 && status != h.status || !strings.Contains(said, h.says) {
			t.Errorf("%s: %d, want %d: %.200s", h.name, status, h.status, said)
		}
		if header.Get("Access-Control-Allow-Origin") != "" || header.Get("Set-Cookie") != "" || strings.Contains(said, s.token) {
			t.Errorf("%s: the refusal hands something out: %v", h.name, header)
		}
	}
	if after := s.state(t, home); after != before {
		t.Errorf("something was done: %s\nbefore: %s", after, before)
	}
	if status, page := visit(t, browser(t), login.String()); status != http.StatusOK || !strings.Contains(page, "Assay") {
		t.Errorf("the link that was tried in other ways is used up: %d", status)
	}
	t.Logf("%d requests refused", len(theNegatives))
	s.stop(t)
}

// The file with the token is for its owner alone and goes with the process; --link finds the server by it.
func TestServedFile(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, "serve")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(folder, "999999999.json") // left by a process that was killed
	if err := os.WriteFile(stale, []byte(`{"pid":999999999,"port":1,"token":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, assay(t, home, "serve", "--link")).complains(t, exitFault, "No workspace is being served. Start one with assay serve.")

	s := serving(t, assay(t, home, "serve"))
	path := filepath.Join(folder, fmt.Sprintf("%d.json", s.process.Process.Pid))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the file of a process that is no more is still there")
	}
	links := run(t, assay(t, home, "serve", "--link"))
	at := strings.LastIndex(links.stdout, "http://")
	if links.status != exitOK || at < 0 {
		t.Fatalf("%+v", links)
	}
	if status, page := visit(t, browser(t), strings.TrimSpace(links.stdout[at:])); status != http.StatusOK || page != "<h1>Assay</h1>" {
		t.Errorf("the new link gives %d %.200s", status, page)
	}
	if status, _ := visit(t, browser(t), s.link); status != http.StatusUnauthorized {
		t.Errorf("the link before it gives %d", status)
	}
	s.stop(t)
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
