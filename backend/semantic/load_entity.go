package semantic

import (
	"slices"

	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

func (r *reading) entity(m *Model, file string, n ast.Node, _ int) {
	f, ok := r.mapping(file, objectName("semantic.object_entity", n, "entity"), n, "entity", "label", "description", "synonyms", "domain", "parent",
		"source", "key", "display", "time", "owner", "freshness", "dimensions", "hierarchies", "tags")
	if !ok {
		return
	}
	e := Entity{
		Name: f.name("entity"), Label: f.text("label"), Description: f.text("description"),
		Synonyms: f.texts("synonyms"), Domain: f.text("domain"), Parent: f.text("parent"), Key: f.texts("key"), Display: f.text("display"), Tags: f.texts("tags"), Pos: f.pos,
	}
	if s := f.sub("source", "table", "sql"); s != nil {
		e.Source = Source{Table: s.text("table"), SQL: s.text("sql")}
		if (e.Source.Table == "") == (e.Source.SQL == "") {
			f.fail("source", text.Say("semantic.bad_source"), text.Say("semantic.bad_source_hint"))
		}
	}
	if t := f.sub("time", "default", "others"); t != nil {
		e.DefaultTime, e.OtherTimes = t.text("default"), t.texts("others")
	}
	e.Owner, e.Freshness = f.owner(), f.freshness()
	for _, d := range f.items("dimensions") {
		var dim Dimension
		var ok bool
		if keep := r.item(func() { dim, ok = r.dimension(file, d) }); !keep {
			r.withhold(file)
			continue
		}
		if ok {
			e.Dimensions = append(e.Dimensions, dim)
		}
	}
	for _, h := range f.items("hierarchies") {
		if s, ok := r.mapping(file, f.object, h, "name", "path"); ok {
			e.Hierarchies = append(e.Hierarchies, Hierarchy{Name: s.name("name"), Path: s.texts("path")})
		}
	}
	m.Entities = append(m.Entities, e)
}

// objectName names an object for messages before it is read ("entity orders"): the text of key with the name that stands
// under field.
func objectName(key string, n ast.Node, field string) string {
	values, _ := mappingValues(n)
	for _, v := range values {
		if k, _ := scalar(v.Key); k == field {
			if s, ok := scalar(v.Value); ok && s != "" {
				return text.Say(key, "name", s)
			}
		}
	}
	return ""
}

func (f *fields) owner() *Owner {
	s := f.sub("owner", "name", "response_hours")
	if s == nil {
		return nil
	}
	return &Owner{Name: s.required("name"), ResponseHours: s.integer("response_hours")}
}

func (f *fields) freshness() *Freshness {
	s := f.sub("freshness", "validated", "every_days")
	if s == nil {
		return nil
	}
	return &Freshness{Validated: s.date("validated"), EveryDays: s.integer("every_days")}
}

// typeNames are the words that a dimension's type may be written with. Only the canonical ones are suggested.
func typeNames() []string {
	return []string{"text", "integer", "decimal", "float", "boolean", "date", "timestamp", "time"}
}

func (r *reading) dimension(file string, n ast.Node) (Dimension, bool) {
	object := objectName("semantic.object_dimension", n, "name")
	f, ok := r.mapping(file, object, n, "name", "label", "description", "synonyms", "type", "column", "expr", "derived_from",
		"map", "default", "values", "unit", "measure", "additive", "identifier", "pii", "time_zone", "granularity", "multi_valued", "confidence_weight", "tests", "tags")
	if !ok {
		return Dimension{}, false
	}
	d := Dimension{
		Name: f.name("name"), Label: f.text("label"), Description: f.text("description"),
		Synonyms: f.texts("synonyms"), Type: Type(f.choice("type", typeNames()...)), Column: f.text("column"),
		Expr: f.text("expr"), DerivedFrom: f.text("derived_from"), Default: f.text("default"), Unit: f.text("unit"),
		Measure: f.boolean("measure"), Identifier: f.boolean("identifier"), PII: f.text("pii"), TimeZone: f.zone("time_zone"),
		Granularity: f.choice("granularity", timeUnits()...), MultiValued: f.boolean("multi_valued"), ConfidenceWeight: f.weight("confidence_weight"),
		Tests: r.tests(f), Tags: f.texts("tags"), Pos: f.pos,
	}
	d.NonAdditive = f.has("additive") && !f.boolean("additive")
	_, d.Map = f.pairs("map")
	if s, ok := scalar(f.nodes["values"]); ok && s == "database" {
		d.FromData = true
	} else {
		d.Values = f.texts("values")
	}
	if d.DerivedFrom != "" && d.Type == "" {
		d.Type = Text
	}
	if d.Type == "" && !f.has("type") {
		f.fail("name", text.Say("semantic.missing_type", "name", d.Name), text.Say("semantic.missing_type_hint"))
	}
	if (d.DerivedFrom != "") != f.has("map") {
		f.fail("name", text.Say("semantic.map_needs_both", "name", d.Name), text.Say("semantic.map_needs_both_hint"))
	}
	ways := 0
	for _, key := range []string{"column", "expr", "derived_from"} {
		if f.text(key) != "" {
			ways++
		}
	}
	if ways > 1 {
		f.fail("name", text.Say("semantic.one_way", "name", d.Name), text.Say("semantic.one_way_hint"))
	}
	return d, true
}

// tests reads the list under "tests": words ("not_null") and mappings of one key ({range: {min: 0}}). Each is kept as
// one canonical line of YAML: "not_null", "range: {min: 0}".
func (r *reading) tests(f *fields) []string {
	var all []string
	for _, n := range f.items("tests") {
		if word, ok := scalar(n); ok {
			if !slices.Contains([]string{"not_null", "unique", "conserved"}, word) {
				f.r.fail(f.pos.File, lineOf(n), f.object, text.Say("semantic.bad_test", "test", word), text.Say("semantic.bad_test_hint"))
				continue
			}
			all = append(all, word)
			continue
		}
		t, ok := r.mapping(f.pos.File, f.object, n, "not_null", "unique", "conserved", "range")
		if !ok {
			continue
		}
		for _, key := range t.keys {
			switch key {
			case "range":
				if s := t.sub("range", "min", "max"); s != nil {
					all = append(all, rangeTest(s))
				}
			case "not_null", "unique", "conserved":
				if t.boolean(key) {
					all = append(all, key)
				}
			}
		}
	}
	return all
}

func rangeTest(s *fields) string {
	low, high := s.number("min"), s.number("max")
	switch {
	case low != nil && high != nil:
		return "range: {min: " + formatNumber(*low) + ", max: " + formatNumber(*high) + "}"
	case low != nil:
		return "range: {min: " + formatNumber(*low) + "}"
	case high != nil:
		return "range: {max: " + formatNumber(*high) + "}"
	}
	s.fail("range", text.Say("semantic.bad_test", "test", "range"), text.Say("semantic.bad_test_hint"))
	return ""
}
