package analyst

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

func TestAnAnswerHasEveryPart(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	question := "revenue by category in 1997, for the board meeting"
	a, err := d.ask(t.Context(), Request{Question: question})
	if err != nil {
		t.Fatal(err)
	}
	u, f := a.Understood, a.Frame
	if a.Question != question || u.FrameQL == "" || u.Query == nil || !strings.HasPrefix(u.Reading, "Revenue by category, 1997") || a.Confidence == nil || *a.Confidence <= 0.6 {
		t.Errorf("understood %+v", u)
	}
	for _, s := range u.Spans {
		if question[s.Start:s.End] != s.Text {
			t.Errorf("span %+v is not in the question", s)
		}
	}
	if f.ID == "" || f.FrameQL != u.FrameQL || f.SQL != d.engine.seen[0].SQL || f.ServedFrom != "backend" || f.RowCount != 2 || f.Notices == nil {
		t.Errorf("frame %+v", f)
	}
	if fmt.Sprint(f.SourceEpochs) != "map[lines:sha256:2 orders:sha256:1 products:sha256:3]" {
		t.Errorf("epochs %v", f.SourceEpochs)
	}
	if f.Span == nil || f.Span.Partial || f.Span.Asked.From != "1997-01-01" || f.Population == nil || f.Population.RowsIn != 2155 || f.Population.Kept != 1059 {
		t.Errorf("span %+v, population %+v", f.Span, f.Population)
	}
	if a.Verification.Level != "A" || a.Risk.AutonomyLevel != 4 || a.Risk.Decision != "notify" || a.Risk.Factors.Novelty != nil || a.Risk.ExpectedCost != "high" {
		t.Errorf("verification %+v, risk %+v", a.Verification, a.Risk)
	}
	factors := a.Risk.Factors
	if mean := 0.1**factors.Complexity + 0.3**factors.SourceRisk + 0.2*0.75 + 0.4**factors.Ambiguity; mean-a.Risk.ErrorLikelihood > 0.001 || a.Risk.ErrorLikelihood-mean > 0.001 {
		t.Errorf("likelihood %v of %v", a.Risk.ErrorLikelihood, mean)
	}
	if !strings.Contains(a.Narration.Text, "Beverages is highest with 267,868.18 USD, Produce lowest with 99,984.58 USD; declared definitions, not yet attested (A).") {
		t.Errorf("narration %q", a.Narration.Text)
	}
	checkLocked(t, *a.Narration, u.Reading, f)
	if a.Chart == nil || a.Chart.Type != "bar" || a.Chart.Frame != f.ID {
		t.Errorf("chart %+v", a.Chart)
	}
	if a.Plan == nil || a.Plan.Rows != 2155 || a.Timings.Total <= a.Timings.Execute || a.Timings.Interpret <= 0 || a.Timings.Resolve <= 0 || a.Timings.Plan <= 0 {
		t.Errorf("plan %+v, timings %+v", a.Plan, a.Timings)
	}
	if found(a, "GOTCHA") == "" {
		t.Errorf("findings %+v", a.Findings)
	}
	var kinds []string
	for i, ref := range a.Artifacts {
		kinds = append(kinds, string(ref.Kind))
		if want := fmt.Sprintf("art_%s_1_%d", a.SessionID, i); ref.ID != want {
			t.Errorf("artifact %q, want %q", ref.ID, want)
		}
	}
	if got := strings.Join(kinds, " "); got != "frame chart narration followups provenance" {
		t.Errorf("artifacts %s", got)
	}
}

func TestFollowupsWork(t *testing.T) {
	k := shopKnowledge(t)
	rows := [][]any{}
	for i := range 12 {
		rows = append(rows, []any{fmt.Sprint("Product ", i), dec("10")})
	}
	for _, query := range []string{
		byCategory, "SELECT revenue AT ()", "SELECT revenue AT products.product_name", "SELECT revenue AT orders.country DURING LAST 3 MONTH",
		"SELECT order_count AT () WHERE orders.country = 'Germany' DURING 1997",
	} {
		t.Run(query, func(t *testing.T) {
			d := newDesk(t, k, rows, [][]any{{int64(2155), int64(1059), int64(1059), int64(5)}})
			a, err := d.ask(t.Context(), Request{FrameQL: query})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Followups) == 0 || len(a.Followups) > 3 {
				t.Fatalf("%d follow-ups: %+v", len(a.Followups), a.Followups)
			}
			seen := map[string]bool{}
			for _, f := range a.Followups {
				if f.Title == "" || strings.ContainsAny(f.Title+f.Question, "{[") || seen[f.Question] {
					t.Errorf("follow-up %+v", f)
				}
				seen[f.Question] = true
				next := newDesk(t, k, rows, [][]any{{int64(1), int64(1), int64(1), int64(1)}})
				if b, err := next.ask(t.Context(), Request{Question: f.Question}); err != nil || b.Outcome != OutcomeAnswer || b.Understood.FrameQL == a.Understood.FrameQL {
					t.Errorf("%q: %v, %+v", f.Question, err, b)
				}
			}
			t.Log(a.Followups)
		})
	}
}

