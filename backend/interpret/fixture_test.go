package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

func dim(name string, t semantic.Type, edit ...func(*semantic.Dimension)) semantic.Dimension {
	d := semantic.Dimension{Name: name, Type: t}
	for _, e := range edit {
		e(&d)
	}
	return d
}

func measured(d *semantic.Dimension) { d.Measure = true }
func personal(d *semantic.Dimension) { d.PII = "person_name" }

func entity(name, label string, key []string, display, defaultTime string, dims ...semantic.Dimension) semantic.Entity {
	return semantic.Entity{Name: name, Label: label, Source: semantic.Source{Table: name}, Key: key, Display: display, DefaultTime: defaultTime, Dimensions: dims}
}

func link(from, to, on string) semantic.Join {
	return semantic.Join{From: from, To: to, On: []semantic.ColumnPair{{From: on, To: on}}, Cardinality: "many_to_one"}
}

// traders is a trading company: order lines of orders and products, with customers, employees, shippers and suppliers.
func traders() *semantic.Model {
	text, integer, decimal, date := semantic.Text, semantic.Integer, semantic.Decimal, semantic.Date
	m := &semantic.Model{Name: "traders", Version: "sha256:test"}
	m.Workspace = semantic.Settings{Calendar: "fiscal"}
	m.Calendars = []semantic.Calendar{{Name: "fiscal", StartMonth: 7, LabelYear: "end"}}
	m.Entities = []semantic.Entity{
		entity("orders", "Orders", []string{"order_id"}, "", "order_date",
			dim("order_id", integer), dim("customer_id", text), dim("employee_id", integer), dim("shipper_id", integer),
			dim("order_date", date), dim("required_date", date), dim("shipped_date", date),
			dim("freight", decimal, measured), dim("ship_name", text, personal), dim("ship_city", text), dim("ship_country", text)),
		entity("order_lines", "Order lines", []string{"order_id", "product_id"}, "", "orders.order_date",
			dim("order_id", integer), dim("product_id", integer), dim("unit_price", decimal), dim("quantity", integer, measured),
			dim("discount", decimal)),
		entity("products", "Products", []string{"product_id"}, "product_name", "",
			dim("product_id", integer), dim("product_name", text), dim("category_id", integer), dim("supplier_id", integer),
			dim("unit_price", decimal), dim("units_in_stock", integer, measured), dim("reorder_level", integer), dim("discontinued", semantic.Boolean)),
		entity("categories", "Categories", []string{"category_id"}, "category_name", "",
			dim("category_id", integer), dim("category_name", text), dim("description", text)),
		entity("customers", "Customers", []string{"customer_id"}, "company_name", "",
			dim("customer_id", text), dim("company_name", text), dim("contact_name", text, personal), dim("contact_title", text),
			dim("city", text), dim("region", text), dim("country", text)),
		entity("employees", "Employees", []string{"employee_id"}, "last_name", "hire_date",
			dim("employee_id", integer), dim("last_name", text), dim("first_name", text), dim("title", text),
			dim("birth_date", date), dim("hire_date", date), dim("city", text), dim("country", text)),
		entity("shippers", "Shippers", []string{"shipper_id"}, "company_name", "", dim("shipper_id", integer), dim("company_name", text)),
		entity("suppliers", "Suppliers", []string{"supplier_id"}, "company_name", "",
			dim("supplier_id", integer), dim("company_name", text), dim("city", text), dim("country", text)),
	}
	m.Joins = []semantic.Join{
		link("order_lines", "orders", "order_id"), link("order_lines", "products", "product_id"), link("orders", "customers", "customer_id"),
		link("orders", "employees", "employee_id"), link("orders", "shippers", "shipper_id"), link("products", "categories", "category_id"),
		link("products", "suppliers", "supplier_id"),
	}
	sum := semantic.Additivity{Default: "additive"}
	m.Metrics = []semantic.Metric{
		{
			Name: "revenue", Family: "revenue", Label: "Revenue", Synonyms: []string{"sales", "turnover", "net sales"}, Entity: "order_lines", Kind: semantic.Leaf,
			Expr: "unit_price * quantity * (1 - discount)", Reducer: semantic.Sum, Additivity: sum, Unit: "USD", Better: "up", Time: "orders.order_date",
		},
		{
			Name: "order_count", Label: "Order count", Synonyms: []string{"orders", "number of orders"}, Entity: "orders", Kind: semantic.Leaf, Expr: "*",
			Reducer: semantic.Count, Additivity: sum, Better: "up",
		},
		{
			Name: "units_sold", Label: "Units sold", Synonyms: []string{"quantity", "quantity sold", "volume"}, Entity: "order_lines", Kind: semantic.Leaf,
			Expr: "quantity", Reducer: semantic.Sum, Additivity: sum, Better: "up", Time: "orders.order_date",
		},
		{
			Name: "freight", Label: "Freight", Synonyms: []string{"shipping cost", "freight cost"}, Entity: "orders", Kind: semantic.Leaf, Expr: "freight",
			Reducer: semantic.Sum, Additivity: sum, Unit: "USD", Better: "down",
		},
		{
			Name: "gross_revenue", Family: "revenue", Label: "Gross revenue", Entity: "order_lines", Kind: semantic.Leaf, Expr: "unit_price * quantity", Reducer: semantic.Sum,
			Additivity: sum, Unit: "USD", Better: "up", Time: "orders.order_date",
		},
		{
			Name: "average_order_value", Label: "Average order value", Synonyms: []string{"AOV", "basket size"}, Kind: semantic.Ratio,
			Numerator: "order_value", Denominator: "order_count", Additivity: semantic.Additivity{Default: "none"}, Unit: "USD",
		},
		{Name: "order_value", Hidden: true, Entity: "orders", Kind: semantic.Leaf, Expr: "freight", Reducer: semantic.Sum, Additivity: sum},
	}
	m.Memos = []semantic.Memo{{Level: "workspace", RefusalScope: []semantic.RefusalLine{
		{Words: []string{"salary", "payroll"}, Reason: "Pay is not discussed in this workspace."},
	}}}
	return m
}

