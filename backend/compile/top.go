package compile

import (
	"slices"

	"assay/backend/semantic"
)

// ranksRows says whether the members of TOP, within those of PER, are the rows of the result.
func (c *compiler) ranksRows() bool {
	t := c.q.Top
	if f := c.q.Fill; f != nil && f.Mode != "none" { // what ranks is not filled
		return false
	}
	for _, k := range c.q.Grain {
		if !slices.Contains(t.Members, k) && !slices.Contains(t.Per, k) {
			return false
		}
	}
	return true
}

// limits says whether TOP is no more than an order and a limit.
func (c *compiler) limits() bool {
	t := c.q.Top
	return c.ranksRows() && len(t.Per) == 0 && !t.Other && len(c.q.Order) == 0 && len(c.q.Totals) == 0 && c.q.Offset == 0
}

// top keeps the rows of the first members. Members are ranked by their value over all their rows; one without a row after
// HAVING does not rank.
func (c *compiler) top(p *part) {
	t := c.q.Top
	if c.limits() {
		return
	}
	ranked := c.rankedMembers(p)
	kept := selects(kindTop, "top", ranked)
	kept.where = []*Scalar{compare("<=", ref(0, rankColumn, semantic.Integer), number(t.N))}
	kept.pass(0, ranked.allNames()...)
	if p.by != nil {
		p.step, p.rank, p.by = kept, ref(0, rankColumn, semantic.Integer), nil
		return
	}
	next := selects(kindTop, "top_rows", p.step, kept)
	j := join{input: 1, kind: joinInner}
	for _, k := range slices.Concat(t.Members, t.Per) {
		j.on = append(j.on, compare("same", ref(1, c.keyNames[k], c.key(k).Type), p.keys[k]))
	}
	next.joins = []join{j}
	next.pass(0, p.step.allNames()...)
	next.cols = append(next.cols, column{name: rankColumn, typ: semantic.Integer, x: ref(1, rankColumn, semantic.Integer)})
	p.step, p.rank = next, ref(0, rankColumn, semantic.Integer)
}

const rankColumn = "member_rank"

// rankedMembers adds the rank to the rows, or to the members when a member has several rows.
func (c *compiler) rankedMembers(p *part) *step {
	t := c.q.Top
	s, by, keys := p.step, p.by, p.keys
	if by == nil {
		req := request{grain: slices.Concat(t.Members, t.Per), cells: []*Scalar{t.By}, name: "members"}
		if !c.sameMembers() {
			req.members = c.membersOf(p)
		}
		rel := c.relation(req)
		s, by, keys = rel.step, rel.cells[0], rel.keys
	}
	ranked := selects(kindTop, "ranked", s)
	v := &window{function: "row_number", order: []sortTerm{{x: by, desc: !t.Asc}}}
	for _, k := range t.Per {
		v.partition = append(v.partition, keys[k])
	}
	for _, k := range t.Members {
		v.order = append(v.order, sortTerm{x: keys[k]})
	}
	if isPlainNumber(by) || by.Op == "null" {
		v.order = v.order[1:]
	}
	if p.by != nil {
		ranked.pass(0, s.allNames()...)
	} else {
		for _, k := range slices.Concat(t.Members, t.Per) {
			ranked.cols = append(ranked.cols, column{name: c.keyNames[k], key: true, typ: c.key(k).Type, x: keys[k]})
		}
	}
	ranked.cols = append(ranked.cols, column{name: rankColumn, typ: semantic.Integer, win: v})
	return ranked
}

// sameMembers says whether the number of TOP has rows for exactly the members that the rows are of: all numbers read the
// same rows, and none of them is left out.
func (c *compiler) sameMembers() bool {
	t, branch := c.q.Top, ""
	if c.q.Having != nil {
		return false
	}
	if f := c.q.Fill; f != nil && f.Mode != "none" {
		for _, k := range slices.Concat(t.Members, t.Per) {
			if c.key(k).Axis {
				return false
			}
		}
	}
	reads := func(cell *Scalar) bool {
		found, same := false, true
		cell.replace(func(s *Scalar) *Scalar {
			switch s.Op {
			case "at":
				return s
			case "leaf":
				l := c.q.Leaves[s.Index]
				id := itoa(l.Source) + " " + itoa(s.Ctx) + " " + l.Time.Signature()
				same = same && l.Pick == nil && l.Map.Kind == "" && !c.contexts[s.Ctx].Lag && (branch == "" || branch == id)
				branch, found = id, true
			}
			return nil
		})
		return found && same
	}
	if !reads(t.By) {
		return false
	}
	some := false
	for _, o := range c.q.Outputs {
		if o.Cell == nil || o.Cell.Op == "key" {
			continue
		}
		if !reads(o.Cell) {
			return false
		}
		some = true
	}
	for _, o := range c.q.Order {
		if o.Output < 0 && o.Cell.Op != "key" && !reads(o.Cell) {
			return false
		}
	}
	return some
}

// membersOf gives the members, within those of PER, that have a row.
func (c *compiler) membersOf(p *part) *step {
	s := selects(kindTop, "present", p.step)
	s.grouped = true
	for _, k := range slices.Concat(c.q.Top.Members, c.q.Top.Per) {
		s.cols = append(s.cols, column{name: c.keyNames[k], key: true, typ: c.key(k).Type, x: p.keys[k]})
	}
	return s
}

// members gives the step that holds the members that are shown.
func (p *part) members(c *compiler) *step {
	s := p.step
	if s.kind == kindTop && len(s.in) == 2 {
		return s.in[1]
	}
	if s.kind != kindTop {
		c.broken("the rest of no TOP")
	}
	return s
}
