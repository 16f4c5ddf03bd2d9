package compile

import (
	"slices"

	"assay/backend/semantic"
)

// term is one key of the order of the result.
type term struct {
	output int // index of Outputs; -1: of
	of     func(p *part) *Scalar
	typ    semantic.Type
	desc   bool
	key    bool // a key of the grain, by which total rows are ordered too
	per    bool // a key of PER, within which the rest of TOP stands last
}

// terms is the whole order: what the query asks for, or the ranks of TOP, then the grain, so that it never depends on the
// engine.
func (c *compiler) terms() []term {
	var all []term
	have := map[int]bool{}
	shown := func(k int) int {
		return slices.IndexFunc(c.q.Outputs, func(o Output) bool { return o.Cell != nil && o.Cell.Op == "key" && o.Cell.Index == k })
	}
	addKey := func(k int, desc bool) {
		if !have[k] {
			have[k] = true
			all = append(all, term{output: shown(k), of: func(p *part) *Scalar { return p.keys[k] }, typ: c.key(k).Type, desc: desc, key: true})
		}
	}
	for i, o := range c.q.Order {
		cell := o.Cell
		if o.Output >= 0 {
			cell = c.q.Outputs[o.Output].Cell
		}
		switch {
		case cell == nil || isPlainNumber(cell) || cell.Op == "null": // a constant, which SQL would take for the number of a column
		case cell.Op == "key":
			addKey(cell.Index, o.Desc)
		case o.Output >= 0:
			n := o.Output
			all = append(all, term{output: n, of: func(p *part) *Scalar { return p.cells[n] }, typ: cell.Type, desc: o.Desc})
		default:
			n := i
			all = append(all, term{output: -1, of: func(p *part) *Scalar { return p.sort[n] }, typ: cell.Type, desc: o.Desc})
		}
	}
	t := c.q.Top
	if t != nil && len(c.q.Order) == 0 {
		for _, k := range t.Per {
			addKey(k, false)
			all[len(all)-1].per = true
		}
		if c.limits() {
			if !isPlainNumber(t.By) {
				all = append(all, term{output: c.outputOf(t.By), of: func(p *part) *Scalar { return p.by }, typ: t.By.Type, desc: !t.Asc})
			}
		} else {
			all = append(all, term{output: -1, of: func(p *part) *Scalar { return p.rank }, typ: semantic.Integer})
			if len(t.Per) == 0 && len(c.q.Totals) == 0 { // total rows have no rank, so they need the key
				for _, k := range t.Members { // the rank says it
					have[k] = true
				}
			}
		}
	}
	grain := c.q.Grain
	if c.q.Listing && len(grain) == 0 { // rows without a key: by everything that is shown
		for _, o := range c.q.Outputs {
			if o.Cell != nil && o.Cell.Op == "key" {
				addKey(o.Cell.Index, false)
			}
		}
	}
	for _, k := range grain {
		addKey(k, false)
	}
	return all
}

// outputOf gives the output that shows a cell; -1: none.
func (c *compiler) outputOf(cell *Scalar) int {
	id := cell.Signature()
	return slices.IndexFunc(c.q.Outputs, func(o Output) bool { return o.Cell != nil && o.Cell.Signature() == id })
}

// limit gives how many rows are shown; -1: all.
func (c *compiler) limit() int {
	n := -1
	if c.q.Limit != nil {
		n = *c.q.Limit
	}
	if t := c.q.Top; t != nil && c.limits() && (n < 0 || t.N < n) {
		n = t.N
	}
	return n
}

