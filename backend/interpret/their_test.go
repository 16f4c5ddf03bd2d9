package interpret

import "testing"

func TestMembersAndWhatIsTheirs(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"suppliers and their products", "SELECT products.product_name, suppliers.company_name AT products"},
		{"list the suppliers in Japan with their products", "SELECT products.product_name, suppliers.company_name AT products WHERE suppliers.country = 'Japan'"},
		{"products and their suppliers", "SELECT products.product_name, suppliers.company_name AT products"},
		{"customers and their city", "SELECT customers.company_name, customers.city AT customers"},
	})
}

func TestCountsOfWhatARelatingTableHasPerMember(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"average number of products per order", "SELECT AVG(COUNT(DISTINCT products.product_id) AT orders) FROM order_lines"},
		{"number of products per order", "SELECT orders.order_id, COUNT(DISTINCT products.product_id) AT orders FROM order_lines"},
	})
}

func TestToRankPutsTheMostFirst(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"rank the employees by revenue", "SELECT employees.last_name, revenue AT employees ORDER BY revenue DESC"},
		{"customers ranked by number of orders", "SELECT customers.company_name, order_count AT customers ORDER BY order_count DESC"},
		{"rank the customers by revenue from lowest to highest", "SELECT customers.company_name, revenue AT customers ORDER BY revenue"},
	})
}
