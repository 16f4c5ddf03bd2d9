package frameqltest

import (
	"slices"

	"assay/backend/semantic"
)

// facts draws one to three facts; the second may hang below the first, as lines below orders, and the third may be
// snapshots of a balance.
func (g *worldDrawing) facts() {
	g.fact("orders")
	n := g.between(0, 99)
	if n >= 35 {
		g.fact("visits")
	}
	if n%10 >= 5 {
		g.lines()
	}
	if n%10 >= 7 || n%10 == 0 {
		g.balances()
	}
	if n >= 40 {
		g.crossMetrics()
	}
}

// fact draws a table of events with references to dimensions.
func (g *worldDrawing) fact(name string) {
	e := semantic.Entity{Name: name, Key: []string{"id"}, DefaultTime: "placed", Source: semantic.Source{Table: name}}
	t := &Table{Name: name}
	column := func(d semantic.Dimension) {
		e.Dimensions = append(e.Dimensions, d)
		t.Columns = append(t.Columns, Column{Name: d.Physical(), Type: d.Type})
	}
	placed := g.temporal("placed", g.of("day", "Day of it"), g.stamped(name))
	shipped := g.temporal("shipped", "", g.place != nil && g.chance(30))
	column(semantic.Dimension{Name: "id", Type: semantic.Integer})
	column(placed)
	column(shipped)
	g.written(name, placed)
	column(semantic.Dimension{Name: "status", Type: semantic.Text})
	column(semantic.Dimension{Name: "amount", Type: semantic.Decimal, Measure: true})
	column(semantic.Dimension{Name: "qty", Type: semantic.Integer, Measure: true})
	column(semantic.Dimension{Name: "weight", Type: semantic.Float, Measure: true})
	column(semantic.Dimension{Name: "ok", Type: semantic.Boolean})
	type reference struct {
		refs []semantic.Dimension
		keys [][]any
	}
	var all []reference
	refer := func(to, role string) {
		prefix := ""
		if role != "" {
			prefix = role + "_"
		}
		refs, keys := g.references(to, prefix)
		for _, d := range refs {
			column(d)
		}
		g.join(name, to, role, pairs(refs, g.entity(to).Key)...)
		all = append(all, reference{refs, keys})
	}
	for _, d := range g.dims {
		if d == "clients" || g.chance(60) {
			refer(d, "")
		}
	}
	if name == "orders" && g.chance(40) {
		refer("clients", "payer")
	}
	rows := g.between(0, 24)
	if g.chance(95) {
		rows = max(rows, 6)
	}
	for i := range rows {
		row := []any{Whole(int64(i + 1)), g.time(placed), g.time(shipped), g.of("paid", "open", "Paid"), g.money(), g.small(), g.quarterly(), g.flag()}
		if g.chance(8) {
			row[3] = nil
		}
		for _, r := range all {
			row = append(row, g.reference(r.refs, r.keys)...)
		}
		t.Rows = append(t.Rows, row)
	}
	g.add(e, t)
	g.metrics(name)
}

func (g *worldDrawing) metric(m semantic.Metric) { g.model.Metrics = append(g.model.Metrics, m) }

