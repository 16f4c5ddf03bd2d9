package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// keepEither writes WHERE and HAVING, where conditions of different kinds may be a choice.
func (c *composer) keepEither() {
	e := c.draft.either
	if e == nil {
		c.keep()
		return
	}
	whole := c.draft
	var where, having []*frameql.Pred
	for _, s := range e.sides {
		side := *c
		side.draft, side.query = whole.withConditions(true, s), &frameql.Query{V: 1}
		side.keep()
		if p := side.draft.period; p != nil && !side.periodApart() {
			during := side.periodOf(*p, side.lead.rows)
			side.broken = side.broken || len(during) == 0
			side.query.Where = frameql.AllOf(append(frameql.Conjuncts(side.query.Where), during...))
		}
		c.broken, c.notes = c.broken || side.broken, side.notes
		where, having = append(where, side.query.Where), append(having, side.query.Having)
	}
	c.draft = whole.withConditions(false, e.sides...)
	c.keep()
	one := func(ps []*frameql.Pred, outside **frameql.Pred) {
		c.broken = c.broken || !e.clear(ps) || repeats(*outside, ps)
		*outside = frameql.AllOf(append(frameql.Conjuncts(*outside), &frameql.Pred{Or: ps}))
	}
	none := func(p *frameql.Pred) bool { return p == nil }
	switch {
	case !slices.ContainsFunc(where, none) && !slices.ContainsFunc(having, func(p *frameql.Pred) bool { return p != nil }):
		one(where, &c.query.Where)
	case !slices.ContainsFunc(having, none) && !slices.ContainsFunc(where, func(p *frameql.Pred) bool { return p != nil }):
		one(having, &c.query.Having)
	default:
		c.broken = true // rows on one side and members on the other
	}
}

// clear says whether it is plain which conditions belong to which side: one each, as many on each, or those behind "either".
func (e *either) clear(sides []*frameql.Pred) bool {
	first := len(frameql.Conjuncts(sides[0]))
	for _, p := range sides[1:] {
		n := len(frameql.Conjuncts(p))
		if n != first && !(n == 1 && e.said) {
			return false
		}
	}
	return true
}

// repeats says whether what holds anyway and a choice are about one dimension: "players from UCLA who play forward or are from Duke".
func repeats(outside *frameql.Pred, sides []*frameql.Pred) bool {
	return slices.ContainsFunc(frameql.Conjuncts(outside), func(o *frameql.Pred) bool {
		return o.Dim != "" && slices.ContainsFunc(sides, func(s *frameql.Pred) bool {
			return slices.ContainsFunc(frameql.Conjuncts(s), func(p *frameql.Pred) bool { return p.Dim == o.Dim })
		})
	})
}
