package dbt

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// stated notes what the project says about each of its metrics and measures, in the words of the model where that can say them: so much of it is known after the import, whatever becomes of the files.
func (b *build) stated() (all []semantic.Stated) {
	for _, n := range b.p.metrics {
		name := n.say("name")
		all = append(all, semantic.Stated{
			Kind: "metric", Name: name, Label: n.say("label"), Description: n.say("description"), LeftOut: b.leftOut[name], Place: n.pos.String(),
		})
	}
	for _, m := range b.p.models {
		for _, x := range m.measures {
			s := semantic.Stated{Kind: "measure", Name: x.name, Label: x.label, Description: x.description, Place: x.pos.String()}
			if x.makesMetric {
				s.Kind, s.LeftOut = "metric", b.leftOut[x.name]
			} else {
				s.Says = reducers[x.agg] + "(" + firstOf(x.expr, x.name) + ") of " + m.entity.Name
			}
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(x, y semantic.Stated) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(y.Kind, x.Kind))
	})
	return slices.CompactFunc(all, func(x, y semantic.Stated) bool { return x.Name == y.Name && x.Kind == y.Kind })
}

// reducers are the aggregations of measures, as the model calls them.
var reducers = map[string]string{
	"sum": "sum", "sum_boolean": "sum_boolean", "count": "count", "count_distinct": "count_distinct", "average": "avg", "min": "min", "max": "max", "median": "median", "percentile": "percentile",
}

// defined says how each metric of the project is computed, once it is sealed; one that the seal refused was left out.
func defined(stated []semantic.Stated, sealed *semantic.Model) []semantic.Stated {
	all := slices.Clone(stated)
	for i := range all {
		x := &all[i]
		if x.Kind != "metric" || x.LeftOut != "" {
			continue
		}
		if m := sealed.Metric(x.Name); m != nil {
			x.Says = m.Definition()
		}
	}
	return all
}
