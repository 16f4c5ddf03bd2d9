package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// meaning gives the metric that a name in the expression of a derived metric stands for: an input of that name hides
// a metric of the same name.
func (m *Metric) meaning(name string) string {
	for _, in := range m.Inputs {
		if strings.EqualFold(in.Name, name) {
			return in.Metric
		}
	}
	return name
}

// moved says whether a name in the expression stands for the value of another time.
func (m *Metric) moved(name string) bool {
	return slices.ContainsFunc(m.Inputs, func(in Input) bool {
		return strings.EqualFold(in.Name, name) && (in.Offset != nil || in.OffsetToStart != "")
	})
}

func (c *checker) derived(object string, x *Metric, uses map[string][]string) {
	c.inputs(object, x, uses)
	if x.Expr == "" {
		c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "expr"), text.Say("semantic.missing_derived_hint"))
		return
	}
	at := c.at(x.Pos, "expr")
	expr := c.expression(object, at, x.Expr)
	if expr == nil {
		return
	}
	names := expr.Idents()
	if len(names) == 0 {
		c.fail(object, at, text.Say("semantic.no_metric_in_expr", "kind", x.Kind), text.Say("semantic.missing_derived_hint"))
	}
	for _, name := range names {
		if means := x.meaning(name); c.x.metrics[strings.ToLower(means)] != nil || means == name {
			c.part(object, x, "expr", means, uses)
		}
	}
	for _, in := range x.Inputs {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, in.Name) }) {
			c.warn(object, c.at(x.Pos, inputField(in.Name)), text.Say("semantic.unused_input", "name", in.Name), text.Say("semantic.unused_input_hint", "name", in.Name))
		}
	}
}

func (c *checker) inputs(object string, x *Metric, uses map[string][]string) {
	seen := map[string]Pos{}
	for _, in := range x.Inputs {
		at := c.at(x.Pos, inputField(in.Name))
		c.named(object, in.Name, at, seen)
		if c.x.metrics[strings.ToLower(in.Metric)] == nil {
			c.fail(object, at, text.Say("semantic.unknown_metric", "name", in.Metric), KnownHint(in.Metric, c.metricNames()))
			continue
		}
		if in.Filter != "" {
			for _, e := range c.leafEntities(in.Metric) {
				c.filter(object, at, x, in.Filter, e, uses)
			}
		}
		switch {
		case in.Offset != nil && in.OffsetToStart != "":
			c.fail(object, at, text.Say("semantic.two_offsets", "name", in.Name), text.Say("semantic.two_offsets_hint"))
		case in.Offset != nil:
			c.unit(object, at, in.Offset.Unit)
		case in.OffsetToStart != "":
			c.unit(object, at, in.OffsetToStart)
		}
	}
}

// unit checks that some calendar knows a unit.
func (c *checker) unit(object string, at Pos, unit string) {
	if known := c.units(); !slices.Contains(known, unit) {
		c.fail(object, at, text.Say("semantic.unknown_unit", "unit", unit), KnownHint(unit, known))
	}
}

// leafEntities gives the entities whose rows a metric is computed from, each once.
func (c *checker) leafEntities(metric string) []*Entity {
	var all []*Entity
	seen := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		x := c.x.metrics[strings.ToLower(name)]
		if x == nil || seen[x.Name] {
			return
		}
		seen[x.Name] = true
		if x.Leaf() {
			if e := c.x.entities[strings.ToLower(x.Entity)]; e != nil && !slices.Contains(all, e) {
				all = append(all, e)
			}
			return
		}
		for _, part := range []string{x.Numerator, x.Denominator, x.Of} {
			walk(part)
		}
		if e, err := ParseExpr(x.Expr); err == nil {
			for _, n := range e.Idents() {
				walk(x.meaning(n))
			}
		}
	}
	walk(metric)
	return all
}
