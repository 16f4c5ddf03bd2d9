package frameql

import (
	"strconv"

	"assay/backend/semantic"
)

// PopulationStatement counts the rows of the fact: one row with rows_in, kept (by all filters together), then filter_1,
// filter_2, ... each alone, in the order of Filters with the period last, and, with a period, first and last: the least
// and greatest value of its time dimension among the rows that are kept. False when the dialect cannot be written.
func (p *Plan) PopulationStatement(d Dialect) (Statement, bool) {
	w, err := p.writer(d)
	if err != nil || p.bound == nil {
		return Statement{}, false
	}
	filters := append([]*scalar{}, p.bound.where...)
	if p.bound.period != nil {
		filters = append(filters, p.bound.period)
	}
	only := &boundQuery{nodes: p.bound.nodes, joinOn: p.bound.joinOn, where: p.bound.where, period: p.bound.period}
	w.b = only
	w.tables = w.aliases(only.needed())
	kept := and(filters...)
	suffix := ""
	if kept != nil {
		suffix = " FILTER (WHERE " + w.row(kept) + ")"
	}
	s := selection{from: w.from()}
	out := Statement{Dialect: d, MaxRows: 1}
	add := func(expr, name, typ string) {
		s.columns = append(s.columns, w.as(expr, name))
		out.Columns = append(out.Columns, Column{Name: name, Role: RoleMetric, Type: typ})
	}
	add("COUNT(*)", "rows_in", string(semantic.Integer))
	add("COUNT(*)"+suffix, "kept", string(semantic.Integer))
	for i, f := range filters {
		add("COUNT(*) FILTER (WHERE "+w.row(f)+")", "filter_"+strconv.Itoa(i+1), string(semantic.Integer))
	}
	if t := p.bound.timeCol; t != nil {
		add("MIN("+w.row(t)+")"+suffix, "first", string(t.typ))
		add("MAX("+w.row(t)+")"+suffix, "last", string(t.typ))
	}
	out.SQL = w.finish(s)
	return out, true
}
