package frameqltest

import (
	"slices"

	"assay/backend/semantic"
)

// across gives the rows of an entity that stand beside a row many to many: some row of the one entity whose rows lead to
// both leads to each of the two.
func (v *evaluation) across(row place, many *semantic.Entity) []place {
	var between []*semantic.Entity
	for i := range v.w.Model.Entities {
		e := &v.w.Model.Entities[i]
		if v.leads(e, row.entity) && v.leads(e, many) {
			between = append(between, e)
		}
	}
	between = slices.DeleteFunc(slices.Clone(between), func(e *semantic.Entity) bool { // what only refines another one says nothing more
		return slices.ContainsFunc(between, func(o *semantic.Entity) bool { return v.leads(e, o) })
	})
	if len(between) != 1 {
		panic(outside{"rows that relate " + row.entity.Name + " to " + many.Name})
	}
	if row.row < 0 {
		return nil
	}
	mine, _ := v.w.path(between[0].Name, row.entity.Name)
	theirs, _ := v.w.path(between[0].Name, many.Name)
	var all []place
	for i := range v.w.rows(between[0]) {
		link := place{between[0], i}
		if v.w.follow(link, mine).row != row.row {
			continue
		}
		if far := v.w.follow(link, theirs); far.row >= 0 && !slices.Contains(all, far) {
			all = append(all, far)
		}
	}
	return all
}

// leads says whether the rows of one entity lead to those of another one.
func (v *evaluation) leads(from, to *semantic.Entity) bool {
	_, ok := v.w.path(from.Name, to.Name)
	return ok && from != to
}
