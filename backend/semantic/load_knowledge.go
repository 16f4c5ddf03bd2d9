package semantic

import (
	"strconv"

	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

// joinPaths reads join-paths/*.yaml: the edges that leave one entity.
func (r *reading) joinPaths(m *Model, file string, n ast.Node, _ int) {
	f, ok := r.mapping(file, objectName("semantic.object_joins", n, "from"), n, "from", "joins")
	if !ok {
		return
	}
	from := f.name("from")
	for _, item := range f.items("joins") {
		var j Join
		var ok bool
		if keep := r.item(func() { j, ok = r.join(file, f.object, from, item) }); keep && ok {
			m.Joins = append(m.Joins, j)
		}
	}
}

func (r *reading) join(file, object, from string, n ast.Node) (Join, bool) {
	s, ok := r.mapping(file, object, n, "to", "on", "cardinality", "role", "total")
	if !ok {
		return Join{}, false
	}
	j := Join{
		From: from, To: s.name("to"), Cardinality: s.choice("cardinality", ManyToOne, OneToOne, ManyToMany),
		Role: s.text("role"), Total: s.boolean("total"), Pos: s.pos,
	}
	if j.Role != "" && !IsName(j.Role) {
		s.fail("role", text.Say("semantic.bad_name", "name", j.Role), text.Say("semantic.bad_name_hint"))
	}
	left, right := s.pairs("on")
	for _, name := range left {
		j.On = append(j.On, ColumnPair{From: name, To: right[name]})
	}
	if len(j.On) == 0 {
		s.fail("on", text.Say("semantic.missing_key", "key", "on"), text.Say("semantic.missing_on_hint"))
	}
	return j, true
}

func (r *reading) gotcha(m *Model, file string, n ast.Node, _ int) {
	f, ok := r.mapping(file, objectName("semantic.object_gotcha", n, "gotcha"), n, "gotcha", "applies_to", "severity", "statement", "check")
	if !ok {
		return
	}
	g := Gotcha{
		Name: f.required("gotcha"), AppliesTo: f.texts("applies_to"),
		Severity: f.choice("severity", "info", "caution", "critical"), Statement: f.required("statement"), Pos: f.pos,
	}
	if c := f.sub("check", "query", "expect"); c != nil {
		g.CheckQL, g.Expect = c.required("query"), c.required("expect")
	}
	m.Gotchas = append(m.Gotchas, g)
}

// golden reads golden/*.yaml. The file's name names the query.
func (r *reading) golden(m *Model, file string, n ast.Node, i int) {
	name := stem(file)
	if i > 0 {
		name += "-" + strconv.Itoa(i+1)
	}
	f, ok := r.mapping(file, text.Say("semantic.object_golden", "name", name), n, "question", "frame_ql", "sql", "parameters", "verified")
	if !ok {
		return
	}
	g := Golden{Name: name, Question: f.required("question"), FrameQL: f.text("frame_ql"), SQL: f.text("sql"), Pos: f.pos}
	if (g.FrameQL == "") == (g.SQL == "") {
		f.fail("question", text.Say("semantic.golden_one_query", "name", name), text.Say("semantic.golden_one_query_hint"))
	}
	if v := f.sub("verified", "by", "at", "epoch"); v != nil {
		g.VerifiedBy, g.VerifiedAt, g.Epoch = v.required("by"), v.date("at"), v.text("epoch")
	}
	if n, ok := f.nodes["parameters"]; ok {
		if p, ok := r.openMapping(file, f.object, n); ok {
			for _, key := range p.keys {
				g.Parameters = append(g.Parameters, r.parameter(p, key))
			}
		}
	}
	m.Golden = append(m.Golden, g)
}

// term reads terms/*.yaml. The file's name names the term.
func (r *reading) term(m *Model, file string, n ast.Node, i int) {
	name := stem(file)
	if i > 0 {
		name += "-" + strconv.Itoa(i+1)
	}
	f, ok := r.mapping(file, text.Say("semantic.object_term", "name", name), n, "term", "means", "why", "approved")
	if !ok {
		return
	}
	t := Term{Name: name, Term: f.required("term"), Means: f.required("means"), Why: f.text("why"), Pos: f.pos}
	if a := f.sub("approved", "by", "at", "self_reviewed"); a != nil {
		t.ApprovedBy, t.ApprovedAt, t.SelfReviewed = a.required("by"), a.date("at"), a.boolean("self_reviewed")
	}
	m.Terms = append(m.Terms, t)
}

func (r *reading) parameter(all *fields, name string) Parameter {
	p := Parameter{Name: name, Weight: 1}
	if !IsName(name) {
		all.fail(name, text.Say("semantic.bad_name", "name", name), text.Say("semantic.bad_name_hint"))
	}
	f := all.sub(name, "type", "default", "confidence_weight", "validation", "allowed_values", "allowed_values_source", "table", "column")
	if f == nil {
		return p
	}
	p.Type, p.Default, p.Values = f.choice("type", "period", "int", "value"), f.text("default"), f.texts("allowed_values")
	if p.Type == "" && !f.has("type") {
		f.fail("type", text.Say("semantic.missing_key", "key", "type"), text.Say("semantic.parameter_type_hint"))
	}
	if w := f.weight("confidence_weight"); w != nil {
		p.Weight = *w
	}
	if v := f.sub("validation", "min", "max"); v != nil {
		p.Min, p.Max = v.number("min"), v.number("max")
		if p.Min != nil && p.Max != nil && *p.Min > *p.Max {
			f.fail("validation", text.Say("semantic.bad_bounds"), text.Say("semantic.bad_bounds_hint"))
		}
	}
	source := f.choice("allowed_values_source", "database", "list")
	p.Table, p.Column = f.text("table"), f.text("column")
	switch {
	case source == "database" && f.has("allowed_values"):
		f.fail("allowed_values", text.Say("semantic.values_twice", "name", name), text.Say("semantic.values_twice_hint"))
	case source == "database" && (p.Table == "" || p.Column == ""):
		f.fail("allowed_values_source", text.Say("semantic.values_where", "name", name), text.Say("semantic.values_where_hint"))
	case source != "database" && (p.Table != "" || p.Column != ""):
		f.fail("table", text.Say("semantic.values_source_missing", "name", name), text.Say("semantic.values_source_missing_hint"))
	}
	return p
}
