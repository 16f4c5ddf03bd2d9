package dbt

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Names finds what a name of the project has become in the model.
type Names struct {
	models      []*semModel
	grains      map[string]bool
	metricTimes map[string]string // metric -> "entity.dimension"
}

// Found is what a name stands for.
type Found struct {
	Entity    string
	Dimension string
	Grain     string // of a time; empty: none was said
}

// String gives "entity.dimension" or "entity.dimension.grain".
func (f Found) String() string {
	s := f.Entity + "." + f.Dimension
	if f.Grain != "" {
		s += "." + f.Grain
	}
	return s
}

// MetricTime gives the time dimension of a metric as "entity.dimension"; empty when it has none, as a derived one.
func (n *Names) MetricTime(metric string) string { return n.metricTimes[strings.ToLower(metric)] }

// Find reads a name as MetricFlow writes it: "listing__user__home_state", "booking__ds__month", "listing". from lists the
// entities that the question is about, which decide between namesakes: their own columns come first.
//
// fault.NotFound: nothing has that name; fault.Invalid: several things do.
func (n *Names) Find(name string, from ...string) (Found, error) {
	parts := strings.Split(strings.ToLower(name), "__")
	f := Found{}
	if last := parts[len(parts)-1]; len(parts) > 1 && n.grains[last] {
		f.Grain, parts = last, parts[:len(parts)-1]
	}
	last, path := parts[len(parts)-1], parts[:len(parts)-1]
	best := []*semModel{}
	bestRank := 0
	for _, m := range n.models {
		switch rank := m.rank(last, path, slices.Contains(from, m.entity.Name)); {
		case rank == 0 || rank < bestRank:
		case rank == bestRank:
			best = append(best, m)
		default:
			best, bestRank = []*semModel{m}, rank
		}
	}
	switch {
	case len(best) == 0:
		return f, fault.New(fault.NotFound, "import dbt", text.Say("dbt.unknown_name", "name", name), text.Say("dbt.unknown_name_hint"))
	case len(best) > 1 && bestRank < ownRank:
		return f, fault.New(fault.Invalid, "import dbt", text.Say("dbt.ambiguous_name", "name", name, "one", best[0].name, "other", best[1].name), text.Say("dbt.unknown_name_hint"))
	}
	f.Entity, f.Dimension = best[0].entity.Name, best[0].dimension(last).Name
	return f, nil
}

// ownRank is the rank of what the question's own tables have: there the first of several is as good as the others.
const ownRank = 4

// rank says how well a semantic model answers to a name: 0 not at all. Its own columns come first; then the table of
// which the entity is the whole primary key, then one whose key has more parts, then one where it is unique besides.
func (m *semModel) rank(last string, path []string, own bool) int {
	x, ok := m.has(last)
	if !ok || m.dimension(x.name) == nil {
		return 0
	}
	entity := last
	if len(path) > 0 {
		entity = path[len(path)-1]
	}
	switch {
	case own && (len(path) == 0 || len(path) == 1 && m.is(entity)):
		return ownRank
	case !m.is(entity):
		return 0
	case m.primary == entity && len(m.entity.Key) <= 1:
		return 3
	case m.primary == entity:
		return 2
	}
	return 1
}
