package dbt

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// build is the model under construction.
type build struct {
	p       *project
	model   *semantic.Model
	placed  []*semantic.Entity // metrics still add columns to them; finish copies them into the model
	names   *Names
	hints   map[string]semantic.Type // "table.column" in lower case -> what measures do with it
	measure map[string]placedMeasure
	states  map[string]state    // of metrics, by name
	nodes   map[string]*node    // of metrics, by name: the first of several
	made    map[string]int      // metrics of the model, by name
	plain   map[string][]string // measure -> the metrics that are nothing else; nil: not looked up yet
	leftOut map[string]string   // metrics that could not be carried, by name: why
	path    []string            // metrics that are underway, each resting on the next
}

// placedMeasure is a measure with the semantic model that has it.
type placedMeasure struct {
	measure
	home *semModel
}

func newBuild(p *project) *build {
	b := &build{
		p: p, model: &semantic.Model{}, hints: map[string]semantic.Type{}, measure: map[string]placedMeasure{},
		states: map[string]state{}, nodes: map[string]*node{}, made: map[string]int{}, leftOut: map[string]string{},
	}
	for _, n := range p.metrics {
		if name := n.say("name"); b.nodes[name] == nil {
			b.nodes[name] = n
		}
	}
	b.names = &Names{models: p.models, grains: map[string]bool{}, metricTimes: map[string]string{}}
	for g := range grains {
		b.names.grains[g] = true
	}
	for _, s := range p.spines {
		for _, c := range s.custom {
			b.names.grains[strings.ToLower(c.name)] = true
		}
	}
	for _, m := range p.models {
		for _, x := range m.measures {
			b.measure[x.name] = placedMeasure{x, m}
			b.hint(m.table, x)
		}
	}
	return b
}

// hint notes what type a column must have for a measure to make sense; it counts only where nobody knows the type.
func (b *build) hint(table string, x measure) {
	column := strings.ToLower(table + "." + firstOf(x.expr, x.name))
	switch x.agg {
	case "sum_boolean":
		b.hints[column] = semantic.Boolean
	case "sum", "average", "median", "percentile":
		b.hints[column] = semantic.Decimal
	}
}

// entities makes an entity of every semantic model.
func (b *build) entities() {
	metricNames := map[string]bool{}
	for _, n := range b.p.metrics {
		metricNames[strings.ToLower(n.say("name"))] = true
	}
	for _, m := range b.p.models {
		for _, x := range m.measures {
			if x.makesMetric {
				metricNames[strings.ToLower(x.name)] = true
			}
		}
	}
	taken := map[string]bool{}
	for _, m := range b.p.models {
		if semantic.IsName(m.name) && !metricNames[strings.ToLower(m.name)] {
			taken[strings.ToLower(m.name)] = true
		}
	}
	for _, m := range b.p.models {
		name := plainName(m.name)
		if metricNames[strings.ToLower(name)] {
			// A metric and an entity of one name could not be told apart in a question: the metric keeps it.
			for name += "_rows"; metricNames[strings.ToLower(name)] || taken[strings.ToLower(name)]; {
				name += "_rows"
			}
			taken[strings.ToLower(name)] = true
			b.p.say(m.object(), m.node.pos, text.Say("dbt.renamed", "name", name))
		}
		b.entity(m, name)
	}
}

// entity makes the entity of one semantic model with its key, its times and its dimensions.
func (b *build) entity(m *semModel, name string) {
	r := b.p.relations[strings.ToLower(m.table)]
	e := &semantic.Entity{Name: name, Label: m.label, Description: m.description, Owner: b.p.owner(m.owner), Tags: m.tags}
	e.Source.Table = m.table
	if t := b.table(m.table); t != nil {
		e.Source.Table = t.Name
	} else if len(b.p.tables) > 0 {
		b.p.lost(m.object(), m.node.pos, text.Say("dbt.no_table", "table", m.table))
	}
	if r != nil {
		e.Description = firstOf(e.Description, r.description)
		e.Tags = unique(append(e.Tags, r.tags...))
		if e.Owner == nil {
			e.Owner = b.p.owner(r.owner)
		}
	}
	if e.Label == "" && name != m.name && semantic.IsName(m.name) {
		e.Label = strings.ToUpper(m.name[:1]) + strings.ReplaceAll(m.name[1:], "_", " ")
	}
	m.entity = e
	for _, x := range append(slices.Clone(m.entities), m.dimensions...) {
		b.dimension(m, x)
	}
	for _, x := range m.entities {
		if x.kind == "primary" && m.dimension(x.name) != nil {
			e.Key = append(e.Key, plainName(x.name))
		}
	}
	if len(e.Key) == 0 {
		for _, x := range m.entities {
			if x.kind == "unique" && m.dimension(x.name) != nil {
				e.Key = []string{plainName(x.name)}
				break
			}
		}
	}
	for _, x := range m.dimensions {
		if x.partition && len(e.Key) > 0 && m.dimension(x.name) != nil {
			e.Key = append(e.Key, plainName(x.name))
		}
		if x.kind == "time" && m.dimension(x.name) != nil {
			if x.name == m.defaultTime {
				e.DefaultTime = plainName(x.name)
			} else {
				e.OtherTimes = append(e.OtherTimes, plainName(x.name))
			}
		}
	}
	b.placed = append(b.placed, e)
}

// finish puts the entities into the model, in the order of their names.
func (b *build) finish() {
	slices.SortStableFunc(b.placed, func(x, y *semantic.Entity) int { return strings.Compare(x.Name, y.Name) })
	for _, e := range b.placed {
		b.model.Entities = append(b.model.Entities, *e)
	}
	for _, m := range b.p.models {
		if len(m.guessed) > 0 {
			b.p.say(m.object(), m.node.pos, text.Say("dbt.types_guessed", "names", strings.Join(m.guessed, ", ")))
		}
	}
}

// dimension finds what an element of the semantic model has become; nil when it was not carried.
func (m *semModel) dimension(name string) *semantic.Dimension {
	return m.entity.Dimension(plainName(name))
}

// table finds a loaded table by its own name or by that of its source.
func (b *build) table(name string) *Table {
	for i := range b.p.tables {
		if t := &b.p.tables[i]; strings.EqualFold(t.Name, name) || strings.EqualFold(t.Alias, name) {
			return t
		}
	}
	return nil
}

// plainName makes an identifier of a name of the project, whose rules are nearly ours.
func plainName(s string) string {
	if semantic.IsName(s) {
		return s
	}
	out := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
	if out == "" || !semantic.IsName(out) {
		out = "x_" + out
	}
	return out
}
