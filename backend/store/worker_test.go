package store

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
)

// kill ends the query worker of a store from outside, as the system would.
func kill(t testing.TB, s *Store) {
	t.Helper()
	p, err := s.querying.child()
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		t.Fatal(err)
	}
}

func data(t testing.TB, change ...func(*Options)) *Store {
	t.Helper()
	s := open(t, t.TempDir(), append(change, inWorkers)...)
	mustImport(t, s, write(t, "data.csv", "n,x\n1,a\n2,b\n3,c\n"))
	return s
}

func inWorkers(o *Options) { o.InProcess = false }

// endless is a statement that the gate lets pass and that comes to no end of its own.
const endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c WHERE a.range + b.range + c.range = 7"

// TestWhatAStatementCannotDo: statements that eat all memory, never end or break the engine come to an outcome, the program
// stays small, and the next question is answered.
func TestWhatAStatementCannotDo(t *testing.T) {
	s := data(t, func(o *Options) { o.MemoryLimit, o.Timeout = "300MB", 2*time.Second })
	for statement, want := range map[string]fault.Code{
		"SELECT len(range((SELECT 500) * 1000000))":                                                            fault.Limit,
		"SELECT len(range((SELECT sum(n)::BIGINT FROM data) * 90000000))":                                      fault.Limit,
		"SELECT len(repeat(x, 1000000 * (n + 1999))) FROM data":                                                fault.Limit,
		"SELECT repeat(x, (n + 49) * 1000000) FROM data":                                                       fault.Limit,
		"WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i > 0) SELECT count(*) FROM r": fault.Limit,
		endless: fault.Limit,
	} {
		began := time.Now()
		_, err := s.Query(t.Context(), frameql.Statement{SQL: statement})
		if fault.CodeOf(err) != want {
			t.Errorf("%s: %s, want %s", statement, fault.Detail(err), want)
		}
		if took := time.Since(began); took > s.opt.Timeout+2*time.Second {
			t.Errorf("%s ended after %s", statement, took)
		}
		if got := rows(t, s, "SELECT count(*) FROM data"); got != "3" {
			t.Errorf("after %s: %s", statement, got)
		}
	}
	if rss := resident(t); rss > 300<<20 && !raced {
		t.Errorf("this process has %d MB", rss>>20)
	}
}

// resident is the memory of this process, in bytes.
func resident(t testing.TB) int64 {
	t.Helper()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("memory is not told here")
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(raw))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// TestKilledWorker kills the query worker again and again, between statements and in the middle of them: every statement
// ends well or with a fault that says so, nothing is wrong, and the next one is answered. ASSAY_KILL_ROUNDS sets how often.
func TestKilledWorker(t *testing.T) {
	count := 10
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILL_ROUNDS")); err == nil {
		count = 5 * n
	}
	s := data(t)
	random := rand.New(rand.NewSource(7))
	before := runtime.NumGoroutine()
	for round := range count {
		var asked sync.WaitGroup
		for range random.Intn(4) {
			asked.Go(func() {
				f, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT sum(n) FROM data, range(300000)"})
				switch {
				case err == nil && fmt.Sprint(f.Rows) != "[[1800000]]":
					t.Errorf("round %d: %v", round, f.Rows)
				case err != nil && fault.CodeOf(err) != fault.Unavailable:
					t.Errorf("round %d: %s", round, fault.Detail(err))
				}
			})
		}
		for range random.Intn(200) {
			runtime.Gosched()
		}
		kill(t, s)
		asked.Wait()
		if got := rows(t, s, "SELECT string_agg(x, '' ORDER BY n) FROM data"); got != "abc" {
			t.Fatalf("round %d: %s", round, got)
		}
	}
	if now := runtime.NumGoroutine(); now > before+20 {
		t.Errorf("%d goroutines became %d", before, now)
	}
}

// TestKilledWhileItImports: an import whose worker is killed fails and leaves nothing, and the next one is done.
func TestKilledWhileItImports(t *testing.T) {
	s := open(t, t.TempDir(), inWorkers)
	path := write(t, "data.csv", "n,x\n"+strings.Repeat("1,a\n", 200_000))
	_, err := s.Import(t.Context(), ImportRequest{Path: path, Progress: func(p Progress) {
		if p.Stage == stageLoad {
			child, err := s.importing.child()
			if err == nil {
				_ = syscall.Kill(child.PID(), syscall.SIGKILL)
			}
		}
	}})
	if fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("the import gives %v", err)
	}
	if extra := left(t, s.opt.Dir); len(extra) > 0 {
		t.Errorf("it left %v", extra)
	}
	mustImport(t, s, path)
	if got := rows(t, s, "SELECT count(*) FROM data"); got != "200000" {
		t.Error(got)
	}
}

// TestCanceledStatementEnds: who cancels gets an answer at once, whatever the engine does.
func TestCanceledStatementEnds(t *testing.T) {
	s := data(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := s.Query(ctx, frameql.Statement{SQL: endless})
		done <- err
	}()
	cancel()
	if err := <-done; fault.CodeOf(err) != fault.Canceled {
		t.Errorf("%v", err)
	}
	if got := rows(t, s, "SELECT count(*) FROM data"); got != "3" {
		t.Error(got)
	}
}

// TestOwnFileIsOutOfReach: what a statement may name, the database's own file is not among it, and neither is any other.
func TestOwnFileIsOutOfReach(t *testing.T) {
	s := data(t)
	files, err := filepath.Glob(filepath.Join(s.opt.Dir, "*"+databaseSuffix))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	e, err := s.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.users.Done()
	for _, statement := range []string{
		"SELECT content FROM read_blob(" + literal(files[0]) + ")", "SELECT * FROM read_text('/etc/hostname')", "COPY (SELECT 1) TO '/tmp/assay-never'",
		"ATTACH " + literal(files[0]) + " AS again", "SET enable_external_access=true", "FROM enable_logging(storage='file', storage_path='/tmp/assay-never')",
		"CREATE TABLE main.t (a INT)", "INSERT INTO data VALUES (4, 'd')", "INSTALL httpfs", "EXPORT DATABASE '/tmp/assay-never'",
	} {
		if _, err := e.db.ExecContext(t.Context(), statement); err == nil && !strings.HasPrefix(statement, "CREATE") { // in the memory of the worker
			t.Errorf("past the gate, %s is done", statement)
		}
	}
	if _, err := os.Stat("/tmp/assay-never"); err == nil {
		t.Error("a file was written")
	}
	if got := rows(t, s, "SELECT count(*) FROM data"); got != "3" {
		t.Error(got)
	}
}

func TestSizeOf(t *testing.T) {
	for size, want := range map[string]int64{
		"2GB": 2e9, "300MB": 3e8, "500 MiB": 500 << 20, "1.5GiB": 3 << 29, "4096": 4096, "10KB": 10_000, "1TB": 1e12, "many": 0, "": 0,
	} {
		if got := sizeOf(size); got != want {
			t.Errorf("%q is %d, want %d", size, got, want)
		}
	}
}
