package interpret

import "testing"

func TestShortFormsAndCurrencies(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"rev by cat", "SELECT categories.category_name, revenue AT categories"},
		{"tot rev per yr", "SELECT orders.order_date.year, revenue"},
		{"qty sold by prod", "SELECT products.product_name, units_sold AT products"},
		{"top 5 custs by rev", "SELECT customers.company_name, revenue AT customers TOP 5 customers BY revenue"},
		{"customers w/o orders", "SELECT customers.company_name AT customers WHERE NO orders"},
		{"revenue in USD by category", "SELECT categories.category_name, revenue AT categories"},
		{"customers with more than $20k in sales", "SELECT customers.company_name, revenue AT customers HAVING revenue > 20000 ORDER BY revenue DESC"},
	})
}

// Nothing is converted: another currency than the workspace's is not understood.
func TestAnotherCurrencyIsNotRead(t *testing.T) {
	m := traders()
	m.Workspace.Currency = "USD"
	reads(t, NewIndex(m, traderValues()), traderEnv(m), []struct{ question, query string }{
		{"revenue in euros by category", ""},
		{"revenue in dollars by category", "SELECT categories.category_name, revenue AT categories"},
	})
}

// A short form that the model knows is that name.
func TestAShortFormOfTheModelIsItself(t *testing.T) {
	m := traders()
	for i := range m.Entities {
		if m.Entities[i].Name == "employees" {
			m.Entities[i].Synonyms = []string{"cats"}
		}
	}
	reads(t, NewIndex(m, traderValues()), traderEnv(m), []struct{ question, query string }{
		{"number of orders by cat", "SELECT employees.last_name, order_count AT employees"},
	})
}

func TestThePercentSignIsAWordOfAName(t *testing.T) {
	m := traders()
	for i := range m.Metrics {
		if m.Metrics[i].Name == "average_order_value" {
			m.Metrics[i].Synonyms = []string{"percentage of late orders"}
		}
	}
	reads(t, NewIndex(m, traderValues()), traderEnv(m), []struct{ question, query string }{
		{"% of late orders by shipper in 1997", "SELECT shippers.company_name, average_order_value AT shippers DURING 1997"},
	})
}

func TestAQuarterOfAShortYear(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"revenue in Q1 98", "SELECT revenue DURING 1998-Q1"},
		{"revenue by category, Q4 97", "SELECT categories.category_name, revenue AT categories DURING 1997-Q4"},
		{"revenue in Q3 96 by category", "SELECT categories.category_name, revenue AT categories DURING 1996-Q3"},
	})
}