func TestProvenanceIsInOrder(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"})
	if err != nil {
		t.Fatal(err)
	}
	artifacts := d.turn(t).Artifacts
	last := artifacts[len(artifacts)-1]
	var p Provenance
	if err := json.Unmarshal(last.Body, &p); err != nil || last.Kind != session.KindProvenance {
		t.Fatal(last.Kind, err)
	}
	facts := map[string]Fact{}
	var codes []string
	for _, f := range p.Facts {
		codes = append(codes, f.Code)
		facts[f.Code] = f
		if strings.HasPrefix(f.Label, "[") || f.Lines == nil {
			t.Errorf("fact %+v", f)
		}
	}
	if got := strings.Join(codes, " "); got != "question frame_ql sql served_from rows span checks definitions gotchas risk mind egress trace" {
		t.Errorf("facts %s", got)
	}
	for code, want := range map[string]string{
		"frame_ql": a.Understood.FrameQL, "sql": a.Frame.SQL, "rows": "1,059 of 2,155 rows kept", "egress": "nothing", "trace": a.RequestID,
		"span": "orders.order_date: asked 1997-01-01 to 1997-12-31, covered 1997-01-01 to 1997-12-31",
	} {
		if facts[code].Text != want {
			t.Errorf("%s: %q, want %q", code, facts[code].Text, want)
		}
	}
	if len(facts["definitions"].Lines) < 4 || facts["definitions"].Lines[0].Text != "Sum of the lines: sum(amount)" {
		t.Errorf("definitions %+v", facts["definitions"].Lines)
	}
	if len(facts["gotchas"].Lines) != 1 || len(facts["risk"].Lines) < 4 || len(facts["served_from"].Lines) != 3 || len(facts["rows"].Lines) != 1 {
		t.Errorf("gotchas %+v, risk %+v, tables %+v, filters %+v", facts["gotchas"].Lines, facts["risk"].Lines, facts["served_from"].Lines, facts["rows"].Lines)
	}
}

// Every list of an answer is a list in JSON, whatever its outcome; what does not apply is null.
func TestListsAreNeverNull(t *testing.T) {
	k := shopKnowledge(t)
	for name, r := range map[string]Request{
		"answer": {FrameQL: byCategory}, "refuse": {Question: "salary"}, "syntax": {FrameQL: "SELECT"}, "clarify": {Question: halfUnderstood},
		"confirm": {Question: "revenue by category in 1997, please confirm first"}, "empty": {}, "unknown": {FrameQL: "SELECT nothing AT ()"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, k, categoryRows()...)
			a, err := d.ask(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			var object map[string]any
			if err := json.Unmarshal(raw, &object); err != nil {
				t.Fatal(err)
			}
			lists := []string{
				"findings", "followups", "artifacts", "trace", "understood.spans", "understood.assumptions", "understood.unread", "refusal.repairs",
				"clarification.options", "verification.checks", "frame.rows", "frame.columns", "frame.notices", "frame.population.per_filter", "narration.citations", "risk.reasons",
			}
			for _, path := range lists {
				var at any = object
				for _, key := range strings.Split(path, ".") {
					if inner, ok := at.(map[string]any); ok {
						at = inner[key]
					}
				}
				if _, isList := at.([]any); !isList && (at != nil || has(object, path)) {
					t.Errorf("%s is %v", path, at)
				}
			}
			if name != "answer" && (object["frame"] != nil || object["narration"] != nil || object["chart"] != nil || object["metric_card"] != nil || object["escalation"] != nil) {
				t.Errorf("%s", raw)
			}
		})
	}
}

