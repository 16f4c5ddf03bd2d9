package reading

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/semantic"
)

// northwind is the sample's model, with some values of two of its columns, read on the last day of its data.
func northwind(t *testing.T) frameql.Env {
	t.Helper()
	m, err := semantic.Load(os.DirFS("../../context/samples/northwind"))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{"customers.country": {"France", "Germany", "UK"}, "categories.category_name": {"Beverages", "Seafood"}}
	return frameql.Env{
		Model: m, Now: time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC),
		Values: func(d string) ([]string, bool) { return values[d], values[d] != nil },
		Coverage: func(string) (first, last time.Time, ok bool) {
			return time.Date(1996, 7, 4, 0, 0, 0, 0, time.UTC), time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), true
		},
	}
}

func planned(t *testing.T, env frameql.Env, written string) *frameql.Plan {
	t.Helper()
	q, err := frameql.Parse(written)
	if err != nil {
		t.Fatalf("%s: %v", written, err)
	}
	p, refused := frameql.Resolve(q, env)
	if len(refused) > 0 {
		t.Fatalf("%s: %s", written, refused[0].Message)
	}
	return p
}

const (
	country  = "customers.country = 'Germany'"
	freight  = "orders.freight_charge > 50"
	ordered  = "orders.order_date >= '1997-03-01'"
	wide     = "SELECT categories.category_name, revenue WHERE " + country + " AND " + ordered + " HAVING revenue > 1000 AND order_count > 2"
	either   = "(customers.country = 'Germany' OR customers.city = 'London')"
	choosing = "SELECT categories.category_name, revenue TOP 3 categories.category_name BY revenue WITH OTHER"
)

