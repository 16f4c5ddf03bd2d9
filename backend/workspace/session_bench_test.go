package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/session"
)

// stuffed puts a session of so many answers into a workspace, each with a frame of so many rows and five artifacts.
func stuffed(b *testing.B, w *Workspace, answers, rows int) string {
	b.Helper()
	const id = "stuffed"
	frame := frameql.Frame{
		Columns: []frameql.Column{
			{Name: "region", Role: frameql.RoleDimension, Type: "text"},
			{Name: "day", Role: frameql.RoleDimension, Type: "date"},
			{Name: "amount", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD"},
			{Name: "orders", Role: frameql.RoleMetric, Type: "integer"},
			{Name: "ratio", Role: frameql.RoleMetric, Type: "float"},
		},
		RowCount: rows, FrameQL: "SELECT amount AT day", SQL: "SELECT 1", Dialect: frameql.DuckDB, SourceEpochs: map[string]string{"sales": "sha256:1"}, Notices: []frameql.Notice{},
	}
	for i := range rows {
		frame.Rows = append(frame.Rows, []any{fmt.Sprintf("Region %d", i%50), fmt.Sprintf("2025-%02d-%02d", i%12+1, i%28+1), json.Number(fmt.Sprintf("%d.50", i*7)), int64(i), float64(i) / 7})
	}
	for n := range answers {
		request := fmt.Sprintf("request-%d", n)
		turn, err := w.memory.Begin(context.Background(), analyst.Stored{RequestID: request, SessionID: id, Question: "amount by region and day", Actor: "me", Asked: noon(), Overrides: map[string]string{}, Given: session.Given{As: session.AsQuestion, Mind: session.Embedded, Criticality: "normal"}})
		if err != nil {
			b.Fatal(err)
		}
		frame.ID = fmt.Sprintf("frm_%032x", n)
		narration := session.Narration{Text: "Amount by region.", Citations: []session.Citation{}, By: "template"}
		answer := analyst.Answer{
			RequestID: request, SessionID: id, Turn: turn, Question: "amount by region and day", Outcome: analyst.OutcomeAnswer, Status: "completed", Frame: &frame,
			Narration: &narration, Verification: &analyst.Verification{Level: "A", Checks: []analyst.Check{}},
			Findings: []analyst.Finding{}, Followups: []session.Followup{}, Artifacts: []analyst.ArtifactRef{}, Probes: []analyst.Probe{}, Trace: []session.Step{},
		}
		stack := session.Stack{SessionID: id, Turn: turn}
		for kind, body := range map[session.Kind]any{
			session.KindFrame: &frame, session.KindNarration: narration, session.KindChart: session.Chart{Type: "line", X: "day", Y: []string{"amount"}, Frame: frame.ID},
			session.KindFollowups: []session.Followup{}, session.KindProvenance: analyst.Provenance{Facts: []analyst.Fact{}},
		} {
			if err := stack.Push(kind, "Amount", body, noon()); err != nil {
				b.Fatal(err)
			}
		}
		raw, err := json.Marshal(answer)
		if err != nil {
			b.Fatal(err)
		}
		closing := analyst.Closing{Turn: session.Turn{Outcome: "answer", Status: "completed", FrameQL: frame.FrameQL, Answer: raw, Artifacts: stack.Artifacts, Trace: []session.Step{}}}
		if err := w.memory.Finish(context.Background(), request, closing); err != nil {
			b.Fatal(err)
		}
	}
	return id
}

func benchWorkspace(b *testing.B) *Workspace {
	b.Helper()
	w, err := Open(context.Background(), Target{}, Options{DataDir: b.TempDir(), Now: noon})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	return w
}

// BenchmarkOpenSession reads a session of 500 artifacts: 100 answers with frames of 100 rows. Aim: 300 ms.
func BenchmarkOpenSession(b *testing.B) {
	w := benchWorkspace(b)
	id := stuffed(b, w, 100, 100)
	for b.Loop() {
		d, err := w.memory.Session(context.Background(), id)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(d); err != nil { // as the page gets it
			b.Fatal(err)
		}
	}
}

// BenchmarkExportSession writes 100 frames of 10,000 rows into a file. Aim: 3 s.
func BenchmarkExportSession(b *testing.B) {
	w := benchWorkspace(b)
	id := stuffed(b, w, 100, 10_000)
	for b.Loop() {
		if _, err := w.ExportSession(context.Background(), id, SessionChoice{}, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkImportSession takes the same file in.
func BenchmarkImportSession(b *testing.B) {
	w := benchWorkspace(b)
	id := stuffed(b, w, 100, 10_000)
	path := filepath.Join(b.TempDir(), "session.assay")
	if err := WriteWhole(path, func(f *os.File) error {
		_, err := w.ExportSession(context.Background(), id, SessionChoice{}, f)
		return err
	}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := w.ImportSession(context.Background(), path); err != nil {
			b.Fatal(err)
		}
	}
}
