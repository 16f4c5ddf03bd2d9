package dbt

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// cumulative accumulates a leaf.
func (b *build) cumulative(name string, s source) (semantic.Metric, error) {
	m := semantic.Metric{Name: name, Kind: semantic.Cumulative, PeriodAgg: "first"} // what MetricFlow takes when nothing is said
	c := s.params.at("cumulative_type_params")
	for _, n := range []*node{c, s.params} {
		if n == nil {
			continue
		}
		if w := n.at("window"); w != nil && m.Window == nil {
			if m.Window = span(n, "window"); m.Window == nil && !w.empty() {
				return m, cannot(text.Say("dbt.bad_window"))
			}
		}
		m.ToDate = firstOf(m.ToDate, strings.ToLower(n.say("grain_to_date")))
	}
	if a := strings.ToLower(c.say("period_agg")); a != "" {
		m.PeriodAgg = a
	}
	own := filters(s.node, "filter")
	if of := c.at("metric"); of != nil {
		in, err := readInput(of)
		if err != nil {
			return m, err
		}
		if len(in.filters)+len(own) > 0 {
			return m, cannot(text.Say("dbt.cumulative_filter"))
		}
		m.Of = in.name
		return m, b.needs(in.name)
	}
	place, in, err := b.measureOf(name, s)
	if err != nil {
		return m, err
	}
	in.filters = append(in.filters, own...)
	if in.spine {
		m.Fill = map[bool]string{true: "zero", false: "null"}[in.zero]
	}
	if in.zero {
		m.EmptyIs = "zero"
	}
	in.zero, in.spine = false, false
	m.Of, err = b.leafOf(name, place, in)
	return m, err
}

// leafOf gives the metric that is a measure under conditions: one of the project's, else a hidden one.
func (b *build) leafOf(name string, place placedMeasure, in input) (string, error) {
	if len(in.filters) == 0 {
		if b.states[place.name] == carried && b.find(place.name) == nil {
			return place.name, nil // create_metric made it
		}
		for _, name := range b.plainOf(place.name) {
			if b.carry(name) {
				return name, nil
			}
		}
	}
	hidden := name + "_base"
	for b.find(hidden) != nil || b.states[hidden] != notSeen {
		hidden += "_base"
	}
	m, err := b.leaf(hidden, place, in)
	if err != nil {
		return "", err
	}
	m.Hidden, m.Description = true, place.description
	b.add(m, hidden)
	return hidden, nil
}

// plainOf gives the metrics of the project that are a measure and nothing else.
func (b *build) plainOf(measure string) []string {
	if b.plain == nil {
		b.plain = map[string][]string{}
		for _, n := range b.p.metrics {
			if strings.ToLower(n.say("type")) != "simple" || len(filters(n, "filter")) > 0 {
				continue
			}
			if in, err := readInput(n.at("type_params", "measure")); err == nil && len(in.filters) == 0 && !in.zero && !in.spine {
				b.plain[in.name] = append(b.plain[in.name], n.say("name"))
			}
		}
	}
	return b.plain[measure]
}
