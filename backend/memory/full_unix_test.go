//go:build unix

package memory

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
)

// fullEnv names the memory file of a process whose files may grow no further than fullAtEnv says.
const (
	fullEnv   = "ASSAY_FULL_DISK"
	fullAtEnv = "ASSAY_FULL_AT"
)

// fill writes until nothing can be written any more, and says each thing that was acknowledged. It ends well when the fault says
// what is wrong and the memory still gives what it has.
func fill(path string) {
	at, _ := strconv.ParseUint(os.Getenv(fullAtEnv), 10, 64)
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: at, Max: at}); err != nil {
		fmt.Println("limit", err)
		os.Exit(1)
	}
	ctx := context.Background()
	m, err := Open(ctx, Options{Path: path})
	for n := 0; err == nil; n++ {
		id := fmt.Sprint("r", n)
		var index int
		if index, err = m.Begin(ctx, request(id, "s", "question "+id)); err != nil {
			break
		}
		fmt.Println("begun", id)
		if err = m.Record(ctx, analyst.Record{Kind: analyst.AuditDecision, RequestID: id, Body: []byte(`"` + strings.Repeat("x", 3000) + `"`)}); err != nil {
			break
		}
		fmt.Println("recorded", id)
		if err = m.Finish(ctx, id, analyst.Closing{Turn: turn("s", index)}); err != nil {
			break
		}
		fmt.Println("finished", id)
	}
	fmt.Println("fault", fault.CodeOf(err), err)
	if m != nil {
		if _, err := m.Sessions(ctx); err != nil {
			fmt.Println("unreadable", err)
		}
		m.Close()
	}
}

// TestFullDiskAtEveryStep fills the disk at steps of 4 KiB up to 4 MiB: each time the fault says what is wrong, nothing that
// was acknowledged is lost, the chain of the audit log holds, and it goes on when there is room again. ASSAY_FULL_STEPS sets how
// many of the 1,024 steps are taken (16), spread evenly.
func TestFullDiskAtEveryStep(t *testing.T) {
	steps := 16
	if n, err := strconv.Atoi(os.Getenv("ASSAY_FULL_STEPS")); err == nil {
		steps = min(max(n, 1), 1024)
	}
	faults := map[string]int{}
	for i := range steps {
		at := (i + 1) * 1024 / steps * 4096
		path := filepath.Join(t.TempDir(), "memory.sqlite")
		child := exec.Command(os.Args[0], "-test.run=^$")
		child.Env = append(os.Environ(), fullEnv+"="+path, fmt.Sprint(fullAtEnv, "=", at))
		out, err := child.Output()
		if err != nil {
			t.Fatalf("at %d: %v, %s", at, err, out)
		}
		begun, recorded, finished := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for line := range strings.Lines(string(out)) {
			what, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch what {
			case "begun":
				begun[rest] = true
			case "recorded":
				recorded[rest] = true
			case "finished":
				finished[rest] = true
			case "fault":
				code, _, _ := strings.Cut(rest, " ")
				faults[code]++
				if code != string(fault.Unavailable) {
					t.Errorf("at %d: %s", at, rest)
				}
			default:
				t.Errorf("at %d: %s", at, line)
			}
		}
		checkAfterFull(t, at, path, begun, recorded, finished)
	}
	t.Logf("%d steps, faults %v", steps, faults)
}

func checkAfterFull(t *testing.T, at int, path string, begun, recorded, finished map[string]bool) {
	t.Helper()
	m, err := Open(t.Context(), Options{Path: path}) // there is room again
	if err != nil {
		t.Fatalf("at %d: %s", at, fault.Detail(err))
	}
	defer m.Close()
	if err := m.Check(t.Context()); err != nil {
		t.Errorf("at %d: %v", at, err)
	}
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("at %d: %+v, %v", at, v, err)
	}
	entries, err := m.Audit(t.Context(), AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		delete(recorded, e.RequestID)
	}
	for id := range begun {
		s, err := m.Standing(t.Context(), id)
		if err != nil || finished[id] && s.Outcome != "answer" {
			t.Errorf("at %d: %s was acknowledged and reads %q, %v", at, id, s.Outcome, err)
		}
	}
	if len(recorded) > 0 {
		t.Errorf("at %d: %d records are lost", at, len(recorded))
	}
	if err := m.Record(t.Context(), analyst.Record{Kind: analyst.AuditDecision, RequestID: "after"}); err != nil {
		t.Errorf("at %d, with room again: %v", at, err)
	}
}