// has says whether the object that holds the last key of a path is there.
func has(object map[string]any, path string) bool {
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		inner, ok := object[key].(map[string]any)
		if !ok {
			return false
		}
		object = inner
	}
	return true
}

func TestRelativePeriodsDiscloseTheirClock(t *testing.T) {
	k := shopKnowledge(t)
	const lastQuarter = "SELECT revenue AT () DURING PREVIOUS QUARTER"
	for name, c := range map[string]struct {
		request    Request
		from, says string
	}{
		"the data's end":  {Request{FrameQL: lastQuarter}, "1998-01-01", "1998-05-06, the last date in the data"},
		"an explicit one": {Request{FrameQL: lastQuarter, Now: time.Date(1997, 8, 1, 9, 0, 0, 0, time.UTC)}, "1997-04-01", "1997-08-01, as was asked"},
		"in a question":   {Request{Question: "revenue last quarter"}, "1998-01-01", "1998-05-06"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, k, [][]any{{dec("5")}}, [][]any{{int64(10), int64(5), int64(5)}})
			a, err := d.ask(t.Context(), c.request)
			if err != nil {
				t.Fatal(err)
			}
			if a.Frame.Span.Asked.From != c.from || !strings.Contains(strings.Join(a.Understood.Assumptions, "\n"), c.says) {
				t.Errorf("span %+v, assumptions %v", a.Frame.Span.Asked, a.Understood.Assumptions)
			}
			if !strings.Contains(a.Narration.Text, c.from) {
				t.Errorf("narration %q", a.Narration.Text)
			}
			checkLocked(t, *a.Narration, a.Understood.Reading, a.Frame)
		})
	}
	d := newDesk(t, k, categoryRows()...)
	if a, err := d.ask(t.Context(), Request{FrameQL: byCategory}); err != nil || len(a.Understood.Assumptions) != 0 {
		t.Errorf("a fixed period assumes %v, %v", a.Understood.Assumptions, err)
	}
}

func TestAnUnreadablePreviousQueryIsForgotten(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	d.memory.before = []session.Turn{{Index: 1, Outcome: "answer", FrameQL: "a query of a version that nobody remembers"}}
	if a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997", SessionID: "s"}); err != nil || a.Outcome != OutcomeAnswer {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestAnInferredModelSaysSo(t *testing.T) {
	k := shopKnowledge(t)
	m := *k.Model
	m.Inferred = true
	k.Model = &m
	k.Index = interpret.NewIndex(&m, nil)
	d := newDesk(t, k, categoryRows()...)
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory})
	if err != nil {
		t.Fatal(err)
	}
	if a.Verification.Level != "A" || a.Verification.Checks[0].Status != "finding" || !strings.Contains(a.Narration.Text, "inferred from the data, not yet reviewed (A)") {
		t.Errorf("verification %+v, narration %q", a.Verification, a.Narration.Text)
	}
	if a.Risk.Factors.SourceRisk != nil || !strings.Contains(strings.Join(a.Risk.Reasons, " "), "nobody reviewed the model") {
		t.Errorf("source risk %v, reasons %q", a.Risk.Factors.SourceRisk, a.Risk.Reasons)
	}
}

func TestAFailedCountLeavesTheAnswer(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()[0])
	d.engine.onQuery = func() {
		if len(d.engine.seen) == 2 {
			d.engine.queryErr = fault.New(fault.Limit, "query", "Too long.", "")
		}
	}
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory})
	if err != nil {
		t.Fatal(err)
	}
	told := slices.ContainsFunc(a.Verification.Checks, func(c Check) bool { return c.Code == "POPULATION" && c.Status == "could_not_check" })
	if a.Frame.Population != nil || !told {
		t.Errorf("population %+v, checks %+v", a.Frame.Population, a.Verification.Checks)
	}
}

func TestTheCapReachesTheEngine(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	d.engine.truncated = &frameql.Truncated{Cap: 2, TotalRows: 8}
	a, err := d.ask(t.Context(), Request{FrameQL: byCategory, MaxRows: 2})
	if err != nil {
		t.Fatal(err)
	}
	if d.engine.seen[0].MaxRows != 2 || a.Frame.Truncated == nil || found(a, "TRUNCATED") == "" {
		t.Errorf("cap %d, frame %+v", d.engine.seen[0].MaxRows, a.Frame)
	}
	if !strings.Contains(a.Narration.Text, "the first 2 rows of a longer result") {
		t.Errorf("narration %q", a.Narration.Text)
	}
}
