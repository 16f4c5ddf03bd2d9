package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
)

// told asks the sample the questions of a session that has everything: answers of every shape, a refusal, a question back, another version of a turn, a view,
// feedback, a statement, an explanation.
func told(t *testing.T, w *Workspace) string {
	t.Helper()
	ctx := t.Context()
	const id = "a-session"
	var first, last *analyst.Answer
	for _, r := range []analyst.Request{
		{Question: "revenue by category"},
		{Question: "and by month"},
		{Question: "only 1997"},
		{Question: "what is the weather"},
		{Question: "sales"},
		{Question: "top 5 customers by revenue in 1997"},
		{Question: "list customers with phone and contact name"},
		{Question: "biggest customers"},
		{SQL: "SELECT CompanyName, ContactName, Phone, 1.50 AS price FROM customers ORDER BY 1 LIMIT 3"},
		{Question: "revenue by month", Explain: true},
		{Question: "actually, I meant orders"},
	} {
		r.SessionID = id
		a, err := w.Ask(ctx, r, nil)
		if err != nil {
			t.Fatalf("%+v: %s", r, fault.Detail(err))
		}
		if first == nil {
			first = a
		}
		last = a
	}
	if _, err := w.Ask(ctx, analyst.Request{Question: "freight by category", SessionID: id, InsteadOf: first.RequestID}, nil); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := w.ChooseVersion(ctx, first.RequestID); err != nil {
		t.Fatal(err)
	}
	if err := w.SaveView(ctx, first.RequestID, session.View{Show: "table", Pinned: true, Title: "Mine"}); err != nil {
		t.Fatal(err)
	}
	f := session.Feedback{Thumb: "down", Reason: "", Words: "no", Serious: true, At: noon()}
	if err := w.memory.SaveFeedback(ctx, last.RequestID, "me", &f, nil, analyst.Record{Kind: analyst.AuditOpened, RequestID: last.RequestID, Body: []byte("{}")}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	return id
}

func exported(t *testing.T, w *Workspace, id string, c SessionChoice) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.assay")
	err := WriteWhole(path, func(f *os.File) error {
		_, err := w.ExportSession(context.Background(), id, c, f)
		return err
	})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return path
}

func imported(t *testing.T, w *Workspace, path string) *session.Document {
	t.Helper()
	a, err := w.ImportSession(context.Background(), path)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	d, err := w.memory.Session(context.Background(), a.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// plain is a document as its cards show it: without the names that differ, and without what does not travel.
func plain(t *testing.T, d *session.Document) []map[string]any {
	t.Helper()
	raw, err := json.Marshal(d.Turns)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{d.ID, "SESSION"}
	for i, turn := range d.Turns {
		names = append(names, turn.RequestID, "REQUEST"+string(rune('a'+i)))
	}
	dec := json.NewDecoder(strings.NewReader(strings.NewReplacer(names...).Replace(string(raw))))
	dec.UseNumber()
	var turns []map[string]any
	if err := dec.Decode(&turns); err != nil {
		t.Fatal(err)
	}
	for _, turn := range turns {
		if turn["status"] == "pending_acceptance" {
			turn["status"] = "completed"
		}
		delete(turn, "elsewhere") // where it came from is not what it says
		withLists(turn)
		if a, is := turn["answer"].(map[string]any); is {
			a["acceptance"], a["escalation"] = nil, nil
			if a["status"] == "pending_acceptance" {
				a["status"] = "completed"
			}
		}
	}
	return turns
}

// withLists writes the lists as empty that answers to statements leave out, and what is simulated.
func withLists(x any) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			withLists(y)
		}
	case map[string]any:
		for key, y := range x {
			if y == nil && (key == "reasons" || key == "served_by") {
				x[key] = []any{}
			}
			if y == nil && key == "source_epochs" {
				x[key] = map[string]any{}
			}
			withLists(y)
		}
	}
}

func same(t *testing.T, want, got []map[string]any) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d turns of %d", len(got), len(want))
	}
	for i := range want {
		for key := range want[i] {
			if !reflect.DeepEqual(want[i][key], got[i][key]) {
				a, _ := json.Marshal(want[i][key])
				b, _ := json.Marshal(got[i][key])
				t.Errorf("turn %d: %s\n%s\nwant\n%s", i+1, key, b, a)
			}
		}
	}
}

