package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patchReduce is "what about the maximum?" and "the average?": another way to make one number of many. Over a number per
// member it is taken over the members.
func patchReduce(p *patch) {
	b := p.draft.bare
	if b == nil || b.reduce == "" && (b.direction == "" || !p.extreme()) {
		return
	}
	if b.reduce != "" && b.reduce != "count" && len(p.numbers) == 0 {
		p.reduceColumn(b)
		return
	}
	reduce := b.reduce
	if reduce == "" {
		reduce = extremeOf(b.direction)
		b.direction = ""
	}
	b.reduce = ""
	switch {
	case reduce == "count":
		p.count()
	case len(p.numbers) == 1 && len(p.columns) == 0:
		p.reduceAgain(reduce)
	case len(p.numbers) == 1 && p.query.Having == nil && !p.cut():
		p.reduceMembers(reduce)
	default:
		p.broken = true
	}
}

// reduceColumn takes one number, or two, over the column of numbers that a list shows: "the maximum and the minimum of those
// values".
func (p *patch) reduceColumn(b *fragment) {
	var column target
	for _, i := range p.columns {
		t := p.dimension(p.query.Select[i].Dim.Name)
		switch {
		case t.dim == nil || !t.dim.Type.Numeric() || p.identifies(t):
		case column.dim != nil:
			p.broken = true // of which one?
			return
		default:
			column = t
		}
	}
	named := len(p.draft.columns) + len(p.draft.measures) + len(p.draft.groups)
	if column.dim == nil || named > 0 || p.cut() {
		p.broken = true // "the largest weight" names its own column
		return
	}
	q := &frameql.Query{V: 1, Where: p.query.Where, Time: p.query.Time}
	for _, reduce := range []string{b.reduce, b.beside} {
		if reduce != "" {
			q.Select = append(q.Select, frameql.Item{Expr: p.ix.number(measure{reduce: reduce}, column, nil)})
		}
	}
	b.reduce, b.beside = "", ""
	p.query = q
	p.did(PatchReduce)
}

// extreme says whether the query is the largest or smallest of something: "how about the lowest?" is the other one.
func (p *patch) extreme() bool {
	if len(p.numbers) != 1 || p.cut() {
		return false
	}
	e := p.query.Select[p.numbers[0]].Expr
	return e.Reduce == "max" || e.Reduce == "min"
}

func extremeOf(direction string) string {
	if direction == "low" || direction == "worst" {
		return "min"
	}
	return "max"
}

// reduceAgain puts another reducer over the same column.
func (p *patch) reduceAgain(reduce string) {
	e := p.query.Select[p.numbers[0]].Expr
	t := p.operand(e)
	switch {
	case e.Reduce != "" && e.Of != nil && !e.Dist:
		e.Reduce = reduce
	case t.metric != nil && t.metric.Leaf() && p.ix.dimension(t.metric.Entity, t.metric.Expr) != nil:
		column := target{entity: p.ix.entities[t.metric.Entity], dim: p.ix.dimension(t.metric.Entity, t.metric.Expr)}
		p.query.Select[p.numbers[0]].Expr = p.ix.number(measure{reduce: reduce}, column, nil)
	default:
		p.broken = true
		return
	}
	p.did(PatchReduce)
}

// reduceMembers takes one number over what each member has.
func (p *patch) reduceMembers(reduce string) {
	e := p.query.Select[p.numbers[0]].Expr
	t := p.operand(e)
	if e.At != nil || reduce == "sum" && (t.metric == nil || t.metric.Additivity.Default != "additive") {
		p.broken = true
		return
	}
	at := p.grain()
	of := *e
	of.At = &at
	p.query = &frameql.Query{V: 1, Select: []frameql.Item{{Expr: &frameql.Expr{Reduce: reduce, Of: &of}}}, From: p.query.From, Where: p.query.Where, Time: p.query.Time}
	p.did(PatchReduce)
}

// grain gives what one row of the query stands for.
func (s *scene) grain() frameql.Grain {
	if s.query.At != nil {
		return *s.query.At
	}
	var out frameql.Grain
	for _, i := range s.columns {
		out.Dims = append(out.Dims, *s.query.Select[i].Dim)
	}
	return out
}

// count is "how many?": how many members or values the query shows.
func (p *patch) count() {
	q := &frameql.Query{V: 1, Where: p.query.Where, Time: p.query.Time}
	switch {
	case p.cut():
		p.broken = true
		return
	case len(p.members) == 1 && len(p.numbers) == 0:
		t := target{entity: p.members[0]}
		q.Select = []frameql.Item{{Expr: p.ix.number(measure{star: true}, t, nil)}}
		if q.Select[0].Expr.Star {
			q.From = []string{t.entity.Name}
		}
	case len(p.columns) == 1 && p.query.Select[p.columns[0]].Dim.Grain == "" && len(p.members) == 0:
		of := &frameql.Expr{Metric: p.query.Select[p.columns[0]].Dim.Name}
		q.Select = []frameql.Item{{Expr: &frameql.Expr{Reduce: "count", Dist: true, Of: of}}}
		q.From = p.query.From
	case len(p.columns) == 0 && len(p.numbers) == 1 && isEntity(p.lead.t):
		q = p.query
	case len(p.members) == 1 && len(p.members[0].Key) == 1 && len(p.query.At.Dims) == 1: // those that have a number
		of := &frameql.Expr{Metric: p.members[0].Name + "." + p.members[0].Key[0]}
		q.Select = []frameql.Item{{Expr: &frameql.Expr{Reduce: "count", Dist: true, Of: of}}}
		q.From = []string{p.lead.rows.Name}
	default:
		p.broken = true
		return
	}
	p.query = q
	p.did(PatchReduce)
}

// replaceItem puts a number in the place of another one, also where the query ranks or sorts by it.
func (p *patch) replaceItem(i int, e *frameql.Expr) {
	was := p.query.Select[i].Expr.String()
	same := func(k frameql.Key) bool {
		return k.Out == was || k.Expr != nil && k.Expr.String() == was
	}
	p.query.Select[i] = frameql.Item{Expr: e}
	if t := p.query.Top; t != nil && same(t.By) {
		t.By = keyOf(e)
	}
	for k := range p.query.Order {
		if same(p.query.Order[k].Key) {
			p.query.Order[k].Key = keyOf(e)
		}
	}
	p.query.Having = frameql.AllOf(slices.DeleteFunc(slices.Clone(frameql.Conjuncts(p.query.Having)), func(c *frameql.Pred) bool {
		return c.Out == was || c.Left != nil && c.Left.String() == was
	}))
}
