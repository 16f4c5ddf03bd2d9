package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// apart says whether a condition is about rows that the members have many of, or that must not exist.
func (c *composer) apart(f filter) bool {
	t, ok := c.pick(f.slot)
	if !ok || t.entity == nil {
		return false
	}
	if no := c.draft.clauseOf(f.piece); no != nil {
		return len(no.members) > 0 || !c.draft.ix.paths.reaches(c.lead.rows.Name, t.entity.Name)
	}
	if c.draft.ix.paths.reaches(c.lead.rows.Name, t.entity.Name) {
		return t.entity != c.lead.rows && c.lead.via == nil && c.draft.ofNamedRows(f, t.entity)
	}
	own := func(o target) bool {
		return c.draft.ix.paths.reaches(c.lead.rows.Name, o.entity.Name) && !(f.acts && c.draft.isOf(o, c.lead.rows))
	}
	if slices.ContainsFunc(f.options, own) && !t.named && !c.draft.namesRows(f, t.entity) {
		return false // it could be about the members themselves, and nothing says that it is not
	}
	_, related := c.draft.ix.paths.related(c.lead.rows.Name, t.entity.Name)
	return related || c.lead.via == nil && c.draft.meeting(c.lead.rows, t.entity) != nil
}

// relate writes the conditions on related rows: one quantifier for each clause, and one for each of several values that
// must all occur.
func (c *composer) relate(apart []filter) (where, having []*frameql.Pred) {
	g := &gathering{composer: c, counted: make([][]*frameql.Pred, len(c.draft.tallies))}
	g.clauses()
	for _, f := range apart {
		g.condition(f)
	}
	g.period()
	for k, t := range c.draft.tallies {
		c.broken = c.broken || slices.Contains(g.counted[k], nil)
		where = append(where, c.tally(t, g.counted[k]))
	}
	for _, r := range g.all {
		q := c.quantified(r)
		switch {
		case q == nil:
		case r.column:
			having = append(having, c.occurring(r, q))
		default:
			c.broken = c.broken || q == c.lead.rows || len(r.preds) == 0 && slices.ContainsFunc(where, func(o *frameql.Pred) bool {
				return o.Quant != "" && o.Quant != r.quant && o.Entity == q.Name && o.Pred == nil // there are some and there are none
			})
			where = append(where, c.quantifiers(r, q)...)
		}
	}
	return where, having
}

// bridged gives the entity whose rows relate the members to what a clause is about: the one that leads to both, so that
// nothing else that the two have in common is taken for the relation. nil: there is none, or it is not clear which.
func (c *composer) bridged(q *semantic.Entity, with []*semantic.Entity) *semantic.Entity {
	paths := c.draft.ix.paths
	if paths.reaches(q.Name, c.lead.rows.Name) || paths.reaches(c.lead.rows.Name, q.Name) {
		return q
	}
	if b := c.draft.ix.spanning(append([]*semantic.Entity{c.lead.rows}, with...)); b != nil || c.draft.meeting(c.lead.rows, q) == nil {
		return b
	}
	return q
}

// allOf says whether several values of a condition must all occur: they are joined by "and" and not by "or".
func (d *draft) allOf(f filter) bool {
	last := f.last(d)
	and := false
	for i := f.piece; i <= last; i++ {
		if d.is(i, gluePiece, "or") {
			return false
		}
		and = and || d.is(i, gluePiece, "and") && d.tokens[d.pieces[i].from].norm != ","
	}
	return and && !d.is(f.piece-1, gluePiece, "or")
}

