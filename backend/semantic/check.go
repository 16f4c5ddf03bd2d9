package semantic

import (
	"errors"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// checker walks a model whose names are indexed and notes what is wrong.
type checker struct {
	m        *Model
	x        *index
	problems Problems
	reaches  map[string]map[string]bool // entity -> entities across N:1 edges, itself included
	now      piece                      // what is being looked at
}

func (c *checker) all() {
	c.entities()
	c.joins()
	c.metrics()
	c.calendars()
	c.gotchas()
	c.golden()
	c.terms()
	c.synonyms()
}

// at finds the line of a field, or the object's own.
func (c *checker) at(object Pos, field string) Pos {
	if line, ok := c.x.lines[fieldPos{object, field}]; ok {
		return Pos{object.File, line}
	}
	return object
}

func (c *checker) fail(object string, at Pos, message, hint string) {
	c.problems = append(c.problems, Problem{SeverityError, object, at, message, hint, c.now})
}

func (c *checker) warn(object string, at Pos, message, hint string) {
	c.problems = append(c.problems, Problem{SeverityWarning, object, at, message, hint, c.now})
}

// named checks that a name is an identifier and that no other object of its kind has it.
func (c *checker) named(object, name string, at Pos, seen map[string]Pos) bool {
	if !IsName(name) {
		c.fail(object, at, text.Say("semantic.bad_name", "name", name), text.Say("semantic.bad_name_hint"))
		return false
	}
	key := strings.ToLower(name)
	if first, twice := seen[key]; twice {
		where := first.String()
		if where == "" {
			where = name
		}
		c.fail(object, at, text.Say("semantic.name_twice", "name", name, "first", where), text.Say("semantic.name_twice_hint"))
		return false
	}
	seen[key] = at
	return true
}

// reachable gives the entities whose dimensions belong to one row of the given entity: itself, and all across
// many-to-one edges.
func (c *checker) reachable(entity string) map[string]bool {
	entity = strings.ToLower(entity)
	if r, ok := c.reaches[entity]; ok {
		return r
	}
	r := map[string]bool{entity: true}
	queue := []string{entity}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, j := range c.x.from[at] {
			if to := strings.ToLower(j.To); !r[to] {
				r[to] = true
				queue = append(queue, to)
			}
		}
	}
	if c.reaches == nil {
		c.reaches = map[string]map[string]bool{}
	}
	c.reaches[entity] = r
	return r
}

// findDimension binds a name that stands in an object of the entity: a dimension of its own, or "other.dimension" where
// other is reachable. When it fails, the problem is noted.
func (c *checker) findDimension(object string, at Pos, e *Entity, name string) *Dimension {
	other, rest, qualified := strings.Cut(name, ".")
	if !qualified {
		if d := c.x.dimensions[strings.ToLower(e.Name)][strings.ToLower(name)]; d != nil {
			return d
		}
		c.fail(object, at, text.Say("semantic.unknown_dimension", "name", name, "entity", e.Name), KnownHint(name, dimensionNames(e)))
		return nil
	}
	o := c.x.entities[strings.ToLower(other)]
	if o == nil {
		c.fail(object, at, text.Say("semantic.unknown_entity", "name", other), KnownHint(other, c.entityNames()))
		return nil
	}
	d := c.x.dimensions[strings.ToLower(other)][strings.ToLower(rest)]
	if d == nil {
		c.fail(object, at, text.Say("semantic.unknown_dimension", "name", rest, "entity", o.Name), KnownHint(rest, dimensionNames(o)))
		return nil
	}
	if !c.reachable(e.Name)[strings.ToLower(other)] {
		c.fail(object, at, text.Say("semantic.unreachable", "name", name, "entity", e.Name),
			text.Say("semantic.unreachable_hint", "from", e.Name, "to", o.Name))
		return nil
	}
	return d
}

// findGrain binds a name that may also be an entity, which stands for its key.
func (c *checker) findGrain(object string, at Pos, e *Entity, name string) {
	o := c.x.entities[strings.ToLower(name)]
	switch {
	case o == nil:
		c.findDimension(object, at, e, name)
	case len(o.Key) == 0:
		c.fail(object, at, text.Say("semantic.no_key_to_compare", "entity", o.Name), text.Say("semantic.no_key_to_compare_hint"))
	case !c.reachable(e.Name)[strings.ToLower(name)]:
		c.fail(object, at, text.Say("semantic.unreachable", "name", name, "entity", e.Name), text.Say("semantic.unreachable_hint", "from", e.Name, "to", o.Name))
	}
}

