package interpret

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/semantic"
)

func completed(cs []Completion) string {
	var all []string
	for _, c := range cs {
		all = append(all, string(c.Kind)+":"+c.Label)
	}
	return strings.Join(all, ", ")
}

func completingTraders() *Index {
	m := traders()
	m.Workspace.Questions = []string{"revenue by category in 1997"}
	m.Golden = []semantic.Golden{
		{Question: "Which customers bring the most revenue in {period}?", FrameQL: "SELECT revenue", Parameters: []semantic.Parameter{{Name: "period", Type: "period", Default: "ALL TIME"}}},
		{Question: "Top {n} products by revenue", FrameQL: "SELECT revenue", Parameters: []semantic.Parameter{{Name: "n", Type: "int", Default: "5"}}},
	}
	return NewIndex(m, traderValues())
}

func TestComplete(t *testing.T) {
	ix := completingTraders()
	for question, want := range map[string]string{
		"rev":                         "metric:revenue",
		"gross re":                    "metric:gross revenue",
		"revenue by cat":              "entity:categories",
		"revenue by ship":             "dimension:orders ship city",
		"revenue in ger":              "value:Germany",
		"revenue of customers in sao": "value:São Paulo",
		"revenue for futt":            "value:Alfreds Futterkiste",
		"revenue last mo":             "time:last month",
		"revenue la":                  "time:last",
		"turn":                        "metric:turnover",
		"which customers br":          "question:Which customers bring the most revenue?",
		"top 5 pro":                   "question:Top 5 products by revenue",
		"revenue by category i":       "question:revenue by category in 1997",
		"revenue by ":                 "entity:customers",
	} {
		got := ix.Complete(question, 8)
		if !strings.Contains(completed(got), want) {
			t.Errorf("%q: %s, want %s", question, completed(got), want)
		}
		for _, c := range got {
			if c.Kind != CompleteQuestion && !strings.HasPrefix(c.Text, question[:strings.LastIndex(question, " ")+1]) && !strings.HasSuffix(c.Text, c.Label) {
				t.Errorf("%q became %q", question, c.Text)
			}
		}
	}
	for _, question := range []string{"", "   ", "revenue by category?", "revenue by \"ger", "zzz", strings.Repeat("revenue ", 4000)} {
		if got := ix.Complete(question, 8); len(got) > 0 {
			t.Errorf("%.30q: %s", question, completed(got))
		}
	}
}

func TestTheFirstCompletionFitsWhatStandsBefore(t *testing.T) {
	ix := completingTraders()
	for question, want := range map[string]string{
		"re": "revenue", "revenue by co": "", "average fr": "freight", "revenue in fr": "France", "revenue by categ": "revenue by category in 1997", "revenue in 1997 for the customers in fra": "France",
	} {
		got := ix.Complete(question, 8)
		if want != "" && (len(got) == 0 || got[0].Label != want) {
			t.Errorf("%q: %s, want %s first", question, completed(got), want)
		}
	}
	for _, c := range ix.Complete("revenue by co", 8) {
		if c.Kind == CompleteValue || c.Kind == CompleteMetric {
			t.Errorf("nothing to group by: %+v", c)
		}
	}
}

// What was typed whole is not offered again, and no kind crowds out the others.
func TestCompletionsAreFewAndNew(t *testing.T) {
	ix := completingTraders()
	for _, question := range []string{"c", "co", "revenue by c", "s", "revenue", "revenue in Germany"} {
		got := ix.Complete(question, 6)
		if len(got) > 6 {
			t.Errorf("%q: %d", question, len(got))
		}
		var texts []string
		for _, c := range got {
			if c.Text == question {
				t.Errorf("%q is offered again", question)
			}
			if slices.Contains(texts, c.Text+c.Detail) {
				t.Errorf("%q twice in %s", c.Text, completed(got))
			}
			texts = append(texts, c.Text+c.Detail)
		}
	}
}

// Personal values are never offered, and neither are hidden metrics.
func TestWhatIsNeverOffered(t *testing.T) {
	ix := completingTraders()
	for _, question := range []string{"maria", "maria a", "customers called mar"} {
		for _, c := range ix.Complete(question, 8) {
			if c.Kind == CompleteValue && strings.Contains(c.Label, "Maria") {
				t.Errorf("%q: %+v", question, c)
			}
		}
	}
}

// What is put in reads: a completed question with a name and nothing else to say is understood to the end.
func TestCompletionsRead(t *testing.T) {
	ix := completingTraders()
	env := traderEnv(ix.model)
	for _, start := range []string{"revenue by c", "revenue by p", "revenue in g", "revenue in f", "order count la", "revenue by s"} {
		for _, c := range ix.Complete(start, 8) {
			r := ix.Read(Request{Question: c.Text, Env: env})
			if len(r.Unread) > 0 || r.Refusal != nil && r.Refusal.Code == notInData {
				t.Errorf("%q: %s", c.Text, outcome(r))
			}
		}
	}
}

// BenchmarkCompleteInAWarehouse completes at every keystroke of a question on 50 tables and half a million values.
func BenchmarkCompleteInAWarehouse(b *testing.B) {
	m, sets := warehouse()
	ix := NewIndex(m, sets)
	question := "sale amount by region name for " + sets[0].Values[7] + " last month"
	var took []time.Duration
	for b.Loop() {
		for i := range question {
			start := time.Now()
			ix.Complete(question[:i+1], 8)
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}
