//go:build cgo

package frameql_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// What a hierarchy determines beside SQL by hand. The step from last name to city is only declared; that from city to country
// was measured.
func TestHierarchies(t *testing.T) {
	db := openShop(t)
	for _, c := range []struct{ query, check string }{
		{
			"SELECT customers.city, customers.country, freight AT customers.city",
			`SELECT city, any_value(country), coalesce(sum(freight), 0) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY city ORDER BY city NULLS LAST`,
		},
		{
			"SELECT customers.city, (freight AT customers.country) AS whole, SHARE(freight, AT customers.country) AS part",
			`WITH f AS (SELECT city, country, freight FROM orders LEFT JOIN customers USING (customer_id))
			 SELECT city, (SELECT coalesce(sum(freight), 0) FROM f AS g WHERE g.country IS NOT DISTINCT FROM any_value(f.country)),
			 CAST(coalesce(sum(freight), 0) AS DOUBLE) / (SELECT sum(freight) FROM f AS g WHERE g.country IS NOT DISTINCT FROM any_value(f.country)) FROM f GROUP BY city ORDER BY city NULLS LAST`,
		},
		{
			"SELECT customers.country, AVG(freight AT customers.city) AS per_city, COUNT(freight AT customers.city) AS cities",
			`SELECT country, avg(f), count(f) FROM (SELECT city, any_value(country) AS country, coalesce(sum(freight), 0) AS f FROM orders LEFT JOIN customers USING (customer_id) GROUP BY city)
			 GROUP BY country ORDER BY country NULLS LAST`,
		},
		{
			"SELECT customers.city, freight, tickets_raised, (tickets_raised AT customers.country) AS there",
			`WITH o AS (SELECT city, sum(freight) AS f FROM orders LEFT JOIN customers USING (customer_id) GROUP BY city),
			 k AS (SELECT city, country FROM tickets LEFT JOIN customers ON client_id = customer_id)
			 SELECT o.city, coalesce(f, 0), (SELECT count(*) FROM k WHERE k.city IS NOT DISTINCT FROM o.city),
			 (SELECT count(*) FROM k WHERE k.country IS NOT DISTINCT FROM (SELECT any_value(country) FROM customers AS c WHERE c.city IS NOT DISTINCT FROM o.city))
			 FROM (SELECT * FROM o UNION ALL SELECT DISTINCT city, CAST(NULL AS DECIMAL) FROM k WHERE city NOT IN (SELECT city FROM o WHERE city IS NOT NULL)) AS o ORDER BY o.city NULLS LAST`,
		},
		{
			"SELECT employees.last_name, employees.city, orders_placed AT employees.last_name",
			`SELECT last_name, max(city), count(*) FROM orders LEFT JOIN employees USING (employee_id) GROUP BY last_name ORDER BY last_name NULLS LAST`,
		},
	} {
		s, err := mustResolve(t, c.query).Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		_, got := rows(t, db, s.SQL)
		if _, want := rows(t, db, c.check); !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %q\nwant %q\n%s", c.query, got, want, s.SQL)
		}
	}
}

// No row becomes two by a column that is only declared to be determined, also where that is not true.
func TestDeclaredOnlyKeepsTheRows(t *testing.T) {
	db := openShop(t)
	e := env()
	m := *e.Model
	for i := range m.Entities {
		if m.Entities[i].Name == "tickets" {
			m.Entities[i].Hierarchies[0].Steps = nil
		}
	}
	e.Model = &m
	for _, query := range []string{
		"SELECT origin, priority, tickets_raised AT origin",
		"SELECT origin, priority, tickets_raised, (tickets_raised AT priority) AS same AT origin",
		"SELECT origin, priority, SUM(tickets_raised AT (origin, tickets)) AS again, ticket_cost AT origin",
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, e)
		if plan == nil {
			t.Errorf("%s: %+v", query, refusals)
			continue
		}
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := rows(t, db, s.SQL); len(got) != 2 {
			t.Errorf("%s: %q\n%s", query, got, s.SQL)
		}
	}
}

// Hierarchies may go in circles, and a step to the key of an entity brings all of it along.
func TestHierarchiesInCircles(t *testing.T) {
	e := env()
	m := *e.Model
	for i := range m.Entities {
		if m.Entities[i].Name == "customers" {
			m.Entities[i].Hierarchies = []semantic.Hierarchy{
				{Name: "round", Path: []string{"city", "country", "area", "city"}},
				{Name: "back", Path: []string{"country", "city"}},
				{Name: "names", Path: []string{"company_name", "customer_id"}},
			}
		}
	}
	e.Model = &m
	rapid.Check(t, func(t *rapid.T) {
		all := []string{"customers.city", "customers.country", "customers.area", "customers.company_name"}
		a, b := rapid.SampledFrom(all).Draw(t, "grain"), rapid.SampledFrom(append(all, "customers.active")).Draw(t, "column")
		q, err := Parse("SELECT " + b + ", freight AT " + a)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, e)
		if want := b != "customers.company_name" && b != "customers.active" || a == b || a == "customers.company_name"; (plan != nil) != want {
			t.Errorf("%s: %v", q, refusals)
		}
	})
}
