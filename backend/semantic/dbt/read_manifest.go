package dbt

import (
	"strconv"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// readManifest reads manifest.json. What it says about macros, documents and the order of builds means nothing for data.
//
// fault.Invalid: it is no manifest, or one of its lists is something else.
func (p *project) readManifest(n *node) error {
	if err := p.checkManifest(n); err != nil {
		return err
	}
	p.manifest = true
	for _, g := range n.list("groups") {
		p.readGroup(g)
	}
	tests := []*node{}
	byID := map[string]*relation{}
	for _, x := range n.list("nodes") {
		switch x.say("resource_type") {
		case "model", "seed", "snapshot":
			byID[x.say("unique_id")] = p.readRelation(x)
		case "test":
			tests = append(tests, x)
		}
	}
	for _, x := range n.list("semantic_models") {
		p.readSemanticModel(x)
	}
	p.readTests(tests, byID)
	p.metrics = append(p.metrics, n.list("metrics")...)
	p.saved = append(p.saved, n.list("saved_queries")...)
	p.exposures = append(p.exposures, n.list("exposures")...)
	for _, s := range n.list("sources") {
		p.readSourceTable(s, s.say("source_name"), s.say("source_description"))
	}
	if units := n.list("unit_tests"); len(units) > 0 {
		p.lost("", n.pos, text.Count("dbt.unit_tests", int64(len(units)), "n", len(units)))
	}
	return nil
}

// readRelation reads a dbt model: a node of a manifest, or an item of models: in YAML.
func (p *project) readRelation(n *node) *relation {
	r := &relation{
		node: n, name: n.say("name"), alias: firstOf(n.say("alias"), n.say("config", "alias"), n.say("name")), description: n.say("description"),
		tags: unique(append(n.words("tags"), n.words("config", "tags")...)), owner: claimOf(n), columns: map[string]*relationColumn{},
	}
	for _, c := range n.list("columns") {
		name := c.say("name")
		x := r.column(name)
		x.description, x.dataType = c.say("description"), c.say("data_type")
		x.tags = unique(append(c.words("tags"), c.words("config", "tags")...))
		for _, t := range append(c.list("tests"), c.list("data_tests")...) {
			p.yamlTest(r, name, t)
		}
	}
	if s := n.at("time_spine"); s != nil {
		x := spine{table: r.alias, column: s.say("standard_granularity_column"), pos: n.pos}
		for _, c := range s.list("custom_granularities") {
			x.custom = append(x.custom, customGrain{c.say("name"), firstOf(c.say("column_name"), c.say("name"))})
		}
		x.grain = n.say("columns", x.column, "granularity")
		p.spines = append(p.spines, x)
	}
	if !p.manifest {
		n.pass("access", "latest_version", "docs", "enabled")
		n.at("config").pass("materialized", "contract", "enabled", "schema", "access", "docs")
		p.asides = append(p.asides, aside{n, text.Say("dbt.object_model", "name", r.name)})
	}
	if p.relations == nil {
		p.relations = map[string]*relation{}
	}
	p.relations[strings.ToLower(r.alias)] = r
	return r
}

func (r *relation) column(name string) *relationColumn {
	key := strings.ToLower(name)
	if r.columns[key] == nil {
		r.columns[key] = &relationColumn{}
	}
	return r.columns[key]
}

// readTests reads the tests of a manifest that stand on tables of semantic models.
func (p *project) readTests(tests []*node, byID map[string]*relation) {
	used := map[*relation]bool{}
	for _, m := range p.models {
		used[p.relations[strings.ToLower(m.table)]] = true
	}
	for _, m := range p.models {
		if r := p.relations[strings.ToLower(m.table)]; r != nil {
			p.meta(r.node, text.Say("dbt.object_model", "name", r.name))
			for _, c := range r.node.list("columns") {
				p.meta(c, text.Say("dbt.object_model", "name", r.name+"."+c.say("name")))
			}
		}
	}
	elsewhere := 0
	for _, t := range tests {
		r := byID[t.say("attached_node")]
		if r == nil || !used[r] {
			elsewhere++
			continue
		}
		p.readTest(r, firstOf(t.say("column_name"), t.say("test_metadata", "kwargs", "column_name")), testName(t), t.at("test_metadata", "kwargs"), t.pos)
	}
	if elsewhere > 0 {
		p.lost("", semantic.Pos{File: ManifestName}, text.Count("dbt.tests_elsewhere", int64(elsewhere), "n", elsewhere))
	}
}

func testName(t *node) string {
	name := firstOf(t.say("test_metadata", "name"), t.say("name"))
	if space := t.say("test_metadata", "namespace"); space != "" {
		return space + "." + name
	}
	return name
}

// yamlTest reads an item of a column's tests: a word, or a mapping of one key.
func (p *project) yamlTest(r *relation, column string, t *node) {
	if t.kind == nodeScalar {
		p.readTest(r, column, t.text, nil, t.pos)
		return
	}
	for _, k := range t.keys {
		f := t.field(k)
		p.readTest(r, column, k, f, t.pos)
	}
}

// readTest carries the tests that a semantic model knows.
func (p *project) readTest(r *relation, column, name string, args *node, at semantic.Pos) {
	object := text.Say("dbt.object_test", "name", name, "table", r.name+"."+column)
	if args != nil {
		defer args.passAll()
	}
	switch {
	case column == "":
		p.lost(text.Say("dbt.object_test", "name", name, "table", r.name), at, text.Say("dbt.unknown_test"))
	case name == "not_null" || name == "unique":
		r.column(column).tests = unique(append(r.column(column).tests, name))
	case name == "accepted_values":
		r.column(column).values = args.words("values")
	case name == "relationships":
		p.say(object, at, text.Say("dbt.relationships"))
	case name == "dbt_utils.accepted_range":
		low, high := args.say("min_value"), args.say("max_value")
		if t := rangeTest(low, high); t != "" {
			r.column(column).tests = append(r.column(column).tests, t)
			return
		}
		p.lost(object, at, text.Say("dbt.unknown_test"))
	default:
		p.lost(object, at, text.Say("dbt.unknown_test"))
	}
}

// rangeTest writes a range as the context layer does; empty when the bounds are not numbers.
func rangeTest(low, high string) string {
	var parts []string
	for _, b := range [][2]string{{"min", low}, {"max", high}} {
		if b[1] == "" {
			continue
		}
		if _, err := strconv.ParseFloat(b[1], 64); err != nil {
			return ""
		}
		parts = append(parts, b[0]+": "+b[1])
	}
	if len(parts) == 0 {
		return ""
	}
	return "range: {" + strings.Join(parts, ", ") + "}"
}

// readCatalog reads catalog.json: the types of columns as the warehouse has them.
func (p *project) readCatalog(n *node) {
	p.catalog = map[string]map[string]string{}
	for _, x := range n.list("nodes") {
		columns := map[string]string{}
		for _, c := range x.list("columns") {
			columns[strings.ToLower(c.say("name"))] = c.say("type")
		}
		p.catalog[strings.ToLower(x.say("metadata", "name"))] = columns
	}
}

func unique(all []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range all {
		if s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
