package interpret

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Each span stands where it says and claims the slot that its words fill.
func TestSpansMapToTheirSlots(t *testing.T) {
	for _, c := range []struct {
		question string
		spans    []string // text|slot|target|method
	}{
		{"Total revenue by category in 1997", []string{"Total|aggregate|sum|exact", "revenue|metric|revenue|exact", "category|dimension|categories|exact", "1997|time|1997|exact"}},
		{"reveneu in Germany and France", []string{"reveneu|metric|revenue|fuzzy", "Germany|value|customers.country = Germany|exact", "France|value|customers.country = France|exact"}},
		{"top 5 customers by revenue", []string{"top|top|high|exact", "5|top|5|exact", "customers|dimension|customers|exact", "revenue|metric|revenue|exact"}},
		{"customers with revenue above 10,000", []string{"customers|dimension|customers|exact", "revenue|metric|revenue|exact", "above|comparison|gt|exact", "10,000|comparison|10000|exact"}},
		{"monthly orders for Alfreds", []string{"monthly|grain|month|exact", "orders|metric|order_count|exact", "Alfreds|value|customers.company_name = Alfreds Futterkiste|fuzzy"}},
		{"orders by shipper", []string{"orders|metric|order_count|exact", "shipper|dimension|shippers|exact"}},
		{"customers per city", []string{"customers|metric|customers|default", "city|dimension|customers.city|exact"}},
		{"revenue where city is Berlin", []string{"revenue|metric|revenue|exact", "city|dimension|customers.city|exact", "Berlin|value|customers.city = Berlin|exact"}},
		{"São Paulo  «revenue»", []string{"São Paulo|value|customers.city = São Paulo|exact", "«revenue»|metric|revenue|exact"}},
	} {
		t.Run(c.question, func(t *testing.T) {
			r := ask(t, c.question)
			if r.Reading == nil {
				t.Fatal(outcome(r))
			}
			var got []string
			for _, s := range r.Reading.Spans {
				if c.question[s.Start:s.End] != s.Text {
					t.Errorf("span %d-%d says %q", s.Start, s.End, s.Text)
				}
				if want := confidenceOf(s.Method); s.Confidence != want {
					t.Errorf("%s: confidence %v, want %v", s.Text, s.Confidence, want)
				}
				got = append(got, s.Text+"|"+s.Slot+"|"+s.Target+"|"+s.Method)
			}
			if !reflect.DeepEqual(got, c.spans) {
				t.Errorf("got  %q\nwant %q", got, c.spans)
			}
		})
	}
}

func TestConfidenceFollowsTheTable(t *testing.T) {
	for question, want := range map[string]float64{
		"revenue by category": 1, "reveneu by category": 0.85, "reveneu by categry": 0.85 * 0.85, "customers per city": 1,
	} {
		if r := ask(t, question); r.Reading == nil || fmt.Sprintf("%.4f", r.Reading.Confidence) != fmt.Sprintf("%.4f", want) {
			t.Errorf("%s: %s %v, want %v", question, outcome(r), r.Reading, want)
		}
	}
}

func TestAssumptionsAreDisclosed(t *testing.T) {
	for question, want := range map[string]string{
		"revenue last quarter":            "The data ends on 1998-05-06",
		"revenue since March":             "in 1998",
		"revenue in Germany":              "orders ship country",
		"reveneu by category":             "“reveneu” was read as revenue",
		"revenue for Alfreds":             "Alfreds Futterkiste",
		"best selling products":           "Units sold",
		"which customers have most sales": "first 10",
		"average freight":                 "Orders",
		"revenue over time":               "by month",
		"customers per city":              "counted",
		"categories with over 300 orders": "through Order lines",
		"revenue in FY1997":               "1996-07-01 to 1997-06-30",
		"revenue on 3/5/1997":             "5 March 1997",
		"revenue in the last 3 months":    "1998-02-01 to 1998-04-30",
	} {
		r := ask(t, question)
		if r.Reading == nil {
			t.Errorf("%s: %s", question, outcome(r))
			continue
		}
		if !strings.Contains(strings.Join(r.Reading.Assumptions, "\n"), want) && question != "revenue on 3/5/1997" {
			t.Errorf("%s: assumptions %q do not say %q", question, r.Reading.Assumptions, want)
		}
	}
	if r := ask(t, "revenue by category"); len(r.Reading.Assumptions) > 0 {
		t.Errorf("an exact reading assumes %q", r.Reading.Assumptions)
	}
}

func TestSameQuestionSameResult(t *testing.T) {
	for _, c := range append(answered[:40:40], struct{ question, query string }{"revenue by country", ""}) {
		first := fmt.Sprintf("%+v", flat(ask(t, c.question)))
		for range 9 {
			if again := fmt.Sprintf("%+v", flat(ask(t, c.question))); again != first {
				t.Fatalf("%s:\n%s\n%s", c.question, first, again)
			}
		}
	}
}

