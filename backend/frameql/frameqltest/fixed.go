package frameqltest

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/semantic"
)

// Trade is the world of the written corpus: orders with items, tickets, balances and plans, which share customers and
// regions. It holds NULL and orphaned keys, NULL attributes, a leap day, a month without rows and negative amounts.
func Trade() *World {
	dim := func(name string, t semantic.Type) semantic.Dimension { return semantic.Dimension{Name: name, Type: t} }
	measure := func(name string, t semantic.Type) semantic.Dimension {
		return semantic.Dimension{Name: name, Type: t, Measure: true}
	}
	join := func(from, fk, to, key, role string) semantic.Join {
		return semantic.Join{
			From: from, To: to, On: []semantic.ColumnPair{{From: fk, To: key}}, Role: role, Cardinality: "many_to_one",
			Attested: &semantic.Attestation{Unique: true, Orphans: 1, Missing: 1},
		}
	}
	leaf := func(name, entity, expr string, r semantic.Reducer) semantic.Metric {
		return semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: r}
	}
	semi := func(name, how string) semantic.Metric {
		m := leaf(name, "balances", "balance", semantic.Sum)
		m.Additivity.Default = how
		return m
	}
	paid := leaf("paid_revenue", "orders", "amount", semantic.Sum)
	paid.Filter = "status = 'paid'"
	null := leaf("revenue_or_null", "orders", "amount", semantic.Sum)
	null.EmptyIs = "null"
	p90 := leaf("p90_amount", "orders", "amount", semantic.Percentile)
	p90.Percentile = "0.9"
	items := leaf("item_value", "items", "price * n", semantic.Sum)
	items.Time = "orders.order_date"
	m := &semantic.Model{
		Name:      "trade",
		Workspace: semantic.Settings{WeekStart: "monday", Calendar: "fiscal"},
		Calendars: []semantic.Calendar{{Name: "fiscal", StartMonth: 2, LabelYear: "end"}},
		Entities: []semantic.Entity{
			{Name: "regions", Key: []string{"region_id"}, Dimensions: []semantic.Dimension{dim("region_id", semantic.Integer), dim("region_name", semantic.Text), dim("zone", semantic.Text)}},
			{Name: "customers", Key: []string{"customer_id"}, Display: "name", Dimensions: []semantic.Dimension{
				dim("customer_id", semantic.Integer), dim("name", semantic.Text), dim("city", semantic.Text), dim("region_id", semantic.Integer), dim("vip", semantic.Boolean),
			}},
			{Name: "orders", Key: []string{"order_id"}, DefaultTime: "order_date", Dimensions: []semantic.Dimension{
				dim("order_id", semantic.Integer), dim("customer_id", semantic.Integer), dim("bill_id", semantic.Integer), dim("order_date", semantic.Date),
				dim("status", semantic.Text), dim("rush", semantic.Boolean), measure("amount", semantic.Decimal), measure("qty", semantic.Integer),
			}},
			{Name: "items", Key: []string{"order_id", "line"}, Dimensions: []semantic.Dimension{
				dim("order_id", semantic.Integer), dim("line", semantic.Integer), dim("product", semantic.Text), measure("price", semantic.Decimal), measure("n", semantic.Integer),
			}},
			{Name: "tickets", Key: []string{"ticket_id"}, DefaultTime: "opened", Dimensions: []semantic.Dimension{
				dim("ticket_id", semantic.Integer), dim("customer_id", semantic.Integer), dim("opened", semantic.Timestamp), measure("hours", semantic.Integer),
			}},
			{Name: "balances", Key: []string{"account", "day"}, DefaultTime: "day", Dimensions: []semantic.Dimension{
				dim("account", semantic.Text), dim("day", semantic.Date), dim("customer_id", semantic.Integer), measure("balance", semantic.Integer),
			}},
			{Name: "plans", Key: []string{"region_id", "plan_month"}, DefaultTime: "plan_month", Dimensions: []semantic.Dimension{
				dim("region_id", semantic.Integer), dim("plan_month", semantic.Date), measure("plan_amount", semantic.Integer),
			}},
		},
		Joins: []semantic.Join{
			join("customers", "region_id", "regions", "region_id", ""),
			join("orders", "customer_id", "customers", "customer_id", ""),
			join("orders", "bill_id", "customers", "customer_id", "bill_to"),
			join("items", "order_id", "orders", "order_id", ""),
			join("tickets", "customer_id", "customers", "customer_id", ""),
			join("balances", "customer_id", "customers", "customer_id", ""),
			join("plans", "region_id", "regions", "region_id", ""),
		},
		Metrics: []semantic.Metric{
			leaf("revenue", "orders", "amount", semantic.Sum), leaf("order_count", "orders", "*", semantic.Count), leaf("avg_amount", "orders", "amount", semantic.Avg),
			leaf("biggest", "orders", "amount", semantic.Max), leaf("smallest", "orders", "amount", semantic.Min), leaf("buyers", "orders", "customer_id", semantic.CountDistinct),
			leaf("median_amount", "orders", "amount", semantic.Median), leaf("spread", "orders", "amount", semantic.StdDev), leaf("latest", "orders", "amount", semantic.Last),
			leaf("earliest", "orders", "amount", semantic.First), leaf("any_rush", "orders", "rush", semantic.Any), leaf("all_rush", "orders", "rush", semantic.All),
			paid, null, p90, items,
			leaf("ticket_count", "tickets", "*", semantic.Count), leaf("hours", "tickets", "hours", semantic.Sum), leaf("planned", "plans", "plan_amount", semantic.Sum),
			semi("balance", "semi(last)"), semi("opening_balance", "semi(first)"), semi("own_last_balance", "semi(last, per: [account])"),
			semi("mean_balance", "semi(avg)"), semi("peak_balance", "semi(max)"),
			{Name: "per_order", Kind: semantic.Ratio, Numerator: "revenue", Denominator: "order_count"},
			{Name: "revenue_per_ticket", Kind: semantic.Ratio, Numerator: "revenue", Denominator: "ticket_count"},
			{Name: "net", Kind: semantic.Derived, Expr: "revenue - 2 * hours"},
		},
	}
	sealed, err := semantic.Seal(m)
	if err != nil {
		panic(err) // the model is written above
	}
	return &World{Model: sealed, Now: time.Date(2024, 4, 10, 9, 0, 0, 0, time.UTC), Tables: TablesOf(sealed, map[string]string{
		"regions":   `1 North 'Z1 | 2 South Z2 | 3 - Z1`,
		"customers": `1 Ada Bonn 1 true | 2 Bob Köln 1 false | 3 Cid Rom 2 true | 4 ada - 2 - | 5 Eve Rom - false | 6 Fay Oslo 9 true`,
		"orders": `1 1 2 2023-03-05 paid true 10.00 1 | 2 1 1 2023-03-31 paid false 20.50 2 | 3 2 1 2023-12-31 open - 5.25 1 | 4 3 - 2024-01-01 paid true 40.00 4
			| 5 3 3 2024-01-31 open false -7.00 1 | 6 - 2 2024-02-29 paid - 8.00 - | 7 9 9 2024-02-29 - true 3.00 3 | 8 4 1 2024-03-01 paid false 12.00 2
			| 9 5 5 2024-03-15 open true - 1 | 10 1 6 2024-04-02 paid true 30.00 3 | 11 2 2 - paid false 1.00 1 | 12 6 1 2024-04-09 open false 0.00 2`,
		"items": `1 1 Pen 2.00 3 | 1 2 Ink 4.00 1 | 2 1 Pen 2.00 10 | 3 1 Cap - 5 | 4 1 Ink 4.00 10 | 6 1 Pen 2.00 4 | 99 1 Ink 4.00 1 | 8 1 - 3.00 2`,
		"tickets": `1 1 2024-01-01T10:00:00 3 | 2 1 2024-01-31T23:59:59 2 | 3 3 2024-02-29T00:00:00 - | 4 6 2024-03-01T08:30:00 4 | 5 - 2024-03-31T12:00:00 1
			| 6 4 - 7 | 7 5 2024-04-09T00:00:00 2`,
		"balances": `A 2024-01-30 1 100 | A 2024-01-31 1 90 | B 2024-01-30 3 50 | A 2024-02-28 1 70 | C 2024-02-10 4 5 | B 2024-02-28 3 - | A 2024-03-31 1 10 | C 2024-03-31 4 20 | D 2024-03-01 9 8`,
		"plans":    `1 2024-01-01 50 | 2 2024-01-01 30 | 1 2024-02-01 60 | 2 2024-03-01 10 | 9 2024-03-01 1`,
	})}
}

