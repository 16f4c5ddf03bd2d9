package frameql

import (
	"strconv"
	"strings"
)

// String gives the canonical text: Parse of it gives an equal query, and equal queries have equal text.
func (q *Query) String() string {
	var w printer
	w.query(q)
	return w.String()
}

// String gives the canonical text of a period: "LAST 3 MONTH".
func (p Period) String() string {
	var w printer
	w.period(p)
	return w.String()
}

// String gives the canonical text of a predicate, as it stands in WHERE or HAVING.
func (p *Pred) String() string {
	var w printer
	w.pred(p)
	return w.String()
}

// String gives the canonical text of an expression.
func (e *Expr) String() string {
	var w printer
	w.expr(e, 0)
	return w.String()
}

// String gives the canonical text of a dimension: orders.order_date.month.
func (d Dim) String() string {
	var w printer
	w.dim(d)
	return w.String()
}

// printer writes canonical text. With spans it also notes where each node of the query stands in it.
type printer struct {
	strings.Builder
	spans map[any][2]int // *Item, *Dim, *Expr, *Pred, *Top, *Order, *During, *Comparand, *Def, *Grain -> bytes
}

// note records the span of a node when its printing is done: defer w.note(node)().
func (w *printer) note(node any) func() {
	if w.spans == nil {
		return func() {}
	}
	start := w.Len()
	return func() { w.spans[node] = [2]int{start, w.Len()} }
}

func (w *printer) say(parts ...string) {
	for _, s := range parts {
		w.WriteString(s)
	}
}

func (w *printer) query(q *Query) {
	if q.Explain {
		w.say("EXPLAIN ")
	}
	for i := range q.With {
		w.say(separator(i, "WITH "), quoted(q.With[i].Name), " = ")
		w.expr(q.With[i].Expr, 0)
	}
	if len(q.With) > 0 {
		w.say(" ")
	}
	w.say("SELECT ")
	for i := range q.Select {
		w.say(separator(i, ""))
		w.item(&q.Select[i])
	}
	if q.At != nil {
		w.say(" AT ")
		w.grain(q.At)
	}
	for i, f := range q.From {
		w.say(separator(i, " FROM "), quoted(f))
	}
	if q.Where != nil {
		w.say(" WHERE ")
		w.pred(q.Where)
	}
	if q.Time != nil {
		w.say(" ")
		w.during(q.Time)
	}
	for i := range q.Compare {
		w.say(separator(i, " COMPARE TO "))
		w.comparand(&q.Compare[i])
	}
	if q.Having != nil {
		w.say(" HAVING ")
		w.pred(q.Having)
	}
	if q.Top != nil {
		w.say(" ")
		w.top(q.Top)
	}
	if q.Fill != "" {
		w.say(" FILL ", strings.ToUpper(q.Fill))
	}
	w.totals(q.Totals)
	for i := range q.Order {
		w.say(separator(i, " ORDER BY "))
		w.order(&q.Order[i])
	}
	if q.Limit != nil {
		w.say(" LIMIT ", strconv.Itoa(*q.Limit))
		if q.Offset > 0 {
			w.say(" OFFSET ", strconv.Itoa(q.Offset))
		}
	}
	for i, o := range q.Options {
		w.say(separator(i, " OPTIONS ("), quoted(o.Name), " = ")
		w.value(o.Value)
	}
	if len(q.Options) > 0 {
		w.say(")")
	}
}

// separator gives the opening before the first of a list and a comma before the others.
func separator(i int, opening string) string {
	if i == 0 {
		return opening
	}
	return ", "
}

func (w *printer) item(it *Item) {
	defer w.note(it)()
	if it.Dim != nil {
		w.dimAt(it.Dim)
	} else {
		w.expr(it.Expr, 0)
	}
	if it.As != "" {
		w.say(" AS ", quoted(it.As))
	}
}

func (w *printer) top(t *Top) {
	defer w.note(t)()
	w.say("TOP ", strconv.Itoa(t.N), " ")
	w.dimAt(&t.Dim)
	w.say(" BY ")
	w.key(&t.By)
	if t.Asc {
		w.say(" ASC")
	}
	if t.Per != nil {
		w.say(" PER ")
		w.dimAt(t.Per)
	}
	if t.Other {
		w.say(" WITH OTHER")
	}
}

// totals writes TOTALS for the grand total alone, else BY and one total for each grain, a single dimension without
// parentheses.
func (w *printer) totals(sets [][]Dim) {
	if len(sets) == 1 && len(sets[0]) == 0 {
		w.say(" TOTALS")
		return
	}
	for i, set := range sets {
		w.say(separator(i, " TOTALS BY "))
		if len(set) == 1 {
			w.dimAt(&set[0])
			continue
		}
		w.say("(")
		for j := range set {
			w.say(separator(j, ""))
			w.dimAt(&set[j])
		}
		w.say(")")
	}
}