func TestConditionsAreWritten(t *testing.T) {
	env := northwind(t)
	write := func(slot Slot, part, operator string, values ...string) Change {
		return Change{Slot: slot, Part: part, Operator: operator, Values: values}
	}
	add := func(dimension, operator string, values ...string) Change {
		return Change{Slot: Filter, Dimension: dimension, Operator: operator, Values: values}
	}
	for name, c := range map[string]struct {
		query  string
		change Change
		want   string
	}{
		"less than":                  {wide, add("orders.freight_charge", "lt", "50"), "orders.freight_charge < 50"},
		"at most":                    {wide, add("orders.freight_charge", "le", " 50.25 "), "orders.freight_charge <= 50.25"},
		"more than":                  {wide, add("orders.freight_charge", "gt", "-1"), "orders.freight_charge > -1"},
		"a minus of print":           {wide, add("orders.freight_charge", "ge", "−1.5"), "orders.freight_charge >= -1.5"},
		"a plus":                     {wide, add("orders.freight_charge", "ge", "+7"), "orders.freight_charge >= 7"},
		"not equal":                  {wide, add("orders.freight_charge", "ne", "0"), "orders.freight_charge <> 0"},
		"one of several numbers":     {wide, add("order_lines.quantity", "in", "1", "2"), "order_lines.quantity IN (1, 2)"},
		"one of one":                 {wide, add("order_lines.quantity", "not_in", "1"), "order_lines.quantity <> 1"},
		"a range":                    {wide, add("orders.freight_charge", "between", "9", "10"), "orders.freight_charge BETWEEN 9 AND 10"},
		"outside of a range":         {wide, add("orders.freight_charge", "not_between", "1", "1"), "orders.freight_charge NOT BETWEEN 1 AND 1"},
		"a range of days":            {wide, write(Filter, ordered, "between", "1997-03-01", "1997-03-31"), "orders.order_date BETWEEN '1997-03-01' AND '1997-03-31'"},
		"before a day":               {wide, write(Filter, ordered, "lt", "1997-04-01"), "orders.order_date < '1997-04-01'"},
		"no day":                     {wide, add("orders.shipped_date", "is_null"), "orders.shipped_date IS NULL"},
		"some day":                   {wide, add("orders.shipped_date", "not_null"), "orders.shipped_date IS NOT NULL"},
		"containing":                 {wide, write(Filter, country, "contains", "er"), "customers.country CONTAINS 'er'"},
		"not containing":             {wide, write(Filter, country, "not_contains", "er"), "customers.country NOT CONTAINS 'er'"},
		"beginning with":             {wide, write(Filter, country, "starts_with", "G"), "customers.country STARTS WITH 'G'"},
		"like, with a quote":         {wide, write(Filter, country, "like", "%'%"), "customers.country LIKE '%''%'"},
		"one text of several":        {wide, write(Filter, country, "in", "Germany", "UK"), "customers.country IN ('Germany', 'UK')"},
		"a member of a list":         {wide, Change{Slot: Filter, Part: country, Members: []string{"UK"}, Not: true}, "customers.country <> 'UK'"},
		"a result of at least":       {wide, write(Having, "revenue > 1000", "ge", "250.5"), "HAVING revenue >= 250.5 AND order_count > 2"},
		"a result between":           {wide, write(Having, "order_count > 2", "between", "2", "5"), "order_count BETWEEN 2 AND 5"},
		"a further one of a result":  {wide, Change{Slot: Having, Metric: "units_sold", Operator: "lt", Values: []string{"9"}}, "order_count > 2 AND units_sold < 9"},
		"the first one of a result":  {"SELECT categories.category_name, revenue", Change{Slot: Having, Metric: "revenue", Operator: "gt", Values: []string{"9"}}, "HAVING revenue > 9"},
		"one leg of two":             {"SELECT revenue WHERE " + either + " AND " + ordered, Change{Slot: Filter, Part: either, Leaf: 2, Operator: "ne", Values: []string{"Paris"}}, "(customers.country = 'Germany' OR customers.city <> 'Paris')"},
		"without one leg":            {"SELECT revenue WHERE " + either + " AND " + ordered, Change{Slot: Filter, Part: either, Leaf: 1, Remove: true}, "WHERE customers.city = 'London' AND"},
		"behind NOT":                 {"SELECT revenue WHERE NOT " + either, Change{Slot: Filter, Part: "NOT " + either, Leaf: 1, Operator: "is_null"}, "NOT (customers.country IS NULL OR"},
		"of related rows":            {"SELECT order_count WHERE ANY order_lines (order_lines.quantity > 10)", Change{Slot: Filter, Part: "ANY order_lines (order_lines.quantity > 10)", Leaf: 1, Operator: "le", Values: []string{"3"}}, "ANY order_lines (order_lines.quantity <= 3)"},
		"related rows turned":        {"SELECT order_count WHERE ANY order_lines (order_lines.quantity > 10)", write(Filter, "ANY order_lines (order_lines.quantity > 10)", "no"), "NO order_lines (order_lines.quantity > 10)"},
		"of two columns":             {"SELECT order_count WHERE orders.shipped_date > orders.required_date", write(Filter, "orders.shipped_date > orders.required_date", "le"), "orders.shipped_date <= orders.required_date"},
		"a month":                    {"SELECT revenue WHERE orders.order_date.month = '1997-05'", write(Filter, "orders.order_date.month = '1997-05'", "ge", "1997-06"), "orders.order_date.month >= '1997-06'"},
		"what gaps are filled with":  {"SELECT orders.order_date.month, revenue FILL ZERO", Change{Slot: Fill, Part: "ZERO", Text: "null"}, "FILL NULL"},
		"so many of the highest":     {choosing, Change{Slot: Top, N: 7}, "TOP 7 categories.category_name BY revenue WITH OTHER"},
		"the lowest":                 {choosing, Change{Slot: Top, Direction: Ascending}, "TOP 3 categories.category_name BY revenue ASC WITH OTHER"},
		"the highest of another":     {choosing, Change{Slot: Top, Metric: "order_count"}, "TOP 3 categories.category_name BY order_count WITH OTHER"},
		"no rest":                    {choosing, Change{Slot: Other, Remove: true}, "BY revenue"},
		"another order":              {"SELECT categories.category_name, revenue ORDER BY revenue DESC", Change{Slot: Order, Part: "revenue DESC", Direction: Ascending}, "ORDER BY revenue"},
		"an order by another column": {"SELECT categories.category_name, revenue, order_count ORDER BY revenue DESC", Change{Slot: Order, Part: "revenue DESC", Metric: "order_count"}, "ORDER BY order_count DESC"},
		"another limit":              {"SELECT categories.category_name, revenue ORDER BY revenue DESC LIMIT 3", Change{Slot: Limit, Part: "3", N: 8}, "LIMIT 8"},
		"by quarter":                 {"SELECT revenue AT orders.order_date.month", Change{Slot: Dimension, Part: "orders.order_date.month", Dimension: "orders.order_date", Grain: "quarter"}, "orders.order_date.quarter"},
	} {
		before := planned(t, env, c.query)
		was := before.Query.String()
		next, err := Edit(before, env, c.change)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := next.Query.String(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if before.Query.String() != was {
			t.Errorf("%s changed the query of before: %s", name, before.Query.String())
		}
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	env := northwind(t)
	for part, c := range map[string]struct {
		slot  Slot
		query string
	}{
		country:                     {Filter, wide},
		"revenue > 1000":            {Having, wide},
		"PREVIOUS PERIOD":           {Compare, "SELECT revenue DURING 1997 COMPARE TO PREVIOUS PERIOD"},
		"ZERO":                      {Fill, "SELECT orders.order_date.month, revenue FILL ZERO"},
		"TOTALS":                    {Totals, "SELECT categories.category_name, revenue TOTALS"},
		"revenue DESC":              {Order, "SELECT categories.category_name, revenue ORDER BY revenue DESC"},
		"3":                         {Limit, "SELECT categories.category_name, revenue ORDER BY revenue LIMIT 3"},
		"orders.freight_charge > 5": {Filter, "SELECT order_count WHERE orders.freight_charge > 5"},
	} {
		before := planned(t, env, c.query)
		menu, err := Alternatives(before, env, Asked{Slot: c.slot, Part: part})
		if err != nil || menu.Remove == nil {
			t.Errorf("%s: %+v %v", part, menu, err)
			continue
		}
		next, err := Edit(before, env, *menu.Remove)
		if err != nil || strings.Contains(next.Query.String(), part) {
			t.Errorf("%s: %v", part, err)
		}
	}
}

func TestBadConditionsAreRefused(t *testing.T) {
	env := northwind(t)
	plan := planned(t, env, wide)
	long := strings.Repeat("ä", 1<<20)
	for name, c := range map[string]struct {
		change Change
		field  string
		want   string
	}{
		"letters in a number":      {Change{Slot: Filter, Dimension: "orders.freight_charge", Operator: "gt", Values: []string{"12a"}}, "values.0", `"12a" is no number`},
		"a comma in a number":      {Change{Slot: Having, Part: "revenue > 1000", Operator: "gt", Values: []string{"1,5"}}, "values.0", `"1,5" is no number`},
		"no value":                 {Change{Slot: Having, Part: "revenue > 1000", Operator: "gt"}, "values.0", "Write a value."},
		"one end of a range":       {Change{Slot: Filter, Dimension: "orders.freight_charge", Operator: "between", Values: []string{"1"}}, "values.1", "Write a value."},
		"an end before its start":  {Change{Slot: Filter, Dimension: "orders.freight_charge", Operator: "between", Values: []string{"10", "9"}}, "values.1", "ends at 9, before it begins at 10"},
		"days from late to early":  {Change{Slot: Filter, Part: ordered, Operator: "between", Values: []string{"1997-05-01", "1997-04-30"}}, "values.1", "before it begins"},
		"a day that never was":     {Change{Slot: Filter, Part: ordered, Operator: "ge", Values: []string{"1997-02-30"}}, "values.0", "no day of the calendar"},
		"a word for a day":         {Change{Slot: Filter, Part: ordered, Operator: "ge", Values: []string{"tomorrow"}}, "values.0", "no day of the calendar"},
		"no month":                 {Change{Slot: Filter, Dimension: "orders.order_date", Operator: "eq", Values: []string{"1997-05"}}, "values.0", "no day of the calendar"},
		"a megabyte":               {Change{Slot: Filter, Part: country, Operator: "contains", Values: []string{long}}, "values.0", "at most 2000 characters; this one has 1048576"},
		"a megabyte for a number":  {Change{Slot: Filter, Dimension: "orders.freight_charge", Operator: "eq", Values: []string{long}}, "values.0", "at most 2000 characters"},
		"a search in numbers":      {Change{Slot: Filter, Dimension: "orders.freight_charge", Operator: "contains", Values: []string{"1"}}, "values", "Only a text"},
		"a value that is nowhere":  {Change{Slot: Filter, Part: country, Operator: "eq", Values: []string{"Atlantis"}}, "", "Atlantis"},
		"a column that is nowhere": {Change{Slot: Filter, Dimension: "orders.secret", Operator: "not_null"}, "", "orders.secret"},
		"a number that is nowhere": {Change{Slot: Having, Metric: "secret", Operator: "not_null"}, "", "secret"},
		"a hidden operator":        {Change{Slot: Filter, Part: country, Operator: "= '' OR 1"}, "", "no part"},
		"nothing that is ranked":   {Change{Slot: Filter, Part: country, Operator: "in_top", Values: []string{"5"}}, "", "no part"},
		"a leg that is not there":  {Change{Slot: Filter, Part: country, Leaf: 2, Operator: "is_null"}, "", "no part"},
		"the only leg left out":    {Change{Slot: Filter, Part: country, Leaf: 1, Remove: true}, "", "no part"},
		"a part that is not there": {Change{Slot: Having, Part: "revenue > 1", Operator: "is_null"}, "", "no part"},
		"the same again":           {Change{Slot: Filter, Part: country, Operator: "eq", Values: []string{"Germany"}}, "", "already"},
		"other fillings":           {Change{Slot: Fill, Text: "null"}, "", "no part"},
	} {
		_, err := Edit(plan, env, c.change)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.Invalid || f.Field != c.field || !strings.Contains(f.Message, c.want) {
			t.Errorf("%s: %.200v, field %v, want %q at %q", name, err, f, c.want, c.field)
		}
		if f != nil && len(f.Message) > 600 {
			t.Errorf("%s: a message of %d bytes", name, len(f.Message))
		}
	}
	if got := plan.Query.String(); got != planned(t, env, wide).Query.String() {
		t.Errorf("the query of before is now %s", got)
	}
}

func TestWhatARoleDoesNotSeeIsUnknown(t *testing.T) {
	env := northwind(t)
	whole := planned(t, env, "SELECT order_count")
	change := Change{Slot: Filter, Dimension: "employees.job_title", Operator: "contains", Values: []string{"Sales"}}
	if _, err := Edit(whole, env, change); err != nil {
		t.Fatalf("who sees it: %v", err)
	}
	small := semantic.Model{Name: "northwind", Entities: slices.DeleteFunc(slices.Clone(env.Model.Entities), func(e semantic.Entity) bool { return e.Name != "customers" })}
	sealed, err := semantic.Seal(&small)
	if err != nil {
		t.Fatal(err)
	}
	env.Model = sealed
	listing := planned(t, env, "SELECT customers.company_name AT customers")
	if _, err := Edit(listing, env, change); err == nil || !strings.Contains(err.Error(), `"employees.job_title"`) {
		t.Errorf("who does not: %v", err)
	}
	if _, err := Alternatives(listing, env, Asked{Slot: Filter, Dimension: "employees.job_title", Form: true}); err == nil {
		t.Error("a form for it")
	}
}

func TestFormsSayHowAConditionIsWritten(t *testing.T) {
	env := northwind(t)
	for name, c := range map[string]struct {
		query    string
		asked    Asked
		kind     Kind
		operator string
		values   string
		unit     string
	}{
		"a number":            {wide, Asked{Slot: Filter, Dimension: "orders.freight_charge"}, Number, "ge", "", "USD"},
		"a day":               {wide, Asked{Slot: Filter, Part: ordered}, Date, "ge", "1997-03-01", ""},
		"a text, as asked":    {wide, Asked{Slot: Filter, Part: country, Form: true}, Text, "eq", "Germany", ""},
		"a text without list": {wide, Asked{Slot: Filter, Dimension: "orders.ship_postal_code"}, Text, "contains", "", ""},
		"a result":            {wide, Asked{Slot: Having, Part: "revenue > 1000"}, Number, "gt", "1000", "USD"},
		"a new one":           {wide, Asked{Slot: Having, Metric: "order_count"}, Number, "ge", "", ""},
		"a month":             {"SELECT revenue WHERE orders.order_date.month = '1997-05'", Asked{Slot: Filter, Part: "orders.order_date.month = '1997-05'"}, Unit, "eq", "1997-05", ""},
		"a leg":               {"SELECT revenue WHERE " + either, Asked{Slot: Filter, Part: either[1 : len(either)-1], Leaf: 2}, Text, "eq", "London", ""},
		"two columns":         {"SELECT order_count WHERE orders.shipped_date > orders.required_date", Asked{Slot: Filter, Part: "orders.shipped_date > orders.required_date"}, Date, "gt", "", ""},
		"a range":             {"SELECT order_count WHERE orders.freight_charge BETWEEN 5 AND 9", Asked{Slot: Filter, Part: "orders.freight_charge BETWEEN 5 AND 9"}, Number, "between", "5 9", "USD"},
	} {
		menu, err := Alternatives(planned(t, env, c.query), env, c.asked)
		if err != nil || menu.Form == nil {
			t.Errorf("%s: %+v %v", name, menu, err)
			continue
		}
		f := menu.Form
		if f.Kind != c.kind || f.Operator != c.operator || strings.Join(f.Values, " ") != c.values || f.Unit != c.unit {
			t.Errorf("%s: %+v", name, f)
		}
		if f.On == "" || !slices.ContainsFunc(f.Operators, func(o Operator) bool { return o.Name == f.Operator }) || (f.Against != "") != (name == "two columns") {
			t.Errorf("%s: %+v", name, f)
		}
	}
	menu, err := Alternatives(planned(t, env, wide), env, Asked{Slot: Filter, Part: country, Form: true, Find: "ger"})
	if err != nil || len(menu.Groups) != 1 || len(menu.Groups[0].Options) != 1 || menu.Groups[0].Options[0].Value != "Germany" {
		t.Errorf("suggestions %+v %v", menu, err)
	}
}

func TestEveryColumnCanBeConditioned(t *testing.T) {
	env := northwind(t)
	plan := planned(t, env, wide)
	var all []string
	for _, asked := range []Asked{{Slot: Filter, Find: "order"}, {Slot: Filter, Find: "freight"}, {Slot: Having}, {Slot: Filter, Find: "address"}} {
		menu, err := Alternatives(plan, env, asked)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range menu.Groups {
			for _, o := range g.Options {
				all = append(all, o.Opens.Dimension+o.Opens.Metric)
			}
		}
	}
	for _, want := range []string{"orders.order_date", "orders.freight_charge", "revenue", "units_sold"} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is not in %q", want, all)
		}
	}
	if slices.Contains(all, "orders.ship_address") {
		t.Error("what is personal is offered")
	}
	add, err := Alternatives(plan, env, Asked{})
	if err != nil || !slices.ContainsFunc(add.Groups[0].Options, func(o Option) bool { return o.Opens.Slot == Having }) {
		t.Errorf("%+v %v", add, err)
	}
}

func TestConditionsOfSeveralOpenOneByOne(t *testing.T) {
	env := northwind(t)
	const related = "ANY order_lines (order_lines.quantity > 10)"
	menu, err := Alternatives(planned(t, env, "SELECT order_count WHERE "+related), env, Asked{Slot: Filter, Part: related})
	if err != nil || len(menu.Groups) != 2 || menu.Groups[0].Options[0].Opens.Leaf != 1 || len(menu.Groups[1].Options) < 2 || menu.Remove == nil {
		t.Errorf("%+v %v", menu, err)
	}
}

func TestCarriedPartsAreTakenByTheirWords(t *testing.T) {
	env := northwind(t)
	plan := planned(t, env, "SELECT categories.category_name, revenue DURING 1997")
	queries := map[string]string{"1997": "SELECT categories.category_name, revenue", "broken": "SELECT", "gone": "SELECT nobody"}
	next, err := Without(plan, env, Change{Slot: Carried, Part: "1997"}, queries)
	if err != nil || next.Query.Time != nil {
		t.Fatalf("%+v %v", next, err)
	}
	for _, part := range []string{"broken", "gone", "1998"} {
		if _, err := Without(plan, env, Change{Slot: Carried, Part: part}, queries); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", part, err)
		}
	}
}