// ordered puts the parts together, in order; the limit is for all but the totals.
func (c *compiler) ordered(parts, totals []*part) *step {
	terms := c.terms()
	last := selects(kindOrder, "result")
	if len(parts) == 1 && len(totals) == 0 {
		p := parts[0]
		last.in = []*step{p.step}
		for i, o := range c.q.Outputs {
			last.cols = append(last.cols, c.outputs(p, i, o)...)
		}
		for _, t := range terms {
			by := sortTerm{x: t.of(p), desc: t.desc}
			if t.output >= 0 {
				by = sortTerm{column: c.q.Outputs[t.output].Name, desc: t.desc}
			}
			if by.column != "" || by.x != nil {
				last.order = append(last.order, by)
			}
		}
		last.limit, last.offset = c.limit(), c.q.Offset
		return last
	}
	s := c.union("rows", parts, terms, len(totals) > 0, nil)
	other := len(parts) > 1
	if len(totals) > 0 {
		if c.limit() >= 0 || c.q.Offset > 0 {
			cut := selects(kindOrder, "limited", s)
			cut.pass(0, s.allNames()...)
			cut.order, cut.limit, cut.offset = sorting(terms, other, false), c.limit(), c.q.Offset
			s = cut
		}
		s = c.union("rows_and_totals", totals, terms, true, s)
	} else {
		last.limit, last.offset = c.limit(), c.q.Offset
	}
	last.in = []*step{s}
	for _, o := range c.q.Outputs {
		last.pass(0, o.Name)
		if c.o.Reasons && s.col(reasonName(o.Name)) != nil {
			last.pass(0, reasonName(o.Name))
		}
	}
	last.order = sorting(terms, other, len(totals) > 0)
	return last
}

// union stacks parts with all that the order needs: level (0: rows, then totals from fine to coarse), rest (of TOP), and the
// keys of the order. What is stacked already leads.
func (c *compiler) union(name string, parts []*part, terms []term, leveled bool, before *step) *step {
	stack := selects(kindStack, name)
	if before != nil {
		stack.in = before.in
		if before.kind != kindStack {
			arm := selects(kindScan, "arm", before)
			arm.pass(0, before.allNames()...)
			stack.in = []*step{arm}
		}
	}
	for i, p := range parts {
		arm := selects(kindScan, "arm", p.step)
		if p.flags["other"] != "" {
			arm.kind = kindOther
		}
		for n, o := range c.q.Outputs {
			arm.cols = append(arm.cols, c.outputs(p, n, o)...)
		}
		if leveled {
			level := 0
			if before != nil {
				level = i + 1
				arm.kind = kindTotals
			}
			arm.cols = append(arm.cols, column{name: "level", typ: semantic.Integer, x: number(level)})
		}
		arm.cols = append(arm.cols, column{name: "rest", typ: semantic.Integer, x: number(boolInt(p.flags["other"] != ""))})
		for n, t := range terms {
			x := t.of(p)
			if x == nil || before != nil && !t.key {
				x = null(t.typ)
			}
			arm.cols = append(arm.cols, column{name: "sort_" + itoa(n+1), typ: t.typ, x: x})
		}
		stack.in = append(stack.in, arm)
	}
	for _, col := range stack.in[0].cols {
		stack.cols = append(stack.cols, column{name: col.name, key: col.key, typ: col.typ})
	}
	return stack
}

// sorting orders stacked parts: the rest of TOP comes after the members, within each value of PER; totals come last.
func sorting(terms []term, other, leveled bool) []sortTerm {
	var all []sortTerm
	if leveled {
		all = append(all, sortTerm{x: ref(0, "level", semantic.Integer)})
	}
	rest := sortTerm{x: ref(0, "rest", semantic.Integer)}
	placed := !other
	for i, t := range terms {
		if !placed && !t.per {
			all, placed = append(all, rest), true
		}
		all = append(all, sortTerm{x: ref(0, "sort_"+itoa(i+1), t.typ), desc: t.desc})
	}
	if !placed {
		all = append(all, rest)
	}
	return all
}

// outputs gives the column of an output in a part, with the reason why it is missing when that is asked for.
func (c *compiler) outputs(p *part, i int, o Output) []column {
	if o.Flag != "" || o.Cell == nil {
		value := "false"
		if p.flags[o.Flag] != "" {
			value = p.flags[o.Flag]
		}
		return []column{{name: o.Name, typ: semantic.Boolean, x: &Scalar{Op: "bool", Text: value, Type: semantic.Boolean}}}
	}
	typ := o.Cell.Type
	if o.Cell.Op == "key" && typ == "" {
		typ = c.key(o.Cell.Index).Type
	}
	x := p.cells[i]
	if x.Op == "null" {
		x = null(typ)
	}
	all := []column{{name: o.Name, key: o.Cell.Op == "key", typ: typ, x: x}}
	if c.o.Reasons && divides(o.Cell) {
		all = append(all, column{name: reasonName(o.Name), typ: semantic.Text, x: reason(x)})
	}
	return all
}
