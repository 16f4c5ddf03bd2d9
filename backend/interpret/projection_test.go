package interpret

import "testing"

// columnQuestions say which columns they want, in a list or in a sentence of its own.
var columnQuestions = []struct{ question, query string }{
	{"What are the top 5 customers by revenue? Return the company name, city, number of orders and revenue.", "SELECT customers.company_name, customers.city, revenue, order_count AT customers TOP 5 customers BY revenue"},
	{"How many orders were shipped to Germany? Return the number of orders and the total freight.", "SELECT order_count, freight WHERE orders.ship_country = 'Germany'"},
	{"Which customers are in Germany? List their names and cities.", "SELECT customers.company_name, customers.city AT customers WHERE customers.country = 'Germany'"},
	{"Which employees handled the most orders? Return their first name and last name, total number of orders and total revenue.", "SELECT employees.last_name, employees.first_name, order_count, revenue AT employees TOP 10 employees BY order_count"},
	{"What are the top 3 categories by number of products? Return the category name and number of products.", "SELECT categories.category_name, COUNT(*) AT categories FROM products TOP 3 categories BY COUNT(*)"},
	{"Which customers are in Germany? Return the id, name and number of orders.", "SELECT customers.company_name, customers.customer_id, order_count AT customers WHERE customers.country = 'Germany'"},
	{"What are the top 5 countries by number of customers? Return the country and number of customers.", "SELECT customers.country, COUNT(*) FROM customers TOP 5 customers.country BY COUNT(*)"},
	{"Orders by month. Show the month and the number of orders.", "SELECT orders.order_date.month, order_count"},
	{"What is the revenue of each category? Return the name and the revenue. Order by revenue descending.", "SELECT categories.category_name, revenue AT categories ORDER BY revenue DESC"},
	{"Return the customer who made the most orders in 1997. Return the id, name and number of orders.", "SELECT customers.company_name, customers.customer_id, order_count AT customers DURING 1997 TOP 1 customers BY order_count"},
	{"show the id and city of each customer", "SELECT customers.company_name, customers.customer_id, customers.city AT customers"},
	{"Show ids, cities and regions for all customers", "SELECT customers.company_name, customers.customer_id, customers.city, customers.region AT customers"},
	{"first and last names of employees", "SELECT employees.last_name, employees.first_name AT employees"},
	{"the company name and the number of orders of each customer", "SELECT customers.company_name, order_count AT customers"},
	{"for each customer, the city and the number of orders", "SELECT customers.company_name, customers.city, order_count AT customers"},
	{"What is the name and price of products in Seafood?", "SELECT products.product_name, products.unit_price AT products WHERE categories.category_name = 'Seafood'"},
	{"first and last names of employees and how many orders each of them handled", "SELECT employees.last_name, employees.first_name, order_count AT employees"},
	{"list the city, the country and the total freight of each customer", "SELECT customers.company_name, customers.city, customers.country, freight AT customers"},
	{"the customers in Germany and their cities", "SELECT customers.company_name, customers.city AT customers WHERE customers.country = 'Germany'"},
	{"products in Seafood and their unit price", "SELECT products.product_name, products.unit_price AT products WHERE categories.category_name = 'Seafood'"},
	{"customers in Germany and their revenue", "SELECT customers.company_name, revenue AT customers WHERE customers.country = 'Germany'"},
	{"list employees and their hire date", "SELECT employees.last_name, employees.hire_date AT employees"},
}

func TestColumnsThatAreAskedFor(t *testing.T) { asks(t, "traders", columnQuestions) }