// periodApart says whether the period of the question is about related rows and not about the members.
func (c *composer) periodApart() bool {
	d := c.draft
	if d.period == nil {
		return false
	}
	if c.periodOfTally() >= 0 {
		return true
	}
	if no := d.clauseOf(d.periodAt); no != nil {
		return len(no.members) > 0
	}
	if len(d.on) > 0 {
		return len(d.measures) == 0 && len(d.clauses) > 0 && !slices.ContainsFunc(d.on, func(t target) bool { return d.ix.paths.reaches(c.lead.rows.Name, t.entity.Name) })
	}
	if len(d.years) > 0 && len(d.measures) == 0 && len(d.clauses) > 0 && !d.ix.paths.reaches(c.lead.rows.Name, d.years[0].entity.Name) {
		return true
	}
	if slices.ContainsFunc(d.clauses, func(cl clause) bool {
		return cl.act && cl.from < d.periodAt && d.part(cl.from) == d.part(d.periodAt) && len(c.periodOf(*d.period, cl.members[0].options[0].entity)) > 0
	}) {
		return true // "cars that were sold in 2023"
	}
	if !slices.ContainsFunc(d.clauses, func(cl clause) bool { return cl.quant == "any" && d.part(cl.from) == d.part(d.periodAt) }) && !c.happened() {
		return false
	}
	_, year := d.yearOf(c.lead.rows)
	return year == nil && d.ix.timeOf(c.lead.t.metric, c.lead.rows) == ""
}

// happened says whether members are listed by a condition on related rows in the part of the question where the period stands: "which customers bought
// Chai in 1997".
func (c *composer) happened() bool {
	d := c.draft
	return len(d.measures) == 0 && len(d.clauses) == 0 && slices.ContainsFunc(d.filters, func(f filter) bool { return d.part(f.piece) == d.part(d.periodAt) && c.apart(f) })
}

// periodOfTally gives the tally whose rows the period of the question is about; -1: none.
func (c *composer) periodOfTally() int {
	d := c.draft
	if d.period == nil || len(d.on) > 0 {
		return -1
	}
	return slices.IndexFunc(d.tallies, func(t tally) bool {
		return d.periodAt > t.piece && d.part(d.periodAt) == d.part(t.piece) && t.options[0].entity != nil && len(c.periodOf(*d.period, t.options[0].entity)) > 0
	})
}

// periodsOf writes the period of the question, or each one of several, as a condition on the rows of an entity.
func (c *composer) periodsOf(e *semantic.Entity) []*frameql.Pred {
	all := c.draft.periods
	if len(all) == 0 {
		all = []period{*c.draft.period}
	}
	var out []*frameql.Pred
	for _, p := range all {
		out = append(out, frameql.AllOf(c.periodOf(p, e)))
	}
	return out
}

// periodOf writes a period as conditions on the rows of an entity.
func (c *composer) periodOf(p period, e *semantic.Entity) []*frameql.Pred {
	d := c.draft
	name, best := d.ix.timeOf(nil, e), 0.0
	for i, t := range d.on {
		joins, ok := d.ix.paths.distance(e.Name, t.entity.Name)
		if score := t.score + bindHop*float64(joins); ok && (i == 0 || score > best) {
			name, best = dimensionName(t), score
		}
	}
	if name == "" {
		there := *c
		there.lead.rows = e
		if year := there.yearFilter(p); year != nil {
			return []*frameql.Pred{year}
		}
		return nil
	}
	var out []*frameql.Pred
	if !p.From.IsZero() {
		out = append(out, &frameql.Pred{Dim: name, Op: "ge", Val: &frameql.Value{Kind: frameql.String, Text: iso(p.From)}})
	}
	if !p.To.IsZero() {
		out = append(out, &frameql.Pred{Dim: name, Op: "lt", Val: &frameql.Value{Kind: frameql.String, Text: iso(p.To)}})
	}
	return out
}

