package interpret

import "testing"

// layerQuestions ask for something about a number: its part of a whole, its change, its running total, its place beside another.
var layerQuestions = []struct{ question, query string }{
	{"what is the difference between the highest and lowest unit price of products", "SELECT MAX(products.unit_price) - MIN(products.unit_price)"},
	{"share of revenue by category", "SELECT categories.category_name, revenue, SHARE(revenue) AT categories"},
	{"revenue share by country of customers in 1997", "SELECT customers.country, revenue, SHARE(revenue) DURING 1997"},
	{"percentage of orders by shipper", "SELECT shippers.company_name, order_count, SHARE(order_count) AT shippers"},
	{"what percentage of orders were shipped to Germany", "SELECT 100 * order_count FILTER (WHERE orders.ship_country = 'Germany') / order_count"},
	{"what share of revenue comes from Germany", "SELECT revenue FILTER (WHERE customers.country = 'Germany') / revenue"},
	{"what percent of products are discontinued", "SELECT 100 * COUNT(*) FILTER (WHERE products.discontinued = TRUE) / COUNT(*) FROM products"},
	{"% of total revenue by category", "SELECT categories.category_name, revenue, SHARE(revenue) AT categories"},
	{"share of revenue by category by month", "SELECT categories.category_name, orders.order_date.month, revenue, SHARE(revenue, AT orders.order_date.month) AT (categories, orders.order_date.month)"},
	{"revenue growth by year", "SELECT orders.order_date.year, revenue, PCT_CHANGE(revenue)"},
	{"monthly revenue growth", "SELECT orders.order_date.month, revenue, PCT_CHANGE(revenue)"},
	{"yoy revenue growth", "SELECT orders.order_date.year, revenue, PCT_CHANGE(revenue)"},
	{"month over month growth of orders in 1997", "SELECT orders.order_date.month, order_count, PCT_CHANGE(order_count) DURING 1997"},
	{"revenue growth in 1997", "SELECT revenue, PREV(revenue), PCT_CHANGE(revenue) DURING 1997 COMPARE TO PREVIOUS PERIOD"},
	{"yoy growth of revenue by month in 1997", "SELECT orders.order_date.month, revenue, PCT_CHANGE(revenue, 12) DURING 1997"},
	{"how much did revenue grow from 1996 to 1997", "SELECT revenue, PREV(revenue), PCT_CHANGE(revenue) DURING 1997 COMPARE TO DURING 1996"},
	{"revenue compared to last year", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING THIS YEAR TO DATE COMPARE TO SAME PERIOD LAST YEAR"},
	{"revenue this month vs last month", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING THIS MONTH COMPARE TO PREVIOUS MONTH"},
	{"compare revenue in 1996 and 1997", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1997 COMPARE TO DURING 1996"},
	{"revenue in Q3 1997 compared to Q2", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1997-Q3 COMPARE TO DURING 1997-Q2"},
	{"revenue Q2 vs Q3 1997", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1997-Q2 COMPARE TO DURING 1997-Q3"},                   // both of 1997
	{"revenue in January 1998 versus December", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1998-01 COMPARE TO DURING 1997-12"}, // the one before
	{"revenue in June 1997 vs may", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1997-06 COMPARE TO DURING 1997-05"},
	{"revenue in Q3 compared with Q2", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1997-Q3 COMPARE TO DURING 1997-Q2"},
	{"how has revenue changed since 1997", "SELECT orders.order_date.month, revenue, DELTA(revenue) DURING FROM 1997-01-01"},
	{"the difference in revenue between 1996 and 1997", "SELECT revenue, PREV(revenue), DELTA(revenue) DURING 1997 COMPARE TO DURING 1996"},
	{"how much higher was revenue in Q3 1997 than in Q2", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1997-Q3 COMPARE TO DURING 1997-Q2"},
	{"revenue in Q1 1998 vs Q4 1997", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1998-Q1 COMPARE TO DURING 1997-Q4"},
	{"revenue in Q1 1998 compared to the same quarter last year", "SELECT revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 1998-Q1 COMPARE TO SAME PERIOD LAST YEAR"},
	{"compare revenue in Germany and France", "SELECT customers.country, revenue WHERE customers.country IN ('Germany', 'France')"},
	{"compare revenue and freight by month", "SELECT orders.order_date.month, revenue, freight"},
	{"revenue Germany vs France", "SELECT customers.country, revenue WHERE customers.country IN ('Germany', 'France')"},
	{"cumulative revenue by month in 1997", "SELECT orders.order_date.month, revenue, CUMULATIVE(revenue) DURING 1997"},
	{"running total of orders", "SELECT orders.order_date.month, order_count, CUMULATIVE(order_count)"},
	{"7 day moving average of revenue", "SELECT orders.order_date.day, revenue, MOVING(revenue, 7, DAY) / 7"},
	{"rolling 3 month revenue", "SELECT orders.order_date.month, revenue, MOVING(revenue, 3, MONTH)"},
	{"3-month rolling average of orders by month", "SELECT orders.order_date.month, order_count, MOVING(order_count, 3, MONTH) / 3"},
	{"revenue by category vs last year", "SELECT categories.category_name, revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) AT categories DURING THIS YEAR TO DATE COMPARE TO SAME PERIOD LAST YEAR"},
	{"increase in revenue by category in 1997", "SELECT categories.category_name, revenue, PREV(revenue), DELTA(revenue) AT categories DURING 1997 COMPARE TO PREVIOUS PERIOD"},
	{"ratio of discontinued to not discontinued products", "SELECT COUNT(*) FILTER (WHERE products.discontinued = TRUE) / COUNT(*) FILTER (WHERE products.discontinued = FALSE) FROM products"},
	{"ratio of revenue to freight by country of customers", "SELECT customers.country, revenue / freight"},
	{"ratio of orders shipped to Germany to orders shipped to France", "SELECT order_count FILTER (WHERE orders.ship_country = 'Germany') / order_count FILTER (WHERE orders.ship_country = 'France')"},
	{"difference in freight between Germany and France", "SELECT freight FILTER (WHERE customers.country = 'Germany') - freight FILTER (WHERE customers.country = 'France')"},
	{"difference between revenue in Germany and revenue in France by category", "SELECT categories.category_name, revenue FILTER (WHERE customers.country = 'Germany') - revenue FILTER (WHERE customers.country = 'France') AT categories"},
	{"the highest, lowest and average freight by shipper", "SELECT shippers.company_name, MAX(freight), MIN(freight), AVG(freight) AT shippers"},
	{"90th percentile of freight", "SELECT PERCENTILE(freight, 0.9)"},
	{"standard deviation of freight by shipper", "SELECT shippers.company_name, STDDEV(freight) AT shippers"},
	{"What is the ratio of customers in the country of Germany to customers in the country of France?", "SELECT COUNT(*) FILTER (WHERE customers.country = 'Germany') / COUNT(*) FILTER (WHERE customers.country = 'France') FROM customers"},
	{"ratio of the revenue in Germany to total revenue", "SELECT revenue FILTER (WHERE customers.country = 'Germany') / revenue"},
	{"average monthly revenue", "SELECT AVG(revenue AT orders.order_date.month)"},
	{"average daily orders in 1997", "SELECT AVG(order_count AT orders.order_date.day) DURING 1997"},
	{"total quarterly sales in 1997", "SELECT orders.order_date.quarter, revenue DURING 1997"},
	{"monthly average freight", "SELECT orders.order_date.month, AVG(freight)"},
	{"average monthly revenue by category", "SELECT categories.category_name, AVG(revenue AT (categories, orders.order_date.month)) AT categories"},
	{"revenue per quantity", "SELECT revenue / units_sold"},
	{"ratio of revenue per quantity for each category", "SELECT categories.category_name, revenue / units_sold AT categories"},
	{"top 5 customers by total revenue", "SELECT customers.company_name, revenue AT customers TOP 5 customers BY revenue"},
	{"What are the top 5 countries by number of customers? Return the country name and number of customers.", "SELECT customers.country, COUNT(*) FROM customers TOP 5 customers.country BY COUNT(*)"},
}

func TestLayersOverNumbers(t *testing.T) { asks(t, "traders", layerQuestions) }

// A window without a width and a share without a whole are not guessed.
func TestWhatALayerLeavesOpenIsNotGuessed(t *testing.T) {
	for _, q := range []string{"moving average of revenue", "share of revenue", "rolling revenue by month"} {
		if r := ask(t, q); r.Reading != nil && r.Clarify == nil {
			t.Errorf("%s: %s", q, outcome(r))
		}
	}
}
