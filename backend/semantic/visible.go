package semantic

import (
	"slices"
	"strings"
)

// Visible gives the part of a model that somebody may know of who may see some tables of the workspace and no others: what
// reads or names anything else is not in it, so that no reader of it can name it either. visible says it of a table by its
// name; all are the tables of the workspace. Fault Invalid when what is left makes no model.
func Visible(m *Model, all []string, visible func(table string) bool) (*Model, error) {
	hidden := slices.DeleteFunc(slices.Clone(all), visible)
	out := clone(m)
	out.Entities = slices.DeleteFunc(out.Entities, func(e Entity) bool { return !entityVisible(e, hidden, visible) })
	seen := &sight{visible: visible, entities: map[string]bool{}, metrics: map[string]bool{}}
	for _, e := range m.Entities {
		seen.entities[e.Name] = false
	}
	for _, e := range out.Entities {
		seen.entities[e.Name] = true
	}
	for i := range out.Entities {
		e := &out.Entities[i]
		if !seen.reference(e.DefaultTime, e.Name) {
			e.DefaultTime = ""
		}
		e.OtherTimes = slices.DeleteFunc(slices.Clone(e.OtherTimes), func(t string) bool { return !seen.reference(t, e.Name) })
	}
	out.Joins = slices.DeleteFunc(out.Joins, func(j Join) bool { return !seen.entities[j.From] || !seen.entities[j.To] })
	out.Metrics = seen.keep(out.Metrics)
	out.Calendars = slices.DeleteFunc(out.Calendars, func(c Calendar) bool { return c.Table != "" && !visible(c.Table) })
	gone := seen.gone(m)
	silent := func(words string) bool {
		return !slices.ContainsFunc(gone, func(name string) bool { return mentions(words, name) }) && !slices.ContainsFunc(hidden, func(t string) bool { return mentions(words, t) })
	}
	out.Gotchas = slices.DeleteFunc(out.Gotchas, func(g Gotcha) bool {
		return !silent(strings.Join(g.AppliesTo, " ") + " " + g.Statement + " " + g.CheckQL)
	})
	out.Golden = slices.DeleteFunc(out.Golden, func(g Golden) bool { return !silent(g.Question + " " + g.FrameQL + " " + g.SQL) })
	out.Guides = slices.DeleteFunc(out.Guides, func(g Guide) bool { return !silent(g.Text) })
	out.Business = slices.DeleteFunc(out.Business, func(g Guide) bool { return !silent(g.Text) })
	out.Workspace.Questions = slices.DeleteFunc(slices.Clone(out.Workspace.Questions), func(q string) bool { return !silent(q) })
	return Seal(out)
}

// entityVisible: an entity that is a SELECT may read any table that its text names, so it goes with the first hidden one.
func entityVisible(e Entity, hidden []string, visible func(table string) bool) bool {
	if e.Source.SQL != "" {
		return !slices.ContainsFunc(hidden, func(t string) bool { return mentions(e.Source.SQL, t) })
	}
	return visible(e.Source.Table)
}

// sight is what stays of a model.
type sight struct {
	visible           func(table string) bool
	entities, metrics map[string]bool
}

// reference says whether a dimension by its name, of an entity when it names none, stays.
func (s *sight) reference(name, entity string) bool {
	if of, _, qualified := strings.Cut(name, "."); qualified {
		entity = of
	}
	return name == "" || s.entities[entity]
}

// keep gives the metrics that stay: those whose entity stays, and all that they are made of.
func (s *sight) keep(all []Metric) []Metric {
	for i := range all {
		s.metrics[all[i].Name] = true
	}
	for again := true; again; {
		again = false
		for i := range all {
			if m := &all[i]; s.metrics[m.Name] && !s.metricStays(m, all) {
				s.metrics[m.Name] = false
				again = true
			}
		}
	}
	out := slices.DeleteFunc(slices.Clone(all), func(m Metric) bool { return !s.metrics[m.Name] })
	for i := range out {
		m := &out[i]
		m.Forbidden = slices.DeleteFunc(slices.Clone(m.Forbidden), func(d string) bool { return !s.reference(d, m.Entity) })
		m.Siblings = slices.DeleteFunc(slices.Clone(m.Siblings), func(x Sibling) bool { return x.Source != "" && !s.visible(x.Source) })
		m.Materialize = slices.DeleteFunc(slices.Clone(m.Materialize), func(dims []string) bool {
			return slices.ContainsFunc(dims, func(d string) bool { return !s.reference(d, m.Entity) })
		})
	}
	return out
}

func (s *sight) metricStays(m *Metric, all []Metric) bool {
	if m.Kind == Leaf && !s.entities[m.Entity] || !s.reference(m.Time, m.Entity) {
		return false
	}
	for _, d := range m.Required {
		if !s.reference(d, m.Entity) {
			return false
		}
	}
	for _, in := range m.Inputs {
		if in.Metric != "" && !s.metrics[in.Metric] || s.namesHidden(in.Filter, all) {
			return false
		}
	}
	for _, name := range []string{m.Of, m.Numerator, m.Denominator} {
		if name != "" && !s.metrics[name] {
			return false
		}
	}
	return !s.namesHidden(m.Expr, all) && !s.namesHidden(m.Filter, all)
}

// namesHidden says whether an expression names a metric, or a dimension of an entity, that does not stay.
func (s *sight) namesHidden(expression string, all []Metric) bool {
	for i := range all {
		if !s.metrics[all[i].Name] && mentions(expression, all[i].Name) {
			return true
		}
	}
	for name, stays := range s.entities {
		if !stays && mentions(expression, name) {
			return true
		}
	}
	return false
}

// gone lists the names of what does not stay, with their labels.
func (s *sight) gone(m *Model) []string {
	var names []string
	for _, e := range m.Entities {
		if !s.entities[e.Name] {
			names = append(names, e.Name, e.Label, e.Source.Table)
		}
	}
	for i := range m.Metrics {
		if x := &m.Metrics[i]; !s.metrics[x.Name] {
			names = append(names, x.Name, x.Label)
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}
