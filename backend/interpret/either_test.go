package interpret

import "testing"

func TestAlternativesOfDifferentKinds(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"customers in Germany or with more than 10 orders", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany' OR (order_count AT customers) > 10"},
		{"products that are discontinued or cost more than 50", "SELECT products.product_name, products.unit_price AT products WHERE products.discontinued = TRUE OR products.unit_price > 50"},
		{"List the products in Beverages that cost more than 20 or are discontinued.", "SELECT products.product_name, products.unit_price AT products WHERE categories.category_name = 'Beverages' AND (products.unit_price > 20 OR products.discontinued = TRUE)"},
		{"customers who ordered Chai or live in Berlin", "SELECT customers.company_name AT customers WHERE ANY order_lines (products.product_name = 'Chai') OR customers.city = 'Berlin'"},
		{"how many products have a unit price above 50 or below 5", "SELECT COUNT(*) FROM products WHERE products.unit_price > 50 OR products.unit_price < 5"},
		{"products with unit price over 50 or units in stock under 10", "SELECT products.product_name, products.unit_price, products.units_in_stock AT products WHERE products.unit_price > 50 OR products.units_in_stock < 10"},
		{"customers without orders or in Germany", ""},
		{"customers who did not order Chai or live in Berlin", ""},
		{"customers who either live in Germany and ordered Chai or live in France and ordered Chang", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany' AND ANY order_lines (products.product_name = 'Chai') OR customers.country = 'France' AND ANY order_lines (products.product_name = 'Chang')"},
		{"customers in Germany and in London or with more than 10 orders", ""},
		{"customers with revenue above 10000 and below 20000", "SELECT customers.company_name, revenue AT customers HAVING revenue > 10000 AND revenue < 20000 ORDER BY revenue DESC"},
		{"revenue in Germany or Beverages", "SELECT revenue WHERE customers.country = 'Germany' OR categories.category_name = 'Beverages'"},
		{"customers in Germany or with revenue above 10000", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany' OR (revenue AT customers) > 10000"},
		{"orders shipped to Germany or with freight above 100 by year", "SELECT orders.order_date.year, order_count WHERE orders.ship_country = 'Germany' OR orders.freight > 100"},
		{"How many orders were shipped to France or had freight over 100?", "SELECT order_count WHERE orders.ship_country = 'France' OR orders.freight > 100"},
		{"revenue from customers in Germany or from Beverages", "SELECT revenue WHERE customers.country = 'Germany' OR categories.category_name = 'Beverages'"},
		{"customers from Germany who ordered Chai or are from France", ""},
	})
	asks(t, "school", []struct{ question, query string }{
		{"students who have a dog or are older than 20", "SELECT student.name, student.age AT student WHERE ANY pet (pet.kind = 'dog') OR student.age > 20"},
		{"names of students who are from Lyon or have more than 2 pets", "SELECT student.name AT student WHERE student.home_town = 'Lyon' OR (pet_count AT student) > 2"},
		{"students with at least 2 pets or at least 3 enrollments", "SELECT student.name AT student WHERE (pet_count AT student) >= 2 OR (enrollment_count AT student) >= 3"},
		{"which students have more than 2 pets or fewer than 1 enrollment", "SELECT student.name AT student WHERE (pet_count AT student) > 2 OR (enrollment_count AT student) < 1"},
		{"teachers older than 50 or younger than 30", "SELECT teacher.name, teacher.age AT teacher WHERE teacher.age > 50 OR teacher.age < 30"},
		{"students who have no pets or play with a dog", ""},
	})
}
