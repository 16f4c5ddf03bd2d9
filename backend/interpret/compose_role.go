package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// pick gives what a slot was bound to; ok is false for a slot without meanings (a bare calendar unit).
func (c *composer) pick(s slot) (target, bool) {
	if len(s.options) == 0 {
		return target{}, false
	}
	if t, ok := c.picks[s.piece]; ok && (t.metric == nil || slices.ContainsFunc(s.options, isMetric)) { // one word may be what is counted and whose it is
		return c.inRole(t, s.piece), true
	}
	return c.inRole(s.options[0], s.piece), true
}

func dimensionName(t target) string { return t.owner() + "." + t.dim.Name }

// inRole says in which role a member is meant, where the rows that are read lead to it in several ways.
func (c *composer) inRole(t target, piece int) target {
	if t.metric != nil || t.entity == nil || len(c.draft.ix.roles) == 0 {
		return t
	}
	ways := c.draft.ix.ways(c.lead.rows, t.entity)
	if c.lead.rows == t.entity || len(ways) == 0 {
		return t
	}
	r := c.draft.roleAt(piece, t, ways)
	if r == nil && slices.Contains(ways, c.draft.assumed) {
		r = c.draft.assumed
		if len(ways) == 2 && c.otherEnd(t, piece) {
			r = ways[1-slices.Index(ways, r)]
		}
	}
	if r == nil {
		c.open = ways
		return t
	}
	c.meant = append(c.meant, r)
	t.role = r.waypoint(t.entity)
	if other := c.draft.ix.entities[t.role]; other != nil {
		c.broken = c.broken || t.dim != nil && other.Dimension(t.dim.Name) != nil || slices.ContainsFunc(c.draft.ix.display(t.entity), func(name string) bool { return other.Dimension(name) != nil })
	}
	return t
}

// otherEnd says whether a member is named behind what relates it to those that are asked for: "people who were invited by Mia Fox".
func (c *composer) otherEnd(t target, piece int) bool {
	return c.lead.member == t.entity && t.value != nil && slices.ContainsFunc(c.draft.related, func(cl clause) bool { return cl.from < piece && cl.from > c.lead.slot })
}

// dropsRole says whether the question says a role and nothing else with it, and no member is read in it.
func (c *composer) dropsRole() bool {
	return slices.ContainsFunc(c.draft.said, func(m saidRole) bool {
		if slices.ContainsFunc(m.roles, func(r *role) bool { return slices.Contains(c.meant, r) }) {
			return false
		}
		beside := slices.ContainsFunc(c.meant, func(r *role) bool { return r.join.From == m.roles[0].join.From })
		return m.taken || m.rows && c.speaksOfThem(m) || m.verb && beside && !c.draft.dated(m)
	})
}

// speaksOfThem says whether a condition stands behind rows that are called by a role, and was read as one on who has them: "the age of the friends of
// Mia Fox" is not hers.
func (c *composer) speaksOfThem(m saidRole) bool {
	to := m.roles[0].join.To
	return c.lead.rows.Name == to && slices.ContainsFunc(c.draft.filters, func(f filter) bool {
		t, ok := c.pick(f.slot)
		return ok && f.piece > m.of && t.entity != nil && t.entity.Name == to
	})
}

// dated says whether a verb stands before a date: "reported in 2020" is no matter of who did it.
func (d *draft) dated(m saidRole) bool {
	i := d.nextPiece(m.to)
	for i >= 0 && d.is(i, gluePiece) {
		i++
	}
	return i >= 0 && (d.is(i, periodPiece) || d.is(i, comparePiece))
}

// composed writes the query of one assignment, or one for each role that the question leaves open.
func (d *draft) composed(l lead, a assignment, score float64) []candidate {
	d = d.overRows(l)
	c := d.compose(l, a, score)
	if len(c.open) == 0 || d.assumed != nil {
		return []candidate{c}
	}
	var out []candidate
	for _, r := range c.open {
		other := *d
		other.assumed = r
		out = append(out, other.compose(l, a, score))
	}
	return out
}

