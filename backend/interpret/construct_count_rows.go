package interpret

// keepRows turns a condition on a number of members that are counted into one on their rows, in the only table, where each of them has one row:
// "how many airports have more than 100 flights" of a table with a line for each airport.
func (d *draft) keepRows(h having, head int) bool {
	if d.ix.rowPlace() == nil || h.star || h.reduce != "" && !h.assumed || !d.counted(head) || !d.isColumn(h.options[0]) || h.bound.operand != nil {
		return false
	}
	own := d.names(head, func(t target) bool { return isDimension(t) && d.oneRowEach(t) })
	if len(own) == 0 || len(own) != len(d.dimensions(head)) {
		return false
	}
	number := h.options[0]
	if number.metric != nil {
		number = target{entity: own[0].entity, dim: d.ix.dimension(number.metric.Entity, number.metric.Expr), score: number.score}
	}
	f := filter{slot: slot{piece: h.piece, options: []target{number}}, named: -1, op: h.op, texts: h.bound.nums, bound: h.bound}
	if !f.bound.of(measure{slot: f.slot}, nil) {
		return false
	}
	d.filters = append(d.filters, f)
	return true
}

// oneRowEach says whether each value of a dimension has one row, as far as anybody looked.
func (d *draft) oneRowEach(t target) bool {
	if d.env.Unique == nil {
		return false
	}
	unique, known := d.env.Unique(t.entity.Name, []string{t.dim.Name})
	return unique && known
}