func (w *printer) order(o *Order) {
	defer w.note(o)()
	w.key(&o.Key)
	if o.Desc {
		w.say(" DESC")
	}
}

func (w *printer) key(k *Key) {
	defer w.note(k)()
	if k.Expr != nil {
		w.expr(k.Expr, 0)
		return
	}
	w.name(k.Out)
}

func (w *printer) during(d *During) {
	defer w.note(d)()
	w.say("DURING ")
	w.period(d.Period)
	if d.On != nil {
		w.say(" ON ")
		w.dimAt(d.On)
	}
}

func (w *printer) period(p Period) {
	switch p.Kind {
	case "literal":
		w.say(p.Value)
	case "last":
		w.say("LAST ", strconv.Itoa(p.N), " ", unitText(p.Unit))
		if p.Incl {
			w.say(" INCLUDING CURRENT")
		}
	case "this":
		w.say("THIS ", unitText(p.Unit))
		if p.ToDay {
			w.say(" TO DATE")
		}
	case "previous":
		w.say("PREVIOUS ", unitText(p.Unit))
	case "range":
		w.say("FROM ", momentText(p.From))
		if p.To != "" {
			w.say(" TO ", momentText(p.To))
		}
	case "between":
		w.say("BETWEEN ", momentText(p.From), " AND ", momentText(p.To))
	case "all_time":
		w.say("ALL TIME")
	default:
		w.say(strings.ToUpper(p.Kind))
	}
}

// momentText writes a date as it stands and a moment in quotes.
func momentText(m string) string {
	if strings.ContainsRune(m, 'T') {
		return "'" + m + "'"
	}
	return m
}

func (w *printer) comparand(c *Comparand) {
	defer w.note(c)()
	switch c.Kind {
	case "previous_period":
		w.say("PREVIOUS PERIOD")
	case "previous":
		w.say("PREVIOUS ", unitText(c.Unit))
	case "same_period_last":
		w.say("SAME PERIOD LAST ", unitText(c.Unit))
	case "during":
		w.say("DURING ")
		if c.Period != nil {
			w.period(*c.Period)
		}
	case "target":
		w.say("TARGET ")
		w.name(c.Metric)
	}
}

func (w *printer) grain(g *Grain) {
	defer w.note(g)()
	ignoring := g.IgnoreFilters || len(g.IgnoreDims) > 0
	if len(g.Dims) == 1 && !ignoring {
		w.dimAt(&g.Dims[0])
		return
	}
	w.say("(")
	for i := range g.Dims {
		w.say(separator(i, ""))
		w.dimAt(&g.Dims[i])
	}
	w.say(")")
	if g.IgnoreFilters {
		w.say(" IGNORING FILTERS")
	} else if ignoring {
		for i := range g.IgnoreDims {
			w.say(separator(i, " IGNORING ("))
			w.dimAt(&g.IgnoreDims[i])
		}
		w.say(")")
	}
}

func (w *printer) dimAt(d *Dim) {
	defer w.note(d)()
	w.dim(*d)
}

// dim writes a name and its grain. A last segment that only looks like a grain is quoted.
func (w *printer) dim(d Dim) {
	segments := strings.Split(d.Name, ".")
	for i, s := range segments {
		last := i == len(segments)-1
		if i > 0 {
			w.say(".")
		}
		if last && i > 0 && d.Grain == "" && timeGrains[keyword(s)] {
			w.say(inQuotes(s))
		} else {
			w.say(quoted(s))
		}
	}
	if d.Grain != "" {
		w.say(".", quoted(d.Grain))
	}
}

func (w *printer) name(n string) {
	for i, s := range strings.Split(n, ".") {
		if i > 0 {
			w.say(".")
		}
		w.say(quoted(s))
	}
}

func (w *printer) value(v Value) {
	switch v.Kind {
	case String:
		w.say("'", strings.ReplaceAll(v.Text, "'", "''"), "'")
	case Null:
		w.say("NULL")
	case Bool:
		w.say(strings.ToUpper(v.Text))
	default:
		w.say(v.Text)
	}
}

func quoted(name string) string {
	if plainWord(name) {
		return name
	}
	return inQuotes(name)
}

func inQuotes(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func unitText(unit string) string {
	switch up := keyword(unit); {
	case timeGrains[up]:
		return up
	case up == "PERIOD": // PREVIOUS PERIOD means another thing
		return inQuotes(unit)
	default:
		return quoted(unit)
	}
}