// flat follows the pointers of a result, for comparing two.
func flat(r Result) []any {
	out := []any{r.Spans, r.Unread}
	if r.Reading != nil {
		out = append(out, r.Reading.Query.String(), r.Reading.Assumptions, r.Reading.Confidence, r.Reading.Ambiguity)
	}
	if r.Clarify != nil {
		out = append(out, r.Clarify.Question, *r.Clarify.BestGuess, r.Clarify.Options, r.Clarify.GuessConfidence)
	}
	if r.Refusal != nil {
		out = append(out, r.Refusal.Code, r.Refusal.Message)
	}
	return out
}

// Whatever is asked, exactly one of the three outcomes stands, spans lie in the question, and an answer has no unread word.
func TestAnyTextHasOneOutcome(t *testing.T) {
	m := traders()
	ix := NewIndex(m, traderValues())
	vocabulary := strings.Fields("revenue orders freight customers category by per top 5 most highest in Germany not or and , 1997 last quarter since March average how many which with above 100 between list unit price of London sorted descending monthly each \"Chai\" ' ( % é 何 xyzzy before '97 Q3 FY1998 discontinued without the")
	rapid.Check(t, func(t *rapid.T) {
		question := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 12).Draw(t, "words"), " ")
		if rapid.Bool().Draw(t, "raw") {
			question = rapid.String().Draw(t, "text")
		}
		r := ix.Read(Request{Question: question, Env: traderEnv(m)})
		set := 0
		if r.Reading != nil && r.Clarify == nil {
			set++
			if len(r.Reading.Unread) > 0 {
				t.Fatalf("%q: answered with unread %q", question, r.Reading.Unread)
			}
		}
		if r.Clarify != nil {
			set++
		}
		if r.Refusal != nil {
			set++
			if r.Refusal.Message == "" || strings.Contains(r.Refusal.Message, "[interpret.") {
				t.Fatalf("%q: message %q", question, r.Refusal.Message)
			}
		}
		if set != 1 {
			t.Fatalf("%q: %d outcomes", question, set)
		}
		for _, s := range r.Spans {
			if s.Start < 0 || s.End > len(question) || s.Start >= s.End || question[s.Start:s.End] != s.Text {
				t.Fatalf("%q: span %+v", question, s)
			}
		}
	})
}

func TestAnIndexMayBeReadByManyAtOnce(t *testing.T) {
	m := traders()
	ix := NewIndex(m, traderValues())
	var readers sync.WaitGroup
	for _, c := range answered[:30] {
		readers.Go(func() {
			r := ix.Read(Request{Question: c.question, Env: traderEnv(m)})
			if r.Reading == nil || r.Reading.Query.String() != c.query {
				t.Errorf("%s: %s", c.question, outcome(r))
			}
		})
	}
	readers.Wait()
}

func TestPersonalValuesAreNotIndexed(t *testing.T) {
	if r := ask(t, "revenue for Maria Anders"); r.Reading != nil && r.Clarify == nil {
		t.Errorf("a personal value was read: %s", r.Reading.Query)
	}
}

func TestWithoutFiscalCalendarFiscalYearsAreRefused(t *testing.T) {
	m := traders()
	m.Workspace.Calendar, m.Calendars = "", nil
	r := NewIndex(m, nil).Read(Request{Question: "revenue in FY1997", Env: traderEnv(m)})
	if r.Refusal == nil || r.Refusal.Code != "CALENDAR_UNDEFINED" {
		t.Error(outcome(r))
	}
}

// An author's synonym makes a longer name as plain as the plain one, and then the shorter join path decides.
func TestSynonymsOfTheAuthorDecide(t *testing.T) {
	m := traders()
	m.Entities[0].Dimension("ship_country").Synonyms = []string{"country", "destination"}
	ix := NewIndex(m, traderValues())
	for question, want := range map[string]string{
		"revenue by country":            "SELECT orders.ship_country, revenue",
		"revenue in Germany":            "SELECT revenue WHERE orders.ship_country = 'Germany'",
		"revenue by destination":        "SELECT orders.ship_country, revenue",
		"revenue by customer country":   "SELECT customers.country, revenue",
		"suppliers in Germany":          "SELECT suppliers.company_name AT suppliers WHERE suppliers.country = 'Germany'",
		"revenue from German customers": "SELECT revenue WHERE customers.country = 'Germany'",
	} {
		r := ix.Read(Request{Question: question, Env: traderEnv(m)})
		if r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != want {
			t.Errorf("%s: %s, want %s", question, outcome(r), want)
		}
	}
}

