package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patchOrder is "sort them by age", "highest first", "alphabetically": the order of the rows that are there.
func patchOrder(p *patch) {
	d := p.draft
	if len(d.order) == 0 {
		return
	}
	if len(p.query.Select) == 0 || len(p.numbers) == 0 && len(p.columns) == 0 {
		p.broken = true
		return
	}
	var keys []frameql.Order
	for _, o := range d.order {
		k := frameql.Order{Desc: o.desc}
		if len(o.hints) > 0 && p.lists() && len(p.members) == 1 {
			if by, desc, ok := d.firstBy(o.hints, p.members[0]); ok { // "oldest first"
				o.by, o.desc = &measure{slot: slot{piece: -1, options: []target{by}}}, desc
				k.Desc = desc
			}
		}
		switch {
		case o.by != nil && p.lists():
			own := p.ownNames(o.by.piece)
			if t, ok := p.c.pick(o.by.slot); ok && t.dim != nil && len(own) == 0 {
				own = []target{t}
			}
			if len(own) == 0 || o.by.reduce != "" && !o.by.assumed && o.by.options[0].metric == nil {
				p.broken = true
				return
			}
			k.Out = dimensionName(own[0])
			if !(&composer{query: p.query}).selects(k.Out) {
				p.query.Select = append(p.query.Select, frameql.Item{Dim: &frameql.Dim{Name: k.Out}})
			}
		case o.by != nil && o.by.reduce == "" && len(o.by.options) > 0 && o.by.options[0].metric == nil:
			t, _ := p.c.pick(o.by.slot)
			k.Out = dimensionName(t)
			if e := p.shownAs(t); e != nil {
				k.Key = keyOf(e)
			}
		case o.by != nil:
			e := p.c.expr(*o.by)
			if !slices.ContainsFunc(p.query.Select, func(i frameql.Item) bool { return i.Expr != nil && i.Expr.String() == e.String() }) {
				p.query.Select = append(p.query.Select, frameql.Item{Expr: e})
			}
			k.Key = keyOf(e)
		default:
			item := p.query.Select[p.c.sorting(p.query, o.name)]
			switch {
			case len(p.query.Order) == 1 && !o.name: // "in descending order": of what it is sorted by
				k.Key = p.query.Order[0].Key
			case item.Dim != nil:
				k.Out = item.Dim.String()
			default:
				k.Key = keyOf(item.Expr)
			}
		}
		keys = append(keys, k)
	}
	d.order = nil
	p.query.Order = keys
	p.did(PatchOrder)
}

// shownAs gives the number that shows an attribute which is no column of its own: the average age of each name. nil: it is a
// column, or no number is made of it.
func (p *patch) shownAs(t target) *frameql.Expr {
	if t.dim == nil || (&composer{query: p.query}).selects(dimensionName(t)) {
		return nil
	}
	for _, i := range p.numbers {
		e := p.query.Select[i].Expr
		of := p.operand(e)
		if m := of.metric; m != nil && m.Leaf() {
			of = target{entity: p.ix.entities[m.Entity], dim: p.ix.dimension(m.Entity, m.Expr)}
		}
		if of.dim == t.dim && of.entity == t.entity {
			return e
		}
	}
	return nil
}

// sorting gives the column that a query is sorted by when none was named.
func (c *composer) sorting(q *frameql.Query, byName bool) int {
	was := c.query
	c.query = q
	defer func() { c.query = was }()
	return c.orderColumn(byName)
}
