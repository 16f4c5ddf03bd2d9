package dbt

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// state says how far a metric of the project has come.
type state int

const (
	notSeen state = iota
	underway
	carried
	notCarried
)

// source is a metric of the project.
type source struct {
	node   *node
	object string
	params *node
}

// metrics makes every metric that can be carried. One that rests on another waits for it.
func (b *build) metrics() {
	for _, m := range b.p.models {
		for _, x := range m.measures {
			if x.makesMetric && b.find(x.name) == nil {
				b.created(x)
			}
		}
	}
	for _, n := range b.p.metrics {
		b.carry(n.say("name"))
	}
	slices.SortStableFunc(b.model.Metrics, func(x, y semantic.Metric) int { return strings.Compare(x.Name, y.Name) })
}

// created makes the metric that a measure asks for by create_metric.
func (b *build) created(x measure) {
	m, err := b.leaf(x.name, b.measure[x.name], input{})
	if err != nil {
		b.p.lost(text.Say("dbt.object_measure", "name", x.name), x.pos, reason(err))
		b.states[x.name], b.leftOut[x.name] = notCarried, reason(err)
		return
	}
	m.Label, m.Description = x.label, x.description
	b.add(m, x.name)
}

func (b *build) add(m semantic.Metric, name string) {
	b.made[m.Name] = len(b.model.Metrics)
	b.model.Metrics = append(b.model.Metrics, m)
	b.states[name] = carried
}

// find gives a metric of the project by name; nil when there is none.
func (b *build) find(name string) *node { return b.nodes[name] }

// carry makes a metric and says whether that was possible. What is not possible is noted once, where it stands.
func (b *build) carry(name string) bool {
	switch b.states[name] {
	case carried:
		return true
	case underway, notCarried:
		return false
	}
	n := b.find(name)
	if n == nil {
		return false
	}
	b.states[name] = underway
	b.path = append(b.path, name)
	defer func() { b.path = b.path[:len(b.path)-1] }()
	s := source{node: n, object: text.Say("dbt.object_metric", "name", name), params: n.field("type_params")}
	m, err := b.metric(s)
	if err != nil {
		n.passAll()
		b.p.lost(s.object, n.pos, text.Say("dbt.metric_left_out", "why", reason(err)))
		b.states[name], b.leftOut[name] = notCarried, reason(err)
		return false
	}
	b.about(&m, n)
	b.add(m, name)
	return true
}

// about carries what a metric says about itself.
func (b *build) about(m *semantic.Metric, n *node) {
	m.Label, m.Description = n.say("label"), firstOf(n.say("description"), m.Description)
	m.Tags = unique(append(n.words("tags"), n.words("config", "tags")...))
	m.Owner = b.p.owner(claimOf(n))
	if g := strings.ToLower(n.say("time_granularity")); g != "" {
		m.TimeGrain = g
	}
	n.at("config").pass("enabled")
	n.pass("metrics")
	n.at("type_params").pass("input_measures")
	bookkeeping(n)
}

func (b *build) metric(s source) (semantic.Metric, error) {
	name := s.node.say("name")
	if !semantic.IsName(name) {
		return semantic.Metric{}, cannot(text.Say("semantic.bad_name", "name", name))
	}
	switch kind := strings.ToLower(s.node.say("type")); kind {
	case "simple":
		return b.simple(name, s)
	case "ratio":
		return b.ratio(name, s)
	case "derived":
		return b.derived(name, s)
	case "cumulative":
		return b.cumulative(name, s)
	case "conversion":
		return semantic.Metric{}, cannot(text.Say("dbt.conversion"))
	default:
		return semantic.Metric{}, cannot(text.Say("dbt.unknown_kind", "kind", kind))
	}
}

// simple makes the leaf of a measure.
func (b *build) simple(name string, s source) (semantic.Metric, error) {
	place, in, err := b.measureOf(name, s)
	if err != nil {
		return semantic.Metric{}, err
	}
	in.filters = append(in.filters, filters(s.node, "filter")...)
	return b.leaf(name, place, in)
}

