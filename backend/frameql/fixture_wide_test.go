package frameql_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// wide is the shop with more of what models have: days and desks with roles, shelves of two keys, columns that the data has
// otherwise, hierarchies of several steps, metrics that other metrics filter, and names that mean two things.
func wide() Env {
	m := shop()
	column := func(name string, t semantic.Type) semantic.Dimension { return semantic.Dimension{Name: name, Type: t} }
	computed := func(name, expr string) semantic.Dimension { return semantic.Dimension{Name: name, Expr: expr} }
	leaf := func(name, entity, expr string, reducer semantic.Reducer, change func(*semantic.Metric)) {
		x := semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: reducer}
		if change != nil {
			change(&x)
		}
		m.Metrics = append(m.Metrics, x)
	}
	entity := func(name string, key []string, dims ...semantic.Dimension) {
		m.Entities = append(m.Entities, semantic.Entity{Name: name, Source: semantic.Source{Table: name}, Key: key, Dimensions: dims})
	}
	join := func(from, to, role string, on ...semantic.ColumnPair) {
		m.Joins = append(m.Joins, semantic.Join{From: from, To: to, Role: role, On: on, Cardinality: "many_to_one"})
	}
	more := func(entity string, dims ...semantic.Dimension) {
		i := slices.IndexFunc(m.Entities, func(e semantic.Entity) bool { return e.Name == entity })
		m.Entities[i].Dimensions = append(m.Entities[i].Dimensions, dims...)
	}
	climbs := func(entity, name string, steps []*semantic.StepAttestation, path ...string) {
		i := slices.IndexFunc(m.Entities, func(e semantic.Entity) bool { return e.Name == entity })
		m.Entities[i].Hierarchies = append(m.Entities[i].Hierarchies, semantic.Hierarchy{Name: name, Path: path, Steps: steps})
	}

	// Trips begin and end on a day of a table of days; a shelf is known by its room and its place.
	entity("days", []string{"date"}, column("date", semantic.Date), column("holiday", semantic.Text))
	entity("shelves", []string{"room", "place"}, column("room", semantic.Text), column("place", semantic.Integer), column("tall", semantic.Boolean))
	entity("trips", []string{"trip_id"}, column("trip_id", semantic.Integer), column("start_on", semantic.Date), column("end_on", semantic.Date),
		column("room", semantic.Text), column("place", semantic.Integer), column("km", semantic.Decimal), column("plan", semantic.Decimal),
		column("logged", ""), column("shelf_room", semantic.Text))
	join("trips", "days", "start", semantic.ColumnPair{From: "start_on", To: "date"})
	join("trips", "days", "finish", semantic.ColumnPair{From: "end_on", To: "date"})
	join("trips", "shelves", "", semantic.ColumnPair{From: "room", To: "room"}, semantic.ColumnPair{From: "place", To: "place"})
	leaf("trips_made", "trips", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "start.date" })
	leaf("trips_ended", "trips", "*", semantic.Count, func(x *semantic.Metric) { x.Label, x.Time = "Arrivals", "end_on" })
	leaf("trips_logged", "trips", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "logged" })
	leaf("trips_counted", "trips", "*", semantic.Count, nil)
	leaf("way", "trips", "km", semantic.Sum, func(x *semantic.Metric) { x.Time = "end_on" })

	// Times of another entity, by a role or over a join that repeats.
	more("employees", column("hired", semantic.Date), column("desk", semantic.Text))
	more("territories", column("opened", semantic.Date))
	leaf("hires", "orders", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "employees.hired" })
	leaf("openings", "tickets", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "territories.opened" })
	more("tickets", semantic.Dimension{Name: "due_on", Type: semantic.Date, TimeZone: "UTC"})
	leaf("due", "tickets", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "due_on" })
	leaf("raised", "tickets", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "raised_at" })
	leaf("shipped", "orders", "*", semantic.Count, func(x *semantic.Metric) { x.Time = "shipped_at" })
	more("stock", column("counted_on", semantic.Date))
	leaf("units_counted", "stock", "units", semantic.Max, func(x *semantic.Metric) { x.Time = "counted_on" })
	entity("diaries", nil, column("note", semantic.Text), column("kept_on", semantic.Text))
	for i := range m.Entities {
		if m.Entities[i].Name == "diaries" {
			m.Entities[i].DefaultTime = "nothing_here"
		}
	}

	// Levels, each for members of which several things are known.
	level := func(name, entity, expr, per string) {
		leaf(name, entity, expr, semantic.Sum, func(x *semantic.Metric) { x.Additivity.Default = "semi(last, per: [" + per + "])" })
	}
	level("level_per_currency", "stock", "units", "currency")
	level("level_per_products", "stock", "units", "stock.products")
	level("level_per_town", "orders", "freight", "addresses.town")
	level("level_per_crew", "trips", "km", "crew")
	m.Metrics[len(m.Metrics)-1].Time = "start.date"
	level("level_of_ends", "trips", "km", "crew")
	m.Metrics[len(m.Metrics)-1].Time = "end_on"
	more("trips", column("date", semantic.Text), semantic.Dimension{Name: "ended", Column: "end_on", Type: semantic.Date})
	level("level_per_territory", "tickets", "cost", "territories.territory_name")
	m.Metrics[len(m.Metrics)-1].Time = "zoned_at"

	// Reducers, gaps and inputs.
	leaf("largest", "orders", "freight", semantic.Max, func(x *semantic.Metric) { x.Fill = "null" })
	leaf("peak", "orders", "freight", semantic.Max, func(x *semantic.Metric) { x.Additivity.Default = "additive" })
	leaf("smooth", "orders", "order_id", semantic.Percentile, func(x *semantic.Metric) { x.Percentile = "0.5" })
	leaf("exponent", "orders", "freight", semantic.Percentile, func(x *semantic.Metric) { x.Percentile = "1e-1" })
	leaf("of_untyped", "orders", "untyped", semantic.Max, nil)
	leaf("of_entity", "order_lines", "orders.customers", semantic.CountDistinct, nil)
	leaf("of_own", "orders", "orders.freight", semantic.Sum, nil)
	leaf("of_own_nothing", "orders", "orders.nothing_here", semantic.Sum, nil)
	leaf("by_city", "orders", "freight", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"customers.city"} })
	leaf("by_status", "orders", "freight", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"status"} })
	leaf("by_nothing", "orders", "freight", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"nothing_here"} })
	m.Metrics = append(m.Metrics, semantic.Metric{Name: "needed_ratio", Kind: semantic.Ratio, Numerator: "freight", Denominator: "orders_placed", Required: []string{"customers.city"}})
	leaf("nowhere", "warehouses", "x", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"status"} })
	derived := func(name, expr string, inputs ...semantic.Input) {
		m.Metrics = append(m.Metrics, semantic.Metric{Name: name, Kind: semantic.Derived, Expr: expr, Inputs: inputs})
	}
	derived("unread", "freight +")
	derived("half_known", "freight + nothing_here")
	derived("year_so_far", "freight - start", semantic.Input{Name: "start", Metric: "freight", OffsetToStart: "fiscal_year"})
	derived("year_ago", "before", semantic.Input{Name: "before", Metric: "freight", Offset: &semantic.Span{N: 1, Unit: "fiscal_year"}})

	// Formulas of formulas: 32 of them may stand within one, and each of the others is twice the one before.
	derived("chain_0", "freight + 0")
	derived("double_0", "freight + freight")
	for i := range 32 {
		derived(fmt.Sprint("chain_", i+1), fmt.Sprintf("chain_%d + 0", i))
		derived(fmt.Sprint("double_", i+1), fmt.Sprintf("double_%d + double_%[1]d", i))
	}

	// Metrics that others filter, which others filter again.
	filtered := func(name, entity, filter string) {
		leaf(name, entity, "*", semantic.Count, func(x *semantic.Metric) { x.Filter = filter })
	}
	filtered("regulars", "customers", "(orders_placed AT customers) >= 2")
	filtered("of_regulars", "orders", "(orders_placed AT customers.customer_id) >= 2 AND freight > 6")
	filtered("of_nobody", "orders", "(orders_placed AT nothing_here) >= 2")
	filtered("of_double", "orders", "(orders_placed AT (status, status)) >= 2")
	filtered("of_keys", "order_lines", "(line_count AT (order_lines, order_lines.order_id)) >= 2")
	filtered("of_own_metric", "orders", "(of_regulars AT status) >= 2")
	filtered("nest_1", "orders", "(orders_placed AT status) >= 1")
	for _, n := range []string{"2", "3", "4", "5", "6"} {
		filtered("nest_"+n, "orders", "(nest_"+string(n[0]-1)+" AT status) >= 1")
	}

	// Columns that the data has otherwise, and values that the model computes.
	more("orders",
		column("untyped", ""), computed("freight_text", "concat(freight)"), computed("status_length", "length(status)"),
		semantic.Dimension{Name: "word", DerivedFrom: "status", Map: map[string]string{"1": "one", "open": "two"}, Type: semantic.Text},
		semantic.Dimension{Name: "blank", Type: semantic.Decimal, Unit: "USD", Misfit: &semantic.Misfit{Table: "orders", Column: "blank", Stored: semantic.Text, Blank: true}},
		semantic.Dimension{Name: "as_text", Type: semantic.Text, Misfit: &semantic.Misfit{Table: "orders", Column: "as_text", Stored: semantic.Integer}},
		semantic.Dimension{Name: "as_number", Type: semantic.Integer, Misfit: &semantic.Misfit{Table: "orders", Column: "as_number", Stored: semantic.Text}},
	)
	more("customers",
		computed("without_city", "CASE WHEN city IS NULL THEN 'none' END"), computed("city_or_none", "CASE WHEN city IS NULL THEN 'none' ELSE 'some' END"),
		computed("own_area", "customers.area"), computed("city_text", "concat(city)"),
		computed("city_or_null", "CASE WHEN city = 'Berlin' THEN 'here' ELSE NULL END"))
	more("products", semantic.Dimension{Name: "sort", DerivedFrom: "category_id", Map: map[string]string{"1": "drink"}, Default: "other", Type: semantic.Text})

	// Names that mean two things.
	more("visits", column("categories", semantic.Text), column("address_id", semantic.Integer), column("day_id", semantic.Integer))
	join("stock", "addresses", "ship_to", semantic.ColumnPair{From: "product_id", To: "address_id"})
	join("budgets", "territories", "ship_to", semantic.ColumnPair{From: "budget_month", To: "code"})
	entity("shipped_at", []string{"moment_id"}, column("moment_id", semantic.Integer))
	more("orders", column("moment_id", semantic.Integer))
	join("orders", "shipped_at", "", semantic.ColumnPair{From: "moment_id", To: "moment_id"})

	join("visits", "nowhere", "ghost", semantic.ColumnPair{From: "day_id", To: "id"})
	join("visits", "addresses", "addresses", semantic.ColumnPair{From: "address_id", To: "address_id"})

	// Hierarchies: one that nobody measured between two that do not hold, a circle, and one that rows without a partner break.
	member, one, other := "a", "b", "c"
	more("addresses", column("zone", semantic.Text), column("belt", semantic.Text))
	climbs("addresses", "round", nil, "town", "zone")
	climbs("addresses", "back", nil, "zone", "town")
	more("territories", column("patch", semantic.Text), column("region", semantic.Text))
	whole := &semantic.StepAttestation{Members: 3, Pairs: 3}
	climbs("territories", "land", []*semantic.StepAttestation{whole, {Members: 2, Pairs: 3, Among: []*string{&one, nil}, SQL: "SELECT 2", Epoch: "then"}}, "territory_name", "patch", "region")
	climbs("employees", "seat", []*semantic.StepAttestation{{Members: 4, Pairs: 4, Bare: &member, SQL: "SELECT 3", Epoch: "then"}}, "last_name", "desk")
	more("trips", column("crew", semantic.Text), column("team", semantic.Text), column("firm", semantic.Text))
	broken := func(sql string) *semantic.StepAttestation {
		return &semantic.StepAttestation{Members: 2, Pairs: 3, Member: &member, Among: []*string{&one, &other}, SQL: sql, Epoch: "then"}
	}
	climbs("trips", "crews", []*semantic.StepAttestation{broken("SELECT 4"), broken("SELECT 5")}, "crew", "team", "firm")
	more("trips", column("driver", semantic.Text), column("route", semantic.Text), column("net", semantic.Text), computed("both", "concat(team, room)"))
	climbs("trips", "routes", []*semantic.StepAttestation{nil, broken("SELECT 6")}, "driver", "route", "net")

	e := env()
	e.Model = m
	e.Unique = func(entity string, dimensions []string) (unique, known bool) {
		switch entity + " " + strings.Join(dimensions, " ") {
		case "trips crew", "trips crew end_on":
			return false, true
		}
		return env().Unique(entity, dimensions)
	}
	e.Coverage = func(d string) (first, last time.Time, ok bool) {
		switch d { // from one in the night, which is the day before in the west, to ten in the evening, which is the next in the east
		case "orders.order_date", "tickets.zoned_at", "tickets.due_on", "tickets.raised_at", "start.date":
			return time.Date(1996, 7, 4, 1, 0, 0, 0, time.UTC), time.Date(1998, 5, 6, 22, 0, 0, 0, time.UTC), true
		}
		return first, last, false
	}
	return e
}

// wideByWeeks is the same with a calendar of whole weeks.
func wideByWeeks() Env {
	e := wide()
	e.Model.Calendars, e.Model.Workspace.Calendar = []semantic.Calendar{weeks()}, "retail"
	return e
}

// withoutCalendars is the same without a calendar, in a workspace of another zone.
func withoutCalendars() Env {
	e := wide()
	e.Model.Calendars, e.Model.Workspace.Calendar, e.Model.Workspace.TimeZone = nil, "", "Europe/Berlin"
	return e
}
