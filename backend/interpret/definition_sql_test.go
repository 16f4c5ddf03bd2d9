package interpret

import "testing"

func TestDefinitionsAsSQL(t *testing.T) {
	for _, c := range []struct{ memo, question, query string }{
		{"gross = SUM(order_lines.unit_price * order_lines.quantity)", "gross by month in 1997", "WITH gross = SUM(order_lines.unit_price * order_lines.quantity) SELECT orders.order_date.month, gross DURING 1997"},
		{"load = SUM(freight) / NULLIF(COUNT(DISTINCT orders.customer_id), 0)", "load by country of customers", "WITH load = SUM(orders.freight) / COUNT(DISTINCT orders.customer_id) SELECT customers.country, load"},
		{"home share = ROUND(100.0 * SUM(CASE WHEN ship_country = 'USA' THEN 1 ELSE 0 END) / COUNT(*), 2)", "what is the home share in 1997", "WITH home_share = 100 * COUNT(*) FILTER (WHERE orders.ship_country = 'USA') / COUNT(*) SELECT home_share FROM orders DURING 1997"},
		{"heavy freight is defined as AVG(CASE WHEN freight > 50 THEN freight END)", "heavy freight per shipper", "WITH heavy_freight = AVG(orders.freight) FILTER (WHERE orders.freight > 50) SELECT shippers.company_name, heavy_freight AT shippers"},
		{"local order: ship_country IN ('USA', 'Mexico') AND shipped_date IS NOT NULL", "how many local orders in 1997", "SELECT order_count WHERE orders.ship_country IN ('USA', 'Mexico') AND orders.shipped_date IS NOT NULL DURING 1997"},
		{"destination refers to ship_city", "number of orders by destination", "SELECT orders.ship_city, order_count"},
		{"eu freight = SUM(freight) WHERE ship_country = 'Germany' OR ship_country = 'France'", "eu freight", "WITH eu_freight = SUM(orders.freight) FILTER (WHERE orders.ship_country = 'Germany' OR orders.ship_country = 'France') SELECT eu_freight"},
	} {
		t.Run(c.memo, func(t *testing.T) {
			r := define(t, c.question, c.memo)
			if r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != c.query {
				t.Errorf("%s\nwant %s", outcome(r), c.query)
			}
		})
	}
}

func TestSQLThatIsNoExpressionOfTheModelIsRefused(t *testing.T) {
	for question, memo := range map[string]string{
		"what is the zeal":           "zeal = (SELECT secret FROM vault)",
		"zeal by country":            "zeal = SUM(unknown_column)",
		"customers with zeal":        "zeal = freight > (SELECT AVG(freight) FROM orders)",
		"zeal of customers":          "zeal = COUNT(*)",
		"orders with the most cargo": "most cargo refers to MAX(orders.freight)",
		"zeal in 1997":               "zeal = SUM(freight) DROP TABLE orders",
	} {
		if r := define(t, question, memo); r.Reading != nil && r.Clarify == nil {
			t.Errorf("%s: %s", memo, r.Reading.Query)
		}
	}
}
