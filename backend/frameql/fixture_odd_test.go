package frameql_test

import (
	"fmt"
	"strings"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// fixture gives the model that a file of the corpus asks about.
func fixture(file string) Env {
	switch {
	case strings.HasPrefix(file, "retail"):
		return retail()
	case strings.HasPrefix(file, "odd"):
		return odd()
	case strings.HasPrefix(file, "wide_weeks"):
		return wideByWeeks()
	case strings.HasPrefix(file, "wide_plain"):
		return withoutCalendars()
	case strings.HasPrefix(file, "wide"):
		return wide()
	case strings.HasPrefix(file, "desk"):
		return helpdesk()
	case strings.HasPrefix(file, "library"):
		return library()
	case strings.HasPrefix(file, "unmeasured"):
		return Env{Model: shop(), Now: env().Now}
	}
	return env()
}

// weeks is a calendar of whole weeks: fiscal 1996 has 53 of them, 1997 and 1998 have 52, by quarters of 13 (14) weeks.
func weeks() semantic.Calendar {
	c := semantic.Calendar{Name: "retail", Pattern: "4-4-5", Buckets: map[string][]semantic.CalendarBucket{}}
	add := func(unit, label string, n int, from, to time.Time) {
		c.Buckets[unit] = append(c.Buckets[unit], semantic.CalendarBucket{From: from, To: to, Label: label, Ordinal: n})
	}
	start := time.Date(1996, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, n := range []int{53, 52, 52} {
		year := 1996 + i
		for w := range n {
			add("fiscal_week", fmt.Sprintf("FY%d-W%02d", year, w+1), w+1, start.AddDate(0, 0, 7*w), start.AddDate(0, 0, 7*w+7))
		}
		for q := range 4 {
			end := start.AddDate(0, 0, 91*(q+1))
			if q == 3 {
				end = start.AddDate(0, 0, 7*n)
			}
			add("fiscal_quarter", fmt.Sprintf("FY%d-Q%d", year, q+1), q+1, start.AddDate(0, 0, 91*q), end)
		}
		add("fiscal_year", fmt.Sprintf("FY%d", year), 1, start, start.AddDate(0, 0, 7*n))
		start = start.AddDate(0, 0, 7*n)
	}
	return c
}

func retail() Env {
	e := env()
	m := shop()
	m.Calendars, m.Workspace.Calendar = []semantic.Calendar{weeks()}, "retail"
	e.Model = m
	return e
}

// odd is the shop with what goes wrong in models and in data: metrics that name nothing, definitions that run in a circle,
// joins of columns that are not there, times in zones, facts that were measured to repeat.
func odd() Env {
	m := shop()
	leaf := func(name, entity, expr string, change func(*semantic.Metric)) {
		x := semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: semantic.Sum}
		if change != nil {
			change(&x)
		}
		m.Metrics = append(m.Metrics, x)
	}
	derived := func(name, expr string, inputs ...semantic.Input) {
		m.Metrics = append(m.Metrics, semantic.Metric{Name: name, Kind: semantic.Derived, Expr: expr, Inputs: inputs})
	}
	leaf("of_nowhere", "warehouses", "x", nil)
	leaf("of_no_column", "orders", "nothing_here", nil)
	leaf("of_nothing", "orders", "", nil)
	leaf("unreadable", "orders", "freight +", nil)
	leaf("unreadable_filter", "orders", "freight", func(x *semantic.Metric) { x.Filter = "status =" })
	leaf("odd_reducer", "orders", "freight", func(x *semantic.Metric) { x.Reducer = "mode" })
	leaf("bad_fraction", "orders", "freight", func(x *semantic.Metric) { x.Reducer, x.Percentile = semantic.Percentile, "1.5" })
	leaf("of_unknown_time", "orders", "freight", func(x *semantic.Metric) { x.Time = "nothing_here" })
	leaf("of_text_time", "orders", "freight", func(x *semantic.Metric) { x.Time = "status" })
	leaf("of_far_time", "orders", "freight", func(x *semantic.Metric) { x.Time = "tickets.raised_at" })
	leaf("by_ring", "orders", "ring_one", nil)
	leaf("by_far", "order_lines", "orders.freight", nil)
	leaf("by_own_name", "orders", "orders.freight", nil)
	leaf("by_two_ways", "orders", "addresses.address_id", nil)
	leaf("shown_as_zero", "orders", "freight", func(x *semantic.Metric) { x.Fill = "zero" })
	leaf("shown_as_missing", "orders", "freight", func(x *semantic.Metric) { x.Fill = "null" })
	leaf("empty_is_missing", "orders", "freight", func(x *semantic.Metric) { x.EmptyIs = "null" })
	leaf("empty_is_zero", "orders", "freight", func(x *semantic.Metric) { x.Reducer, x.EmptyIs = semantic.Max, "zero" })
	leaf("first_stock", "stock", "units", func(x *semantic.Metric) { x.Additivity.Default = "semi(first)" })
	leaf("least_stock", "stock", "units", func(x *semantic.Metric) { x.Additivity.Default = "semi(min)" })
	leaf("stock_of_nothing", "stock", "units", func(x *semantic.Metric) { x.Additivity.Default = "semi(last, per: [nothing_here])" })
	leaf("stock_by_category", "stock", "units", func(x *semantic.Metric) { x.Additivity.Default = "semi(last, per: [products.category_id])" })
	leaf("pages_open", "visits", "*", func(x *semantic.Metric) { x.Reducer, x.Additivity.Default = semantic.Count, "semi(last)" })
	leaf("items_in_stock", "stock", "product_id", func(x *semantic.Metric) { x.Reducer, x.Additivity.Default = semantic.CountDistinct, "semi(last)" })
	leaf("first_freight", "orders", "freight", func(x *semantic.Metric) { x.Reducer = semantic.First })
	leaf("late", "orders", "shipped_at", func(x *semantic.Metric) { x.Reducer = semantic.Max })
	leaf("any_active", "customers", "active", func(x *semantic.Metric) { x.Reducer = semantic.Any })
	leaf("territory_cost", "tickets", "territories.code", nil)
	leaf("mixed_worth", "stock", "worth", func(x *semantic.Metric) {
		x.Additivity = semantic.Additivity{Default: "additive", Per: map[string]string{"currency": "none", "product_id": "additive", "time": "semi(last)"}}
	})
	leaf("daily_level", "stock", "worth", func(x *semantic.Metric) {
		x.Additivity = semantic.Additivity{Default: "additive", Per: map[string]string{"day": "none"}}
	})
	leaf("of_customers", "orders", "freight", func(x *semantic.Metric) {
		x.Required, x.Forbidden = []string{"orders.status"}, []string{"orders.order_date.month", "employees"}
	})
	leaf("in_euros", "orders", "freight", func(x *semantic.Metric) { x.Unit = "EUR" })
	m.Metrics = append(m.Metrics,
		semantic.Metric{Name: "headless", Kind: semantic.Ratio, Numerator: "nothing_here", Denominator: "revenue"},
		semantic.Metric{Name: "footless", Kind: semantic.Ratio, Numerator: "revenue", Denominator: "nothing_here"},
		semantic.Metric{Name: "no_window", Kind: semantic.Cumulative, Of: "freight", Window: &semantic.Span{N: 0, Unit: "day"}},
		semantic.Metric{Name: "back_window", Kind: semantic.Cumulative, Of: "freight", Window: &semantic.Span{N: -1, Unit: "day"}},
		semantic.Metric{Name: "running_weeks", Kind: semantic.Cumulative, Of: "freight", ToDate: "fiscal_week"},
		semantic.Metric{Name: "running_fiscal_year", Kind: semantic.Cumulative, Of: "freight", ToDate: "fiscal_year", Unit: "USD"},
		semantic.Metric{Name: "mean_running", Kind: semantic.Cumulative, Of: "freight", PeriodAgg: "average"},
		semantic.Metric{Name: "running_distinct", Kind: semantic.Cumulative, Of: "order_count"},
		semantic.Metric{Name: "running_of_nothing", Kind: semantic.Cumulative, Of: "nothing_here"},
	)
	offset := func(name, metric string, n int, unit string) semantic.Input {
		return semantic.Input{Name: name, Metric: metric, Offset: &semantic.Span{N: n, Unit: unit}}
	}
	derived("unread_formula", "freight +")
	derived("of_unknown", "freight + nothing_here")
	derived("two_offsets", "before", semantic.Input{Name: "before", Metric: "freight", Offset: &semantic.Span{N: 1, Unit: "month"}, OffsetToStart: "year"})
	derived("since_start", "freight - start", semantic.Input{Name: "start", Metric: "freight", OffsetToStart: "year"})
	derived("since_fiscal_start", "freight - start", semantic.Input{Name: "start", Metric: "freight", OffsetToStart: "fiscal_year"})
	derived("month_before_last", "before", offset("before", "last_month_freight", 1, "month"))
	derived("day_before_month", "before", offset("before", "last_month_freight", 1, "day"))
	derived("start_before", "before", offset("before", "since_start", 1, "month"))
	derived("weeks_ago", "before", offset("before", "freight", 1, "fiscal_week"))
	derived("running_before", "before", offset("before", "running", 1, "month"))
	derived("running_at_start", "start", semantic.Input{Name: "start", Metric: "running", OffsetToStart: "year"})
	derived("running_open", "open", semantic.Input{Name: "open", Metric: "running", Filter: "status = 'open'"})
	derived("open_french", "open", semantic.Input{Name: "open", Metric: "open_here", Filter: "status = 'open'"})
	derived("open_here", "here", semantic.Input{Name: "here", Metric: "orders_placed", Filter: "freight > 1"})
	derived("mixed_money", "freight + in_euros")
	add := func(entity string, more ...semantic.Dimension) {
		for i := range m.Entities {
			if m.Entities[i].Name == entity {
				m.Entities[i].Dimensions = append(m.Entities[i].Dimensions, more...)
			}
		}
	}
	add("orders",
		semantic.Dimension{Name: "ring_one", Expr: "ring_two + 1", Type: semantic.Decimal},
		semantic.Dimension{Name: "ring_two", Expr: "ring_one + 1", Type: semantic.Decimal},
		semantic.Dimension{Name: "lost", DerivedFrom: "nothing_here", Map: map[string]string{"a": "b"}, Type: semantic.Text},
		semantic.Dimension{Name: "unmapped", DerivedFrom: "status", Type: semantic.Text},
		semantic.Dimension{Name: "priority_of", DerivedFrom: "employee_id", Map: map[string]string{"1": "first", "x": "other"}, Type: semantic.Text},
		semantic.Dimension{Name: "season", DerivedFrom: "order_date", Map: map[string]string{"1997-01-15": "winter", "never": "none"}, Type: semantic.Text},
		semantic.Dimension{Name: "unreadable_one", Expr: "freight +", Type: semantic.Decimal},
		semantic.Dimension{Name: "order_year", Expr: "year(order_date)", Type: semantic.Integer},
		semantic.Dimension{Name: "order_start", Expr: "date_trunc('month', order_date)"},
		semantic.Dimension{Name: "shipped_start", Expr: "date_trunc('month', shipped_at)"},
		semantic.Dimension{Name: "freight_root", Expr: "sqrt(freight)"},
		semantic.Dimension{Name: "freight_or", Expr: "coalesce(freight, 0)"},
		semantic.Dimension{Name: "shouted", Expr: "upper(status)"},
		semantic.Dimension{Name: "weight_class", Expr: "CASE WHEN freight > 10 THEN 1 WHEN freight > 5 THEN 0.5 END"},
		semantic.Dimension{Name: "opposite", Expr: "-freight"},
		semantic.Dimension{Name: "home", Expr: "customers.country"},
		semantic.Dimension{Name: "untyped"},
	)
	add("customers",
		semantic.Dimension{Name: "lively", DerivedFrom: "active", Map: map[string]string{"TRUE": "yes", "FALSE": "no"}, Type: semantic.Text},
		semantic.Dimension{Name: "email", Type: semantic.Text, PII: "email"},
	)
	add("tickets",
		semantic.Dimension{Name: "berlin_at", Type: semantic.Timestamp, TimeZone: "europe/berlin"},
		semantic.Dimension{Name: "due", Type: semantic.Date, TimeZone: "UTC"},
	)
	add("visits", semantic.Dimension{Name: "urgent", Type: semantic.Boolean})
	m.Joins = append(m.Joins,
		semantic.Join{From: "visits", To: "products", On: []semantic.ColumnPair{{From: "page", To: "nothing_here"}}, Cardinality: "many_to_one"},
		semantic.Join{From: "budgets", To: "categories", On: []semantic.ColumnPair{{From: "nothing_here", To: "category_id"}}, Cardinality: "many_to_one"},
	)
	parcels(m)
	m.Workspace.TimeZone = "Europe/Berlin"
	m.Gotchas = append(m.Gotchas,
		semantic.Gotcha{Name: "checked", AppliesTo: []string{"orders_placed", "customers.city"}, Severity: "critical", CheckQL: "SELECT COUNT(*) FROM orders", Statement: "Checked elsewhere."},
		semantic.Gotcha{Name: "mild", AppliesTo: []string{"orders_placed", "customers.city"}, Severity: "caution", Statement: "Only a caution."},
		semantic.Gotcha{Name: "alone", AppliesTo: []string{"orders_placed"}, Severity: "critical", Statement: "About one thing."},
		semantic.Gotcha{Name: "both", AppliesTo: []string{"tickets_raised", "ticket_cost"}, Severity: "critical", Statement: "About two metrics."},
		semantic.Gotcha{Name: "whole_table", AppliesTo: []string{"tickets_raised", "tickets.origin"}, Severity: "Critical", Statement: "Tickets are not counted by origin."},
	)
	e := env()
	e.Model = m
	e.MaxRows = 100
	e.Unique = func(entity string, dimensions []string) (unique, known bool) {
		return len(dimensions) > 2, entity == "stock"
	}
	e.Rows = func(entity string) int64 {
		return map[string]int64{"orders": 100_000_000, "tickets": 50_000, "order_lines": 90}[entity]
	}
	e.Coverage = func(d string) (first, last time.Time, ok bool) {
		at := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
		switch d {
		case "orders.order_date", "stock.day":
			return at(1996, 7, 4), at(1998, 5, 1), true
		case "budgets.budget_month":
			return at(1997, 1, 1), at(1997, 12, 1), true
		}
		return first, last, false
	}
	return e
}

// parcels adds a fact whose joins lead to the same entities in several ways of one length, which are known differently well.
func parcels(m *semantic.Model) {
	column := func(name string) semantic.Dimension { return semantic.Dimension{Name: name, Type: semantic.Integer} }
	parcel := semantic.Entity{Name: "parcels", Source: semantic.Source{Table: "parcels"}, Key: []string{"parcel_id"}, Dimensions: []semantic.Dimension{column("parcel_id")}}
	entity := func(name string, keys ...string) {
		e := semantic.Entity{Name: name, Source: semantic.Source{Table: name}, Key: []string{"id"}, Dimensions: []semantic.Dimension{column("id"), {Name: name + "_name", Type: semantic.Text}}}
		for _, k := range keys {
			e.Dimensions = append(e.Dimensions, column(k))
		}
		m.Entities = append(m.Entities, e)
	}
	join := func(from, to, role string, a *semantic.Attestation, inferred bool) {
		m.Joins = append(m.Joins, semantic.Join{
			From: from, To: to, Role: role, On: []semantic.ColumnPair{{From: to + role + "_id", To: "id"}}, Cardinality: "many_to_one", Attested: a, Inferred: inferred,
		})
	}
	good, bad := &semantic.Attestation{Unique: true}, &semantic.Attestation{}
	pair := func(to, first, second string, a, b *semantic.Attestation, inferredA, inferredB bool) {
		entity(first, to+"_id")
		entity(second, to+"_id")
		entity(to)
		parcel.Dimensions = append(parcel.Dimensions, column(first+"_id"), column(second+"_id"))
		join("parcels", first, "", a, inferredA)
		join("parcels", second, "", b, inferredB)
		join(first, to, "", a, inferredA)
		join(second, to, "", b, inferredB)
	}
	pair("districts", "depots", "carriers", nil, nil, true, false)     // declared before inferred
	pair("lands", "senders", "receivers", nil, good, false, false)     // measured before declared
	pair("seas", "ports", "canals", bad, nil, false, true)             // one that repeats comes last
	pair("skies", "planes", "balloons", good, good, false, false)      // equally well
	entity("boxes", "planes_inner_id", "planes_outer_id", "planes_id") // a role beside a plain join
	parcel.Dimensions = append(parcel.Dimensions, column("boxes_id"))
	join("parcels", "boxes", "", nil, false)
	entity("stickers", "makers_own_id", "makers_id")
	entity("makers")
	join("boxes", "stickers", "", nil, false)
	join("stickers", "makers", "own", nil, false)
	join("stickers", "makers", "", nil, false)
	m.Entities = append(m.Entities, parcel)
	for i := range m.Entities {
		switch m.Entities[i].Name {
		case "boxes":
			m.Entities[i].Dimensions = append(m.Entities[i].Dimensions, column("stickers_id"))
		case "stickers":
			m.Entities[i].Dimensions = append(m.Entities[i].Dimensions, column("makersown_id"))
		}
	}
	m.Metrics = append(m.Metrics, semantic.Metric{Name: "parcels_sent", Entity: "parcels", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count})
}