// measureOf finds the measure that a simple or cumulative metric aggregates; newer projects write it into the metric.
func (b *build) measureOf(name string, s source) (placedMeasure, input, error) {
	if a := s.params.at("metric_aggregation_params"); a != nil {
		x := readMeasure(a)
		x.name, x.expr, x.pos = name, firstOf(x.expr, s.params.say("expr")), s.node.pos
		z, err := zero(s.params)
		home := a.say("semantic_model")
		for _, m := range b.p.models {
			if m.name == home {
				return placedMeasure{x, m}, input{name: name, zero: z, spine: s.params.flag("join_to_timespine")}, err
			}
		}
		return placedMeasure{}, input{}, cannot(text.Say("dbt.unknown_measure", "name", home))
	}
	in, err := readInput(s.params.at("measure"))
	if err != nil {
		return placedMeasure{}, in, err
	}
	place, ok := b.measure[in.name]
	if !ok {
		return place, in, cannot(text.Say("dbt.unknown_measure", "name", in.name))
	}
	in.alias = ""
	return place, in, nil
}

// ratio stays a ratio when its parts are metrics as they stand; with something attached it is a quotient of inputs.
func (b *build) ratio(name string, s source) (semantic.Metric, error) {
	over, err := readInput(s.params.at("numerator"))
	if err != nil {
		return semantic.Metric{}, err
	}
	under, err := readInput(s.params.at("denominator"))
	if err != nil {
		return semantic.Metric{}, err
	}
	own := filters(s.node, "filter")
	over.alias, under.alias = "", ""
	over.filters, under.filters = append(over.filters, own...), append(under.filters, own...)
	if over.plain() && under.plain() {
		return semantic.Metric{Name: name, Kind: semantic.Ratio, Numerator: over.name, Denominator: under.name}, b.needs(over.name, under.name)
	}
	over.alias, under.alias = "numerator", "denominator"
	return b.calculation(name, "numerator / denominator", []input{over, under})
}

func (b *build) derived(name string, s source) (semantic.Metric, error) {
	var all []input
	for _, n := range s.params.list("metrics") {
		i, err := readInput(n)
		if err != nil {
			return semantic.Metric{}, err
		}
		i.filters = append(i.filters, filters(s.node, "filter")...)
		all = append(all, i)
	}
	return b.calculation(name, s.params.say("expr"), all)
}

// calculation makes a derived metric of an expression over inputs.
func (b *build) calculation(name, sql string, inputs []input) (semantic.Metric, error) {
	m := semantic.Metric{Name: name, Kind: semantic.Derived}
	e, err := parseSQL(sql)
	if err != nil {
		return m, err
	}
	m.Expr = e.String()
	for _, i := range inputs {
		if err := b.needs(i.name); err != nil {
			return m, err
		}
		if i.plain() {
			continue
		}
		condition, err := b.filter(i.filters, b.names.MetricTime(b.leafUnder(i.name)), b.entitiesOf(i.name)...)
		if err != nil {
			return m, err
		}
		m.Inputs = append(m.Inputs, semantic.Input{
			Name: firstOf(i.alias, i.name), Metric: i.name, Filter: condition, Offset: i.offset, OffsetToStart: i.toStart,
		})
	}
	for _, word := range e.Idents() {
		if !slices.ContainsFunc(inputs, func(i input) bool { return firstOf(i.alias, i.name) == word }) {
			return m, cannot(text.Say("dbt.unknown_input", "name", word))
		}
	}
	return m, nil
}

// needs makes the metrics that another one rests on.
func (b *build) needs(names ...string) error {
	for _, n := range names {
		if at := slices.Index(b.path, n); at >= 0 {
			return cannot(text.Say("dbt.cycle", "path", strings.Join(append(slices.Clone(b.path[at:]), n), " -> ")))
		}
		if !b.carry(n) {
			return cannot(text.Say("dbt.needs", "name", n))
		}
	}
	return nil
}

// leafUnder gives a leaf on which a metric rests: the first one that its parts lead to.
func (b *build) leafUnder(name string) string {
	for range 100 {
		i, ok := b.made[name]
		if !ok {
			return name
		}
		switch m := b.model.Metrics[i]; m.Kind {
		case semantic.Ratio:
			name = m.Numerator
		case semantic.Cumulative:
			name = m.Of
		case semantic.Derived:
			e, err := semantic.ParseExpr(m.Expr)
			if err != nil || len(e.Idents()) == 0 {
				return name
			}
			next := e.Idents()[0]
			for _, in := range m.Inputs {
				if in.Name == next {
					next = in.Metric
					break
				}
			}
			name = next
		default:
			return name
		}
	}
	return name
}

// entitiesOf gives the entity of the leaf under a metric, whose names come first in a filter.
func (b *build) entitiesOf(name string) []string {
	if i, ok := b.made[b.leafUnder(name)]; ok && b.model.Metrics[i].Entity != "" {
		return []string{b.model.Metrics[i].Entity}
	}
	return nil
}
