package frameql

import (
	"maps"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// check honours what the model says about the things that the query uses.
func (r *resolver) check() {
	r.checkBeyond()
	r.checkCompared()
	r.checkMetrics()
	r.checkPolicy()
	r.checkMultiValued()
}

// checkMetrics looks at what each metric needs and forbids: dimensions, grains, and dimensions along which its values do
// not add up.
func (r *resolver) checkMetrics() {
	for _, u := range r.metricUses {
		for _, need := range u.metric.Required {
			has := slices.ContainsFunc(u.keys, func(k int) bool { return called(need, r.keys[k].ref) })
			if !has && !r.impliedOf(u.metric, need, u.keys) {
				r.refuseRequired(u.metric, need)
			}
		}
		for _, not := range u.metric.Forbidden {
			for _, k := range u.keys {
				if called(not, r.keys[k].ref) {
					r.refuseForbidden(u.metric, r.keys[k].ref)
				}
			}
		}
	}
	for _, u := range r.leafMetrics {
		if u.reducer == "sum" || u.reducer == "count" {
			r.checkAdditivity(u)
		}
	}
}

// useMetric notes a metric at a grain, each once.
func (r *resolver) useMetric(m *semantic.Metric, keys []int) {
	r.usedMetrics[m.Name] = true
	if len(m.Required)+len(m.Forbidden) > 0 &&
		!slices.ContainsFunc(r.metricUses, func(u leafUse) bool { return u.metric == m && slices.Equal(u.keys, keys) }) {
		r.metricUses = append(r.metricUses, leafUse{metric: m, keys: keys})
	}
}

// called says whether a metric means this dimension, at any grain, when it needs or forbids something: "day",
// "order_date.day", "orders.order_date", "customers".
func called(name string, b ref) bool {
	names := []string{b.entity.Name, b.dim.Name, b.fullName()}
	if b.grain != "" {
		names = append(names, b.grain, b.dim.Name+"."+b.grain, b.fullName()+"."+b.grain)
	}
	if b.part != nil {
		names = append(names, b.part.Name, b.dim.Name+"."+b.part.Name, b.fullName()+"."+b.part.Name)
	}
	for _, n := range names {
		if strings.EqualFold(name, n) {
			return true
		}
	}
	return false
}

// checkAdditivity refuses to add a metric up along a dimension where its values do not add. Levels are picked and not
// added over time.
func (r *resolver) checkAdditivity(u leafUse) {
	m := u.metric
	s := r.entitySource(m.Entity)
	if additivityOf(m) == semantic.NonAdditive && m.Reducer == semantic.Sum && !r.hasKeyOf(s, 0, u.keys) {
		r.refuseNonAdditive(m)
	}
	for _, family := range slices.Sorted(maps.Keys(m.Additivity.Per)) {
		if m.Additivity.Per[family] != semantic.NonAdditive {
			continue
		}
		if name := r.along(m, family); !r.pinned(name) && !r.implied(s, name, u.keys) {
			r.refuseMixed(m, name)
		}
	}
}

// along gives the dimension that a rule of additivity is about: the time of the metric, one of its rows or of what they lead
// to, or the finest of a hierarchy.
func (r *resolver) along(m *semantic.Metric, family string) string {
	own := r.entity(m.Entity)
	if family == semantic.FamilyTime {
		return r.timeName(own, m.Time)
	}
	entities := []*semantic.Entity{own}
	for i := range r.model.Entities {
		if e := &r.model.Entities[i]; r.reaches(own.Name, e.Name) {
			entities = append(entities, e)
		}
	}
	for _, e := range entities {
		if d := dimensionOf(e, family); d != nil {
			return e.Name + "." + d.Name
		}
		for _, h := range e.Hierarchies {
			if h.Name == family {
				return e.Name + "." + h.Path[0]
			}
		}
	}
	return family
}

// pinned says whether WHERE leaves one value of a dimension.
func (r *resolver) pinned(name string) bool {
	return slices.ContainsFunc(Conjuncts(r.q.Where), func(c *Pred) bool {
		one := c.Op == "eq" && c.Val != nil || c.Op == "in" && len(c.Vals) == 1
		return one && c.Grain == "" && strings.EqualFold(c.Dim, name)
	})
}
