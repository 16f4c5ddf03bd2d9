package semantic

import (
	"maps"
	"slices"
	"strings"

	"assay/backend/text"
)

// additivity checks the rules by which a metric adds up: that they stand for something, and that a rule of a snapshot
// stands for time, on a metric whose rows are snapshots.
func (c *checker) additivity(object string, x *Metric) {
	at := c.at(x.Pos, "additivity")
	rules := map[string]string{}
	maps.Copy(rules, x.Additivity.Per)
	if x.Additivity.Default != "" {
		rules["default"] = x.Additivity.Default
	}
	snapshots := false
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if name != "default" && !c.isFamily(name) {
			c.findAnyDimension(object, at, name)
		}
		if _, ok := canonicalAdditivity(rules[name]); !ok {
			c.fail(object, at, text.Say("semantic.bad_additivity", "value", rules[name]), text.Say("semantic.bad_additivity_hint"))
		}
		semi, ok := parseSemi(rules[name])
		if !ok {
			continue
		}
		snapshots = true
		if name != "default" && name != FamilyTime && !c.temporal(name) {
			c.fail(object, at, text.Say("semantic.semi_not_time", "name", name), text.Say("semantic.semi_not_time_hint"))
		}
		c.snapshotKeys(object, at, x, semi)
	}
	if !snapshots {
		return
	}
	if !x.Leaf() {
		c.fail(object, at, text.Say("semantic.semi_not_leaf", "name", x.Name, "kind", x.Kind), text.Say("semantic.semi_not_leaf_hint"))
		return
	}
	c.needsTime(object, at, x, "semi")
}

// snapshotKeys checks the dimensions for whose values a snapshot is found: they stand on the metric's own rows.
func (c *checker) snapshotKeys(object string, at Pos, x *Metric, s Semi) {
	e := c.x.entities[strings.ToLower(x.Entity)]
	if e == nil {
		return // noted with the entity
	}
	for _, name := range s.Per {
		if d := c.ownDimension(object, at, e, name); d != nil && (d.Type.Temporal() || d.Measure) {
			c.fail(object, at, text.Say("semantic.semi_key", "name", name), text.Say("semantic.semi_key_hint"))
		}
	}
}

// isFamily says whether a word of "additivity" names a whole family of dimensions: a hierarchy, or time.
func (c *checker) isFamily(name string) bool {
	if name == FamilyTime {
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

// temporal says whether a name, of a dimension or of entity.dimension, is of a time.
func (c *checker) temporal(name string) bool {
	if d := c.m.Dimension(name); d != nil {
		return d.Type.Temporal()
	}
	for i := range c.m.Entities {
		if d := c.m.Entities[i].Dimension(name); d != nil && d.Type.Temporal() {
			return true
		}
	}
	return false
}
