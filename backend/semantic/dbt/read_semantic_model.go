package dbt

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// semModel is a semantic model of the project.
type semModel struct {
	node        *node
	name        string
	table       string
	label       string
	description string
	primary     string // name of its primary entity, as an element or by primary_entity
	defaultTime string
	tags        []string
	owner       claim
	entities    []element
	dimensions  []element
	measures    []measure
	entity      *semantic.Entity // what it has become
	guessed     []string         // columns whose type nobody says
}

// element is an entity or a dimension of a semantic model.
type element struct {
	name, expr, label, description string
	kind                           string // entity: primary unique foreign natural; dimension: categorical time
	role                           string
	grain                          string // of a time
	partition                      bool
	validity                       bool // bounds the time in which the row is true
	pos                            semantic.Pos
}

// measure is an aggregation that metrics use.
type measure struct {
	name, agg, expr, label, description string
	time                                string
	percentile                          string
	discrete, approximate               bool
	over                                string // non_additive_dimension
	choice                              string // min | max
	per                                 []string
	makesMetric                         bool
	pos                                 semantic.Pos
}

func (p *project) readSemanticModel(n *node) {
	bookkeeping(n)
	m := &semModel{
		node: n, name: n.say("name"), table: alias(n), label: n.say("label"), description: n.say("description"),
		primary: n.say("primary_entity"), defaultTime: n.say("defaults", "agg_time_dimension"),
		tags: append(n.words("tags"), n.words("config", "tags")...), owner: claimOf(n),
	}
	n.at("config").pass("enabled")
	n.pass("model")
	if m.table == "" {
		m.table = m.name
	}
	for _, e := range n.list("entities") {
		x := element{
			name: e.say("name"), expr: e.say("expr"), label: e.say("label"), description: e.say("description"),
			kind: strings.ToLower(e.say("type")), role: e.say("role"), pos: e.pos,
		}
		if x.kind == "primary" {
			m.primary = x.name
		}
		m.entities = append(m.entities, x)
	}
	for _, d := range n.list("dimensions") {
		x := element{
			name: d.say("name"), expr: d.say("expr"), label: d.say("label"), description: d.say("description"),
			kind: strings.ToLower(d.say("type")), grain: strings.ToLower(d.say("type_params", "time_granularity")),
			partition: d.flag("is_partition"), pos: d.pos,
		}
		if v := d.at("type_params", "validity_params"); v != nil {
			x.validity = true
			v.passAll()
			p.lost(m.object(), d.pos, text.Say("dbt.validity", "name", x.name))
		}
		m.dimensions = append(m.dimensions, x)
	}
	for _, s := range n.list("measures") {
		m.measures = append(m.measures, readMeasure(s))
	}
	p.models = append(p.models, m)
}

// readMeasure reads a measure, or the metric_aggregation_params of a metric without one.
func readMeasure(n *node) measure {
	m := measure{
		name: n.say("name"), agg: strings.ToLower(n.say("agg")), expr: n.say("expr"), label: n.say("label"), description: n.say("description"),
		time: n.say("agg_time_dimension"), percentile: n.say("agg_params", "percentile"),
		discrete: n.flag("agg_params", "use_discrete_percentile"), approximate: n.flag("agg_params", "use_approximate_percentile"),
		over: n.say("non_additive_dimension", "name"), choice: strings.ToLower(n.say("non_additive_dimension", "window_choice")),
		per: n.words("non_additive_dimension", "window_groupings"), makesMetric: n.flag("create_metric"), pos: n.pos,
	}
	return m
}

// object is the name of the semantic model for people.
func (m *semModel) object() string { return text.Say("dbt.object_semantic_model", "name", m.name) }

// is says whether an entity of the project identifies the rows of this semantic model.
func (m *semModel) is(entity string) bool {
	for _, e := range m.entities {
		if e.name == entity && (e.kind == "primary" || e.kind == "unique" || e.kind == "natural") {
			return true
		}
	}
	return m.primary == entity
}

// has finds an entity or a dimension by name.
func (m *semModel) has(name string) (element, bool) {
	for _, all := range [][]element{m.dimensions, m.entities} {
		for _, e := range all {
			if e.name == name {
				return e, true
			}
		}
	}
	return element{}, false
}

// bookkeeping marks what artifacts say about themselves and not about data.
func bookkeeping(n *node) {
	n.pass("resource_type", "package_name", "path", "original_file_path", "unique_id", "fqn", "created_at", "depends_on", "refs",
		"unrendered_config", "metadata", "sources", "patch_path", "build_path", "checksum", "language", "relation_name", "schema", "database")
}
