//go:build cgo

package reuse_test

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/reuse"
	"assay/backend/semantic"
)

// world makes tables, branches and frames at random.
type world struct{ *rand.Rand }

func (w world) chance(p float64) bool { return w.Float64() < p }

// rows writes the data of one state: a fact with missing keys, orphans, missing times and ties; customers with one row a
// key; promotions with several rows for some.
func (w world) rows(suffix string) []string {
	text := func(of ...string) string {
		v := pick(w, append(of, "")...)
		if v == "" {
			return "NULL"
		}
		return "'" + v + "'"
	}
	var fact, customers, promos []string
	for i := range 260 {
		ts, dt := "NULL", "NULL"
		if w.chance(.95) {
			// The last hours of days, months and years are drawn often: there a zone makes the difference.
			at := date("2023-01-01").Add(time.Duration(w.Intn(2*365*24*2)) * 30 * time.Minute)
			if w.chance(.3) {
				at = date(fmt.Sprintf("2023-%02d-01", 1+w.Intn(12))).AddDate(w.Intn(2), 0, 0).Add(time.Duration(w.Intn(28)-14) * 30 * time.Minute)
			}
			ts = "TIMESTAMP '" + at.Format("2006-01-02 15:04:05") + "'"
		}
		if w.chance(.95) {
			dt = "DATE '" + date("2023-01-02").AddDate(0, 0, 9*w.Intn(80)).Format("2006-01-02") + "'"
		}
		number := func(n int, null float64) string {
			if w.chance(null) {
				return "NULL"
			}
			return strconv.Itoa(w.Intn(n))
		}
		fact = append(fact, fmt.Sprintf("(%d, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", i, ts, dt, text("West", "East", "North"), text("Oslo", "Rome", "oslo"),
			text("a", "b", "c", "d"), number(14, .1), text("p", "q", "r"), number(20, .1), number(5000, .1), number(40, .1), pick(w, "true", "false", "NULL")))
	}
	for i := range 11 { // 11, 12 and 13 are orphans
		customers = append(customers, fmt.Sprintf("(%d, %s, %s)", i, text("small", "big"), text("NO", "IT")))
	}
	for _, code := range []string{"p", "q", "q", "r", "r"} {
		promos = append(promos, "('"+code+"', "+text("x", "y")+")")
	}
	return []string{
		"CREATE OR REPLACE TABLE f" + suffix + " AS SELECT id, ts, dt, region, city, product, cust, promo, qty, CAST(amount / 100 AS DECIMAL(12,2)) AS amount, CAST(price AS DOUBLE) / 4 AS price, ok FROM (VALUES " +
			strings.Join(fact, ",") + ") t(id, ts, dt, region, city, product, cust, promo, qty, amount, price, ok)",
		"CREATE OR REPLACE TABLE customers" + suffix + " AS SELECT * FROM (VALUES " + strings.Join(customers, ",") + ") t(id, segment, country)",
		"CREATE OR REPLACE TABLE promos" + suffix + " AS SELECT * FROM (VALUES " + strings.Join(promos, ",") + ") t(code, kind)",
	}
}

// nodes of a source in the order in which some query happens to need them.
func (w world) source() *compile.Source {
	all := []compile.Node{{Entity: "fact", Table: "f", Parent: -1}}
	col := func(node int, name string) *compile.Scalar {
		return &compile.Scalar{Op: "col", Node: node, Text: name}
	}
	for _, i := range w.Perm(2) {
		switch {
		case i == 0 && w.chance(.6):
			all = append(all, compile.Node{Entity: "customers", Table: "customers", Unique: true, On: []compile.Pair{{Parent: col(0, "cust"), Own: col(len(all), "id")}}})
		case i == 1 && w.chance(.12):
			all = append(all, compile.Node{Entity: "promos", Table: "promos", On: []compile.Pair{{Parent: col(0, "promo"), Own: col(len(all), "code")}}})
		}
	}
	return &compile.Source{Nodes: all}
}

var factTypes = map[string]semantic.Type{
	"id": "integer", "ts": "timestamp", "dt": "date", "region": "text", "city": "text", "product": "text", "cust": "integer", "promo": "text",
	"qty": "integer", "amount": "decimal", "price": "float", "ok": "boolean",
}

func fact(name string) *compile.Scalar {
	return &compile.Scalar{Op: "col", Text: name, Type: factTypes[name]}
}

