package compile

import (
	"slices"

	"assay/backend/semantic"
)

// part is some of the rows of the result: those of the grain, the rest of TOP, the totals of one grain.
type part struct {
	step  *step
	cells []*Scalar         // by output; of flags nil
	keys  map[int]*Scalar   // of the grain
	sort  map[int]*Scalar   // ORDER BY, by index: what is no output
	rank  *Scalar           // by TOP; nil: none
	by    *Scalar           // of TOP, when the rows themselves are its members and nothing follows
	flags map[string]string // other, total: true
}

// query gives the step whose rows are the result, in order.
func (c *compiler) query() (*step, error) {
	p, err := c.rows()
	if err != nil {
		return nil, err
	}
	parts := []*part{p}
	if t := c.q.Top; t != nil && t.Other {
		parts = append(parts, c.rest(p))
	}
	c.check(parts)
	var totals []*part
	for _, grain := range c.totalGrains() {
		totals = append(totals, c.total(grain))
	}
	root := c.ordered(parts, totals)
	return root, c.err
}

// rows gives the rows of the grain: after FILL, HAVING and TOP, in no order.
func (c *compiler) rows() (*part, error) {
	q := c.q
	if c.err != nil {
		return nil, c.err
	}
	if q.Listing && len(q.Grain) == 0 {
		p := c.listing()
		return p, c.err
	}
	req := request{grain: q.Grain, fill: q.Fill}
	if req.fill != nil && req.fill.Mode == "none" {
		req.fill = nil
	}
	for _, o := range q.Outputs {
		cell, label := o.Cell, o.Name
		if cell == nil {
			cell = null(semantic.Boolean)
		}
		req.cells, req.labels = append(req.cells, cell), append(req.labels, label)
	}
	sorted := map[int]int{}
	for i, o := range q.Order {
		if o.Output < 0 {
			sorted[i] = len(req.cells)
			req.cells = append(req.cells, o.Cell)
		}
	}
	having, by := numbersOf(q.Having, &req.cells), -1
	if q.Top != nil && c.ranksRows() {
		by = len(req.cells)
		req.cells, req.quiet = append(req.cells, q.Top.By), []int{by}
	}
	rel := c.relation(req)
	c.full = rel
	cells := rel.cells
	s := rel.step
	if req.fill != nil && req.fill.Mode == "last" {
		s, cells = c.carried(rel, q.Grain, cells, func(i int) bool {
			return (i >= len(q.Outputs) || q.Outputs[i].Cell != nil) && req.cells[i].Op != "key"
		})
	}
	p := &part{step: s, keys: rel.keys, sort: map[int]*Scalar{}}
	p.cells = cells[:len(q.Outputs)]
	for i, o := range q.Outputs {
		if o.Cell == nil {
			p.cells[i] = nil
		}
	}
	for i, at := range sorted {
		p.sort[i] = cells[at]
	}
	if having != nil {
		f := selects(kindFilter, "having", p.step)
		f.where = conjuncts(having.replace(func(s *Scalar) *Scalar {
			if s.Op == "cell" {
				return cells[s.Index]
			}
			return nil
		}))
		f.pass(0, p.step.allNames()...)
		p.step = f
	}
	if q.Top != nil {
		if by >= 0 {
			p.by = cells[by]
		}
		c.top(p)
	}
	return p, c.err
}

// numbersOf makes every number of a condition a cell of its own, so that it is what a column would show, and gives the
// condition over these (op "cell").
func numbersOf(condition *Scalar, cells *[]*Scalar) *Scalar {
	if condition == nil {
		return nil
	}
	switch condition.Op {
	case "and", "or", "not", "=", "<>", "<", "<=", ">", ">=", "same", "is_null", "not_null", "in", "not_in", "like", "contains", "starts_with":
		whole := *condition
		whole.Args = make([]*Scalar, len(condition.Args))
		for i, a := range condition.Args {
			whole.Args[i] = numbersOf(a, cells)
		}
		return &whole
	case "num", "str", "bool", "null", "date", "timestamp", "time":
		return condition
	}
	*cells = append(*cells, condition)
	return &Scalar{Op: "cell", Index: len(*cells) - 1, Type: condition.Type}
}

// check finds parts that have another number of columns than the query: a mistake of ours.
func (c *compiler) check(parts []*part) {
	for _, p := range parts {
		if p == nil || len(p.cells) != len(c.q.Outputs) {
			c.broken("the columns of a part")
		}
	}
}

