package dbt

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// readGroup reads an owner: groups: [{name, owner: {name, email}}].
func (p *project) readGroup(n *node) {
	if p.groups == nil {
		p.groups = map[string]*semantic.Owner{}
	}
	name := n.say("name")
	p.groups[name] = &semantic.Owner{Name: firstOf(person(n), name)}
	if !p.manifest {
		p.asides = append(p.asides, aside{n, text.Say("dbt.object_group", "name", name)})
	}
}

// person writes an owner as "Dana <dana@example.com>", or what there is of it.
func person(n *node) string {
	name, email := n.say("owner", "name"), n.say("owner", "email")
	if name != "" && email != "" {
		return name + " <" + email + ">"
	}
	return firstOf(name, email)
}

// claim says who answers for an object, before all groups are known.
type claim struct{ group, meta string }

func claimOf(n *node) claim {
	return claim{firstOf(n.say("group"), n.say("config", "group")), firstOf(n.say("meta", "owner"), n.say("config", "meta", "owner"))}
}

// owner gives who answers: the owner of the group, else the one that the object's meta names; nil when nobody does.
func (p *project) owner(c claim) *semantic.Owner {
	if o := p.groups[c.group]; o != nil {
		return o
	}
	if name := firstOf(c.meta, c.group); name != "" {
		return &semantic.Owner{Name: name}
	}
	return nil
}

// readSource reads a source of YAML, which lists its tables.
func (p *project) readSource(n *node) {
	for _, t := range n.list("tables") {
		p.readSourceTable(t, n.say("name"), n.say("description"), n)
	}
	n.pass("schema", "database", "quoting")
	p.asides = append(p.asides, aside{n, text.Say("dbt.object_source", "name", n.say("name"))})
}

// readSourceTable reads one table of a source; what it does not say itself, its source says.
func (p *project) readSourceTable(t *node, source, description string, defaults ...*node) {
	from := append([]*node{t, t.at("config")}, defaults...)
	o := semantic.Origin{
		Name: source + "." + t.say("name"), Table: firstOf(t.say("relation_name"), t.say("identifier"), t.say("name")),
		Description: firstOf(t.say("description"), description), Tags: unique(append(t.words("tags"), t.words("config", "tags")...)),
	}
	for _, n := range from {
		o.Loader, o.LoadedAt = firstOf(o.Loader, n.say("loader")), firstOf(o.LoadedAt, n.say("loaded_at_field"))
		if o.WarnAfter == nil {
			o.WarnAfter = span(n, "freshness", "warn_after")
		}
		if o.ErrorAfter == nil {
			o.ErrorAfter = span(n, "freshness", "error_after")
		}
	}
	p.origins = append(p.origins, o)
	if c := t.field("columns"); c != nil && !c.empty() {
		p.lost(text.Say("dbt.object_source", "name", o.Name), t.pos, text.Say("dbt.source_columns"))
		c.passAll()
	}
	p.meta(t, text.Say("dbt.object_source", "name", o.Name))
}

// span reads {count: 12, period: hour}, {count: 1, granularity: month} or "14 days"; nil when it is not said.
func span(n *node, keys ...string) *semantic.Span {
	f := n.at(keys...)
	if f == nil {
		return nil
	}
	count, unit := f.say("count"), firstOf(f.say("period"), f.say("granularity"))
	if f.kind == nodeScalar {
		words := strings.Fields(f.text)
		if len(words) != 2 {
			return nil
		}
		count, unit = words[0], words[1]
	}
	v, err := strconv.Atoi(count)
	if err != nil || v < 1 || unit == "" {
		return nil
	}
	unit = strings.ToLower(unit)
	if plain := strings.TrimSuffix(unit, "s"); grains[plain] {
		unit = plain
	}
	return &semantic.Span{N: v, Unit: unit}
}

// lineage carries what surrounds the model: sources, exposures, owners.
func (b *build) lineage() {
	r := &b.model.Registry
	r.Sources = b.p.origins
	for _, n := range b.p.exposures {
		n.at("config").pass("enabled")
		e := semantic.Exposure{
			Name: n.say("name"), Label: n.say("label"), Kind: strings.ToLower(n.say("type")), Maturity: strings.ToLower(n.say("maturity")),
			URL: n.say("url"), Description: n.say("description"), Tags: unique(append(n.words("tags"), n.words("config", "tags")...)),
		}
		if o := person(n); o != "" {
			e.Owner = &semantic.Owner{Name: o}
		}
		for _, id := range append(n.words("depends_on", "nodes"), n.words("depends_on")...) {
			e.Uses = append(e.Uses, b.used(id))
		}
		e.Uses = unique(e.Uses)
		bookkeeping(n)
		r.Exposures = append(r.Exposures, e)
	}
	seen := map[string]bool{}
	for _, o := range b.p.groups {
		if !seen[o.Name] {
			seen[o.Name] = true
			r.Owners = append(r.Owners, *o)
		}
	}
	slices.SortFunc(r.Owners, func(a, b semantic.Owner) int { return strings.Compare(a.Name, b.Name) })
}

// used turns model.project.orders, metric.project.revenue and ref('orders') into the name of an object of the model.
func (b *build) used(id string) string {
	name := id
	if m := modelRef.FindStringSubmatch(id); m != nil {
		name = m[1]
		if strings.HasPrefix(id, "metric") {
			return name
		}
	}
	if parts := strings.Split(id, "."); len(parts) > 2 {
		name = parts[len(parts)-1]
	}
	for _, m := range b.p.models {
		if strings.EqualFold(m.table, name) && !strings.HasPrefix(id, "metric.") {
			return m.entity.Name
		}
	}
	return name
}
