package semantic

import (
	"slices"
	"strings"
)

// index finds objects by name. Names are looked up without regard to case; the model's own spelling is canonical.
type index struct {
	entities   map[string]*Entity
	metrics    map[string]*Metric
	dimensions map[string]map[string]*Dimension // entity -> dimension
	from       map[string][]Join
	calendars  map[string]*Calendar
	lines      map[fieldPos]int // where each field was read; nil for a model that was not loaded
}

func buildIndex(m *Model) *index {
	x := &index{
		entities:   make(map[string]*Entity, len(m.Entities)),
		metrics:    make(map[string]*Metric, len(m.Metrics)),
		dimensions: make(map[string]map[string]*Dimension, len(m.Entities)),
		from:       map[string][]Join{},
		calendars:  map[string]*Calendar{},
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		key := strings.ToLower(e.Name)
		x.entities[key] = e
		dims := make(map[string]*Dimension, len(e.Dimensions))
		for j := range e.Dimensions {
			dims[strings.ToLower(e.Dimensions[j].Name)] = &e.Dimensions[j]
		}
		x.dimensions[key] = dims
	}
	for i := range m.Metrics {
		x.metrics[strings.ToLower(m.Metrics[i].Name)] = &m.Metrics[i]
	}
	for _, j := range m.Joins {
		if !j.ToOne() {
			continue
		}
		key := strings.ToLower(j.From)
		x.from[key] = append(x.from[key], j)
	}
	for i := range m.Calendars {
		x.calendars[strings.ToLower(m.Calendars[i].Name)] = &m.Calendars[i]
	}
	return x
}

// lookup gives the index of a sealed model, and builds one for a model that was put together by hand.
func (m *Model) lookup() *index {
	if m.index != nil {
		return m.index
	}
	return buildIndex(m)
}

// Entity finds an entity by name; nil when there is none. The result belongs to the model: do not change it.
func (m *Model) Entity(name string) *Entity { return m.lookup().entities[strings.ToLower(name)] }

// Lineage gives an entity and those that it is a part or a kind of, the nearest first; nil: there is no such entity.
func (m *Model) Lineage(name string) []string {
	var all []string
	for e := m.Entity(name); e != nil && !slices.Contains(all, e.Name); e = m.Entity(e.Parent) {
		all = append(all, e.Name)
	}
	return all
}

// Metric finds a metric by name; nil when there is none. The result belongs to the model: do not change it.
func (m *Model) Metric(name string) *Metric { return m.lookup().metrics[strings.ToLower(name)] }

// Dimension finds "entity.dimension"; nil when either is not there. The result belongs to the model: do not change it.
func (m *Model) Dimension(qualified string) *Dimension {
	entity, dimension, ok := strings.Cut(qualified, ".")
	if !ok {
		return nil
	}
	return m.lookup().dimensions[strings.ToLower(entity)][strings.ToLower(dimension)]
}

// JoinsFrom gives the edges that leave an entity toward their one side, in the order of the model.
func (m *Model) JoinsFrom(entity string) []Join { return m.lookup().from[strings.ToLower(entity)] }

// Calendar finds a fiscal calendar; an empty name is the default calendar of the workspace. nil when there is none.
func (m *Model) Calendar(name string) *Calendar {
	if name == "" {
		name = m.Workspace.Calendar
	}
	return m.lookup().calendars[strings.ToLower(name)]
}

// DisplayOf gives the dimension that a person calls a member of the entity by: its display dimension, else its key when
// that is one column. nil for an unknown entity and for one with neither.
func (m *Model) DisplayOf(entity string) *Dimension {
	e := m.Entity(entity)
	if e == nil {
		return nil
	}
	if e.Display != "" {
		return e.Dimension(e.Display)
	}
	if len(e.Key) == 1 {
		return e.Dimension(e.Key[0])
	}
	return nil
}

// TimeOf gives the default time of a metric as entity and dimension: its own, else its entity's. ok is false when there
// is none. A ratio and a derived metric have none of their own: ask for their parts.
func (m *Model) TimeOf(metric *Metric) (entity, dimension string, ok bool) {
	e := m.Entity(metric.Entity)
	if e == nil {
		return "", "", false
	}
	name := metric.Time
	if name == "" {
		name = e.DefaultTime
	}
	if name == "" {
		return "", "", false
	}
	if entity, dimension, ok := strings.Cut(name, "."); ok {
		return entity, dimension, true
	}
	return e.Name, name, true
}

// Dimension finds a dimension of the entity by name; nil when there is none.
func (e *Entity) Dimension(name string) *Dimension {
	for i := range e.Dimensions {
		if strings.EqualFold(e.Dimensions[i].Name, name) {
			return &e.Dimensions[i]
		}
	}
	return nil
}

// Physical gives the column of the source that the dimension reads; empty for one that is computed.
func (d *Dimension) Physical() string {
	switch {
	case d.Expr != "" || d.DerivedFrom != "":
		return ""
	case d.Column != "":
		return d.Column
	default:
		return d.Name
	}
}

// Leaf says whether the metric is computed from rows and not from other metrics.
func (m *Metric) Leaf() bool { return m.Kind == Leaf || m.Kind == "" }
