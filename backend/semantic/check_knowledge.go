package semantic

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/backend/text"
)

func (c *checker) gotchas() {
	seen := map[string]bool{}
	for i, g := range c.m.Gotchas {
		c.now = piece{kind: pieceGotcha, i: i}
		object := text.Say("semantic.object_gotcha", "name", g.Name)
		if seen[g.Name] {
			c.fail(object, g.Pos, text.Say("semantic.name_twice", "name", g.Name, "first", g.Name), text.Say("semantic.name_twice_hint"))
		}
		seen[g.Name] = true
		if len(g.AppliesTo) == 0 {
			c.warn(object, g.Pos, text.Say("semantic.applies_to_nothing", "name", g.Name), text.Say("semantic.applies_to_hint"))
		}
		for _, name := range g.AppliesTo {
			if c.x.metrics[strings.ToLower(name)] == nil && c.x.entities[strings.ToLower(name)] == nil && c.m.Dimension(name) == nil {
				c.fail(object, c.at(g.Pos, "applies_to"), text.Say("semantic.applies_to_unknown", "name", name), c.anyNameHint(name))
			}
		}
	}
}

// anyNameHint suggests the nearest metric, entity or entity.dimension.
func (c *checker) anyNameHint(name string) string {
	all := append(c.metricNames(), c.entityNames()...)
	for i := range c.m.Entities {
		for _, d := range c.m.Entities[i].Dimensions {
			all = append(all, c.m.Entities[i].Name+"."+d.Name)
		}
	}
	if n := nearest(name, all); n != "" {
		return text.Say("semantic.did_you_mean", "name", n)
	}
	return text.Say("semantic.applies_to_hint")
}

var placeholder = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// CutPlaceholder cuts a text around the first name in braces.
func CutPlaceholder(s string) (before, name, after string, found bool) {
	at := placeholder.FindStringSubmatchIndex(s)
	if at == nil {
		return s, "", "", false
	}
	return s[:at[0]], s[at[2]:at[3]], s[at[1]:], true
}

// FillPlaceholders writes values over the names in braces. What stands in a value is never read as a name; a name without a
// value stays.
func FillPlaceholders(s string, values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(s, func(braced string) string {
		if value, ok := values[braced[1:len(braced)-1]]; ok {
			return value
		}
		return braced
	})
}

// placeholders gives the names in braces, each once.
func placeholders(s string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

func (c *checker) golden() {
	for i, g := range c.m.Golden {
		c.now = piece{kind: pieceGolden, i: i}
		object := text.Say("semantic.object_golden", "name", g.Name)
		field, query := "frame_ql", g.FrameQL
		if query == "" {
			field, query = "sql", g.SQL
		}
		var declared []string
		for _, p := range g.Parameters {
			declared = append(declared, p.Name)
			c.parameter(object, g, p)
		}
		used := placeholders(query)
		for _, name := range used {
			if !slices.Contains(declared, name) {
				c.fail(object, c.at(g.Pos, field), text.Say("semantic.undeclared_parameter", "name", name), text.Say("semantic.undeclared_parameter_hint", "name", name))
			}
		}
		for _, name := range placeholders(g.Question) {
			if !slices.Contains(declared, name) {
				c.fail(object, c.at(g.Pos, "question"), text.Say("semantic.undeclared_parameter", "name", name), text.Say("semantic.undeclared_parameter_hint", "name", name))
			}
		}
		for _, name := range declared {
			if !slices.Contains(used, name) {
				c.warn(object, c.at(g.Pos, "parameters"), text.Say("semantic.unused_parameter", "name", name), text.Say("semantic.unused_parameter_hint", "name", name))
			}
		}
	}
}

// terms checks that no word is given two meanings. Whether the model has one for it is the reader's to say.
func (c *checker) terms() {
	first := map[string]string{}
	for i, t := range c.m.Terms {
		c.now = piece{kind: pieceTerm, i: i}
		key := strings.Join(strings.Fields(strings.ToLower(t.Term)), " ")
		if first[key] != "" {
			c.fail(text.Say("semantic.object_term", "name", t.Name), c.at(t.Pos, "term"), text.Say("semantic.term_twice", "term", t.Term, "first", first[key]), text.Say("semantic.term_twice_hint"))
			continue
		}
		first[key] = t.Name
	}
}

func (c *checker) parameter(object string, g Golden, p Parameter) {
	at := c.at(g.Pos, "parameters")
	if p.Table != "" && len(p.Values) > 0 {
		c.fail(object, at, text.Say("semantic.values_twice", "name", p.Name), text.Say("semantic.values_twice_hint"))
	}
	if p.Default == "" {
		return
	}
	if p.Type == "int" {
		n, err := strconv.Atoi(p.Default)
		if err != nil || p.Min != nil && float64(n) < *p.Min || p.Max != nil && float64(n) > *p.Max {
			c.fail(object, at, text.Say("semantic.bad_default", "name", p.Name, "value", p.Default), text.Say("semantic.bad_default_hint"))
		}
	}
	if len(p.Values) > 0 && !slices.Contains(p.Values, p.Default) {
		c.fail(object, at, text.Say("semantic.bad_default", "name", p.Name, "value", p.Default), text.Say("semantic.bad_default_hint"))
	}
}
