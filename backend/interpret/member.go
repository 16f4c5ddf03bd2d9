package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// ofMember speaks against a number of other rows where the question names a member that has the number itself: "population of Texas" is the
// population of the state and not that of its cities, and "population of Lyon" is no matter of the region whose seat it is.
func (d *draft) ofMember(a assignment) float64 {
	if len(d.groups) > 0 || d.top != nil || len(d.measures) > 1 || len(d.measures) == 0 && len(d.columns) != 1 {
		return 0
	}
	asked, bases := slot{}, map[*semantic.Entity]bool{}
	if len(d.measures) == 0 {
		asked = d.columns[0]
	} else if asked = d.measures[0].slot; d.measures[0].star {
		return 0
	}
	for _, t := range asked.options {
		if t.dim != nil && !isNumeric(t) {
			return 0
		}
		bases[d.ix.rowsOf(t)] = true
	}
	chosen := d.ix.rowsOf(asked.options[0])
	if t, ok := a[asked.piece]; ok {
		chosen = d.ix.rowsOf(t)
	}
	if len(bases) < 2 {
		return 0
	}
	own := func(o target) bool {
		return o.value != nil && bases[o.entity] && slices.Contains(d.ix.nameColumns(o.entity), o.dim.Name)
	}
	could, is := false, false
	for _, f := range d.filters {
		t, ok := a[f.piece]
		if !ok || t.value == nil || f.op != "eq" || !slices.ContainsFunc(f.options, own) {
			continue
		}
		could = true
		if own(t) {
			is = is || t.entity == chosen
		} else if !slices.ContainsFunc(f.options, func(o target) bool { return own(o) && d.ix.pointsAt(t, o) }) {
			return bindOtherMember
		}
	}
	if could && !is {
		return bindOtherMember
	}
	return 0
}

// leadsBack says whether a value stands in a column by which rows point at an entity.
func (ix *Index) leadsBack(t target, to *semantic.Entity) bool {
	return slices.ContainsFunc(ix.model.Joins, func(j semantic.Join) bool {
		return j.ToOne() && j.Role == "" && j.From == t.entity.Name && j.To == to.Name && len(j.On) == 1 && (j.On[0].From == t.dim.Name || t.dim.Column != "" && j.On[0].From == t.dim.Column)
	})
}
