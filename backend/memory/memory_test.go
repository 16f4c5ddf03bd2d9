package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// clock is a wall clock that moves only when it is told to.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func open(t *testing.T, path string) *Memory {
	t.Helper()
	m, err := Open(t.Context(), Options{Path: path, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatalf("open: %v (%s)", err, fault.Detail(err))
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func fresh(t *testing.T) *Memory {
	return open(t, filepath.Join(t.TempDir(), "a folder", "memory.sqlite"))
}

// at is a fresh memory with a clock that is told what time it is.
func at(t *testing.T, c *clock) *Memory {
	t.Helper()
	m, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.sqlite"), Now: c.now})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func request(id, sessionID, question string) analyst.Stored {
	return analyst.Stored{RequestID: id, SessionID: sessionID, Question: question, Actor: "ada", Asked: noon, Overrides: map[string]string{"confirm": "first"}, Given: given}
}

var given = session.Given{As: session.AsQuestion, Now: &noon, Memo: "GPM = 1", Mind: session.Embedded, Criticality: "normal", MaxRows: 10}

func turn(sessionID string, index int) session.Turn {
	s := session.Stack{SessionID: sessionID, Turn: index}
	s.Push(session.KindFrame, "Revenue", map[string]any{"rows": [][]any{{"Beverages", 1.5}}}, noon)
	s.Push(session.KindNarration, "Revenue", session.Narration{Text: "Größte", Citations: []session.Citation{}}, noon)
	return session.Turn{
		Outcome: string(analyst.OutcomeAnswer), Status: "completed", FrameQL: "SELECT revenue AT category",
		Answer: json.RawMessage(`{"outcome":"answer","n":12345678901234567890.5}`), Artifacts: s.Artifacts,
		Said:   json.RawMessage(`{"follow":{"kinds":["PERIOD"]}}`),
		Trace:  []session.Step{{Name: "intake", Status: "done", Started: noon, TookMS: 1.5}},
		MadeBy: &session.MadeBy{Program: "1", Mind: session.Embedded, Model: "sha256:1", Clock: noon, Context: []int{}},
	}
}

func code(t *testing.T, err error, want fault.Code, words string) {
	t.Helper()
	if fault.CodeOf(err) != want || err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "[memory.") {
		t.Errorf("error %v (code %q), want code %q and %q", err, fault.CodeOf(err), want, words)
	}
}

func TestATurnComesBackAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m := open(t, path)
	index, err := m.Begin(t.Context(), request("r1", "s1", "revenue by category"))
	if err != nil || index != 1 {
		t.Fatalf("turn %d, %v", index, err)
	}
	want := turn("s1", 1)
	if err := m.Finish(t.Context(), "r1", analyst.Closing{Turn: want}); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}

	m = open(t, path) // after a restart
	d, err := m.Session(t.Context(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	if d.Title != "revenue by category" || !d.Created.Equal(noon) || len(d.Turns) != 1 {
		t.Fatalf("document %+v", d)
	}
	want.Index, want.Place, want.Chosen = 1, 1, true
	want.RequestID, want.Question, want.Asked, want.Given = "r1", "revenue by category", noon, &given
	if got := d.Turns[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("turn\n got %+v\nwant %+v", got, want)
	}
	sessionID, found, err := m.Find(t.Context(), "r1")
	if err != nil || sessionID != "s1" || !reflect.DeepEqual(found, want) {
		t.Errorf("found %+v in %q, %v", found, sessionID, err)
	}
	spoken, err := m.Conversation(t.Context(), "s1", 0)
	if err != nil || len(spoken) != 1 || spoken[0].FrameQL != want.FrameQL || string(spoken[0].Said) != string(want.Said) {
		t.Errorf("conversation %+v, %v", spoken, err)
	}
}

func TestTurnsCountUpAndOnlyOutcomesAreSpokenOfAgain(t *testing.T) {
	m := fresh(t)
	for i, outcome := range []string{"answer", "refuse", session.Failed} {
		id := fmt.Sprint("r", i)
		index, err := m.Begin(t.Context(), request(id, "s", "q"))
		if err != nil || index != i+1 {
			t.Fatalf("turn %d, %v", index, err)
		}
		done := turn("s", index)
		done.Outcome, done.FrameQL = outcome, "Q"+id
		done.Fault = &session.Fault{Code: "internal", Message: "no", Hint: "again"}
		if err := m.Finish(t.Context(), id, analyst.Closing{Turn: done}); err != nil {
			t.Fatal(err)
		}
	}
	spoken, err := m.Conversation(t.Context(), "s", 0)
	if err != nil || len(spoken) != 2 || spoken[0].FrameQL != "Qr0" || spoken[1].Outcome != "refuse" {
		t.Errorf("conversation %+v, %v", spoken, err)
	}
	if spoken, err := m.Conversation(t.Context(), "another", 0); err != nil || len(spoken) > 0 {
		t.Errorf("conversation of an unknown session %+v, %v", spoken, err)
	}
	_, last, err := m.Find(t.Context(), "r2")
	if err != nil || last.Fault == nil || last.Fault.Hint != "again" {
		t.Errorf("fault %+v, %v", last.Fault, err)
	}
}

func TestRequestFaults(t *testing.T) {
	m := fresh(t)
	if _, err := m.Begin(t.Context(), request("r", "s", "q")); err != nil {
		t.Fatal(err)
	}
	_, err := m.Begin(t.Context(), request("r", "other", "q"))
	code(t, err, fault.Conflict, "r is stored already")
	if heads, _ := m.Sessions(t.Context()); len(heads) != 1 {
		t.Errorf("a refused request left a session: %+v", heads)
	}
	code(t, m.Finish(t.Context(), "unknown", analyst.Closing{Turn: turn("s", 1)}), fault.NotFound, "no request unknown")
	if err := m.Finish(t.Context(), "r", analyst.Closing{Turn: turn("s", 1)}); err != nil {
		t.Fatal(err)
	}
	code(t, m.Finish(t.Context(), "r", analyst.Closing{Turn: turn("s", 1)}), fault.Conflict, "finished already")
	_, _, err = m.Find(t.Context(), "unknown")
	code(t, err, fault.NotFound, "no request unknown")
	_, err = m.Session(t.Context(), "unknown")
	code(t, err, fault.NotFound, "no session unknown")

	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err = m.Begin(stopped, request("r2", "s", "q"))
	code(t, err, fault.Canceled, "stopped")
	m.Close()
	_, err = m.Begin(t.Context(), request("r3", "s", "q"))
	code(t, err, fault.Unavailable, "closed")
}

func TestSessionsAreListedRenamedDeletedAndRestored(t *testing.T) {
	c := &clock{t: noon}
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m, err := Open(t.Context(), Options{Path: path, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"first", "second"} {
		r := request(fmt.Sprint("r", i), id, "question of "+id)
		r.Asked = noon.Add(time.Duration(i) * time.Minute)
		if _, err := m.Begin(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	titles := func() string {
		heads, err := m.Sessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, h := range heads {
			all = append(all, fmt.Sprintf("%s:%d", h.Title, h.Turns))
		}
		return strings.Join(all, " | ")
	}
	if got := titles(); got != "question of second:1 | question of first:1" {
		t.Errorf("sessions %q", got)
	}
	if err := m.Rename(t.Context(), "first", "  Board\nmeeting "); err != nil {
		t.Fatal(err)
	}
	code(t, m.Rename(t.Context(), "first", " "), fault.Invalid, "title")
	code(t, m.Rename(t.Context(), "unknown", "x"), fault.NotFound, "unknown")
	if err := m.Delete(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	code(t, m.Delete(t.Context(), "second"), fault.NotFound, "second")
	if got := titles(); got != "Board meeting:1" {
		t.Errorf("sessions %q", got)
	}
	_, err = m.Session(t.Context(), "second")
	code(t, err, fault.NotFound, "second")
	if err := m.Restore(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	code(t, m.Restore(t.Context(), "second"), fault.NotFound, "second")
	if _, err := m.Session(t.Context(), "second"); err != nil {
		t.Errorf("restored: %v", err)
	}

	// Asking in a deleted session starts it anew; what was deleted stays gone.
	if err := m.Delete(t.Context(), "first"); err != nil {
		t.Fatal(err)
	}
	if index, err := m.Begin(t.Context(), request("r9", "first", "another")); err != nil || index != 1 {
		t.Fatalf("turn %d, %v", index, err)
	}

	// After 30 days a deleted session is forgotten.
	if err := m.Delete(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	m.Close()
	c.forward(31 * 24 * time.Hour)
	if m, err = Open(t.Context(), Options{Path: path, Now: c.now}); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	code(t, m.Restore(t.Context(), "second"), fault.NotFound, "second")
	if got := titles(); got != "another:1" {
		t.Errorf("sessions %q", got)
	}
}

func TestManyWritersLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	const memories, writers, each = 3, 4, 5
	var wait sync.WaitGroup
	for p := range memories {
		m := open(t, path) // its own connections, as another process would have
		for w := range writers {
			wait.Go(func() {
				for i := range each {
					id := fmt.Sprintf("r%d-%d-%d", p, w, i)
					index, err := m.Begin(t.Context(), request(id, "shared", "q"))
					if err == nil {
						err = m.Finish(t.Context(), id, analyst.Closing{Turn: turn(id, index)})
					}
					if err != nil {
						t.Errorf("%s: %s", id, fault.Detail(err))
					}
				}
			})
		}
	}
	wait.Wait()
	d, err := open(t, path).Session(t.Context(), "shared")
	if err != nil || len(d.Turns) != memories*writers*each {
		t.Fatalf("%v, %d turns", err, len(d.Turns))
	}
	for i, turn := range d.Turns {
		if turn.Index != i+1 || turn.Outcome != "answer" || len(turn.Artifacts) != 2 {
			t.Errorf("turn %d: index %d, outcome %q, %d artifacts", i, turn.Index, turn.Outcome, len(turn.Artifacts))
		}
	}
}

func TestTheFileIsForOneUserOnly(t *testing.T) {
	m := fresh(t)
	if _, err := m.Begin(t.Context(), request("r", "s", "q")); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(m.Path() + suffix)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%q: mode %v, %v", suffix, info.Mode(), err)
		}
	}
}

func TestPinnedSessionsComeFirstAndArchivedOnesAreMarked(t *testing.T) {
	m := fresh(t)
	for i, id := range []string{"a", "b", "c"} {
		r := request(fmt.Sprint("r", i), id, "question of "+id)
		r.Asked = noon.Add(time.Duration(i) * time.Minute)
		if _, err := m.Begin(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	order := func() string {
		heads, err := m.Sessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, h := range heads {
			mark := map[[2]bool]string{{true, false}: "+", {false, true}: "-", {true, true}: "?"}[[2]bool{h.Pinned, h.Archived}]
			all = append(all, h.ID+mark)
		}
		return strings.Join(all, " ")
	}
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return m.Pin(t.Context(), "a", true) }, "a+ c b"},
		{func() error { return m.Pin(t.Context(), "a", true) }, "a+ c b"},
		{func() error { return m.Archive(t.Context(), "c", true) }, "a+ c- b"},
		{func() error { return m.Archive(t.Context(), "a", true) }, "c- b a-"}, // out of sight is not before the others
		{func() error { return m.Pin(t.Context(), "c", true) }, "c+ b a-"},     // and what is before the others is in sight
		{func() error { return m.Archive(t.Context(), "a", false) }, "c+ b a"},
		{func() error { return m.Pin(t.Context(), "c", false) }, "c b a"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := order(); got != step.want {
			t.Errorf("sessions %q, want %q", got, step.want)
		}
	}
	code(t, m.Pin(t.Context(), "x", true), fault.NotFound, "x")
	code(t, m.Archive(t.Context(), "x", true), fault.NotFound, "x")
}

func TestFeedbackIsKeptChangedAndTakenBackWithItsRecord(t *testing.T) {
	m := fresh(t)
	if _, err := m.Begin(t.Context(), request("r1", "s", "q")); err != nil {
		t.Fatal(err)
	}
	record := analyst.Record{Kind: analyst.AuditFeedback, RequestID: "r1", SessionID: "s", Actor: "me", Body: []byte(`{"feedback":"negative"}`)}
	stored := func() *session.Feedback {
		d, err := m.Session(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		return d.Turns[0].Feedback
	}
	serious := func(since time.Time) []string {
		all, err := m.Serious(t.Context(), "me", since)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	said := session.Feedback{Thumb: "down", Reason: "wrong", Words: "Quotes ' and 🎈 and עברית", Serious: true, At: noon}
	if err := m.SaveFeedback(t.Context(), "r1", "me", &said, []string{"revenue", "costs"}, record); err != nil {
		t.Fatal(err)
	}
	if got := stored(); got == nil || *got != said {
		t.Errorf("stored %+v", got)
	}
	if got := serious(noon); !slices.Equal(got, []string{"costs", "revenue"}) {
		t.Errorf("serious %v", got)
	}
	if got := serious(noon.Add(time.Second)); len(got) > 0 {
		t.Errorf("serious although it is long ago: %v", got)
	}
	said.Serious, said.Words = false, ""
	if err := m.SaveFeedback(t.Context(), "r1", "me", &said, nil, record); err != nil {
		t.Fatal(err)
	}
	if got := stored(); got == nil || *got != said || len(serious(noon)) > 0 {
		t.Errorf("changed to %+v, serious %v", got, serious(noon))
	}
	if err := m.SaveFeedback(t.Context(), "r1", "me", nil, nil, record); err != nil || stored() != nil {
		t.Errorf("taken back: %v, %+v", err, stored())
	}
	entries, err := m.Audit(t.Context(), AuditFilter{RequestID: "r1"})
	if err != nil || len(entries) != 3 {
		t.Errorf("%d records, %v", len(entries), err)
	}
	code(t, m.SaveFeedback(t.Context(), "r9", "me", &said, nil, record), fault.NotFound, "r9")
}
