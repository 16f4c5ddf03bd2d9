package interpret

import "testing"

// askedWith compares the readings of questions, with and without a memo, with their canonical queries.
func askedWith(t *testing.T, cases []struct{ memo, question, query string }) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.memo+"/"+c.question, func(t *testing.T) {
			r := define(t, c.question, c.memo)
			if r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != c.query {
				t.Errorf("%s\nwant %s", outcome(r), c.query)
			}
		})
	}
}

func TestPlacesByANumberAreColumns(t *testing.T) {
	askedWith(t, []struct{ memo, question, query string }{
		{
			"", "show each customer with their revenue and their rank by revenue",
			"WITH rank_by_revenue = RANK(revenue) SELECT customers.company_name, revenue, rank_by_revenue AT customers",
		},
		{"", "what is the rank of each customer by freight", "WITH rank_by_freight = RANK(freight) SELECT customers.company_name, rank_by_freight AT customers"},
		{"", "rank of each customer by freight, lowest first", "WITH rank_by_freight = RANK(0 - freight) SELECT customers.company_name, rank_by_freight AT customers"},
		{"CR = rank of each customer by revenue in descending order", "CR and revenue for each customer", "WITH cr = RANK(revenue) SELECT customers.company_name, cr, revenue AT customers"},
		{"CR = Rank customers by their revenue", "show the CR of each customer", "WITH cr = RANK(revenue) SELECT customers.company_name, cr AT customers"},
	})
	for question, memo := range map[string]string{
		"show the CR of each product":  "CR = rank of each customer by revenue",
		"show the CR of each customer": "CR = rank of each customer by good deeds",
	} {
		if r := define(t, question, memo); r.Reading != nil && r.Clarify == nil {
			t.Errorf("%s was answered: %s", question, outcome(r))
		}
	}
}
