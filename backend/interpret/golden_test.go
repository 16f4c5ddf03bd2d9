package interpret

import (
	"strings"
	"testing"

	"assay/backend/semantic"
)

func TestGoldenQueriesMatchFirst(t *testing.T) {
	m := traders()
	most := 50.0
	m.Golden = []semantic.Golden{
		{
			Name: "best", Question: "Which {n} customers brought the most revenue in {period}?", VerifiedBy: "role:steward", VerifiedAt: "2026-10-01",
			FrameQL:    "SELECT customers.company_name, gross_revenue AT customers DURING {period} TOP {n} customers BY gross_revenue",
			Parameters: []semantic.Parameter{{Name: "period", Type: "period", Default: "ALL TIME"}, {Name: "n", Type: "int", Default: "10", Max: &most}},
		},
		{
			Name: "in category", Question: "What are our bestsellers of {category}?", VerifiedBy: "role:steward", VerifiedAt: "2026-10-01",
			FrameQL:    "SELECT products.product_name, units_sold AT products WHERE categories.category_name = {category} TOP 5 products BY units_sold",
			Parameters: []semantic.Parameter{{Name: "category", Type: "value", Table: "categories", Column: "category_name"}},
		},
	}
	ix := NewIndex(m, traderValues())
	for _, c := range []struct {
		question, query string
		confidence      float64
	}{
		{"which 3 customers brought the most revenue in Q1 1997", "SELECT customers.company_name, gross_revenue AT customers DURING 1997-Q1 TOP 3 customers BY gross_revenue", 1},
		{"Which customers brought the most revenue last year?", "SELECT customers.company_name, gross_revenue AT customers DURING PREVIOUS YEAR TOP 10 customers BY gross_revenue", 0.7},
		{"Which customers brought most revenue?", "SELECT customers.company_name, gross_revenue AT customers DURING ALL TIME TOP 10 customers BY gross_revenue", 0.49},
		{"what are our bestsellers of dairy products?", "SELECT products.product_name, units_sold AT products WHERE categories.category_name = 'Dairy Products' TOP 5 products BY units_sold", 1},
	} {
		r := ix.Read(Request{Question: c.question, Env: traderEnv(m)})
		if r.Reading == nil || r.Reading.Query.String() != c.query || r.Reading.Confidence < c.confidence-0.001 || r.Reading.Confidence > c.confidence+0.001 {
			t.Errorf("%s: %s %+v\nwant %s", c.question, outcome(r), r.Reading, c.query)
			continue
		}
		if !strings.Contains(r.Reading.Assumptions[0], "role:steward") {
			t.Errorf("%s: assumptions %q", c.question, r.Reading.Assumptions)
		}
	}
	for _, q := range []string{"which 80 customers brought the most revenue in 1997", "which 3 customers in Germany brought the most revenue in 1997", "what are our bestsellers of Mars?"} {
		if r := ix.Read(Request{Question: q, Env: traderEnv(m)}); r.Reading != nil && strings.Contains(strings.Join(r.Reading.Assumptions, ""), "role:steward") {
			t.Errorf("%s: %s", q, outcome(r))
		}
	}
}

// TestGoldenValuesAreText gives a parameter a value that has braces in it: they name no other parameter.
func TestGoldenValuesAreText(t *testing.T) {
	m := traders()
	m.Golden = []semantic.Golden{{
		Name: "pair", Question: "What is the revenue of {first} against {second}?", VerifiedBy: "role:steward", VerifiedAt: "2026-10-01",
		FrameQL: "SELECT customers.company_name, gross_revenue AT customers WHERE customers.company_name IN ({first}, {second})",
		Parameters: []semantic.Parameter{
			{Name: "first", Type: "value", Default: "{second}"}, {Name: "second", Type: "value", Default: "{first}"},
		},
	}}
	r := NewIndex(m, traderValues()).Read(Request{Question: "What is the revenue of against?", Env: traderEnv(m)})
	if want := "SELECT customers.company_name, gross_revenue AT customers WHERE customers.company_name IN ('{second}', '{first}')"; r.Reading == nil || r.Reading.Query.String() != want {
		t.Errorf("%s\nwant %s", outcome(r), want)
	}
}
