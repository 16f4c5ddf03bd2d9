package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// readShared reads values that members of two kinds have in common: "countries that have both singers older than 40 and
// singers younger than 30", "the theme shared by concerts in Perth and concerts in Alloa". Each kind must occur.
func readShared(d *draft) {
	for i := 1; i < len(d.pieces); i++ { // "themes shared by concerts in Perth and Alloa"
		column := i - 1
		if d.is(column, groupPiece, "by") && column > 0 {
			column--
		}
		shared := slices.ContainsFunc(d.tokens[d.pieces[column].to:max(d.pieces[column].to, d.pieces[i].from)], func(t token) bool { return t.norm == "shared" })
		if es := d.entities(i); shared && len(es) > 0 && len(d.columns) == 0 && !slices.ContainsFunc(d.pieces[i:], d.joinsKinds) && d.hostColumn(column, es[0].entity) {
			d.take(i, "entity", es[0].name())
			for k := column + 1; k < i; k++ {
				d.take(k, connects, "")
			}
		}
	}
	for k := range d.pieces {
		if !d.is(k, gluePiece, "and") || d.common > 0 || len(d.columns) > 0 {
			continue
		}
		left, right := d.entityAround(k, -1), d.entityAround(k, 1)
		if left < 0 || right < 0 || d.beside(left) != d.beside(right) {
			continue
		}
		column := d.subjectBefore(left)
		if column < 0 || !d.hostColumn(column, d.beside(left)) {
			continue
		}
		d.common = k
		d.take(left, "entity", d.beside(left).Name)
		d.take(right, "entity", d.beside(left).Name)
	}
}

// joinsKinds says whether a piece is an "and" with an entity behind it.
func (d *draft) joinsKinds(p *piece) bool {
	i := slices.Index(d.pieces, p)
	return d.is(i, gluePiece, "and") && len(d.entities(i+1)) > 0
}

// entityAround gives the nearest entity on one side of an "and" that a further condition stands behind.
func (d *draft) entityAround(k, step int) int {
	for i := k + step; i >= 0 && i < len(d.pieces); i += step {
		switch {
		case len(d.entities(i)) > 0 && len(d.dimensions(i)) == 0:
			return i
		case d.is(i, gluePiece, "and"), d.is(i, listPiece), d.is(i, orderPiece), d.is(i, groupPiece), d.is(i, aggregatePiece):
			return -1
		}
	}
	return -1
}

// hostColumn takes the attribute at a piece as the one column that is listed, when it is one of the rows of an entity, or
// of what they lead to, and no name of theirs.
func (d *draft) hostColumn(i int, rows *semantic.Entity) bool {
	if len(d.entities(i)) > 0 || d.listMissing(i, rows) {
		return false
	}
	own := d.names(i, func(t target) bool {
		return isDimension(t) && !isMeasure(t) && d.ix.paths.reaches(rows.Name, t.entity.Name) && !(t.entity == rows && d.identifies(t))
	})
	if len(own) == 0 {
		return false
	}
	d.columns = append(d.columns, slot{piece: i, options: own, near: rows})
	d.listing = true
	d.take(i, "dimension", own[0].name())
	return true
}

// listMissing lists members by several attributes of theirs, the last of which stands at a piece before a word of absence: "the ids and
// first names without a card" are those of members without one.
func (d *draft) listMissing(i int, rows *semantic.Entity) bool {
	items := []int{i}
	for k := i; d.is(k-1, gluePiece, "and") && len(d.dimensions(k-2)) > 0 && len(d.entities(k-2)) == 0; k -= 2 {
		items = append([]int{k - 2}, items...)
	}
	if len(items) < 2 || d.listing || d.subject != nil {
		return false
	}
	for _, t := range d.dimensions(i) {
		e := t.entity
		if e == rows || !d.ix.paths.reaches(rows.Name, e.Name) {
			continue
		}
		var columns []slot
		for _, k := range items {
			if own := d.names(k, func(o target) bool { return isDimension(o) && o.entity == e }); len(own) > 0 {
				columns = append(columns, slot{piece: k, options: own, near: e})
			}
		}
		if len(columns) < len(items) {
			continue
		}
		d.subject, d.listing = &slot{piece: -1, options: []target{{entity: e}}}, true
		d.columns = append(d.columns, columns...)
		for _, c := range columns {
			d.take(c.piece, "dimension", c.options[0].name())
		}
		return true
	}
	return false
}

// occur writes that rows which meet conditions occur, or never do, with a value that is listed.
func (c *composer) occur(inside []*frameql.Pred, never bool) *frameql.Pred {
	if len(inside) == 0 || slices.Contains(inside, nil) {
		c.broken = true
		return nil
	}
	rows := c.lead.rows
	if len(rows.Key) == 0 && c.draft.ix.counter(rows) == nil {
		c.broken = true // rows that nothing tells apart are not counted
		return nil
	}
	var e *frameql.Expr
	if m := c.draft.ix.counter(rows); m != nil {
		e = &frameql.Expr{Metric: m.Name}
	} else {
		e = &frameql.Expr{Reduce: "count", Of: &frameql.Expr{Metric: rows.Name + "." + rows.Key[0]}}
	}
	e.Filter = frameql.AllOf(inside)
	p := &frameql.Pred{Left: e, Op: "gt", Val: &frameql.Value{Kind: frameql.Number, Text: "0"}}
	if never {
		p.Op = "eq"
	}
	return p
}

// halves splits the conditions on the rows of a listed value at the "and" between the two kinds that share it.
func (c *composer) halves(filters []filter) (having []*frameql.Pred) {
	var left, right []*frameql.Pred
	for _, f := range filters {
		if c.apart(f) {
			c.broken = true
		}
		if p := c.condition(f); f.piece < c.draft.common {
			left = append(left, p)
		} else {
			right = append(right, p)
		}
	}
	return []*frameql.Pred{c.occur(left, false), c.occur(right, false)}
}
