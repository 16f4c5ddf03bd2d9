package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

func (c *checker) entities() {
	seen := map[string]Pos{}
	for i := range c.m.Entities {
		e := &c.m.Entities[i]
		object := text.Say("semantic.object_entity", "name", e.Name)
		c.now = piece{kind: pieceEntity, i: i}
		if !c.named(object, e.Name, e.Pos, seen) {
			continue
		}
		c.dimensions(e, i)
		c.now = piece{kind: pieceParent, i: i}
		c.parents(object, e)
		c.now = piece{kind: pieceKey, i: i}
		for _, k := range e.Key {
			if d := c.ownDimension(object, c.at(e.Pos, "key"), e, k); d != nil && d.Measure {
				c.fail(object, c.at(e.Pos, "key"), text.Say("semantic.key_measure", "name", k), text.Say("semantic.key_measure_hint"))
			}
		}
		c.now = piece{kind: pieceDisplay, i: i}
		if e.Display != "" {
			c.ownDimension(object, c.at(e.Pos, "display"), e, e.Display)
		}
		times := e.OtherTimes
		if e.DefaultTime != "" {
			times = append([]string{e.DefaultTime}, times...)
		}
		for _, t := range times {
			c.now = piece{kind: pieceTime, i: i, name: t}
			if d := c.findDimension(object, c.at(e.Pos, "time"), e, t); d != nil && !d.Type.Temporal() {
				c.fail(object, c.at(e.Pos, "time"), text.Say("semantic.not_a_time", "name", t, "type", d.Type), text.Say("semantic.not_a_time_hint"))
			}
		}
		c.hierarchies(object, e, i)
	}
}

// parents looks that the parent of an entity is there, and that none is its own.
func (c *checker) parents(object string, e *Entity) {
	if e.Parent == "" {
		return
	}
	at := c.at(e.Pos, "parent")
	if c.x.entities[strings.ToLower(e.Parent)] == nil {
		c.fail(object, at, text.Say("semantic.unknown_parent", "name", e.Parent, "entity", e.Name), text.Say("semantic.unknown_parent_hint"))
		return
	}
	seen := map[string]bool{}
	for up := e; up != nil && up.Parent != ""; up = c.x.entities[strings.ToLower(up.Parent)] {
		if seen[up.Name] {
			c.fail(object, at, text.Say("semantic.parent_of_itself", "name", e.Name), text.Say("semantic.parent_of_itself_hint"))
			return
		}
		seen[up.Name] = true
	}
}

func (c *checker) ownDimension(object string, at Pos, e *Entity, name string) *Dimension {
	if d := e.Dimension(name); d != nil {
		return d
	}
	c.fail(object, at, text.Say("semantic.unknown_dimension", "name", name, "entity", e.Name), KnownHint(name, dimensionNames(e)))
	return nil
}

func (c *checker) hierarchies(object string, e *Entity, place int) {
	at := c.at(e.Pos, "hierarchies")
	seen := map[string]Pos{}
	for j, h := range e.Hierarchies {
		c.now = piece{kind: pieceHierarchy, i: place, j: j}
		c.named(object, h.Name, at, seen)
		if len(h.Path) < 2 {
			c.fail(object, at, text.Say("semantic.short_path", "name", h.Name), text.Say("semantic.short_path_hint"))
		}
		for i, step := range h.Path {
			c.ownDimension(object, at, e, step)
			if slices.Contains(h.Path[:i], step) {
				c.fail(object, at, text.Say("semantic.step_twice", "name", h.Name, "step", step), text.Say("semantic.short_path_hint"))
			}
		}
	}
}

func (c *checker) dimensions(e *Entity, place int) {
	if len(e.Dimensions) == 0 {
		c.warn(text.Say("semantic.object_entity", "name", e.Name), e.Pos, text.Say("semantic.no_dimensions", "name", e.Name), text.Say("semantic.no_dimensions_hint"))
	}
	seen := map[string]Pos{}
	uses := map[string][]string{} // dimension -> dimensions that it is computed from
	for i := range e.Dimensions {
		d := &e.Dimensions[i]
		object := text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name)
		c.now = piece{kind: pieceDimension, i: place, j: i}
		if !c.named(object, d.Name, d.Pos, seen) {
			continue
		}
		if !slices.Contains(typeNames(), string(d.Type)) {
			c.fail(object, d.Pos, text.Say("semantic.bad_type", "name", d.Name, "type", d.Type), KnownHint(string(d.Type), typeNames()))
		}
		if d.Measure && !d.Type.Numeric() {
			c.fail(object, c.at(d.Pos, "measure"), text.Say("semantic.measure_not_numeric", "name", d.Name, "type", d.Type), text.Say("semantic.measure_not_numeric_hint"))
		}
		c.timeFacets(object, d)
		if d.MultiValued && (d.Measure || slices.Contains(e.Key, d.Name)) {
			c.fail(object, c.at(d.Pos, "multi_valued"), text.Say("semantic.multi_valued_measure", "name", d.Name), text.Say("semantic.multi_valued_measure_hint"))
		}
		if d.Identifier && d.Measure {
			c.fail(object, c.at(d.Pos, "identifier"), text.Say("semantic.identifier_measure", "name", d.Name), text.Say("semantic.identifier_measure_hint"))
		}
		if d.DerivedFrom != "" {
			if c.ownDimension(object, c.at(d.Pos, "derived_from"), e, d.DerivedFrom) != nil {
				uses[strings.ToLower(d.Name)] = []string{strings.ToLower(d.DerivedFrom)}
			}
		}
		if d.Expr != "" {
			at := c.at(d.Pos, "expr")
			if x := c.expression(object, at, d.Expr); x != nil {
				for _, name := range x.Idents() {
					name = strings.TrimPrefix(strings.ToLower(name), strings.ToLower(e.Name)+".")
					if c.ownDimension(object, at, e, name) != nil {
						uses[strings.ToLower(d.Name)] = append(uses[strings.ToLower(d.Name)], name)
					}
				}
			}
		}
	}
	if path := cycle(uses); path != nil {
		d := e.Dimension(path[0])
		c.now = piece{kind: pieceDimension, i: place, j: slices.IndexFunc(e.Dimensions, func(x Dimension) bool { return x.Name == d.Name })}
		c.fail(text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name), d.Pos,
			text.Say("semantic.cycle", "path", strings.Join(path, " -> ")), text.Say("semantic.cycle_hint"))
	}
}

