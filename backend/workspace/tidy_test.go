package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/rules"
	"assay/backend/session"
)

// filesWith lists the files of a workspace that have a text in their bytes, whatever its case.
func filesWith(t *testing.T, w *Workspace, what string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(w.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(raw), []byte(strings.ToLower(what))) {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A session that is removed for good is nowhere in the folder of its workspace: not in the memory and its log, nor in results that were opened. The audit log keeps its
// rows, in which personal values never stood; a golden query that was kept stays.
func TestPurgedSessionIsNowhereInTheFolder(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	ctx := t.Context()
	const id, mail, word, value = "a-session", "zebra.quagga@example.org", "okapidodo", "Quaggavalue"
	ask := func(r analyst.Request) *analyst.Answer {
		t.Helper()
		r.SessionID = id
		a, err := w.Ask(ctx, r, nil)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return a
	}
	first := ask(analyst.Request{Question: "revenue by category", Memo: "- " + word + " = 1997"})
	ask(analyst.Request{Question: "orders of " + mail + " in 1997"})
	statement := ask(analyst.Request{SQL: "SELECT CompanyName, '" + value + "' AS label, '" + mail + "' AS mail FROM customers ORDER BY 1 LIMIT 3"})
	if statement.Outcome != analyst.OutcomeAnswer {
		t.Fatalf("%+v", statement)
	}
	if _, err := w.OpenAnswer(ctx, statement.RequestID); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := w.SaveView(ctx, first.RequestID, session.View{Show: "table", Title: word + " " + mail}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Say(ctx, analyst.Word{RequestID: first.RequestID, On: analyst.OnAccepted, How: analyst.HowExplicit}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, _, err := w.Opine(ctx, analyst.Opinion{RequestID: first.RequestID, Feedback: &session.Feedback{Thumb: "down", Reason: "other", Words: "ask " + mail}}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	golden, err := w.KeepGolden(ctx, first.RequestID, "", rules.Caller{})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, err := w.Replay(ctx, id, ReplayOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	fork, err := w.Fork(ctx, id, memory.ForkAt{})
	if err != nil {
		t.Fatal(err)
	}
	for _, canary := range []string{mail, word, value} {
		if len(filesWith(t, w, canary)) == 0 {
			t.Fatalf("the test has no teeth: %s is nowhere", canary)
		}
	}
	if found := filesWith(t, w, value); !strings.Contains(strings.Join(found, " "), "results") {
		t.Fatalf("no result was opened: %v", found)
	}
	for _, gone := range []string{fork.SessionID, id} {
		if _, err := w.PurgeSession(ctx, gone); err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	for _, canary := range []string{mail, word, value} {
		if found := filesWith(t, w, canary); len(found) > 0 {
			t.Errorf("%s stands in %v", canary, found)
		}
	}
	if v, err := w.memory.VerifyAudit(ctx); err != nil || !v.Valid {
		t.Errorf("%+v %v", v, err)
	}
	rows, err := w.memory.Audit(ctx, memory.AuditFilter{SessionID: id})
	if err != nil || len(rows) < 6 {
		t.Errorf("%d rows are left in the audit log, %v", len(rows), err)
	}
	goldens, err := w.memory.Goldens(ctx)
	if err != nil || len(goldens) != 1 || goldens[0].ID != golden.ID || goldens[0].RequestID != "" || goldens[0].FrameQL == "" {
		t.Errorf("%+v %v", goldens, err)
	}
	if n := w.nearest(ctx, rules.Actor{ID: golden.Owner}, "revenue by category", ""); n.Similarity < 0.99 {
		t.Errorf("the golden query is not found: %+v", n)
	}
	if _, err := w.PurgeSession(ctx, id); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
}

// wall is a clock that a test sets. What works in the background reads it meanwhile.
type wall struct {
	mu sync.Mutex
	at time.Time
}

func (c *wall) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *wall) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// wallOf opens the sample by a clock that a test sets.
func wallOf(t *testing.T, home string, clock *wall, limit int64) *Workspace {
	t.Helper()
	w, err := Open(context.Background(), Target{}, Options{DataDir: home, Now: clock.now, MemoryLimit: limit})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return w
}

// Sessions that were not used for as long as their person keeps them go: when the workspace opens, and every day while it is open.
func TestUnusedSessionsGoWithTime(t *testing.T) {
	home, clock := t.TempDir(), &wall{at: noon()}
	w := wallOf(t, home, clock, 0)
	ask := func(id, question string) *analyst.Answer {
		t.Helper()
		a, err := w.Ask(t.Context(), analyst.Request{Question: question, SessionID: id}, nil)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return a
	}
	listed := func() (heads map[string]*time.Time) {
		t.Helper()
		all, err := w.memory.Sessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		heads = map[string]*time.Time{}
		for _, h := range all {
			heads[h.ID] = h.Expires
		}
		return heads
	}
	days := func(n int) { clock.forward(time.Duration(n) * 24 * time.Hour) }
	ask("old", "revenue by category where quaggaword")
	pinned := ask("pinned", "revenue by country")
	if err := w.SaveView(t.Context(), pinned.RequestID, session.View{Show: "table", Pinned: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	days(84)
	w = wallOf(t, home, clock, 0)
	if heads := listed(); heads["old"] == nil || heads["pinned"] != nil {
		t.Errorf("%v", heads)
	}
	last := w.tidyAfter(t.Context(), clock.now())
	days(8)
	if again := w.tidyAfter(t.Context(), last); !again.Equal(clock.now()) {
		t.Errorf("nothing was done after a week: %v", again)
	}
	if heads := listed(); len(heads) != 1 {
		t.Errorf("%v", heads)
	}
	if found := filesWith(t, w, "quaggaword"); len(found) > 0 {
		rows, err := w.memory.Audit(t.Context(), memory.AuditFilter{SessionID: "old"})
		kept := ""
		for _, r := range rows {
			kept += string(r.Body)
		}
		if err != nil || !strings.Contains(kept, "quaggaword") {
			t.Errorf("it stands in %v, %v", found, err)
		}
	}

	// Who keeps sessions for a week is told at once what goes.
	ask("new", "revenue by month")
	days(3)
	s := w.Settings()
	s.Keep.HistoryDays = 7
	if w.Settings().Keep.HistoryDays != 90 {
		t.Error("settings that were not kept hold")
	}
	if _, err := w.Choose(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if heads := listed(); heads["new"] == nil || !heads["new"].Equal(clock.now().Add(7*24*time.Hour)) {
		t.Errorf("%v", heads)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	days(7)
	w = wallOf(t, home, clock, 0)
	if heads := listed(); len(heads) != 1 || w.Settings().Keep.HistoryDays != 7 {
		t.Errorf("%v %+v", heads, w.Settings().Keep)
	}
	s.Keep = nil // what is left out stays as it is
	if kept, err := w.Choose(t.Context(), s); err != nil || kept.Keep.HistoryDays != 7 {
		t.Errorf("%+v %v", kept.Keep, err)
	}
	s.Keep = &Keep{HistoryDays: -1}
	if _, err := w.Choose(t.Context(), s); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// An answer whose rows were let go is read, exported, taken in elsewhere, replayed and forked as before, and asking it again brings them back.
func TestAnswersWithoutTheirRowsStay(t *testing.T) {
	home, clock := t.TempDir(), &wall{at: noon()}
	w := wallOf(t, home, clock, 0)
	defer func() { w.Close() }()
	id := told(t, w)
	d, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := w.memory.Prune(t.Context(), 1); err != nil || p.Answers == 0 {
		t.Fatalf("%+v %v", p, err)
	}
	less, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	let, again := 0, ""
	for i, turn := range less.Turns {
		a := answerOf(t, turn)
		was := answerOf(t, d.Turns[i])
		if a.Frame == nil || a.Frame.LetGo == nil {
			continue
		}
		let++
		if turn.FrameQL != "" {
			again = turn.RequestID
		}
		if len(a.Frame.Rows) > 0 || a.Frame.Truncated.TotalRows < len(was.Frame.Rows) || a.Frame.SQL != was.Frame.SQL || turn.FrameQL != d.Turns[i].FrameQL ||
			a.Narration != nil && a.Narration.Text != was.Narration.Text || a.Verification != nil && a.Verification.Level != was.Verification.Level {
			t.Errorf("%s: %+v", turn.Question, a.Frame)
		}
		if turn.Outcome == "answer" && turn.FrameQL != "" {
			if x, err := w.OpenAnswer(t.Context(), turn.RequestID); err != nil || x.Rows != int64(a.Frame.Truncated.TotalRows) {
				t.Errorf("%s: %+v %v", turn.Question, x, err)
			}
		}
	}
	if let < 5 {
		t.Errorf("%d answers let their rows go", let)
	}
	got := imported(t, w, exported(t, w, id, SessionChoice{}))
	for i, turn := range got.Turns {
		a, here := answerOf(t, turn), answerOf(t, less.Turns[i])
		if here.Frame != nil && here.Frame.LetGo != nil && (a.Frame.LetGo == nil || !a.Frame.LetGo.Equal(*here.Frame.LetGo)) {
			t.Errorf("%s: %+v", turn.Question, a.Frame)
		}
	}
	if _, err := w.ImportSession(t.Context(), exported(t, w, got.ID, SessionChoice{Frames: session.FramesNone})); err != nil {
		t.Error(fault.Detail(err))
	}
	without := imported(t, w, exported(t, w, id, SessionChoice{Frames: session.FramesNone}))
	if _, err := w.ImportSession(t.Context(), exported(t, w, without.ID, SessionChoice{})); err != nil {
		t.Errorf("what came without rows is handed on: %s", fault.Detail(err))
	}
	report, err := w.Replay(t.Context(), id, ReplayOptions{}, nil)
	if err != nil || report.Differ+report.Failed > 0 {
		t.Errorf("%+v %v", report, err)
	}
	if h, err := w.AskAgain(t.Context(), again); err != nil || h.Stands != session.HoldingHolds || h.Change != nil {
		t.Errorf("whether it holds: %+v %v", h, err)
	}
	a, err := w.Ask(t.Context(), analyst.Request{FrameQL: answerOf(t, find(t, less, again)).Understood.FrameQL, SessionID: id, InsteadOf: again}, nil)
	if err != nil || a.Frame == nil || len(a.Frame.Rows) == 0 || a.Frame.LetGo != nil {
		t.Errorf("%+v %v", a, err)
	}
}

func answerOf(t *testing.T, turn session.Turn) analyst.Answer {
	t.Helper()
	var a analyst.Answer
	if err := json.Unmarshal(turn.Answer, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func find(t *testing.T, d *session.Document, requestID string) session.Turn {
	t.Helper()
	for _, turn := range d.Turns {
		if turn.RequestID == requestID {
			return turn
		}
	}
	t.Fatalf("no request %s", requestID)
	return session.Turn{}
}
