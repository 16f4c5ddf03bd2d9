package evals_test

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/workspace"
)

// TestWhatIf asks what would be, in plain words and without a language model. The observed side is the answer; the simulated one is held against queries of its own.
func TestWhatIf(t *testing.T) {
	for sample, cases := range map[string][]whatIfCase{
		"northwind": {
			{"what if we exclude Germany from revenue by country", "SELECT customers.country, revenue", []string{"SELECT revenue WHERE customers.country <> 'Germany'"}, []float64{1}},
			{"revenue by category if only France counted", "SELECT categories.category_name, revenue AT categories", []string{"SELECT revenue WHERE customers.country = 'France'"}, []float64{1}},
			{"show revenue by month in 1997 as if it were 1996", "SELECT orders.order_date.month, revenue DURING 1997", []string{"SELECT revenue DURING 1996"}, []float64{1}},
			{"What if revenue grew by 10% in Germany?", "SELECT customers.country, revenue", []string{"SELECT revenue", "SELECT revenue WHERE customers.country = 'Germany'"}, []float64{1, 0.1}},
			{"what would revenue by category be if revenue fell by 20 percent in Beverages and Produce", "SELECT categories.category_name, revenue AT categories", []string{"SELECT revenue", "SELECT revenue WHERE categories.category_name IN ('Beverages', 'Produce')"}, []float64{1, -0.2}},
			{"what if freight doubled", "SELECT freight", []string{"SELECT freight"}, []float64{2}},
			{"how much must revenue by category grow to reach 2 million", "SELECT categories.category_name, revenue AT categories", nil, []float64{2_000_000}},
		},
		"adventureworks": {
			{"what would sales by territory be if only bikes counted", "SELECT employees.territory, revenue", []string{"SELECT revenue WHERE productcategories.category_name = 'Bikes'"}, []float64{1}},
		},
	} {
		t.Run(sample, func(t *testing.T) {
			w, err := workspace.OpenSample(context.Background(), sample, workspace.Options{DataDir: t.TempDir(), Now: wallClock})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() })
			for _, c := range cases {
				c.check(t, w)
			}
		})
	}
}

// whatIfCase is a question, the query about what is, and what would be: the sum of the totals of queries, each by its factor.
type whatIfCase struct {
	question, base string
	totals         []string
	factors        []float64
}

func (c whatIfCase) check(t *testing.T, w *workspace.Workspace) {
	t.Helper()
	a, err := w.Ask(context.Background(), analyst.Request{Question: c.question}, nil)
	if err != nil {
		t.Errorf("%s: %v", c.question, err)
		return
	}
	if a.Frame == nil || a.Understood.FrameQL != c.base {
		t.Errorf("%s: %s, read as %q", c.question, a.Outcome, a.Understood.FrameQL)
		return
	}
	if !strings.HasPrefix(a.Supposed, "Simulated, not observed: ") {
		t.Errorf("%s: the answer does not say what is simulated: %q", c.question, a.Supposed)
	}
	s := simulationOf(t, w, a)
	want := 0.0
	if c.totals == nil {
		want = c.factors[0]
	}
	for i, q := range c.totals {
		total, err := w.Ask(context.Background(), analyst.Request{FrameQL: q}, nil)
		if err != nil || total.Frame == nil {
			t.Fatalf("%s: %v, %+v", q, err, total.Refusal)
		}
		n, ok := frameview.Number(total.Frame.Rows[0][0])
		if !ok {
			t.Fatalf("%s: no number", q)
		}
		f, _ := new(big.Rat).Set(n).Float64()
		want += f * c.factors[i]
	}
	if got := s.Outcomes[0].Simulated; math.Abs(got-want) > 0.005 {
		t.Errorf("%s: simulated %v, want %v", c.question, got, want)
	}
	if s.Outcomes[0].Observed == s.Outcomes[0].Simulated {
		t.Errorf("%s: nothing changed", c.question)
	}
}

func simulationOf(t *testing.T, w *workspace.Workspace, a *analyst.Answer) session.Simulation {
	t.Helper()
	doc, err := w.Memory().Session(context.Background(), a.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range doc.Turns {
		for _, x := range turn.Artifacts {
			if x.Kind != session.KindSimulation {
				continue
			}
			raw, err := json.Marshal(x.Body)
			if err != nil {
				t.Fatal(err)
			}
			var s session.Simulation
			if err := json.Unmarshal(raw, &s); err != nil || len(s.Outcomes) == 0 {
				t.Fatalf("%v, %s", err, raw)
			}
			return s
		}
	}
	t.Fatalf("%s: no simulation", a.Question)
	return session.Simulation{}
}
