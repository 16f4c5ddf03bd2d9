//go:build cgo

package frameql_test

import (
	"strings"
	"testing"

	. "assay/backend/frameql"
)

// TestTimeOfAMember places numbers of a month beside the single orders of that month: the time is an attribute of the order.
func TestTimeOfAMember(t *testing.T) {
	db := openShop(t)
	for query, check := range map[string]string{
		"SELECT orders, (freight AT month) AS of_month AT orders": `SELECT order_id, coalesce(m.f, 0) FROM orders o
			JOIN (SELECT date_trunc('month', order_date) m, sum(freight) f FROM orders GROUP BY 1) m ON m.m = date_trunc('month', o.order_date) ORDER BY 1`,
		"SELECT orders, SHARE(freight, AT year) AS s AT orders": `SELECT order_id, coalesce(freight, 0)::DOUBLE / sum(freight) OVER (PARTITION BY year(order_date)) FROM orders ORDER BY 1`,
		"SELECT orders, month, RANK(freight, AT orders.order_date.year) AS r AT orders WHERE freight > 0": `SELECT order_id, date_trunc('month', order_date),
			rank() OVER (PARTITION BY year(order_date) ORDER BY freight DESC) FROM orders WHERE freight > 0 ORDER BY 1`,
		"SELECT orders, SHARE(freight, AT (status, year)) AS s AT orders WHERE freight > 0": `SELECT order_id, freight::DOUBLE / sum(freight) OVER (PARTITION BY status, year(order_date))
			FROM orders WHERE freight > 0 ORDER BY 1`,
		"SELECT country, AVG((freight AT year) AT orders) AS a AT country": `SELECT c.country, avg(f) FROM (SELECT *, sum(freight) OVER (PARTITION BY year(order_date)) f FROM orders) o
			LEFT JOIN customers c USING (customer_id) GROUP BY 1 ORDER BY 1 NULLS LAST`,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		plan, refusals := Resolve(q, env())
		if plan == nil {
			t.Errorf("%s: %v", query, refusals)
			continue
		}
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		_, got := rows(t, db, s.SQL)
		_, want := rows(t, db, check)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\ngot\n%s\nwant\n%s\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"), s.SQL)
		}
	}
}
