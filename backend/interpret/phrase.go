package interpret

import (
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Phrase says a query in words that a person reads easily and that the reader, as a rule, reads back as this query.
func (ix *Index) Phrase(q *frameql.Query) string { return ix.phrase(q, false) }

// phrase writes the words; with full, every dimension and entity is named with its owner.
func (ix *Index) phrase(q *frameql.Query, full bool) string {
	w := phraser{ix: ix, full: full, from: q.From}
	var numbers, columns []string
	for _, item := range q.Select {
		if item.Expr != nil {
			numbers = append(numbers, w.number(item.Expr))
		} else if !w.shows(q, *item.Dim) {
			columns = append(columns, w.dim(*item.Dim))
		}
	}
	var parts []string
	groups := w.groups(q)
	switch {
	case len(numbers) == 0:
		parts = append(parts, w.listing(q, columns))
	case q.Top != nil:
		parts = append(parts, w.ranking(q))
		if q.Top.Per != nil {
			parts = append(parts, text.Say("interpret.say_per", "dimension", w.dim(*q.Top.Per)))
		}
	default:
		parts = append(parts, enumerate(numbers))
		if len(groups) > 0 {
			parts = append(parts, text.Say("interpret.say_by", "dimensions", enumerate(groups)))
		}
	}
	if q.Where != nil {
		parts = append(parts, text.Say("interpret.say_where", "conditions", w.conditions(q.Where)))
	}
	if q.Having != nil {
		parts = append(parts, text.Say("interpret.say_having", "conditions", w.conditions(q.Having)))
	}
	if q.Time != nil {
		parts = append(parts, w.during(q.Time))
	}
	for _, o := range q.Order {
		key := "interpret.say_ascending"
		if o.Desc {
			key = "interpret.say_descending"
		}
		if !(len(numbers) == 0 && q.Limit != nil) {
			parts = append(parts, text.Say(key, "key", w.key(o.Key)))
		}
	}
	return strings.Join(parts, " ")
}

type phraser struct {
	ix   *Index
	full bool
	from []string // of the query: whose rows are counted
}

// shows says whether a column only shows a member that the rows are grouped by anyway.
func (w phraser) shows(q *frameql.Query, dim frameql.Dim) bool {
	if q.At == nil {
		return false
	}
	entity, name, _ := cutName(dim.Name)
	e := w.ix.entities[entity]
	if r := w.ix.role(entity); r != nil && e == nil {
		e = w.ix.entities[r.join.To]
	}
	if w.ix.whole && e != nil && w.ix.showsAll(q, e) {
		return true
	}
	return e != nil && slices.Contains(w.ix.display(e), name) && slices.ContainsFunc(q.At.Dims, func(g frameql.Dim) bool { return g.Name == entity })
}

// groups gives what the numbers are split by, in words.
func (w phraser) groups(q *frameql.Query) []string {
	var out []string
	if q.At != nil {
		for _, g := range q.At.Dims {
			out = append(out, w.dim(g))
		}
		return out
	}
	for _, item := range q.Select {
		if item.Dim != nil {
			out = append(out, w.dim(*item.Dim))
		}
	}
	return out
}

// dim says a dimension, an entity or a calendar unit.
func (w phraser) dim(d frameql.Dim) string {
	entity, name, qualified := cutName(d.Name)
	out := strings.ReplaceAll(d.Name, "_", " ")
	if e := w.ix.entities[entity]; e != nil && !qualified {
		out = strings.ToLower(labelOf(e.Label, e.Name))
		if w.full {
			out = joinSpaced(words(e.Name))
		}
	} else if dim := w.ix.dimension(entity, name); dim != nil {
		out = w.ix.dimensionLabel(e, dim)
		if w.full {
			out = joinSpaced(words(e.Name)) + " " + joinSpaced(words(dim.Name))
		}
	} else if what := w.ix.roleWords(d.Name); what != "" {
		out = what
	}
	if d.Grain != "" {
		out += " " + text.Say("interpret.grain_"+d.Grain)
	}
	return out
}

// number says a metric expression.
func (w phraser) number(e *frameql.Expr) string {
	switch {
	case e.Star:
		if len(w.from) == 1 {
			return text.Say("interpret.say_count", "what", w.dim(frameql.Dim{Name: w.from[0]}))
		}
		return text.Say("interpret.say_rows")
	case e.Reduce != "" && e.Of != nil:
		key := "interpret.say_" + e.Reduce
		if e.Dist {
			key = "interpret.say_distinct"
		}
		out := text.Say(key, "what", w.number(e.Of))
		if e.Of.At != nil && len(e.Of.At.Dims) > 0 {
			out += " " + text.Say("interpret.say_per", "dimension", w.dim(e.Of.At.Dims[0]))
		}
		return out
	case e.Fn != "":
		if e.Fn == "moving" && len(e.Params) == 1 && e.Unit != "" {
			return text.Say("interpret.say_moving", "n", e.Params[0].Text, "unit", text.Say("interpret.grain_"+e.Unit), "what", w.number(e.Of))
		}
		if len(e.Params) > 0 || e.Fn == "moving" || e.Fn == "index" {
			return e.String()
		}
		return text.Say("interpret.say_"+e.Fn, "what", w.number(e.Of))
	case e.Op == "/" && len(e.Args) == 2 && e.Args[0].Metric != "" && e.Args[1].Metric != "":
		return text.Say("interpret.say_ratio", "left", w.number(e.Args[0]), "right", w.number(e.Args[1]))
	case e.Metric != "":
		if m := w.ix.metrics[e.Metric]; m != nil {
			if w.full {
				return joinSpaced(words(m.Name))
			}
			return strings.ToLower(labelOf(m.Label, m.Name))
		}
		return w.dim(frameql.Dim{Name: e.Metric})
	default:
		return e.String()
	}
}

// listing says "list customers and customers country", "top 5 products by products unit price".
func (w phraser) listing(q *frameql.Query, columns []string) string {
	var what []string
	if q.At != nil {
		for _, g := range q.At.Dims {
			what = append(what, w.dim(g))
		}
	}
	if q.Limit != nil && len(q.Order) == 1 && len(what) == 1 {
		key := "interpret.say_bottom"
		if q.Order[0].Desc {
			key = "interpret.say_top"
		}
		return text.Say(key, "n", *q.Limit, "members", what[0], "key", w.key(q.Order[0].Key))
	}
	if len(what) == 0 {
		return text.Say("interpret.say_list_distinct", "what", enumerate(columns))
	}
	return text.Say("interpret.say_list", "what", enumerate(append(what, columns...)))
}

func (w phraser) ranking(q *frameql.Query) string {
	key := "interpret.say_top"
	if q.Top.Asc {
		key = "interpret.say_bottom"
	}
	return text.Say(key, "n", q.Top.N, "members", w.dim(q.Top.Dim), "key", w.key(q.Top.By))
}

func (w phraser) key(k frameql.Key) string {
	if k.Expr != nil {
		return w.number(k.Expr)
	}
	return w.number(&frameql.Expr{Metric: k.Out})
}

// conditions says a predicate. What has no simple words is written as Frame-QL.
func (w phraser) conditions(p *frameql.Pred) string {
	if len(p.And) > 0 {
		var parts []string
		for _, c := range p.And {
			parts = append(parts, w.conditions(c))
		}
		return strings.Join(parts, " "+text.Say("interpret.say_and")+" ")
	}
	left := ""
	switch {
	case p.Dim != "":
		left = w.dim(frameql.Dim{Name: p.Dim, Grain: p.Grain})
	case p.Left != nil:
		left = w.number(p.Left)
	case p.Out != "":
		left = w.key(frameql.Key{Out: p.Out})
	default:
		return p.String()
	}
	var values []string
	for _, v := range p.Vals {
		values = append(values, quoteValue(v))
	}
	if p.Val != nil {
		values = append(values, quoteValue(*p.Val))
	}
	if p.ValDim != nil {
		values = append(values, w.dim(*p.ValDim))
	}
	if e := p.Expr; e != nil && e.Filter == nil && e.Reduce != "" {
		values = append(values, w.number(e))
	}
	if len(values) == 0 || p.Op == "in_top" {
		return p.String()
	}
	if p.Op == "between" && len(values) == 2 {
		return text.Say("interpret.say_between", "left", left, "low", values[0], "high", values[1])
	}
	op := p.Op
	switch op { // several values are told apart by "or"
	case "in":
		op = "eq"
	case "not_in":
		op = "ne"
	}
	return text.Say("interpret.say_"+op, "left", left, "value", alternatives(values))
}

// quoteValue quotes text that is more than plain words, so that it is read as one value.
func quoteValue(v frameql.Value) string {
	if v.Kind != frameql.String {
		return v.Text
	}
	return `"` + v.Text + `"`
}

// during says a period.
func (w phraser) during(t *frameql.During) string {
	p := t.Period
	unit := ""
	if p.Unit != "" {
		unit = text.Say("interpret.grain_" + p.Unit)
	}
	out := ""
	switch p.Kind {
	case "literal":
		out = text.Say("interpret.say_in", "period", p.Value)
	case "last":
		out = text.Say("interpret.say_last", "n", p.N, "unit", unit)
	case "previous":
		out = text.Say("interpret.say_previous", "unit", unit)
	case "this":
		out = text.Say("interpret.say_this", "unit", unit)
	case "range", "between":
		to, err := time.Parse(time.DateOnly, p.To)
		switch {
		case p.To == "":
			out = text.Say("interpret.since", "day", p.From)
		case err != nil:
			out = p.String()
		case p.From == "0001-01-01":
			out = text.Say("interpret.until", "day", p.To)
		default:
			if p.Kind == "range" {
				to = to.AddDate(0, 0, -1)
			}
			out = text.Say("interpret.say_range", "from", p.From, "to", iso(to))
		}
	case "all_time":
		out = text.Say("interpret.say_all_time")
	default:
		out = text.Say("interpret.say_" + p.Kind)
	}
	if t.On != nil {
		out = text.Say("interpret.say_on", "dimension", w.dim(*t.On), "period", out)
	}
	return out
}