// dimension gives a column to group or filter by: of the fact or of what the source joins.
func (w world) dimension(s *compile.Source) *compile.Scalar {
	if len(s.Nodes) > 1 && w.chance(.35) {
		i := 1 + w.Intn(len(s.Nodes)-1)
		if s.Nodes[i].Table == "customers" {
			return &compile.Scalar{Op: "col", Node: i, Text: pick(w, "segment", "country"), Type: semantic.Text}
		}
		return &compile.Scalar{Op: "col", Node: i, Text: "kind", Type: semantic.Text}
	}
	d := fact(pick(w, "region", "region", "city", "product", "cust", "ok", "price"))
	if d.Type == semantic.Text && w.chance(.08) {
		return &compile.Scalar{Op: "call", Text: "lower", Args: []*compile.Scalar{d}, Type: semantic.Text}
	}
	return d
}

// cut gives a cut of a time.
func (w world) cut(t *compile.Scalar) *compile.Scalar {
	s := &compile.Scalar{Op: "trunc", Args: []*compile.Scalar{t}, Type: semantic.Date}
	units := []string{"day", "day", "week", "week", "month", "month", "quarter", "year", "fiscal_quarter", "fiscal_year", "period", "half"}
	if t.Type == semantic.Timestamp {
		units = append(units, "hour", "hour", "minute")
	}
	s.Text = pick(w, units...)
	switch s.Text {
	case "hour", "minute":
		s.Type = semantic.Timestamp
	case "week":
		s.Shift = pick(w, 0, 0, 1)
	case "fiscal_quarter", "fiscal_year":
		s.Shift = pick(w, 1, 1, 4)
	case "period", "half":
		s.Buckets = buckets(s.Text, pick(w, "2023-01-01", "2023-01-01", "2022-12-25"))
	}
	if t.Type == semantic.Timestamp && w.chance(.2) {
		s.Zone, s.From = pick(w, "Europe/Berlin", "Asia/Kolkata", "America/New_York", "UTC"), pick(w, "", "", "UTC", "Europe/Berlin")
	}
	return s
}

// buckets of a calendar of whole weeks: periods of 4, 4 and 5 weeks, or half years of two times that.
func buckets(unit, start string) (all []compile.Bucket) {
	lengths := []int{28, 28, 35}
	if unit == "half" {
		lengths = []int{182}
	}
	for at, i := date(start), 0; at.Before(date("2024-12-20")); i++ {
		next := at.AddDate(0, 0, lengths[i%len(lengths)])
		all = append(all, compile.Bucket{From: at, To: next})
		at = next
	}
	return all
}

func lit(op, text string, t semantic.Type) *compile.Scalar {
	return &compile.Scalar{Op: op, Text: text, Type: t}
}

func is(op string, args ...*compile.Scalar) *compile.Scalar {
	return &compile.Scalar{Op: op, Args: args, Type: semantic.Boolean}
}

// condition on one dimension or number, sometimes on two.
func (w world) condition(s *compile.Source, deep int) *compile.Scalar {
	if deep > 0 && w.chance(.2) {
		switch a := w.condition(s, deep-1); w.Intn(3) {
		case 0:
			return is("not", a)
		case 1:
			return is("or", a, w.condition(s, deep-1))
		default:
			return is("and", a, w.condition(s, deep-1))
		}
	}
	if w.chance(.4) {
		n := fact(pick(w, "qty", "qty", "amount", "price"))
		l := lit("num", pick(w, "3", "5", "5.0", "7.5", "10", "15"), semantic.Decimal)
		c := is(pick(w, "=", "<>", "<", "<=", ">", ">="), n, l)
		if w.chance(.15) {
			c.Args[0], c.Args[1] = c.Args[1], c.Args[0]
		}
		return c
	}
	if w.chance(.12) {
		return is(pick(w, "<", ">=", ">"), fact("ts"), pick(w, lit("date", "2023-07-01", "date"), lit("timestamp", "2024-02-01 12:00:00", "timestamp")))
	}
	d := w.dimension(s)
	text := func() *compile.Scalar {
		return lit("str", pick(w, "West", "East", "North", "Oslo", "oslo", "Rome", "a", "b", "big", "NO", "x"), semantic.Text)
	}
	value := text
	switch d.Type {
	case semantic.Boolean:
		return pick(w, d, is("not", d), is("=", d, lit("bool", "true", "boolean")), is("is_null", d))
	case semantic.Integer, semantic.Float:
		value = func() *compile.Scalar { return lit("num", strconv.Itoa(w.Intn(10)), semantic.Integer) }
	}
	switch w.Intn(7) {
	case 0, 1:
		return is("=", d, value())
	case 2:
		return is("<>", d, value())
	case 3:
		return is(pick(w, "is_null", "not_null"), d)
	case 4:
		return is("same", d, pick(w, value(), lit("null", "", "")))
	default:
		list := []*compile.Scalar{d, value(), value(), value()}
		if w.chance(.1) {
			list = append(list, lit("null", "", ""))
		}
		return is(pick(w, "in", "in", "not_in"), list...)
	}
}

