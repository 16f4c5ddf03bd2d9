package memory

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/session"
)

// The test binary runs itself with this variable set to the memory file as the process that is going to be killed.
const victimEnv = "ASSAY_KILL_VICTIM"

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		victim(path, os.Getenv("ASSAY_KILL_ROUND"))
		return
	}
	if path := os.Getenv(fullEnv); path != "" {
		fill(path)
		return
	}
	os.Exit(m.Run())
}

// victim begins and finishes requests without end, with steps between, and says each of them only after it was acknowledged.
func victim(path, round string) {
	stop := func(err error) {
		if err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
	}
	ctx := context.Background()
	m, err := Open(ctx, Options{Path: path, Now: func() time.Time { return noon }})
	stop(err)
	for i := 0; ; i++ {
		id := fmt.Sprintf("r%s-%d", round, i)
		index, err := m.Begin(ctx, request(id, "s"+round, "question "+id))
		stop(err)
		fmt.Println("begun", id)
		stop(m.Record(ctx, analyst.Record{Kind: analyst.AuditDecision, RequestID: id, Body: []byte(`{"n":1}`)}))
		fmt.Println("recorded", id)
		for k := range i % 7 { // most are not waited for by the disk
			s := ended(fmt.Sprint("step_", k), []float64{0.1, 3, 0.2, 150}[(i+k)%4])
			stop(m.Step(ctx, id, k, s))
			fmt.Println("stepped", id)
		}
		if i%3 == 2 {
			continue // stays unfinished
		}
		stop(m.Finish(ctx, id, analyst.Closing{Turn: turn("s"+round, index)}))
		fmt.Println("finished", id)
	}
}

// A request is acknowledged when Begin or Finish returns, a step when Step does. Killing the process at any moment loses none of them.
// ASSAY_KILL_ROUNDS sets the number of rounds (10).
func TestKillLosesNoAcknowledgedRequest(t *testing.T) {
	rounds := 10
	if s := os.Getenv("ASSAY_KILL_ROUNDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("ASSAY_KILL_ROUNDS is %q", s)
		}
		rounds = n
	}
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	random := rand.New(rand.NewPCG(20260115, 7))
	begun, recorded, finished, stepped := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]int{}
	for round := range rounds {
		killAfter(t, path, round, 1+random.IntN(300), begun, recorded, finished, stepped)
	}

	m := open(t, path)
	if err := m.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Fatalf("the audit log: %+v, %v", v, err)
	}
	log, err := m.Audit(t.Context(), AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range log {
		delete(recorded, e.RequestID)
	}
	if len(recorded) > 0 {
		t.Errorf("%d records were acknowledged and are lost", len(recorded))
	}
	heads, err := m.Sessions(t.Context())
	if err != nil || len(heads) != rounds {
		t.Fatalf("%d sessions, %v", len(heads), err)
	}
	stored := map[string]session.Turn{}
	for _, h := range heads {
		d, err := m.Session(t.Context(), h.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, turn := range d.Turns {
			if turn.Index != i+1 {
				t.Errorf("%s: turn %d has index %d", h.ID, i, turn.Index)
			}
			stored[turn.RequestID] = turn
		}
	}
	for id := range begun {
		if turn, ok := stored[id]; !ok || turn.Question != "question "+id {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	for id := range finished {
		if stored[id].Outcome != "answer" {
			t.Errorf("%s was finished and reads %q", id, stored[id].Outcome)
		}
	}
	for id, turn := range stored {
		switch {
		case turn.Outcome == "answer" && (len(turn.Artifacts) != 2 || len(turn.Trace) != 1):
			t.Errorf("%s is half written: %d artifacts", id, len(turn.Artifacts))
		case turn.Outcome == session.Interrupted && len(turn.Artifacts) != 0:
			t.Errorf("%s is interrupted and has %d artifacts", id, len(turn.Artifacts))
		case turn.Outcome != "answer" && turn.Outcome != session.Interrupted:
			t.Errorf("%s reads %q", id, turn.Outcome)
		}
	}
	steps, cut := 0, 0
	for id, n := range stepped {
		turn := stored[id]
		if steps += n; turn.Outcome == "answer" { // its trace took their place
			continue
		}
		if cut += n; len(turn.Trace) < n || len(turn.Trace) > n+1 { // one may have been stored and not said
			t.Errorf("%s has %d steps, %d were acknowledged", id, len(turn.Trace), n)
		}
		for k, s := range turn.Trace {
			if s.Name != fmt.Sprint("step_", k) || s.Status != "done" || s.Output == "" {
				t.Errorf("%s: step %d is %+v", id, k, s)
			}
		}
	}
	var left int
	if err := m.read.QueryRow(`SELECT count(*) FROM step`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d steps are left over, %v", left, err)
	}
	if cut < rounds {
		t.Errorf("only %d steps of requests that were cut off: the test has no teeth", cut)
	}
	// A killed process may have stored what it had no time to say: a begin and a finish at most.
	if extra := len(stored) - len(begun); extra < 0 || extra > rounds {
		t.Errorf("%d stored, %d acknowledged", len(stored), len(begun))
	}
	if len(begun) < rounds {
		t.Errorf("only %d requests in %d rounds: the test has no teeth", len(begun), rounds)
	}
	t.Logf("%d rounds, %d begun, %d finished, %d steps, %d of them of requests that were cut off", rounds, len(begun), len(finished), steps, cut)
}

// killAfter runs a victim, kills it while it works on, after it acknowledged n things, and notes all that it acknowledged.
func killAfter(t *testing.T, path string, round, n int, begun, recorded, finished map[string]bool, stepped map[string]int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), victimEnv+"="+path, fmt.Sprint("ASSAY_KILL_ROUND=", round))
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, id, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "begun":
			begun[id] = true
		case "recorded":
			recorded[id] = true
		case "stepped":
			stepped[id]++
		case "finished":
			finished[id] = true
		default:
			t.Errorf("round %d: %s", round, lines.Text())
		}
		if seen++; seen == n {
			child.Process.Kill()
		}
	}
	child.Wait()
}
