package interpret

import "testing"

func TestWhatSomebodyDid(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"Which products did Ernst Handel order in 1998?", "SELECT products.product_name AT products WHERE ANY order_lines (customers.company_name = 'Ernst Handel' AND orders.order_date >= '1998-01-01' AND orders.order_date < '1999-01-01')"},
		{"Which categories did customers in Germany order?", "SELECT categories.category_name AT categories WHERE ANY order_lines (customers.country = 'Germany')"},
		{"which products did the customer Ernst Handel order", "SELECT products.product_name AT products WHERE ANY order_lines (customers.company_name = 'Ernst Handel')"},
	})
}

func TestSpending(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"Which customers spent the most in 1997?", "SELECT customers.company_name, revenue AT customers DURING 1997 TOP 10 customers BY revenue"},
		{"the city of the customer who spent the least", "SELECT customers.company_name, customers.city, revenue AT customers TOP 1 customers BY revenue ASC"},
		{"Which customers spent more than 10000?", "SELECT customers.company_name, revenue AT customers HAVING revenue > 10000 ORDER BY revenue DESC"},
		{"Which customers in Germany spent more than 10000 on beverages?", "SELECT customers.company_name, revenue AT customers WHERE customers.country = 'Germany' AND categories.category_name = 'Beverages' HAVING revenue > 10000 ORDER BY revenue DESC"},
		{"customers who spent more than the average", "SELECT customers.company_name, revenue AT customers HAVING revenue > (AVG(revenue AT customers) AT ()) ORDER BY revenue DESC"},
		{"products heavier than 10", ""},
	})
}