// saysNothing says whether what a member is denied to be follows from what it is: one column is of a value, and the column
// that it points at is not of another. "From the Statistics but not the Music department" is about two rows.
func (c *composer) saysNothing(filters []filter) bool {
	for _, f := range filters {
		t, ok := c.pick(f.slot)
		if !ok || t.dim == nil || f.op != "ne" {
			continue
		}
		if slices.ContainsFunc(filters, func(o filter) bool {
			is, ok := c.pick(o.slot)
			return ok && is.dim != nil && o.op == "eq" && is.entity != t.entity && (c.draft.ix.pointsAt(is, t) || c.draft.ix.pointsAt(t, is))
		}) {
			return true
		}
	}
	return false
}

// denied turns a condition in a clause of absence without related rows around: "who do not live in London".
func (c *composer) denied(f filter) filter {
	cl := c.draft.clauseOf(f.piece)
	if cl == nil {
		return f
	}
	c.broken = c.broken || cl.quant == "all"
	opposite := map[string]string{"eq": "ne", "ne": "eq", "gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "is_true": "is_false", "is_false": "is_true"}
	f.op = opposite[f.op]
	if f.op == "" {
		c.broken = true
	}
	return f
}

// quantifies says whether a question can only be answered by asking for each member whether related rows exist.
func (d *draft) quantifies() bool {
	counted := d.measures[0].options[0].entity
	if counted != nil && slices.ContainsFunc(d.filters, func(f filter) bool {
		return len(f.values) > 1 && f.op == "eq" && d.allOf(f) && !slices.ContainsFunc(f.options, func(t target) bool { return d.ix.paths.reaches(counted.Name, t.entity.Name) })
	}) {
		return true
	}
	return slices.ContainsFunc(d.clauses, func(cl clause) bool { return cl.quant == "no" })
}

// ofNamedRows says whether a condition stands behind related rows that lead to what it is about: "taking classes from the Music
// department" is about the department of the classes.
func (d *draft) ofNamedRows(f filter, e *semantic.Entity) bool {
	return slices.ContainsFunc(d.clauses, func(cl clause) bool {
		return cl.quant == "any" && d.part(cl.from) == d.part(f.piece) && slices.ContainsFunc(cl.members, func(m slot) bool {
			return m.piece >= 0 && m.piece < f.piece && d.ix.paths.reaches(m.options[0].entity.Name, e.Name)
		})
	})
}

// namesRows says whether related rows are named in the part of the question where a condition on them stands.
func (d *draft) namesRows(f filter, e *semantic.Entity) bool {
	return slices.ContainsFunc(d.clauses, func(cl clause) bool {
		return d.part(cl.from) == d.part(f.piece) && slices.ContainsFunc(cl.members, func(m slot) bool { return d.ix.paths.reaches(m.options[0].entity.Name, e.Name) })
	})
}

// eachValue writes that every one of several values occurs with a value that is listed: "the years shared by technicians from
// Rome and Oslo". nil: the condition says nothing of the kind.
func (c *composer) eachValue(f filter) []*frameql.Pred {
	d := c.draft
	if d.subject != nil || len(d.columns) == 0 || len(d.measures) > 0 || len(f.values) < 2 || f.op != "eq" || !d.saysShared(f.piece) || !d.allOf(f) && !d.sharedBy(f.piece) {
		return nil
	}
	var out []*frameql.Pred
	for _, v := range f.values {
		one := f
		one.values = []*piece{v}
		out = append(out, c.occur([]*frameql.Pred{c.condition(one)}, false))
	}
	return out
}

// sharedBy says whether "shared by" stands before a piece: what A or B share they both have.
func (d *draft) sharedBy(i int) bool {
	for k := 1; k < d.pieces[i].from; k++ {
		if w := d.tokens[k-1].norm; (w == "shared" || w == "common") && (d.tokens[k].norm == "by" || d.tokens[k].norm == "to") {
			return true
		}
	}
	return false
}

// saysShared says whether "both" or "shared by" stands before a piece.
func (d *draft) saysShared(i int) bool {
	return slices.ContainsFunc(d.tokens[:d.pieces[i].from], func(t token) bool { return t.norm == "both" || t.norm == "shared" || t.norm == "share" })
}
