package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// finishEachValue splits an average or an extreme that is asked for several values: "the average age of male and female
// patients" is one number for each, because no one number is that of both.
func (d *draft) finishEachValue() {
	if len(d.measures) == 0 || len(d.groups) > 0 || d.top != nil || len(d.having) > 0 || d.listing || d.trend || d.versus {
		return
	}
	if slices.ContainsFunc(d.measures, func(m measure) bool { return !d.levels(m) }) {
		return
	}
	at := -1
	for k, f := range d.filters {
		if len(f.values) > 1 && f.op == "eq" && d.allOf(f) {
			if at >= 0 {
				return
			}
			at = k
		}
	}
	if at < 0 || d.clauseOf(d.filters[at].piece) != nil {
		return
	}
	d.groups = append(d.groups, slot{piece: d.filters[at].piece, options: d.filters[at].options})
}

// levels says whether a number is an average or an extreme: it is none of several groups together, as a total is.
func (d *draft) levels(m measure) bool {
	if m.sides != nil || m.layer != nil || len(m.per) > 0 || len(m.only) > 0 || len(m.options) == 0 {
		return false
	}
	switch m.reduce {
	case "avg", "min", "max", "median":
		return true
	case "":
		t := m.options[0]
		return t.metric != nil && t.metric.Leaf() && t.metric.Reducer == semantic.Avg
	}
	return false
}