func dimensionNames(e *Entity) []string {
	names := make([]string, len(e.Dimensions))
	for i, d := range e.Dimensions {
		names[i] = d.Name
	}
	return names
}

func (c *checker) entityNames() []string {
	names := make([]string, len(c.m.Entities))
	for i, e := range c.m.Entities {
		names[i] = e.Name
	}
	return names
}

func (c *checker) metricNames() []string {
	names := make([]string, len(c.m.Metrics))
	for i, x := range c.m.Metrics {
		names[i] = x.Name
	}
	return names
}

// findAnyDimension binds a dimension of a grain: "dimension", "entity.dimension", an entity, or either with a time grain.
func (c *checker) findAnyDimension(object string, at Pos, name string) {
	units := append(c.units(), UnitFiscalQuarter, UnitFiscalYear)
	for _, p := range dateParts {
		units = append(units, p.Name)
	}
	for _, unit := range units {
		if base, ok := strings.CutSuffix(name, "."+unit); ok {
			name = base
			break
		}
	}
	if entity, rest, ok := strings.Cut(name, "."); ok {
		e := c.x.entities[strings.ToLower(entity)]
		if e == nil {
			c.fail(object, at, text.Say("semantic.unknown_entity", "name", entity), KnownHint(entity, c.entityNames()))
		} else if e.Dimension(rest) == nil {
			c.fail(object, at, text.Say("semantic.unknown_dimension", "name", rest, "entity", e.Name), KnownHint(rest, dimensionNames(e)))
		}
		return
	}
	if c.x.entities[strings.ToLower(name)] != nil {
		return
	}
	var all []string
	for i := range c.m.Entities {
		if c.m.Entities[i].Dimension(name) != nil {
			return
		}
		all = append(all, dimensionNames(&c.m.Entities[i])...)
	}
	c.fail(object, at, text.Say("semantic.unknown_dimension_anywhere", "name", name), KnownHint(name, all))
}

// expression parses an expression of an object; nil after noting why not.
func (c *checker) expression(object string, at Pos, s string) *Expr {
	e := c.filterExpression(object, at, s)
	if e != nil && len(e.MetricsAt()) > 0 {
		c.fail(object, at, text.Say("semantic.metric_at_outside", "expr", e.MetricsAt()[0].String()), text.Say("semantic.metric_at_outside_hint"))
		return nil
	}
	return e
}

// filterExpression parses an expression that may compare metrics at a grain.
func (c *checker) filterExpression(object string, at Pos, s string) *Expr {
	e, err := ParseExpr(s)
	if err != nil {
		var f *fault.Error
		errors.As(err, &f)
		c.fail(object, at, f.Message, f.Hint)
	}
	return e
}

// synonyms warns about words that two objects of a kind answer to: a reader of questions would have to ask back.
func (c *checker) synonyms() {
	metrics := map[string]string{}
	for _, x := range c.m.Metrics {
		if !x.Hidden {
			c.words(text.Say("semantic.object_metric", "name", x.Name), x.Pos, x.Name, append([]string{x.Label}, x.Synonyms...), metrics)
		}
	}
	entities := map[string]string{}
	for _, e := range c.m.Entities {
		c.words(text.Say("semantic.object_entity", "name", e.Name), e.Pos, e.Name, append([]string{e.Label}, e.Synonyms...), entities)
		dimensions := map[string]string{}
		for _, d := range e.Dimensions {
			c.words(text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name), d.Pos, d.Name, append([]string{d.Label}, d.Synonyms...), dimensions)
		}
	}
}

func (c *checker) words(object string, at Pos, name string, words []string, taken map[string]string) {
	words = append([]string{strings.ReplaceAll(name, "_", " ")}, words...)
	var mine []string
	for _, w := range words {
		w = strings.ToLower(strings.TrimSpace(w))
		if w == "" || slices.Contains(mine, w) {
			continue
		}
		mine = append(mine, w)
		if other, ok := taken[w]; ok {
			c.warn(object, c.at(at, "synonyms"), text.Say("semantic.synonym_clash", "word", w, "one", other, "other", name), text.Say("semantic.synonym_clash_hint"))
			continue
		}
		taken[w] = name
	}
}
