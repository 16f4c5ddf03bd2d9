package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// bazaar has goods of kinds that are named in the plural, which people with two names buy.
func bazaar() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("kind", 6, "kind_id integer", "name text"),
			bare("ware", 80, "ware_id integer", "name text", "maker text", "price decimal", "kind_id -> kind"),
			bare("buyer", 40, "buyer_id integer", "first_name text", "last_name text", "town text"),
			bare("deal", 300, "deal_id integer", "buyer_id -> buyer", "ware_id -> ware", "made_on date", "pieces integer"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("kind", "name", "Lanterns", "Brushes", "Canopies"), valuesOf("ware", "maker", "Vera", "Moss"),
			valuesOf("buyer", "first_name", "Vera", "Otto", "Numbers"), valuesOf("buyer", "last_name", "Moss", "Lund"), valuesOf("buyer", "town", "Oslo", "Turin"),
		}
}

func asksBazaar(t *testing.T, cases []struct{ question, query string }) {
	t.Helper()
	m, values := bazaar()
	reads(t, NewIndex(m, values), frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}, cases)
}

func TestOneOfAKind(t *testing.T) {
	asksBazaar(t, []struct{ question, query string }{
		{"most expensive lantern", "SELECT ware.name, ware.price AT ware WHERE kind.name = 'Lanterns' ORDER BY ware.price DESC LIMIT 1"},
		{"what is the cheapest brush", "SELECT ware.name, ware.price AT ware WHERE kind.name = 'Brushes' ORDER BY ware.price LIMIT 1"},
		{"cheapest canopy ware", "SELECT ware.name, ware.price AT ware WHERE kind.name = 'Canopies' ORDER BY ware.price LIMIT 1"},
		{"the 3 most expensive lanterns", "SELECT ware.name, ware.price AT ware WHERE kind.name = 'Lanterns' ORDER BY ware.price DESC LIMIT 3"},
		{"how many lantern wares are there", "SELECT ware_count WHERE kind.name = 'Lanterns'"},
		{"how many wares are there? report the number for each maker", ""},
		{"the oldest lantern", ""},
	})
}

func TestTwoNamesOfOne(t *testing.T) {
	asksBazaar(t, []struct{ question, query string }{
		{"deals of Vera Moss", "SELECT deal.deal_id, deal.made_on, deal.pieces AT deal WHERE buyer.first_name = 'Vera' AND buyer.last_name = 'Moss'"},
		{"wares by Vera", "SELECT ware.name AT ware WHERE ware.maker = 'Vera'"},
	})
}

func TestThereInOnePeriodAlone(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"customers with orders in 1996 but none in 1997", "SELECT customers.company_name AT customers WHERE ANY orders (orders.order_date >= '1996-01-01' AND orders.order_date < '1997-01-01') AND NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
		{"customers with orders in 1996 but no orders in 1997", "SELECT customers.company_name AT customers WHERE NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01') AND ANY orders (orders.order_date >= '1996-01-01' AND orders.order_date < '1997-01-01')"},
		{"how many customers had orders in 1996 but none in 1997", "SELECT COUNT(*) FROM customers WHERE ANY orders (orders.order_date >= '1996-01-01' AND orders.order_date < '1997-01-01') AND NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
		{"customers with orders in 1996", "SELECT customers.company_name, order_count AT customers DURING 1996"},
	})
}

func TestDoneMostOften(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"which product did Ernst Handel order most often", "SELECT products.product_name, COUNT(*) AT products FROM order_lines WHERE customers.company_name = 'Ernst Handel' TOP 1 products BY COUNT(*)"},
		{"what did Ernst Handel do most often", ""},
	})
}

func TestRateOfEach(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"percentage of discontinued products by category", "SELECT categories.category_name, 100 * COUNT(*) FILTER (WHERE products.discontinued = TRUE) / COUNT(*) AT categories FROM products"},
		{"percentage of orders by shipper", "SELECT shippers.company_name, order_count, SHARE(order_count) AT shippers"},
	})
	asksBazaar(t, []struct{ question, query string }{
		{"what percentage of lantern wares does each maker have", "SELECT ware.maker, ware_count, SHARE(ware_count) WHERE kind.name = 'Lanterns'"},
		{"percentage of Vera wares by kind", "SELECT kind.name, 100 * ware_count FILTER (WHERE ware.maker = 'Vera') / ware_count AT kind"},
		{"share of Vera wares by kind", "SELECT kind.name, ware_count, SHARE(ware_count) AT kind WHERE ware.maker = 'Vera'"},
	})
}
