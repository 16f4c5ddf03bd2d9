package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

func (c *checker) metrics() {
	seen := map[string]Pos{}
	uses := map[string][]string{}
	for i := range c.m.Metrics {
		x := &c.m.Metrics[i]
		object := text.Say("semantic.object_metric", "name", x.Name)
		c.now = piece{kind: pieceMetric, i: i}
		if !c.named(object, x.Name, x.Pos, seen) {
			continue
		}
		if e := c.x.entities[strings.ToLower(x.Name)]; e != nil {
			c.fail(object, x.Pos, text.Say("semantic.metric_is_entity", "name", x.Name), text.Say("semantic.metric_is_entity_hint"))
		}
		for i := range c.m.Entities {
			if d := c.m.Entities[i].Dimension(x.Name); d != nil && !d.Measure {
				c.warn(object, x.Pos, text.Say("semantic.metric_is_dimension", "name", x.Name, "entity", c.m.Entities[i].Name), text.Say("semantic.metric_is_dimension_hint"))
			}
		}
		c.kindOf(object, x, uses)
		c.grains(object, x)
	}
	if path := cycle(uses); path != nil {
		x := c.x.metrics[path[0]]
		c.now = piece{kind: pieceMetric, i: slices.IndexFunc(c.m.Metrics, func(y Metric) bool { return y.Name == x.Name })}
		c.fail(text.Say("semantic.object_metric", "name", x.Name), x.Pos, text.Say("semantic.cycle", "path", strings.Join(path, " -> ")), text.Say("semantic.cycle_hint"))
	}
}

// kindOf checks that a metric has what its kind needs and nothing else.
func (c *checker) kindOf(object string, x *Metric, uses map[string][]string) {
	ofRatio := []string{"numerator", "denominator"}
	ofLeaf := []string{"reducer", "filter", "percentile", "discrete"}
	ofCumulative := []string{"of", "window", "to_date", "period_agg"}
	switch x.Kind {
	case Leaf, "":
		c.foreign(object, x, ofRatio, ofCumulative, []string{"inputs"})
		c.leaf(object, x, uses)
	case Ratio:
		c.foreign(object, x, ofLeaf, ofCumulative, []string{"expr", "inputs"})
		c.part(object, x, "numerator", x.Numerator, uses)
		c.part(object, x, "denominator", x.Denominator, uses)
	case Derived:
		c.foreign(object, x, ofLeaf, ofRatio, ofCumulative)
		c.derived(object, x, uses)
	case Cumulative:
		c.foreign(object, x, ofLeaf, ofRatio, []string{"expr", "inputs"})
		c.cumulative(object, x, uses)
	default:
		c.fail(object, c.at(x.Pos, "kind"), text.Say("semantic.bad_choice", "key", "kind", "value", x.Kind), KnownHint(string(x.Kind), []string{"leaf", "ratio", "derived", "cumulative"}))
	}
}

// foreign notes keys that a metric of this kind does not have.
func (c *checker) foreign(object string, x *Metric, keys ...[]string) {
	written := map[string]bool{
		"numerator": x.Numerator != "", "denominator": x.Denominator != "", "reducer": x.Reducer != "", "filter": x.Filter != "",
		"percentile": x.Percentile != "", "discrete": x.Discrete, "expr": x.Expr != "", "inputs": len(x.Inputs) > 0,
		"of": x.Of != "", "window": x.Window != nil, "to_date": x.ToDate != "", "period_agg": x.PeriodAgg != "",
	}
	for _, key := range slices.Concat(keys...) {
		if written[key] {
			kind := x.Kind
			if kind == "" {
				kind = Leaf
			}
			c.fail(object, c.at(x.Pos, key), text.Say("semantic.foreign_key_of_kind", "kind", kind, "key", key), text.Say("semantic.foreign_key_of_kind_hint", "key", key))
		}
	}
}

func (c *checker) leaf(object string, x *Metric, uses map[string][]string) {
	e := c.x.entities[strings.ToLower(x.Entity)]
	if e == nil {
		if x.Entity == "" {
			c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "entity"), text.Say("semantic.missing_entity_hint"))
			return
		}
		c.fail(object, c.at(x.Pos, "entity"), text.Say("semantic.unknown_entity", "name", x.Entity), KnownHint(x.Entity, c.entityNames()))
		return
	}
	switch at := c.at(x.Pos, "expr"); {
	case x.Reducer == "":
		c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "reducer"), text.Say("semantic.missing_reducer_hint"))
	case x.Expr == "":
		c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "expr"), text.Say("semantic.missing_expr_hint"))
	case x.Expr == "*" && x.Reducer != Count:
		c.fail(object, at, text.Say("semantic.star_not_count", "reducer", x.Reducer), text.Say("semantic.star_not_count_hint"))
	case x.Expr != "*":
		c.leafExpression(object, at, x, e)
	}
	c.reducer(object, x)
	c.filter(object, c.at(x.Pos, "filter"), x, x.Filter, e, uses)
	if x.Time != "" {
		at := c.at(x.Pos, "time")
		if d := c.findDimension(object, at, e, x.Time); d != nil && !d.Type.Temporal() {
			c.fail(object, at, text.Say("semantic.not_a_time", "name", x.Time, "type", d.Type), text.Say("semantic.not_a_time_hint"))
		}
	}
}

