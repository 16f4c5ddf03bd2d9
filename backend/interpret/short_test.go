package interpret

import "testing"

func TestShortFormsAndCurrencies(t *testing.T) {
	for q, want := range map[string]string{
		"rev by cat":                             "SELECT categories.category_name, revenue AT categories",
		"tot rev per yr":                         "SELECT orders.order_date.year, revenue",
		"qty sold by prod":                       "SELECT products.product_name, units_sold AT products",
		"top 5 custs by rev":                     "SELECT customers.company_name, revenue AT customers TOP 5 customers BY revenue",
		"customers w/o orders":                   "SELECT customers.company_name AT customers WHERE NO orders",
		"revenue in USD by category":             "SELECT categories.category_name, revenue AT categories",
		"customers with more than $20k in sales": "SELECT customers.company_name, revenue AT customers HAVING revenue > 20000 ORDER BY revenue DESC",
	} {
		if r := ask(t, q); r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != want {
			t.Errorf("%q: %s", q, outcome(r))
		}
	}
}

// Nothing is converted: another currency than the workspace's is not understood.
func TestAnotherCurrencyIsNotRead(t *testing.T) {
	m := traders()
	m.Workspace.Currency = "USD"
	ix := NewIndex(m, traderValues())
	if r := ix.Read(Request{Question: "revenue in euros by category", Env: traderEnv(m)}); r.Reading != nil && r.Clarify == nil {
		t.Errorf("%s", outcome(r))
	}
	if r := ix.Read(Request{Question: "revenue in dollars by category", Env: traderEnv(m)}); r.Reading == nil || r.Clarify != nil {
		t.Errorf("%s", outcome(r))
	}
}

// A short form that the model knows is that name.
func TestAShortFormOfTheModelIsItself(t *testing.T) {
	m := traders()
	for i := range m.Entities {
		if m.Entities[i].Name == "employees" {
			m.Entities[i].Synonyms = []string{"cats"}
		}
	}
	r := NewIndex(m, traderValues()).Read(Request{Question: "number of orders by cat", Env: traderEnv(m)})
	if r.Reading == nil || r.Reading.Query.String() != "SELECT employees.last_name, order_count AT employees" {
		t.Errorf("%s", outcome(r))
	}
}

func TestThePercentSignIsAWordOfAName(t *testing.T) {
	m := traders()
	for i := range m.Metrics {
		if m.Metrics[i].Name == "average_order_value" {
			m.Metrics[i].Synonyms = []string{"percentage of late orders"}
		}
	}
	r := NewIndex(m, traderValues()).Read(Request{Question: "% of late orders by shipper in 1997", Env: traderEnv(m)})
	if r.Reading == nil || r.Reading.Query.String() != "SELECT shippers.company_name, average_order_value AT shippers DURING 1997" {
		t.Errorf("%s", outcome(r))
	}
}

func TestAQuarterOfAShortYear(t *testing.T) {
	for q, want := range map[string]string{
		"revenue in Q1 98":             "SELECT revenue DURING 1998-Q1",
		"revenue by category, Q4 97":   "SELECT categories.category_name, revenue AT categories DURING 1997-Q4",
		"revenue in Q3 96 by category": "SELECT categories.category_name, revenue AT categories DURING 1996-Q3",
	} {
		if r := ask(t, q); r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != want {
			t.Errorf("%q: %s", q, outcome(r))
		}
	}
}
