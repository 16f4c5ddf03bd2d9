package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// rank writes TOP, or for a listing ORDER BY with LIMIT.
func (c *composer) rank() {
	top := c.draft.top
	if top == nil {
		return
	}
	if top.attribute {
		t, _ := c.pick(top.by.slot)
		o := frameql.Order{Desc: top.direction == "high" || top.direction == "best"}
		o.Out = dimensionName(t)
		if t.dim != nil && isStanding(t.dim) {
			o.Desc = !o.Desc // the highest rank is the first one
		}
		c.query.Order = append(c.query.Order, o)
		c.query.Limit = &top.n
		return
	}
	_, member := c.member(top.member)
	better := ""
	by := c.query.Select[len(c.query.Select)-1].Expr // the lead's own number, when none was named
	if len(top.by.options) > 0 {
		by = c.expr(top.by)
	}
	if by == nil {
		c.broken = true // members are ranked by a number, and there is none
		return
	}
	if m := c.draft.ix.metrics[by.Metric]; m != nil {
		better = m.Better
	}
	c.query.Top = &frameql.Top{N: top.n, Dim: member, By: keyOf(by), Asc: ascending(top.direction, better)}
	if len(top.by.options) > 0 && !top.by.star && better == "" && c.draft.ix.countsPlaces(top.by) {
		c.query.Top.Asc = !c.query.Top.Asc // the highest position is the first one
	}
	if len(c.dims)-c.beside == 2 {
		for _, other := range c.dims {
			if other != member {
				c.query.Top.Per = &other
			}
		}
	}
}

// standings are words for a place in a ranking, wherever they stand in a name: the peak chart positions of a song.
var standings = []string{"rank", "ranking", "position", "positions", "placing"}

// isStanding says whether a dimension holds a place in a ranking, where 1 is above 2.
func isStanding(d *semantic.Dimension) bool {
	ws := words(d.Name)
	return d.Type.Numeric() && !d.IsRowPlace() && (slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(standings, w) }) || ws[len(ws)-1] == "place")
}

// countsPlaces says whether a number is a place in a ranking, as it stands in a column.
func (ix *Index) countsPlaces(m measure) bool {
	t := m.options[0]
	dim := t.dim
	if t.metric != nil {
		if t.metric.Reducer == semantic.Count || t.metric.Reducer == semantic.CountDistinct {
			return false
		}
		dim = ix.dimension(t.metric.Entity, t.metric.Expr)
	}
	single := m.reduce == "" || m.reduce == "min" || m.reduce == "max" || m.assumed // an average rank may be a rating
	return dim != nil && single && isStanding(dim)
}

// ascending says whether the smallest values come first. For a metric that is better when it is small the best ones are
// the smallest.
func ascending(direction, better string) bool {
	switch direction {
	case "low":
		return true
	case "best":
		return better == "down"
	case "worst":
		return better != "down"
	}
	return false
}

// keyOf names a metric as it stands and writes anything else as an expression.
func keyOf(e *frameql.Expr) frameql.Key {
	if e.Metric != "" && e.At == nil && e.Filter == nil {
		return frameql.Key{Out: e.Metric}
	}
	return frameql.Key{Expr: e}
}

// sort writes ORDER BY.
func (c *composer) sort() {
	if c.query.Top != nil && len(c.draft.order) > 0 && c.draft.order[0].by == nil && !c.draft.order[0].name {
		return // "top 5, highest first" is the order of a ranking anyway
	}
	if h := c.draft.having; c.query.Top == nil && len(c.draft.order) == 0 && len(h) > 0 { // what was asked about leads
		c.query.Order = append(c.query.Order, frameql.Order{Key: keyOf(c.expr(h[0].measure)), Desc: h[0].op != "lt" && h[0].op != "le"})
	}
	for _, o := range c.draft.order {
		out := frameql.Order{Desc: o.desc}
		switch {
		case o.by != nil && len(o.by.options) > 0 && o.by.reduce == "" && o.by.options[0].metric == nil:
			t, _ := c.pick(o.by.slot)
			out.Out = dimensionName(t)
			listed := c.query.At != nil && c.draft.subject != nil || c.query.At == nil && len(c.draft.measures) == 0
			if listed && !c.selects(out.Out) {
				c.query.Select = append(c.query.Select, frameql.Item{Dim: &frameql.Dim{Name: out.Out}})
			}
		case o.by != nil:
			out.Key = keyOf(c.expr(*o.by))
		case len(c.query.Select) == 0:
			c.broken = true // an order of nothing
			return
		default:
			item := c.query.Select[c.orderColumn(o.name)]
			if item.Dim != nil {
				out.Out = item.Dim.String()
			} else {
				out.Key = keyOf(item.Expr)
			}
		}
		if !slices.ContainsFunc(c.query.Order, func(o frameql.Order) bool { return o.Out == out.Out && o.Expr == nil && out.Expr == nil }) {
			c.query.Order = append(c.query.Order, out)
		}
	}
}

// orderColumn gives the column that rows are ordered by when none was named: the first one for an order by name, else the
// first number, else the last attribute.
func (c *composer) orderColumn(byName bool) int {
	if byName {
		asked := slices.Clone(c.draft.columns)
		slices.SortStableFunc(asked, func(a, b slot) int { return a.piece - b.piece })
		if len(asked) > 0 && !c.draft.namesBefore(asked[0].piece) { // "the writers of the books in alphabetical order"
			if t, ok := c.pick(asked[0]); ok && t.dim != nil {
				shown := func(i frameql.Item) bool { return i.Dim != nil && i.Dim.Name == dimensionName(t) && c.isText(i) }
				if k := slices.IndexFunc(c.query.Select, shown); k >= 0 {
					return k
				}
			}
		}
		return max(0, slices.IndexFunc(c.query.Select, c.isText))
	}
	for i, item := range c.query.Select {
		if item.Expr != nil {
			return i
		}
	}
	return len(c.query.Select) - 1
}

// namesBefore says whether names are asked for before a piece: then the rows are put in order by them.
func (d *draft) namesBefore(i int) bool {
	for k := range max(0, i) {
		if d.isName(k) && d.uses[k].slot == connects {
			return true
		}
	}
	return false
}

// selects says whether a dimension is a column already.
func (c *composer) selects(name string) bool {
	return slices.ContainsFunc(c.query.Select, func(i frameql.Item) bool { return i.Dim != nil && i.Dim.Name == name })
}

// isText says whether a column holds text.
func (c *composer) isText(i frameql.Item) bool {
	if i.Dim == nil {
		return false
	}
	owner, name, _ := cutName(i.Dim.Name)
	d := c.draft.ix.dimension(owner, name)
	return d != nil && d.Type == semantic.Text
}
