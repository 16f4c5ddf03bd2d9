package interpret

import "testing"

// linked are questions whose words name things loosely: searches inside text, short names, several keys of an order.
var linked = []struct{ question, query string }{
	{"products whose name contains chai", "SELECT products.product_name AT products WHERE products.product_name CONTAINS 'chai'"},
	{`customers whose company name starts with "A"`, "SELECT customers.company_name AT customers WHERE customers.company_name STARTS WITH 'A'"},
	{"list customers sorted by country descending and then by city", "SELECT customers.company_name, customers.country, customers.city AT customers ORDER BY customers.country DESC, customers.city"},
	{"the cities of the customers", "SELECT customers.company_name, customers.city AT customers"},
	{"what is the city of the customer with the most orders", "SELECT customers.company_name, customers.city, order_count AT customers TOP 1 customers BY order_count"},
	{"ids of all the suppliers", "SELECT suppliers.company_name, suppliers.supplier_id AT suppliers"},
}

func TestWordsThatNameLoosely(t *testing.T) {
	m := traders()
	ix := NewIndex(m, traderValues())
	for _, c := range linked {
		r := ix.Read(Request{Question: c.question, Env: traderEnv(m)})
		if r.Reading == nil || r.Clarify != nil {
			t.Errorf("%s: %s", c.question, outcome(r))
			continue
		}
		if got := r.Reading.Query.String(); got != c.query {
			t.Errorf("%s\ngot  %s\nwant %s", c.question, got, c.query)
		}
	}
}

// TestValuesThatWereLookedUp reads names that only a look into the data gave, and says before which ones it misses.
func TestValuesThatWereLookedUp(t *testing.T) {
	m := traders()
	ix := NewIndex(m, []ValueSet{{Entity: "customers", Dimension: "company_name", Values: []string{"Alfreds Futterkiste"}}})
	const question = "revenue of Zweirad Union in 1997"
	r := ix.Read(Request{Question: question, Env: traderEnv(m)})
	if len(r.Missing) != 1 || r.Missing[0] != "Zweirad Union" {
		t.Errorf("missing %q: %s", r.Missing, outcome(r))
	}
	found := []ValueSet{
		{Entity: "customers", Dimension: "company_name", Values: []string{"ZWEIRAD UNION", "Zweirad Union Nord"}},
		{Entity: "customers", Dimension: "contact_name", Values: []string{"Zweirad Union"}}, // personal, or not indexed
	}
	cases := []struct{ question, query string }{{question, "SELECT revenue WHERE customers.company_name = 'ZWEIRAD UNION' DURING 1997"}}
	reads(t, ix.Knowing(found), traderEnv(m), cases)
	if again := ix.Read(Request{Question: question, Env: traderEnv(m)}); len(again.Missing) != 1 {
		t.Errorf("the index itself has learned: %s", outcome(again))
	}
}