// inRoles gives leads over the rows that point at the members, for members that are meant in a role: "the people on the affirmative side" are read
// from who took which side.
func (d *draft) inRoles(leads []lead) []lead {
	out := slices.Clone(leads)
	for _, l := range leads {
		if r := d.saidRows(l); r != nil {
			other := l
			other.member = d.ix.entities[r.join.To]
			other.t = target{entity: other.member, score: l.t.score}
			other.score += bindRest
			out = append(out, other)
			continue
		}
		counted := d.counts(l.slot) || l.t.metric != nil && d.ix.counter(l.rows) == l.t.metric
		if l.via != nil || len(d.measures) > 0 && !counted || len(d.measures) > 1 {
			continue
		}
		var rows []*semantic.Entity
		for _, r := range d.ix.roles {
			if from := d.ix.entities[r.join.From]; r.join.To == l.rows.Name && from != l.rows && !slices.Contains(rows, from) && d.speaksOf(from, r) {
				rows = append(rows, from)
			}
		}
		for _, from := range rows {
			other := l
			other.rows, other.event, other.member = from, d.ix.event(nil, from), l.rows
			other.score += bindHop
			out = append(out, other)
		}
	}
	return out
}

// saidRows gives the role of whom nameless rows are called by, where they are listed: "friends of Mia Fox"; nil: none.
func (d *draft) saidRows(l lead) *role {
	if d.subject == nil || len(d.measures) > 0 || l.slot != d.subject.piece || l.rows.Display != "" {
		return nil
	}
	for _, m := range d.said {
		if m.rows && m.of == l.slot && len(m.roles) == 1 && m.roles[0].join.From == l.rows.Name {
			return m.roles[0]
		}
	}
	return nil
}

// speaksOf says whether a question names the rows that point at members in a role, or the role.
func (d *draft) speaksOf(rows *semantic.Entity, r *role) bool {
	if slices.ContainsFunc(d.said, func(m saidRole) bool { return slices.Contains(m.roles, r) && !m.rows }) {
		return true
	}
	return slices.ContainsFunc(d.clauses, func(cl clause) bool {
		return slices.ContainsFunc(cl.members, func(s slot) bool { return s.options[0].entity == rows })
	})
}

// overRows leaves out what only says that there are the rows that members are read from.
func (d *draft) overRows(l lead) *draft {
	if l.member == nil {
		return d
	}
	other := *d
	other.related = d.clauses
	other.clauses = slices.DeleteFunc(slices.Clone(d.clauses), func(cl clause) bool {
		return cl.quant == "any" && !slices.ContainsFunc(cl.members, func(s slot) bool { return s.options[0].entity != l.rows })
	})
	other.invalid = d.invalid || len(d.tallies) > 0 || slices.ContainsFunc(other.clauses, func(cl clause) bool { return cl.quant != "any" })
	return &other
}

// members counts the different members that rows lead to in a role; nil: nothing is counted so.
func (c *composer) members(m measure, t target) *frameql.Expr {
	e := c.lead.member
	if e == nil || len(e.Key) != 1 || m.piece != c.lead.slot {
		return nil
	}
	t = c.inRole(target{entity: e, dim: e.Dimension(e.Key[0])}, m.piece)
	if t.dim == nil {
		return nil
	}
	return &frameql.Expr{Reduce: "count", Dist: true, Of: &frameql.Expr{Metric: dimensionName(t)}}
}

// owner names the entity of a target, or its role.
func (t target) owner() string {
	if t.role != "" {
		return t.role
	}
	return t.entity.Name
}

// grainOf names a member as a grain. A role that is called like another entity is named by what its members are called by.
func (ix *Index) grainOf(t target) frameql.Dim {
	if e := ix.entities[t.role]; e != nil {
		return frameql.Dim{Name: t.role + "." + ix.display(t.entity)[0]}
	}
	return frameql.Dim{Name: t.owner()}
}