// timeFacets checks what only times have.
func (c *checker) timeFacets(object string, d *Dimension) {
	if d.TimeZone != "" && d.Type != Timestamp {
		c.fail(object, c.at(d.Pos, "time_zone"), text.Say("semantic.zone_of_no_timestamp", "name", d.Name, "type", d.Type), text.Say("semantic.zone_of_no_timestamp_hint"))
	}
	switch {
	case d.Granularity == "":
	case !d.Type.Temporal():
		c.fail(object, c.at(d.Pos, "granularity"), text.Say("semantic.granularity_of_no_time", "name", d.Name, "type", d.Type), text.Say("semantic.granularity_of_no_time_hint"))
	case !slices.Contains(timeUnits(), d.Granularity), d.Type == Date && d.Granularity == "hour":
		c.fail(object, c.at(d.Pos, "granularity"), text.Say("semantic.bad_choice", "key", "granularity", "value", d.Granularity), KnownHint(d.Granularity, timeUnits()[1:]))
	}
}

// cycle gives one cycle of a graph as a closed path; nil when there is none. The same graph gives the same cycle.
func cycle(edges map[string][]string) []string {
	var nodes []string
	for n := range edges {
		nodes = append(nodes, n)
	}
	slices.Sort(nodes)
	done := map[string]bool{}
	var path []string
	var visit func(string) []string
	visit = func(n string) []string {
		if i := slices.Index(path, n); i >= 0 {
			return append(slices.Clone(path[i:]), n)
		}
		if done[n] {
			return nil
		}
		path = append(path, n)
		for _, to := range edges[n] {
			if found := visit(to); found != nil {
				return found
			}
		}
		path = path[:len(path)-1]
		done[n] = true
		return nil
	}
	for _, n := range nodes {
		if found := visit(n); found != nil {
			return found
		}
	}
	return nil
}

func (c *checker) joins() {
	type edge struct{ from, to, role string }
	seen := map[edge]Join{}
	for i, j := range c.m.Joins {
		c.now = piece{kind: pieceJoin, i: i}
		object := text.Say("semantic.object_joins", "name", j.From)
		from, to := c.x.entities[strings.ToLower(j.From)], c.x.entities[strings.ToLower(j.To)]
		if from == nil {
			c.fail(object, j.Pos, text.Say("semantic.unknown_entity", "name", j.From), KnownHint(j.From, c.entityNames()))
		}
		if to == nil {
			c.fail(object, c.at(j.Pos, "to"), text.Say("semantic.unknown_entity", "name", j.To), KnownHint(j.To, c.entityNames()))
		}
		if from == nil || to == nil {
			continue
		}
		if !slices.Contains([]string{ManyToOne, OneToOne, ManyToMany}, j.Cardinality) && j.Cardinality != "" {
			c.fail(object, c.at(j.Pos, "cardinality"), text.Say("semantic.bad_choice", "key", "cardinality", "value", j.Cardinality), KnownHint(j.Cardinality, []string{ManyToOne, OneToOne, ManyToMany}))
		}
		if j.Total && !j.ToOne() {
			c.fail(object, c.at(j.Pos, "total"), text.Say("semantic.total_of_many"), text.Say("semantic.total_of_many_hint"))
		}
		c.joinColumns(object, j, from, to)
		e := edge{strings.ToLower(j.From), strings.ToLower(j.To), strings.ToLower(j.Role)}
		if _, twice := seen[e]; twice {
			c.fail(object, j.Pos, text.Say("semantic.join_twice", "from", j.From, "to", j.To), text.Say("semantic.join_twice_hint"))
		}
		seen[e] = j
		if from == to && j.Role == "" {
			c.fail(object, j.Pos, text.Say("semantic.self_join", "name", j.From), text.Say("semantic.self_join_hint"))
		}
	}
}

func (c *checker) joinColumns(object string, j Join, from, to *Entity) {
	at := c.at(j.Pos, "on")
	var far []string
	for _, p := range j.On {
		a, b := c.ownDimension(object, at, from, p.From), c.ownDimension(object, at, to, p.To)
		if a != nil && b != nil && a.Type != b.Type && !(a.Type.Numeric() && b.Type.Numeric()) && !(a.Type.Temporal() && b.Type.Temporal()) {
			c.fail(object, at, text.Say("semantic.join_types", "from", from.Name+"."+a.Name, "from_type", a.Type, "to", to.Name+"."+b.Name, "to_type", b.Type),
				text.Say("semantic.join_types_hint"))
		}
		far = append(far, strings.ToLower(p.To))
	}
	if !j.ToOne() {
		return // several partners are what it says
	}
	if len(to.Key) == 0 {
		c.warn(object, at, text.Say("semantic.join_no_key", "to", to.Name), text.Say("semantic.join_no_key_hint"))
		return
	}
	for _, k := range to.Key {
		if !slices.Contains(far, strings.ToLower(k)) {
			c.warn(object, at, text.Say("semantic.join_not_key", "to", to.Name, "key", strings.Join(to.Key, ", ")), text.Say("semantic.join_not_key_hint"))
			return
		}
	}
}
