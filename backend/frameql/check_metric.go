package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// check honours what the model says about the things that the query uses.
func (r *resolver) check() {
	if len(r.sources) == 0 {
		return
	}
	r.checkBeyond()
	r.checkMetrics()
	r.checkPolicy()
	r.checkMultiValued()
}

// checkMetrics looks at what each metric needs and forbids: dimensions, grains, and dimensions along which its values do
// not add up.
func (r *resolver) checkMetrics() {
	for _, u := range r.metricUses {
		for _, need := range u.metric.Required {
			if !r.grainHas(need, u.keys) && !r.implied(r.entitySource(u.metric.Entity), need, u.keys) {
				r.refuseRequired(u.metric, need)
			}
		}
		for _, not := range u.metric.Forbidden {
			for _, k := range u.keys {
				if forbids(not, r.keys[k].ref) {
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

// grainHas says whether a dimension, at any grain, is among some keys.
func (r *resolver) grainHas(name string, keys []int) bool {
	for _, k := range keys {
		b := r.keys[k].ref
		if strings.EqualFold(name, b.fullName()) || strings.EqualFold(name, b.dim.Name) || strings.EqualFold(name, b.entity.Name) {
			return true
		}
	}
	return false
}

// forbids says whether a forbidden grain of a metric is this dimension: "day", "order_date.day", "orders.order_date",
// "customers".
func forbids(not string, b ref) bool {
	names := []string{b.entity.Name, b.dim.Name, b.fullName()}
	if b.grain != "" {
		names = append(names, b.grain, b.dim.Name+"."+b.grain, b.fullName()+"."+b.grain)
	}
	if b.part != nil {
		names = append(names, b.part.Name, b.dim.Name+"."+b.part.Name, b.fullName()+"."+b.part.Name)
	}
	for _, n := range names {
		if strings.EqualFold(not, n) {
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
	if additivityOf(m) == "none" && m.Reducer == semantic.Sum && s >= 0 && !r.hasKeyOf(s, 0, u.keys) {
		r.refuseNonAdditive(m)
	}
	for _, family := range sortedNames(m.Additivity.Per) {
		word, _, _ := strings.Cut(m.Additivity.Per[family], "(")
		word = strings.ToLower(strings.TrimSpace(word))
		time := strings.EqualFold(family, "time") || strings.EqualFold(family, "date") || word == "semi"
		if word != "" && word != "additive" && !time && !r.fixed(family, u.keys) && !r.implied(s, family, u.keys) {
			r.refuseMixed(m, family)
		}
	}
}

func sortedNames(m map[string]string) []string {
	set := map[string]bool{}
	for k := range m {
		set[k] = true
	}
	return sortedKeys(set)
}

// fixed says whether each group holds one value of a dimension only: it is among the keys as it is, or WHERE pins it.
func (r *resolver) fixed(name string, keys []int) bool {
	for _, k := range keys {
		b := r.keys[k].ref
		whole := b.part == nil && b.grain == "" || b.grain == "day" && b.dim.Type == semantic.Date
		if whole && (strings.EqualFold(name, b.fullName()) || strings.EqualFold(name, b.dim.Name)) {
			return true
		}
	}
	for _, c := range conjunctsOf(r.q.Where) {
		one := c.Op == "eq" && c.Val != nil || c.Op == "in" && len(c.Vals) == 1
		if one && c.Grain == "" && (strings.EqualFold(c.Dim, name) || strings.HasSuffix(strings.ToLower(c.Dim), "."+strings.ToLower(name))) {
			return true
		}
	}
	return false
}