// metrics draws the metrics of a fact.
func (g *worldDrawing) metrics(fact string) {
	leaf := func(name, expr string, r semantic.Reducer) semantic.Metric {
		return semantic.Metric{Name: fact + "_" + name, Entity: fact, Kind: semantic.Leaf, Expr: expr, Reducer: r}
	}
	g.metric(leaf("sum", "amount", semantic.Sum))
	g.metric(leaf("count", "*", semantic.Count))
	g.metric(leaf("avg", g.of("amount", "qty", "weight"), semantic.Avg))
	g.metric(leaf("clients", "client_id", semantic.CountDistinct))
	g.metric(leaf("max", g.of("amount", "qty", "weight"), semantic.Max))
	g.metric(leaf("min", g.of("amount", "qty"), semantic.Min))
	value := leaf("value", g.of("amount * qty", "qty", "weight * 2", "amount - 1"), semantic.Sum)
	value.EmptyIs = g.of("", "null", "zero")
	g.metric(value)
	some := leaf("some", g.of("*", "qty"), semantic.Count)
	some.Filter = g.of("status = 'paid'", "ok", "amount > 1 AND NOT ok", "status <> 'open' OR qty IS NULL")
	some.EmptyIs = g.of("", "", "null")
	g.metric(some)
	shipped := leaf("shipped", "amount", semantic.Sum)
	shipped.Time = "shipped"
	g.metric(shipped)
	switch g.between(0, 5) {
	case 0:
		g.metric(leaf("mid", "amount", semantic.Median))
	case 1:
		p := leaf("p", "amount", semantic.Percentile)
		p.Percentile, p.Discrete = g.of("0.25", "0.9", "0.5"), g.chance(30)
		g.metric(p)
	case 2:
		g.metric(leaf("dev", "qty", semantic.StdDev))
	case 3:
		g.metric(leaf("final", "amount", semantic.Last))
	case 4:
		g.metric(leaf("first", "qty", semantic.First))
	case 5:
		g.metric(leaf("all_ok", "ok", g.reducer(semantic.Any, semantic.All)))
	}
	g.metric(semantic.Metric{Name: fact + "_mean", Kind: semantic.Ratio, Numerator: fact + "_sum", Denominator: fact + "_count"})
	if g.chance(40) {
		g.metric(semantic.Metric{Name: fact + "_part", Kind: semantic.Derived, Expr: "kept / " + fact + "_sum", Inputs: []semantic.Input{
			{Name: "kept", Metric: fact + "_sum", Filter: g.of("status = 'paid'", "ok", "qty > 1")},
		}})
	}
	if g.chance(30) {
		m := semantic.Metric{Name: fact + "_running", Kind: semantic.Cumulative, Of: fact + g.of("_sum", "_count", "_clients", "_avg", "_mean"), PeriodAgg: g.of("", "", "last", "first", "average")}
		switch g.between(0, 2) {
		case 0:
			m.Window = &semantic.Span{N: g.between(1, 40), Unit: "day"}
			if g.chance(40) {
				m.Window = &semantic.Span{N: g.between(1, 3), Unit: g.of(append([]string{"week", "month", "year"}, g.fiscal()...)...)}
			}
		case 1:
			m.ToDate = g.of(append([]string{"month", "year", "quarter", "week"}, g.fiscal()...)...)
		}
		g.metric(m)
	}
	if g.chance(30) {
		past := semantic.Input{Name: "past", Metric: fact + g.of("_sum", "_count", "_clients", "_max")}
		if g.chance(70) {
			past.Offset = &semantic.Span{N: g.between(1, 14), Unit: "day"}
			if g.chance(50) {
				past.Offset = &semantic.Span{N: g.between(1, 2), Unit: g.of("week", "month", "quarter", "year")}
			}
		} else {
			past.OffsetToStart = g.of("month", "year", "quarter")
		}
		g.metric(semantic.Metric{Name: fact + "_growth", Kind: semantic.Derived, Expr: fact + "_count - past", Inputs: []semantic.Input{past}})
	}
	g.metric(semantic.Metric{Name: fact + "_net", Kind: semantic.Derived, Expr: fact + g.of("_sum - 2 * ", "_sum / ", "_sum + ") + fact + "_count"})
}

func (g *worldDrawing) reducer(all ...semantic.Reducer) semantic.Reducer {
	return all[g.between(0, len(all)-1)]
}

func (g *worldDrawing) crossMetrics() {
	g.metric(semantic.Metric{Name: "per_visit", Kind: semantic.Ratio, Numerator: "orders_sum", Denominator: "visits_count"})
	g.metric(semantic.Metric{Name: "both", Kind: semantic.Derived, Expr: "orders_count + visits_count"})
}