// TestSessionTravels exports in one profile and imports in another that has none of the data: every card is the same.
func TestSessionTravels(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	d, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]bool{}
	for _, turn := range d.Turns {
		outcomes[turn.Outcome] = true
	}
	for _, o := range []string{"answer", "clarify", "refuse"} {
		if !outcomes[o] {
			t.Errorf("no turn of the session came to %s", o)
		}
	}
	elsewhere := openTarget(t, Target{Dir: filepath.Join(t.TempDir(), "empty"), Create: true}, t.TempDir())
	path := exported(t, w, id, SessionChoice{Sign: true, Signer: "Mary Major", Model: true})
	got := imported(t, elsewhere, path)
	same(t, plain(t, d), plain(t, got))
	if got.ID == d.ID || got.Imported == nil || got.Imported.Signature != session.SignatureValid || got.Imported.Signer != "Mary Major" || got.Imported.SessionID != id {
		t.Errorf("%s, %+v", got.ID, got.Imported)
	}

	var alone bytes.Buffer
	if err := w.SessionJSON(t.Context(), id, &alone); err != nil {
		t.Fatal(fault.Detail(err))
	}
	bare := write(t, t.TempDir(), "session.json", alone.String())
	same(t, plain(t, d), plain(t, imported(t, elsewhere, bare)))

	p, err := elsewhere.PreviewSession(t.Context(), path)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if len(p.Turns) != len(d.Turns) || len(p.Missing) == 0 || p.SameModel || p.Own || p.Signature != session.SignatureValid || len(p.Already) != 1 || p.Already[0] != got.ID || len(p.Model) == 0 {
		t.Errorf("%+v", p)
	}
	if p, err = w.PreviewSession(t.Context(), path); err != nil || !p.Own || !p.SameModel || len(p.Missing)+len(p.Differ) != 0 || p.Frames == 0 || p.Rows == 0 {
		t.Errorf("%+v %v", p, err)
	}
}

// TestClearedTurnsTravelAsCleared exports a session whose conversation was cleared, with rows masked too: the marks are kept, and a fork of what was
// imported asks on from what stands.
func TestClearedTurnsTravelAsCleared(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	if c, err := w.memory.Clear(t.Context(), id); err != nil || c.Turns != 11 {
		t.Fatalf("%+v %v", c, err)
	}
	a, err := w.Ask(t.Context(), analyst.Request{Question: "and by month", SessionID: id}, nil)
	if err != nil || a.Outcome != analyst.OutcomeRefuse || len(a.Understood.Carried) > 0 {
		t.Errorf("something was carried over from what was cleared: %+v %v", a, err)
	}
	for _, q := range []string{"revenue by country", "only 1997"} {
		if a, err = w.Ask(t.Context(), analyst.Request{Question: q, SessionID: id}, nil); err != nil || a.Outcome != analyst.OutcomeAnswer {
			t.Fatalf("%+v %v", a, err)
		}
	}
	state, err := w.SessionState(t.Context(), id)
	if err != nil || state.Turns.Cleared != 11 || state.Turns.All != 3 || state.Turns.Versions != 1 || len(state.State.Choices) > 0 || len(state.State.Corrections) > 0 {
		t.Errorf("%+v %v", state, err)
	}
	d, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range []SessionChoice{{}, {Frames: session.FramesMasked}} {
		got := imported(t, w, exported(t, w, id, choice))
		for i, turn := range got.Turns {
			if (turn.Archived != nil) != (i < 12) || turn.Archived != nil && !turn.Archived.Equal(*d.Turns[i].Archived) {
				t.Errorf("turn %d: %v", turn.Index, turn.Archived)
			}
		}
		fork, err := w.Fork(t.Context(), got.ID, memory.ForkAt{})
		if err != nil || fork.Turn != 15 {
			t.Fatalf("%+v %v", fork, err)
		}
		if a, err = w.Ask(t.Context(), analyst.Request{Question: "only Germany", SessionID: fork.SessionID}, nil); err != nil || a.Outcome != analyst.OutcomeAnswer || len(a.Frame.Rows) != 1 {
			t.Errorf("%+v %v", a, err)
		}
	}
	report, err := w.Replay(t.Context(), id, ReplayOptions{}, nil)
	if err != nil || report.Differ+report.Failed != 0 {
		t.Errorf("%+v %v", report, err)
	}
}

