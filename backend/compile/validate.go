package compile

import (
	"slices"

	"assay/backend/text"
)

// validate finds references of a query that lead nowhere, so that nothing behind it has to look again.
func (c *compiler) validate() error {
	q := c.q
	sources, keys, leaves := len(q.Sources), len(q.Keys), len(q.Leaves)
	if sources == 0 {
		c.broken("a query without a source")
	}
	key := func(all []int) {
		for _, k := range all {
			if k < 0 || k >= keys {
				c.broken(text.Say("compile.no_such", "kind", "key", "n", k))
			}
		}
	}
	for _, s := range q.Sources {
		if len(s.Nodes) == 0 {
			c.broken("a source without a node")
		}
		for i, n := range s.Nodes {
			if n.Parent >= i || i > 0 && n.Parent < 0 {
				c.broken("a node that stands before its parent")
			}
			for _, p := range n.On {
				c.row(p.Parent, len(s.Nodes))
				c.row(p.Own, len(s.Nodes))
			}
		}
		for _, w := range s.Where {
			c.row(w, len(s.Nodes))
		}
	}
	for _, k := range q.Keys {
		key(k.DependsOn)
		key(slices.Concat(k.Within...))
		if k.Axis && (k.Cut == nil || k.Cut.Op != "trunc") {
			c.broken("an axis without a cut")
		}
		for i, e := range k.Exprs {
			if i < sources {
				c.row(e, len(q.Sources[i].Nodes))
			}
		}
	}
	for _, l := range q.Leaves {
		if l.Source < 0 || l.Source >= sources {
			c.broken(text.Say("compile.no_such", "kind", "source", "n", l.Source))
			continue
		}
		for _, x := range append([]*Scalar{l.Expr, l.Filter, l.Time}, l.Tie...) {
			c.row(x, len(q.Sources[l.Source].Nodes))
		}
		if (l.Pick != nil || l.Map.Kind != "") && l.Time == nil {
			c.broken("a number that goes by a time it does not have")
		}
	}
	cell := func(x *Scalar) {
		x.each(func(s *Scalar) {
			key(s.Keys)
			key(s.Fixed)
			switch {
			case s.Op == "key":
				key([]int{s.Index})
			case s.Op == "leaf" && (s.Index < 0 || s.Index >= leaves):
				c.broken(text.Say("compile.no_such", "kind", "leaf", "n", s.Index))
			case s.Op == "leaf" && (s.Ctx < 0 || s.Ctx >= len(c.contexts)):
				c.broken(text.Say("compile.no_such", "kind", "context", "n", s.Ctx))
			}
		})
	}
	for _, o := range q.Outputs {
		cell(o.Cell)
		if o.Cell == nil && o.Flag == "" {
			c.broken("a column without a cell")
		}
	}
	cell(q.Having)
	for _, o := range q.Order {
		cell(o.Cell)
		if o.Output >= len(q.Outputs) || o.Output < 0 && o.Cell == nil {
			c.broken("an order by nothing")
		}
	}
	key(q.Grain)
	for _, t := range q.Totals {
		key(t)
	}
	if t := q.Top; t != nil {
		key(t.Members)
		key(t.Per)
		cell(t.By)
		if t.By == nil || len(t.Members) == 0 {
			c.broken("a TOP without members or a number")
		}
	}
	if f := q.Fill; f != nil && f.Mode != "none" && c.err == nil && c.finest(q.Grain) < 0 {
		c.broken("a FILL without an axis")
	}
	return c.err
}

// row finds columns of nodes that are not there.
func (c *compiler) row(x *Scalar, nodes int) {
	x.each(func(s *Scalar) {
		if s.Op == "col" && (s.Node < 0 || s.Node >= nodes) {
			c.broken(text.Say("compile.no_such", "kind", "node", "n", s.Node))
		}
	})
}
