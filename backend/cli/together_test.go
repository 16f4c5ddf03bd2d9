package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/session"
)

// together is eight processes at work on one workspace, and what each was told.
type together struct {
	*killing
	more  func(done int) bool // whether a worker goes on that did so much
	bound time.Duration       // how long anybody may wait; 0: it is not asked

	mu       sync.Mutex
	arrived  []string // sessions that were imported
	longest  time.Duration
	whatLong string
}

// longestWait is how long anybody may wait among eight processes on a machine of two cores, the start of the program and its work included. Who waits for the memory is told
// after ten seconds, and took looks for the word.
const longestWait = 30 * time.Second

// Two processes serve, one of them as the one of a window does where there is no display, with what its page asks for; three answer batches, one imports data, one hands sessions over and takes them in, and one looks and runs them again: all of
// one workspace, at the same time. Nothing that was acknowledged is lost, and nobody is told of a lock. ASSAY_TOGETHER_SECONDS sets how long they work, and then nobody may wait
// longer than longestWait; otherwise each does a few things.
func TestEightProcessesTogether(t *testing.T) {
	x := &together{killing: newKilling(t), more: func(done int) bool { return done < 6 }}
	if s := os.Getenv("ASSAY_TOGETHER_SECONDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("ASSAY_TOGETHER_SECONDS is %q", s)
		}
		end := time.Now().Add(time.Duration(n) * time.Second)
		x.more, x.bound = func(int) bool { return time.Now().Before(end) }, longestWait
	}
	for _, q := range killQuestions[:2] {
		run(t, assay(t, x.home, "ask", "--workspace", x.dir, "--session", "first", q)).says(t, "")
	}

	// What a person starts for the window serves the same page where there is no display.
	servers := []*server{serving(t, assay(t, x.home, "--workspace", x.dir)), serving(t, assay(t, x.home, "serve", "--workspace", x.dir))}
	var all sync.WaitGroup
	answers := make([][]batchAnswer, 5)
	for i, s := range servers {
		all.Go(func() { answers[i] = x.askServer(t, s, fmt.Sprint("served", i), i == 0) })
	}
	for i := 2; i < len(answers); i++ {
		all.Go(func() { answers[i] = x.askBatch(t, fmt.Sprint("batch", i)) })
	}
	all.Go(func() { x.importData(t) })
	all.Go(func() { x.handOver(t) })
	all.Go(func() { x.look(t) })
	all.Wait()
	for _, s := range servers {
		s.stop(t)
	}

	count := 0
	for _, said := range answers {
		if len(said) == 0 {
			t.Fatal("somebody did nothing: the test has no teeth")
		}
		count += len(said)
		x.sessions["it"] = said
		x.checkSession(t, "it")
		if n := len(x.sessions["it"]); x.interrupted > 0 {
			t.Errorf("%d of %d were interrupted", x.interrupted, n)
		}
	}
	if x.bound > 0 && x.longest > x.bound {
		t.Errorf("somebody waited %s for %s, want at most %s", x.longest.Round(time.Millisecond), x.whatLong, x.bound)
	}
	x.checkImports(t, 0)
	for _, id := range x.arrived {
		var doc session.Document
		if x.json(t, &doc, "session", "show", "--json", "--workspace", x.dir, id); len(doc.Turns) != 2 {
			t.Errorf("%s was imported and has %d turns", id, len(doc.Turns))
		}
	}
	run(t, assay(t, x.home, "audit", "verify", "--workspace", x.dir)).says(t, "")
	t.Logf("%d answers, %d imports of data, %d of sessions; the longest of all waits was %s, for %s", count, x.imports, len(x.arrived), x.longest.Round(time.Millisecond), x.whatLong)
}

