package compile_test

import (
	"time"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// The shop of testdata/shop.sql as bound queries see it: facts with what they reach, keys by source.

func col(node int, name string, t semantic.Type) *Scalar {
	return &Scalar{Op: "col", Node: node, Text: name, Type: t}
}

func str(s string) *Scalar { return &Scalar{Op: "str", Text: s, Type: semantic.Text} }

func num(s string) *Scalar { return &Scalar{Op: "num", Text: s, Type: semantic.Integer} }

func op(name string, args ...*Scalar) *Scalar {
	s := &Scalar{Op: name, Args: args}
	if len(args) > 0 {
		s.Type = args[0].Type
	}
	switch name {
	case "/":
		s.Type = semantic.Float
	case "=", "<>", "<", "<=", ">", ">=", "and", "or", "not", "in", "is_null", "not_null":
		s.Type = semantic.Boolean
	}
	return s
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func node(entity string, at, parent int, from, to string) Node {
	return Node{
		Entity: entity, Table: entity, Parent: parent,
		On:  []Pair{{Parent: col(parent, from, semantic.Integer), Own: col(at, to, semantic.Integer)}},
		Key: []*Scalar{col(at, to, semantic.Integer)},
	}
}

// The sources.
const (
	orders = iota
	tickets
	balances
	nothing
)

func sources() []Source {
	return []Source{
		{Nodes: []Node{
			{Entity: "orders", Table: "orders", Parent: -1, Key: []*Scalar{col(0, "order_id", semantic.Integer)}},
			node("customers", 1, 0, "customer_id", "customer_id"), node("regions", 2, 1, "region_id", "region_id"), node("products", 3, 0, "product_id", "product_id"),
		}},
		{Nodes: []Node{
			{Entity: "tickets", Table: "tickets", Parent: -1, Key: []*Scalar{col(0, "ticket_id", semantic.Integer)}},
			node("customers", 1, 0, "customer_id", "customer_id"), node("regions", 2, 1, "region_id", "region_id"),
		}},
		{Nodes: []Node{
			{Entity: "balances", Table: "balances", Parent: -1}, node("regions", 1, 0, "region_id", "region_id"),
		}},
		{Nodes: []Node{
			{Entity: "nothing", Table: "nothing", Parent: -1}, node("customers", 1, 0, "customer_id", "customer_id"), node("regions", 2, 1, "region_id", "region_id"),
		}},
	}
}

// times are the metric times by source.
func times() []*Scalar {
	return []*Scalar{col(0, "order_date", semantic.Date), col(0, "opened_at", semantic.Timestamp), col(0, "day", semantic.Date), col(0, "day", semantic.Date)}
}

// The keys.
const (
	region = iota
	segment
	customer
	category
	product
	month
	year
	day
	quarter
	week
)

func axis(name, unit string, on ...int) Key {
	return Key{Name: name, Axis: true, Cut: &Scalar{Op: "trunc", Text: unit}, Type: semantic.Date, DependsOn: on}
}

func keys() []Key {
	return []Key{
		{Name: "region", Exprs: []*Scalar{col(2, "region_name", semantic.Text), col(2, "region_name", semantic.Text), col(1, "region_name", semantic.Text), col(2, "region_name", semantic.Text)}, Type: semantic.Text, DependsOn: []int{customer}},
		{Name: "segment", Exprs: []*Scalar{col(1, "segment", semantic.Text), col(1, "segment", semantic.Text), nil, col(1, "segment", semantic.Text)}, Type: semantic.Text, DependsOn: []int{customer}},
		{Name: "customer_id", Exprs: []*Scalar{col(1, "customer_id", semantic.Integer), col(1, "customer_id", semantic.Integer), nil, col(1, "customer_id", semantic.Integer)}, Type: semantic.Integer},
		{Name: "category", Exprs: []*Scalar{col(3, "category", semantic.Text), nil, nil, nil}, Type: semantic.Text, DependsOn: []int{product}},
		{Name: "product_id", Exprs: []*Scalar{col(3, "product_id", semantic.Integer), nil, nil, nil}, Type: semantic.Integer},
		axis("month", "month", day),
		axis("year", "year", month),
		axis("day", "day"),
		axis("quarter", "quarter", month),
		axis("week", "week", day),
	}
}

// The leaves.
const (
	revenue = iota
	orderCount
	averageAmount
	buyers
	medianAmount
	ticketCount
	minutes
	balanceLast
	balancePerKey
	lastAmount
	paidAny
	bigRevenue
	nothingSum
	nothingMax
)

func leaves() []Leaf {
	t := times()
	amount := col(0, "amount", semantic.Decimal)
	return []Leaf{
		{Source: orders, Reducer: "sum", Expr: amount, Time: t[0], Zero: true, Name: "revenue", Type: semantic.Decimal, Metric: "revenue"},
		{Source: orders, Reducer: "count", Time: t[0], Zero: true, Name: "order_count", Type: semantic.Integer},
		{Source: orders, Reducer: "avg", Expr: amount, Time: t[0], Name: "average_amount", Type: semantic.Float},
		{Source: orders, Reducer: "count", Distinct: true, Expr: col(0, "customer_id", semantic.Integer), Time: t[0], Zero: true, Name: "buyers", Type: semantic.Integer},
		{Source: orders, Reducer: "median", Expr: amount, Time: t[0], Name: "median_amount"},
		{Source: tickets, Reducer: "count", Time: t[1], Zero: true, Name: "ticket_count", Type: semantic.Integer},
		{Source: tickets, Reducer: "avg", Expr: col(0, "minutes", semantic.Integer), Time: t[1], Name: "minutes", Type: semantic.Float},
		{Source: balances, Reducer: "sum", Expr: col(0, "balance", semantic.Decimal), Time: t[2], Name: "balance", Type: semantic.Decimal, Pick: &Pick{Last: true}},
		{Source: balances, Reducer: "sum", Expr: col(0, "balance", semantic.Decimal), Time: t[2], Name: "balance_each", Type: semantic.Decimal, Pick: &Pick{Last: true, Per: []*Scalar{col(0, "account_id", semantic.Integer)}}},
		{Source: orders, Reducer: "last", Expr: amount, Time: t[0], Tie: []*Scalar{col(0, "order_id", semantic.Integer)}, Name: "last_amount", Type: semantic.Decimal},
		{Source: orders, Reducer: "any", Expr: col(0, "paid", semantic.Boolean), Time: t[0], Name: "any_paid", Type: semantic.Boolean},
		{Source: orders, Reducer: "sum", Expr: amount, Filter: op(">", amount, num("9")), Time: t[0], Zero: true, Name: "big_revenue", Type: semantic.Decimal},
		{Source: nothing, Reducer: "sum", Expr: col(0, "x", semantic.Integer), Time: t[3], Zero: true, Name: "nothing_sum", Type: semantic.Integer},
		{Source: nothing, Reducer: "max", Expr: col(0, "x", semantic.Integer), Time: t[3], Name: "nothing_max", Type: semantic.Integer},
	}
}

func leaf(i int) *Scalar { return at(i, 0) }

func at(i, ctx int) *Scalar { return &Scalar{Op: "leaf", Index: i, Ctx: ctx, Type: leaves()[i].Type} }

func key(i int) *Scalar { return &Scalar{Op: "key", Index: i, Type: keys()[i].Type} }

func coarser(x *Scalar, grain ...int) *Scalar {
	return &Scalar{Op: "at", Args: []*Scalar{x}, Keys: grain, Type: x.Type}
}

func reduce(reducer string, x *Scalar, grain ...int) *Scalar {
	s := &Scalar{Op: "reduce", Text: reducer, Args: []*Scalar{x}, Keys: grain, Type: x.Type}
	if reducer == "avg" {
		s.Type = semantic.Float
	}
	return s
}

func over(name string, x *Scalar, n int, unit string) *Scalar {
	return &Scalar{Op: name, Args: []*Scalar{x}, N: n, Unit: unit, Type: x.Type}
}

// query gives a query with the grain and a column for each key of it, then cells as name, cell, name, cell.
func query(grain []int, cells ...any) *Query {
	q := &Query{Sources: sources(), Keys: keys(), Grain: grain, Leaves: leaves(), Contexts: []Context{{}}}
	for i := range q.Sources { // facts that let every rewrite that needs no proof be tried
		q.Sources[i].Rows = 1 << 30
		for n := range q.Sources[i].Nodes {
			q.Sources[i].Nodes[n].Rows, q.Sources[i].Nodes[n].Unique = 6, true
		}
	}
	for i := range q.Keys {
		q.Keys[i].Size, q.Keys[i].Days = 6, 400
	}
	for _, k := range grain {
		q.Outputs = append(q.Outputs, Output{Name: keys()[k].Name, Cell: key(k)})
	}
	for i := 0; i+1 < len(cells); i += 2 {
		q.Outputs = append(q.Outputs, Output{Name: cells[i].(string), Cell: cells[i+1].(*Scalar)})
	}
	return q
}

func (b built) during(from, to time.Time) built {
	b.Contexts[0].From, b.Contexts[0].To = from, to
	return b
}

// built is a query that is put together further.
type built struct{ *Query }

func q(grain []int, cells ...any) built { return built{query(grain, cells...)} }

func (b built) where(source int, conditions ...*Scalar) built {
	b.Sources[source].Where = conditions
	return b
}

func (b built) context(c Context) built {
	b.Contexts = append(b.Contexts, c)
	return b
}

// covering says where the data of every leaf lies.
func (b built) covering(from, to time.Time) built {
	for i := range b.Leaves {
		b.Leaves[i].CoverFrom, b.Leaves[i].CoverTo = from, to
	}
	return b
}

func (b built) with(change func(*Query)) built {
	change(b.Query)
	return b
}
