package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// perRow lists members once for each row that has what is asked of them, where they have several: "the names of the wrestlers and
// their moves" has one line for each move. It is the lead as it was where all that is asked has one value for each member.
func (d *draft) perRow(l lead) lead {
	if !d.listing || d.top != nil || d.common > 0 || d.distinct() || len(d.tallies)+len(d.having) > 0 {
		return l
	}
	with := []*semantic.Entity{l.rows}
	for _, s := range d.columns {
		one := func(t target) bool { return t.entity == nil || d.ix.paths.reaches(l.rows.Name, t.entity.Name) }
		if len(s.options) > 0 && !slices.ContainsFunc(s.options, one) {
			if t := s.options[0]; t.score < scoreFaint || t.match >= sameMatch {
				return l // what is met that badly does not say which rows are meant
			}
			with = append(with, s.options[0].entity)
		}
	}
	if len(with) == 1 {
		return l
	}
	q := d.ix.spanning(with)
	if q == nil || q == l.rows {
		return l
	}
	if hops, ok := d.ix.paths.distance(q.Name, l.rows.Name); ok {
		l.score += bindHop * float64(hops)
	}
	l.rows, l.via, l.event = q, q, d.ix.event(nil, q)
	return l
}
