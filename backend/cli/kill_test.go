package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/workspace"
)

// batchAnswer is what the test reads of a line of a batch.
type batchAnswer struct {
	ID        string          `json:"id"`
	RequestID string          `json:"request_id"`
	SessionID string          `json:"session_id"`
	Outcome   string          `json:"outcome"`
	Frame     json.RawMessage `json:"frame"`
	Error     json.RawMessage `json:"error"`
}

// killQuestions are asked in turn.
var killQuestions = []string{"total amount by region", "number of sales", "delete all sales", "average amount by month", "list sales in East"}

// A process that answers a batch and one that imports are killed again and again while they work on one workspace. No
// printed answer is lost, and an import is there whole or not at all. ASSAY_KILL_ROUNDS sets the number of rounds (6).
func TestKillLosesNoAnswerAndLeavesNoHalfImport(t *testing.T) {
	rounds := 6
	if s := os.Getenv("ASSAY_KILL_ROUNDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("ASSAY_KILL_ROUNDS is %q", s)
		}
		rounds = n
	}
	k := newKilling(t)
	random := rand.New(rand.NewPCG(20260115, 9))
	for round := range rounds {
		k.round(t, round, 1+random.IntN(80), time.Duration(random.IntN(15_000))*time.Microsecond)
		k.checkImports(t, round)
		k.checkSession(t, fmt.Sprint(round))
	}
	heads := struct{ Sessions []struct{ ID string } }{}
	interrupted := k.interrupted
	k.json(t, &heads, "session", "list", "--json", "--workspace", k.dir)
	if len(heads.Sessions) != rounds {
		t.Errorf("%d sessions are listed after %d rounds", len(heads.Sessions), rounds)
	}
	for name := range k.sessions { // later rounds have cost earlier ones nothing
		k.checkSession(t, name)
	}
	if len(k.imported) == 0 {
		t.Error("no import was ever acknowledged: the test has no teeth")
	}
	t.Logf("%d rounds: %d answers printed, %d turns interrupted, %d imports acknowledged", rounds, k.answers, interrupted, k.imports)
}

// killing is the state of the test: what was acknowledged so far.
type killing struct {
	home, dir string
	rows      map[string]int64 // by path of the files that are imported
	imported  map[string]bool  // by path: acknowledged
	sessions  map[string][]batchAnswer
	asked     map[string]string // question by id

	answers, interrupted, imports int
}

func newKilling(t *testing.T) *killing {
	k := &killing{home: t.TempDir(), dir: filepath.Join(t.TempDir(), "shop"), rows: map[string]int64{}, imported: map[string]bool{}, sessions: map[string][]batchAnswer{}, asked: map[string]string{}}
	base := file(t, "sales.csv", "sale_id,day,region,amount\n1,2025-01-05,East,10.25\n2,2025-01-06,West,20.25\n3,2025-02-01,East,25.25\n")
	run(t, assay(t, k.home, "import", "--workspace", k.dir, base)).says(t, "sales: 3 rows")
	for i, n := range []int64{8_000, 12_000} {
		var b strings.Builder
		b.WriteString("event_id,happened,place,points\n")
		for row := range n {
			fmt.Fprintf(&b, "%d,2025-%02d-%02d,place %d,%d.%02d\n", row, 1+row%12, 1+row%28, row%97, row%1000, row%100)
		}
		k.rows[file(t, fmt.Sprintf("events%d.csv", i), b.String())] = n
	}
	return k
}

