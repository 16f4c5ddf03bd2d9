package dbt

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// leaf makes a metric that aggregates rows: a measure of the project under the conditions of an input.
func (b *build) leaf(name string, place placedMeasure, in input) (semantic.Metric, error) {
	home := place.home
	m := semantic.Metric{Name: name, Kind: semantic.Leaf, Entity: home.entity.Name, EmptyIs: "null", Description: place.description}
	if in.zero {
		m.EmptyIs = "zero"
	}
	if in.spine {
		m.Fill = map[bool]string{true: "zero", false: "null"}[in.zero]
	}
	if err := b.aggregate(&m, place); err != nil {
		return m, err
	}
	if err := b.metricTime(&m, place); err != nil {
		return m, err
	}
	if err := b.snapshot(&m, place); err != nil {
		return m, err
	}
	var err error
	m.Filter, err = b.filter(in.filters, b.names.MetricTime(name), home.entity.Name)
	return m, err
}

// aggregate carries how a measure makes one value of many.
func (b *build) aggregate(m *semantic.Metric, x placedMeasure) error {
	e, err := parseSQL(firstOf(x.expr, x.name))
	if err != nil {
		return err
	}
	b.bindColumns(x.home, e)
	one := e.Op == "num" && strings.TrimLeft(e.Text, "0") == "1"
	switch x.agg {
	case "sum":
		m.Reducer = semantic.Sum
		if one {
			m.Reducer, m.Expr = semantic.Count, "*"
			return nil
		}
	case "sum_boolean":
		// A missing value counts neither way; an integer of what is true would skip it too.
		e = &semantic.Expr{Op: "case", Args: []*semantic.Expr{
			e, {Op: "num", Text: "1"}, {Op: "not", Args: []*semantic.Expr{e}}, {Op: "num", Text: "0"},
		}}
		m.Reducer = semantic.Sum
	case "count":
		m.Reducer = semantic.Count
		if e.Op == "num" || e.Op == "str" {
			m.Expr = "*"
			return nil
		}
	case "count_distinct":
		m.Reducer = semantic.CountDistinct
	case "average":
		m.Reducer = semantic.Avg
	case "min":
		m.Reducer = semantic.Min
	case "max":
		m.Reducer = semantic.Max
	case "median":
		m.Reducer = semantic.Median
	case "percentile":
		m.Reducer, m.Percentile, m.Discrete = semantic.Percentile, firstOf(x.percentile, "0.5"), x.discrete
		if x.approximate {
			b.p.say(text.Say("dbt.object_measure", "name", x.name), x.pos, text.Say("dbt.exact_percentile"))
		}
	default:
		return cannot(text.Say("dbt.unknown_agg", "agg", x.agg))
	}
	m.Expr = e.String()
	return nil
}

// metricTime carries agg_time_dimension, the metric's own or that of its semantic model.
func (b *build) metricTime(m *semantic.Metric, x placedMeasure) error {
	name := firstOf(x.time, x.home.defaultTime)
	if name == "" {
		return nil
	}
	d := x.home.dimension(name)
	if d == nil {
		return cannot(text.Say("dbt.unknown_name", "name", name))
	}
	if d.Name != x.home.entity.DefaultTime {
		m.Time = d.Name
	}
	b.names.metricTimes[strings.ToLower(m.Name)] = x.home.entity.Name + "." + d.Name
	return nil
}

// snapshot carries non_additive_dimension: of all rows of a group only those of the first or the last date count.
func (b *build) snapshot(m *semantic.Metric, x placedMeasure) error {
	if x.over == "" {
		return nil
	}
	if d := x.home.dimension(x.over); d == nil || x.home.entity.Name+"."+d.Name != b.names.MetricTime(m.Name) {
		return cannot(text.Say("dbt.snapshot_time", "name", x.over))
	}
	words := map[string]string{"": "semi(first", "min": "semi(first", "max": "semi(last"}[x.choice]
	if words == "" {
		return cannot(text.Say("dbt.snapshot_choice", "choice", x.choice))
	}
	var per []string
	for _, p := range x.per {
		d := x.home.dimension(p)
		if d == nil {
			return cannot(text.Say("dbt.unknown_name", "name", p))
		}
		per = append(per, d.Name)
	}
	if len(per) > 0 {
		words += ", per: [" + strings.Join(per, ", ") + "]"
	}
	m.Additivity = semantic.Additivity{Default: "additive", Per: map[string]string{"time": words + ")"}}
	return nil
}
