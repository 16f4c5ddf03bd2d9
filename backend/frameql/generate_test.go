package frameql_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"pgregory.net/rapid"

	. "assay/backend/frameql"
)

// drawQuery draws any query that text can say, in the form that Parse gives it.
func drawQuery(t *rapid.T) *Query { return anyQuery(drawn(t)) }

func anyQuery(g drawing) *Query {
	q := &Query{V: 1, Explain: g.coin()}
	for range g.upTo(2) {
		name := g.ident()
		if !slices.ContainsFunc(q.With, func(d Def) bool { return strings.EqualFold(d.Name, name) }) {
			q.With = append(q.With, Def{Name: name, Expr: g.expr(2)})
		}
	}
	for range 1 + g.upTo(3) {
		it := Item{}
		if g.coin() {
			d := g.dim()
			it.Dim = &d
		} else {
			it.Expr = g.compound(3)
		}
		if g.coin() {
			it.As = g.ident()
		}
		q.Select = append(q.Select, it)
	}
	if g.coin() {
		q.At = g.grain()
	}
	for range g.upTo(2) {
		q.From = append(q.From, g.ident())
	}
	if g.coin() {
		q.Where = g.pred(3, false)
	}
	if g.coin() {
		q.Time = &During{Period: g.period()}
		if g.coin() {
			d := g.dim()
			q.Time.On = &d
		}
	}
	for range g.upTo(2) {
		q.Compare = append(q.Compare, g.comparand())
	}
	if g.coin() {
		q.Having = g.pred(3, true)
	}
	if g.coin() {
		q.Top = &Top{N: 1 + g.upTo(50), Dim: g.dim(), By: g.key(), Asc: g.coin(), Other: g.coin()}
		if g.coin() {
			d := g.dim()
			q.Top.Per = &d
		}
	}
	q.Fill = g.of("", "zero", "null", "last", "none")
	for range g.upTo(3) {
		set := []Dim{}
		for range g.upTo(2) {
			set = append(set, g.dim())
		}
		q.Totals = append(q.Totals, set)
	}
	for range g.upTo(2) {
		q.Order = append(q.Order, Order{Key: g.key(), Desc: g.coin()})
	}
	if g.coin() {
		n := g.upTo(1000)
		q.Limit = &n
		q.Offset = g.upTo(10)
	}
	for _, name := range []string{"a \"b\"", "calendar", "distinct", "max_rows", "partial", "tz", "verify", "week_start"} {
		if g.upTo(9) == 0 {
			q.Options = append(q.Options, Option{Name: name, Value: g.value()})
		}
	}
	return q
}

// drawing makes choices: pick gives a number below n.
type drawing struct{ pick func(n int) int }

// drawn lets rapid choose, which makes a counterexample small.
func drawn(t *rapid.T) drawing {
	return drawing{func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }}
}

// seeded chooses by a seed, which is fast.
func seeded(seed uint64) drawing {
	return drawing{rand.New(rand.NewPCG(seed, 0)).IntN}
}

func (g drawing) upTo(n int) int          { return g.pick(n + 1) }
func (g drawing) coin() bool              { return g.pick(2) == 1 }
func (g drawing) of(all ...string) string { return all[g.pick(len(all))] }
func (g drawing) ident() string {
	return g.of("region", "revenue", "Order", "select", "order_date", "month", "LAST", "sum", "any", "no", "Straße", "東京",
		"a b", `q"uote`, "a-b", "1st", "it's", "_x", "year", "period", "FY2025", "true", "x;y", "naïve", "dé jà",
		"fiscal_week", "retail period", `"month"`, `""year""`, "ſelect", "مبيعات", "हिन्दी", "--", "/*x*/", "\u202eabc", "a\r\nb", "İstanbul", "NaN", "Infinity")
}

// name is dotted and does not end in a bare grain, so that it reads back as a name.
func (g drawing) name() string {
	parts := make([]string, 1+g.upTo(2))
	for i := range parts {
		parts[i] = g.ident()
	}
	return strings.Join(parts, ".")
}

func (g drawing) dim() Dim {
	d := Dim{Name: g.name()}
	if g.coin() {
		d.Grain = g.of("hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year")
	}
	return d
}

