package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/profile"
	"assay/backend/session"
)

func noon() time.Time { return time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC) }

// salesFrame has a member, a day, amounts with more digits than are shown, and a ratio.
func salesFrame(rows int) *frameql.Frame {
	f := &frameql.Frame{ID: "frm_1", FrameQL: "SELECT amount AT day", SQL: `SELECT "a" FROM t WHERE x = 'y' -- all`, BaseSQL: "SELECT 1", Dialect: frameql.DuckDB, RowCount: rows, SourceEpochs: map[string]string{"sales": "sha256:1"}, Columns: []frameql.Column{
		{Name: "region", Label: "Region", Role: frameql.RoleDimension, Type: "text"},
		{Name: "day", Role: frameql.RoleDimension, Type: "date"},
		{Name: "amount", Label: "Amount", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD", Additivity: "additive"},
		{Name: "orders", Role: frameql.RoleMetric, Type: "integer"},
		{Name: "ratio", Role: frameql.RoleMetric, Type: "float", Format: "percent"},
	}}
	for i := range rows {
		at := noon().AddDate(0, 0, -i).Format("2006-01-02")
		f.Rows = append(f.Rows, []any{fmt.Sprintf("Region %d", i%50), at, json.Number(fmt.Sprintf("%d.505", i*7919%100003)), json.Number(fmt.Sprint(i)), json.Number(fmt.Sprint(float64(i) / 7))})
	}
	return f
}

// turnOf is a turn that answers with a frame, as it travels: its rows stand beside it.
func turnOf(t testing.TB, question string, a analyst.Answer, made map[session.Kind]any) (session.FileTurn, json.RawMessage) {
	t.Helper()
	var rows json.RawMessage
	if a.Frame != nil {
		rows = encoded(t, a.Frame.Rows)
		bare := *a.Frame
		bare.Rows = nil
		a.Frame = &bare
	}
	turn := session.FileTurn{Turn: session.Turn{
		Index: 1, Place: 1, Chosen: true, RequestID: "r1", Question: question, Asked: noon(), Outcome: string(a.Outcome), Status: "completed", Answer: encoded(t, a),
		MadeBy: &session.MadeBy{Program: "v1", Mind: "embedded", Model: "sha256:2", Rules: "sha256:3", Clock: noon()},
	}, Trace: []session.Step{{Name: "interpret", Status: "done", TookMS: 3, Note: "one reading"}}}
	for _, kind := range sortedKinds(made) {
		turn.Artifacts = append(turn.Artifacts, session.FileArtifact{ID: fmt.Sprintf("art_s_1_%d", len(turn.Artifacts)), Kind: kind, Title: question, Body: encoded(t, made[kind]), Created: noon()})
	}
	return turn, rows
}

func sortedKinds(made map[session.Kind]any) []session.Kind {
	byName := map[string]session.Kind{}
	for k := range made {
		byName[string(k)] = k
	}
	var all []session.Kind
	for _, name := range sortedKeys(byName) {
		all = append(all, byName[name])
	}
	return all
}

func encoded(t testing.TB, x any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// everything is a turn in which one text stands wherever a person, a model or data may have written one.
func everything(t testing.TB, s string) (session.FileTurn, json.RawMessage) {
	t.Helper()
	f := salesFrame(3)
	f.Columns[0].Label, f.Columns[2].Unit = s, s
	f.FrameQL, f.SQL, f.BaseSQL, f.SourceEpochs = s, s, s, map[string]string{s: s}
	f.Notices = []frameql.Notice{{Code: "N", Severity: s, Text: s}}
	f.Population = &frameql.Population{RowsIn: 3, Kept: 3, PerFilter: []frameql.FilterKept{{Filter: s, Kept: 3}}}
	for i := range f.Rows {
		f.Rows[i][0] = s
	}
	f.Rows[1][0], f.Rows[2][2] = s+".", s
	small := salesFrame(2)
	small.Columns[0].Label, small.Rows[0][0] = s, s
	told := s + " 7.50 " + s
	level := 0.5
	return turnOf(t, s, analyst.Answer{
		Question: s, Outcome: analyst.OutcomeAnswer, Frame: f, RequestID: s, SQL: s,
		Understood:   &analyst.Understood{Reading: s, FrameQL: s, Assumptions: []string{s}, Unread: []string{s}, Confirm: []string{s}},
		Verification: &analyst.Verification{Level: "AA", Checks: []analyst.Check{{Code: s, Status: "finding", Message: s}}},
		Findings:     []analyst.Finding{{Code: s, Severity: s, Status: "finding", Message: s + "!"}},
		Narration:    &session.Narration{Text: told, Citations: []session.Citation{{Start: len(s) + 1, End: len(s) + 5, Frame: f.ID, Row: 0, Column: "amount"}}, By: s},
		Chart:        &session.Chart{Type: "bar", X: "region", Y: []string{"amount"}, Frame: f.ID},
		Explanation: &analyst.Explanation{
			FrameQL: s, SQL: s, Dialect: frameql.DuckDB, Steps: []analyst.ExplainedStep{{Kind: s, Says: s, Name: s}}, Rewrites: []analyst.ExplainedRewrite{{Name: s, Why: s}},
			Cache: []analyst.ExplainedCache{{Frame: s, Reason: s}}, LeafFrames: []analyst.ExplainedFrame{{Name: s, SQL: s, Missing: s}}, Operators: []analyst.ExplainedOperator{{Name: s, Says: []string{s}, Rows: -1, Depth: 3}},
		},
		Plan: &analyst.PlanCost{Rows: 3, Basis: s},
	}, map[session.Kind]any{
		session.KindProvenance: analyst.Provenance{Facts: []analyst.Fact{{Code: "frame_ql", Label: s, Text: s}, {Code: "definitions", Label: s, Text: s, Lines: []analyst.FactLine{{Label: s, Text: s}, {Label: s, Text: s, Status: s}}}, {Code: "trace", Label: s, Text: s}}},
		session.KindView:       session.View{Show: "chart", Title: s},
		session.KindComparison: session.Comparison{
			Base: session.ComparedFrame{Label: s, Frame: *small}, Current: session.ComparedFrame{Label: s, Frame: *salesFrame(2)}, Keys: []string{"region"},
			Measures: []session.ComparedMeasure{{Label: s, Base: "amount", Current: "amount", Better: "up"}},
		},
		session.KindSimulation: session.Simulation{
			Type: "perturbation", Source: session.SimulatedSource{Label: s, FrameQL: s}, Assumptions: []string{s}, Recompute: "none", Levers: []session.Lever{{Label: s, Unit: s}},
			Outcomes: []session.SimulatedOutcome{{Label: s, Unit: s, Observed: 1, Simulated: 2, Better: "up"}}, Result: small,
		},
		session.KindStructure:      session.Structure{Type: "joins", Nodes: []session.StructureNode{{ID: s, Label: s, Note: s, Inferred: true}}, Edges: []session.StructureEdge{{ID: s, From: s, To: s, Label: s, Holds: 1}}},
		session.KindQMCard:         profile.QMCard{Table: s, Rows: 3, Looked: 2, FrameQL: s, Column: profile.ColumnProfile{Name: s, Type: s, Min: &s, Max: &s, Mean: &level, Top: []profile.TopValue{{Value: s, Count: 2, Share: 1}}}},
		session.KindRecommendation: analyst.Recommendation{Reading: s + ".", FrameQL: s, SQL: s, Reasons: []string{s}},
		session.KindDriverAnalysis: session.DriverAnalysis{
			Metric: s, Label: s, Unit: s, Better: "up", Baseline: session.DriverPeriod{Label: s, Value: 1}, Current: session.DriverPeriod{Label: s, Value: 4}, Coverage: 0.5,
			Steps: []session.DriverStep{{Label: s, Type: "segment", Amount: 2, Standing: "noise"}, {Label: s, Type: "rest", Amount: 1}}, Tree: []session.DriverNode{{Label: s, By: s, Change: 2, Children: []session.DriverNode{{Label: s}}}},
			Against: []session.DriverStep{{Label: s, Amount: -1}}, Checks: []session.DriverCheck{{Name: s, Status: s, Text: s}},
		},
	})
}

// askedBack is a turn that came to a question back and to a refusal.
func askedBack(t testing.TB, s string) (session.FileTurn, json.RawMessage) {
	t.Helper()
	return turnOf(t, s, analyst.Answer{
		Clarification: &interpret.Clarification{Question: s, BestGuess: &interpret.Choice{Label: s, Value: s, Returns: s}, GuessConfidence: 0.5, Options: []interpret.Choice{{Label: s, Value: s}}},
		Refusal:       &analyst.Refused{Code: s, Message: s, Repairs: []frameql.Repair{{Label: s, FrameQL: s}}, All: []frameql.Refusal{{Message: s + "?"}}},
	}, nil)
}

// documentOf lays out turns as a session.
func documentOf(t testing.TB, title string, frames session.Frames, turns ...func() (session.FileTurn, json.RawMessage)) *Document {
	t.Helper()
	d := &Document{Title: title, About: About{Workspace: title, Program: "v1", Made: noon(), Began: noon(), Ended: noon(), Frames: frames}}
	for i, one := range turns {
		turn, rows := one()
		laid, err := LayOut(turn, rows, Choice{Frames: frames, Rows: RowsOf(len(turns)), Number: i + 1})
		if err != nil {
			t.Fatal(err)
		}
		d.Sections = append(d.Sections, laid.Section)
		d.About.Answers++
	}
	return d
}

func written(t testing.TB, d *Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WritePage(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func parsed(t testing.TB, page []byte) *html.Node {
	t.Helper()
	n, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// each visits the elements of a page in their order.
func each(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, visit)
	}
}

// all gives the elements of a name.
func all(n *html.Node, name string) (found []*html.Node) {
	each(n, func(e *html.Node) {
		if e.Data == name {
			found = append(found, e)
		}
	})
	return found
}

// words are all texts within an element.
func words(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hostile(t testing.TB) (all []string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/hostile.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &all); err != nil || len(all) < 150 {
		t.Fatalf("%d texts, %v", len(all), err)
	}
	return all
}

// asRead is a text as a reader of HTML has it: it knows no NUL, and one kind of line end.
func asRead(s string) string {
	return strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n").Replace(s)
}
