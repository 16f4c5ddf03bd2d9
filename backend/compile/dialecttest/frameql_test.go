//go:build cgo

package dialecttest_test

import (
	"testing"
	"time"

	. "assay/backend/compile"
	"assay/backend/compile/dialecttest"
	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestFrameQLOnServers asks in the language itself, so that what the resolver binds is what the servers are tried with.
func TestFrameQLOnServers(t *testing.T) {
	whole, parts := map[Dialect]int{}, map[Dialect]int{}
	for _, text := range []string{
		"SELECT revenue, sale_count",
		"SELECT region, revenue, ticket_count",
		"SELECT region, revenue / ticket_count AS per_ticket DURING 2024",
		"SELECT category, product, revenue WHERE status = 'paid' OR amount > 500",
		"SELECT region, revenue WHERE note CONTAINS 'PL' OR note LIKE '%\\%' OR note STARTS WITH 'é'",
		"SELECT segment, AVG(amount), MIN(amount), MAX(amount), MEDIAN(amount), PERCENTILE(amount, 0.9), STDDEV(amount), COUNT(DISTINCT customers)",
		"SELECT month, revenue DURING 2024 FILL ZERO",
		"SELECT month, revenue DURING 2024 FILL LAST",
		"SELECT month, revenue DURING 2024 FILL NULL",
		"SELECT sold_on.day, sale_count DURING LAST 60 DAY FILL ZERO",
		"SELECT sold_on.week, revenue DURING 2025 OPTIONS (week_start = 'sun')",
		"SELECT sold_on.quarter, revenue, ticket_count",
		"SELECT sold_on.fiscal_year, sold_on.fiscal_quarter, revenue",
		"SELECT month, revenue, PREV(revenue), DELTA(revenue), PCT_CHANGE(revenue) DURING 2025 COMPARE TO SAME PERIOD LAST YEAR",
		"SELECT region, revenue DURING 2025 COMPARE TO PREVIOUS YEAR",
		"SELECT region, revenue DURING 2025-Q2 COMPARE TO PREVIOUS PERIOD, SAME PERIOD LAST YEAR",
		"SELECT month, DELTA(revenue) DURING 2025",
		"SELECT region, revenue, SHARE(revenue)",
		"SELECT month, region, revenue, SHARE(revenue, AT month) DURING 2025",
		"SELECT month, CUMULATIVE(revenue) DURING 2025",
		"SELECT month, CUMULATIVE(revenue, AT year)",
		"SELECT month, MOVING(revenue, 3), MOVING(average_sale, 3) DURING 2025",
		"SELECT sold_on.day, MOVING(revenue, 7) DURING 2025-03",
		"SELECT month, CUMULATIVE(buyers) DURING 2025",
		"SELECT region, revenue, RANK(revenue), average_sale",
		"SELECT month, INDEX(revenue) DURING 2025",
		"SELECT product, revenue TOP 2 product BY revenue WITH OTHER",
		"SELECT region, product, revenue, average_sale TOP 2 product BY revenue PER region WITH OTHER TOTALS",
		"SELECT product, revenue DURING 2025 COMPARE TO PREVIOUS YEAR TOP 3 product BY DELTA(revenue) ASC",
		"SELECT region, segment, revenue, buyers TOTALS BY region, segment",
		"SELECT region, revenue HAVING revenue > 1000 ORDER BY revenue DESC LIMIT 3 OFFSET 1",
		"SELECT region, AVG(revenue AT customers) AS per_customer",
		"SELECT region, MEDIAN(revenue AT (customers, month)) AS usual_month",
		"SELECT region, (revenue AT ()) AS everything, (revenue AT () IGNORING FILTERS) AS really WHERE status = 'paid'",
		"SELECT region, revenue FILTER (WHERE status = 'paid') AS paid, sale_count FILTER (WHERE express = TRUE) AS express_sales",
		"SELECT customers.name, customers.region AT customers WHERE NO tickets",
		"SELECT customers.name AT customers WHERE ANY sales(amount > 700) AND ANY tickets(severity = 4)",
		"SELECT customers.name AT customers WHERE ALL tickets(severity > 1)",
		"SELECT region, sale_count WHERE amount > (average_sale AT ())",
		"SELECT month, revenue WHERE product IN TOP 2 BY revenue DURING 2025",
		"SELECT month, region, balance",
		"SELECT balances.day.quarter, balance_of_each",
		"SELECT region, ANY(express), ALL(express), FIRST(amount), LAST(note)",
		"SELECT size, sale_count, revenue",
		"SELECT month, revenue, revenue_a_month_before DURING 2025",
		"SELECT month, trailing DURING 2025",
		"SELECT region, segment",
		"SELECT region, revenue WHERE customers.region IS NULL OR customers.region NOT IN ('West', 'east') AND customers.region BETWEEN 'A' AND 'Wz'",
		"SELECT month, AVG(amount), MEDIAN(amount) DURING 2024 FILL ZERO TOTALS",
		"SELECT month, region, revenue, ticket_count, revenue / sale_count AS per_sale DURING 2024 FILL ZERO ORDER BY per_sale DESC",
	} {
		t.Run(text, func(t *testing.T) {
			q, err := frameql.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			plan, refusals := frameql.Resolve(q, shopEnv())
			if plan == nil {
				t.Fatalf("refused: %+v", refusals)
			}
			duck := mustCompile(t, plan.Bound(), DuckDB)
			_, want := dialecttest.Rows(t, servers.Shop(t, dialecttest.DuckDB), duck.SQL)
			if len(want) == 0 {
				t.Error("no rows")
			}
			for _, d := range []Dialect{Postgres, MySQL} {
				p := mustCompile(t, plan.Bound(), d)
				if len(p.LeafFrames) == 0 {
					whole[d]++
				} else {
					parts[d]++
				}
				if diff := dialecttest.Different(finished(t, p, d), want); diff != "" {
					t.Errorf("%s: %s\n%s", d, diff, p.SQL)
				}
			}
		})
	}
	for _, d := range []Dialect{Postgres, MySQL} {
		t.Logf("%s: %d queries whole, %d by leaf frames", d, whole[d], parts[d])
	}
}

// shopEnv describes the shop as a model.
func shopEnv() frameql.Env {
	dims := func(spec string) []semantic.Dimension {
		var all []semantic.Dimension
		for _, c := range dialecttest.Shop() {
			if c.Name == spec {
				for _, column := range c.Columns {
					all = append(all, semantic.Dimension{Name: column.Name, Type: column.Type})
				}
			}
		}
		return all
	}
	entity := func(name, time string, key ...string) semantic.Entity {
		return semantic.Entity{Name: name, Source: semantic.Source{Table: name}, Key: key, DefaultTime: time, Dimensions: dims(name)}
	}
	sales := entity("sales", "sold_on", "sale_id")
	sales.Dimensions = append(sales.Dimensions, semantic.Dimension{Name: "size", Expr: "CASE WHEN amount > 500 THEN 'Large' WHEN amount > 100 THEN 'large' ELSE 'small' END", Type: semantic.Text})
	toOne := func(from, to, column string) semantic.Join {
		return semantic.Join{From: from, To: to, On: []semantic.ColumnPair{{From: column, To: column}}, Cardinality: "many_to_one"}
	}
	leaf := func(name, entity, expr string, reducer semantic.Reducer) semantic.Metric {
		return semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: reducer}
	}
	balance := leaf("balance", "balances", "balance", semantic.Sum)
	balance.Additivity.Default = "semi(last)"
	each := leaf("balance_of_each", "balances", "balance", semantic.Sum)
	each.Additivity.Default = "semi(last, per: [account])"
	model := &semantic.Model{
		Name: "shop", Workspace: semantic.Settings{Calendar: "fiscal", WeekStart: "monday"},
		Calendars: []semantic.Calendar{{Name: "fiscal", StartMonth: 2, LabelYear: "end"}},
		Entities: []semantic.Entity{
			sales, entity("tickets", "opened", "ticket_id"), entity("balances", "day", "day", "account"), entity("customers", "", "customer_id"),
			entity("products", "", "product_id"), entity("categories", "", "category_id"),
		},
		Joins: []semantic.Join{
			toOne("sales", "customers", "customer_id"), toOne("tickets", "customers", "customer_id"), toOne("balances", "customers", "customer_id"),
			toOne("sales", "products", "product_id"), toOne("products", "categories", "category_id"),
		},
		Metrics: []semantic.Metric{
			leaf("revenue", "sales", "amount", semantic.Sum), leaf("sale_count", "sales", "*", semantic.Count), leaf("ticket_count", "tickets", "*", semantic.Count),
			leaf("average_sale", "sales", "amount", semantic.Avg), leaf("buyers", "sales", "customer_id", semantic.CountDistinct), balance, each,
			{Name: "revenue_a_month_before", Kind: semantic.Derived, Expr: "earlier", Inputs: []semantic.Input{{Name: "earlier", Metric: "revenue", Offset: &semantic.Span{N: 1, Unit: "month"}}}},
			{Name: "trailing", Kind: semantic.Cumulative, Of: "revenue", Window: &semantic.Span{N: 30, Unit: "day"}},
		},
	}
	return frameql.Env{
		Model: model, Now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC),
		Coverage: func(d string) (first, last time.Time, ok bool) {
			switch d {
			case "sales.sold_on":
				return day("1969-12-28"), day("2025-12-31"), true
			case "tickets.opened":
				return day("2023-06-01"), day("2025-11-20"), true
			case "balances.day":
				return day("2024-11-03"), day("2025-03-09"), true
			}
			return
		},
	}
}