// round starts both processes and kills both a moment after the batch has printed some answers and, every other round, a
// whole import was acknowledged. Both are in the midst of something then: questions and imports come without end.
func (k *killing) round(t *testing.T, round, printed int, moment time.Duration) {
	t.Helper()
	name := fmt.Sprint(round)
	batch := assay(t, k.home, "ask", "--batch", "--json", "--workspace", k.dir)
	batch.Stderr = os.Stderr
	questions, err := batch.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := batch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := batch.Start(); err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	others.Go(func() { feed(questions, name) })
	imports := k.startImports(t)

	lines := bufio.NewReader(answers)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break // what has no end of line was not acknowledged
		}
		var a batchAnswer
		if err := json.Unmarshal(line, &a); err != nil || a.Error != nil || a.RequestID == "" {
			t.Errorf("round %d: %v in %.300s", round, err, line)
			continue
		}
		k.sessions[name] = append(k.sessions[name], a)
		k.answers++
		if n == printed {
			others.Go(func() {
				if round%2 == 0 {
					<-imports.one
				}
				<-time.After(moment) // what it is doing then is left to chance
				_ = batch.Process.Kill()
				imports.kill()
			})
		}
	}
	_ = batch.Wait() // killed
	imports.kill()
	others.Wait()
	for _, path := range imports.done {
		k.imported[path] = true
		k.imports++
	}
}

// feed asks without end.
func feed(w io.WriteCloser, name string) {
	defer w.Close()
	for i := 0; ; i++ {
		line := fmt.Sprintf(`{"id":"%d","question":%q,"session":%q}`, i, killQuestions[i%len(killQuestions)], name)
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return // the reader is dead
		}
	}
}

// importLoop runs `assay import` over and over until it is killed.
type importLoop struct {
	mu      sync.Mutex
	process *exec.Cmd
	killed  bool
	done    []string      // paths whose import ended well
	one     chan struct{} // closed when one did, or none will
	ended   chan struct{}
}

func (k *killing) startImports(t *testing.T) *importLoop {
	l := &importLoop{one: make(chan struct{}), ended: make(chan struct{})}
	first := sync.OnceFunc(func() { close(l.one) })
	var paths []string
	for path := range k.rows {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	go func() {
		defer close(l.ended)
		defer first()
		for i := 0; ; i++ {
			path := paths[i%len(paths)]
			c := assay(t, k.home, "import", "--json", "--workspace", k.dir, path)
			c.Stderr = os.Stderr
			l.mu.Lock()
			if l.killed {
				l.mu.Unlock()
				return
			}
			if err := c.Start(); err != nil {
				t.Error(err)
				l.mu.Unlock()
				return
			}
			l.process = c
			l.mu.Unlock()
			err := c.Wait()
			l.mu.Lock()
			switch {
			case err == nil:
				l.done = append(l.done, path)
				first()
			case !l.killed:
				t.Errorf("import of %s failed by itself: %v", filepath.Base(path), err)
			}
			stop := l.killed || err != nil
			l.mu.Unlock()
			if stop {
				return
			}
		}
	}()
	return l
}

// kill ends the loop; done may be read afterwards.
func (l *importLoop) kill() {
	l.mu.Lock()
	l.killed = true
	if l.process != nil {
		_ = l.process.Process.Kill() // it may have ended by itself
	}
	l.mu.Unlock()
	<-l.ended
}

// checkImports opens the workspace: every acknowledged import is there, every table has exactly the rows of its file, and
// nothing else lies in the store.
func (k *killing) checkImports(t *testing.T, round int) {
	t.Helper()
	w, err := workspace.Open(context.Background(), workspace.Target{Dir: k.dir}, workspace.Options{})
	if err != nil {
		t.Fatalf("round %d: the workspace does not open: %v", round, err)
	}
	defer w.Close()
	present := map[string]bool{}
	for _, source := range w.Sources() {
		present[source.Path] = true
		want, mid := k.rows[source.Path]
		if !mid {
			want = 3
		}
		if len(source.Tables) != 1 || source.Tables[0].Rows != want {
			t.Errorf("round %d: %s has the tables %+v", round, source.Name, source.Tables)
			continue
		}
		frame, err := w.Query(context.Background(), frameql.Statement{SQL: `SELECT count(*) FROM "` + source.Tables[0].Name + `"`, Dialect: frameql.DuckDB})
		if err != nil || fmt.Sprint(frame.Rows) != fmt.Sprintf("[[%d]]", want) {
			t.Errorf("round %d: %s: %v, %v, want %d rows", round, source.Name, frame, err, want)
		}
	}
	for path := range k.imported {
		if !present[path] {
			t.Errorf("round %d: %s was acknowledged and is lost", round, filepath.Base(path))
		}
	}
	if got := strays(t, k.dir); len(got) > 0 {
		t.Errorf("round %d: left behind %v", round, got)
	}
}

// strays lists what lies in a workspace and belongs to nothing.
func strays(t *testing.T, dir string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, ".assay", "store", "catalog.json"))
	if err != nil {
		t.Fatal(err)
	}
	var catalog struct {
		Sources []struct{ File string }
	}
	if err := json.Unmarshal(raw, &catalog); err != nil {
		t.Fatal(err)
	}
	known := []string{"catalog.json", "lock"}
	for _, s := range catalog.Sources {
		known = append(known, s.File)
	}
	var extra []string
	look := func(folder string, known ...string) {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !slices.Contains(known, e.Name()) {
				extra = append(extra, filepath.Join(folder, e.Name()))
			}
		}
	}
	look(filepath.Join(".assay", "store"), known...)
	look(".assay", "store", "memory.sqlite", "memory.sqlite-wal", "memory.sqlite-shm", "memory.sqlite-running", "memory.sqlite-audit", "recall.vectors", "facts.json", "tables.json", "values.json", "spans.json", "attest.json", "writing", "frames", "sound")
	look(".", ".assay", "workspace.yaml")
	return extra
}

