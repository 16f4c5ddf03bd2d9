package interpret

import "testing"

// What analysts say to narrow down what they see, and to take it back.
func TestNarrowingAndTakingBack(t *testing.T) {
	m := traders()
	converse(t, m, traderValues(), traderEnv(m), [][]said{
		{
			{"revenue by customer in 1997", "SELECT customers.company_name, revenue AT customers DURING 1997"},
			{"only the last quarter", "SELECT customers.company_name, revenue AT customers DURING 1997-Q4"},
			{"drop that", "SELECT customers.company_name, revenue AT customers DURING 1997"},
			{"top 5 of those", "SELECT customers.company_name, revenue AT customers DURING 1997 TOP 5 customers BY revenue"},
		},
		{
			{"products in the Beverages category", "SELECT products.product_name AT products WHERE categories.category_name = 'Beverages'"},
			{"what's the average unit price?", "SELECT AVG(products.unit_price) WHERE categories.category_name = 'Beverages'"},
		},
	})
}
