package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// checkPolicy refuses what the model does not offer: a metric that exists for others only, and a combination that a
// critical gotcha is about. Its statement is the reason, word for word. A gotcha with a check of its own is open only
// when that check was measured on the present data and fails.
func (r *resolver) checkPolicy() {
	for _, m := range r.metrics {
		if m.Hidden && r.nesting == 0 {
			var edits []edit
			for _, o := range r.offering(m) {
				edits = append(edits, r.renamed(m.Name, o.Name))
			}
			r.refuse(nil, refusal("POLICY_OR_GOTCHA", "frameql.hidden_metric", "metric", m.Name), append(edits, r.without(m.Name))...)
		}
	}
	for _, g := range r.model.Gotchas {
		if !strings.EqualFold(g.Severity, "critical") || g.CheckQL != "" && !g.Fails() || !r.combines(g.AppliesTo) {
			continue
		}
		var edits []edit
		for _, name := range g.AppliesTo {
			for _, k := range r.keys {
				if about(k.ref.fullName(), name) {
					edits = append(edits, r.without(k.ref.name.String()))
				}
			}
			edits = append(edits, r.without(name))
		}
		r.refuse(nil, &Refusal{Code: "POLICY_OR_GOTCHA", Message: g.Statement, Facts: map[string]any{"gotcha": g.Name, "applies_to": g.AppliesTo}}, edits...)
	}
}

// offering gives the metrics of the same family that a reader may use.
func (r *resolver) offering(m *semantic.Metric) []*semantic.Metric {
	var all []*semantic.Metric
	for i := range r.model.Metrics {
		o := &r.model.Metrics[i]
		if !o.Hidden && (o.Family != "" && o.Family == m.Family || slices.Contains(r.leavesOf(o, 0), m)) {
			all = append(all, o)
		}
	}
	return all[:min(len(all), maxRepairs)]
}

// combines says whether the query uses a metric and something else of a list, and all of it.
func (r *resolver) combines(names []string) bool {
	metrics := 0
	for _, name := range names {
		switch {
		case r.metric(name) != nil:
			if !r.usedMetrics[r.metric(name).Name] {
				return false
			}
			metrics++
		case !r.inQuery(name):
			return false
		}
	}
	return metrics > 0 && metrics < len(names)
}

// inQuery says whether the grain or a condition is about a dimension or an entity.
func (r *resolver) inQuery(name string) bool {
	return slices.ContainsFunc(r.keys, func(k keyColumn) bool { return about(k.ref.fullName(), name) }) ||
		slices.ContainsFunc(r.conjuncts, func(c conjunct) bool {
			return slices.ContainsFunc(c.dimensions, func(d string) bool { return about(d, name) })
		})
}

// about says whether "entity.dimension" is a thing of that name: the dimension, or one of the entity.
func about(dimension, name string) bool {
	entity, _, _ := strings.Cut(dimension, ".")
	return strings.EqualFold(dimension, name) || strings.EqualFold(entity, name)
}

// checkMultiValued refuses a whole beside parts that add up to more than it.
func (r *resolver) checkMultiValued() {
	for _, k := range r.grain {
		b := r.keys[k].ref
		if !b.dim.MultiValued {
			continue
		}
		share := false
		r.walkExpressions(func(e *Expr) { share = share || e.Fn == "share" })
		if len(r.q.Totals) == 0 && !share && (r.q.Top == nil || !r.q.Top.Other) {
			r.notice(MultiValued, Caution, "frameql.notice_multivalued", "name", b.name.String())
			continue
		}
		r.refuse(nil, refusal("MULTIVALUED_DIMENSION", "frameql.multivalued", "name", b.name.String(), "entity", r.entityWords(b.entity.Name)),
			r.edited(text.Say("frameql.repair_without", "what", "TOTALS, SHARE, WITH OTHER"), func(q *Query) {
				q.Totals = nil
				q.Select = slices.DeleteFunc(q.Select, func(it Item) bool { return it.Expr.uses("share") })
				if q.Top != nil {
					q.Top.Other = false
				}
			}), r.without(b.name.String()))
	}
}

// uses says whether a function stands anywhere in an expression.
func (e *Expr) uses(fn string) bool {
	if e == nil {
		return false
	}
	return e.Fn == fn || e.Of.uses(fn) || slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.uses(fn) })
}
