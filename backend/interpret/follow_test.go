package interpret

import (
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// said is one turn of a dialogue and what it must come to: canonical Frame-QL, or "asked" or "refused".
type said struct{ question, query string }

// talk is a conversation under test: it keeps the history as a session does.
type talk struct {
	ix      *Index
	env     frameql.Env
	history History
	turn    int
}

// say asks one question and remembers what came of it.
func (k *talk) say(question string) Result {
	r := k.ix.Read(Request{Question: question, Env: k.env, NowFromData: true, History: k.history})
	k.turn++
	switch {
	case r.Refusal != nil:
		k.history.Open = &Open{Question: question, Foreign: Foreign(r.Refusal.Code) && !r.Refusal.Tied}
	case r.Clarify != nil:
		k.history.Open = &Open{Question: question, Guess: r.Reading.Query, Choices: append([]Choice{*r.Clarify.BestGuess}, r.Clarify.Options...)}
	default:
		t := Turn{Turn: k.turn, Query: r.Reading.Query, Spans: r.Reading.Spans}
		if f := r.Reading.Follow; f != nil {
			t.Undone = f.Undone
			k.history.Settled = append(k.history.Settled, f.Settled...)
		}
		k.history.Turns, k.history.Open = append(k.history.Turns, t), nil
	}
	return r
}

func converse(t *testing.T, m *semantic.Model, values []ValueSet, env frameql.Env, dialogues [][]said) {
	t.Helper()
	ix := NewIndex(m, values)
	for _, dialogue := range dialogues {
		k := &talk{ix: ix, env: env}
		for i, s := range dialogue {
			r := k.say(s.question)
			got := outcome(r)
			switch s.query {
			case "asked", "refused":
				if !strings.HasPrefix(got, s.query) {
					t.Errorf("%s / %d %s:\n got %s\nwant %s", dialogue[0].question, i+1, s.question, got, s.query)
				}
			default:
				if got != "answered: "+s.query {
					t.Errorf("%s / %d %s:\n got %s\nwant %s", dialogue[0].question, i+1, s.question, got, s.query)
				}
			}
		}
	}
}

func TestDialoguesOfTraders(t *testing.T) {
	m := traders()
	const byCategory = "SELECT categories.category_name, revenue AT categories"
	converse(t, m, traderValues(), traderEnv(m), [][]said{
		{
			{"revenue by category in 1997", byCategory + " DURING 1997"},
			{"and last year?", byCategory + " DURING PREVIOUS YEAR"},
			{"what about Germany?", byCategory + " WHERE customers.country = 'Germany' DURING PREVIOUS YEAR"},
			{"by customer instead", "SELECT customers.company_name, revenue AT customers WHERE customers.country = 'Germany' DURING PREVIOUS YEAR"},
			{"only the top 3", "SELECT customers.company_name, revenue AT customers WHERE customers.country = 'Germany' DURING PREVIOUS YEAR TOP 3 customers BY revenue"},
			{"undo", "SELECT customers.company_name, revenue AT customers WHERE customers.country = 'Germany' DURING PREVIOUS YEAR"},
			{"go back", byCategory + " WHERE customers.country = 'Germany' DURING PREVIOUS YEAR"},
			{"go back two steps", byCategory + " DURING 1997"},
			{"undo", "refused"},
			{"but for Q2 1997", byCategory + " DURING 1997-Q2"},
		},
		{
			{"revenue by category in 1997", byCategory + " DURING 1997"},
			{"which one performed best?", byCategory + " DURING 1997 TOP 1 categories BY revenue"},
			{"and the worst?", byCategory + " DURING 1997 TOP 1 categories BY revenue ASC"},
		},
		{
			{"revenue by category in 1997", byCategory + " DURING 1997"},
			{"actually, I meant gross revenue", "SELECT categories.category_name, gross_revenue AT categories DURING 1997"},
			{"and units sold too", "SELECT categories.category_name, gross_revenue, units_sold AT categories DURING 1997"},
		},
		{
			{"revenue by customer in 1997", "SELECT customers.company_name, revenue AT customers DURING 1997"},
			{"what about units sold?", "SELECT customers.company_name, units_sold AT customers DURING 1997"},
			{"show orders too", "SELECT customers.company_name, units_sold, order_count AT customers DURING 1997"},
			{"sort by units sold", "SELECT customers.company_name, units_sold, order_count AT customers DURING 1997 ORDER BY units_sold"},
			{"highest first", "SELECT customers.company_name, units_sold, order_count AT customers DURING 1997 ORDER BY units_sold DESC"},
			{"drop orders", "SELECT customers.company_name, units_sold AT customers DURING 1997 ORDER BY units_sold DESC"},
			{"exclude Germany", "SELECT customers.company_name, units_sold AT customers WHERE customers.country <> 'Germany' DURING 1997 ORDER BY units_sold DESC"},
			{"remove the country filter", "SELECT customers.company_name, units_sold AT customers DURING 1997 ORDER BY units_sold DESC"},
			{"remove the date filter", "SELECT customers.company_name, units_sold AT customers ORDER BY units_sold DESC"},
		},
		{
			{"revenue by category in 1997", byCategory + " DURING 1997"},
			{"as a percentage", "SELECT categories.category_name, revenue, SHARE(revenue) AT categories DURING 1997"},
		},
		{
			{"monthly revenue in 1997", "SELECT orders.order_date.month, revenue DURING 1997"},
			{"by quarter", "SELECT orders.order_date.quarter, revenue DURING 1997"},
			{"compared to last year", "SELECT orders.order_date.quarter, revenue DURING 1997 COMPARE TO SAME PERIOD LAST YEAR"},
			{"only for Beverages and Seafood", "SELECT orders.order_date.quarter, revenue WHERE categories.category_name IN ('Beverages', 'Seafood') DURING 1997 COMPARE TO SAME PERIOD LAST YEAR"},
			{"also split by category", "SELECT orders.order_date.quarter, categories.category_name, revenue AT (orders.order_date.quarter, categories) WHERE categories.category_name IN ('Beverages', 'Seafood') DURING 1997 COMPARE TO SAME PERIOD LAST YEAR"},
		},
		{
			{"revenue in France", "SELECT revenue WHERE customers.country = 'France'"},
			{"and Germany?", "SELECT revenue WHERE customers.country IN ('France', 'Germany')"},
			{"what about Spain?", "SELECT revenue WHERE customers.country = 'Spain'"},
			{"by category", byCategory + " WHERE customers.country = 'Spain'"},
			{"revenue by shipper", "SELECT shippers.company_name, revenue AT shippers"},
		},
		{
			{"list customers in Germany", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany'"},
			{"how many are there?", "SELECT COUNT(*) FROM customers WHERE customers.country = 'Germany'"},
			{"and in France?", "SELECT COUNT(*) FROM customers WHERE customers.country = 'France'"},
		},
		{
			{"list customers in Germany", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany'"},
			{"show their city too", "SELECT customers.company_name, customers.city AT customers WHERE customers.country = 'Germany'"},
			{"how many of them are in Berlin?", "SELECT COUNT(*) FROM customers WHERE customers.country = 'Germany' AND customers.city = 'Berlin'"},
			{"list them", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany' AND customers.city = 'Berlin'"},
		},
		{
			{"products with unit price over 50", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 50"},
			{"what is the average unit price?", "SELECT AVG(products.unit_price) WHERE products.unit_price > 50"},
			{"what about the maximum?", "SELECT MAX(products.unit_price) WHERE products.unit_price > 50"},
		},
		{
			{"products with unit price over 50", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 50"},
			{"how about over 20?", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 20"},
			{"sort them by unit price descending", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 20 ORDER BY products.unit_price DESC"},
			{"which of those are discontinued?", "SELECT products.product_name AT products WHERE products.unit_price > 20 AND products.discontinued = TRUE"},
		},
		{
			{"what is the weather like", "refused"},
			{"revenue by category in 1997", byCategory + " DURING 1997"},
			{"what is the weather like", "refused"},
			{"and in 1996?", byCategory + " DURING 1996"},
		},
		{
			{"customers in London or Paris", "SELECT customers.company_name AT customers WHERE customers.city IN ('London', 'Paris')"},
			{"same for Berlin", "SELECT customers.company_name AT customers WHERE customers.city = 'Berlin'"},
			{"what is their revenue?", "SELECT customers.company_name, revenue AT customers WHERE customers.city = 'Berlin'"},
		},
		{
			{"top 5 customers by revenue in 1997", "SELECT customers.company_name, revenue AT customers DURING 1997 TOP 5 customers BY revenue"},
			{"how about 10?", "SELECT customers.company_name, revenue AT customers DURING 1997 TOP 10 customers BY revenue"},
			{"by units sold instead", "SELECT customers.company_name, units_sold AT customers DURING 1997 TOP 10 customers BY units_sold"},
		},
	})
}