func traderValues() []ValueSet {
	set := func(entity, dimension string, values ...string) ValueSet {
		return ValueSet{Entity: entity, Dimension: dimension, Values: values, Complete: true}
	}
	return []ValueSet{
		set("customers", "country", "Germany", "USA", "UK", "France", "Brazil", "Spain", "Mexico"),
		set("customers", "city", "London", "Berlin", "São Paulo", "Madrid", "Paris", "Seattle"),
		set("customers", "region", "West", "OR", "SP"),
		set("customers", "company_name", "Alfreds Futterkiste", "Ernst Handel", "B's Beverages", "Save-a-lot Markets", "QUICK-Stop", "Around the Horn"),
		set("customers", "contact_title", "Owner", "Sales Representative"),
		set("customers", "contact_name", "Maria Anders"),
		set("orders", "ship_country", "Germany", "USA", "UK", "France", "Brazil", "Spain", "Mexico"),
		set("orders", "ship_city", "London", "Berlin", "São Paulo", "Madrid", "Paris"),
		set("suppliers", "country", "Germany", "USA", "UK", "Japan", "France"),
		set("suppliers", "city", "London", "Tokyo", "Paris"),
		set("suppliers", "company_name", "Exotic Liquids", "Tokyo Traders", "New Orleans Cajun Delights"),
		set("employees", "first_name", "Nancy", "Andrew", "Janet", "Margaret"),
		set("employees", "last_name", "Davolio", "Fuller", "Leverling", "Peacock"),
		set("employees", "title", "Sales Representative", "Sales Manager"),
		set("employees", "city", "London", "Seattle", "Tacoma"),
		set("employees", "country", "USA", "UK"),
		set("categories", "category_name", "Beverages", "Condiments", "Seafood", "Dairy Products", "Grains/Cereals"),
		set("products", "product_name", "Chai", "Chang", "Chef Anton's Gumbo Mix", "Ikura", "Queso Cabrales", "West"),
		set("shippers", "company_name", "Speedy Express", "United Package", "Federal Shipping"),
	}
}

// traderEnv is the world of the tests: the data of July 1996 to May 1998, read on its last day.
func traderEnv(m *semantic.Model) frameql.Env {
	return frameql.Env{Model: m, Now: time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), Coverage: func(d string) (first, last time.Time, ok bool) {
		if d != "orders.order_date" {
			return first, last, false
		}
		return time.Date(1996, 7, 4, 0, 0, 0, 0, time.UTC), time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), true
	}}
}

func ask(t *testing.T, question string) Result {
	t.Helper()
	m := traders()
	return NewIndex(m, traderValues()).Read(Request{Question: question, Env: traderEnv(m), NowFromData: true})
}