func (g drawing) grain() *Grain {
	gr := &Grain{}
	for range g.upTo(3) {
		gr.Dims = append(gr.Dims, g.dim())
	}
	switch g.upTo(5) {
	case 0:
		gr.IgnoreFilters = true
	case 1:
		gr.IgnoreDims = []Dim{g.dim()}
	}
	return gr
}

func (g drawing) value() Value {
	switch g.upTo(3) {
	case 0:
		return Value{Kind: Number, Text: g.of("0", "-1", "1.50", "1e6", "-2.5e-3", "12345678901234567890123456789012345678", "-0.00000000000000000000000000000000000001")}
	case 1:
		return Value{Kind: Bool, Text: g.of("true", "false")}
	case 2:
		return Value{Kind: Null}
	default:
		return Value{Kind: String, Text: g.of("", "paid", "O'Brien", `"`, "<&>", "a\nb", "日本", "\\", "--", "/* */", "\u202e\u200f", "e\u0301", "\ufeff", "2025-01-01")}
	}
}

func (g drawing) expr(depth int) *Expr {
	if g.coin() {
		return &Expr{Metric: g.name()}
	}
	return g.compound(depth)
}

// compound is an expression that is more than a bare name.
func (g drawing) compound(depth int) *Expr {
	var e *Expr
	switch kind := g.upTo(5); {
	case kind == 0 || depth == 0:
		e = &Expr{Num: g.of("1", "-2", "0.5", "100")}
		if depth > 0 && g.upTo(9) == 0 {
			e.At = g.grain()
		}
		return e
	case kind == 1:
		e = &Expr{Metric: g.name(), Filter: g.pred(depth-1, false)}
	case kind == 2:
		e = &Expr{Reduce: g.of("sum", "avg", "min", "max", "count", "median", "percentile", "stddev", "first", "last", "any", "all"), Dist: g.coin()}
		if g.coin() {
			e.Star = true
		} else {
			e.Of = g.expr(depth - 1)
		}
		for range g.upTo(1) {
			e.Params = append(e.Params, g.value())
		}
		e.Filter = g.filter(depth)
	case kind == 3:
		e = &Expr{Fn: g.of("prev", "delta", "pct_change", "share", "cumulative", "moving", "rank", "index"), Of: g.expr(depth - 1)}
		for range g.upTo(2) {
			e.Params = append(e.Params, g.value())
		}
		e.Unit = g.of("", "day", "month", "bank day")
		if g.coin() {
			e.At = g.grain()
		}
		e.Filter = g.filter(depth)
		return g.wrapped(e)
	default:
		e = &Expr{Op: g.of("+", "-", "*", "/"), Args: []*Expr{g.expr(depth - 1), g.expr(depth - 1)}}
	}
	return g.wrapped(e)
}

// wrapped puts a grain around the expression now and then.
func (g drawing) wrapped(e *Expr) *Expr {
	if g.upTo(3) > 0 {
		return e
	}
	if e.At != nil || e.Fn != "" {
		return &Expr{Op: "at", Args: []*Expr{e}, At: g.grain()}
	}
	e.At = g.grain()
	return e
}

func (g drawing) filter(depth int) *Pred {
	if g.upTo(2) > 0 {
		return nil
	}
	return g.pred(depth-1, false)
}

