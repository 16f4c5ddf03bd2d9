package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/memory"
	"assay/backend/session"
)

// large is a frame whose cells are the ones that are easily lost: many digits, negative zero, nothing, marks of HTML.
func large(id string, rows int) frameql.Frame {
	f := frameql.Frame{
		ID: id, RowCount: rows, FrameQL: "SELECT amount", SQL: "SELECT 1", Dialect: frameql.DuckDB, SourceEpochs: map[string]string{}, Notices: []frameql.Notice{}, Reasons: []frameql.Reason{}, ServedBy: []frameql.ServedBy{},
		Columns: []frameql.Column{
			{Name: "note", Role: frameql.RoleDimension, Type: "text"},
			{Name: "day", Role: frameql.RoleDimension, Type: "date"},
			{Name: "exact", Role: frameql.RoleMetric, Type: "decimal"},
			{Name: "ratio", Role: frameql.RoleMetric, Type: "float"},
			{Name: "many", Role: frameql.RoleMetric, Type: "integer"},
		},
	}
	for i := range rows {
		f.Rows = append(f.Rows, []any{fmt.Sprintf("<b>%d</b> %s", i, strings.Repeat("x", 250)), "2025-01-02", fmt.Sprintf("%d.12345678901234567890123456789", i), float64(i) / 7, nil})
	}
	if rows > 3 {
		f.Rows[1] = []any{nil, nil, json.Number("1.50"), json.Number("-0.0"), "12345678901234567890"}
		f.Rows[2] = []any{"", "2025-01-02", json.Number("1.5"), "NaN", 7}
	}
	return f
}