// TablesOf reads tables in short form: rows separated by |, cells by blanks, "-" for a missing one, in the order of the
// dimensions. It is for tests that write their data, and panics on what it cannot read.
func TablesOf(m *semantic.Model, rows map[string]string) map[string]*Table {
	all := map[string]*Table{}
	for i := range m.Entities {
		e := &m.Entities[i]
		t := &Table{Name: e.Source.Table}
		for _, d := range e.Dimensions {
			if d.Physical() != "" {
				t.Columns = append(t.Columns, Column{Name: d.Physical(), Type: d.Type})
			}
		}
		for _, row := range strings.Split(rows[e.Name], "|") {
			words := strings.Fields(row)
			if len(words) == 0 {
				continue
			}
			var cells []any
			for j, word := range words {
				cells = append(cells, read(word, t.Columns[j].Type))
			}
			t.Rows = append(t.Rows, cells)
		}
		all[t.Name] = t
	}
	return all
}

func read(word string, t semantic.Type) any {
	if word == "-" {
		return nil
	}
	switch t {
	case semantic.Integer, semantic.Decimal:
		return Digits(word)
	case semantic.Float:
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			panic(err)
		}
		return Float(f)
	case semantic.Boolean:
		return word == "true"
	case semantic.Date:
		return isoDate(word)
	case semantic.Timestamp:
		at, err := time.Parse("2006-01-02T15:04:05", word)
		if err != nil {
			panic(err)
		}
		return at
	}
	return word
}
