package evals_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/workspace"
	"assay/evals"
)

// evalCase is one line of a case file; README.md says what the keys mean.
type evalCase struct {
	ID       string    `json:"id"`
	Question string    `json:"question"`
	Now      time.Time `json:"now"`
	SQL      string    `json:"sql"`
	Rows     [][]any   `json:"rows"`
	Ordered  bool      `json:"ordered"`
	Expect   string    `json:"expect"`
	Note     string    `json:"note"`
}

// samples are the sample workspaces that have cases.
var samples = []string{"northwind", "adventureworks"}

func readCases(t *testing.T, sample string) []evalCase {
	t.Helper()
	raw, err := os.ReadFile(sample + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []evalCase
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		decoder.UseNumber()
		var c evalCase
		if err := decoder.Decode(&c); err != nil {
			t.Fatalf("%s.jsonl, case %d: %v", sample, len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	return cases
}

func TestCasesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, sample := range samples {
		answers := 0
		for _, c := range readCases(t, sample) {
			if c.ID == "" || c.Question == "" {
				t.Errorf("%s: a case lacks id or question: %+v", sample, c)
			}
			if seen[c.ID] {
				t.Errorf("%s: the id stands twice", c.ID)
			}
			seen[c.ID] = true
			switch c.Expect {
			case "":
				answers++
				if c.SQL == "" {
					t.Errorf("%s: a case that expects an answer needs sql", c.ID)
				}
			case "refuse", "clarify", "decline":
				if c.SQL != "" || c.Rows != nil {
					t.Errorf("%s: a case that expects %s has no rows to compare", c.ID, c.Expect)
				}
			default:
				t.Errorf("%s: expect is %q, want refuse, clarify or decline", c.ID, c.Expect)
			}
		}
		if answers < 12 {
			t.Errorf("%s: %d cases expect an answer, want at least 12", sample, answers)
		}
	}
}

// wallClock is years after the data ends, so that a relative period counts from the data's own last day.
func wallClock() time.Time { return time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC) }

// everyNth is how many questions a long test takes one of: n, or, where ASSAY_EVALS=all (make eval), 1.
func everyNth(n int) int {
	if os.Getenv("ASSAY_EVALS") == "all" {
		return 1
	}
	return n
}

func openSample(t *testing.T, name string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.OpenSample(context.Background(), name, workspace.Options{DataDir: t.TempDir(), Now: wallClock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Every question is asked as a person would, and the rows of the answer are those of the hand-written SQL.
func TestQuestions(t *testing.T) {
	for _, sample := range samples {
		t.Run(sample, func(t *testing.T) {
			w := openSample(t, sample)
			for _, c := range readCases(t, sample) {
				t.Run(c.ID, func(t *testing.T) { ask(t, w, c) })
			}
		})
	}
}

func ask(t *testing.T, w *workspace.Workspace, c evalCase) {
	a, err := w.Ask(context.Background(), analyst.Request{Question: c.Question, Now: c.Now}, nil)
	if err != nil {
		t.Fatalf("%q: %v", c.Question, err)
	}
	if c.Expect != "" {
		declined := a.Outcome == analyst.OutcomeRefuse && a.Refusal != nil && a.Refusal.Message != ""
		asked := a.Outcome == analyst.OutcomeClarify && a.Clarification != nil && a.Clarification.Question != ""
		if !(declined && c.Expect != "clarify" || asked && c.Expect != "refuse") || a.Frame != nil {
			t.Errorf("%q: outcome %s, want %s%s", c.Question, a.Outcome, c.Expect, account(a))
		}
		return
	}
	if a.Outcome != analyst.OutcomeAnswer || a.Frame == nil {
		t.Fatalf("%q: outcome %s, want an answer%s", c.Question, a.Outcome, account(a))
	}
	gold := query(t, w, c.SQL)
	if c.Rows != nil {
		if ok, why := evals.Match(c.Rows, gold, c.Ordered); !ok {
			t.Errorf("the check SQL does not give the rows that the case states: %s\n%v", why, gold)
		}
	}
	if ok, why := evals.Match(gold, a.Frame.Rows, c.Ordered); !ok {
		t.Errorf("%q: %s%s\n  want %v\n  got  %v", c.Question, why, account(a), excerpt(gold), excerpt(a.Frame.Rows))
	}
}

// account says how a question was read, for whoever looks for the reason of a failure.
func account(a *analyst.Answer) string {
	var b strings.Builder
	note := func(name, value string) {
		if value != "" {
			b.WriteString("\n  " + name + ": " + value)
		}
	}
	if u := a.Understood; u != nil {
		note("frame_ql", u.FrameQL)
		note("unread", strings.Join(u.Unread, ", "))
		note("assumptions", strings.Join(u.Assumptions, "; "))
	}
	if a.Refusal != nil {
		note("refusal", a.Refusal.Code+" "+a.Refusal.Message)
	}
	if a.Clarification != nil {
		note("clarification", a.Clarification.Question)
	}
	if a.Frame != nil {
		note("sql", a.Frame.SQL)
	}
	return b.String()
}

func query(t *testing.T, w *workspace.Workspace, sql string) [][]any {
	t.Helper()
	frame, err := w.Query(context.Background(), frameql.Statement{SQL: sql, Dialect: frameql.DuckDB})
	if err != nil {
		t.Fatalf("check SQL: %v\n%s", err, sql)
	}
	return frame.Rows
}

func excerpt(rows [][]any) [][]any {
	if len(rows) > 8 {
		return rows[:8]
	}
	return rows
}

// Every question that a sample offers to start with is answered.
func TestStarterQuestions(t *testing.T) {
	for _, sample := range samples {
		t.Run(sample, func(t *testing.T) {
			w := openSample(t, sample)
			model, _ := w.Model()
			if len(model.Workspace.Questions) != 4 {
				t.Errorf("%d questions to start with, want 4", len(model.Workspace.Questions))
			}
			for _, q := range model.Workspace.Questions {
				a, err := w.Ask(context.Background(), analyst.Request{Question: q}, nil)
				if err != nil {
					t.Fatalf("%q: %v", q, err)
				}
				if a.Outcome != analyst.OutcomeAnswer || a.Frame == nil || a.Frame.RowCount == 0 {
					t.Errorf("%q: outcome %s%s", q, a.Outcome, account(a))
				}
			}
		})
	}
}

// The golden queries and the checks of the gotchas of Northwind run and give what they promise.
func TestContextQueries(t *testing.T) {
	w := openSample(t, "northwind")
	model, _ := w.Model()
	for _, g := range model.Golden {
		t.Run("golden/"+g.Name, func(t *testing.T) {
			if rows := run(t, w, withParameters(t, w, g)); len(rows) == 0 {
				t.Error("no rows")
			}
		})
	}
	for _, g := range model.Gotchas {
		if g.CheckQL == "" {
			continue
		}
		t.Run("gotcha/"+g.Name, func(t *testing.T) {
			if ok, why := evals.Match([][]any{{g.Expect}}, check(t, w, g.CheckQL), false); !ok {
				t.Errorf("%s does not give %s: %s", g.CheckQL, g.Expect, why)
			}
		})
	}
}

// check gives the rows of a query that looks for what should not be there: a value that the data does not have is no
// mistake in it.
func check(t *testing.T, w *workspace.Workspace, query string) [][]any {
	t.Helper()
	q, err := frameql.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	env := w.Knowledge().Env(w.Now(), 0)
	env.Values = nil
	plan, refusals := frameql.Resolve(q, env)
	if plan == nil {
		t.Fatalf("%s: %v", query, refusals)
	}
	statement, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	frame, err := w.Query(context.Background(), statement)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return frame.Rows
}

// run gives the rows of a Frame-QL query.
func run(t *testing.T, w *workspace.Workspace, text string) [][]any {
	t.Helper()
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: text}, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if a.Frame == nil {
		t.Fatalf("%s: outcome %s%s", text, a.Outcome, account(a))
	}
	return a.Frame.Rows
}

// withParameters fills a golden query with its defaults; a value without one takes the first that the database allows.
func withParameters(t *testing.T, w *workspace.Workspace, g semantic.Golden) string {
	t.Helper()
	filled := g.FrameQL
	for _, p := range g.Parameters {
		value := p.Default
		if p.Type == "value" {
			if value == "" {
				allowed := query(t, w, `SELECT min("`+p.Column+`") FROM "`+p.Table+`"`)
				value = allowed[0][0].(string)
			}
			value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
		if !strings.Contains(g.Question, "{"+p.Name+"}") {
			t.Errorf("the question does not name the parameter %s", p.Name)
		}
		filled = strings.ReplaceAll(filled, "{"+p.Name+"}", value)
	}
	if strings.Contains(filled, "{") {
		t.Errorf("a placeholder has no parameter: %s", filled)
	}
	return filled
}
