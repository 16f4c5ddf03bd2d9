package frameql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// TestGrainNamesADimensionOnce: what AT says twice is one column and one part of the grain.
func TestGrainNamesADimensionOnce(t *testing.T) {
	q, err := Parse("SELECT revenue AT (country, customers.country, country)")
	if err != nil {
		t.Fatal(err)
	}
	plan, refusals := Resolve(q, env())
	if plan == nil {
		t.Fatal(refusals)
	}
	if want := []GrainUse{{Dimension: "customers.country", Column: "country"}}; !slices.Equal(plan.Grain, want) {
		t.Errorf("the grain is %v, want %v", plan.Grain, want)
	}
}

// TestDepthOfDefinitions: metrics build on each other 32 times, columns 16 times, and no further. What determines a
// column is looked for 33 times.
func TestDepthOfDefinitions(t *testing.T) {
	m := shop()
	name := func(of string, i int) string { return fmt.Sprintf("%s_%d", of, i) }
	for i := range 35 {
		metric := semantic.Metric{Name: name("deep", i), Kind: semantic.Derived, Expr: name("deep", i-1) + " + 1"}
		column := semantic.Dimension{Name: name("level", i), Type: semantic.Integer, Expr: name("level", i-1) + " + 1"}
		if i == 0 {
			metric.Expr, column.Expr = "freight", ""
		}
		m.Metrics = append(m.Metrics, metric)
		for k := range m.Entities {
			if m.Entities[k].Name == "orders" {
				m.Entities[k].Dimensions = append(m.Entities[k].Dimensions, column)
			}
		}
	}
	for _, c := range []struct{ query, want string }{
		{"SELECT deep_31", ""}, // freight is its 32nd
		{"SELECT deep_32", "INVALID_MODEL"},
		{"SELECT level_16 FROM orders", ""},
		{"SELECT level_17 FROM orders", "INVALID_MODEL"},
		{"SELECT level_16, freight AT level_0", ""},
		{"SELECT level_33, freight AT level_0", "INVALID_MODEL"},
		{"SELECT level_34, freight AT level_0", "GRAIN_MISMATCH INVALID_MODEL"},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		e := env()
		e.Model = m
		var codes []string
		_, refusals := Resolve(q, e)
		for _, r := range refusals {
			codes = append(codes, r.Code)
		}
		slices.Sort(codes)
		if got := strings.Join(slices.Compact(codes), " "); got != c.want {
			t.Errorf("%s: %q, want %q: %v", c.query, got, c.want, refusals)
		}
	}
}

// TestWhatKeysDependOn: the key of a grain depends on nothing, what it determines on the fewest keys that do, and both on the
// grains of totals that determine them as well.
func TestWhatKeysDependOn(t *testing.T) {
	for _, c := range []struct{ query, key, depends, within string }{
		{"SELECT customers, country, revenue AT (customers, products)", "country", "customer_id", ""},
		{"SELECT customers, country, AVG((revenue AT country) AT orders) AS x AT customers", "country", "customer_id", ""},
		{"SELECT country, AVG((revenue AT country) AT orders) AS x AT country", "country", "", ""},
		{"SELECT AVG((revenue AT country) AT (country, orders)) AS x AT ()", "country", "", ""},
		{"SELECT ((revenue AT country) AT customers.city) AS x AT (country, customers.city, orders.status)", "country", "", ""},
		{"SELECT customers, country, ((revenue AT country) AT customers.city) AS x AT (customers, orders.status)", "country", "customer_id", ""},
		{"SELECT ((revenue AT country) AT customers.city) AS x AT (customers, orders.status)", "country", "city", ""},
		{"SELECT customers, country, revenue AT (customers, orders.status) TOTALS BY customers", "country", "customer_id", "customer_id"},
		{"SELECT revenue AT (customers, country, orders.status) TOTALS BY customers", "country", "", "customer_id"},
		{"SELECT revenue AT (order_date.month, order_date.year, country) TOTALS BY order_date.month", "year", "", "month"},
		{"SELECT revenue AT (order_date.week, order_date.month, orders, category_name) TOTALS BY (order_date.week, orders)", "month", "", ""},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, env())
		if plan == nil {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		keys := plan.Bound().Keys
		names := func(of []int) string {
			var all []string
			for _, k := range of {
				all = append(all, keys[k].Name)
			}
			return strings.Join(all, " ")
		}
		for _, k := range keys {
			if k.Name != c.key {
				continue
			}
			var within []string
			for _, set := range k.Within {
				within = append(within, names(set))
			}
			if names(k.DependsOn) != c.depends || strings.Join(within, "; ") != c.within {
				t.Errorf("%s: %s depends on %q, and on %q in totals", c.query, k.Name, names(k.DependsOn), within)
			}
		}
	}
}
