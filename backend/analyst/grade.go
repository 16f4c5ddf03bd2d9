package analyst

import (
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// grade gives A: everything used is declared in the model and resolves. A proposal that nobody reviewed is A as well and
// says so. It gives AA when the keys, the references and the dates that the plan rests on were measured on the present
// data and hold; what is missing for that is said. AAA is given later, when the numbers were reproduced.
func (r *run) grade() *Verification {
	declared := Check{Code: "DECLARED", Status: "passed", Message: text.Say("analyst.check_declared")}
	if names := r.inferred(); len(names) > 0 {
		declared.Status = "finding"
		declared.Message = text.Say("analyst.check_inferred", "names", strings.Join(names, ", "))
	}
	v := &Verification{Level: "AA", Checks: []Check{declared, {Code: "ATTESTED", Status: "passed", Message: text.Say("analyst.check_attested")}}}
	if len(r.plan.Unattested) > 0 {
		v.Level, v.Checks[1] = "A", Check{Code: "ATTESTED", Status: lackStatus(r.plan.Unattested), Message: lackWords(r.plan.Unattested)}
	}
	if differs, is := r.asAsked(); is {
		v.Level, v.Checks = "A", append(v.Checks, differs)
	}
	return v
}

// lackStatus tells what was measured and does not hold from what nobody measured.
func lackStatus(all []frameql.Lack) string {
	for _, l := range all {
		switch l.Code {
		case "JOIN_ORPHANS", "KEY_REPEATS", "SNAPSHOTS_REPEAT", "GOTCHA":
			return "finding"
		}
	}
	return "could_not_check"
}

// lackWords says the first things that keep an answer from the next grade.
func lackWords(all []frameql.Lack) string {
	var words []string
	for _, l := range all[:min(len(all), namedGroups)] {
		words = append(words, l.Text)
	}
	if more := len(all) - len(words); more > 0 {
		words = append(words, text.Count("analyst.lack_more", int64(more), "n", more))
	}
	return text.Say("analyst.check_not_attested", "lack", strings.Join(words, " "))
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
