package workspace

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/memory"
	"assay/backend/profile"
	"assay/backend/session"
)

// canaries makes values that occur once and nowhere else.
type canaries struct {
	t       *testing.T
	persons bool // names of persons, for masking; else any text, and numbers
	all     []string
}

func (c *canaries) text() string {
	n := len(c.all)
	s := fmt.Sprintf("Kanarie%c%cvogel", 'a'+n/26, 'a'+n%26)
	if c.persons {
		s = fmt.Sprintf("Vorn%c%cel Tosk%c%cin", 'a'+n/26, 'a'+n%26, 'a'+n/26, 'a'+n%26)
	}
	c.all = append(c.all, s)
	return s
}

// number is a canary where every cell is looked for, and any number where persons are.
func (c *canaries) number() float64 {
	if c.persons {
		return 1.5
	}
	x := 7300000 + float64(len(c.all)) + 0.0625
	c.all = append(c.all, fmt.Sprint(json.Number(fmt.Sprintf("%.4f", x))))
	return x
}

func (c *canaries) body(x any) json.RawMessage {
	c.t.Helper()
	raw, err := json.Marshal(x)
	if err != nil {
		c.t.Fatal(err)
	}
	return raw
}

// frame has a member and a number in each of two rows.
func (c *canaries) frame(id string) frameql.Frame {
	f := frameql.Frame{
		ID: id, RowCount: 2, FrameQL: "SELECT customers.contact_name, revenue", SQL: "SELECT 1", Dialect: frameql.DuckDB, SourceEpochs: map[string]string{"customers": "sha256:1"},
		Columns: []frameql.Column{
			{Name: "contact_name", Role: frameql.RoleDimension, Type: "text", Dimension: "customers.contact_name"},
			{Name: "revenue", Role: frameql.RoleMetric, Type: "float", Metric: "revenue", Additivity: "additive"},
		},
		Reasons: []frameql.Reason{{Column: "revenue", Code: "zero_base", Rows: []int{1}}}, ServedBy: []frameql.ServedBy{},
	}
	first := c.text()
	f.Rows = [][]any{{first, c.number()}, {c.text(), c.number()}}
	f.Notices = []frameql.Notice{{Code: "NULL_MEMBER", Severity: "info", Text: "A notice.", Facts: map[string]any{"member": first}}}
	return f
}

// kinds are artifacts of every kind that has cells: of a trial, a comparison, two simulations, a goal seek, a driver analysis and a measured column.
func (c *canaries) kinds(turn int) []session.Artifact {
	base, current, result, trial := c.frame("frm_b"), c.frame("frm_c"), c.frame("frm_r"), c.frame("frm_t")
	asked := func() string { return "SELECT revenue WHERE customers.contact_name = '" + c.text() + "'" }
	if !c.persons { // a query stands in the file with the values that it asks for, which is said
		asked = func() string { return "SELECT revenue" }
	}
	outcome := session.SimulatedOutcome{ID: "outcome", Label: "Revenue, " + fmt.Sprint(result.Rows[0][0]), Better: "up", Observed: c.number(), Simulated: c.number(), Effects: map[string]float64{"lever": c.number()}}
	lever := session.Lever{ID: "lever", Label: "Price, " + fmt.Sprint(result.Rows[1][0]), Min: 0, Max: 9e9, Step: 1, Baseline: c.number(), Value: c.number()}
	source := session.SimulatedSource{FrameID: "frm_1", FrameQL: asked(), Label: "Revenue"}
	low, high, mean, long := c.text(), c.text(), c.number(), int64(17)
	node := func() session.DriverNode {
		query := asked()
		return session.DriverNode{Label: memberOf(query), By: "contact", FrameQL: query, Baseline: c.number(), Current: c.number(), Change: c.number(), Standing: "likely", Children: []session.DriverNode{}}
	}
	tree := node()
	tree.Children = append(tree.Children, node())
	query := asked()
	step := session.DriverStep{Label: memberOf(query), Type: "segment", Amount: c.number(), Standing: "likely", FrameQL: query}
	bodies := []struct {
		kind session.Kind
		body any
	}{
		{session.KindFrame, trial},
		{session.KindComparison, session.Comparison{
			Base: session.ComparedFrame{Label: "then", Frame: base}, Current: session.ComparedFrame{Label: "now", Frame: current}, Keys: []string{"contact_name"},
			Measures: []session.ComparedMeasure{{Base: "revenue", Current: "revenue", Better: "up"}},
		}},
		{session.KindSimulation, session.Simulation{
			Type: "perturbation", Source: source, Assumptions: []string{"Of " + fmt.Sprint(result.Rows[0][0]) + "."}, Recompute: "linear", Levers: []session.Lever{lever}, Outcomes: []session.SimulatedOutcome{outcome}, Result: &result,
		}},
		{session.KindSimulation, session.Simulation{
			Type: "goal_seek", Source: source, Assumptions: []string{}, Recompute: "linear", Levers: []session.Lever{lever}, Outcomes: []session.SimulatedOutcome{outcome},
			Goal: &session.SimulationGoal{Outcome: "outcome", Lever: "lever", Target: c.number()},
		}},
		{session.KindDriverAnalysis, session.DriverAnalysis{
			Metric: "revenue", Label: "Revenue", Better: "up", Baseline: session.DriverPeriod{Label: "1996", Value: c.number()}, Current: session.DriverPeriod{Label: "1997", Value: c.number()},
			Steps: []session.DriverStep{step}, Tree: []session.DriverNode{tree}, Against: []session.DriverStep{step}, Checks: []session.DriverCheck{{Name: "noise", Status: "passed", Text: memberOf(query)}}, Coverage: 1, Tested: 3,
		}},
		{session.KindQMCard, profile.QMCard{Table: "customers", Rows: 91, Looked: 91, Column: profile.ColumnProfile{
			Name: "ContactName", Type: "VARCHAR", Distinct: 91, Min: &low, Max: &high, Mean: &mean, AvgLength: &mean, MaxLength: &long,
			Histogram: []profile.Bucket{{From: c.number(), To: c.number(), Count: 1}}, Top: []profile.TopValue{{Value: c.text(), Count: 2, Share: 0.5}},
		}}},
	}
	var all []session.Artifact
	for i, b := range bodies {
		all = append(all, session.Artifact{ID: session.ArtifactID("x", turn, 50+i), Kind: b.kind, Turn: turn, Title: "A card", Body: c.body(b.body), Created: noon()})
	}
	return all
}

