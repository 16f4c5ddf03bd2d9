package evals_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/session"
	"assay/backend/workspace"
)

// replayedIn and replayedBy tell another process of this test the data folder in which sessions were recorded, and the file for its reports.
const (
	replayedIn = "ASSAY_EVALS_REPLAY_IN"
	replayedBy = "ASSAY_EVALS_REPLAY_BY"
)

// perSession is how many questions of an analyst make a session.
const perSession = 6

// fewestSessions are recorded where every question is asked.
const fewestSessions = 50

// TestRecordedSessionsReplay records sessions, and has a process of its own replay them, twice: every one gives the same rows, narration and chart.
func TestRecordedSessionsReplay(t *testing.T) {
	if home := os.Getenv(replayedIn); home != "" {
		write(t, os.Getenv(replayedBy), replaysOf(t, home))
		return
	}
	home := t.TempDir()
	recorded := 0
	for _, sample := range samples {
		recorded += recordSessions(t, openIn(t, sample, home), sample)
	}
	if everyNth(2) == 1 && recorded < fewestSessions {
		t.Errorf("%d sessions were recorded, want at least %d", recorded, fewestSessions)
	}
	var before map[string]session.Replay
	for round := range 2 {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("replays-%d.json", round))
		fresh := exec.Command(os.Args[0], "-test.run=^TestRecordedSessionsReplay$", "-test.timeout=30m")
		fresh.Env = append(os.Environ(), replayedIn+"="+home, replayedBy+"="+path)
		if out, err := fresh.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var reports map[string]session.Replay
		if err := json.Unmarshal(raw, &reports); err != nil {
			t.Fatal(err)
		}
		if len(reports) != recorded {
			t.Errorf("%d of %d sessions were replayed", len(reports), recorded)
		}
		judgeReplays(t, reports)
		for id, r := range reports {
			if before != nil && session.Hash(counted(r.Turns)) != session.Hash(counted(before[id].Turns)) {
				t.Errorf("session %s: the second replay tells something else than the first", id)
			}
		}
		before = reports
	}
}

func judgeReplays(t *testing.T, reports map[string]session.Replay) {
	t.Helper()
	turns, frames, beside := 0, 0, 0
	for id, r := range reports {
		for _, turn := range r.Turns {
			turns++
			if turn.Change != nil {
				frames++
			}
			if turn.Stands != session.StandsSame {
				t.Errorf("session %s, turn %d, %q: %s at %s: %s %v", id, turn.Turn, turn.Question, turn.Stands, turn.Step, turn.Words, turn.Since)
			}
			for _, s := range turn.Steps {
				if s.Stands != session.StandsSame {
					beside++
					t.Logf("session %s, turn %d, %q: step %s beside the answer: %s", id, turn.Turn, turn.Question, s.Name, s.Stands)
				}
			}
		}
	}
	if frames < turns/2 {
		t.Errorf("of %d turns only %d have a frame that was compared: the test has no teeth", turns, frames)
	}
	t.Logf("%d sessions, %d turns, %d frames compared, %d steps beside answers that were others", len(reports), turns, frames, beside)
}

// counted leaves out of replayed turns what stands beside their answers: it is given a bounded time, so that it depends on what else the machine does.
func counted(turns []session.Replayed) []session.Replayed {
	turns = slices.Clone(turns)
	for i, turn := range turns {
		turns[i].Steps = slices.DeleteFunc(slices.Clone(turn.Steps), func(s session.ReplayedStep) bool { return s.Beside })
	}
	return turns
}

func openIn(t *testing.T, sample, home string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.OpenSample(context.Background(), sample, workspace.Options{DataDir: home, Now: wallClock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// recordSessions asks the dialogues of a sample, each in a session of its own, and the questions of its analysts, some to a session. It gives how
// many sessions that made.
func recordSessions(t *testing.T, w *workspace.Workspace, sample string) int {
	t.Helper()
	var sessions [][]evalCase
	raw, err := os.ReadFile("dialogues_" + sample + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var d dialogue
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, d.Turns)
	}
	asked := readCases(t, "analysts_"+sample)
	for len(asked) > 0 {
		n := min(perSession, len(asked))
		sessions, asked = append(sessions, asked[:n]), asked[n:]
	}
	count := 0
	for i, cases := range sessions {
		if i%everyNth(4) != 0 {
			continue
		}
		count++
		for _, c := range cases {
			request := analyst.Request{Question: c.Question, SessionID: fmt.Sprintf("%s-%d", sample, i), Now: c.Now}
			if _, err := w.Ask(context.Background(), request, nil); err != nil {
				t.Fatalf("%q: %v", c.Question, err)
			}
		}
	}
	return count
}

// replaysOf replays every session that was recorded in a data folder.
func replaysOf(t *testing.T, home string) map[string]session.Replay {
	t.Helper()
	reports := map[string]session.Replay{}
	for _, sample := range samples {
		w := openIn(t, sample, home)
		heads, err := w.Memory().Sessions(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range heads {
			r, err := w.Replay(context.Background(), h.ID, workspace.ReplayOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.At = time.Time{}
			for i := range r.Turns {
				r.Turns[i].Comparison = nil
			}
			reports[h.ID] = r
		}
	}
	return reports
}
