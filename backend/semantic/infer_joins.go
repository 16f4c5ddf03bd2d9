package semantic

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/backend/text"
)

// proposeJoins believes declared references whose far side is unique, and measured inclusions where names suggest a
// reference, or where values are long words that two tables hardly share by accident. A column refers to one table.
func (p *proposal) proposeJoins(inclusions []Inclusion) {
	for _, d := range p.drafts {
		for _, fk := range d.t.ForeignKeys {
			p.declaredEdge(d, fk)
		}
	}
	best := map[[2]string][]*edge{} // table, column -> measured candidates
	var order [][2]string
	for _, in := range inclusions {
		from, to := p.draftOf(in.Table), p.draftOf(in.RefTable)
		if from == nil || to == nil || from.column(in.Column) == nil || to.column(in.RefColumn) == nil {
			continue
		}
		if !to.t.Unique(to.column(in.RefColumn).c) || in.Covered < LeastCovered || in.NameMatch < 0.5 && in.Covered < 1 {
			continue
		}
		if in.Covered >= 1 && from.column(in.Column).c.Nulls == 0 {
			for _, e := range p.edges { // a declared reference, now measured
				if e.from == from && e.to == to && slices.Equal(e.near, []string{in.Column}) && slices.Equal(e.far, []string{in.RefColumn}) {
					e.total = true
				}
			}
		}
		k := [2]string{in.Table, in.Column}
		if best[k] == nil {
			order = append(order, k)
		}
		best[k] = append(best[k], measuredEdge(from, to, in))
	}
	for _, named := range []bool{true, false} { // names first: they tell which of several tables with the same names the others refer to
		for _, k := range order {
			candidates := best[k]
			if supported := slices.ContainsFunc(candidates, func(e *edge) bool { return e.confidence >= 0.5 }); supported != named {
				continue
			}
			if !named {
				candidates = p.withoutDetours(candidates)
			}
			if e := choose(candidates); e != nil && !p.refers(e.from, e.near) {
				p.edges = append(p.edges, e)
			}
		}
		p.dropReverse()
	}
	for _, e := range p.edges {
		for i := range e.near {
			e.from.column(e.near[i]).role = referenceRole(e.from.column(e.near[i]))
			e.to.column(e.far[i]).role = referenceRole(e.to.column(e.far[i]))
		}
	}
}

// referenceRole is the role of a column that takes part in a join: it names something, whatever its type looks like.
func referenceRole(c *draftColumn) ColumnRole {
	if c.role == RoleText || c.role == RoleTime {
		return c.role
	}
	return RoleIdentifier
}

func (p *proposal) draftOf(table string) *draft {
	for _, d := range p.drafts {
		if strings.EqualFold(d.t.Table, table) {
			return d
		}
	}
	return nil
}

// refers says whether the columns are already the near side of an edge.
func (p *proposal) refers(from *draft, near []string) bool {
	return slices.ContainsFunc(p.edges, func(e *edge) bool { return e.from == from && slices.Equal(e.near, near) })
}

// declaredEdge takes a declared reference when its columns exist, its types agree and its far side is unique in the data.
func (p *proposal) declaredEdge(from *draft, fk ForeignKey) {
	to := p.draftOf(fk.RefTable)
	if to == nil {
		return
	}
	far := fk.RefColumns
	if len(far) == 0 {
		far = to.t.Key
	}
	if len(far) == 0 || len(far) != len(fk.Columns) {
		return
	}
	e := &edge{from: from, to: to, basis: text.Say("semantic.basis_declared"), confidence: 1} // declared is not measured: total stays open
	for i := range far {
		near, other := from.columnFold(fk.Columns[i]), to.columnFold(far[i])
		if near == nil || other == nil || !comparable(near.c.Type, other.c.Type) {
			return
		}
		e.near, e.far = append(e.near, near.c.Column), append(e.far, other.c.Column)
	}
	single := len(far) == 1 && to.t.Unique(to.column(e.far[0]).c)
	if to.t.Rows > 0 && !single && !sameColumns(e.far, to.t.Key) || p.refers(from, e.near) {
		return
	}
	e.oneToOne = len(e.near) == 1 && from.t.Unique(from.column(e.near[0]).c) || len(from.t.Key) > 0 && sameColumns(e.near, from.t.Key)
	p.edges = append(p.edges, e)
}

func comparable(a, b Type) bool {
	return a == b || a.Numeric() && b.Numeric() || a.Temporal() && b.Temporal()
}

func sameColumns(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return strings.EqualFold(x, y) }) {
			return false
		}
	}
	return true
}

// columnFold finds a column as a declaration spells it.
func (d *draft) columnFold(name string) *draftColumn {
	for _, c := range d.columns {
		if strings.EqualFold(c.c.Column, name) {
			return c
		}
	}
	return nil
}