// took notes how long somebody waited, and that nobody is told of a lock.
func (x *together) took(t *testing.T, what string, began time.Time, said string) {
	for _, word := range []string{"SQLITE", "busy", "locked", "another process"} {
		if strings.Contains(said, word) {
			t.Errorf("%s: %s", what, said)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if d := time.Since(began); d > x.longest {
		x.longest, x.whatLong = d, what
	}
}

// command runs a command that must go well and gives what it printed.
func (x *together) command(t *testing.T, args ...string) string {
	began := time.Now()
	o := run(t, assay(t, x.home, append(args, "--workspace", x.dir)...))
	if x.took(t, args[0]+" "+args[1], began, o.stderr); o.status != exitOK {
		t.Errorf("%v: status %d, %s", args, o.status, o.stderr)
	}
	return o.stdout
}

// askServer asks one question after the other; window: with all that the page of a window asks for beside them.
func (x *together) askServer(t *testing.T, s *server, name string, window bool) []batchAnswer {
	var said []batchAnswer
	for i := 0; x.more(i); i++ {
		if window && i == 0 {
			for _, path := range []string{"/api/settings", "/api/workspace", "/api/inbox", "/api/minds", "/api/page"} {
				x.call(t, s, http.MethodGet, path, nil)
			}
		}
		raw := x.call(t, s, http.MethodPost, "/api/ask", map[string]any{"question": killQuestions[i%len(killQuestions)], "session_id": name})
		var a batchAnswer
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Errorf("%s: %v, %.300s", name, err, raw)
			return said
		}
		said = append(said, a)
		if window {
			x.call(t, s, http.MethodGet, "/api/inbox", nil)
			x.call(t, s, http.MethodGet, "/api/sessions", nil)
			x.call(t, s, http.MethodGet, "/api/sessions/"+a.SessionID, nil)
			x.call(t, s, http.MethodPatch, "/api/page", map[string]any{"values": []map[string]string{{"name": "together", "value": strconv.Itoa(i)}}})
		}
	}
	return said
}

// call is a request that must go well, and gives its answer.
func (x *together) call(t *testing.T, s *server, method, path string, body any) []byte {
	began := time.Now()
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Error(err)
			return nil
		}
		sent = bytes.NewReader(raw)
	}
	r, err := http.NewRequest(method, s.address()+path, sent)
	if err != nil {
		t.Error(err)
		return nil
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return nil
	}
	raw, err := io.ReadAll(reply.Body)
	reply.Body.Close()
	if err != nil || reply.StatusCode/100 != 2 {
		t.Errorf("%s %s: %d, %v, %.300s", method, path, reply.StatusCode, err, raw)
	}
	x.took(t, method+" "+path, began, "")
	return raw
}

// askBatch asks one line after the other, each when the one before is answered.
func (x *together) askBatch(t *testing.T, name string) []batchAnswer {
	var said []batchAnswer
	c := assay(t, x.home, "ask", "--batch", "--json", "--workspace", x.dir)
	var complaints bytes.Buffer
	c.Stderr = &complaints
	in, err := c.StdinPipe()
	if err != nil {
		t.Error(err)
		return nil
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := c.Start(); err != nil {
		t.Error(err)
		return nil
	}
	lines := bufio.NewReader(out)
	for i := 0; x.more(i); i++ {
		began := time.Now()
		_, err := fmt.Fprintf(in, `{"id":"%d","question":%q,"session":%q}`+"\n", i, killQuestions[i%len(killQuestions)], name)
		if err != nil {
			t.Error(err)
			break
		}
		line, err := lines.ReadBytes('\n')
		var a batchAnswer
		if err != nil || json.Unmarshal(line, &a) != nil || a.Error != nil {
			t.Errorf("%s: %v, %.300s", name, err, line)
			break
		}
		x.took(t, "a question of a batch", began, "")
		said = append(said, a)
	}
	in.Close()
	if err := c.Wait(); err != nil || strings.Contains(complaints.String(), "lock") {
		t.Errorf("%s: %v, %s", name, err, complaints.String())
	}
	return said
}

func (x *together) importData(t *testing.T) {
	var paths []string
	for path := range x.rows {
		paths = append(paths, path)
	}
	for i := 0; x.more(i * 2); i++ {
		path := paths[i%len(paths)]
		x.command(t, "import", "--json", path)
		x.imported[path] = true
		x.imports++
	}
}

func (x *together) handOver(t *testing.T) {
	for i := 0; x.more(i * 2); i++ {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i, ".assay"))
		x.command(t, "session", "export", "first", "-o", file)
		var a struct {
			SessionID string `json:"session_id"`
		}
		if raw := x.command(t, "session", "import", "--yes", file, "--json"); json.Unmarshal([]byte(raw), &a) != nil || a.SessionID == "" {
			t.Errorf("imported: %s", raw)
		}
		x.arrived = append(x.arrived, a.SessionID)
	}
}

func (x *together) look(t *testing.T) {
	for i := 0; x.more(i * 2); i++ {
		x.command(t, "session", "list", "--json")
		if said := x.command(t, "session", "replay", "first"); !strings.Contains(said, "2 the same, 0 differ, 0 could not") {
			t.Errorf("while others import: %s", said)
		}
	}
}
