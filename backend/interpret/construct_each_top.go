package interpret

import "slices"

// readEachTop reads the first members of each group: "the most expensive product in each category", "for each country the
// customer with the most orders". An attribute that members are ranked by becomes a number of theirs, and what splits
// them is looked for among what the members have themselves.
func readEachTop(d *draft) {
	if d.top == nil || len(d.top.member.options) == 0 {
		return
	}
	if d.top.attribute {
		d.rankEach()
	}
	if len(d.groups) != 2 || d.top.attribute || !isEntity(d.top.member.options[0]) {
		return
	}
	member := d.top.member.options[0].entity
	for k := range d.groups {
		own := slices.DeleteFunc(slices.Clone(d.groups[k].options), func(t target) bool { return t.entity == nil || !d.ix.paths.reaches(member.Name, t.entity.Name) })
		if d.groups[k].piece != d.top.member.piece && len(own) > 0 {
			d.groups[k].options = own
		}
	}
}

// rankEach turns a list that is ordered by an attribute into a ranking inside of each group; with several groups it is no
// reading.
func (d *draft) rankEach() {
	if len(d.groups) == 0 {
		return
	}
	if len(d.groups) > 1 || len(d.columns) != 1 || len(d.measures) > 0 {
		d.invalid = true
		return
	}
	top := d.top
	top.attribute, top.by.reduce = false, "max"
	if !d.descends(top) {
		top.by.reduce = "min"
	}
	d.groups = []slot{top.member, d.groups[0]}
	d.measures, d.columns, d.subject, d.listing = []measure{top.by}, nil, nil, false
}

// descends says whether the largest values come first.
func (d *draft) descends(top *ranking) bool {
	return top.direction == "high" || top.direction == "best"
}
