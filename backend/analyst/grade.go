package analyst

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// grade gives A: everything used is declared in the model and resolves. A proposal that nobody reviewed is A as well and
// says so. Higher grades need attestation on the data, which nobody has done here; the check that is missing says it.
func (r *run) grade() *Verification {
	declared := Check{Code: "DECLARED", Status: "passed", Message: text.Say("analyst.check_declared")}
	if names := r.inferred(); len(names) > 0 {
		declared.Status = "finding"
		declared.Message = text.Say("analyst.check_inferred", "names", strings.Join(names, ", "))
	}
	return &Verification{Level: "A", Checks: []Check{
		declared,
		{Code: "ATTESTED", Status: "could_not_check", Message: text.Say("analyst.check_not_attested")},
	}}
}

// inferred names what the plan uses and inference proposed.
func (r *run) inferred() []string {
	var names []string
	for _, o := range r.used() {
		if o.inferred {
			names = append(names, o.label)
		}
	}
	return names
}

// object is an entity, a metric or a join that the plan uses.
type object struct {
	kind, label, definition string
	inferred, documented    bool
}

// used lists the metrics, entities and joins of the plan, in this order, each once.
func (r *run) used() []object {
	m := r.knowledge.Model
	var all []object
	for _, name := range r.plan.Metrics {
		if x := m.Metric(name); x != nil {
			all = append(all, object{"metric", x.Label, metricWords(x), m.Inferred || x.Inferred, x.Description != ""})
		}
	}
	for _, name := range r.plan.Entities {
		if e := m.Entity(name); e != nil {
			all = append(all, object{"entity", e.Label, e.Description, m.Inferred || e.Inferred, e.Description != ""})
		}
	}
	for _, use := range r.plan.Joins {
		for _, j := range m.JoinsFrom(use.From) {
			if j.To == use.To && j.Role == use.Role {
				label := text.Say("analyst.join", "from", entityLabel(m, j.From), "to", entityLabel(m, j.To))
				all = append(all, object{"join", label, j.Basis, m.Inferred || j.Inferred, true})
			}
		}
	}
	return all
}

// metricWords is a metric's definition as a person reads it: what it means and how it is computed.
func metricWords(x *semantic.Metric) string {
	formula := x.Expr
	switch {
	case x.Kind == semantic.Ratio:
		formula = x.Numerator + " / " + x.Denominator
	case x.Leaf():
		formula = string(x.Reducer) + "(" + x.Expr + ")"
	}
	if x.Filter != "" {
		formula += " [" + x.Filter + "]"
	}
	if x.Description == "" {
		return formula
	}
	return x.Description + ": " + formula
}

func entityLabel(m *semantic.Model, name string) string {
	if e := m.Entity(name); e != nil && e.Label != "" {
		return e.Label
	}
	return name
}
