package interpret

import (
	"slices"

	"assay/backend/text"
)

// finishUnits keeps a unit that names what is measured to the members themselves: "pets over 10 lbs" weigh that much, and "students
// over 10 lbs" are not read where only their pets have a weight.
func (d *draft) finishUnits() {
	host := d.host()
	for _, s := range d.slots() {
		if s.piece < 0 || !d.namesUnit(s.piece) {
			continue
		}
		s.options = keepTargets(s.options, func(t target) bool {
			return host != nil && t.entity != nil && (t.entity == host || d.ix.paths.reaches(host.Name, t.entity.Name))
		})
		d.invalid = d.invalid || len(s.options) == 0
	}
	theirs := func(m measure) bool {
		return m.piece >= 0 && d.namesUnit(m.piece) && (host == nil || len(m.options) == 0 || d.ix.rowsOf(m.options[0]) != host)
	}
	d.invalid = d.invalid || slices.ContainsFunc(d.having, func(h having) bool { return theirs(h.measure) }) || slices.ContainsFunc(d.tallies, func(t tally) bool { return theirs(t.measure) })
}

// namesUnit says whether a piece is a unit that stands for the attribute that is measured in it.
func (d *draft) namesUnit(i int) bool {
	_, ok := d.ix.english.units[d.tokens[d.pieces[i].from].norm]
	return ok && d.pieces[i].id == saidOtherwise
}

// unitsAssumed says of which attributes a unit of the question was taken to be the one of the data.
func (d *draft) unitsAssumed(a assignment) []string {
	var notes []string
	for i, p := range d.pieces {
		if !d.namesUnit(i) || d.uses[i].slot == "" {
			continue
		}
		t, ok := a[i]
		if !ok || t.dim == nil {
			t = p.names[0]
		}
		n := text.Say("interpret.assume_unit", "unit", d.ix.english.units[d.tokens[p.from].norm].name, "dimension", d.ix.dimensionLabel(t.entity, t.dim))
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return notes
}