// leaf gives an aggregate of the fact.
func (w world) leaf(t *compile.Scalar) compile.Leaf {
	l := compile.Leaf{Time: t}
	switch w.Intn(13) {
	case 0, 1, 2:
		l.Reducer, l.Expr = "sum", fact(pick(w, "qty", "amount", "price"))
	case 3, 4:
		l.Reducer, l.Zero = "count", true
	case 5:
		l.Reducer, l.Expr, l.Zero = "count", fact(pick(w, "price", "cust")), true
	case 6:
		l.Reducer, l.Expr = pick(w, "min", "max"), fact(pick(w, "qty", "amount", "city"))
	case 7:
		l.Reducer, l.Expr = pick(w, "any", "all"), fact("ok")
	case 8, 9:
		l.Reducer, l.Distinct, l.Expr, l.Zero = "count", true, fact(pick(w, "cust", "city", "product")), true
	case 10:
		l.Reducer, l.Expr = pick(w, "median", "stddev"), fact("qty")
	case 11:
		l.Reducer, l.Expr, l.Tie = pick(w, "first", "last"), fact("product"), []*compile.Scalar{fact("id")}
	case 12:
		l.Reducer, l.Expr, l.Pick = "sum", fact("qty"), &compile.Pick{Last: true}
		if w.chance(.4) {
			l.Pick.Per = []*compile.Scalar{fact("cust")}
		}
	}
	if l.Pick == nil && w.chance(.12) {
		l.Filter = is("=", fact("region"), lit("str", pick(w, "West", "East"), semantic.Text))
	}
	return l
}

// period of whole months mostly, sometimes not aligned to anything, or reaching beyond the data.
func (w world) period(b *compile.Branch) {
	month := func() time.Time { return date("2023-01-01").AddDate(0, w.Intn(24), 0) }
	b.From = month()
	b.To = b.From.AddDate(0, pick(w, 1, 2, 3, 3, 6, 12), 0)
	switch w.Intn(10) {
	case 0:
		b.From, b.To = b.From.AddDate(0, 0, w.Intn(9)), b.To.AddDate(0, 0, w.Intn(9))
	case 1:
		b.From = b.From.Add(time.Duration(w.Intn(30)) * time.Hour)
	case 2:
		b.To = date("2026-03-05")
	case 3:
		b.From = time.Time{}
	case 4:
		b.To = time.Time{}
	case 5: // a whole year, or a week
		b.From = date("2023-01-01").AddDate(w.Intn(2), 0, 0)
		b.To = b.From.AddDate(1, 0, 0)
	case 6:
		b.From = date("2023-01-02").AddDate(0, 0, 7*w.Intn(90))
		b.To = b.From.AddDate(0, 0, 7*(1+w.Intn(20)))
	}
}

// branch gives a branch with names of its own.
func (w world) branch() compile.Branch {
	b := compile.Branch{Source: w.source(), Tables: []string{"f", "customers", "promos"}, Time: fact(pick(w, "ts", "ts", "dt"))}
	if w.chance(.75) {
		b.Keys = append(b.Keys, compile.BranchKey{Expr: w.cut(b.Time)})
	}
	for range w.Intn(3) {
		b.Keys = append(b.Keys, compile.BranchKey{Expr: w.dimension(b.Source)})
	}
	for range w.Intn(4) {
		b.Leaves = append(b.Leaves, compile.BranchLeaf{Leaf: w.leaf(b.Time)})
	}
	if len(b.Keys)+len(b.Leaves) == 0 {
		b.Leaves = append(b.Leaves, compile.BranchLeaf{Leaf: w.leaf(b.Time)})
	}
	for range w.Intn(3) {
		b.Filters = append(b.Filters, w.condition(b.Source, 1))
	}
	if w.chance(.6) {
		w.period(&b)
	}
	return named(b)
}

func named(b compile.Branch) compile.Branch {
	b.Keys, b.Leaves = append([]compile.BranchKey(nil), b.Keys...), append([]compile.BranchLeaf(nil), b.Leaves...)
	for i := range b.Keys {
		b.Keys[i].Name = fmt.Sprintf("key%d", i)
	}
	for i := range b.Leaves {
		b.Leaves[i].Name = fmt.Sprintf("leaf%d", i)
	}
	return b
}

