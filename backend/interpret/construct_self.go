package interpret

import "slices"

// finishSelf drops a split of a count of members by the members themselves, which is always one: "the role codes of the users
// and how many users have each" is split by the role. Without anything else to split by it is no reading.
func (d *draft) finishSelf() {
	if len(d.measures) != 1 || len(d.groups) == 0 || d.top != nil || d.listing || len(d.having) > 0 {
		return
	}
	counted := d.countedRows(d.measures[0])
	at := slices.IndexFunc(d.groups, func(g slot) bool {
		return g.grain == "" && len(g.options) > 0 && isEntity(g.options[0]) && slices.ContainsFunc(counted, func(t target) bool { return t.entity == g.options[0].entity })
	})
	if at < 0 {
		return
	}
	d.groups = slices.Delete(slices.Clone(d.groups), at, at+1)
	d.groups, d.shown = append(d.groups, d.shown...), nil
	d.invalid = d.invalid || len(d.groups) == 0
}

// finishNames drops a split by a bare name beside one by members, which are shown by their names anyway: "names and average
// salaries for departments".
func (d *draft) finishNames() {
	member := slices.ContainsFunc(d.groups, func(g slot) bool {
		return len(g.options) > 0 && isEntity(g.options[0]) && g.options[0].entity.Display != ""
	})
	if !member || len(d.measures) == 0 {
		return
	}
	d.groups = slices.DeleteFunc(slices.Clone(d.groups), func(g slot) bool {
		if !d.isName(g.piece) || !d.is(g.piece+1, gluePiece, "and") {
			return false
		}
		d.take(g.piece, connects, "")
		return true
	})
}

// countedRows gives the entities whose rows a number counts; nil when it is no such count.
func (d *draft) countedRows(m measure) []target {
	if m.sides != nil || m.layer != nil || len(m.per) > 0 || len(m.only) > 0 || m.distinct {
		return nil
	}
	var out []target
	for _, t := range m.options {
		switch {
		case m.star && isEntity(t):
			out = append(out, t)
		case t.metric != nil && m.reduce == "":
			if rows := d.ix.rowsOf(t); rows != nil && d.ix.counter(rows) == t.metric {
				out = append(out, target{entity: rows})
			}
		}
	}
	return out
}