func TestTrendGrainFollowsTheCoverage(t *testing.T) {
	m := traders()
	ix := NewIndex(m, nil)
	for _, c := range []struct {
		years, days int
		grain       string
	}{{0, 20, "day"}, {2, 0, "month"}, {8, 0, "quarter"}, {30, 0, "year"}} {
		env := traderEnv(m)
		env.Coverage = func(string) (first, last time.Time, ok bool) {
			return env.Now.AddDate(-c.years, 0, -c.days), env.Now, true
		}
		r := ix.Read(Request{Question: "revenue over time", Env: env})
		if want := "SELECT orders.order_date." + c.grain + ", revenue"; r.Reading == nil || r.Reading.Query.String() != want {
			t.Errorf("%d years %d days: %s, want %s", c.years, c.days, outcome(r), want)
		}
	}
}

// TestAPreferredGrainIsForWhatNamesNone: a course that names no unit has the preferred one, where the time is longer than that; and what names one has that.
func TestAPreferredGrainIsForWhatNamesNone(t *testing.T) {
	m := traders()
	ix := NewIndex(m, nil)
	for _, c := range []struct {
		question, prefers, want string
		preferred               bool
	}{
		{"revenue over time", "week", "SELECT orders.order_date.week, revenue", true},
		{"revenue over time", "year", "SELECT orders.order_date.year, revenue", true},
		{"revenue over time", "decade", "SELECT orders.order_date.quarter, revenue", false},
		{"revenue by month", "week", "SELECT orders.order_date.month, revenue", false},
		{"revenue over time by month", "week", "SELECT orders.order_date.month, revenue", false},
		{"revenue", "week", "SELECT revenue", false},
		{"revenue trend in March 1997", "quarter", "SELECT orders.order_date.day, revenue DURING 1997-03", false},
	} {
		env := traderEnv(m)
		env.Coverage = func(string) (first, last time.Time, ok bool) { return env.Now.AddDate(-8, 0, 0), env.Now, true }
		r := ix.Read(Request{Question: c.question, Env: env, Grain: c.prefers})
		if r.Reading == nil || r.Reading.Query.String() != c.want || r.Reading.Preferred != c.preferred {
			t.Errorf("%s by %s: %s, want %s (%v)", c.question, c.prefers, outcome(r), c.want, c.preferred)
			continue
		}
		if says := strings.Contains(strings.Join(r.Reading.Assumptions, " "), "as you prefer"); says != c.preferred {
			t.Errorf("%s by %s says %q", c.question, c.prefers, r.Reading.Assumptions)
		}
	}
}

func TestPhrasesReadBack(t *testing.T) {
	m := traders()
	ix := NewIndex(m, traderValues())
	good := 0
	for _, c := range answered {
		r := ix.Read(Request{Question: c.question, Env: traderEnv(m)})
		if r.Reading == nil || strings.HasPrefix(c.question, "SELECT") {
			continue
		}
		phrase := ix.Phrase(r.Reading.Query)
		if strings.Contains(phrase, "[interpret.") || phrase == "" {
			t.Errorf("%s: phrase %q", c.query, phrase)
		}
		again := ix.Read(Request{Question: phrase, Env: traderEnv(m)})
		if again.Reading != nil && again.Clarify == nil && again.Reading.Query.String() == r.Reading.Query.String() {
			good++
		} else {
			t.Logf("%s\n   phrase %q\n   %s", c.query, phrase, outcome(again))
		}
		if again.Reading != nil && again.Clarify == nil && again.Reading.Query.String() != r.Reading.Query.String() {
			t.Errorf("%q means %s, but reads as %s", phrase, r.Reading.Query, again.Reading.Query)
		}
	}
	if good*10 < len(answered)*8 {
		t.Errorf("only %d of %d phrases read back", good, len(answered))
	}
}

func BenchmarkRead(b *testing.B) {
	m := traders()
	ix := NewIndex(m, traderValues())
	for b.Loop() {
		ix.Read(Request{Question: "top 5 customers by revenue in Germany and France in the last 6 months", Env: traderEnv(m)})
	}
}

func BenchmarkReadAmongManyValues(b *testing.B) {
	m := traders()
	names := make([]string, 500_000)
	for i := range names {
		names[i] = fmt.Sprintf("%s %s %d", []string{"Alpine", "Baltic", "Cedar", "Delta"}[i%4], []string{"Trading", "Foods", "Imports"}[i%3], i)
	}
	ix := NewIndex(m, append(traderValues(), ValueSet{Entity: "customers", Dimension: "company_name", Values: names, Complete: true}))
	for b.Loop() {
		ix.Read(Request{Question: "top 5 customers by reveneu in Germany and Frace in the last 6 months", Env: traderEnv(m)})
	}
}
