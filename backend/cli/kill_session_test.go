package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/workspace"
)

// handedOver is the session that is exported and imported, and its answers: so many frames of so many rows.
const (
	handedOver   = "handed-over"
	handedTurns  = 6
	handedFrames = 4000
)

// handing is the state of the test: what there is, and what was acknowledged.
type handing struct {
	*killing
	random *rand.Rand
	file   string            // a whole one
	bytes  int64             // of it
	staged int64             // bytes that an import stages
	stored int               // how often it was looked at what is staged while that was being stored, in a run that was not killed
	most   int64             // the most bytes that killAt saw last
	since  int               // how often it looked since
	before string            // the session as it was
	known  map[string]bool   // sessions that are there
	died   map[string][2]int // by what: how many rounds, and how many of them were killed
}

// A process that exports a session and one that imports one are killed at seeded moments of what they have written so far. The file is whole or not there, or the one of
// before; the session is there whole or not at all; what was staged is gone with the next start; and nothing else is lost. ASSAY_KILL_ROUNDS sets the number of rounds (6).
func TestKillWhileASessionIsHandedOver(t *testing.T) {
	rounds := 6
	if s := os.Getenv("ASSAY_KILL_ROUNDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("ASSAY_KILL_ROUNDS is %q", s)
		}
		rounds = n
	}
	h := newHanding(t)
	for round := range rounds {
		h.killExport(t, round)
		h.killImport(t, round)
	}
	for what, n := range h.died {
		if n[1] == 0 {
			t.Errorf("%s: of %d none was killed while it worked: the test has no teeth", what, n[0])
		}
	}
	if got := h.shown(t, handedOver); got != h.before {
		t.Error("the session that was handed over is another one")
	}
	run(t, assay(t, h.home, "audit", "verify", "--workspace", h.dir)).says(t, "")
	t.Logf("%d rounds, of all how many were killed: %v, %d sessions arrived of them", rounds, h.died, len(h.known)-2)
}

