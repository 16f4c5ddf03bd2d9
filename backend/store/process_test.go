package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/fault"
)

// child is the test binary running one of children in a process of its own.
type child struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func start(t *testing.T, name string, args ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childVar+"="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd, bufio.NewScanner(out)}
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c
}

// line gives the next line that the process printed; false when it has ended.
func (c *child) line() (string, bool) {
	ok := c.lines.Scan()
	return c.lines.Text(), ok
}

func (c *child) expect(t *testing.T, prefix string) {
	t.Helper()
	got, _ := c.line()
	if !strings.HasPrefix(got, prefix) {
		t.Fatalf("process says %q, want %q", got, prefix)
	}
}

func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.wait()
}

// wait reads what is left and waits for the end.
func (c *child) wait() {
	for c.lines.Scan() {
	}
	c.cmd.Wait()
}

func init() {
	// loop imports files in turn for ever and says each stage and each import that is acknowledged.
	children["loop"] = func(args []string) error {
		s, err := Open(context.Background(), Options{Dir: args[0]})
		if err != nil {
			return err
		}
		for i := 0; ; i = (i + 1) % (len(args) - 1) {
			_, err := s.Import(context.Background(), ImportRequest{Path: args[1+i], Progress: func(p Progress) { fmt.Println("stage", p.Stage) }})
			if err != nil {
				return err
			}
			fmt.Println("imported", i)
		}
	}
	// rewrite imports a file for ever that has other content each time: n rows of the number n.
	children["rewrite"] = func(args []string) error {
		s, err := Open(context.Background(), Options{Dir: args[0]})
		if err != nil {
			return err
		}
		for n := 1; ; n++ {
			if err := os.WriteFile(args[1], []byte("n,x\n"+strings.Repeat(fmt.Sprintf("%d,y\n", n*100), n*100)), 0o600); err != nil {
				return err
			}
			if _, err := s.Import(context.Background(), ImportRequest{Path: args[1]}); err != nil {
				return err
			}
			fmt.Println("imported", n)
		}
	}
}

// TestKilledImports kills a process that imports at random moments: the store opens, holds every acknowledged import with
// all its rows, and nothing of a half one. ASSAY_KILL_ROUNDS sets the number of rounds.
func TestKilledImports(t *testing.T) {
	count := 10
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILL_ROUNDS")); err == nil {
		count = n
	}
	random := rand.New(rand.NewSource(42))
	dir := t.TempDir()
	folder := t.TempDir()
	args := []string{dir}
	want := map[string]string{}
	for i, kind := range []string{"csv", "sqlite", "xlsx", "ndjson", "csv"} {
		path := filepath.Join(folder, fmt.Sprintf("f%d.%s", i, kind))
		makers[kind](t, path)
		args = append(args, path)
		want[path] = "500"
	}
	acknowledged := map[string]bool{}
	for round := range count {
		c := start(t, "loop", args...)
		for range 1 + random.Intn(40) {
			line, ok := c.line()
			if !ok {
				t.Fatalf("round %d: the process ended by itself: %s", round, line)
			}
			if i, ok := strings.CutPrefix(line, "imported "); ok {
				n, _ := strconv.Atoi(i)
				acknowledged[args[1+n]] = true
			}
		}
		<-time.After(time.Duration(random.Intn(8000)) * time.Microsecond)
		if err := c.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for { // what it had said before it died counts
			line, ok := c.line()
			if !ok {
				break
			}
			if i, ok := strings.CutPrefix(line, "imported "); ok {
				n, _ := strconv.Atoi(i)
				acknowledged[args[1+n]] = true
			}
		}
		c.cmd.Wait()

		s, err := Open(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Fatalf("round %d: %s", round, fault.Detail(err))
		}
		if got := left(t, dir); len(got) > 0 {
			t.Errorf("round %d: left behind %v", round, got)
		}
		present := map[string]bool{}
		for _, src := range s.Sources() {
			present[src.Path] = true
			if len(src.Tables) != 1 {
				t.Errorf("round %d: %s has tables %v, notes %v", round, src.Path, src.Tables, src.Notes)
				continue
			}
			if got := rows(t, s, "SELECT count(*) FROM "+ident(src.Tables[0].Name)); got != want[src.Path] {
				t.Errorf("round %d: %s has %s rows", round, src.Path, got)
			}
		}
		for path := range acknowledged {
			if !present[path] {
				t.Errorf("round %d: %s was acknowledged and is lost", round, path)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(acknowledged) == 0 {
		t.Error("no import was ever acknowledged")
	}
}

// TestTwoProcesses: one process imports over and over, another queries: every answer is that of one whole import.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	c := start(t, "rewrite", dir, filepath.Join(t.TempDir(), "data.csv"))
	c.expect(t, "imported 1")
	s := open(t, dir)
	var done sync.WaitGroup
	ended := make(chan struct{})
	done.Add(1)
	go func() {
		defer done.Done()
		defer close(ended)
		for {
			if line, ok := c.line(); !ok || line == "imported 12" {
				return
			}
		}
	}()
	answers := map[string]bool{}
	for running := true; running; {
		select {
		case <-ended:
			running = false
		default:
		}
		got := rows(t, s, "SELECT count(*), min(n), max(n) FROM data")
		answers[got] = true
		parts := strings.Split(got, "|")
		if parts[0] != parts[1] || parts[1] != parts[2] {
			t.Fatalf("an answer of two imports: %s", got)
		}
	}
	if len(answers) < 2 {
		t.Errorf("the new data was never seen: %v", answers)
	}
	c.kill(t)
	done.Wait()
}

// TestOneImporter: a second importer waits its turn, and gives up after a while with a sentence. Readers never wait.
func TestOneImporter(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	path := write(t, "a.csv", "x,y\n1,2\n")
	mustImport(t, first, path)
	unlock, err := first.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second := open(t, dir, func(o *Options) { o.LockWait = 30 * time.Millisecond })
	_, err = second.Import(t.Context(), ImportRequest{Path: path})
	shows(t, nil, err, fault.Conflict, "Another Assay process is importing into this workspace. Wait until it is done, or close it, then import again.")
	if got := rows(t, second, "SELECT * FROM a"); got != "1|2" {
		t.Errorf("a reader sees %s", got)
	}
	patient := open(t, dir)
	canceling, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := patient.Import(canceling, ImportRequest{Path: path}); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("canceled while waiting gives %v", err)
	}
	waited := make(chan error, 1)
	go func() {
		_, err := patient.Import(context.Background(), ImportRequest{Path: path})
		waited <- err
	}()
	unlock()
	if err := <-waited; err != nil {
		t.Error(err)
	}
}

// TestQueriesDuringImports runs both from many goroutines; the race detector watches.
func TestQueriesDuringImports(t *testing.T) {
	s := open(t, t.TempDir())
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 4 {
		path := filepath.Join(folder, fmt.Sprintf("t%d.csv", i))
		writeBytes(t, path, []byte("n,x\n"+strings.Repeat("7,y\n", 50)))
		mustImport(t, s, path)
		all.Add(2)
		go func() {
			defer all.Done()
			for range 3 {
				if _, err := s.Import(context.Background(), ImportRequest{Path: path}); err != nil {
					t.Error(err)
				}
			}
		}()
		go func() {
			defer all.Done()
			for range 30 {
				if got := rows(t, s, fmt.Sprintf("SELECT sum(n) FROM t%d", i)); got != "350" {
					t.Error(got)
				}
				s.Sources()
				s.Epochs()
			}
		}()
	}
	all.Wait()
	if n := len(s.Sources()); n != 4 {
		t.Errorf("%d sources", n)
	}
}
