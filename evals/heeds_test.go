package evals_test

import (
	"context"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/llm/llmtest"
)

// A told question says several things, and a query says the same or something else in one of them.
type told struct {
	metric, metricWords string
	value, valueDim     string
	year                int
	top                 int
	asc                 bool
	grain               string
	versus              string // another value of the same dimension
	without             bool
}

// question and query are what is told, in words and in Frame-QL.
func (s told) question() string {
	words := s.metricWords
	if s.top > 0 {
		words = fmt.Sprintf("%s %d products by %s", map[bool]string{true: "bottom", false: "top"}[s.asc], s.top, s.metricWords)
	}
	if s.grain != "" {
		words += " by " + s.grain
	}
	switch {
	case s.versus != "":
		words = s.value + " vs " + s.versus + " " + words
	case s.without:
		words += " not in " + s.value
	case s.value != "":
		words += " in " + s.value
	}
	if s.year > 0 {
		words += fmt.Sprintf(" in %d", s.year)
	}
	return words
}

func (s told) query() string {
	var columns, where []string
	if s.top > 0 {
		columns = append(columns, "products.product_name")
	}
	if s.grain != "" {
		columns = append(columns, "orders.order_date."+s.grain)
	}
	switch {
	case s.versus != "":
		columns = append(columns, s.valueDim)
		where = append(where, fmt.Sprintf("%s IN ('%s', '%s')", s.valueDim, s.value, s.versus))
	case s.without:
		where = append(where, fmt.Sprintf("%s <> '%s'", s.valueDim, s.value))
	case s.value != "":
		where = append(where, fmt.Sprintf("%s = '%s'", s.valueDim, s.value))
	}
	q := "SELECT " + strings.Join(append(columns, s.metric), ", ")
	if s.top > 0 {
		q += " AT products"
	}
	if len(where) > 0 {
		q += " WHERE " + strings.Join(where, " AND ")
	}
	if s.year > 0 {
		q += fmt.Sprintf(" DURING %d", s.year)
	}
	if s.top > 0 {
		q += fmt.Sprintf(" TOP %d products BY %s", s.top, s.metric)
		if s.asc {
			q += " ASC"
		}
	}
	return q
}

// lies change one thing that was told. Each is given the other values that there are.
var lies = map[string]func(s *told, pick func(...string) string) bool{
	"another value": func(s *told, pick func(...string) string) bool {
		if s.value == "" {
			return false
		}
		s.value = pick("France", "Brazil", "Austria")
		return true
	},
	"another period": func(s *told, _ func(...string) string) bool {
		if s.year == 0 {
			return false
		}
		s.year = 1996 + (s.year-1996+1)%3
		return true
	},
	"no period": func(s *told, _ func(...string) string) bool {
		was := s.year
		s.year = 0
		return was > 0
	},
	"a period": func(s *told, _ func(...string) string) bool {
		was := s.year
		s.year = 1997
		return was == 0
	},
	"another number of members": func(s *told, _ func(...string) string) bool {
		s.top++
		return s.top > 1
	},
	"the other end": func(s *told, _ func(...string) string) bool {
		s.asc = !s.asc
		return s.top > 0
	},
	"another unit": func(s *told, pick func(...string) string) bool {
		was := s.grain
		s.grain = map[string]string{"month": "quarter", "quarter": "year", "year": "month"}[was]
		return was != ""
	},
	"no comparison": func(s *told, _ func(...string) string) bool {
		was := s.versus
		s.versus = ""
		return was != ""
	},
	"no negation": func(s *told, _ func(...string) string) bool {
		was := s.without
		s.without = false
		return was
	},
	"a negation": func(s *told, _ func(...string) string) bool {
		ok := s.value != "" && !s.without && s.versus == ""
		s.without = true
		return ok
	},
	"no filter": func(s *told, _ func(...string) string) bool {
		ok := s.value != "" && s.versus == ""
		s.value = ""
		s.without = false
		return ok
	},
	"a filter": func(s *told, pick func(...string) string) bool {
		ok := s.value == ""
		s.value, s.valueDim = pick("France", "Brazil"), "customers.country"
		return ok
	},
	"another number": func(s *told, _ func(...string) string) bool {
		s.metric = map[string]string{"revenue": "order_count", "order_count": "freight", "freight": "revenue"}[s.metric]
		return s.top == 0
	},
}

// named are the sentences by which a lie is named: it is the clause lied about that is said to differ, and not another one.
var named = map[string]*regexp.Regexp{
	"another value":             regexp.MustCompile(`^The question says .*; the query (filters by|does not filter by it)`),
	"another period":            regexp.MustCompile(`^The question says “.*”; the query is about `),
	"no period":                 regexp.MustCompile(`^The question says “.*”; the query has no period`),
	"a period":                  regexp.MustCompile(`^The query is about .* only, which the question does not say`),
	"another number of members": regexp.MustCompile(`^The question asks for \d+; the query keeps \d+`),
	"the other end":             regexp.MustCompile(`; the query keeps the (lowest|highest)`),
	"another unit":              regexp.MustCompile(`^The question says by (month|quarter|year); the query (splits by|does not split)`),
	"no comparison":             regexp.MustCompile(`^The question says .*Mexico.*; the query |the query compares nothing`),
	"no negation":               regexp.MustCompile(`the query leaves nothing out`),
	"a negation":                regexp.MustCompile(`^The query leaves something out`),
	"no filter":                 regexp.MustCompile(`the query does not filter by it|the query leaves nothing out`),
	"a filter":                  regexp.MustCompile(`^The query filters by .*, which the question does not say`),
	"another number":            regexp.MustCompile(`^The question says .*; the query shows `),
}