func (c *checker) leafExpression(object string, at Pos, x *Metric, e *Entity) {
	expr := c.expression(object, at, x.Expr)
	if expr == nil {
		return
	}
	number := slices.Contains([]Reducer{Sum, Avg, Median, Percentile, StdDev}, x.Reducer)
	truth := x.Reducer == Any || x.Reducer == All
	for _, name := range expr.Idents() {
		d := c.findDimension(object, at, e, name)
		switch {
		case d == nil || expr.Op != "ident":
		case number && !d.Type.Numeric():
			c.fail(object, at, text.Say("semantic.reduce_not_numeric", "name", name, "type", d.Type, "reducer", x.Reducer), text.Say("semantic.reduce_not_numeric_hint"))
		case truth && d.Type != Boolean:
			c.fail(object, at, text.Say("semantic.reduce_not_numeric", "name", name, "type", d.Type, "reducer", x.Reducer), text.Say("semantic.reduce_not_boolean_hint"))
		}
	}
	if truth && !condition(expr) {
		c.fail(object, at, text.Say("semantic.filter_not_condition", "filter", x.Expr), text.Say("semantic.reduce_not_boolean_hint"))
	}
}

// reducer checks what some reducers need besides an expression.
func (c *checker) reducer(object string, x *Metric) {
	if x.Reducer != "" && !slices.Contains(reducerNames(), string(x.Reducer)) {
		c.fail(object, c.at(x.Pos, "reducer"), text.Say("semantic.bad_choice", "key", "reducer", "value", x.Reducer), KnownHint(string(x.Reducer), reducerNames()))
	}
	switch {
	case x.Reducer == Percentile && x.Percentile == "":
		c.fail(object, c.at(x.Pos, "reducer"), text.Say("semantic.missing_key", "key", "percentile"), text.Say("semantic.bad_fraction_hint", "key", "percentile"))
	case x.Reducer != Percentile && (x.Percentile != "" || x.Discrete):
		key := "percentile"
		if x.Percentile == "" {
			key = "discrete"
		}
		c.fail(object, c.at(x.Pos, key), text.Say("semantic.percentile_of_other", "key", key, "reducer", x.Reducer), text.Say("semantic.percentile_of_other_hint", "key", key))
	}
	if x.Reducer == First || x.Reducer == Last {
		c.needsTime(object, c.at(x.Pos, "reducer"), x, string(x.Reducer))
	}
}

// needsTime checks that a leaf has a time; what names the thing that needs it.
func (c *checker) needsTime(object string, at Pos, x *Metric, what string) {
	if e := c.x.entities[strings.ToLower(x.Entity)]; x.Time == "" && e != nil && e.DefaultTime == "" {
		c.fail(object, at, text.Say("semantic.needs_time", "what", what, "entity", e.Name), text.Say("semantic.needs_time_hint"))
	}
}

// filter checks a condition over the dimensions of an entity and of what it reaches, and over metrics at a grain that their
// own rows reach as well. x is the metric that has it: it must not be defined by itself.
func (c *checker) filter(object string, at Pos, x *Metric, filter string, e *Entity, uses map[string][]string) {
	if filter == "" {
		return
	}
	f := c.filterExpression(object, at, filter)
	if f == nil {
		return
	}
	for _, m := range f.MetricsAt() {
		if c.x.metrics[strings.ToLower(m.Name)] == nil {
			c.fail(object, at, text.Say("semantic.unknown_metric", "name", m.Name), KnownHint(m.Name, c.metricNames()))
			continue
		}
		key := strings.ToLower(x.Name)
		uses[key] = append(uses[key], strings.ToLower(m.Name))
		for _, of := range append(c.leafEntities(m.Name), e) {
			for _, d := range m.Args {
				c.findGrain(object, at, of, d.Name)
			}
		}
	}
	for _, name := range f.Idents() {
		c.findDimension(object, at, e, name)
	}
	if !condition(f) {
		c.fail(object, at, text.Say("semantic.filter_not_condition", "filter", filter), text.Say("semantic.filter_not_condition_hint"))
	}
}

// condition says whether an expression can be true or false: a column alone may be a boolean.
func condition(e *Expr) bool {
	switch e.Op {
	case "num", "str", "+", "-", "*", "/", "neg", "metric_at":
		return false
	case "and", "or", "not":
		for _, a := range e.Args {
			if !condition(a) {
				return false
			}
		}
	}
	return true
}

func (c *checker) part(object string, x *Metric, field, name string, uses map[string][]string) {
	if name == "" {
		c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", field), text.Say("semantic.missing_part_hint"))
		return
	}
	if c.x.metrics[strings.ToLower(name)] == nil {
		c.fail(object, c.at(x.Pos, field), text.Say("semantic.unknown_metric", "name", name), KnownHint(name, c.metricNames()))
		return
	}
	key := strings.ToLower(x.Name)
	uses[key] = append(uses[key], strings.ToLower(name))
}

func (c *checker) grains(object string, x *Metric) {
	for _, name := range x.Required {
		c.findAnyDimension(object, c.at(x.Pos, "required_dims"), name)
	}
	for _, name := range x.Forbidden {
		c.findAnyDimension(object, c.at(x.Pos, "forbidden_grains"), name)
	}
	for _, grain := range x.Materialize {
		for _, name := range grain {
			c.findAnyDimension(object, c.at(x.Pos, "materialize_at"), name)
		}
	}
	if x.TimeGrain != "" && !slices.Contains(c.units(), x.TimeGrain) {
		c.fail(object, c.at(x.Pos, "time_grain"), text.Say("semantic.unknown_unit", "unit", x.TimeGrain), KnownHint(x.TimeGrain, c.units()))
	}
	c.additivity(object, x)
}
