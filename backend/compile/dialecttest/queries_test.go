//go:build cgo

package dialecttest_test

import (
	"time"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// The queries that every dialect is tried with, over the shop of dialecttest. Each shows one construct, most over both
// facts or over keys that are missing.

// Nodes of the sales: the customers and the products of a sale, and the categories of these.
const (
	saleNode = iota
	buyerNode
	productNode
	categoryNode
)

// Sources.
const (
	salesSource = iota
	ticketsSource
)

func col(node int, name string, t semantic.Type) *Scalar {
	return &Scalar{Op: "col", Node: node, Text: name, Type: t}
}

func textCol(node int, name string) *Scalar { return col(node, name, semantic.Text) }

func lit(op, text string, t semantic.Type) *Scalar { return &Scalar{Op: op, Text: text, Type: t} }

func number(text string) *Scalar { return lit("num", text, semantic.Decimal) }

func word(text string) *Scalar { return lit("str", text, semantic.Text) }

func op2(op string, a, b *Scalar) *Scalar {
	t := semantic.Boolean
	switch op {
	case "+", "-", "*":
		t = semantic.Decimal
	case "/":
		t = semantic.Float
	}
	return &Scalar{Op: op, Args: []*Scalar{a, b}, Type: t}
}

func op1(op string, a *Scalar) *Scalar {
	return &Scalar{Op: op, Args: []*Scalar{a}, Type: semantic.Boolean}
}

func customersNode(parent, own string) Node {
	return Node{
		Entity: "customers", Table: "customers", On: []Pair{{Parent: textCol(0, parent), Own: textCol(1, own)}}, Rows: 8, Unique: true,
		Key: []*Scalar{textCol(1, "customer_id")},
	}
}

func shopSource(n int) Source {
	if n == ticketsSource {
		return Source{Rows: 90, Nodes: []Node{
			{Entity: "tickets", Table: "tickets", Parent: -1, Key: []*Scalar{col(0, "ticket_id", semantic.Integer)}},
			customersNode("customer_id", "customer_id"),
		}}
	}
	product := col(productNode, "product_id", semantic.Integer)
	category := col(categoryNode, "category_id", semantic.Integer)
	return Source{Rows: 248, Nodes: []Node{
		{Entity: "sales", Table: "sales", Parent: -1, Key: []*Scalar{col(0, "sale_id", semantic.Integer)}},
		customersNode("customer_id", "customer_id"),
		{Entity: "products", Table: "products", Parent: 0, On: []Pair{{Parent: col(0, "product_id", semantic.Integer), Own: product}}, Key: []*Scalar{product}, Unique: true},
		{Entity: "categories", Table: "categories", Parent: productNode, On: []Pair{{Parent: col(productNode, "category_id", semantic.Integer), Own: category}}, Key: []*Scalar{category}, Unique: true},
	}}
}

func balancesSource() Source {
	return Source{Rows: 98, Nodes: []Node{
		{Entity: "balances", Table: "balances", Parent: -1, Key: []*Scalar{col(0, "day", semantic.Date), textCol(0, "account")}},
		customersNode("customer_id", "customer_id"),
	}}
}

func saleDay() *Scalar { return col(0, "sold_on", semantic.Date) }

func ticketDay() *Scalar { return col(0, "opened", semantic.Date) }

func revenue() Leaf {
	return Leaf{Reducer: "sum", Expr: col(0, "amount", semantic.Decimal), Time: saleDay(), Zero: true, Name: "revenue", Type: semantic.Decimal}
}

func saleCount() Leaf {
	return Leaf{Reducer: "count", Time: saleDay(), Zero: true, Name: "sales", Type: semantic.Integer}
}

func ticketCount() Leaf {
	return Leaf{Source: ticketsSource, Reducer: "count", Time: ticketDay(), Zero: true, Name: "tickets", Type: semantic.Integer}
}

// reduced gives a leaf of the sales over a column.
func reduced(reducer string, expr *Scalar, name string) Leaf {
	return Leaf{Reducer: reducer, Expr: expr, Time: saleDay(), Name: name, Type: reducedType(reducer, expr.Type)}
}

func reducedType(reducer string, of semantic.Type) semantic.Type {
	switch reducer {
	case "count":
		return semantic.Integer
	case "avg", "stddev", "median":
		return semantic.Float
	}
	return of
}

// Keys. Those of customers are reached from both facts.
func regionKey() Key {
	return Key{Name: "region", Exprs: []*Scalar{textCol(buyerNode, "region"), textCol(1, "region")}, Type: semantic.Text, Size: 6}
}

func saleKey(name string, expr *Scalar) Key {
	return Key{Name: name, Exprs: []*Scalar{expr, nil}, Type: expr.Type}
}

func axisKey(unit string) Key {
	t := semantic.Date
	if unit == "hour" {
		t = semantic.Timestamp
	}
	return Key{Name: unit, Axis: true, Cut: &Scalar{Op: "trunc", Text: unit, Type: t}, Type: t}
}

func keyCell(i int, t semantic.Type) *Scalar { return &Scalar{Op: "key", Index: i, Type: t} }

func leafCell(i, ctx int, t semantic.Type) *Scalar {
	return &Scalar{Op: "leaf", Index: i, Ctx: ctx, Type: t}
}

// asked makes a query of keys, leaves and further columns: keys first, then leaves, then the columns.
func asked(keys []Key, leaves []Leaf, more ...Output) *Query {
	q := &Query{Sources: []Source{shopSource(salesSource)}, Keys: keys, Leaves: leaves, Contexts: []Context{{}}}
	for _, l := range leaves {
		if l.Source == ticketsSource {
			q.Sources = []Source{shopSource(salesSource), shopSource(ticketsSource)}
		}
	}
	for i := range q.Keys {
		if len(q.Sources) == 1 && len(q.Keys[i].Exprs) > 1 {
			q.Keys[i].Exprs = q.Keys[i].Exprs[:1]
		}
		q.Grain = append(q.Grain, i)
		q.Outputs = append(q.Outputs, Output{Name: q.Keys[i].Name, Cell: keyCell(i, q.Keys[i].Type)})
	}
	for i, l := range q.Leaves {
		q.Outputs = append(q.Outputs, Output{Name: l.Name, Cell: leafCell(i, 0, l.Type)})
	}
	q.Outputs = append(q.Outputs, more...)
	return q
}

func with(q *Query, change func(q *Query)) *Query {
	change(q)
	return q
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func year(y string) Context {
	return Context{From: day(y + "-01-01"), To: day(y+"-12-31").AddDate(0, 0, 1)}
}

// where puts conjuncts into every source that is given one.
func where(q *Query, conjuncts ...[]*Scalar) {
	for _, c := range conjuncts {
		for i := range q.Sources {
			q.Sources[i].Where = append(q.Sources[i].Where, c[min(i, len(c)-1)])
		}
	}
}

func fn(op string, arg *Scalar, more func(s *Scalar)) *Scalar {
	s := &Scalar{Op: op, Args: []*Scalar{arg}, Type: arg.Type}
	if more != nil {
		more(s)
	}
	return s
}

type namedQuery struct {
	name  string
	query *Query
}

// shopQueries gives all of them, by name.
func shopQueries() []namedQuery {
	amount, quantity := col(0, "amount", semantic.Decimal), col(0, "quantity", semantic.Integer)
	weight, express := col(0, "weight", semantic.Float), col(0, "express", semantic.Boolean)
	status, note := textCol(0, "status"), textCol(0, "note")
	region, month := regionKey, func() Key { return axisKey("month") }
	product := func() Key { return saleKey("product", textCol(productNode, "product")) }
	rev := leafCell(0, 0, semantic.Decimal)
	var all []namedQuery
	add := func(name string, q *Query) { all = append(all, namedQuery{name, q}) }

	// One fact.
	add("one_number", asked(nil, []Leaf{revenue(), saleCount()}))
	add("group_by_text", asked([]Key{region()}, []Leaf{revenue(), saleCount()}))
	add("group_by_two_hops", asked([]Key{saleKey("category", textCol(categoryNode, "category")), saleKey("express", express)}, []Leaf{revenue()}))
	for _, unit := range []string{"hour", "day", "week", "month", "quarter", "year"} {
		q := asked([]Key{axisKey(unit)}, []Leaf{revenue(), saleCount()})
		if unit == "hour" {
			for i := range q.Leaves {
				q.Leaves[i].Time = col(0, "sold_at", semantic.Timestamp)
			}
			q.Contexts[0] = Context{From: day("2025-01-01"), To: day("2025-04-01")}
		}
		add("axis_"+unit, q)
	}
	add("axis_sunday_week", with(asked([]Key{axisKey("week")}, []Leaf{revenue()}), func(q *Query) { q.Keys[0].Cut.Shift = 1 }))
	add("axis_fiscal_year_and_quarter", with(asked([]Key{axisKey("fiscal_year"), axisKey("fiscal_quarter")}, []Leaf{revenue()}), func(q *Query) {
		q.Keys[0].Cut.Shift, q.Keys[1].Cut.Shift = 1, 1
	}))
	add("axis_of_a_calendar_table", with(asked([]Key{axisKey("fiscal_period")}, []Leaf{revenue(), saleCount()}), func(q *Query) { q.Keys[0].Cut.Buckets = periods445() }))
	add("derived_dimension", asked([]Key{saleKey("size", &Scalar{Op: "case", Type: semantic.Text, HasElse: true, Args: []*Scalar{
		op2(">", amount, number("500")), word("Large"), op2(">", amount, number("100")), word("large"), word("small"),
	}})}, []Leaf{saleCount(), revenue()}))
	add("filter_text_and_numbers", with(asked([]Key{region()}, []Leaf{revenue()}), func(q *Query) {
		where(q, []*Scalar{op2("or", op2("=", status, word("paid")), op2(">", amount, number("700")))},
			[]*Scalar{op1("not", &Scalar{Op: "in", Type: semantic.Boolean, Args: []*Scalar{textCol(buyerNode, "segment"), word("trade"), word("x")}})},
			[]*Scalar{op2("<>", textCol(buyerNode, "region"), word("east"))})
	}))
	for _, o := range []string{"like", "contains", "starts_with"} {
		pattern := map[string]string{"like": "%a_\\%", "contains": "PL", "starts_with": "é"}[o]
		add("filter_"+o, with(asked(nil, []Leaf{saleCount()}), func(q *Query) { where(q, []*Scalar{op2(o, note, word(pattern))}) }))
	}
	add("filter_null_safe", with(asked([]Key{region()}, []Leaf{saleCount()}), func(q *Query) {
		where(q, []*Scalar{op2("or", op2("same", express, lit("null", "", semantic.Boolean)), op1("is_null", status))})
	}))
	add("period", with(asked([]Key{region()}, []Leaf{revenue(), saleCount()}), func(q *Query) { q.Contexts[0] = year("2024") }))
	add("arithmetic_and_ratio", asked([]Key{region()}, []Leaf{revenue(), saleCount(), reduced("sum", quantity, "units")},
		Output{Name: "per_sale", Cell: op2("/", leafCell(0, 0, semantic.Decimal), leafCell(1, 0, semantic.Integer))},
		Output{Name: "mixed", Cell: op2("/", op2("-", op2("*", rev, number("2")), number("1.5")), op2("-", leafCell(2, 0, semantic.Integer), leafCell(2, 0, semantic.Integer)))}))
	add("metric_filters", asked([]Key{region()}, []Leaf{
		with2(revenue(), func(l *Leaf) { l.Filter, l.Name = op2("=", status, word("paid")), "paid" }),
		with2(saleCount(), func(l *Leaf) { l.Filter, l.Name = express, "express_sales" }),
	}))
	add("averages", asked([]Key{region()}, []Leaf{reduced("avg", amount, "avg_amount"), reduced("avg", quantity, "avg_quantity"), reduced("avg", weight, "avg_weight")}))
	add("extremes", asked([]Key{region()}, []Leaf{reduced("min", amount, "low"), reduced("max", note, "last_note"), reduced("max", saleDay(), "last_day")}))
	add("distinct_counts", asked([]Key{month()}, []Leaf{
		with2(reduced("count", textCol(0, "customer_id"), "buyers"), func(l *Leaf) { l.Distinct, l.Zero = true, true }),
		with2(reduced("sum", quantity, "different_quantities"), func(l *Leaf) { l.Distinct = true }),
	}))
	add("median_and_percentiles", asked([]Key{region()}, []Leaf{
		reduced("median", amount, "middle"), with2(reduced("percentile", amount, "p90"), func(l *Leaf) { l.Param = "0.9" }),
		with2(reduced("percentile", quantity, "p25"), func(l *Leaf) { l.Param, l.Discrete = "0.25", true }),
	}))
	add("standard_deviation", asked([]Key{region()}, []Leaf{reduced("stddev", amount, "spread")}))
	add("any_and_all", asked([]Key{region()}, []Leaf{reduced("any", express, "some"), reduced("all", express, "every")}))
	tie := func(l *Leaf) {
		l.Time, l.Tie = col(0, "sold_at", semantic.Timestamp), []*Scalar{col(0, "sale_id", semantic.Integer)}
	}
	add("first_and_last", asked([]Key{region()}, []Leaf{with2(reduced("first", amount, "opening"), tie), with2(reduced("last", note, "closing"), tie)}))
	add("functions", asked([]Key{saleKey("initial", &Scalar{Op: "call", Text: "upper", Type: semantic.Text, Args: []*Scalar{
		{Op: "call", Text: "substring", Type: semantic.Text, Args: []*Scalar{textCol(buyerNode, "name"), number("1"), number("1")}},
	}})}, []Leaf{with2(reduced("sum", &Scalar{Op: "call", Text: "round", Type: semantic.Decimal, Args: []*Scalar{amount, number("1")}}, "rounded"), func(*Leaf) {})}))
	add("exists", with(asked([]Key{region()}, []Leaf{saleCount()}), func(q *Query) { where(q, []*Scalar{hasTicket(buyerNode, "4")}) }))
	add("not_exists", with(asked([]Key{region()}, []Leaf{saleCount()}), func(q *Query) { where(q, []*Scalar{op1("not", hasTicket(buyerNode, "3"))}) }))
	add("exists_in_a_metric_filter", asked([]Key{region()}, []Leaf{
		saleCount(), with2(revenue(), func(l *Leaf) { l.Filter, l.Name = hasTicket(buyerNode, "4"), "of_complainers" }),
	}))

	add("names_that_must_be_quoted", with(asked([]Key{saleKey("select", textCol(buyerNode, "region")), saleKey("O'Hara \"x\" `y`", status)}, []Leaf{
		with2(revenue(), func(l *Leaf) { l.Name = "Umsatz in €" }), with2(saleCount(), func(l *Leaf) { l.Name = "SELECT" }),
	}), func(q *Query) { q.Fill = nil }))
	add("a_table_that_its_author_selects", with(asked([]Key{saleKey("label", textCol(0, "label"))}, []Leaf{{Reducer: "sum", Expr: col(0, "total", semantic.Decimal), Zero: true, Name: "total", Type: semantic.Decimal}}), func(q *Query) {
		q.Sources = []Source{{Nodes: []Node{{Entity: "statuses", SQL: "SELECT status AS label, amount AS total\nFROM sales\nWHERE note <> 'a;b';", Parent: -1}}}}
	}))
	add("axis_in_a_time_zone", with(asked([]Key{axisKey("day")}, []Leaf{saleCount()}), func(q *Query) {
		q.Keys[0].Cut.Zone, q.Keys[0].Cut.From = "America/New_York", "Europe/Berlin"
		q.Leaves[0].Time = col(0, "sold_at", semantic.Timestamp)
	}))
	add("in_list_of_numbers", with(asked([]Key{saleKey("quantity", quantity)}, []Leaf{revenue()}), func(q *Query) {
		where(q, []*Scalar{{Op: "not_in", Type: semantic.Boolean, Args: []*Scalar{quantity, number("1"), number("2.0"), number("7")}}})
	}))

	// Two facts and several contexts.
	add("two_facts", asked([]Key{region()}, []Leaf{revenue(), ticketCount()}, Output{Name: "per_ticket", Cell: op2("/", rev, leafCell(1, 0, semantic.Integer))}))
	add("two_facts_by_month", asked([]Key{month(), region()}, []Leaf{revenue(), ticketCount()}))
	add("compare_with_last_year", with(asked([]Key{month()}, []Leaf{revenue()},
		Output{Name: "before", Cell: leafCell(0, 1, semantic.Decimal)},
		Output{Name: "change", Cell: op2("-", rev, leafCell(0, 1, semantic.Decimal))},
	), func(q *Query) {
		back := year("2024")
		back.Shift, back.Unit = 12, "month"
		q.Contexts = []Context{year("2025"), back}
	}))
	add("compare_without_axis", with(asked([]Key{region()}, []Leaf{revenue(), ticketCount()}, Output{Name: "before", Cell: leafCell(1, 1, semantic.Integer)}), func(q *Query) {
		q.Contexts = []Context{year("2025"), year("2024")}
	}))
	add("ignoring_filters", with(asked([]Key{region()}, []Leaf{revenue()}, Output{Name: "all_statuses", Cell: leafCell(0, 1, semantic.Decimal)}), func(q *Query) {
		where(q, []*Scalar{op2("=", status, word("paid"))})
		q.Contexts = []Context{year("2024"), with3(year("2024"), func(c *Context) { c.IgnoreFilters = true })}
	}))
	add("previous_bucket", asked([]Key{month()}, []Leaf{revenue()}, Output{Name: "before", Cell: fn("lag", rev, func(s *Scalar) { s.N = 1 })}))

	// Gaps, windows, shares.
	for _, mode := range []string{"zero", "null", "last"} {
		add("fill_"+mode, with(asked([]Key{month(), region()}, []Leaf{revenue(), reduced("avg", amount, "avg_amount")}), func(q *Query) {
			q.Contexts[0] = Context{From: day("2024-02-01"), To: day("2024-09-01")}
			q.Fill = &Fill{Axis: 0, Mode: mode, From: q.Contexts[0].From, To: q.Contexts[0].To}
			q.Leaves[0].CoverFrom, q.Leaves[0].CoverTo = day("2024-02-15"), day("2024-08-20")
		}))
	}
	add("fill_without_period", with(asked([]Key{month()}, []Leaf{revenue()}), func(q *Query) {
		where(q, []*Scalar{op2("=", status, word("paid"))})
		q.Fill = &Fill{Axis: 0, Mode: "zero"}
	}))
	add("fill_days", with(asked([]Key{axisKey("day")}, []Leaf{saleCount()}), func(q *Query) {
		q.Fill = &Fill{Axis: 0, Mode: "zero", From: day("2020-01-01"), To: day("2026-01-01")}
	}))
	add("share_of_all", asked([]Key{region()}, []Leaf{revenue()}, Output{Name: "share", Cell: op2("/", rev, fn("at", rev, func(s *Scalar) { s.Keys = []int{} }))}))
	add("share_within_month", asked([]Key{month(), region()}, []Leaf{revenue()}, Output{Name: "share", Cell: op2("/", rev, fn("at", rev, func(s *Scalar) { s.Keys = []int{0} }))}))
	add("running_total", asked([]Key{month(), region()}, []Leaf{revenue()}, Output{Name: "so_far", Cell: fn("cumulative", rev, nil)}))
	add("year_to_date", asked([]Key{month()}, []Leaf{revenue()}, Output{Name: "to_date", Cell: fn("cumulative", rev, func(s *Scalar) { s.Unit = "year" })}))
	add("moving_months", asked([]Key{month()}, []Leaf{revenue()}, Output{Name: "moving", Cell: fn("moving", rev, func(s *Scalar) { s.N, s.Unit = 3, "month" })}))
	add("moving_days", with(asked([]Key{axisKey("day")}, []Leaf{revenue()}, Output{Name: "moving", Cell: fn("moving", rev, func(s *Scalar) { s.N, s.Unit = 28, "day" })}), func(q *Query) {
		q.Contexts[0] = Context{From: day("2025-01-01"), To: day("2025-07-01")}
	}))
	add("rank", asked([]Key{month(), region()}, []Leaf{revenue()}, Output{Name: "rank", Cell: fn("rank", rev, func(s *Scalar) { s.Keys, s.Type = []int{0}, semantic.Integer })}))
	add("index", asked([]Key{month()}, []Leaf{saleCount()}, Output{Name: "index", Cell: fn("index", leafCell(0, 0, semantic.Integer), func(s *Scalar) { s.Type = semantic.Float })}))

	add("any_so_far", asked([]Key{month(), region()}, []Leaf{reduced("any", express, "express"), reduced("all", express, "always"), reduced("max", note, "note")},
		Output{Name: "any_so_far", Cell: fn("cumulative", leafCell(0, 0, semantic.Boolean), nil)},
		Output{Name: "all_so_far", Cell: fn("cumulative", leafCell(1, 0, semantic.Boolean), nil)},
		Output{Name: "note_so_far", Cell: fn("cumulative", leafCell(2, 0, semantic.Text), nil)}))
	add("buyers_so_far", asked([]Key{month()}, []Leaf{with2(reduced("count", textCol(0, "customer_id"), "buyers"), func(l *Leaf) { l.Distinct, l.Zero = true, true })},
		Output{Name: "buyers_so_far", Cell: fn("cumulative", leafCell(0, 0, semantic.Integer), nil)}))
	add("medians_compared", with(asked([]Key{month(), region()}, []Leaf{reduced("median", amount, "middle"), ticketCount()},
		Output{Name: "before", Cell: leafCell(0, 1, semantic.Float)}), func(q *Query) {
		back := year("2024")
		back.Shift, back.Unit = 12, "month"
		q.Contexts = []Context{year("2025"), back}
	}))
	add("top_by_median_with_other_and_totals", with(asked([]Key{product()}, []Leaf{reduced("median", amount, "middle"), revenue()}), func(q *Query) {
		q.Top = &Top{N: 2, Members: []int{0}, By: leafCell(0, 0, semantic.Float), Other: true}
		q.Totals = [][]int{{}}
		q.Outputs = append(q.Outputs, Output{Name: "is_other", Flag: "other"}, Output{Name: "is_total", Flag: "total"})
	}))

	// Two levels, snapshots, times of their own.
	customer := Key{Name: "customer", Exprs: []*Scalar{textCol(0, "customer_id")}, Type: semantic.Text}
	add("average_per_customer", with(asked([]Key{region(), customer}, []Leaf{revenue()}), func(q *Query) {
		q.Grain, q.Outputs = []int{0}, []Output{q.Outputs[0], {Name: "per_customer", Cell: fn("reduce", rev, func(s *Scalar) {
			s.Text, s.Keys, s.Type = "avg", []int{0, 1}, semantic.Float
		})}}
	}))
	balance := func(pick *Pick) *Query {
		q := asked([]Key{axisKey("month"), {Name: "region", Exprs: []*Scalar{textCol(1, "region")}, Type: semantic.Text}}, []Leaf{{
			Reducer: "sum", Expr: col(0, "balance", semantic.Decimal), Time: col(0, "day", semantic.Date), Name: "balance", Type: semantic.Decimal, Pick: pick,
		}})
		q.Sources = []Source{balancesSource()}
		return q
	}
	add("last_snapshot", balance(&Pick{Last: true}))
	add("last_snapshot_of_each", balance(&Pick{Last: true, Per: []*Scalar{textCol(0, "account")}}))
	add("first_snapshot", with(balance(&Pick{}), func(q *Query) { q.Grain, q.Outputs = []int{1}, q.Outputs[1:] }))
	for _, m := range []TimeMap{{Kind: "shift", N: 1, Unit: "month"}, {Kind: "window", N: 7, Unit: "day"}, {Kind: "to_date", Unit: "month"}} {
		kind, unit := m.Kind, "day"
		if kind == "shift" {
			unit = "month"
		}
		add("time_"+kind, with(asked([]Key{axisKey(unit)}, []Leaf{with2(revenue(), func(l *Leaf) { l.Map = m })}), func(q *Query) {
			q.Contexts[0] = Context{From: day("2025-01-01"), To: day("2025-03-01")}
		}))
	}

	// Which rows.
	add("having", with(asked([]Key{region()}, []Leaf{revenue(), saleCount()}), func(q *Query) { q.Having = op2(">", leafCell(1, 0, semantic.Integer), number("20")) }))
	for _, per := range []bool{false, true} {
		name := "top_with_other"
		keys := []Key{product()}
		if per {
			name, keys = "top_per_region_with_other", []Key{region(), product()}
		}
		add(name, with(asked(keys, []Leaf{revenue(), reduced("avg", amount, "avg_amount")}), func(q *Query) {
			member := len(keys) - 1
			q.Top = &Top{N: 2, Members: []int{member}, By: rev, Other: true}
			if per {
				q.Top.Per = []int{0}
			}
			q.Outputs = append(q.Outputs, Output{Name: "is_other", Flag: "other"})
		}))
	}
	add("bottom", with(asked([]Key{product(), region()}, []Leaf{saleCount()}), func(q *Query) {
		q.Top = &Top{N: 3, Members: []int{0}, By: leafCell(0, 0, semantic.Integer), Asc: true}
	}))
	add("totals", with(asked([]Key{region(), saleKey("express", express)}, []Leaf{revenue(), reduced("avg", amount, "avg_amount")}), func(q *Query) {
		q.Totals = [][]int{{0}, {}}
		q.Outputs = append(q.Outputs, Output{Name: "is_total", Flag: "total"})
	}))
	add("order_and_limit", with(asked([]Key{region(), product()}, []Leaf{revenue()}), func(q *Query) {
		limit := 5
		q.Order, q.Limit, q.Offset = []SortKey{{Output: 2, Desc: true}}, &limit, 2
	}))
	add("listing_of_values", with(asked([]Key{region(), saleKey("segment", textCol(buyerNode, "segment"))}, nil), func(q *Query) { q.Listing = true }))

	// Numbers that rows are compared with.
	average := func() *Query {
		return with(asked(nil, []Leaf{reduced("avg", amount, "avg_amount")}), func(q *Query) { q.Contexts[0] = year("2024") })
	}
	add("above_average", with(asked([]Key{region()}, []Leaf{saleCount()}), func(q *Query) {
		where(q, []*Scalar{op2(">", amount, &Scalar{Op: "lookup", Index: 0, Type: semantic.Float, Sub: &Sub{Lookup: &Lookup{Query: average()}}})})
	}))
	add("among_the_top", with(asked([]Key{month()}, []Leaf{revenue()}), func(q *Query) {
		best := with(asked([]Key{product()}, []Leaf{revenue()}), func(b *Query) { b.Top = &Top{N: 2, Members: []int{0}, By: rev} })
		where(q, []*Scalar{{Op: "in_top", Type: semantic.Boolean, Sub: &Sub{Lookup: &Lookup{Query: best, Keys: []*Scalar{textCol(productNode, "product")}}}}})
	}))
	return all
}

// hasTicket says that the customer of a row has a ticket of a severity.
func hasTicket(node int, severity string) *Scalar {
	return &Scalar{Op: "exists", Type: semantic.Boolean, Sub: &Sub{
		Nodes: []Node{{Entity: "tickets", Table: "tickets", Parent: -1}},
		On:    []Pair{{Parent: textCol(node, "customer_id"), Own: textCol(0, "customer_id")}},
		Where: []*Scalar{op2("=", col(0, "severity", semantic.Integer), lit("num", severity, semantic.Integer))},
	}}
}

// periods445 is a calendar of four, four and five weeks from 2023 to 2025.
func periods445() []Bucket {
	var all []Bucket
	from := day("2023-01-01")
	for i := 0; from.Before(day("2026-01-01")); i++ {
		weeks := 4
		if i%3 == 2 {
			weeks = 5
		}
		to := from.AddDate(0, 0, 7*weeks)
		all = append(all, Bucket{From: from, To: to})
		from = to
	}
	return all
}

func with2(l Leaf, change func(l *Leaf)) Leaf {
	change(&l)
	return l
}

func with3(c Context, change func(c *Context)) Context {
	change(&c)
	return c
}