// memberOf is the value that a query asks for, or a member.
func memberOf(query string) string {
	if _, member, quoted := strings.Cut(query, "'"); quoted {
		return strings.TrimSuffix(member, "'")
	}
	return "a member"
}

// hatch puts a session into the memory whose answers and artifacts are full of canaries: an answer with rows, one number with its card, a question back.
func (c *canaries) hatch(w *Workspace) string {
	c.t.Helper()
	ctx := c.t.Context()
	for _, q := range []string{"revenue by category in 1997", "revenue in 1997", "sales"} {
		if _, err := w.Ask(ctx, analyst.Request{Question: q, SessionID: "nest"}, nil); err != nil {
			c.t.Fatal(fault.Detail(err))
		}
	}
	d, err := w.memory.Session(ctx, "nest")
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range d.Turns {
		t := &d.Turns[i]
		if i == 0 {
			t.Artifacts = append(t.Artifacts, c.kinds(t.Index)...)
		}
		c.fill(t)
	}
	a := memory.Arriving{ID: newID(), Title: d.Title, Created: d.Created, Imported: session.Imported{
		File: "hatched.assay", At: noon(), By: "me", Signature: session.SignatureNone, Frames: session.FramesWhole, SessionID: "nest", Requests: map[string]string{},
	}}
	for i := range d.Turns { // under names of their own
		t := &d.Turns[i]
		raw := c.body(t)
		fresh := newID()
		raw = bytes.ReplaceAll(raw, []byte(t.RequestID), []byte(fresh))
		raw = bytes.ReplaceAll(raw, []byte("art_nest_"), []byte("art_"+a.ID+"_"))
		raw = bytes.ReplaceAll(raw, []byte("art_x_"), []byte("art_"+a.ID+"_"))
		raw = bytes.ReplaceAll(raw, []byte(`"session_id":"nest"`), []byte(`"session_id":"`+a.ID+`"`))
		if err := withDigitsOf(raw, t); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := w.memory.Import(ctx, a, func(yield func(session.Turn, error) bool) {
		for _, t := range d.Turns {
			if !yield(t, nil) {
				return
			}
		}
	}); err != nil {
		c.t.Fatal(fault.Detail(err))
	}
	return a.ID
}

func withDigitsOf(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// fill puts canaries into a turn where cells stand: the frame, the card, the members, the follow-ups, and what a model was given and replied.
func (c *canaries) fill(t *session.Turn) {
	var a analyst.Answer
	if err := withDigitsOf(t.Answer, &a); err != nil {
		c.t.Fatal(err)
	}
	if f := a.Frame; f != nil && len(f.Rows) > 1 {
		f.Columns[0].Dimension, f.Columns[0].Personal = "customers.contact_name", true
		for _, row := range f.Rows {
			row[0] = c.text()
			row[len(row)-1] = c.number()
		}
		f.Columns[len(f.Columns)-1].Type = "float"
		a.Followups = append(a.Followups, session.Followup{Title: "Only " + fmt.Sprint(f.Rows[0][0]), Question: "revenue of " + fmt.Sprint(f.Rows[0][0])})
	}
	if card := a.MetricCard; card != nil {
		card.Summary, card.Previous, card.DeltaPct = c.number(), c.number(), c.number()
		card.Timeseries = []analyst.CardPoint{{Date: "1997-01-01", Value: c.number()}}
		card.Breakdown = []analyst.CardPart{{Label: c.text(), Value: c.number()}, {Label: "The rest", Value: c.number(), Rest: true}}
		card.Sources.Breakdown = &analyst.CardSource{FrameID: "frm_2", FrameQL: "SELECT customers.contact_name, revenue", SQL: "SELECT 1"}
	}
	named := c.all[0]
	if b := a.Clarification; b != nil {
		b.BestGuess.Returns = "It gives " + named + "."
		a.Probes = append(a.Probes, analyst.Probe{Label: "A reading", FrameQL: "SELECT revenue", Status: "measured", Rows: 1, Returns: named})
		t.Trace = append(t.Trace, session.Step{Name: "probe", Status: "done", Started: noon(), Note: "It gives " + named})
	}
	for i, one := range t.Artifacts {
		if one.Kind == session.KindClarification && a.Clarification != nil {
			t.Artifacts[i].Body = c.body(a.Clarification)
		}
	}
	t.Answer = c.body(a)
	for i, one := range t.Artifacts {
		switch {
		case one.Kind == session.KindFrame && one.ID != "" && !strings.HasPrefix(one.ID, "art_x_"):
			t.Artifacts[i].Body = c.body(a.Frame)
		case one.Kind == session.KindFollowups:
			t.Artifacts[i].Body = c.body(a.Followups)
		}
	}
	t.Said = c.body(map[string]any{
		"members": map[string]any{"entity": "customers", "dimension": "contact_name", "values": []string{named}}, "number": fmt.Sprint(named), "tables": []string{"customers"},
		"choices": []interpret.Choice{{Label: "A reading", Question: "sales", Value: "SELECT revenue", Returns: named}},
	})
	t.Trace = append(t.Trace,
		session.Step{Name: "think", Status: "done", Started: noon(), Facts: map[string]any{"card": map[string]any{"name": "m"}, "reply": map[string]any{"text": "They are " + strings.Join(c.all, ", "), "calls": []any{map[string]any{"id": named, "kind": named, named: 1}}}}},
		session.Step{Name: "act", Status: "done", Started: noon(), Facts: map[string]any{"calls": []any{map[string]any{"tool": "run_sql", "arguments": `{"rows":["` + named + `"]}`, "rows": []any{[]any{named}}}}}},
		session.Step{Name: "narrate", Status: "done", Started: noon(), Facts: map[string]any{"replies": []any{map[string]any{"text": named}}, "dropped": []any{named}}},
		session.Step{Name: "execute", Status: "failed", Started: noon(), Note: "Could not convert " + named},
	)
}

// found lists the canaries that are in a text.
func (c *canaries) found(raw []byte) (found []string) {
	for _, one := range c.all {
		for _, form := range []string{one, strings.TrimPrefix(one[strings.IndexByte(one, ' ')+1:], " ")} {
			if bytes.Contains(raw, []byte(form)) {
				at := bytes.Index(raw, []byte(form))
				found = append(found, fmt.Sprintf("%q: %s", form, raw[max(0, at-120):min(len(raw), at+60)]))
				break
			}
		}
	}
	return found
}

// textsIn are the texts of all entries of a zip, one behind the other, and the names of the entries.
func textsIn(t *testing.T, raw []byte) (all []byte, names []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		all, names = append(append(all, content...), '\n'), append(names, f.Name)
	}
	return all, names
}

// TestNoCellTravelsWithoutFrames looks for every cell of a session in every byte of what is handed out of it without its rows, in all kinds of artifacts, and
// opens what arrives.
func TestNoCellTravelsWithoutFrames(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	c := &canaries{t: t}
	id := c.hatch(w)
	path := exported(t, w, id, SessionChoice{Frames: session.FramesNone})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, names := textsIn(t, raw)
	for _, name := range names {
		if strings.HasPrefix(name, "frames/") {
			t.Errorf("%s is in it", name)
		}
	}
	for _, leak := range c.found(all) {
		t.Errorf("the file has %s", leak)
	}
	var page bytes.Buffer
	if _, err := w.SessionPage(t.Context(), id, PageChoice{Frames: session.FramesNone}, &page); err != nil {
		t.Fatal(fault.Detail(err))
	}
	for _, leak := range c.found(page.Bytes()) {
		t.Errorf("the page has %s", leak)
	}
	// They would be seen: whole, all of them are there.
	if _, err := w.SessionPage(t.Context(), id, PageChoice{}, &page); err != nil || len(c.found(page.Bytes())) < 20 {
		t.Errorf("%d of %d canaries are on the whole page, %v", len(c.found(page.Bytes())), len(c.all), err)
	}
	if whole, err := json.Marshal(documentIn(t, w, id)); err != nil || len(c.found(whole)) != len(c.all) {
		t.Errorf("%d of %d canaries are in the session, %v", len(c.found(whole)), len(c.all), err)
	}

	d := imported(t, w, path)
	left := 0
	for _, a := range d.Turns[0].Artifacts {
		var body struct {
			LeftOut   bool `json:"left_out"`
			Truncated *struct {
				TotalRows int `json:"total_rows"`
			} `json:"truncated"`
			Base, Current struct{ Frame frameql.Frame }
		}
		if a.Kind == session.KindFollowups || a.Kind == session.KindChart || a.Kind == session.KindNarration || a.Kind == session.KindProvenance {
			continue
		}
		if err := json.Unmarshal(a.Body, &body); err != nil {
			t.Fatal(err)
		}
		compared := a.Kind == session.KindComparison && body.Base.Frame.Truncated != nil && body.Current.Frame.Truncated != nil && body.Base.Frame.Truncated.TotalRows == 2
		if !body.LeftOut && body.Truncated == nil && !compared {
			t.Errorf("%s does not say that it was left out: %s", a.Kind, a.Body)
		}
		left++
	}
	if left != 7 {
		t.Errorf("%d artifacts of seven with cells", left)
	}
	page.Reset()
	if _, err := w.SessionPage(t.Context(), d.ID, PageChoice{}, &page); err != nil || strings.Count(page.String(), "The rows were left out") < 6 {
		t.Errorf("%d parts of the page say that the rows were left out, %v", strings.Count(page.String(), "The rows were left out"), err)
	}
	again := imported(t, w, exported(t, w, d.ID, SessionChoice{}))
	same(t, plain(t, d), plain(t, again))
}

func documentIn(t *testing.T, w *Workspace, id string) *session.Document {
	t.Helper()
	d, err := w.memory.Session(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestMaskedNamesNobodyInAnyArtifact looks for persons in every kind of artifact: in the file as it arrives, the page and the workbook.
func TestMaskedNamesNobodyInAnyArtifact(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	c := &canaries{t: t, persons: true}
	id := c.hatch(w)
	contents, err := w.SessionContents(t.Context(), id, SessionChoice{Frames: session.FramesMasked})
	if err != nil || len(contents.Personal) == 0 {
		t.Errorf("%+v %v", contents, err)
	}
	path := exported(t, w, id, SessionChoice{Frames: session.FramesMasked})
	d := imported(t, w, path)
	arrived, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, _ := textsIn(t, raw)
	var page, book bytes.Buffer
	if _, err := w.SessionPage(t.Context(), id, PageChoice{Frames: session.FramesMasked}, &page); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, err := w.Report(t.Context(), ReportChoice{Format: ReportXLSX, Frames: session.FramesMasked, Items: []ReportItem{{Kind: ReportSession, ID: id}}}, &book); err != nil {
		t.Fatal(fault.Detail(err))
	}
	sheets, _ := textsIn(t, book.Bytes())
	for what, raw := range map[string][]byte{"file": file, "imported session": arrived, "page": page.Bytes(), "workbook": sheets} {
		for _, leak := range c.found(raw) {
			t.Errorf("the %s names %s", what, leak)
		}
	}
	rows := 0
	for _, a := range d.Turns[0].Artifacts {
		var body struct {
			Rows          [][]any
			Base, Current struct{ Frame frameql.Frame }
			Result        frameql.Frame
		}
		if json.Unmarshal(a.Body, &body) != nil {
			continue // followups
		}
		for _, row := range append(append(append(body.Rows, body.Base.Frame.Rows...), body.Current.Frame.Rows...), body.Result.Rows...) {
			if member, _ := row[0].(string); !strings.HasPrefix(member, "<PERSON_NAME_") {
				t.Errorf("%s has %v", a.Kind, row)
			}
			rows++
		}
	}
	if rows != 8+4*2 { // of the answer, the trial, the comparison and the simulation
		t.Errorf("%d rows arrived masked", rows)
	}
	if whole, err := json.Marshal(documentIn(t, w, id)); err != nil || len(c.found(whole)) != len(c.all) {
		t.Errorf("%d of %d persons are in the session, %v", len(c.found(whole)), len(c.all), err)
	}
}
