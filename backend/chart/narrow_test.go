package chart

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/semantic"
)

func shop(t *testing.T) frameql.Env {
	t.Helper()
	m, err := semantic.Seal(&semantic.Model{
		Name: "shop",
		Entities: []semantic.Entity{
			{
				Name: "orders", Label: "Orders", Source: semantic.Source{Table: "orders"}, Key: []string{"order_id"}, DefaultTime: "order_date",
				Dimensions: []semantic.Dimension{
					{Name: "order_id", Type: semantic.Integer},
					{Name: "order_date", Type: semantic.Date},
					{Name: "shipped_date", Type: semantic.Date},
					{Name: "country", Type: semantic.Text},
					{Name: "city", Type: semantic.Text},
					{Name: "amount", Type: semantic.Decimal, Measure: true},
				},
			},
		},
		Metrics: []semantic.Metric{
			{Name: "revenue", Label: "Revenue", Entity: "orders", Kind: semantic.Leaf, Expr: "amount", Reducer: semantic.Sum},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return frameql.Env{Model: m, Now: time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), MaxRows: 10_000}
}

func narrowed(t *testing.T, query string, cut Cut) ([]Next, error) {
	t.Helper()
	env := shop(t)
	q, err := frameql.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	plan, refused := frameql.Resolve(q, env)
	if len(refused) > 0 {
		t.Fatalf("%s: %s", query, refused[0].Message)
	}
	before := plan.Query.String()
	next, err := Narrow(plan, cut, func(q *frameql.Query) []frameql.Refusal {
		_, refused := frameql.Resolve(q, env)
		return refused
	})
	if plan.Query.String() != before {
		t.Errorf("the query became %s", plan.Query)
	}
	for _, n := range next {
		q, err := frameql.Parse(n.FrameQL)
		if err != nil {
			t.Fatalf("%s: %v", n.FrameQL, err)
		}
		if _, refused := frameql.Resolve(q, env); len(refused) > 0 {
			t.Errorf("%s: %s", n.FrameQL, refused[0].Message)
		}
	}
	return next, err
}

func member(column string, value any) Cut { return Cut{Members: []Member{{column, value}}} }

func TestMarksLeadToQuestions(t *testing.T) {
	for _, c := range []struct {
		query string
		cut   Cut
		want  []string // title: query
	}{
		{"SELECT country, revenue", member("country", "Germany"), []string{
			"Only Germany: SELECT revenue WHERE orders.country = 'Germany'",
			"Germany by month: SELECT month, revenue WHERE orders.country = 'Germany'",
			"Without Germany: SELECT orders.country, revenue WHERE orders.country <> 'Germany' OR orders.country IS NULL",
		}},
		{"SELECT country, revenue", Cut{Members: []Member{{"country", "Germany"}, {"country", "France"}}}, []string{"Only Germany, France: SELECT orders.country, revenue WHERE orders.country IN ('Germany', 'France')"}},
		{"SELECT country, revenue", member("country", nil), []string{"Only missing Country: SELECT revenue WHERE orders.country IS NULL"}},
		{"SELECT country, city, revenue DURING 1997 TOP 5 city BY revenue", member("country", "O'Hara"), []string{"Only O'Hara: SELECT orders.city, revenue WHERE orders.country = 'O''Hara' DURING 1997 TOP 5 orders.city BY revenue"}},
		{"SELECT country, revenue TOP 5 country BY revenue", member("country", "Peru"), []string{"Only Peru: SELECT revenue WHERE orders.country = 'Peru'"}},
		{"SELECT order_date.month, revenue DURING 1997", member("month", "1997-03-01"), []string{
			"Only March 1997: SELECT orders.order_date.month, revenue DURING 1997-03",
			"March 1997 by day: SELECT orders.order_date.day, revenue DURING 1997-03",
		}},
		{"SELECT month, revenue", member("month", "1997-03-01"), []string{"Only March 1997: SELECT orders.order_date.month, revenue DURING 1997-03 ON orders.order_date", "March 1997 by day: "}},
		{"SELECT month, revenue", Cut{Time: &Stretch{"month", "1997-03-01", "1997-07-01"}}, []string{"Only 1997-03-01 to 1997-07-31: SELECT orders.order_date.month, revenue DURING FROM 1997-03-01 TO 1997-08-01 ON orders.order_date"}},
		{"SELECT order_date.month, revenue DURING FROM 1997-03-10 TO 1997-09-01", member("month", "1997-03-01"), []string{"Only 1997-03-10 to 1997-03-31: "}},
		{"SELECT country, order_date.year, revenue", Cut{Members: []Member{{"country", "Peru"}, {"year", "1997-01-01"}}}, []string{"Only Peru, 1997: SELECT orders.order_date.year, revenue WHERE orders.country = 'Peru' DURING 1997 ON orders.order_date"}},
	} {
		next, err := narrowed(t, c.query, c.cut)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		var got []string
		for _, n := range next {
			got = append(got, n.Title+": "+n.FrameQL)
		}
		for _, want := range c.want {
			if !slices.ContainsFunc(got, func(s string) bool { return s == want || strings.HasSuffix(want, ": ") && strings.HasPrefix(s, want) }) {
				t.Errorf("%s:\n  %s\nlacks\n  %s", c.query, strings.Join(got, "\n  "), want)
			}
		}
	}
}

func TestWhatCannotBeCut(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		cut   Cut
	}{
		"nothing":               {"SELECT country, revenue", Cut{}},
		"a column of nowhere":   {"SELECT country, revenue", member("city", "Bonn")},
		"a number":              {"SELECT country, revenue", member("revenue", "1")},
		"a list":                {"SELECT country, revenue", member("country", []any{"a"})},
		"a moment that is none": {"SELECT month, revenue", member("month", "soon")},
		"backwards":             {"SELECT month, revenue", Cut{Time: &Stretch{"month", "1997-07-01", "1997-03-01"}}},
		"outside the period":    {"SELECT order_date.month, revenue DURING 1997", member("month", "1999-03-01")},
	} {
		if next, err := narrowed(t, c.query, c.cut); fault.CodeOf(err) != fault.Invalid || len(next) > 0 {
			t.Errorf("%s: %v, %v", name, next, err)
		}
	}
}