func (g drawing) pred(depth int, having bool) *Pred {
	if depth > 0 {
		switch g.upTo(5) {
		case 0, 1:
			all := []*Pred{}
			for range 2 + g.upTo(1) {
				all = append(all, g.pred(depth-1, having))
			}
			if g.coin() {
				return &Pred{And: all}
			}
			return &Pred{Or: all}
		case 2:
			return &Pred{Not: g.pred(depth-1, having)}
		case 3:
			p := &Pred{Quant: g.of("any", "all", "no"), Entity: g.ident()}
			if g.coin() {
				p.Pred = g.pred(depth-1, false)
			}
			return p
		}
	}
	p := &Pred{}
	switch {
	case !having:
		d := g.dim()
		p.Dim, p.Grain = d.Name, d.Grain
	case g.coin():
		p.Out = g.name()
	default:
		p.Left = g.compound(2)
	}
	switch g.upTo(6) {
	case 0:
		p.Op = g.of("is_null", "not_null")
	case 1:
		p.Op = g.of("in", "not_in")
		for range 1 + g.upTo(3) {
			p.Vals = append(p.Vals, g.value())
		}
	case 2:
		p.Op = g.of("between", "not_between")
		p.Vals = []Value{g.value(), g.value()}
	case 3:
		p.Op = g.of("like", "not_like", "contains", "not_contains", "starts_with", "not_starts_with")
		p.Val = &Value{Kind: String, Text: g.of("a%", "", "O'B")}
	case 4:
		p.Op, p.N, p.Expr = "in_top", 1+g.upTo(9), g.expr(1)
	default:
		p.Op = g.of("eq", "ne", "lt", "le", "gt", "ge")
		switch g.upTo(2) {
		case 0:
			d := g.dim()
			p.ValDim = &d
		case 1:
			p.Expr = g.compound(2)
			if alone := p.Expr.Num != "" && p.Expr.At == nil; alone || !having && p.Expr.At == nil || !having && p.Expr.Fn != "" {
				p.Expr = &Expr{Op: "at", Args: []*Expr{{Fn: "prev", Of: p.Expr}}, At: g.grain()}
			}
		default:
			v := g.value()
			p.Val = &v
		}
	}
	return p
}

func (g drawing) key() Key {
	if g.coin() {
		return Key{Out: g.name()}
	}
	return Key{Expr: g.compound(2)}
}

func (g drawing) period() Period {
	unit := g.of("hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year", "trimester", "to", "period", "retail period")
	date := func() string {
		return fmt.Sprintf("%02d%02d-%02d-%02d", g.upTo(99), 1+g.upTo(98), 1+g.upTo(11), 1+g.upTo(27)) +
			g.of("", "", "", "T00:00", "T02:30", "T23:59:59", "T01:02:03.000004")
	}
	switch g.upTo(6) {
	case 0:
		return Period{Kind: "literal", Value: g.of("2025", "0001", "9999-12-31", "2025-Q4", "2025-10", "2025-10-03", "FY2025", "FY2025-Q2")}
	case 1:
		return Period{Kind: "last", N: 1 + g.upTo(20), Unit: unit, Incl: g.coin()}
	case 2:
		return Period{Kind: "this", Unit: unit, ToDay: g.coin()}
	case 3:
		return Period{Kind: "previous", Unit: unit}
	case 4:
		p := Period{Kind: "range", From: date()}
		if g.coin() {
			p.To = date()
		}
		return p
	case 5:
		return Period{Kind: "between", From: date(), To: date()}
	default:
		return Period{Kind: g.of("all_time", "today", "yesterday", "ytd", "qtd", "mtd", "wtd")}
	}
}

func (g drawing) comparand() Comparand {
	switch g.upTo(4) {
	case 0:
		return Comparand{Kind: "previous_period"}
	case 1:
		return Comparand{Kind: "previous", Unit: g.of("month", "year", "period")}
	case 2:
		return Comparand{Kind: "same_period_last", Unit: "year"}
	case 3:
		p := g.period()
		return Comparand{Kind: "during", Period: &p}
	default:
		return Comparand{Kind: "target", Metric: g.name()}
	}
}