// related gives a branch like b that a frame of it, or a frame that it is, may answer: other keys, leaves, conditions and
// periods, each changed with some chance.
func (w world) related(b compile.Branch) compile.Branch {
	b = named(b)
	if w.chance(.2) { // the same joins in another order
		b = w.renumbered(b)
	}
	var keys []compile.BranchKey
	for _, k := range b.Keys {
		switch {
		case w.chance(.12):
		case k.Expr.Op == "trunc" && w.chance(.35):
			next := w.cut(k.Expr.Args[0])
			if w.chance(.7) {
				next.Zone, next.From = k.Expr.Zone, k.Expr.From
			}
			keys = append(keys, compile.BranchKey{Expr: next})
		default:
			keys = append(keys, k)
		}
	}
	for w.chance(.3) {
		keys = append(keys, compile.BranchKey{Expr: w.dimension(b.Source)})
	}
	if w.chance(.15) {
		keys = append(keys, compile.BranchKey{Expr: w.cut(b.Time)})
	}
	var leaves []compile.BranchLeaf
	for _, l := range b.Leaves {
		if w.chance(.85) {
			leaves = append(leaves, l)
		}
	}
	if w.chance(.12) {
		leaves = append(leaves, compile.BranchLeaf{Leaf: w.leaf(b.Time)})
	}
	var filters []*compile.Scalar
	for _, f := range b.Filters {
		switch {
		case w.chance(.2):
		case w.chance(.25) && f.Op != "col" && len(f.Args) > 1: // the same term, another value
			g := *f
			g.Args = append([]*compile.Scalar(nil), f.Args...)
			if last := g.Args[len(g.Args)-1]; last.Op == "num" {
				g.Args[len(g.Args)-1] = lit("num", strconv.Itoa(w.Intn(16)), last.Type)
			} else if len(g.Args) > 2 {
				g.Args = g.Args[:len(g.Args)-1]
			}
			filters = append(filters, &g)
		default:
			filters = append(filters, f)
		}
	}
	for w.chance(.25) {
		f := w.condition(b.Source, 1)
		if len(keys) > 0 && w.chance(.6) && keys[0].Expr.Type == semantic.Text {
			f = is("=", keys[0].Expr, lit("str", pick(w, "West", "Oslo", "a", "big"), semantic.Text))
		}
		filters = append(filters, f)
	}
	if w.chance(.5) {
		if w.chance(.4) {
			b.From, b.To = time.Time{}, time.Time{}
		} else {
			w.period(&b)
		}
	}
	b.Keys, b.Leaves, b.Filters = keys, leaves, filters
	if len(b.Keys)+len(b.Leaves) == 0 {
		b.Leaves = []compile.BranchLeaf{{Leaf: compile.Leaf{Reducer: "count", Time: b.Time, Zero: true}}}
	}
	return named(b)
}

// renumbered lists the joins of a branch in the opposite order.
func (w world) renumbered(b compile.Branch) compile.Branch {
	n := len(b.Source.Nodes)
	if n < 3 {
		return b
	}
	turn := func(i int) int {
		if i == 0 {
			return 0
		}
		return n - i
	}
	source := compile.Source{Nodes: make([]compile.Node, n)}
	for i, node := range b.Source.Nodes {
		on := append([]compile.Pair(nil), node.On...)
		for j := range on {
			on[j] = compile.Pair{Parent: renumber(on[j].Parent, turn), Own: renumber(on[j].Own, turn)}
		}
		node.On = on
		source.Nodes[turn(i)] = node
	}
	b.Source = &source
	b.Keys, b.Filters = append([]compile.BranchKey(nil), b.Keys...), append([]*compile.Scalar(nil), b.Filters...)
	for i := range b.Keys {
		b.Keys[i].Expr = renumber(b.Keys[i].Expr, turn)
	}
	for i := range b.Filters {
		b.Filters[i] = renumber(b.Filters[i], turn)
	}
	return b // leaves speak of the fact, which stays where it is
}

func renumber(s *compile.Scalar, turn func(int) int) *compile.Scalar {
	out := *s
	out.Node = turn(s.Node)
	out.Args = make([]*compile.Scalar, len(s.Args))
	for i, a := range s.Args {
		out.Args[i] = renumber(a, turn)
	}
	return &out
}

// facts of a state of the data.
func facts(epoch string) reuse.Facts {
	return reuse.Facts{Model: "m1", Epochs: map[string]string{"f": epoch, "customers": epoch, "promos": epoch}}
}
