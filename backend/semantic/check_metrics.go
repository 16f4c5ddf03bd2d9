package semantic

import (
	"maps"
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
		switch x.Kind {
		case Leaf, "":
			c.leaf(object, x)
		case Ratio:
			c.foreign(object, x, "expr", x.Expr, "reducer", string(x.Reducer), "filter", x.Filter)
			c.part(object, x, "numerator", x.Numerator, uses)
			c.part(object, x, "denominator", x.Denominator, uses)
		case Derived, Cumulative:
			c.foreign(object, x, "numerator", x.Numerator, "denominator", x.Denominator, "reducer", string(x.Reducer), "filter", x.Filter)
			c.derived(object, x, uses)
		default:
			c.fail(object, c.at(x.Pos, "kind"), text.Say("semantic.bad_choice", "key", "kind", "value", x.Kind), knownHint(string(x.Kind), []string{"leaf", "ratio", "derived", "cumulative"}))
		}
		c.grains(object, x)
	}
	if path := cycle(uses); path != nil {
		x := c.x.metrics[path[0]]
		c.fail(text.Say("semantic.object_metric", "name", x.Name), x.Pos, text.Say("semantic.cycle", "path", strings.Join(path, " -> ")), text.Say("semantic.cycle_hint"))
	}
}

// foreign notes keys that a metric of this kind does not have; the arguments are pairs of key and value.
func (c *checker) foreign(object string, x *Metric, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			c.fail(object, c.at(x.Pos, pairs[i]), text.Say("semantic.foreign_key_of_kind", "kind", x.Kind, "key", pairs[i]), text.Say("semantic.foreign_key_of_kind_hint", "key", pairs[i]))
		}
	}
}

func (c *checker) leaf(object string, x *Metric) {
	c.foreign(object, x, "numerator", x.Numerator, "denominator", x.Denominator)
	e := c.x.entities[strings.ToLower(x.Entity)]
	if e == nil {
		if x.Entity == "" {
			c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "entity"), text.Say("semantic.missing_entity_hint"))
			return
		}
		c.fail(object, c.at(x.Pos, "entity"), text.Say("semantic.unknown_entity", "name", x.Entity), knownHint(x.Entity, c.entityNames()))
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
	if x.Filter != "" {
		at := c.at(x.Pos, "filter")
		if f := c.expression(object, at, x.Filter); f != nil {
			for _, name := range f.Idents() {
				c.findDimension(object, at, e, name)
			}
			if !condition(f) {
				c.fail(object, at, text.Say("semantic.filter_not_condition", "filter", x.Filter), text.Say("semantic.filter_not_condition_hint"))
			}
		}
	}
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
	for _, name := range expr.Idents() {
		d := c.findDimension(object, at, e, name)
		if d != nil && expr.Op == "ident" && !d.Type.Numeric() && (x.Reducer == Sum || x.Reducer == Avg || x.Reducer == Median) {
			c.fail(object, at, text.Say("semantic.reduce_not_numeric", "name", name, "type", d.Type, "reducer", x.Reducer), text.Say("semantic.reduce_not_numeric_hint"))
		}
	}
}

// condition says whether an expression can be true or false: a column alone may be a boolean.
func condition(e *Expr) bool {
	switch e.Op {
	case "num", "str", "+", "-", "*", "/", "neg":
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
		c.fail(object, c.at(x.Pos, field), text.Say("semantic.unknown_metric", "name", name), knownHint(name, c.metricNames()))
		return
	}
	key := strings.ToLower(x.Name)
	uses[key] = append(uses[key], strings.ToLower(name))
}

func (c *checker) derived(object string, x *Metric, uses map[string][]string) {
	if x.Expr == "" {
		c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "expr"), text.Say("semantic.missing_derived_hint"))
		return
	}
	expr := c.expression(object, c.at(x.Pos, "expr"), x.Expr)
	if expr == nil {
		return
	}
	names := expr.Idents()
	if len(names) == 0 || x.Kind == Cumulative && expr.Op != "ident" {
		c.fail(object, c.at(x.Pos, "expr"), text.Say("semantic.no_metric_in_expr", "kind", x.Kind), text.Say("semantic.missing_derived_hint"))
	}
	for _, name := range names {
		c.part(object, x, "expr", name, uses)
	}
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
	for _, name := range slices.Sorted(maps.Keys(x.Additivity.Per)) {
		if c.isFamily(name) {
			continue
		}
		c.findAnyDimension(object, c.at(x.Pos, "additivity"), name)
	}
}

// isFamily says whether a word of "additivity" names a whole family of dimensions: a hierarchy, or time.
func (c *checker) isFamily(name string) bool {
	if name == "time" {
		return true
	}
	for _, e := range c.m.Entities {
		for _, h := range e.Hierarchies {
			if h.Name == name {
				return true
			}
		}
	}
	return false
}