// checkSession shows the session of a round: every printed answer stands in it as it was printed, in order, and at most
// one more that had no time to be printed.
func (k *killing) checkSession(t *testing.T, name string) {
	t.Helper()
	printed := k.sessions[name]
	if len(printed) == 0 {
		t.Errorf("round %s printed nothing", name)
		return
	}
	var doc session.Document
	k.json(t, &doc, "session", "show", "--json", "--workspace", k.dir, printed[0].SessionID)
	if extra := len(doc.Turns) - len(printed); extra < 0 || extra > 1 {
		t.Fatalf("round %s: %d turns are stored, %d answers were printed", name, len(doc.Turns), len(printed))
	}
	for i, turn := range doc.Turns {
		if want := killQuestions[i%len(killQuestions)]; turn.Question != want || turn.Index != i+1 {
			t.Errorf("round %s: turn %d is %d, %q, want %q", name, i+1, turn.Index, turn.Question, want)
		}
		if i == len(printed) { // begun, and stored before it was printed or not at all
			if turn.Outcome == session.Interrupted {
				k.interrupted++
			} else if len(turn.Answer) == 0 {
				t.Errorf("round %s: the last turn reads %q and has no answer", name, turn.Outcome)
			}
			continue
		}
		var kept batchAnswer
		if err := json.Unmarshal(turn.Answer, &kept); err != nil {
			t.Errorf("round %s, turn %d: %v in %.200s", name, i+1, err, turn.Answer)
			continue
		}
		if p := printed[i]; turn.RequestID != p.RequestID || turn.Outcome != p.Outcome || p.SessionID != doc.ID || string(kept.Frame) != string(p.Frame) {
			t.Errorf("round %s, turn %d: stored %s %s %.200s, printed %s %s %.200s", name, i+1, turn.RequestID, turn.Outcome, kept.Frame, p.RequestID, p.Outcome, p.Frame)
		}
	}
}

// json runs a command and reads the object that it prints.
func (k *killing) json(t *testing.T, into any, args ...string) {
	t.Helper()
	o := run(t, assay(t, k.home, args...))
	if err := json.Unmarshal([]byte(o.stdout), into); err != nil || o.status != exitOK {
		t.Fatalf("%v: status %d, %v, %s", args, o.status, err, o.stderr)
	}
}
