package frameql_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	. "assay/backend/frameql"
)

// examples are the queries of the language's own page.
var examples = []string{
	"SELECT region, SUM(revenue) AS r AT region",
	"SELECT month, revenue, PCT_CHANGE(revenue) AT month DURING LAST 6 MONTH COMPARE TO SAME PERIOD LAST YEAR FILL ZERO",
	"SELECT product, revenue, SHARE(revenue) AT product DURING YTD TOP 10 product BY revenue WITH OTHER TOTALS",
	"SELECT region, AVG(revenue AT customer) AS revenue_per_customer AT region DURING 2025",
	"SELECT customer.name AT customer WHERE NO orders",
	"SELECT customer.name, customer.city AT customer WHERE customer.city = 'Paris'",
	"SELECT COUNT(*) AT () WHERE order_lines.discount > 1",
	"SELECT name AT rooms WHERE capacity > (AVG(capacity) AT ())",
	"SELECT customers AT customers WHERE ANY orders (product = 'A') AND ANY orders (product = 'B')",
	"SELECT MOVING(revenue, 7, DAY), CUMULATIVE(revenue, AT year), SHARE(revenue, AT region) AT order_date.day",
	"SELECT region, revenue AT (region, order_date.month) HAVING revenue > 1000 AND revenue / orders > 2 * margin",
	"SELECT region AT region HAVING (revenue - cost) * 2 > 5 ORDER BY revenue - cost DESC, region LIMIT 5 OFFSET 10",
	"SELECT revenue AT (region) IGNORING FILTERS DURING FROM 1998-03-01 ON orders.order_date",
	// every clause
	"EXPLAIN WITH margin = (revenue - cost) / revenue, half = margin / 2 SELECT region AS r, half AT region FROM orders, stock WHERE NOT status = 'open' " +
		"DURING THIS fiscal_week TO DATE ON order_date COMPARE TO PREVIOUS PERIOD, PREVIOUS MONTH, SAME PERIOD LAST YEAR, DURING FY2024-Q1, TARGET budget " +
		"HAVING half > 0 TOP 5 region BY half ASC PER order_date.year WITH OTHER FILL LAST TOTALS BY region, (region, order_date.year), () " +
		"ORDER BY half DESC, region LIMIT 10 OFFSET 20 OPTIONS (calendar = 'retail', max_rows = 10, partial = 'error', tz = 'Europe/Berlin', verify = 'AA', week_start = 'sun')",
	// every reducer, with DISTINCT, a filter and parameters
	"SELECT SUM(a), AVG(a), MIN(a), MAX(a), COUNT(a), MEDIAN(a), PERCENTILE(a, 0.9), STDDEV(a), FIRST(a), LAST(a), ANY(a), ALL(a), COUNT(DISTINCT a), COUNT(*) FILTER (WHERE b = 1)",
	"SELECT PERCENTILE(revenue AT (customers, month), 0.5) AT month",
	// every function
	"SELECT PREV(m), PREV(m, 2), DELTA(m), PCT_CHANGE(m), SHARE(m, AT ()), CUMULATIVE(m), CUMULATIVE(m, AT fiscal_year), MOVING(m, 7, DAY), MOVING(m, 2, \"retail period\"), RANK(m, AT region), INDEX(m)",
	"SELECT AVG(MOVING(revenue, 3) AT month) / 2 - (SHARE(revenue) AT region) * -1",
	// grains and what they ignore
	"SELECT (revenue AT (region) IGNORING FILTERS) AS all_rows, (revenue AT () IGNORING (status, order_date.month)) AS any_status",
	"SELECT ((revenue AT region) AT ()) AS nested, AVG((revenue AT customers) AT region)",
	// every comparison and every operand
	"SELECT a WHERE b = 1 AND b <> 'x' AND b < TRUE AND b <= c.d AND b > (AVG(x) AT ()) AND b >= (x / y AT (c, d.month))",
	"SELECT a WHERE b IN (1, 'x', NULL) OR b NOT IN (FALSE) OR b BETWEEN 1 AND 2 OR b NOT BETWEEN 'a' AND 'b' OR b IS NULL OR b IS NOT NULL",
	"SELECT a WHERE b LIKE 'x%' AND b NOT LIKE '_' AND b CONTAINS 'x' AND b NOT CONTAINS 'y' AND b STARTS WITH 'z' AND b NOT STARTS WITH 'z'",
	"SELECT a WHERE (b = 1 OR c = 2) AND NOT (b = 1 AND c = 2) AND b IN TOP 3 BY revenue / orders",
	"SELECT a WHERE ANY items (category IN ('Toys') AND NO returns) OR ALL items (price > 1) OR NO orders",
	// every period
	"SELECT a DURING TODAY", "SELECT a DURING YESTERDAY", "SELECT a DURING YTD", "SELECT a DURING QTD", "SELECT a DURING MTD", "SELECT a DURING WTD", "SELECT a DURING ALL TIME",
	"SELECT a DURING 2025", "SELECT a DURING 2025-Q4", "SELECT a DURING 2025-10", "SELECT a DURING 2025-10-31", "SELECT a DURING FY2025", "SELECT a DURING FY2025-Q2",
	"SELECT a DURING LAST 3 MONTH", "SELECT a DURING LAST 2 \"retail period\" INCLUDING CURRENT", "SELECT a DURING THIS FISCAL_QUARTER", "SELECT a DURING THIS WEEK TO DATE",
	"SELECT a DURING PREVIOUS YEAR", "SELECT a DURING FROM 2020-01-01 TO 2021-01-01", "SELECT a DURING BETWEEN 2020-01-01 AND 2020-12-31",
	"SELECT a DURING FROM '2020-01-01T02:00' TO '2020-01-02T02:30:15.5'", "SELECT a DURING BETWEEN 0001-01-01 AND 9999-12-31",
	// units of a calendar as grains
	"SELECT order_date.fiscal_week, revenue AT (order_date.fiscal_week, order_date.\"retail period\")",
}

