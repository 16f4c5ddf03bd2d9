package interpret

// onlyPresent ranks members of the only table by their least number, and not by the sum, where the smallest come first and each of them has one
// row, or where the number is a place: a sum over an empty cell is 0, and would be the lowest attendance of all.
func (d *draft) onlyPresent(top *ranking) {
	if d.ix.rowPlace() == nil || top.attribute || top.by.reduce != "" && !top.by.assumed || len(top.by.options) == 0 || len(top.member.options) == 0 {
		return
	}
	t := top.by.options[0]
	if t.metric == nil && !isNumeric(t) || !d.isColumn(t) {
		return
	}
	places := d.ix.countsPlaces(top.by)
	lowest := top.direction == "low" && isDimension(top.member.options[0]) && d.oneRowEach(top.member.options[0])
	if !places && !lowest {
		return
	}
	if t.metric != nil {
		t = target{entity: d.ix.entities[t.metric.Entity], dim: d.ix.dimension(t.metric.Entity, t.metric.Expr), score: t.score}
	}
	top.by.options, top.by.reduce, top.by.assumed = []target{t}, "min", false
	if places && (top.direction == "low" || top.direction == "worst") {
		top.by.reduce = "max"
	}
}
