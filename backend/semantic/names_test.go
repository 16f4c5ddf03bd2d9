package semantic

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"CustomerID_FK":        "customer id",
		"SalesOrderDetailID_K": "sales order detail id",
		"Order Details":        "order details",
		"productsubcategories": "product subcategories",
		"unitprice":            "unit price",
		"candidate":            "candidate",
		"HTTPServer2":          "http server 2",
		"order_dt":             "order dt",
		"ReportsTo":            "reports to",
		"SubTotal":             "subtotal",
		"k":                    "k",
		"":                     "",
		"Größe":                "größe",
		"vendorproduct":        "vendor product",
		"update":               "update",
		"membership":           "membership",
		"headquarters":         "headquarters",
	} {
		if got := strings.Join(Words(in), " "); got != want {
			t.Errorf("%s: got %q want %q", in, got, want)
		}
	}
}

func TestExpandWords(t *testing.T) {
	for in, want := range map[string]string{
		"cust nm": "customer name", "tot amt": "total amount", "order no": "order number", "no of seats": "number of seats",
		"no show": "no show", "emp dob": "employee date of birth",
	} {
		got, _ := ExpandWords(strings.Fields(in))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q want %q", in, got, want)
		}
	}
}

func TestNumberOfNouns(t *testing.T) {
	for singular, plural := range map[string]string{
		"order": "orders", "category": "categories", "person": "people", "address": "addresses", "status": "statuses",
		"aircraft": "aircraft", "order line": "order lines", "company": "companies", "analysis": "analyses", "series": "series",
		"business": "businesses", "match": "matches", "city": "cities", "staff": "staff", "bus": "buses", "course": "courses",
		"movie": "movies", "house": "houses", "child": "children", "invoice": "invoices", "purchase": "purchases",
		"warehouse": "warehouses", "class": "classes", "process": "processes", "campus": "campuses", "address2": "address2",
		"employee": "employees", "day": "days", "tax": "taxes", "index": "indices", "stadium": "stadiums", "quota": "quotas", "leave": "leaves", "bonus": "bonuses", "virus": "viruses", "gas": "gas", "release": "releases", "database": "databases",
		"case": "cases", "expense": "expenses", "response": "responses", "license": "licenses", "key": "keys", "alias": "aliases",
	} {
		if got := Plural(singular); got != plural {
			t.Errorf("plural of %s: %s", singular, got)
		}
		if got := Singular(plural); got != singular {
			t.Errorf("singular of %s: %s", plural, got)
		}
	}
}
