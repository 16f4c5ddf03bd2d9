package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/backend/session"
)

// Two windows that write one session at the same time: every turn of both is there, under a number and names of its own, and each window sees those of the other.
func TestTwoWindowsWriteOneSession(t *testing.T) {
	home := t.TempDir()
	windows := []*server{serving(t, assay(t, home, "serve")), serving(t, assay(t, home, "serve"))}
	const each = 6
	var all sync.WaitGroup
	for i, s := range windows {
		all.Go(func() {
			for n := range each {
				status, body := s.call(t, http.MethodPost, "/api/ask", fmt.Sprintf(`{"session_id":"both","question":"top %d customers by revenue in %d"}`, n+2, 1996+i))
				if status != http.StatusOK || !strings.Contains(body, `"outcome":"answer"`) {
					t.Errorf("window %d: %d %.300s", i, status, body)
				}
			}
		})
	}
	all.Wait()
	var seen [2]string
	for i, s := range windows {
		_, seen[i] = s.call(t, http.MethodGet, "/api/sessions/both", "")
	}
	var doc session.Document
	if err := json.Unmarshal([]byte(seen[0]), &doc); err != nil || seen[0] != seen[1] {
		t.Fatalf("%v; the windows see the same: %v", err, seen[0] == seen[1])
	}
	if len(doc.Turns) != 2*each {
		t.Errorf("%d turns", len(doc.Turns))
	}
	names := map[string]bool{}
	for i, turn := range doc.Turns {
		if turn.Index != i+1 || turn.Outcome != "answer" {
			t.Errorf("turn %d is %s and says it is %d", i+1, turn.Outcome, turn.Index)
		}
		for _, a := range turn.Artifacts {
			if names[a.ID] || !strings.HasPrefix(a.ID, fmt.Sprintf("art_both_%d_", turn.Index)) {
				t.Errorf("artifact %s of turn %d", a.ID, turn.Index)
			}
			names[a.ID] = true
		}
	}
	for _, s := range windows {
		s.stop(t)
	}
	if said := run(t, assay(t, home, "session", "replay", "both")).stdout; !strings.Contains(said, "12 the same, 0 differ, 0 could not") {
		t.Errorf("replayed: %s", said)
	}
}

// call asks a server as a program that has its token.
func (s *server) call(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.address()+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(raw)
}

// A session whose workspace is missing is a sentence, and nothing is made in the place of what is missing.
func TestASessionWhoseWorkspaceIsMissing(t *testing.T) {
	home, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	for _, args := range [][]string{{"show", "s1"}, {"export", "s1"}, {"replay", "s1"}, {"fork", "s1"}, {"page", "s1"}, {"delete", "s1"}, {"share", "s1"}} {
		o := run(t, assay(t, home, append([]string{"session"}, append(args, "--workspace", gone)...)...))
		o.complains(t, exitFault, "gone")
	}
	if _, err := os.Lstat(gone); err == nil {
		t.Error("a folder was made where the workspace is missing")
	}
}