func TestExamplesAreCanonical(t *testing.T) {
	for _, text := range examples {
		q, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := q.String(); got != text {
			t.Errorf("printed\n  %s\nwant\n  %s", got, text)
		}
	}
}

// TestTextJSONText is the round trip over many queries, chosen by seeds so that it is fast.
func TestTextJSONText(t *testing.T) {
	const queries, shares = 10_000, 4
	for share := range uint64(shares) {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			t.Parallel()
			for seed := share; seed < queries; seed += shares {
				if problem := roundTrip(anyQuery(seeded(seed))); problem != "" {
					t.Fatalf("seed %d: %s", seed, problem)
				}
			}
		})
	}
}

// TestTextJSONTextSmall is the same with counterexamples made small.
func TestTextJSONTextSmall(t *testing.T) {
	check(t, 300, func(t *rapid.T) {
		if problem := roundTrip(drawQuery(t)); problem != "" {
			t.Fatal(problem)
		}
	})
}

// roundTrip says what changes on the way query -> text -> query -> JSON -> query -> text; empty when nothing does.
func roundTrip(q *Query) string {
	canonical := q.String()
	read, err := Parse(canonical)
	if err != nil {
		return fmt.Sprintf("%s\n%v", canonical, err)
	}
	raw, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(read, q) {
		again, _ := json.Marshal(read)
		return fmt.Sprintf("%s\nread  %s\ndrawn %s", canonical, again, raw)
	}
	back, err := ParseJSON(raw)
	if err != nil {
		return fmt.Sprintf("%s\n%s\n%v", canonical, raw, err)
	}
	if !reflect.DeepEqual(back, q) {
		again, _ := json.Marshal(back)
		return fmt.Sprintf("%s\nback  %s\ndrawn %s", canonical, again, raw)
	}
	if back.String() != canonical || !reflect.DeepEqual(q.Clone(), q) {
		return "text changed: " + back.String()
	}
	return ""
}