// tried puts a session into the memory whose one answer has artifacts.
func tried(t *testing.T, w *Workspace, bodies map[string]any, kinds map[string]session.Kind) string {
	t.Helper()
	a, err := w.Ask(t.Context(), analyst.Request{Question: "revenue in 1997"}, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	_, turn, err := w.memory.Find(t.Context(), a.RequestID)
	if err != nil {
		t.Fatal(err)
	}
	id, fresh := newID(), newID()
	for name, body := range bodies {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		turn.Artifacts = append(turn.Artifacts, session.Artifact{Kind: kinds[name], Turn: turn.Index, Title: name, Body: raw, Created: noon()})
	}
	for i := range turn.Artifacts {
		turn.Artifacts[i].ID = session.ArtifactID(id, turn.Index, i)
	}
	turn.Answer = bytes.ReplaceAll(turn.Answer, []byte(a.RequestID), []byte(fresh))
	turn.Answer = bytes.ReplaceAll(turn.Answer, []byte(a.SessionID), []byte(id))
	turn.RequestID = fresh
	arriving := memory.Arriving{ID: id, Title: "Tried", Created: noon(), Imported: session.Imported{At: noon(), By: "me", Signature: session.SignatureNone, Frames: session.FramesWhole, Requests: map[string]string{}}}
	if err := w.memory.Import(t.Context(), arriving, func(yield func(session.Turn, error) bool) { yield(turn, nil) }); err != nil {
		t.Fatal(fault.Detail(err))
	}
	return id
}

// TestFramesOfArtifactsTravelBeside exports a session whose trials hold more rows than a session.json may: every frame has an entry, nothing of a cell is
// lost, and what was said of the file before is what is in it.
func TestFramesOfArtifactsTravelBeside(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	bodies, kinds := map[string]any{}, map[string]session.Kind{}
	for i := range 6 {
		name := fmt.Sprintf("trial %d", i)
		bodies[name], kinds[name] = large(fmt.Sprintf("frm_%d", i), 10_000), session.KindFrame
	}
	result := large("", 20)
	bodies["sides"], kinds["sides"] = session.Comparison{
		Base: session.ComparedFrame{Frame: large("frm_b", 10_000)}, Current: session.ComparedFrame{Frame: large("frm_c", 9_000)}, Keys: []string{"note"}, Measures: []session.ComparedMeasure{{Base: "ratio", Current: "ratio", Better: "none"}},
	}, session.KindComparison
	bodies["supposed"], kinds["supposed"] = session.Simulation{Type: "filter", Assumptions: []string{}, Recompute: "none", Levers: []session.Lever{}, Outcomes: []session.SimulatedOutcome{}, Result: &result}, session.KindSimulation
	id := tried(t, w, bodies, kinds)

	contents, err := w.SessionContents(t.Context(), id, SessionChoice{})
	if err != nil || contents.Frames != 10 || contents.Rows != 6*10_000+19_000+20+1 {
		t.Errorf("%+v %v", contents, err)
	}
	path := exported(t, w, id, SessionChoice{})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	for _, e := range unzipped(t, raw) {
		if strings.HasPrefix(e.name, "frames/") {
			frames++
		}
		if e.name == "session.json" && len(e.content) > 200_000 {
			t.Errorf("session.json has %d bytes", len(e.content))
		}
	}
	p, err := w.PreviewSession(t.Context(), path)
	if err != nil || frames != 10 || p.Frames != contents.Frames || p.Rows != contents.Rows {
		t.Errorf("%d frames, %d and %d rows in the preview, %v", frames, p.Frames, p.Rows, err)
	}
	d, got := documentIn(t, w, id), imported(t, w, path)
	same(t, plain(t, d), plain(t, got))
	if err := w.SessionJSON(t.Context(), id, &bytes.Buffer{}); fault.CodeOf(err) != fault.Limit {
		t.Errorf("session.json alone: %v", err)
	}
}

// TestFilesOfBeforeAreRead reads a file of version 1, which had the rows of artifacts in session.json.
func TestFilesOfBeforeAreRead(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := tried(t, w, map[string]any{"trial": large("frm_1", 50)}, map[string]session.Kind{"trial": session.KindFrame})
	var alone bytes.Buffer
	if err := w.SessionJSON(t.Context(), id, &alone); err != nil {
		t.Fatal(fault.Detail(err))
	}
	var whole session.File
	if err := withDigitsOf(alone.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(exported(t, w, id, SessionChoice{}))
	if err != nil {
		t.Fatal(err)
	}
	var entries []zipped
	for _, e := range unzipped(t, raw) {
		switch e.name {
		case "frames/0002.parquet":
			continue
		case "session.json":
			var f session.File
			if err := withDigitsOf(e.content, &f); err != nil {
				t.Fatal(err)
			}
			f.Version, f.Turns[0].Artifacts = 1, whole.Turns[0].Artifacts
			if e.content, err = json.Marshal(f); err != nil {
				t.Fatal(err)
			}
		case "manifest.json":
			e.content = bytes.Replace(e.content, []byte(`"version": 2`), []byte(`"version": 1`), 1)
		}
		entries = append(entries, e)
	}
	d := documentIn(t, w, id)
	for name, raw := range map[string][]byte{"before.assay": rezipped(t, entries), "before.json": bytes.Replace(alone.Bytes(), []byte(`"version":2`), []byte(`"version":1`), 1)} {
		got := imported(t, w, write(t, t.TempDir(), name, string(raw)))
		same(t, plain(t, d), plain(t, got))
		if p := got.Turns[0].Artifacts; len(p) != len(d.Turns[0].Artifacts) {
			t.Errorf("%s: %d artifacts", name, len(p))
		}
	}
}

// TestRowsOfArtifactsAreHeldToTheirFrames bends where the rows of an artifact stand.
func TestRowsOfArtifactsAreHeldToTheirFrames(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := tried(t, w, map[string]any{"trial": large("frm_1", 5)}, map[string]session.Kind{"trial": session.KindFrame})
	raw, err := os.ReadFile(exported(t, w, id, SessionChoice{}))
	if err != nil {
		t.Fatal(err)
	}
	for what, bend := range map[string][2]string{
		"an entry that is not there": {`{"frame":"frames/0002.parquet"}`, `{"frame":"frames/0009.parquet"}`},
		"an entry of another frame":  {`{"frame":"frames/0002.parquet"}`, `{"frame":"frames/0001.parquet"}`},
		"an entry that is no frame":  {`{"frame":"frames/0002.parquet"}`, `{"frame":"session.json"}`},
		"a place that is not there":  {`{"frame":"frames/0002.parquet"}`, `{"result":"frames/0002.parquet"}`},
		"rows twice":                 {`"rows":null,"row_count":5`, `"rows":[],"row_count":5`},
		"another number of rows":     {`"row_count":5`, `"row_count":6`},
		"a role of no column":        {`"name":"note","role":"dimension"`, `"name":"note","role":"queen"`},
	} {
		var entries []zipped
		for _, e := range unzipped(t, raw) {
			if e.name == "session.json" {
				bent := bytes.Replace(e.content, []byte(bend[0]), []byte(bend[1]), 1)
				if bytes.Equal(bent, e.content) {
					t.Fatalf("%s: %s is not there: %s", what, bend[0], e.content)
				}
				e.content = bent
			}
			entries = append(entries, e)
		}
		_, err := w.ImportSession(t.Context(), write(t, t.TempDir(), "bent.assay", string(rezipped(t, entries))))
		if fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestSuppositionsTravel exports what would be, asked of the sample, imports it and asks it again.
func TestSuppositionsTravel(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	for _, q := range []string{"freight by country in 1997", "what if freight doubled", "what if Germany and France were left out"} {
		if a, err := w.Ask(t.Context(), analyst.Request{Question: q, SessionID: "supposing"}, nil); err != nil || a.Outcome != analyst.OutcomeAnswer {
			t.Fatalf("%s: %+v %v", q, a, err)
		}
	}
	d := documentIn(t, w, "supposing")
	kinds := map[session.Kind]int{}
	for _, turn := range d.Turns {
		for _, a := range turn.Artifacts {
			kinds[a.Kind]++
		}
	}
	if kinds[session.KindSimulation] != 2 || kinds[session.KindComparison] == 0 {
		t.Errorf("%v", kinds)
	}
	got := imported(t, w, exported(t, w, d.ID, SessionChoice{}))
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var renamed session.Document // what its steps and its simulations say of artifacts is what they were called there
	if err := withDigitsOf(bytes.ReplaceAll(raw, []byte("art_"+d.ID), []byte("art_"+got.ID)), &renamed); err != nil {
		t.Fatal(err)
	}
	same(t, plain(t, d), plain(t, &renamed))
	report, err := w.Replay(t.Context(), got.ID, ReplayOptions{}, nil)
	if err != nil || report.Same != 3 {
		t.Errorf("%+v %v", report, err)
	}
	bare := imported(t, w, exported(t, w, d.ID, SessionChoice{Frames: session.FramesNone}))
	if report, err = w.Replay(t.Context(), bare.ID, ReplayOptions{}, nil); err != nil || report.Same != 3 {
		t.Errorf("without rows: %+v %v", report, err)
	}
}
