package dbt

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// metricAt carries Metric('bookings', ['listing']) as the metric at the key of a table that both its own rows and those that
// are filtered lead to. from are the entities of the latter.
func (b *build) metricAt(t Template, from []string) (*semantic.Expr, error) {
	if err := b.needs(t.Name); err != nil {
		return nil, err
	}
	inner := b.leafEntities(t.Name)
	e := &semantic.Expr{Op: "metric_at", Name: t.Name}
	for _, g := range t.GroupBy {
		name, err := b.common(g, from, inner)
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, &semantic.Expr{Op: "ident", Name: name})
	}
	if len(e.Args) == 0 {
		return nil, cannot(text.Say("dbt.metric_filter", "what", t.Name))
	}
	return e, nil
}

// common finds the dimension that a group-by of a compared metric stands for: of a key, that of a table where it is the whole
// key, preferably the filtered one.
func (b *build) common(group string, from, inner []string) (string, error) {
	path := strings.Split(strings.ToLower(group), "__") // view__listing and listing are the same key
	key, found := plainName(path[len(path)-1]), ""
	both := append(slices.Clone(from), inner...)
	for _, e := range b.placed {
		if len(e.Key) != 1 || !strings.EqualFold(e.Key[0], key) || !b.reachAll(both, e.Name) {
			continue
		}
		if found == "" || slices.Contains(from, e.Name) {
			found = e.Name + "." + e.Key[0]
		}
	}
	if found != "" {
		return found, nil
	}
	f, err := b.names.Find(group, inner...)
	if err != nil {
		return "", err
	}
	if f.Grain != "" || !b.reachAll(both, f.Entity) {
		return "", cannot(text.Say("dbt.metric_filter_group", "name", group))
	}
	return f.String(), nil
}

// reachAll says whether joins lead from each of some entities to one.
func (b *build) reachAll(from []string, to string) bool {
	return !slices.ContainsFunc(from, func(start string) bool {
		reach := []string{start}
		for i := 0; i < len(reach); i++ {
			for _, j := range b.model.Joins {
				if j.From == reach[i] && !slices.Contains(reach, j.To) {
					reach = append(reach, j.To)
				}
			}
		}
		return !slices.Contains(reach, to)
	})
}

// leafEntities gives the entities of all leaves under a metric.
func (b *build) leafEntities(name string) []string {
	var all []string
	seen := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		i, ok := b.made[name]
		if !ok || seen[name] {
			return
		}
		seen[name] = true
		m := b.model.Metrics[i]
		if m.Entity != "" && !slices.Contains(all, m.Entity) {
			all = append(all, m.Entity)
		}
		for _, part := range []string{m.Numerator, m.Denominator, m.Of} {
			walk(part)
		}
		if m.Kind == semantic.Derived {
			e, err := semantic.ParseExpr(m.Expr)
			if err != nil {
				return
			}
			for _, word := range e.Idents() {
				for _, in := range m.Inputs {
					if in.Name == word {
						word = in.Metric
						break
					}
				}
				walk(word)
			}
		}
	}
	walk(name)
	return all
}
