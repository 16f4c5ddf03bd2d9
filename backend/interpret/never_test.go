package interpret

import "testing"

func TestPeriodsInWhichNothingMayBe(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"customers who ordered in 1996 but not in 1997", "SELECT customers.company_name AT customers WHERE ANY orders (orders.order_date >= '1996-01-01' AND orders.order_date < '1997-01-01') AND NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
		{"customers who ordered in 1996 but did not order in 1997", "SELECT customers.company_name AT customers WHERE NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01') AND ANY orders (orders.order_date >= '1996-01-01' AND orders.order_date < '1997-01-01')"},
		{"how many customers ordered in 1996 but not in 1997", "SELECT COUNT(*) FROM customers WHERE ANY orders (orders.order_date >= '1996-01-01' AND orders.order_date < '1997-01-01') AND NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
		{"revenue in 1996 but not in 1997", ""},
	})
}

func TestMembersWithNoSales(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"products with no sales in 1998", "SELECT products.product_name AT products WHERE NO order_lines (orders.order_date >= '1998-01-01' AND orders.order_date < '1999-01-01')"},
		{"customers without revenue", "SELECT customers.company_name AT customers WHERE NO order_lines"},
		{"categories with no discount", ""},
	})
}
