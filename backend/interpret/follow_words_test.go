package interpret

import "testing"

// What an analyst leaves out in a conversation is filled in from the query that it goes on from.
func TestDialoguesOfAnalysts(t *testing.T) {
	m := traders()
	const byCategory = "SELECT categories.category_name, revenue AT categories"
	converse(t, m, traderValues(), traderEnv(m), [][]said{
		{ // a part of a year is one of the year that was spoken of
			{"revenue by category in 1997", byCategory + " DURING 1997"},
			{"but for Q2", byCategory + " DURING 1997-Q2"},
			{"what about March?", byCategory + " DURING 1997-03"},
			{"compared to the previous period", byCategory + " DURING 1997-03 COMPARE TO PREVIOUS PERIOD"},
			{"drop the comparison", byCategory + " DURING 1997-03"},
			{"and last year?", byCategory + " DURING PREVIOUS YEAR"},
			{"same for suppliers", "SELECT suppliers.company_name, revenue AT suppliers DURING PREVIOUS YEAR"},
		},
		{ // a year is no number of rows
			{"top 5 products by revenue in 1997", "SELECT products.product_name, revenue AT products DURING 1997 TOP 5 products BY revenue"},
			{"what about 1996?", "SELECT products.product_name, revenue AT products DURING 1996 TOP 5 products BY revenue"},
			{"how about 10?", "SELECT products.product_name, revenue AT products DURING 1996 TOP 10 products BY revenue"},
			{"show their category too", "SELECT products.product_name, categories.category_name, revenue AT products DURING 1996 TOP 10 products BY revenue"},
		},
		{ // a filter is removed by its value
			{"orders in 1997", "SELECT order_count DURING 1997"},
			{"only from customers in Germany", "SELECT order_count WHERE customers.country = 'Germany' DURING 1997"},
			{"remove the Germany filter", "SELECT order_count DURING 1997"},
		},
		{ // what ranks names what is shown, and the first of a sorted list are at its head
			{"revenue by category", byCategory},
			{"which category has the highest?", byCategory + " TOP 1 categories BY revenue"},
			{"undo", byCategory},
			{"sort it by revenue", byCategory + " ORDER BY revenue"},
			{"just the first 2", byCategory + " TOP 2 categories BY revenue ASC"},
		},
		{ // a question that lost its subject is about those who were shown
			{"which customers are in France?", "SELECT customers.company_name AT customers WHERE customers.country = 'France'"},
			{"which did not place an order in 1997?", "SELECT customers.company_name AT customers WHERE customers.country = 'France' AND NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
		},
	})
}

// A question back is answered by words that only one choice has.
func TestAChoiceIsNamedByAWord(t *testing.T) {
	ix := NewIndex(traders(), nil)
	choices := []Choice{{Label: "revenue by customers city"}, {Label: "revenue by suppliers city"}}
	for answer, want := range map[string]int{"customer city": 0, "the supplier one": 1, "by suppliers": 1, "city": -1, "what was their city": -1, "the": -1, "by product": -1, "revenue by customers city and by country and year": -1} {
		if got := ix.chosenByWord(choices, ix.english.tokenise(answer)); got != want {
			t.Errorf("%q names choice %d, want %d", answer, got, want)
		}
	}
}