func measuredEdge(from, to *draft, in Inclusion) *edge {
	near := from.column(in.Column)
	e := &edge{
		from: from, to: to, near: []string{in.Column}, far: []string{in.RefColumn}, confidence: in.NameMatch,
		oneToOne: from.t.Unique(near.c), total: in.Covered >= 1 && near.c.Nulls == 0,
	}
	percent := strconv.FormatFloat(math.Floor(in.Covered*1000)/10, 'f', -1, 64)
	if in.NameMatch >= 0.5 {
		e.basis = text.Say("semantic.basis_name_and_values", "percent", percent)
	} else {
		e.basis = text.Say("semantic.basis_values", "percent", percent)
	}
	return e
}

// withoutDetours leaves out candidates whose column is itself a reference to another candidate: where a table of countries and one of
// their flags list the same names, and flags refer to countries, a third table refers to countries too.
func (p *proposal) withoutDetours(candidates []*edge) []*edge {
	support := func(from, to *edge) float64 { // of an edge between what two candidates refer to
		for _, e := range p.edges {
			if e.from == from.to && e.to == to.to && e.total && slices.Equal(e.near, from.far) && slices.Equal(e.far, to.far) {
				return e.confidence
			}
		}
		return 0
	}
	return slices.DeleteFunc(slices.Clone(candidates), func(c *edge) bool {
		return slices.ContainsFunc(candidates, func(o *edge) bool { return support(c, o) > support(o, c) })
	})
}

// choose gives the reference of a column among measured candidates: the best name, then the far side's own key. Without
// any support of names, a column that fits several tables refers to none.
func choose(candidates []*edge) *edge {
	toKey := func(e *edge) bool { return slices.Equal(e.to.t.Key, e.far) }
	slices.SortStableFunc(candidates, func(a, b *edge) int {
		switch {
		case a.confidence != b.confidence:
			return int(math.Copysign(1, b.confidence-a.confidence))
		case toKey(a) != toKey(b):
			if toKey(a) {
				return -1
			}
			return 1
		}
		return strings.Compare(a.to.t.Table, b.to.t.Table)
	})
	if candidates[0].confidence < 0.5 && len(candidates) > 1 {
		return nil
	}
	if e := candidates[0]; e.confidence < 0.5 && (e.oneToOne || !toKey(e)) {
		return nil // two tables that list the same names; neither refers to the other
	}
	return candidates[0]
}

// dropReverse keeps one of two one-to-one edges that say the same in both directions: the better named, then the first. Where
// each side was measured to have exactly one partner of the same name both stay: whichever is asked about has the attributes of the other.
func (p *proposal) dropReverse() {
	var kept []*edge
	for _, e := range p.edges {
		i := slices.IndexFunc(kept, func(k *edge) bool {
			return k.from == e.to && k.to == e.from && slices.Equal(k.near, e.far) && slices.Equal(k.far, e.near)
		})
		switch {
		case i < 0, e.total && kept[i].total && e.from.column(e.near[0]).c.Type == Text:
			kept = append(kept, e)
		case e.confidence > kept[i].confidence:
			kept[i] = e
		}
	}
	p.edges = kept
}

// nameRoles tells apart edges between the same two entities, and edges of an entity to itself. An edge whose column is
// named just like the far entity needs no role.
func (p *proposal) nameRoles() {
	together := map[[2]*draft][]*edge{}
	for _, e := range p.edges {
		k := [2]*draft{e.from, e.to}
		together[k] = append(together[k], e)
	}
	for _, e := range p.edges {
		same := together[[2]*draft{e.from, e.to}]
		if e.from != e.to && len(same) == 1 {
			continue
		}
		noun := referenceNoun(e.near[0])
		if e.from != e.to && len(e.near) == 1 && (slices.Equal(noun, e.to.words) || slices.Equal(nameless(noun), e.to.words)) {
			continue
		}
		e.role = roleName(noun, e.to.words)
		if e.role == "" {
			e.role = e.from.column(e.near[0]).name
		}
	}
	for _, same := range together {
		taken := map[string]bool{}
		for _, e := range same {
			if len(same) > 1 || e.role != "" {
				e.role = uniqueRole(e, taken)
			}
		}
	}
}

func uniqueRole(e *edge, taken map[string]bool) string {
	role := e.role
	if taken[role] {
		role = e.from.column(e.near[0]).name
	}
	return unique(role, taken)
}

// roleName takes the far entity's words off: home team becomes home; manager stays.
func roleName(noun, target []string) string {
	rest := noun
	if hasSuffix(noun, target) {
		rest = noun[:len(noun)-len(target)]
	}
	if len(rest) == 0 {
		return ""
	}
	return snake(rest)
}
