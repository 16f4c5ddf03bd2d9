package interpret

import (
	"cmp"
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Numbers of members that belong to several of what they are split by: each member counts once for each. The number of papers of an
// author counts different papers over the rows that say who wrote them, and their citations are added up over the same.

// leadsPlainly says whether the first number is that of a piece, and no number is more than a number. What is counted twice is
// a question within another: how many provinces border the one that borders the most provinces.
func (d *draft) leadsPlainly(piece int) bool {
	if len(d.measures) == 0 || d.measures[0].piece != piece {
		return false
	}
	counted := map[*semantic.Entity]bool{}
	return !slices.ContainsFunc(d.measures, func(m measure) bool {
		again := false
		if m.star && len(m.options) > 0 {
			e := m.options[0].entity
			again, counted[e] = counted[e] && !d.askedBesideRank(m), true
		}
		return again || m.sides != nil || m.layer != nil || len(m.only) > 0
	})
}

// askedBesideRank says whether a count stands behind a ranking and an "and": "who wrote the most papers, and how many papers did they
// write" asks for the number that the members are ranked by.
func (d *draft) askedBesideRank(m measure) bool {
	if d.top == nil || d.top.word > m.piece {
		return false
	}
	i := m.piece - 1
	for d.is(i, aggregatePiece) {
		i--
	}
	return d.is(i, gluePiece, "and")
}

// spreads says whether the number that a piece stands for may be made over finer rows than its own, one for each member.
func (d *draft) spreads(piece int, t target) bool {
	if len(d.groups) == 0 || !d.leadsPlainly(piece) {
		return false
	}
	column, _ := d.ix.spreadColumn(d.measures[0], t)
	return column != nil
}

// spreadColumn gives the column of all rows that a number reduces, and how; nil when it is anything else.
func (ix *Index) spreadColumn(m measure, t target) (column *semantic.Dimension, reduce string) {
	x := t.metric
	switch {
	case len(m.per) > 0 || m.distinct || m.level != "":
		return nil, ""
	case x != nil:
	case m.assumed:
		x = ix.metrics[ix.usual(t).Metric]
	default:
		column, reduce = t.dim, m.reduce
	}
	if x != nil {
		e := ix.entities[x.Entity]
		if e == nil || !x.Leaf() || x.Filter != "" {
			return nil, ""
		}
		column, reduce = e.Dimension(x.Expr), cmp.Or(m.reduce, string(x.Reducer))
		if m.assumed {
			reduce = string(x.Reducer)
		}
	}
	if column == nil || !column.Type.Numeric() || !slices.Contains([]string{"sum", "avg", "min", "max"}, reduce) {
		return nil, ""
	}
	return column, reduce
}

// spread writes a number of members over the finer rows that lead to them; ok is false when the number is made from the rows of the
// query as it stands.
func (c *composer) spread(m measure, t target, per *frameql.Grain) (e *frameql.Expr, ok bool) {
	rows := c.draft.ix.rowsOf(t)
	if c.lead.via == nil || rows == nil || rows == c.lead.via {
		return nil, false
	}
	if len(rows.Key) != 1 || !c.draft.ix.paths.reaches(c.lead.via.Name, rows.Name) {
		c.broken = true
		return nil, false
	}
	if hops, _ := c.draft.ix.paths.distance(c.lead.via.Name, rows.Name); hops > 1 && m.star && c.draft.askedBesideRank(m) {
		c.broken = true // the different courses that a teacher gave, or each time that one was given?
	}
	key := &frameql.Expr{Metric: rows.Name + "." + rows.Key[0]}
	if m.star || t.metric != nil && c.draft.ix.counter(rows) == t.metric {
		count := &frameql.Expr{Reduce: "count", Dist: true, Of: key, At: per}
		if per != nil { // "average number of products per order"
			return &frameql.Expr{Reduce: m.reduce, Of: count}, true
		}
		return count, true
	}
	column, reduce := c.draft.ix.spreadColumn(m, t)
	if column == nil || per != nil || !onlyRelates(c.draft.ix.model, c.lead.via) {
		c.broken = true
		return nil, false
	}
	if note := text.Say("interpret.assume_spread"); !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
	}
	each := &frameql.Grain{Dims: append(slices.Clone(c.dims), frameql.Dim{Name: rows.Name})}
	one := &frameql.Expr{Reduce: "max", Of: &frameql.Expr{Metric: rows.Name + "." + column.Name}, At: each} // the same in all rows of a member
	return &frameql.Expr{Reduce: reduce, Of: one}, true
}

// besideAttribute says whether an attribute that is shown splits the rows further: they are split by an attribute of the same members,
// and not by the members.
func (c *composer) besideAttribute(t target) bool {
	key := len(t.entity.Key) == 1 && slices.ContainsFunc(c.dims, func(d frameql.Dim) bool { return d.Name == t.entity.Name+"."+t.entity.Key[0] })
	if key {
		return false
	}
	attribute := false
	for _, d := range c.dims {
		owner, _, dotted := cutName(d.Name)
		if !dotted && c.draft.ix.entities[d.Name] != nil && c.draft.ix.paths.reaches(d.Name, t.entity.Name) {
			return false
		}
		attribute = attribute || dotted && owner == t.entity.Name && d.Grain == ""
	}
	return attribute
}
