package frameql

import (
	"strings"

	"assay/backend/semantic"
)

// checkMetrics honours what the model says about each metric: dimensions that it needs, grains at which it means
// nothing, and dimensions along which its values do not add up.
func (r *resolver) checkMetrics() {
	if r.fact == nil {
		return
	}
	for _, name := range sortedKeys(r.usedMetrics) {
		m := r.metric(name)
		for _, need := range m.Required {
			if !r.grainHas(need) {
				r.refuseRequired(m, need)
			}
		}
		for _, not := range m.Forbidden {
			for _, k := range r.bound.keys {
				if k.grain && forbids(not, k.ref) {
					r.refuseForbidden(m, k.ref)
				}
			}
		}
	}
	for _, u := range r.leafMetrics {
		if u.reducer == "sum" || u.reducer == "count" {
			r.checkAdditivity(u.metric)
		}
	}
}

// grainHas says whether a dimension, at any grain, is in the grain of the query.
func (r *resolver) grainHas(name string) bool {
	for _, k := range r.bound.keys {
		if k.grain && (strings.EqualFold(name, k.ref.fullName()) || strings.EqualFold(name, k.ref.dim.Name) ||
			strings.EqualFold(name, k.ref.entity.Name)) {
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
	for _, n := range names {
		if strings.EqualFold(not, n) {
			return true
		}
	}
	return false
}

// checkAdditivity refuses to add a metric up along a dimension where its values do not add.
func (r *resolver) checkAdditivity(m *semantic.Metric) {
	times := r.times()
	switch kind := additivityOf(m); {
	case kind == "none" && m.Reducer == semantic.Sum && !r.grainHasKeyOf(0):
		r.refuseNonAdditive(m)
	case kind == "semi" && len(times) == 1 && !r.fixed(times[0]):
		r.refuseSemiAdditive(m, times[0])
	}
	for _, family := range sortedNames(m.Additivity.Per) {
		word, _, _ := strings.Cut(m.Additivity.Per[family], "(")
		word = strings.ToLower(strings.TrimSpace(word))
		time := strings.EqualFold(family, "time") || strings.EqualFold(family, "date")
		switch {
		case word == "" || word == "additive":
		case time && len(times) == 1:
			if !r.fixed(times[0]) {
				r.refuseSemiAdditive(m, times[0])
			}
		case !time && !r.fixed(family):
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

// fixed says whether each group holds one value of a dimension only: it is in the grain as it is, or WHERE pins it.
func (r *resolver) fixed(name string) bool {
	for _, k := range r.bound.keys {
		whole := k.ref.grain == "" || k.ref.grain == "day" && k.ref.dim.Type == semantic.Date
		if k.grain && whole && (strings.EqualFold(name, k.ref.fullName()) || strings.EqualFold(name, k.ref.dim.Name)) {
			return true
		}
	}
	where := r.q.Where
	if where == nil {
		return false
	}
	conjuncts := where.And
	if len(conjuncts) == 0 {
		conjuncts = []*Pred{where}
	}
	for _, c := range conjuncts {
		one := c.Op == "eq" && c.Val != nil || c.Op == "in" && len(c.Vals) == 1
		if one && c.Grain == "" && (strings.EqualFold(c.Dim, name) || strings.HasSuffix(strings.ToLower(c.Dim), "."+strings.ToLower(name))) {
			return true
		}
	}
	return false
}
