package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

func TestMembersAndWhatIsTheirs(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"suppliers and their products", "SELECT products.product_name, suppliers.company_name AT products"},
		{"list the suppliers in Japan with their products", "SELECT products.product_name, suppliers.company_name AT products WHERE suppliers.country = 'Japan'"},
		{"products and their suppliers", "SELECT products.product_name, suppliers.company_name AT products"},
		{"customers and their city", "SELECT customers.company_name, customers.city AT customers"},
		{"what are the customers in Germany and what are their cities?", "SELECT customers.company_name, customers.city AT customers WHERE customers.country = 'Germany'"},
		{"customers not in country Germany", "SELECT customers.company_name AT customers WHERE customers.country <> 'Germany'"},
		{"products with a unit price larger than or equal to $50", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price >= 50"},
		{"products with a unit price lower than or equal to 50", "SELECT products.product_name, products.unit_price AT products WHERE products.unit_price <= 50"},
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

// yards has depots whose rows are keyed by the site they are on, and loads loaded at each.
func yards() (*semantic.Model, []ValueSet) {
	loads := bare("load", 90, "load_id integer", "site_id integer", "tons integer")
	loads.ForeignKeys = []semantic.ForeignKey{{Columns: []string{"site_id"}, RefTable: "depot", RefColumns: []string{"site_id"}}}
	depots := bare("depot", 12, "site_id integer", "site text", "area integer", "district text")
	depots.Columns[1].Distinct = 12
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{depots, loads}}, semantic.Settings{}), []ValueSet{valuesOf("depot", "district", "North", "South"), valuesOf("depot", "site", "Adam", "Bella", "Cora")}
}

func TestMembersAreCalledAsTheirKeyIs(t *testing.T) {
	m, values := yards()
	reads(t, NewIndex(m, values), frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}, []struct{ question, query string }{
		{"how many sites are there", "SELECT depot_count"},
		{"the site with the largest area", "SELECT depot.site, depot.area AT depot ORDER BY depot.area DESC LIMIT 1"},
		{"number of loads loaded at each site", "SELECT depot.site, load_count AT depot"},
	})
}