// drawTold draws what a question says.
func drawTold(r *rand.Rand) told {
	metric := []struct{ name, words string }{{"revenue", "revenue"}, {"order_count", "number of orders"}, {"freight", "freight"}}[r.Intn(3)]
	s := told{metric: metric.name, metricWords: metric.words, valueDim: "customers.country"}
	if r.Intn(3) > 0 {
		s.value = []string{"Germany", "Sweden", "Italy", "Spain"}[r.Intn(4)]
		s.without = r.Intn(4) == 0
	}
	if r.Intn(3) > 0 {
		s.year = 1996 + r.Intn(3)
	}
	switch r.Intn(4) {
	case 0:
		s.metric, s.metricWords = "revenue", "revenue"
		s.top, s.asc = 2+r.Intn(8), r.Intn(2) == 0
	case 1:
		s.grain = []string{"month", "quarter", "year"}[r.Intn(3)]
	case 2:
		if s.value != "" && !s.without {
			s.versus = "Mexico"
		}
	}
	return s
}

// TestModelsThatLieInOneClause has a model that writes a query for what was told, changed in one clause: it is never graded above A, what differs is
// named, and the likelihood of an error is higher. An honest one is seldom said to differ.
func TestModelsThatLieInOneClause(t *testing.T) {
	w := openScripted(t, "northwind")
	w.card.Tools = true
	r := rand.New(rand.NewSource(28))
	pick := func(all ...string) string { return all[r.Intn(len(all))] }
	var names []string
	for name := range lies {
		names = append(names, name)
	}
	slices.Sort(names)
	ask := func(question, query string) *analyst.Answer {
		w.say = llmtest.Say(executes(query), llmtest.Text("done"))
		a, err := w.Ask(context.Background(), analyst.Request{Question: question, Now: wallClock()}, nil)
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		return a
	}
	cases, honest, falsely, lied := 0, 0, 0, map[string]int{}
	for i := 0; cases < 200; i++ {
		s := drawTold(r)
		name := names[i%len(names)]
		lie := s
		if !lies[name](&lie, pick) || lie.query() == s.query() {
			continue
		}
		cases++
		a := ask(s.question(), lie.query())
		if v := a.Verification; v != nil && (v.Level == "AA" || v.Level == "AAA") {
			t.Errorf("%s: %q answered by %s has the grade %s", name, s.question(), lie.query(), v.Level)
		}
		if !slices.ContainsFunc(a.Understood.Confirm, named[name].MatchString) {
			t.Errorf("%s: %q answered by %s is not named: %s %q %+v", name, s.question(), lie.query(), a.Outcome, a.Understood.Confirm, a.Refusal)
		}
		lied[name]++
		if cases%2 == 0 {
			continue
		}
		honest++
		if a := ask(s.question(), s.query()); strings.Contains(strings.Join(a.Understood.Confirm, " "), "query") {
			falsely++
			t.Logf("honest: %q by %s: %v", s.question(), s.query(), a.Understood.Confirm)
		}
	}
	for _, name := range names {
		if lied[name] < 4 {
			t.Errorf("%s: drawn %d times only", name, lied[name])
		}
	}
	t.Logf("%d lies; of %d honest queries %d were said to differ", cases, honest, falsely)
	if falsely*20 > honest {
		t.Errorf("%d of %d honest queries were said to differ", falsely, honest)
	}
}

// TestNoModelAnswersWhatItsPersonIsAsked asks questions of which the reader understood every word, and that have several meanings. A model that
// is asked about everything is not asked about these: its person is.
func TestNoModelAnswersWhatItsPersonIsAsked(t *testing.T) {
	w := openScripted(t, "northwind")
	w.card.Tools = true
	for _, c := range []struct{ question, query string }{
		{"Revenue by region", "SELECT customers.state, revenue"},
		{"How much did customers in France spend?", "SELECT revenue WHERE customers.country = 'France'"},
		{"how many sales in 1997", "SELECT revenue DURING 1997"},
		{"number of freights by country", "SELECT customers.country, freight"},
	} {
		w.say, w.mind = llmtest.Say(executes(c.query), llmtest.Text("done")), nil
		a, err := w.Ask(context.Background(), analyst.Request{Question: c.question, Now: wallClock()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Outcome != analyst.OutcomeClarify || a.Frame != nil {
			t.Errorf("%q came to %s: %s", c.question, a.Outcome, a.Understood.FrameQL)
		}
		if w.mind != nil && len(w.mind.Asked()) > 0 {
			t.Errorf("%q was put to a model %d times", c.question, len(w.mind.Asked()))
		}
	}
}
