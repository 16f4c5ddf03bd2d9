package dbt

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// project is what the files say, before it becomes a model.
type project struct {
	tables    []Table
	manifest  bool
	models    []*semModel
	metrics   []*node
	saved     []*node
	spines    []spine
	relations map[string]*relation // dbt models by name, in lower case
	groups    map[string]*semantic.Owner
	origins   []semantic.Origin
	exposures []*node
	asides    []aside
	catalog   map[string]map[string]string // table -> column -> type, in lower case
	notes     []Note
}

// aside is an object of YAML that is carried in part: what nobody reads of it is noted.
type aside struct {
	node   *node
	object string
}

// relation is what a project says about one of its tables.
type relation struct {
	node        *node
	name        string
	alias       string
	description string
	tags        []string
	owner       claim
	columns     map[string]*relationColumn // in lower case
}

type relationColumn struct {
	description string
	dataType    string
	tags        []string
	tests       []string
	values      []string // accepted_values
}

// spine is a table with one row for each unit of time.
type spine struct {
	table  string
	column string
	grain  string
	custom []customGrain
	pos    semantic.Pos
}

type customGrain struct{ name, column string }

func (p *project) lost(object string, at semantic.Pos, message string) {
	p.notes = append(p.notes, Note{Lost: true, Object: object, Pos: at, Message: message})
}

func (p *project) say(object string, at semantic.Pos, message string) {
	p.notes = append(p.notes, Note{Object: object, Pos: at, Message: message})
}

// distinct leaves out semantic models whose name stands before.
func (p *project) distinct() {
	seen := map[string]bool{}
	p.models = slices.DeleteFunc(p.models, func(m *semModel) bool {
		if m.name == "" {
			p.lost(text.Say("dbt.a_semantic_model"), m.node.pos, text.Say("dbt.no_name"))
			return true
		}
		key := strings.ToLower(plainName(m.name))
		if seen[key] {
			p.lost(m.object(), m.node.pos, text.Say("dbt.model_twice"))
		}
		defer func() { seen[key] = true }()
		return seen[key]
	})
}

func (p *project) origin() string {
	if p.manifest {
		return "dbt manifest"
	}
	return "dbt semantic models"
}

// readDocument reads one YAML document: MetricFlow's one object, or dbt's lists.
func (p *project) readDocument(d *node) {
	d.pass("version")
	known := false
	each := func(list, one string, read func(*node)) {
		if f := d.field(list); f != nil && f.kind == nodeScalar {
			p.lost(list, f.pos, text.Say("dbt.not_a_list", "key", list, "kind", f.kindWord()))
		}
		for _, n := range d.list(list) {
			known = true
			read(n)
		}
		if n := d.field(one); n != nil {
			known = true
			read(n)
		}
	}
	each("semantic_models", "semantic_model", p.readSemanticModel)
	each("metrics", "metric", func(n *node) { p.metrics = append(p.metrics, n) })
	each("saved_queries", "saved_query", func(n *node) { p.saved = append(p.saved, n) })
	each("time_spines", "project_configuration", p.readConfiguration)
	each("models", "", func(n *node) { p.readRelation(n) })
	each("groups", "", p.readGroup)
	each("exposures", "", func(n *node) { p.exposures = append(p.exposures, n) })
	each("sources", "", p.readSource)
	for _, k := range d.keys {
		if f := d.fields[k]; !f.read && !f.empty() {
			p.lost(k, f.pos, text.Say("dbt.no_place", "key", k))
			f.passAll()
		}
	}
	if !known && len(d.keys) == 0 {
		p.lost("", d.pos, text.Say("dbt.unknown_document"))
	}
}

// readConfiguration reads MetricFlow's project_configuration, or an item of time_spines.
func (p *project) readConfiguration(n *node) {
	for _, s := range append(n.list("time_spines"), n) {
		if s.at("node_relation") == nil {
			continue
		}
		x := spine{table: alias(s), column: s.say("primary_column", "name"), grain: s.say("primary_column", "time_granularity"), pos: s.pos}
		for _, c := range s.list("custom_granularities") {
			x.custom = append(x.custom, customGrain{c.say("name"), firstOf(c.say("column_name"), c.say("name"))})
		}
		p.spines = append(p.spines, x)
	}
	for _, s := range n.list("time_spine_table_configurations") {
		location := s.say("location")
		x := spine{table: location[strings.LastIndexByte(location, '.')+1:], column: s.say("column_name"), grain: s.say("grain"), pos: s.pos}
		if !slices.ContainsFunc(p.spines, func(y spine) bool { return y.table == x.table }) {
			p.spines = append(p.spines, x)
		}
	}
	n.pass("dsi_package_version", "metadata")
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// modelRef reads ref('orders'), ref('package', 'orders'), source('shop', 'orders') and metric('revenue').
var modelRef = regexp.MustCompile(`^\s*(?:\{\{\s*)?(?:ref|source|metric)\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]`)

func referred(s string) string {
	if m := modelRef.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// alias is the table that an object reads: node_relation, or model: ref('...').
func alias(n *node) string {
	r := n.at("node_relation")
	r.pass("schema_name", "database", "relation_name", "db_name")
	return firstOf(r.say("alias"), referred(n.say("model")))
}

// meta notes what an object of a manifest says under meta, where projects keep what dbt has no word for.
func (p *project) meta(n *node, object string) {
	for _, keys := range [][]string{{"meta"}, {"config", "meta"}} {
		m := n.at(keys...)
		if m == nil {
			continue
		}
		for _, k := range m.keys {
			if f := m.fields[k]; !f.read && !f.empty() {
				p.lost(object, f.pos, text.Say("dbt.no_place", "key", "meta."+k))
				f.passAll()
			}
		}
		if keys[0] == "meta" {
			if c := n.at("config", "meta"); c != nil {
				c.passAll() // dbt writes the same twice
			}
		}
	}
}

// unread notes every key that says something and that nothing has read.
func (p *project) unread() {
	note := func(object string) func(string, *node) {
		return func(path string, n *node) { p.lost(object, n.pos, text.Say("dbt.no_place", "key", path)) }
	}
	for _, m := range p.models {
		m.node.unread("", note(text.Say("dbt.object_semantic_model", "name", m.name)))
	}
	for _, n := range p.metrics {
		n.unread("", note(text.Say("dbt.object_metric", "name", n.say("name"))))
	}
	for _, x := range p.asides {
		x.node.unread("", note(x.object))
	}
	for _, n := range p.saved {
		p.lost(text.Say("dbt.object_saved_query", "name", n.say("name")), n.pos, text.Say("dbt.saved_query"))
	}
	for _, n := range p.exposures {
		n.unread("", note(text.Say("dbt.object_exposure", "name", n.say("name"))))
	}
}
