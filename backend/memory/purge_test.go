package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// filesWith lists the files below a folder that have a text in their bytes.
func filesWith(t *testing.T, dir, what string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(what)) {
			all = append(all, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// secret stores a session that has a text of its own in everything that is kept of it.
func secret(t *testing.T, m *Memory, id, canary string, turns int) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	for i := 1; i <= turns; i++ {
		request := request(fmt.Sprint(id, "-", i), id, fmt.Sprint("what of ", canary, " in ", i))
		request.Overrides, request.Given.Memo = map[string]string{"note": canary}, canary
		index, err := m.Begin(t.Context(), request)
		must(err)
		s := session.Stack{SessionID: id, Turn: index}
		must(s.Push(session.KindFrame, canary, map[string]any{"rows": [][]string{{strings.Repeat(canary+" ", 400*(i%3))}}}, noon))
		must(s.Push(session.KindNarration, canary, session.Narration{Text: canary + " leads"}, noon))
		answer, err := json.Marshal(map[string]any{"frame": map[string]any{"columns": []map[string]string{{"label": canary, "role": "metric"}}, "rows": [][]string{{canary}}}})
		must(err)
		must(m.Finish(t.Context(), request.RequestID, analyst.Closing{
			Turn: session.Turn{
				Outcome: "answer", Status: "completed", FrameQL: "SELECT x WHERE y = '" + canary + "'", Answer: answer, Artifacts: s.Artifacts,
				Trace: []session.Step{{Name: "intake", Status: "done", Started: noon, Note: canary}}, Said: json.RawMessage(`{"note":"` + canary + `"}`),
			},
			Notices: []analyst.Notice{{RequestID: request.RequestID, Kind: "notable", Role: "steward", Words: canary}},
		}))
		for k := range 3 { // what is edited leaves what it was before
			must(m.SaveView(t.Context(), request.RequestID, session.View{Show: "table", Title: strings.Repeat(canary, 5-k)}))
			must(m.SaveFeedback(t.Context(), request.RequestID, "ada", &session.Feedback{Thumb: "down", Words: strings.Repeat(canary, 5-k), At: noon}, []string{canary}, analyst.Record{Kind: "feedback", RequestID: request.RequestID}))
			must(m.SaveHolding(t.Context(), request.RequestID, session.Holding{At: noon, Stands: "moved", Words: strings.Repeat(canary, 5-k)}))
		}
	}
	must(m.Rename(t.Context(), id, canary))
	must(m.KeepPageState(t.Context(), "ada", []PageChange{{Name: "report." + id, Value: &canary}}))
}

// After a session was removed for good, no byte of the folder has a text of it, whatever else was written before, between and after.
func TestPurgedSessionsLeaveNoByte(t *testing.T) {
	now := &clock{t: noon}
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.sqlite")
	openHere := func() *Memory {
		t.Helper()
		m, err := Open(t.Context(), Options{Path: path, Now: now.now})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		t.Cleanup(func() { m.Close() })
		return m
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	m := openHere()
	for round := range 4 {
		secret(t, m, fmt.Sprint("other", round), "harmless", 3)
		secret(t, m, fmt.Sprint("gone", round), "Zebraquagga", 5)
		secret(t, m, fmt.Sprint("later", round), "Okapidodo", 4)
	}
	_, err := m.Fork(t.Context(), "gone0", ForkAt{Turn: 2}, "gone-branch", newNames())
	must(err)
	must(m.AddGolden(t.Context(), Golden{ID: "kept", Question: "a question that was kept", FrameQL: "SELECT x", Owner: "ada", RequestID: "gone1-1"}))
	_, err = m.write.Exec("VACUUM INTO ?", path+beforeMigration+"9-20260115T120000")
	must(err)
	if all := filesWith(t, dir, "Zebraquagga"); len(all) < 2 {
		t.Fatalf("the test has no teeth: %v", all)
	}
	must(m.Delete(t.Context(), "gone2")) // it is purged all the same
	ada := openHere()                    // another process reads it and waits
	if _, err := ada.Sessions(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"gone-branch", "gone0", "gone1", "gone2", "gone3"} {
		p, err := m.Purge(t.Context(), id, "ada")
		must(err)
		if want := 5; id != "gone-branch" && len(p.Requests) != want {
			t.Errorf("%s: %d requests went", id, len(p.Requests))
		}
		if _, err := ada.Session(t.Context(), id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s is there: %v", id, err)
		}
	}
	if all := filesWith(t, dir, "Zebraquagga"); len(all) > 0 {
		t.Errorf("it stands in %v", all)
	}
	if hits := hits(t, m, "zebraquagga"); hits != "" {
		t.Errorf("it is found: %s", hits)
	}
	goldens, err := m.Goldens(t.Context())
	if err != nil || len(goldens) != 1 || goldens[0].RequestID != "" || goldens[0].Question != "a question that was kept" {
		t.Errorf("golden queries %+v, %v", goldens, err)
	}
	code(t, func() error { _, err := m.Purge(t.Context(), "gone0", "ada"); return err }(), fault.NotFound, "gone0")
	if _, err := m.Begin(t.Context(), request("runs", "other0", "question")); err != nil {
		t.Fatal(err)
	}
	code(t, func() error { _, err := m.Purge(t.Context(), "other0", "ada"); return err }(), fault.Conflict, "not finished")

	// So it is with what was deleted and not brought back in time.
	for round := range 4 {
		must(m.Delete(t.Context(), fmt.Sprint("later", round)))
	}
	now.forward(keepDeleted + time.Hour)
	must(ada.Close())
	must(m.Close())
	m = openHere()
	if any, _, err := m.Traces(t.Context()); err != nil || !any {
		t.Errorf("nobody knows of the traces: %v", err)
	}
	must(m.Scrub(t.Context()))
	if all := filesWith(t, dir, "Okapidodo"); len(all) > 0 {
		t.Errorf("it stands in %v", all)
	}
	if d, err := m.Session(t.Context(), "other1"); err != nil || len(d.Turns) != 3 || len(filesWith(t, dir, "harmless")) == 0 {
		t.Errorf("others went too: %v", err)
	}
	must(m.Check(t.Context()))
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("%+v, %v", v, err)
	}
	log, err := m.Audit(t.Context(), AuditFilter{SessionID: "gone1"})
	if err != nil || len(log) == 0 || log[len(log)-1].Kind != analyst.AuditForgotten || log[len(log)-1].Actor != "ada" {
		t.Errorf("%+v, %v", log, err)
	}
}

// A process that holds an old view of the file keeps its traces from being overwritten: that is said, the session is gone, and the next opening does it.
func TestTracesThatAreReadAreOverwrittenLater(t *testing.T) {
	dir := t.TempDir()
	m := open(t, filepath.Join(dir, "memory.sqlite"))
	secret(t, m, "s", "Zebraquagga", 3)
	reader, err := m.read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRow(`SELECT count(*) FROM request`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	_, err = m.write.Exec(`PRAGMA busy_timeout = 50`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Purge(t.Context(), "s", "ada")
	code(t, err, fault.Unavailable, "could not be overwritten yet")
	if _, err := m.Session(t.Context(), "s"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the session is there: %v", err)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if any, _, err := m.Traces(t.Context()); err != nil || !any {
		t.Errorf("%v, %v", any, err)
	}
	if err := m.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all := filesWith(t, dir, "Zebraquagga"); len(all) > 0 {
		t.Errorf("it stands in %v", all)
	}
}
