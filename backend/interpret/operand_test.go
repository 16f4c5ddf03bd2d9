package interpret

import "testing"

// operandQuestions compare with something that is no literal.
var operandQuestions = []struct{ question, query string }{
	{"products with unit price above average", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (AVG(products.unit_price) AT ())"},
	{"products whose unit price is higher than the average unit price of all products", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (AVG(products.unit_price) AT ())"},
	{"how many products have a price higher than average", "SELECT COUNT(*) FROM products WHERE products.unit_price > (AVG(products.unit_price) AT ())"},
	{"products with a higher unit price than average", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (AVG(products.unit_price) AT ())"},
	{"products cheaper than average", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price < (AVG(products.unit_price) AT ())"},
	{"products cheaper than Chai", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price < (MIN(products.unit_price) FILTER (WHERE products.product_name = 'Chai') AT ())"},
	{"products more expensive than Chai", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (MAX(products.unit_price) FILTER (WHERE products.product_name = 'Chai') AT ())"},
	{"products in Beverages with unit price above average", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (AVG(products.unit_price) AT () IGNORING FILTERS) AND categories.category_name = 'Beverages'"},
	{"customers with revenue above average", "SELECT customers.company_name, revenue AT customers HAVING revenue > (AVG(revenue AT customers) AT ()) ORDER BY revenue DESC"},
	{"customers with more revenue than Ernst Handel", "SELECT customers.company_name, revenue AT customers HAVING revenue > (revenue FILTER (WHERE customers.company_name = 'Ernst Handel') AT ()) ORDER BY revenue DESC"},
	{"customers with more orders than the average customer", "SELECT customers.company_name, order_count AT customers HAVING order_count > (AVG(order_count AT customers) AT ()) ORDER BY order_count DESC"},
	{"products with units in stock below reorder level", "SELECT products.product_name, products.units_in_stock AT products WHERE products.units_in_stock < products.reorder_level"},
	{"products whose units in stock is less than the reorder level", "SELECT products.product_name, products.units_in_stock AT products WHERE products.units_in_stock < products.reorder_level"},
	{"products with a unit price greater than that of all products in Seafood", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (MAX(products.unit_price) FILTER (WHERE categories.category_name = 'Seafood') AT ())"},
	{"products whose unit price is higher than the maximum unit price of products in Seafood", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > (MAX(products.unit_price) FILTER (WHERE categories.category_name = 'Seafood') AT ())"},
	{"orders with freight greater than the average freight", "SELECT order_count WHERE orders.freight > (AVG(freight) AT ())"},
	{"countries with more customers than Germany", "SELECT customers.country, COUNT(*) FROM customers HAVING COUNT(*) > (COUNT(*) FILTER (WHERE customers.country = 'Germany') AT ()) ORDER BY COUNT(*) DESC"},
	{"list orders where the freight is more than the highest freight in Germany", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders WHERE orders.freight > (MAX(freight) FILTER (WHERE customers.country = 'Germany') AT ())"},
	{"products with lower than average unit price", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price < (AVG(products.unit_price) AT ())"},
	{"categories whose average unit price is above the average unit price of all products", "SELECT categories.category_name, AVG(products.unit_price) AT categories HAVING AVG(products.unit_price) > (AVG(products.unit_price) AT ()) ORDER BY AVG(products.unit_price) DESC"},
}

func TestComparisonsWithComputedNumbers(t *testing.T) { asks(t, "traders", operandQuestions) }