func newHanding(t *testing.T) *handing {
	h := &handing{killing: newKilling(t), random: rand.New(rand.NewPCG(20260115, 11)), known: map[string]bool{handedOver: true}, died: map[string][2]int{}}
	for path, rows := range h.rows {
		if rows == 8_000 {
			run(t, assay(t, h.home, "import", "--workspace", h.dir, path)).says(t, "8,000 rows")
		}
	}
	w, err := workspace.Open(context.Background(), workspace.Target{Dir: h.dir}, workspace.Options{})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	for i := range handedTurns {
		sql := fmt.Sprintf("SELECT * FROM events0 WHERE event_id >= %d ORDER BY event_id LIMIT %d", i, handedFrames)
		a, err := w.Ask(context.Background(), analyst.Request{SQL: sql, SessionID: handedOver, MaxRows: handedFrames}, nil)
		if err != nil || a.Frame == nil || len(a.Frame.Rows) != handedFrames {
			t.Fatalf("%v %+v", err, a)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h.before = h.shown(t, handedOver)
	h.file = filepath.Join(t.TempDir(), "whole.assay")
	run(t, assay(t, h.home, "session", "export", handedOver, "-o", h.file, "--workspace", h.dir)).says(t, "")
	info, err := os.Stat(h.file)
	if err != nil {
		t.Fatal(err)
	}
	h.bytes = info.Size()
	h.finishImport(t)
	return h
}

// finishImport takes the session in without killing anybody, to learn what an import stages and how long it is stored.
func (h *handing) finishImport(t *testing.T) {
	t.Helper()
	c := assay(t, h.home, "session", "import", "--yes", h.file, "--json", "--workspace", h.dir)
	out, _ := h.killAt(t, "import", c, filepath.Join(h.dir, ".assay", "session-*.part"), 0, math.MaxInt)
	var a struct {
		SessionID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h.known[a.SessionID] = true
	h.checkArrived(t, -1, a.SessionID)
	if h.staged, h.stored = h.most, h.since; h.staged < 1 || h.stored < 2 {
		t.Fatalf("%d bytes were staged, and looked at %d times: the test has no teeth", h.staged, h.stored)
	}
	clear(h.died)
}

// shown is a session as it is stored, with all rows.
func (h *handing) shown(t *testing.T, id string) string {
	t.Helper()
	o := run(t, assay(t, h.home, "session", "show", "--json", "--workspace", h.dir, id))
	if o.status != exitOK {
		t.Fatalf("%s: %s", id, o.stderr)
	}
	return o.stdout
}

// killAt starts a process and kills it once the file that it writes, of a pattern, has so many bytes, and was looked at so many times more. It says whether the process was killed, and
// gives what it printed otherwise.
func (h *handing) killAt(t *testing.T, what string, c *exec.Cmd, pattern string, bytes int64, looks int) (out string, killed bool) {
	t.Helper()
	var said, complained strings.Builder
	c.Stdout, c.Stderr = &said, &complained
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	hung := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
	defer hung.Stop()
	var err error
	h.most, h.since = -1, 0
	for reached, left := false, looks; ; {
		select {
		case err = <-ended:
		default:
			if size := longest(pattern); size > h.most {
				h.most, h.since = size, 0
			} else if size == h.most {
				h.since++
			}
			if reached = reached || h.most >= bytes; reached {
				left--
			}
			if left >= 0 {
				runtime.Gosched()
				continue
			}
			_ = c.Process.Kill() // it may have ended by itself
			err = <-ended
		}
		break
	}
	n := h.died[what]
	if killed = err != nil; killed && c.ProcessState.Exited() {
		t.Fatalf("%s failed by itself: %s%s", what, said.String(), complained.String())
	}
	n[0]++
	if killed {
		n[1]++
	}
	h.died[what] = n
	return said.String(), killed
}

// longest is how many bytes the largest of the files of a pattern has; -1: there is none.
func longest(pattern string) int64 {
	all, _ := filepath.Glob(pattern) // the pattern is ours
	most := int64(-1)
	for _, path := range all {
		if info, err := os.Stat(path); err == nil {
			most = max(most, info.Size())
		}
	}
	return most
}

func (h *handing) killExport(t *testing.T, round int) {
	t.Helper()
	dir := t.TempDir()
	target := filepath.Join(dir, "handed.assay")
	var old []byte
	if round%2 == 1 { // one of before is replaced
		old = []byte("the one of before")
		if err := os.WriteFile(target, old, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := assay(t, h.home, "session", "export", handedOver, "-o", target, "--workspace", h.dir)
	_, killed := h.killAt(t, "export", c, filepath.Join(dir, ".assay-*"), h.random.Int64N(h.bytes), h.random.IntN(20))
	raw, err := os.ReadFile(target)
	switch {
	case killed && (os.IsNotExist(err) && old == nil || err == nil && old != nil && string(raw) == string(old)): // nothing came of it
	case err != nil:
		t.Errorf("round %d, killed %v: %v", round, killed, err)
	default:
		h.checkFile(t, round, target)
	}
	if got := h.shown(t, handedOver); got != h.before {
		t.Errorf("round %d: the session that was exported is another one", round)
	}
	// What it left beside its place goes when something is written there a day later.
	left, err := filepath.Glob(filepath.Join(dir, ".assay-*"))
	if err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-48 * time.Hour)
	for _, path := range left {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	run(t, assay(t, h.home, "session", "export", handedOver, "-o", target, "--workspace", h.dir)).says(t, "")
	h.checkFile(t, round, target)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("round %d: beside the file: %v %v", round, entries, err)
	}
}

// checkFile reads a session file to its end.
func (h *handing) checkFile(t *testing.T, round int, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := session.Open(f, info.Size())
	if err != nil || len(p.File.Turns) != handedTurns {
		t.Errorf("round %d: the file is there and is not whole: %s", round, fault.Detail(err))
		return
	}
	for _, turn := range p.File.Turns {
		if _, err := p.Frame(turn.Rows); err != nil {
			t.Errorf("round %d: the frame of turn %d: %s", round, turn.Index, fault.Detail(err))
		}
	}
}

func (h *handing) killImport(t *testing.T, round int) {
	t.Helper()
	c := assay(t, h.home, "session", "import", "--yes", h.file, "--json", "--workspace", h.dir)
	pattern := filepath.Join(h.dir, ".assay", "session-*.part")
	bytes, looks := h.random.Int64N(h.staged), h.random.IntN(20)
	if round%3 > 0 { // all is staged, and is being stored
		bytes, looks = h.staged, h.random.IntN(h.stored*3/2)
	}
	out, killed := h.killAt(t, "import", c, pattern, bytes, looks)
	var heads struct{ Sessions []struct{ ID string } }
	h.json(t, &heads, "session", "list", "--json", "--workspace", h.dir) // the next start
	if left, err := filepath.Glob(pattern); err != nil || len(left) > 0 {
		t.Errorf("round %d: left behind: %v %v", round, left, err)
	}
	var arrived []string
	for _, head := range heads.Sessions {
		if !h.known[head.ID] {
			arrived = append(arrived, head.ID)
			h.known[head.ID] = true
			h.checkArrived(t, round, head.ID)
		}
	}
	if len(heads.Sessions) != len(h.known) || len(arrived) > 1 || !killed && len(arrived) != 1 {
		t.Errorf("round %d: %v arrived, %d of %d sessions are listed, killed %v", round, arrived, len(heads.Sessions), len(h.known), killed)
	}
	if !killed {
		var a struct {
			SessionID string `json:"session_id"`
		}
		if json.Unmarshal([]byte(out), &a) != nil || !slices.Contains(arrived, a.SessionID) {
			t.Errorf("round %d: %s was acknowledged, %v arrived", round, out, arrived)
		}
	}
}

// checkArrived compares a session that was taken in with the one that was handed over, cell by cell.
func (h *handing) checkArrived(t *testing.T, round int, id string) {
	t.Helper()
	rows := func(text string) (all []string) {
		var doc struct {
			Turns []struct {
				Answer struct {
					Frame struct{ Rows json.RawMessage }
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		for _, turn := range doc.Turns {
			all = append(all, string(turn.Answer.Frame.Rows))
		}
		return all
	}
	if got, want := rows(h.shown(t, id)), rows(h.before); len(want) != handedTurns || !slices.Equal(got, want) {
		t.Errorf("round %d: session %s has %d turns, or other rows", round, id, len(got))
	}
}
