package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/analyst"
)

func decision(n int) analyst.Record {
	return analyst.Record{Kind: analyst.AuditDecision, RequestID: fmt.Sprintf("r%d", n), SessionID: "s1", Actor: "ada", Body: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))}
}

func logged(t *testing.T, path string, n int) *Memory {
	t.Helper()
	m := open(t, path)
	for i := range n {
		if err := m.Record(t.Context(), decision(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func verdict(t *testing.T, m *Memory) AuditVerdict {
	t.Helper()
	v, err := m.VerifyAudit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAuditIsAChain(t *testing.T) {
	m := fresh(t)
	if v := verdict(t, m); !v.Valid || v.Entries != 0 {
		t.Errorf("an empty log: %+v", v)
	}
	m = logged(t, filepath.Join(t.TempDir(), "memory.sqlite"), 5)
	if v := verdict(t, m); !v.Valid || v.Entries != 5 || v.First != 1 || v.Last != 5 {
		t.Errorf("%+v", v)
	}
	all, err := m.Audit(t.Context(), AuditFilter{Last: 2})
	if err != nil || len(all) != 2 || all[0].Seq != 4 || all[1].RequestID != "r5" || all[1].Prev != all[0].Hash || string(all[1].Body) != `{"n":5}` || !all[1].At.Equal(noon) {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := m.Audit(t.Context(), AuditFilter{RequestID: "r2"}); err != nil || len(all) != 1 || all[0].Seq != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAuditIsOnlyAddedTo(t *testing.T) {
	m := logged(t, filepath.Join(t.TempDir(), "memory.sqlite"), 3)
	for _, statement := range []string{
		`UPDATE audit SET actor = 'eve' WHERE seq = 2`, `DELETE FROM audit WHERE seq = 3`, `DELETE FROM audit`,
		`INSERT OR REPLACE INTO audit SELECT seq, at, kind, request, session, 'eve', body, prev, hash FROM audit WHERE seq = 2`,
	} {
		if _, err := m.write.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "only added to") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if v := verdict(t, m); !v.Valid {
		t.Errorf("%+v", v)
	}
}

// TestTamperingShows: who can write the file can take the triggers away, and still every change shows.
func TestTamperingShows(t *testing.T) {
	for name, c := range map[string]struct {
		change string
		broken int64
		words  string
	}{
		"actor":     {`UPDATE audit SET actor = 'eve' WHERE seq = 3`, 3, "not as it was written"},
		"body":      {`UPDATE audit SET body = '{"n":4}' WHERE seq = 3`, 3, "not as it was written"},
		"time":      {`UPDATE audit SET at = '2020-01-01T00:00:00.000000000Z' WHERE seq = 5`, 5, "not as it was written"},
		"hash":      {`UPDATE audit SET hash = prev WHERE seq = 2`, 2, "not as it was written"},
		"removed":   {`DELETE FROM audit WHERE seq = 4`, 4, "is missing"},
		"cut":       {`DELETE FROM audit WHERE seq > 3`, 4, "end of the audit log is missing"},
		"emptied":   {`DELETE FROM audit`, 1, "end of the audit log is missing"},
		"beginning": {`DELETE FROM audit WHERE seq < 3`, 1, "is missing"},
		"swapped":   {`UPDATE audit SET seq = CASE seq WHEN 2 THEN -3 ELSE -2 END WHERE seq IN (2, 3); UPDATE audit SET seq = -seq WHERE seq < 0`, 2, "not as it was written"},
		"retired":   {`INSERT INTO audit_retired SELECT seq, hash FROM audit WHERE seq = 2; DELETE FROM audit WHERE seq <= 2`, 3, "no entry says"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.sqlite")
			m := logged(t, path, 5)
			for _, trigger := range []string{"audit_stays", "audit_kept", "audit_retired_stays", "audit_retired_kept"} {
				if _, err := m.write.ExecContext(t.Context(), "DROP TRIGGER "+trigger); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := m.write.ExecContext(t.Context(), c.change); err != nil {
				t.Fatal(err)
			}
			if v := verdict(t, m); v.Valid || v.Broken != c.broken || !strings.Contains(v.Problem, c.words) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestRewrittenChainShows: a chain that was computed anew from some entry on is whole in itself, and not the one whose end
// was noted.
func TestRewrittenChainShows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m := logged(t, path, 4)
	noted, err := os.ReadFile(m.headFile())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.write.ExecContext(t.Context(), "DROP TRIGGER audit_kept; DELETE FROM audit WHERE seq >= 3"); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := m.Record(t.Context(), decision(10+n)); err != nil {
			t.Fatal(err)
		}
	}
	if v := verdict(t, m); !v.Valid {
		t.Fatalf("the test does not rewrite it well: %+v", v)
	}
	if err := os.WriteFile(m.headFile(), noted, 0o600); err != nil {
		t.Fatal(err)
	}
	if v := verdict(t, m); v.Valid || v.Broken != 4 {
		t.Errorf("%+v", v)
	}
	if err := os.Remove(m.headFile()); err != nil {
		t.Fatal(err)
	}
	if v := verdict(t, m); v.Valid || !strings.Contains(v.Problem, "note of the audit log's end") {
		t.Errorf("%+v", v)
	}
}

func TestOldEntriesGo(t *testing.T) {
	c := &clock{t: noon}
	m, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.sqlite"), Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for n := range 6 {
		if err := m.Record(t.Context(), decision(n+1)); err != nil {
			t.Fatal(err)
		}
		c.forward(24 * time.Hour)
	}
	for _, step := range []struct {
		before      time.Time
		went, first int64
		entries     int64
	}{
		{noon, 0, 1, 6},
		{noon.Add(48 * time.Hour), 2, 3, 5}, // the entry that says so is there instead
		{noon.Add(48 * time.Hour), 0, 3, 5},
		{noon.Add(1000 * time.Hour), 4, 7, 2},
	} {
		went, err := m.RetireAudit(t.Context(), step.before)
		if err != nil || went != step.went {
			t.Errorf("before %s: %d went, %v", step.before, went, err)
		}
		if v := verdict(t, m); !v.Valid || v.First != step.first || v.Entries != step.entries {
			t.Errorf("before %s: %+v", step.before, v)
		}
	}
	if err := m.Record(t.Context(), decision(99)); err != nil {
		t.Fatal(err)
	}
	if v := verdict(t, m); !v.Valid {
		t.Errorf("%+v", v)
	}
}

// TestManyWriteOneChain: several open memories and goroutines add to one log.
func TestManyWriteOneChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	var all sync.WaitGroup
	for range 3 {
		m := open(t, path)
		for range 3 {
			all.Go(func() {
				for n := range 10 {
					if err := m.Record(t.Context(), decision(n)); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	if v := verdict(t, open(t, path)); !v.Valid || v.Entries != 90 {
		t.Errorf("%+v", v)
	}
}

// TestClockJumps: the order of the log is that of its entries, whatever the clock says.
func TestClockJumps(t *testing.T) {
	c := &clock{t: noon}
	m, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.sqlite"), Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for n, jump := range []time.Duration{0, -365 * 24 * time.Hour, 40 * 365 * 24 * time.Hour, -time.Hour} {
		c.forward(jump)
		if err := m.Record(t.Context(), decision(n)); err != nil {
			t.Fatal(err)
		}
	}
	if v := verdict(t, m); !v.Valid || v.Entries != 4 {
		t.Errorf("%+v", v)
	}
	if went, err := m.RetireAudit(t.Context(), noon.Add(time.Second)); err != nil || went != 2 {
		t.Errorf("%d went, %v", went, err)
	}
}

// TestFullDisk: a log that cannot grow says so, nothing that was acknowledged is lost, and it goes on when there is room.
func TestFullDisk(t *testing.T) {
	m := fresh(t)
	acknowledged := 0
	if _, err := m.write.ExecContext(t.Context(), "PRAGMA max_page_count = 40"); err != nil {
		t.Fatal(err)
	}
	var failed error
	for n := 0; failed == nil && n < 1000; n++ {
		r := decision(n)
		r.Body = json.RawMessage(`"` + strings.Repeat("x", 2000) + `"`)
		if failed = m.Record(t.Context(), r); failed == nil {
			acknowledged++
		}
	}
	code(t, failed, "unavailable", "")
	if v := verdict(t, m); !v.Valid || v.Entries != int64(acknowledged) {
		t.Errorf("%d acknowledged, %+v", acknowledged, v)
	}
	if _, err := m.write.ExecContext(t.Context(), "PRAGMA max_page_count = 4000"); err != nil {
		t.Fatal(err)
	}
	if err := m.Record(t.Context(), decision(1)); err != nil {
		t.Error(err)
	}
	if v := verdict(t, m); !v.Valid {
		t.Errorf("%+v", v)
	}
}
