package frameql_test

import (
	"strings"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// One way of coming in has tickets of two priorities.
var phone, high, normal = "phone", "high", "normal"

// shop is a small trader: customers place orders, orders have lines, lines have products, and stock is a level.
// shop_test.sql makes the same tables with rows.
func shop() *semantic.Model {
	dim := func(name string, t semantic.Type) semantic.Dimension { return semantic.Dimension{Name: name, Type: t} }
	column := func(name, column string, t semantic.Type) semantic.Dimension {
		return semantic.Dimension{Name: name, Column: column, Type: t}
	}
	measure := func(name string, t semantic.Type, unit string) semantic.Dimension {
		return semantic.Dimension{Name: name, Type: t, Unit: unit, Measure: true}
	}
	join := func(from, fk, to, key, role string, total bool) semantic.Join {
		return semantic.Join{From: from, To: to, On: []semantic.ColumnPair{{From: fk, To: key}}, Cardinality: "many_to_one", Role: role, Total: total}
	}
	return &semantic.Model{
		Name:      "shop",
		Workspace: semantic.Settings{Calendar: "fiscal", WeekStart: "monday"},
		Calendars: []semantic.Calendar{{Name: "fiscal", StartMonth: 7, LabelYear: "end"}},
		Entities: []semantic.Entity{
			{Name: "order_lines", Label: "Order lines", Source: semantic.Source{Table: "Order Details"}, Key: []string{"order_id", "product_id"}, Dimensions: []semantic.Dimension{
				column("order_id", "OrderID", semantic.Integer), column("product_id", "ProductID", semantic.Integer),
				measure("quantity", semantic.Integer, ""), measure("unit_price", semantic.Decimal, "USD"), measure("discount", semantic.Decimal, ""),
				{Name: "amount", Expr: "unit_price * quantity", Type: semantic.Decimal, Unit: "USD"},
				{Name: "size", Expr: "CASE WHEN quantity >= 10 THEN 'large' ELSE 'small' END", Type: semantic.Text},
			}},
			{Name: "orders", Synonyms: []string{"purchases"}, Source: semantic.Source{Table: "orders"}, Key: []string{"order_id"}, DefaultTime: "order_date", Dimensions: []semantic.Dimension{
				dim("order_id", semantic.Integer), dim("customer_id", semantic.Text), dim("employee_id", semantic.Integer),
				dim("ship_to_id", semantic.Integer), dim("bill_to_id", semantic.Integer),
				dim("order_date", semantic.Date), dim("shipped_at", semantic.Timestamp), dim("status", semantic.Text), measure("freight", semantic.Decimal, "USD"),
			}},
			{Name: "customers", Source: semantic.Source{Table: "customers"}, Key: []string{"customer_id"}, Display: "company_name", Dimensions: []semantic.Dimension{
				dim("customer_id", semantic.Text), column("company_name", "CompanyName", semantic.Text), dim("city", semantic.Text),
				{Name: "country", Type: semantic.Text, Synonyms: []string{"nation"}},
				dim("active", semantic.Boolean),
				{Name: "area", DerivedFrom: "country", Map: map[string]string{"Germany": "DACH", "Austria": "DACH"}, Default: "Other", Type: semantic.Text},
			}, Hierarchies: []semantic.Hierarchy{{Name: "place", Path: []string{"city", "country"}, Steps: []*semantic.StepAttestation{{Members: 6, Pairs: 6}}}}},
			{Name: "employees", Source: semantic.Source{Table: "employees"}, Key: []string{"employee_id"}, Dimensions: []semantic.Dimension{
				dim("employee_id", semantic.Integer), dim("last_name", semantic.Text), dim("city", semantic.Text), dim("reports_to", semantic.Integer),
			}, Hierarchies: []semantic.Hierarchy{{Name: "desk", Path: []string{"last_name", "city"}}}},
			{Name: "addresses", Source: semantic.Source{Table: "addresses"}, Key: []string{"address_id"}, Dimensions: []semantic.Dimension{
				dim("address_id", semantic.Integer), dim("town", semantic.Text),
			}},
			{Name: "products", Source: semantic.Source{SQL: "SELECT *\nFROM products_raw\nWHERE \"name\" <> 'a\n--b'"}, Key: []string{"product_id"}, Display: "product_name", Dimensions: []semantic.Dimension{
				dim("product_id", semantic.Integer), column("product_name", "name", semantic.Text), dim("category_id", semantic.Integer),
				{Name: "list_price", Type: semantic.Decimal, Unit: "USD", Measure: true, NonAdditive: true},
				dim("select", semantic.Text),
			}},
			{Name: "categories", Source: semantic.Source{Table: "categories"}, Key: []string{"category_id"}, Dimensions: []semantic.Dimension{
				dim("category_id", semantic.Integer), dim("category_name", semantic.Text),
			}},
			{Name: "stock", Source: semantic.Source{Table: "stock"}, Key: []string{"day", "product_id"}, DefaultTime: "day", Dimensions: []semantic.Dimension{
				dim("day", semantic.Date), dim("product_id", semantic.Integer), measure("units", semantic.Integer, ""), dim("currency", semantic.Text), measure("worth", semantic.Decimal, ""),
			}},
			{Name: "visits", Source: semantic.Source{Table: "visits"}, Dimensions: []semantic.Dimension{
				dim("page", semantic.Text), dim("seen_at", semantic.Timestamp), dim("opens", semantic.Time),
			}},
			{Name: "tickets", Label: "Tickets", Source: semantic.Source{Table: "tickets"}, Key: []string{"ticket_id"}, Dimensions: []semantic.Dimension{
				dim("ticket_id", semantic.Integer), dim("client_id", semantic.Text), dim("priority", semantic.Text), dim("origin", semantic.Text),
				{Name: "tag", Type: semantic.Text, MultiValued: true},
				dim("raised_at", semantic.Timestamp), dim("solved_at", semantic.Timestamp),
				{Name: "zoned_at", Type: semantic.Timestamp, TimeZone: "UTC"},
				dim("territory", semantic.Text), measure("cost", semantic.Decimal, "EUR"),
			}, Hierarchies: []semantic.Hierarchy{{Name: "ways", Path: []string{"origin", "priority"}, Steps: []*semantic.StepAttestation{
				{Members: 2, Pairs: 3, Member: &phone, Among: []*string{&high, &normal}, SQL: "SELECT 1", Epoch: "then"},
			}}}},
			{Name: "territories", Source: semantic.Source{Table: "territories"}, Key: []string{"code"}, Dimensions: []semantic.Dimension{
				dim("code", semantic.Text), dim("territory_name", semantic.Text),
			}},
			{Name: "budgets", Source: semantic.Source{Table: "budgets"}, Key: []string{"budget_month"}, DefaultTime: "budget_month", Dimensions: []semantic.Dimension{
				{Name: "budget_month", Type: semantic.Date, Granularity: "month"}, measure("planned", semantic.Decimal, "USD"),
			}},
		},
		Joins: []semantic.Join{
			join("order_lines", "order_id", "orders", "order_id", "", true),
			join("order_lines", "product_id", "products", "product_id", "", true),
			join("products", "category_id", "categories", "category_id", "", false),
			join("orders", "customer_id", "customers", "customer_id", "", false),
			join("orders", "employee_id", "employees", "employee_id", "", false),
			join("orders", "ship_to_id", "addresses", "address_id", "ship_to", false),
			join("orders", "bill_to_id", "addresses", "address_id", "bill_to", false),
			join("employees", "reports_to", "employees", "employee_id", "manager", false),
			join("stock", "product_id", "products", "product_id", "", true),
			join("tickets", "client_id", "customers", "customer_id", "", false),
			{
				From: "tickets", To: "territories", On: []semantic.ColumnPair{{From: "territory", To: "code"}}, Cardinality: "many_to_one",
				Attested: &semantic.Attestation{Unique: false},
			},
		},
		Gotchas: []semantic.Gotcha{{
			Name: "freight_by_employee", AppliesTo: []string{"freight", "employees"}, Severity: "critical",
			Statement: "Freight is paid by the carrier's contract, never by employee.",
		}},
		Metrics: []semantic.Metric{
			{
				Name: "revenue", Family: "revenue", Label: "Revenue", Synonyms: []string{"sales", "turnover"}, Entity: "order_lines", Kind: semantic.Leaf,
				Expr: "unit_price * quantity * (1 - discount)", Reducer: semantic.Sum, Unit: "USD", Time: "orders.order_date",
			},
			{Name: "gross_revenue", Family: "revenue", Entity: "order_lines", Kind: semantic.Leaf, Expr: "amount", Reducer: semantic.Sum, Unit: "USD", Time: "orders.order_date"},
			{Name: "line_count", Entity: "order_lines", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Time: "orders.order_date"},
			{Name: "order_count", Entity: "order_lines", Kind: semantic.Leaf, Expr: "order_id", Reducer: semantic.CountDistinct, Time: "orders.order_date"},
			{Name: "discounted_lines", Entity: "order_lines", Kind: semantic.Leaf, Expr: "*", Filter: "discount > 0", Reducer: semantic.Count, Time: "orders.order_date"},
			{Name: "average_order_value", Label: "Average order value", Synonyms: []string{"AOV"}, Kind: semantic.Ratio, Numerator: "revenue", Denominator: "order_count", Unit: "USD"},
			{Name: "discount_given", Kind: semantic.Derived, Expr: "gross_revenue - revenue", Unit: "USD"},
			{Name: "discount_share", Kind: semantic.Derived, Expr: "100 * discount_given / gross_revenue", Unit: "%"},
			{Name: "freight", Family: "freight", Entity: "orders", Kind: semantic.Leaf, Expr: "freight", Reducer: semantic.Sum, Unit: "USD"},
			{Name: "average_freight", Family: "freight", Entity: "orders", Kind: semantic.Leaf, Expr: "freight", Reducer: semantic.Avg, Unit: "USD"},
			{Name: "orders_placed", Entity: "orders", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
			{Name: "units_in_stock", Family: "inventory", Entity: "stock", Kind: semantic.Leaf, Expr: "units", Reducer: semantic.Sum, Additivity: semantic.Additivity{Default: "semi(last)"}},
			{
				Name: "stock_worth", Family: "inventory", Entity: "stock", Kind: semantic.Leaf, Expr: "worth", Reducer: semantic.Sum,
				Additivity: semantic.Additivity{Default: "additive", Per: map[string]string{"currency": "none"}},
			},
			{Name: "price_level", Entity: "products", Kind: semantic.Leaf, Expr: "list_price", Reducer: semantic.Sum, Unit: "USD", Additivity: semantic.Additivity{Default: "none"}},
			{
				Name: "price_per_unit", Entity: "order_lines", Kind: semantic.Leaf, Expr: "unit_price", Reducer: semantic.Avg, Unit: "USD",
				Required: []string{"products"}, Forbidden: []string{"day"}, Time: "orders.order_date",
			},
			{Name: "running", Kind: semantic.Cumulative, Of: "freight"},
			{Name: "shipping_ratio", Kind: semantic.Ratio, Numerator: "freight", Denominator: "revenue"},
			{Name: "broken", Kind: semantic.Derived, Expr: "broken + 1"},
			{Name: "tickets_raised", Entity: "tickets", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
			{Name: "ticket_cost", Entity: "tickets", Kind: semantic.Leaf, Expr: "cost", Reducer: semantic.Sum, Unit: "EUR", Time: "zoned_at"},
			{Name: "planned", Entity: "budgets", Kind: semantic.Leaf, Expr: "planned", Reducer: semantic.Sum, Unit: "USD"},
			{Name: "raw_freight", Entity: "orders", Kind: semantic.Leaf, Expr: "freight", Reducer: semantic.Sum, Hidden: true},
			{Name: "visit_to_order", Entity: "visits", Kind: "conversion"},
			{Name: "last_month_freight", Kind: semantic.Derived, Expr: "freight - before", Inputs: []semantic.Input{{Name: "before", Metric: "freight", Offset: &semantic.Span{N: 1, Unit: "month"}}}},
			{Name: "open_share", Kind: semantic.Derived, Expr: "open / orders_placed", Inputs: []semantic.Input{{Name: "open", Metric: "orders_placed", Filter: "status = 'open'"}}},
			{Name: "freight_week", Kind: semantic.Cumulative, Of: "freight", Window: &semantic.Span{N: 7, Unit: "day"}},
			{Name: "freight_year", Kind: semantic.Cumulative, Of: "freight", ToDate: "year", PeriodAgg: "first"},
			{Name: "typical_freight", Entity: "orders", Kind: semantic.Leaf, Expr: "freight", Reducer: semantic.Percentile, Percentile: "0.5", Discrete: true, Unit: "USD"},
			{Name: "stock_per_item", Entity: "stock", Kind: semantic.Leaf, Expr: "units", Reducer: semantic.Sum, Additivity: semantic.Additivity{Default: "semi(last, per: [product_id])"}},
			{Name: "standing_cost", Entity: "tickets", Kind: semantic.Leaf, Expr: "cost", Reducer: semantic.Sum, Unit: "EUR", Time: "zoned_at", Additivity: semantic.Additivity{Default: "semi(last, per: [client_id])"}},
			{Name: "mean_stock", Entity: "stock", Kind: semantic.Leaf, Expr: "units", Reducer: semantic.Sum, Additivity: semantic.Additivity{Default: "additive", Per: map[string]string{"time": "semi(avg)"}}},
		},
	}
}

func env() Env {
	return Env{
		Model: shop(),
		Now:   time.Date(1998, 5, 6, 12, 0, 0, 0, time.UTC),
		Coverage: func(d string) (first, last time.Time, ok bool) {
			if d == "orders.order_date" {
				return time.Date(1996, 7, 4, 0, 0, 0, 0, time.UTC), time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), true
			}
			return
		},
		Rows: func(entity string) int64 { return map[string]int64{"tickets": 50_000}[entity] },
		Distinct: func(dimension string) int64 {
			return map[string]int64{"tickets.ticket_id": 50_000, "tickets.priority": 3}[dimension]
		},
		Unique: func(entity string, dimensions []string) (unique, known bool) {
			switch entity + " " + strings.Join(dimensions, " ") {
			case "stock day product_id", "stock product_id day", "tickets ticket_id":
				return true, true
			case "tickets client_id zoned_at", "employees employee_id":
				return false, true
			}
			return false, false
		},
		Values: func(dimension string) ([]string, bool) {
			values, known := map[string][]string{"tickets.priority": {"high", "low", "normal"}, "tickets.origin": {"phone", "Berlin"}, "customers.city": {"Berlin"}}[dimension]
			return values, known && dimension == "tickets.priority"
		},
	}
}