func TestDesignExampleOfJSON(t *testing.T) {
	const example = `{"v":1,
 "select":[{"dim":"region"},{"dim":"order_date","grain":"month","as":"month"},
           {"metric":"revenue","as":"r"},
           {"fn":"pct_change","of":{"metric":"revenue"},"as":"r_pct"},
           {"reduce":"avg","of":{"metric":"revenue","at":["customer"]},"as":"arpc"}],
 "at":["region","order_date.month"], "from":["orders"],
 "where":{"and":[{"dim":"status","op":"eq","val":"paid"},{"quant":"any","entity":"items","pred":{"dim":"category","op":"in","val":["Toys"]}}]},
 "time":{"on":"order_date","period":{"kind":"literal","value":"2025-Q4"}},
 "compare":[{"kind":"previous_period"}], "having":{"out":"r","op":"gt","val":1000},
 "top":{"n":10,"dim":"product","by":{"out":"r"},"per":"region","other":true},
 "fill":"zero","totals":[[]],"order":[{"out":"r","dir":"desc"}],"limit":500,
 "options":{"tz":"Europe/Berlin","week_start":"mon","partial":"match"}}`
	q, err := ParseJSON([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	const want = `SELECT region, order_date.month AS month, revenue AS r, PCT_CHANGE(revenue) AS r_pct, AVG(revenue AT customer) AS arpc ` +
		`AT (region, order_date.month) FROM orders WHERE status = 'paid' AND ANY items (category IN ('Toys')) DURING 2025-Q4 ON order_date ` +
		`COMPARE TO PREVIOUS PERIOD HAVING r > 1000 TOP 10 product BY r PER region WITH OTHER FILL ZERO TOTALS ORDER BY r DESC LIMIT 500 ` +
		`OPTIONS (partial = 'match', tz = 'Europe/Berlin', week_start = 'mon')`
	if q.String() != want {
		t.Errorf("got  %s\nwant %s", q, want)
	}
}

// TestSpellings: what people write beside the canonical form.
func TestSpellings(t *testing.T) {
	for written, want := range map[string]string{
		"select Region , sum( revenue )as r at(Region);":                              "SELECT Region, SUM(revenue) AS r AT Region",
		"SELECT a AT region IGNORING FILTERS":                                         "SELECT a AT (region) IGNORING FILTERS",
		"SELECT a AT (region)":                                                        "SELECT a AT region",
		"SELECT a WHERE b != 1 LIMIT 3 OFFSET 0 FROM c AT d":                          "SELECT a AT d FROM c WHERE b <> 1 LIMIT 3",
		"SELECT a WHERE ((b = 1)) AND (c = 2)":                                        "SELECT a WHERE b = 1 AND c = 2",
		"SELECT a WHERE b = 1E+06 AND c = 007.50 AND d = -0e-0":                       "SELECT a WHERE b = 1e6 AND c = 7.50 AND d = -0e0",
		"SELECT MOVING(m, DAY, 7), SHARE(m, AT (region))":                             "SELECT MOVING(m, 7, DAY), SHARE(m, AT region)",
		"SELECT a DURING fy 2025-q2":                                                  "SELECT a DURING FY2025-Q2",
		"SELECT a DURING FROM '2020-01-01' TO '2020-01-02 03:04:00'":                  "SELECT a DURING FROM 2020-01-01 TO '2020-01-02T03:04'",
		"SELECT a DURING last 3 Months_of_4_weeks":                                    "SELECT a DURING LAST 3 months_of_4_weeks",
		"SELECT a TOTALS LIMIT 1 TOTALS BY b TOTALS BY (c, d)":                        "SELECT a TOTALS BY (), b, (c, d) LIMIT 1",
		"SELECT a TOTALS BY ()":                                                       "SELECT a TOTALS",
		"SELECT a ORDER BY b ASC, c TOP 3 d BY e DESC":                                "SELECT a TOP 3 d BY e ORDER BY b, c",
		"SELECT a HAVING (b) > (1)":                                                   "SELECT a HAVING b > 1",
		"SELECT a - (b - c) - (d * (e + f))":                                          "SELECT a - (b - c) - d * (e + f)",
		"SELECT a -- WHERE region = 'x'\nAT b /* the\ngrain */ DURING /**/ 2025 --":   "SELECT a AT b DURING 2025",
		"\ufeffSELECT a\r\nAT b\u00a0":                                                "SELECT a AT b",
		"SELECT \"Select\".\"at\" AS \"x y\", \"plain\"":                              "SELECT \"Select\".\"at\" AS \"x y\", plain",
		"SELECT cafe\u0301 AS \"cafe\u0301\" WHERE x = 'cafe\u0301'":                  "SELECT caf\u00e9 AS caf\u00e9 WHERE x = 'cafe\u0301'",
		"SELECT o.Month, o.\"Month\" AT o.FISCAL_YEAR":                                "SELECT o.month, o.\"Month\" AT o.fiscal_year",
		"SELECT a OPTIONS (week_start = 'mon', TZ = 'Europe/Berlin')":                 "SELECT a OPTIONS (tz = 'Europe/Berlin', week_start = 'mon')",
		"SELECT a COMPARE TO PREVIOUS \"period\", PREVIOUS period":                    "SELECT a COMPARE TO PREVIOUS \"period\", PREVIOUS PERIOD",
		"SELECT region, Region, REGION":                                               "SELECT region, Region, REGION",
		"SELECT مبيعات, 東京 AS हिन्दी WHERE شهر = 'القاهرة'":                           "SELECT مبيعات, 東京 AS हिन्दी WHERE شهر = 'القاهرة'",
		"SELECT a WHERE b = NaN OR b = Infinity":                                      "SELECT a WHERE b = NaN OR b = Infinity", // columns of these names, if any
		"SELECT a WHERE b = 99999999999999999999999999999999999999":                   "SELECT a WHERE b = 99999999999999999999999999999999999999",
		"SELECT a WHERE d BETWEEN '0001-01-01' AND '12025-01-01' OR d < '1899-12-31'": "SELECT a WHERE d BETWEEN '0001-01-01' AND '12025-01-01' OR d < '1899-12-31'",
		"SELECT ſelect WHERE \"ſum\" = 1":                                             "SELECT ſelect WHERE ſum = 1", // a long s makes no keyword
		"SELECT a WHERE b = '\u202e' AND \"\u202ec\" = 1":                             "SELECT a WHERE b = '\u202e' AND \"\u202ec\" = 1",
		"SELECT a HAVING ANY(b) = TRUE AND ANY \"any\" AND COUNT(*) > 1":              "SELECT a HAVING ANY(b) = TRUE AND ANY \"any\" AND COUNT(*) > 1",
		"WITH \"x.y\" = a SELECT \"x.y\" AS \"v. 2\" ORDER BY \"V. 2\" DESC":          "WITH \"x.y\" = a SELECT x.y AS \"v. 2\" ORDER BY V.\" 2\" DESC",
		"SELECT a--b\n, c - -1":                                                       "SELECT a, c - -1",
	} {
		q, err := Parse(written)
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if q.String() != want {
			t.Errorf("%s\ngot  %s\nwant %s", written, q, want)
		}
		if problem := roundTrip(q); problem != "" {
			t.Errorf("%s: %s", written, problem)
		}
	}
}

// TestIdentity: what is the same question has one identity.
func TestIdentity(t *testing.T) {
	same := func(a, b string) bool {
		x, err1 := Parse(a)
		y, err2 := Parse(b)
		if err1 != nil || err2 != nil {
			t.Fatal(a, b, err1, err2)
		}
		return x.ID() == y.ID()
	}
	if !same("EXPLAIN SELECT a", "select a -- x") || !same("SELECT a WHERE b = 1E3", "SELECT a WHERE b=01e+03;") {
		t.Error("spelling or EXPLAIN changes the identity")
	}
	for _, other := range []string{"SELECT A", "SELECT a AT ()", "SELECT 'a'", "SELECT a LIMIT 1", "SELECT a TOTALS", "SELECT a OPTIONS (partial = 'none')"} {
		if q, err := Parse(other); err == nil && same("SELECT a", q.String()) {
			t.Errorf("%s has the identity of SELECT a", other)
		}
	}
	q, err := Parse("EXPLAIN SELECT a")
	if err != nil || q.String() != "EXPLAIN SELECT a" {
		t.Error("EXPLAIN is lost", q, err)
	}
}