// lines hang below orders: what orders have is repeated on each of their lines.
func (g *worldDrawing) lines() {
	e := semantic.Entity{Name: "lines", Key: []string{"order_id", "nr"}, Source: semantic.Source{Table: "order lines"}, Dimensions: []semantic.Dimension{
		{Name: "order_id", Type: semantic.Integer},
		{Name: "nr", Type: semantic.Integer},
		{Name: "price", Type: semantic.Decimal, Measure: true},
		{Name: "n", Type: semantic.Integer, Measure: true},
		{Name: "label", Type: semantic.Text},
	}}
	t := &Table{Name: "order lines"}
	for _, d := range e.Dimensions {
		t.Columns = append(t.Columns, Column{Name: d.Name, Type: d.Type})
	}
	orders := len(g.w.Tables["orders"].Rows)
	for i := range g.between(0, 24) {
		t.Rows = append(t.Rows, []any{Whole(int64(g.between(1, orders+1))), Whole(int64(i)), g.money(), g.small(), g.word()})
	}
	g.add(e, t)
	g.join("lines", "orders", "", semantic.ColumnPair{From: "order_id", To: "id"})
	g.metric(semantic.Metric{Name: "lines_value", Entity: "lines", Kind: semantic.Leaf, Expr: "price * n", Reducer: semantic.Sum, Time: "orders.placed"})
	g.metric(semantic.Metric{Name: "lines_count", Entity: "lines", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Time: "orders.placed"})
}

// balances are snapshots: one row for each account and day that has one.
func (g *worldDrawing) balances() {
	refs, keys := g.references("clients", "")
	asof := g.temporal("asof", "", g.place != nil && g.chance(30))
	e := semantic.Entity{Name: "levels", Key: []string{"account", "asof"}, DefaultTime: "asof", Source: semantic.Source{Table: "levels"}, Dimensions: []semantic.Dimension{
		{Name: "account", Type: semantic.Text}, asof, {Name: "level", Type: semantic.Integer, Measure: true},
	}}
	e.Dimensions = append(e.Dimensions, refs...)
	t := &Table{Name: "levels"}
	for _, d := range e.Dimensions {
		t.Columns = append(t.Columns, Column{Name: d.Name, Type: d.Type})
	}
	seen := map[string]bool{}
	for range g.between(0, 24) {
		day := g.time(asof)
		account := g.of("x", "y", "z")
		if day == nil || seen[account+identity(day)] {
			continue
		}
		seen[account+identity(day)] = true
		t.Rows = append(t.Rows, append([]any{account, day, g.small()}, g.reference(refs, keys)...))
	}
	g.add(e, t)
	g.join("levels", "clients", "", pairs(refs, g.entity("clients").Key)...)
	snapshot := func(name, how string) {
		g.metric(semantic.Metric{Name: name, Entity: "levels", Kind: semantic.Leaf, Expr: "level", Reducer: semantic.Sum, Additivity: semantic.Additivity{Default: how}})
	}
	snapshot("level_last", "semi(last)")
	snapshot("level_first", "semi(first)")
	snapshot("level_own", "semi(last, per: [account])")
	over := g.of("avg", "min", "max")
	snapshot("level_"+over, "semi("+over+")")
}

// attest measures every join, truly.
func (g *worldDrawing) attest() {
	g.w.Model = g.model
	for i := range g.model.Joins {
		j := &g.model.Joins[i]
		from := g.entity(j.From)
		a := &semantic.Attestation{Unique: true}
		for row := range g.w.rows(from) {
			p := place{from, row}
			missing := slices.ContainsFunc(j.On, func(on semantic.ColumnPair) bool { return g.w.value(p, on.From) == nil })
			switch {
			case missing:
				a.Missing++
			case g.w.partner(p, *j).row < 0:
				a.Orphans++
			}
		}
		j.Attested = a
		j.Total = a.Missing == 0 && a.Orphans == 0 && g.chance(70)
		if g.chance(30) {
			j.Attested = nil
		}
	}
}
