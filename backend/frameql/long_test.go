//go:build cgo

package frameql_test

import (
	"fmt"
	"strings"
	"testing"

	. "assay/backend/frameql"
)

// joined writes a part for each number up to n.
func joined(n int, format, between string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
	}
	return strings.Join(all, between)
}

// TestLongConditions wants the answer of a long list of conditions to be that of the short one that means the same.
func TestLongConditions(t *testing.T) {
	db := openShop(t)
	for _, c := range []struct{ long, canonical string }{
		{joined(10_000, "freight = #", " OR "), "orders.freight IN (" + joined(10_000, "#", ", ") + ")"},
		{joined(10_000, "freight <> #", " AND "), "orders.freight NOT IN (" + joined(10_000, "#", ", ") + ")"},
		{joined(60, "status = 'open'", " OR "), "orders.status IN ('open')"},
		{joined(60, "status = 'open'", " AND "), "orders.status = 'open'"},
		{joined(60, "freight > #", " AND "), "orders.freight > 59"},
		{joined(60, "freight >= #", " AND ") + " AND freight > 59", "orders.freight > 59"},
		{joined(60, "freight > #", " OR "), "orders.freight > 0"},
		{"freight >= 0 OR " + joined(60, "freight > #", " OR "), "orders.freight >= 0"},
		{joined(60, "freight < #", " AND ") + " AND freight <= 0", "orders.freight < 0"},
		{joined(60, "freight <= #", " OR ") + " OR freight < 59", "orders.freight <= 59"},
		{joined(30, "freight > # AND freight < 100.#", " AND "), "orders.freight > 29 AND orders.freight < 100.0"},
		{joined(60, "(freight = # OR freight IS NULL)", " OR "), ""},
		{joined(60, "(status = 'open' OR freight < #)", " AND "), ""},
		{joined(60, "NOT (freight = #)", " AND "), ""},
	} {
		plan := mustResolve(t, "SELECT orders_placed WHERE "+c.long)
		where := plan.Query.Where.String()
		if c.canonical != "" && where != c.canonical {
			t.Errorf("%.60s: %.60s, want %.60s", c.long, where, c.canonical)
		}
		s, err := plan.Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		_, got := rows(t, db, s.SQL)
		hand := c.long
		if len(hand) > 10_000 { // DuckDB takes seconds for the long form
			hand = strings.ReplaceAll(c.canonical, "orders.", "")
		}
		_, want := rows(t, db, "SELECT COUNT(*) FROM orders WHERE "+hand)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%.60s: %v, want %v", c.long, got, want)
		}
	}
}

// TestTooLong wants a refusal of what would take an engine minutes to plan.
func TestTooLong(t *testing.T) {
	for name, query := range map[string]string{
		"conditions": "SELECT orders_placed WHERE " + joined(10_000, "(freight = # AND status = 'open')", " OR "),
		"filters":    "SELECT " + joined(900, "orders_placed FILTER (WHERE freight = # OR status = 'a' OR country = 'b') AS c#", ", "),
		"operands":   "SELECT orders_placed WHERE freight > (AVG(freight) FILTER (WHERE " + joined(3_000, "freight < # OR status = 'o#'", " OR ") + ") AT ())",
		"having":     "SELECT country, orders_placed HAVING " + joined(10_000, "(orders_placed = # AND orders_placed <> 1)", " OR "),
		"columns":    "SELECT " + joined(10_000, "orders_placed AS c#", ", "),
		"keys":       "SELECT country, orders_placed ORDER BY " + joined(10_000, "country", ", "),
		"comparands": "SELECT orders_placed DURING 1997 COMPARE TO " + joined(10_000, "PREVIOUS YEAR", ", "),
	} {
		q, err := Parse(query)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, refusals := Resolve(q, env()); len(refusals) == 0 || refusals[0].Code != "CARDINALITY_LIMIT" || len(refusals[0].Message) > 200 {
			t.Errorf("%s: %.300v", name, refusals)
		}
	}
}

// TestDeepDefinitions: a definition of a definition, and so on, is as deep as parentheses are.
func TestDeepDefinitions(t *testing.T) {
	chain := func(n int) *Query {
		q, err := Parse("WITH m_first = orders_placed, " + joined(n, "m# = m_before_# + 1", ", ") + " SELECT m1")
		if err != nil {
			t.Fatal(err)
		}
		for i := range q.With {
			q.With[i].Name = fmt.Sprint("m", i)
			if i > 0 {
				q.With[i].Expr.Args[0].Metric = fmt.Sprint("m", i-1)
			}
		}
		q.Select[0].Dim.Name = fmt.Sprint("m", n)
		return q
	}
	if _, refusals := Resolve(chain(150), env()); len(refusals) > 0 {
		t.Errorf("150: %v", refusals)
	}
	if _, refusals := Resolve(chain(10_000), env()); len(refusals) == 0 || refusals[0].Code != "INVALID_QUERY" {
		t.Errorf("10,000: %.300v", refusals)
	}
}

// TestManyFilters: many filtered numbers in one SELECT are right, and cheap.
func TestManyFilters(t *testing.T) {
	db := openShop(t)
	plan := mustResolve(t, "SELECT "+joined(100, "orders_placed FILTER (WHERE freight > #) AS c#", ", "))
	s, err := plan.Statement(DuckDB)
	if err != nil {
		t.Fatal(err)
	}
	_, got := rows(t, db, s.SQL)
	_, want := rows(t, db, "SELECT "+joined(100, "(SELECT COUNT(*) FROM orders WHERE freight > #)", ", "))
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %.300v\nwant %.300v", got, want)
	}
	if n := strings.Count(s.SQL, "FILTER"); n > 0 {
		t.Errorf("%d aggregates with a filter, for each of which the engine copies its input", n)
	}
}
