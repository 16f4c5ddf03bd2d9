package interpret

import (
	"testing"

	"assay/backend/frameql"
)

// answered are questions with the one query that they mean over the traders' model.
var answered = []struct{ question, query string }{
	{"revenue", "SELECT revenue"},
	{"revenue by category", "SELECT categories.category_name, revenue AT categories"},
	{"total revenue by category in 1997", "SELECT categories.category_name, revenue AT categories DURING 1997"},
	{"revenue by customer", "SELECT customers.company_name, revenue AT customers"},
	{"What were sales in 1997, by category?", "SELECT categories.category_name, revenue AT categories DURING 1997"},
	{"revenue in Germany", "SELECT revenue WHERE customers.country = 'Germany'"},
	{"revenue by category and month", "SELECT categories.category_name, orders.order_date.month, revenue AT (categories, orders.order_date.month)"},
	{"monthly revenue", "SELECT orders.order_date.month, revenue"},
	{"revenue over time", "SELECT orders.order_date.month, revenue"},
	{"weekly revenue in March 1998", "SELECT orders.order_date.week, revenue DURING 1998-03"},
	{"daily orders in January 1998", "SELECT orders.order_date.day, order_count DURING 1998-01"},
	{"revenue per quarter in 1997", "SELECT orders.order_date.quarter, revenue DURING 1997"},
	{"revenue by year and category", "SELECT orders.order_date.year, categories.category_name, revenue AT (orders.order_date.year, categories)"},
	{"revenue by ship country", "SELECT orders.ship_country, revenue"},
	{"revenue by customers country and supplier country", "SELECT customers.country, suppliers.country, revenue"},
	{"revenue by employee title", "SELECT employees.title, revenue"},
	{"how many orders", "SELECT order_count"},
	{"how many orders in 1997", "SELECT order_count DURING 1997"},
	{"how many customers", "SELECT COUNT(*) FROM customers"},
	{"how many customers are there in Germany", "SELECT COUNT(*) FROM customers WHERE customers.country = 'Germany'"},
	{"how many customers placed orders in 1997", "SELECT COUNT(DISTINCT customers.customer_id) FROM orders DURING 1997 ON orders.order_date"},
	{"how many discontinued products", "SELECT COUNT(*) FROM products WHERE products.discontinued = TRUE"},
	{"how many suppliers are in the USA", "SELECT COUNT(*) FROM suppliers WHERE suppliers.country = 'USA'"},
	{"how many different cities do customers live in", "SELECT COUNT(DISTINCT customers.city)"},
	{"count of discontinued products by supplier", "SELECT suppliers.company_name, COUNT(*) AT suppliers FROM products WHERE products.discontinued = TRUE"},
	{"number of orders per customer", "SELECT customers.company_name, order_count AT customers"},
	{"number of products per supplier", "SELECT suppliers.company_name, COUNT(*) AT suppliers FROM products"},
	{"how many products does each supplier have", "SELECT suppliers.company_name, COUNT(*) AT suppliers FROM products"},
	{"number of employees by title", "SELECT employees.title, COUNT(*) FROM employees"},
	{"number of customers by country", "SELECT customers.country, COUNT(*) FROM customers"},
	{"customers per city in Germany", "SELECT customers.city, COUNT(*) FROM customers WHERE customers.country = 'Germany'"},
	{"average freight", "SELECT AVG(freight)"},
	{"average freight by shipper", "SELECT shippers.company_name, AVG(freight) AT shippers"},
	{"average unit price by category", "SELECT categories.category_name, AVG(products.unit_price) AT categories"},
	{"average unit price of products", "SELECT AVG(products.unit_price)"},
	{"average revenue per customer", "SELECT AVG(revenue AT customers)"},
	{"average discount by category", "SELECT categories.category_name, AVG(order_lines.discount) AT categories"},
	{"minimum, average and maximum unit price of products", "SELECT MIN(products.unit_price), AVG(products.unit_price), MAX(products.unit_price)"},
	{"max unit price by category", "SELECT categories.category_name, MAX(products.unit_price) AT categories"},
	{"median freight by country of customers", "SELECT customers.country, MEDIAN(freight)"},
	{"what is the highest freight", "SELECT MAX(freight)"},
	{"AOV by shipper", "SELECT shippers.company_name, average_order_value AT shippers"},
	{"gross revenue in 1997", "SELECT gross_revenue DURING 1997"},
	{"total units sold by category and year", "SELECT categories.category_name, orders.order_date.year, units_sold AT (categories, orders.order_date.year)"},
	{"top 5 customers by revenue", "SELECT customers.company_name, revenue AT customers TOP 5 customers BY revenue"},
	{"top 5 customers by revenue in 1997", "SELECT customers.company_name, revenue AT customers DURING 1997 TOP 5 customers BY revenue"},
	{"top three categories by revenue", "SELECT categories.category_name, revenue AT categories TOP 3 categories BY revenue"},
	{"which category had the highest revenue", "SELECT categories.category_name, revenue AT categories TOP 1 categories BY revenue"},
	{"which 3 customers have the highest average order value", "SELECT customers.company_name, average_order_value AT customers TOP 3 customers BY average_order_value"},
	{"which employee handled the most orders", "SELECT employees.last_name, order_count AT employees TOP 1 employees BY order_count"},
	{"which of the employees has the most orders", "SELECT employees.last_name, order_count AT employees TOP 1 employees BY order_count"},
	{"which customers placed the most orders in 1997", "SELECT customers.company_name, order_count AT customers DURING 1997 TOP 10 customers BY order_count"},
	{"in which month was revenue highest", "SELECT orders.order_date.month, revenue TOP 1 orders.order_date.month BY revenue"},
	{"what is the best month by revenue", "SELECT orders.order_date.month, revenue TOP 1 orders.order_date.month BY revenue"},
	{"lowest revenue category", "SELECT categories.category_name, revenue AT categories TOP 1 categories BY revenue ASC"},
	{"category with the highest average unit price", "SELECT categories.category_name, AVG(products.unit_price) AT categories TOP 1 categories BY AVG(products.unit_price)"},
	{"top 3 cities by number of customers", "SELECT customers.city, COUNT(*) FROM customers TOP 3 customers.city BY COUNT(*)"},
	{"best selling products", "SELECT products.product_name, units_sold AT products TOP 10 products BY units_sold"},
	{"worst 3 shippers by freight", "SELECT shippers.company_name, freight AT shippers TOP 3 shippers BY freight"},
	{"bottom 5 products by units sold", "SELECT products.product_name, units_sold AT products TOP 5 products BY units_sold ASC"},
	{"5 most expensive products", "SELECT products.product_name, products.unit_price AT products ORDER BY products.unit_price DESC LIMIT 5"},
	{"the 3 cheapest products", "SELECT products.product_name, products.unit_price AT products ORDER BY products.unit_price LIMIT 3"},
	{"cheapest product in Seafood", "SELECT products.product_name, products.unit_price AT products WHERE categories.category_name = 'Seafood' ORDER BY products.unit_price LIMIT 1"},
	{"which product has the highest unit price", "SELECT products.product_name, products.unit_price AT products ORDER BY products.unit_price DESC LIMIT 1"},
	{"the 5 highest orders by freight", "SELECT orders.order_id, orders.freight, orders.order_date, orders.required_date, orders.shipped_date, orders.ship_city AT orders ORDER BY orders.freight DESC LIMIT 5"},
	{"most recent orders", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders ORDER BY orders.order_date DESC LIMIT 10"},
	{"the newest employee", "SELECT employees.last_name, employees.hire_date AT employees ORDER BY employees.hire_date DESC LIMIT 1"},
	{"who is the oldest employee", "SELECT employees.last_name, employees.birth_date AT employees ORDER BY employees.birth_date LIMIT 1"},
	{"customers with revenue above 10000", "SELECT customers.company_name, revenue AT customers HAVING revenue > 10000 ORDER BY revenue DESC"},
	{"categories with more than 300 orders", "SELECT categories.category_name, COUNT(DISTINCT orders.order_id) AT categories FROM order_lines HAVING COUNT(DISTINCT orders.order_id) > 300 ORDER BY COUNT(DISTINCT orders.order_id) DESC"},
	{"customers with revenue between 1000 and 5000", "SELECT customers.company_name, revenue AT customers HAVING revenue BETWEEN 1000 AND 5000 ORDER BY revenue DESC"},
	{"customers with at least 10 orders", "SELECT customers.company_name, order_count AT customers HAVING order_count >= 10 ORDER BY order_count DESC"},
	{"employees with fewer than 50 orders", "SELECT employees.last_name, order_count AT employees HAVING order_count < 50 ORDER BY order_count"},
	{"show me customers with average order value over 1000", "SELECT customers.company_name, average_order_value AT customers HAVING average_order_value > 1000 ORDER BY average_order_value DESC"},
	{"products with unit price over 50", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 50"},
	{"products with units in stock below 10", "SELECT products.product_name, products.units_in_stock AT products WHERE products.units_in_stock < 10"},
	{"orders where freight > 500", "SELECT order_count WHERE orders.freight > 500"},
	{"list orders with freight above 100 in 1997", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders WHERE orders.freight > 100 DURING 1997 ON orders.order_date"},
	{"revenue by customer where discount over 10%", "SELECT customers.company_name, revenue AT customers WHERE order_lines.discount > 0.1"},
	{"list all suppliers in Germany", "SELECT suppliers.company_name AT suppliers WHERE suppliers.country = 'Germany'"},
	{"show products and their unit price", "SELECT products.product_name, products.unit_price AT products"},
	{"which employees live in London", "SELECT employees.last_name AT employees WHERE employees.city = 'London'"},
	{"discontinued products", "SELECT products.product_name AT products WHERE products.discontinued = TRUE"},
	{"products that are not discontinued", "SELECT products.product_name AT products WHERE products.discontinued = FALSE"},
	{"non discontinued products by category", "SELECT categories.category_name, COUNT(*) AT categories FROM products WHERE products.discontinued = FALSE"},
	{"customers in London or Paris", "SELECT customers.company_name AT customers WHERE customers.city IN ('London', 'Paris')"},
	{"customers not in Germany, France or Spain", "SELECT customers.company_name AT customers WHERE customers.country NOT IN ('Germany', 'France', 'Spain')"},
	{"customers whose city is London", "SELECT customers.company_name AT customers WHERE customers.city = 'London'"},
	{"names of the suppliers in Japan", "SELECT suppliers.company_name AT suppliers WHERE suppliers.country = 'Japan'"},
	{"what countries do our suppliers come from", "SELECT suppliers.country"},
	{"list cities of customers in Germany", "SELECT customers.company_name, customers.city AT customers WHERE customers.country = 'Germany'"},
	{"products supplied by Exotic Liquids", "SELECT products.product_name AT products WHERE suppliers.company_name = 'Exotic Liquids'"},
	{"list orders and their freight", "SELECT orders.order_id, orders.freight AT orders"},
	{"list orders in 1997", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders DURING 1997 ON orders.order_date"},
	{"order 10248", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders WHERE orders.order_id = 10248"},
	{"revenue excluding France", "SELECT revenue WHERE customers.country <> 'France'"},
	{"revenue in Germany and France", "SELECT revenue WHERE customers.country IN ('Germany', 'France')"},
	{"revenue where country is Germany", "SELECT revenue WHERE customers.country = 'Germany'"},
	{"revenue where customers country = \"Germany\"", "SELECT revenue WHERE customers.country = 'Germany'"},
	{"revenue where country is Germany and category is Beverages", "SELECT revenue WHERE customers.country = 'Germany' AND categories.category_name = 'Beverages'"},
	{"revenue of Chai sold by Nancy Davolio", "SELECT revenue WHERE products.product_name = 'Chai' AND employees.first_name = 'Nancy' AND employees.last_name = 'Davolio'"},
	{"revenue of Beverages by customer sorted by revenue descending", "SELECT customers.company_name, revenue AT customers WHERE categories.category_name = 'Beverages' ORDER BY revenue DESC"},
	{"revenue by supplier for Beverages and Seafood", "SELECT suppliers.company_name, revenue AT suppliers WHERE categories.category_name IN ('Beverages', 'Seafood')"},
	{"revenue for B's Beverages", "SELECT revenue WHERE customers.company_name = 'B''s Beverages'"},
	{"revenue for Save-a-lot Markets in 1997", "SELECT revenue WHERE customers.company_name = 'Save-a-lot Markets' DURING 1997"},
	{"revenue from Sao Paulo", "SELECT revenue WHERE customers.city = 'São Paulo'"},
	{"revenue for customer Alfreds", "SELECT revenue WHERE customers.company_name = 'Alfreds Futterkiste'"},
	{"revenue for employees in London", "SELECT revenue WHERE employees.city = 'London'"},
	{"quantity by product for Grains/Cereals", "SELECT products.product_name, units_sold AT products WHERE categories.category_name = 'Grains/Cereals'"},
	{"units sold of Chai and Chang", "SELECT units_sold WHERE products.product_name IN ('Chai', 'Chang')"},
	{"sales to Ernst Handel", "SELECT revenue WHERE customers.company_name = 'Ernst Handel'"},
	{"freight of order 10248", "SELECT freight WHERE orders.order_id = 10248"},
	{"freight by shipper in Q1 1998", "SELECT shippers.company_name, freight AT shippers DURING 1998-Q1"},
	{"how many orders were shipped to Germany", "SELECT order_count WHERE orders.ship_country = 'Germany'"},
	{"orders shipped to Brazil in 1997 by shipper", "SELECT shippers.company_name, order_count AT shippers WHERE orders.ship_country = 'Brazil' DURING 1997"},
	{"orders shipped in March 1997", "SELECT order_count DURING 1997-03 ON orders.shipped_date"},
	{"employees hired after 1993", "SELECT employees.last_name, employees.hire_date AT employees DURING FROM 1994-01-01 ON employees.hire_date"},
	{"employees born before 1960", "SELECT employees.last_name, employees.birth_date AT employees DURING FROM 0001-01-01 TO 1960-01-01 ON employees.birth_date"},
	{"orders by month over the last 6 months", "SELECT orders.order_date.month, order_count DURING LAST 6 MONTH"},
	{"orders between 1997-01-01 and 1997-03-31", "SELECT order_count DURING FROM 1997-01-01 TO 1997-04-01"},
	{"orders from January to March 1997 by shipper", "SELECT shippers.company_name, order_count AT shippers DURING FROM 1997-01-01 TO 1997-04-01"},
	{"revenue in 1996 and 1997 by year", "SELECT orders.order_date.year, revenue DURING FROM 1996-01-01 TO 1998-01-01"},
	{"revenue last quarter", "SELECT revenue DURING PREVIOUS QUARTER"},
	{"revenue since March", "SELECT revenue DURING FROM 1998-03-01"},
	{"revenue YTD", "SELECT revenue DURING YTD"},
	{"revenue in Q3 1997 by month", "SELECT orders.order_date.month, revenue DURING 1997-Q3"},
	{"revenue this fiscal year", "SELECT revenue DURING THIS FISCAL_YEAR"},
	{"units sold for Seafood in FY1997", "SELECT units_sold WHERE categories.category_name = 'Seafood' DURING FY1997"},
	{"revenue before May 1997", "SELECT revenue DURING FROM 1996-07-04 TO 1997-05-01"},
	{"revenue in the last 30 days", "SELECT revenue DURING LAST 30 DAY"},
	{"reveneu by categry", "SELECT categories.category_name, revenue AT categories"},
	{"customers by revenue", "SELECT customers.company_name, revenue AT customers ORDER BY revenue DESC"},
	{"customer revenue", "SELECT customers.company_name, revenue AT customers"},
	{"category sales in 1997", "SELECT categories.category_name, revenue AT categories DURING 1997"},
	{"revenue by customer alphabetically", "SELECT customers.company_name, revenue AT customers ORDER BY customers.company_name"},
	{"units sold by product, highest first", "SELECT products.product_name, units_sold AT products ORDER BY units_sold DESC"},
	{"products sorted by unit price descending", "SELECT products.product_name, products.unit_price AT products ORDER BY products.unit_price DESC"},
	{"list products with unit price highest first", "SELECT products.product_name, products.unit_price AT products ORDER BY products.unit_price DESC"},
	{"alphabetical list of customers", "SELECT customers.company_name AT customers ORDER BY customers.company_name"},
	{"orders and freight by customer", "SELECT customers.company_name, order_count, freight AT customers"},
	{"show me the revenue of the top 5 customers", "SELECT customers.company_name, revenue AT customers TOP 5 customers BY revenue"},
	{"what is the total freight for Speedy Express in 1997", "SELECT freight WHERE shippers.company_name = 'Speedy Express' DURING 1997"},
	{"revenue by category excluding Beverages", "SELECT categories.category_name, revenue AT categories WHERE categories.category_name <> 'Beverages'"},
	{"revenue by ship country excluding USA", "SELECT orders.ship_country, revenue WHERE orders.ship_country <> 'USA'"},
	{"products cheaper than 10", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price < 10"},
	{"products priced over 50", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 50"},
	{"which products are more expensive than 50 dollars?", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price > 50"},
	{"how many products cost at least 20", "SELECT COUNT(*) FROM products WHERE products.unit_price >= 20"},
	{"products whose unit price is cheaper than 10", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price < 10"},
	{"products with 10 units in stock", "SELECT products.product_name AT products WHERE products.units_in_stock = 10"},
	{"last 3 orders", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders ORDER BY orders.order_date DESC LIMIT 3"},
	{"first order", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders ORDER BY orders.order_date LIMIT 1"},
	{"list all orders", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders"},
	{"list the products in the Seafood category", "SELECT products.product_name AT products WHERE categories.category_name = 'Seafood'"},
	{"list orders of customer QUICK-Stop in 1997", "SELECT orders.order_id, orders.order_date, orders.freight, orders.required_date, orders.shipped_date, orders.ship_city AT orders WHERE customers.company_name = 'QUICK-Stop' DURING 1997 ON orders.order_date"},
	{"how many orders did QUICK-Stop place", "SELECT order_count WHERE customers.company_name = 'QUICK-Stop'"},
	{"customers with revenue below 1000", "SELECT customers.company_name, revenue AT customers HAVING revenue < 1000 ORDER BY revenue"},
	{"number of orders per customer", "SELECT customers.company_name, order_count AT customers"},
	{"number of orders for different customers", "SELECT customers.company_name, order_count AT customers"},
	{"the unit price of each product", "SELECT products.product_name, products.unit_price AT products"},
	{"highest freight across all customers", "SELECT MAX(freight)"},
	{"employees in ascending order of hire date", "SELECT employees.last_name, employees.hire_date AT employees ORDER BY employees.hire_date"},
	{"customers in descending alphabetical order", "SELECT customers.company_name AT customers ORDER BY customers.company_name DESC"},
	{"number of discontinued products by category", "SELECT categories.category_name, COUNT(*) AT categories FROM products WHERE products.discontinued = TRUE"},
	{"SELECT revenue AT customers.country", "SELECT revenue AT customers.country"},
	{"ＲＥＶＥＮＵＥ by Category", "SELECT categories.category_name, revenue AT categories"},
}

func TestQuestionsAreReadAsTheirQuery(t *testing.T) {
	m := traders()
	ix := NewIndex(m, traderValues())
	for _, c := range answered {
		t.Run(c.question, func(t *testing.T) {
			r := ix.Read(Request{Question: c.question, Env: traderEnv(m)})
			if r.Reading == nil || r.Clarify != nil || r.Refusal != nil {
				t.Fatalf("not answered: %s", outcome(r))
			}
			if got := r.Reading.Query.String(); got != c.query {
				t.Errorf("got  %s\nwant %s", got, c.query)
			}
			if len(r.Reading.Unread) > 0 {
				t.Errorf("unread: %q", r.Reading.Unread)
			}
			if _, refusals := frameql.Resolve(r.Reading.Query, traderEnv(m)); len(refusals) > 0 {
				t.Errorf("the answer does not resolve: %v", refusals)
			}
		})
	}
}

// outcome words a result for a failing test.
func outcome(r Result) string {
	switch {
	case r.Refusal != nil:
		return "refused " + r.Refusal.Code + ": " + r.Refusal.Message
	case r.Clarify != nil:
		return "asked: " + r.Clarify.Question
	case r.Reading != nil:
		return "answered: " + r.Reading.Query.String()
	}
	return "nothing"
}
