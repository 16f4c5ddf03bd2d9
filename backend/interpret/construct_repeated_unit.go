package interpret

import (
	"slices"

	"assay/backend/text"
)

// repeatsPeriod says whether "that year" points back at the period that was said before it: "in 2021, and how many that year".
func (d *draft) repeatsPeriod(i int) bool {
	p := d.pieces[i]
	if d.period == nil || d.periodAt >= i || p.from == 0 || !slices.Contains([]string{"that", "this", "same"}, d.tokens[p.from-1].norm) {
		return false
	}
	return p.to == p.from+1 && slices.ContainsFunc(d.ix.english.operators[d.tokens[p.from].lemma], func(o operator) bool { return o.class == "grains" })
}

// repeatsUnit says whether "in meters" only says in which unit a number is kept, or is believed to be: nothing is converted, which the answer says.
// A number that is known to be kept in another unit is not what was asked for.
func (d *draft) repeatsUnit(i int) bool {
	p := d.pieces[i]
	said, ok := d.ix.english.units[d.tokens[p.from].norm]
	if !ok || p.to != p.from+1 || said.kind == "time" || p.from == 0 || d.tokens[p.from-1].norm != "in" {
		return false
	}
	numeric := false
	for _, s := range d.slots() {
		for _, t := range s.options {
			dim := t.dim
			if t.metric != nil && d.ix.rowsOf(t) != nil {
				dim = d.ix.rowsOf(t).Dimension(t.metric.Expr)
			}
			if dim == nil || t.value != nil || !dim.Type.Numeric() {
				continue
			}
			if kept, known := d.ix.unitOf(dim); known && kept.name != said.name {
				return false
			}
			numeric = true
		}
	}
	if numeric {
		d.note(text.Say("interpret.assume_unit_said", "unit", d.written(i)))
	}
	return numeric
}