// drawShopQuery draws a query of the words of the shop, which resolves now and then.
func drawShopQuery(t *rapid.T) *Query {
	g := drawn(t)
	dims := []Dim{
		{Name: "country"},
		{Name: "customers"},
		{Name: "category_name"},
		{Name: "orders.order_date", Grain: "month"},
		{Name: "order_date", Grain: "year"},
		{Name: "month"},
		{Name: "size"},
		{Name: "area"},
		{Name: "manager.last_name"},
		{Name: "ship_to.town"},
		{Name: "products"},
		{Name: "status"},
		{Name: "customers.company_name"},
		{Name: "products.select"},
		{Name: "orders.shipped_at", Grain: "week"},
		{Name: "order_lines"},
	}
	metrics := []string{"revenue", "gross_revenue", "average_order_value", "discount_share", "line_count", "order_count", "discounted_lines"}
	dim := func() Dim { return rapid.SampledFrom(dims).Draw(t, "dim") }
	metric := func() string { return g.of(metrics...) }
	expr := func() *Expr {
		switch g.upTo(4) {
		case 0:
			return &Expr{Reduce: g.of("sum", "avg", "min", "max", "count", "median"), Of: &Expr{Metric: g.of("quantity", "unit_price", "revenue", "order_lines.discount")}}
		case 1:
			return &Expr{Reduce: "count", Dist: true, Of: &Expr{Metric: g.of("customers", "customers.city", "ship_to.town")}}
		case 2:
			return &Expr{Op: g.of("+", "-", "*", "/"), Args: []*Expr{{Metric: metric()}, {Op: "/", Args: []*Expr{{Metric: metric()}, {Num: "2"}}}}}
		case 3:
			return &Expr{Metric: metric(), Filter: &Pred{Dim: "discount", Op: "gt", Val: &Value{Kind: Number, Text: "0"}}}
		}
		return &Expr{Metric: metric()}
	}
	q := &Query{V: 1}
	for range g.upTo(3) {
		d := dim()
		q.Select = append(q.Select, Item{Dim: &d})
	}
	for range g.upTo(3) {
		q.Select = append(q.Select, Item{Expr: expr(), As: g.of("", "", "x", "select", "Revenue", "g", "month")})
	}
	if len(q.Select) == 0 {
		q.Select = []Item{{Expr: &Expr{Metric: "revenue"}}}
	}
	if g.coin() {
		q.At = &Grain{}
		for _, it := range q.Select {
			if it.Dim != nil {
				q.At.Dims = append(q.At.Dims, *it.Dim)
			}
		}
		if g.coin() {
			q.At.Dims = append(q.At.Dims, dim())
		}
	}
	if g.coin() {
		q.Where = rapid.SampledFrom([]*Pred{
			{Dim: "country", Op: "in", Vals: []Value{{Kind: String, Text: "France"}, {Kind: String, Text: "it's"}}},
			{Or: []*Pred{{Dim: "quantity", Op: "between", Vals: []Value{{Kind: Number, Text: "-1"}, {Kind: Number, Text: "1e2"}}}, {Dim: "area", Op: "eq", Val: &Value{Kind: String, Text: "DACH"}}}},
			{Not: &Pred{Dim: "customers.active", Op: "eq", Val: &Value{Kind: Bool, Text: "true"}}},
			{Dim: "order_date", Grain: "quarter", Op: "ge", Val: &Value{Kind: String, Text: "1997-Q2"}},
			{Dim: "shipped_at", Op: "lt", Val: &Value{Kind: String, Text: "1997-07-01T12:30"}},
			{Dim: "unit_price", Op: "lt", ValDim: &Dim{Name: "products.list_price"}},
			{Left: &Expr{Metric: "revenue", At: &Grain{Dims: []Dim{{Name: "customers"}}}}, Op: "gt", Val: &Value{Kind: Number, Text: "10"}},
		}).Draw(t, "where").Clone()
	}
	if g.coin() {
		q.Time = &During{Period: rapid.SampledFrom([]Period{{Kind: "literal", Value: "1997"}, {Kind: "last", N: 4, Unit: "quarter"}, {Kind: "ytd"}, {Kind: "range", From: "1997-02-01"}}).Draw(t, "period")}
	}
	if g.coin() {
		q.Having = rapid.SampledFrom([]*Pred{
			{Out: "revenue", Op: "gt", Val: &Value{Kind: Number, Text: "10"}},
			{Left: &Expr{Op: "/", Args: []*Expr{{Metric: "revenue"}, {Metric: "line_count"}}}, Op: "ge", Expr: &Expr{Metric: "average_order_value"}},
			{Out: "country", Op: "ne", Val: &Value{Kind: String, Text: "x"}},
		}).Draw(t, "having").Clone()
	}
	key := func() Key {
		if g.coin() {
			return Key{Out: g.of("revenue", "average_order_value", "country", "x", "month")}
		}
		return Key{Expr: expr()}
	}
	if g.coin() {
		d := dim()
		for _, it := range q.Select {
			if it.Dim != nil && g.coin() {
				d = *it.Dim
			}
		}
		q.Top = &Top{N: 1 + g.upTo(3), Dim: d, By: key(), Asc: g.coin()}
	}
	for range g.upTo(2) {
		q.Order = append(q.Order, Order{Key: key(), Desc: g.coin()})
	}
	if g.coin() {
		n := g.upTo(5)
		q.Limit = &n
		q.Offset = g.upTo(2)
	}
	return q
}
