package interpret

import "testing"

func TestWordsThatASplitOrAListMayNotLose(t *testing.T) {
	for q, want := range map[string]string{
		"average freight per order by shipper":                          "SELECT shippers.company_name, AVG(freight) AT shippers",
		"average freight per order in 1997":                             "SELECT AVG(freight) DURING 1997",
		"cheapest product by units in stock":                            "SELECT products.product_name, products.units_in_stock AT products ORDER BY products.units_in_stock LIMIT 1",
		"best selling product of each category by quantity":             "SELECT products.product_name, categories.category_name, units_sold AT (products, categories) TOP 1 products BY units_sold PER categories",
		"customers with Around in their name":                           "SELECT customers.company_name AT customers WHERE customers.company_name CONTAINS 'Around'",
		"show me the orders of Ernst Handel in 1997 with their freight": "SELECT orders.order_id, orders.freight AT orders WHERE customers.company_name = 'Ernst Handel' DURING 1997 ON orders.order_date",
		"which customers bought Chai in 1997":                           "SELECT customers.company_name AT customers WHERE ANY order_lines (products.product_name = 'Chai' AND orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')",
		"how many customers placed more than 10 orders?":                "SELECT COUNT(*) FROM customers WHERE (order_count AT customers) > 10",
		"which customers never ordered anything?":                       "SELECT customers.company_name AT customers WHERE NO orders",
	} {
		if r := ask(t, q); r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != want {
			t.Errorf("%q: %s", q, outcome(r))
		}
	}
	for _, q := range []string{"Which products did Ernst Handel order in 1998?", "which suppliers did Ernst Handel order from"} {
		if r := ask(t, q); r.Reading != nil && r.Clarify == nil && len(r.Reading.Query.Select) == 1 && r.Reading.Query.Select[0].Expr != nil {
			t.Errorf("%q is answered by a number: %s", q, outcome(r))
		}
	}
}
