package interpret

import (
	"slices"
	"strings"
	"testing"

	"assay/backend/frameql"
)

func TestConfidenceOfASlot(t *testing.T) {
	for _, c := range []struct {
		method string
		weight float64
		want   float64
		tier   Tier
	}{
		{MethodExact, 1, 1, TierSilent},
		{MethodFuzzy, 1, 0.85, TierSilent}, // on the boundary: the better tier
		{MethodModel, 1, 0.75, TierConfirm},
		{MethodDefault, 1, 0.7, TierConfirm},
		{MethodInvalid, 1, 0.3, TierAsk},
		{MethodExact, 0.85, 0.85, TierSilent},
		{MethodExact, 0.6, 0.6, TierConfirm},
		{MethodModel, 0.8, 0.6, TierConfirm}, // 0.6000000000000001
		{MethodFuzzy, 0.9, 0.765, TierConfirm},
		{MethodFuzzy, 0.7, 0.595, TierAsk},
		{MethodExact, 0, 0, TierAsk},
	} {
		if got := SlotConfidence(c.method, c.weight); got != c.want || TierOf(got) != c.tier {
			t.Errorf("%s times %v: %v in tier %d, want %v in %d", c.method, c.weight, got, TierOf(got), c.want, c.tier)
		}
	}
}

// weighted is the trading company with weights on a metric and on a dimension.
func weighted(metric, country float64) *Index {
	m := traders()
	for i := range m.Metrics {
		if m.Metrics[i].Name == "revenue" {
			m.Metrics[i].ConfidenceWeight = &metric
		}
	}
	for i := range m.Entities {
		if e := &m.Entities[i]; e.Name == "customers" {
			e.Dimension("country").ConfidenceWeight = &country
		}
	}
	return NewIndex(m, traderValues())
}

func spanOf(t *testing.T, r Result, words string) Span {
	t.Helper()
	i := slices.IndexFunc(r.Spans, func(s Span) bool { return s.Text == words })
	if i < 0 {
		t.Fatalf("%q is no span of %+v", words, r.Spans)
	}
	return r.Spans[i]
}

func TestWeightsDecideWhatIsConfirmed(t *testing.T) {
	for name, c := range map[string]struct {
		metric, country float64
		question        string
		confirm         string
	}{
		"sure":                 {1, 1, "revenue by customer in 1997", ""},
		"a weight below":       {0.8, 1, "revenue by customer in 1997", "“revenue” was taken for revenue; is that right?"},
		"on the boundary":      {0.85, 1, "revenue by customer in 1997", ""},
		"a value":              {1, 0.7, "revenue of customers in Germany", "“Germany” was taken for Germany (customers country); is that right?"},
		"a misspelled value":   {1, 0.9, "revenue of customers in Germny", "“Germny” was taken for Germany (customers country); is that right?"},
		"a misspelling alone":  {1, 1, "revenue of customers in Germny", ""},
		"rows by default":      {1, 1, "shippers by company name", "“shippers” was taken for the number of shippers; is that right?"},
		"a dimension by name":  {1, 0.7, "order count by customers country", "“customers country” was taken for customers country; is that right?"},
		"two slots, one after": {0.7, 0.7, "revenue of customers in Germany", "“revenue” was taken for revenue; is that right? “Germany” was taken for Germany (customers country); is that right?"},
	} {
		t.Run(name, func(t *testing.T) {
			ix := weighted(c.metric, c.country)
			r := ix.Read(Request{Question: c.question, Env: traderEnv(ix.model)})
			if r.Reading == nil || r.Clarify != nil {
				t.Fatalf("%s", outcome(r))
			}
			if got := strings.Join(r.Reading.Confirm, " "); got != c.confirm {
				t.Errorf("confirms %q, want %q", got, c.confirm)
			}
		})
	}
	ix := weighted(0.5, 1)
	calibrated := func(ix *Index) float64 {
		return ix.Read(Request{Question: "revenue by customer in 1997", Env: traderEnv(ix.model)}).Reading.Confidence
	}
	if a, b := calibrated(ix), calibrated(weighted(1, 1)); a != b {
		t.Errorf("the calibrated confidence is %v with a weight and %v without", a, b)
	}
}

// A slot below the lowest boundary is asked before anything runs: the best guess first, one or two others, and whatever is
// chosen is answered without asking again.
func TestAnUnsureSlotIsAsked(t *testing.T) {
	ix := weighted(0.5, 0.5)
	env := traderEnv(ix.model)
	for question, guess := range map[string]string{
		"revenue by category":                 "SELECT categories.category_name, revenue AT categories",
		"order count of customers in Germany": "SELECT order_count WHERE customers.country = 'Germany'",
	} {
		r := ix.Read(Request{Question: question, Env: env})
		c := r.Clarify
		if c == nil || c.BestGuess.Value != guess || c.GuessConfidence > 0.5 || len(c.Options) == 0 && strings.Contains(question, "revenue") || len(c.Options) > 2 {
			t.Errorf("%s: %s, %+v", question, outcome(r), c)
			continue
		}
		for _, choice := range append([]Choice{*c.BestGuess}, c.Options...) {
			next := ix.Read(Request{Question: choice.Question, Env: env})
			if next.Reading == nil || next.Clarify != nil || next.Reading.Query.String() != choice.Value {
				t.Errorf("%s: the choice %q gives %s", question, choice.Question, outcome(next))
			}
		}
		s := spanOf(t, r, map[bool]string{true: "revenue", false: "Germany"}[strings.Contains(question, "revenue")])
		if s.Confidence != 0.5 || s.Method != MethodExact {
			t.Errorf("%+v", s)
		}
		known := []Settled{{Words: fold(s.Text), Target: s.Target}}
		if again := ix.Read(Request{Question: question, Env: env, History: History{Settled: known}}); again.Clarify != nil || again.Reading == nil {
			t.Errorf("%s, settled before: %s", question, outcome(again))
		}
	}
}

// Every alternative for a metric that is not sure keeps the rest of the question.
func TestAlternativesKeepTheRest(t *testing.T) {
	ix := weighted(0.5, 1)
	r := ix.Read(Request{Question: "top 3 customers by revenue in 1997", Env: traderEnv(ix.model)})
	if r.Clarify == nil || len(r.Clarify.Options) == 0 {
		t.Fatalf("%s", outcome(r))
	}
	for _, o := range r.Clarify.Options {
		q, err := frameql.Parse(o.Value)
		if err != nil || q.Top == nil || q.Top.N != 3 || q.Time == nil || strings.Contains(o.Value, ", revenue ") {
			t.Errorf("%s: %v", o.Value, err)
		}
	}
}
