package analyst

import (
	"testing"
	"time"

	"assay/backend/frameql"
)

func TestReadingWords(t *testing.T) {
	m := shop(t)
	label := func(c frameql.Column, words string) frameql.Column { c.Label = words; return c }
	val := func(kind frameql.ValueKind, s string) *frameql.Value { return &frameql.Value{Kind: kind, Text: s} }
	from, to := time.Date(1998, 2, 1, 0, 0, 0, 0, time.UTC), time.Date(1998, 5, 1, 0, 0, 0, 0, time.UTC)
	columns := []frameql.Column{label(category1, "Category"), label(revenue, "Revenue")}
	ten := 10
	for _, c := range []struct {
		plan frameql.Plan
		want string
	}{
		{frameql.Plan{Query: &frameql.Query{}, Columns: columns[1:]}, "Revenue"},
		{
			frameql.Plan{Query: &frameql.Query{}, Columns: []frameql.Column{label(category1, "Category"), label(country, "SKU"), label(revenue, "Revenue"), label(orders, "Number of orders")}},
			"Revenue and number of orders by category and SKU",
		},
		{
			frameql.Plan{Query: &frameql.Query{
				Time:  &frameql.During{Period: frameql.Period{Kind: "literal", Value: "1997-Q4"}},
				Where: &frameql.Pred{Dim: "orders.country", Op: "eq", Val: val(frameql.String, "Germany")},
			}, Columns: columns},
			"Revenue by category, 1997-Q4, country Germany",
		},
		{frameql.Plan{
			Query: &frameql.Query{Time: &frameql.During{Period: frameql.Period{Kind: "last", N: 3, Unit: "month"}}}, Columns: columns,
			Period: &frameql.PeriodUse{Relative: true, From: from, To: to},
		}, "Revenue by category, last 3 months (1998-02-01 to 1998-04-30)"},
		{frameql.Plan{Query: &frameql.Query{Time: &frameql.During{Period: frameql.Period{Kind: "range", From: "1997-03-01"}}}, Columns: columns}, "Revenue by category, since 1997-03-01"},
		{frameql.Plan{Query: &frameql.Query{Time: &frameql.During{Period: frameql.Period{Kind: "all_time"}}}, Columns: columns}, "Revenue by category"},
		{
			frameql.Plan{Query: &frameql.Query{Where: &frameql.Pred{And: []*frameql.Pred{
				{Dim: "orders.country", Op: "in", Vals: []frameql.Value{{Text: "Germany"}, {Text: "France"}, {Text: "Brazil"}}},
				{Dim: "lines.amount", Op: "between", Vals: []frameql.Value{{Text: "10"}, {Text: "20"}}},
				{Dim: "products.category", Op: "is_null"},
				{Quant: "no", Entity: "orders"},
			}}}, Columns: columns, Filters: []frameql.FilterUse{{}, {}, {}, {Text: "NO orders"}}},
			"Revenue by category, country Germany, France or Brazil, amount from 10 to 20, without category, without orders",
		},
		{
			frameql.Plan{Query: &frameql.Query{Where: &frameql.Pred{And: []*frameql.Pred{
				{Quant: "no", Entity: "orders", Pred: &frameql.Pred{And: []*frameql.Pred{
					{Dim: "orders.order_date", Op: "ge", Val: val(frameql.String, "1998-01-01")},
					{Dim: "orders.order_date", Op: "lt", Val: val(frameql.String, "1999-01-01")},
					{Dim: "orders.country", Op: "ne", Val: val(frameql.String, "France")},
				}}},
				{Or: []*frameql.Pred{
					{Not: &frameql.Pred{Quant: "any", Entity: "orders"}},
					{Dim: "lines.amount", Op: "gt", ValDim: &frameql.Dim{Name: "products.price"}},
				}},
				{Or: []*frameql.Pred{
					{Quant: "any", Entity: "orders"},
					{Left: &frameql.Expr{Metric: "orders"}, Op: "gt", Val: val(frameql.Number, "3")},
				}},
			}}}, Columns: columns, Filters: []frameql.FilterUse{{}, {}, {Text: "ANY orders OR (orders) > 3"}}},
			"Revenue by category, without orders (order date 1998-01-01 to 1998-12-31 and country not France), not (with orders) or amount above price, ANY orders OR (orders) > 3",
		},
		{frameql.Plan{
			Query: &frameql.Query{Having: &frameql.Pred{Out: "revenue", Op: "gt", Val: val(frameql.Number, "1000")}}, Columns: columns,
			Top: &frameql.TopUse{N: 5}, Limit: &ten,
		}, "Revenue by category, revenue above 1000, top 5, first 10 rows"},
		{frameql.Plan{Query: &frameql.Query{}, Columns: columns[:1], Fact: "products", Listing: true}, "Category of products"},
	} {
		if got := ReadingWords(&c.plan, m); got != c.want {
			t.Errorf("\n got %q\nwant %q", got, c.want)
		}
	}
}

// Every kind of period and every operator of the language has its words.
func TestNothingIsWithoutWords(t *testing.T) {
	for _, kind := range []string{"last", "this", "previous", "today", "yesterday", "ytd", "qtd", "mtd", "wtd"} {
		for _, unit := range []string{"hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"} {
			for _, n := range []int{1, 2} {
				if words := periodWords(frameql.Period{Kind: kind, Unit: unit, N: n}, nil); words == "" || words[0] == '[' {
					t.Errorf("%s %d %s: %q", kind, n, unit, words)
				}
			}
		}
	}
	for _, op := range []string{"eq", "ne", "lt", "le", "gt", "ge", "in", "not_in", "like", "not_like", "contains", "not_contains", "starts_with", "not_starts_with", "is_null", "not_null"} {
		words := comparisonWords(&frameql.Pred{Op: op, Val: &frameql.Value{Text: "x"}}, "country")
		if words == "" || words[0] == '[' {
			t.Errorf("%s: %q", op, words)
		}
	}
}

func TestPeriodBefore(t *testing.T) {
	for value, want := range map[string]string{"1997": "1996", "1997-Q1": "1996-Q4", "1997-Q3": "1997-Q2", "1997-01": "1996-12", "1997-10": "1997-09"} {
		got, ok := literalBefore(frameql.Period{Kind: "literal", Value: value})
		if !ok || got.Value != want {
			t.Errorf("before %s: %s, %v", value, got.Value, ok)
		}
	}
	for _, p := range []frameql.Period{{Kind: "literal", Value: "FY1997"}, {Kind: "literal", Value: "1997-10-03"}, {Kind: "last", N: 3, Unit: "month"}} {
		if got, ok := literalBefore(p); ok {
			t.Errorf("before %+v: %+v", p, got)
		}
	}
}