// TestImportedSessionIsRead keeps anything from happening in a session that came with a file.
func TestImportedSessionIsRead(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	path := exported(t, w, told(t, w), SessionChoice{})
	first, second := imported(t, w, path), imported(t, w, path)
	if first.ID == second.ID {
		t.Error("two imports are one session")
	}
	_, err := w.Ask(t.Context(), analyst.Request{Question: "revenue by country", SessionID: first.ID}, nil)
	if fault.CodeOf(err) != fault.Conflict || !strings.Contains(err.Error(), "Fork it first") {
		t.Errorf("%v", err)
	}
	if waiting, err := w.memory.Waiting(t.Context(), first.ID); err != nil || len(waiting) > 0 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	for _, turn := range first.Turns {
		if s, err := w.memory.Standing(t.Context(), turn.RequestID); err != nil || s.Stage != analyst.StageClose || s.Settled == "" {
			t.Errorf("%+v %v", s, err)
		}
	}
	fork, err := w.Fork(t.Context(), first.ID, memory.ForkAt{Turn: 3})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	a, err := w.Ask(t.Context(), analyst.Request{Question: "revenue by country", SessionID: fork.SessionID}, nil)
	if err != nil || a.Outcome != analyst.OutcomeAnswer {
		t.Errorf("%v %v", a, err)
	}
	d, err := w.memory.Session(t.Context(), fork.SessionID)
	if err != nil || d.Imported != nil || d.Origin == nil || d.Origin.SessionID != first.ID {
		t.Errorf("%+v %v", d, err)
	}
	heads, err := w.memory.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, h := range heads {
		if h.Imported {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d sessions read imported", n)
	}
}

func TestSessionWithoutFrames(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	c, err := w.SessionContents(t.Context(), id, SessionChoice{Frames: session.FramesNone})
	if err != nil || c.Frames != 0 || c.Rows != 0 || c.Turns != 12 || !c.SQL || len(c.Tables) == 0 || len(c.Personal) == 0 || c.Sentences < 6 {
		t.Errorf("%+v %v", c, err)
	}
	d := imported(t, w, exported(t, w, id, SessionChoice{Frames: session.FramesNone}))
	for _, turn := range d.Turns {
		var a analyst.Answer
		if err := json.Unmarshal(turn.Answer, &a); err != nil {
			t.Fatal(err)
		}
		if a.Frame != nil && (len(a.Frame.Rows) != 0 || a.Frame.Truncated == nil) {
			t.Errorf("%s: %d rows, %+v", turn.Question, len(a.Frame.Rows), a.Frame.Truncated)
		}
	}
}

// TestMaskedSessionNamesNobody looks for every personal value of the customers in all bytes of what was imported.
func TestMaskedSessionNamesNobody(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	if _, err := w.Ask(t.Context(), analyst.Request{Question: "orders of the customer whose contact name is Maria Anders, call 030-0074321 or maria@anders.de", SessionID: id}, nil); err != nil {
		t.Fatal(err)
	}
	c, err := w.SessionContents(t.Context(), id, SessionChoice{Frames: session.FramesMasked})
	if err != nil || len(c.Personal) == 0 {
		t.Fatalf("%+v %v", c, err)
	}
	d := imported(t, w, exported(t, w, id, SessionChoice{Frames: session.FramesMasked}))
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"Maria Anders", "Ana Trujillo", "Antonio Moreno", "030-0074321", "(5) 555-4729", "maria@anders.de"} {
		if bytes.Contains(raw, []byte(value)) {
			at := bytes.Index(raw, []byte(value))
			t.Errorf("%q: %s", value, raw[max(0, at-200):min(len(raw), at+100)])
		}
	}
	whole, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	same(t, plain(t, whole)[:1], plain(t, d)[:1])
}