// listing gives the rows of the first source as they are.
func (c *compiler) listing() *part {
	like := Leaf{}
	s := c.base(like, 0, nil)
	s.grouped = false
	p := &part{step: s, keys: map[int]*Scalar{}, sort: map[int]*Scalar{}}
	need := func(cell *Scalar) *Scalar {
		return cell.replace(func(x *Scalar) *Scalar {
			if x.Op != "key" {
				return nil
			}
			name := c.keyNames[x.Index]
			if s.col(name) == nil {
				if len(c.key(x.Index).Exprs) == 0 || c.key(x.Index).Exprs[0] == nil {
					c.broken("a listing of key " + name)
					return null(x.Type)
				}
				c.addKey(s, x.Index, c.key(x.Index).Exprs[0])
			}
			p.keys[x.Index] = ref(0, name, c.key(x.Index).Type)
			return p.keys[x.Index]
		})
	}
	for _, o := range c.q.Outputs {
		if o.Cell == nil {
			p.cells = append(p.cells, nil)
			continue
		}
		p.cells = append(p.cells, need(o.Cell))
	}
	for i, o := range c.q.Order {
		if o.Output < 0 {
			p.sort[i] = need(o.Cell)
		}
	}
	return p
}

// rest is the row, or with further keys the rows, of what TOP does not show: every number is computed from the rows of
// all other members, without HAVING.
func (c *compiler) rest(shown *part) *part {
	t := c.q.Top
	only := &restriction{step: shown.members(c), pairs: map[int]string{}, members: t.Members}
	for _, k := range slices.Concat(t.Members, t.Per) {
		only.pairs[k] = c.keyNames[k]
	}
	req := request{only: only, exists: true, name: "rest", fill: c.q.Fill}
	numbersOf(c.q.Having, &req.rows) // its rows are rows of the result
	for _, k := range c.q.Grain {
		if !slices.Contains(t.Members, k) {
			req.grain = append(req.grain, k)
		}
	}
	if req.fill != nil && (req.fill.Mode == "none" || c.finest(req.grain) < 0) {
		req.fill = nil
	}
	p := c.partOf(req)
	if req.fill != nil && req.fill.Mode == "last" {
		rel := &relation{step: p.step, keys: p.keys}
		p.step, p.cells = c.carried(rel, req.grain, p.cells, func(i int) bool { return c.q.Outputs[i].Cell != nil && c.q.Outputs[i].Cell.Op != "key" })
	}
	p.flags = map[string]string{"other": "true"}
	return p
}

// totalGrains gives the grains of TOTALS, coarser ones last.
func (c *compiler) totalGrains() [][]int {
	all := slices.Clone(c.q.Totals)
	slices.SortStableFunc(all, func(a, b []int) int { return len(b) - len(a) })
	return all
}

// total gives the total rows of one grain, computed from base rows: no HAVING, TOP, FILL or LIMIT, and no windows.
func (c *compiler) total(grain []int) *part {
	req := request{grain: grain, plain: true, name: "total"}
	for _, o := range c.q.Outputs { // windows have no value here, but rows
		o.Cell.each(func(s *Scalar) {
			switch s.Op {
			case "cumulative", "moving", "rank", "index":
				req.rows = append(req.rows, s.Args[0])
			}
		})
	}
	p := c.partOf(req)
	p.flags = map[string]string{"total": "true"}
	return p
}

// partOf evaluates the outputs at another grain.
func (c *compiler) partOf(req request) *part {
	for _, o := range c.q.Outputs {
		cell := o.Cell
		if cell == nil {
			cell = null(semantic.Boolean)
		}
		req.cells, req.labels = append(req.cells, cell), append(req.labels, o.Name)
	}
	at := map[int]int{}
	for i, o := range c.q.Order {
		if o.Output < 0 && !req.plain {
			at[i] = len(req.cells)
			req.cells = append(req.cells, o.Cell)
		}
	}
	rel := c.relation(req)
	p := &part{step: rel.step, keys: rel.keys, cells: rel.cells[:len(c.q.Outputs)], sort: map[int]*Scalar{}}
	for i, n := range at {
		p.sort[i] = rel.cells[n]
	}
	for i, o := range c.q.Outputs {
		if o.Cell == nil {
			p.cells[i] = nil
		}
	}
	return p
}
