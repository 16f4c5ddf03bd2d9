package frameql

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"assay/backend/text"
)

// Schema gives the JSON Schema (draft 2020-12) of the JSON form, made from the types of a query. Whatever ParseJSON
// accepts with its words in lower case is valid; what only a calendar or a model can tell is left to them. See Narrow for
// the schema of one model.
func Schema() json.RawMessage {
	w := schemaWriter{defs: map[string]any{}}
	return w.document()
}

// schemaWriter writes the schema. Every type, at every place where it means something else, is one entry of $defs; so is
// every kind of name, which is what a model narrows.
type schemaWriter struct {
	defs  map[string]any
	model *narrowing // nil: any model
}

// nameDefs are the kinds of name and of literal that a key may hold, by the tag "ql", with their schema for any model.
var nameDefs = map[string]object{
	"label":   {{"type", "string"}, {"minLength", 1}},
	"metric":  {{"type", "string"}, {"minLength", 1}},
	"column":  {{"type", "string"}, {"minLength", 1}},
	"dim":     {{"type", "string"}, {"minLength", 1}},
	"time":    {{"type", "string"}, {"minLength", 1}},
	"entity":  {{"type", "string"}, {"minLength", 1}},
	"out":     {{"type", "string"}, {"minLength", 1}},
	"unit":    {{"type", "string"}, {"minLength", 1}},
	"cut":     {{"type", "string"}, {"minLength", 1}},
	"number":  {{"type", "number"}},
	"value":   {{"type", []any{"string", "number", "boolean", "null"}}},
	"literal": {{"type", "string"}, {"pattern", `^([0-9]{4}(-[Qq][1-4]|-[0-9]{2}(-[0-9]{2})?)?|[Ff][Yy][0-9]{4}(-[Qq][1-4])?)$`}},
	"moment":  {{"type", "string"}, {"pattern", `^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?$`}},
	"options": {{"type", "object"}, {"additionalProperties", object{{"$ref", "#/$defs/value"}}}},
}

func (w *schemaWriter) document() json.RawMessage {
	top := w.written(reflect.TypeFor[Query](), roleNone)
	doc := object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Frame-QL"}, {"description", text.Say("frameql.about_query")}}
	doc = append(doc, top...)
	names := make([]string, 0, len(w.defs))
	for name := range w.defs {
		names = append(names, name)
	}
	slices.Sort(names)
	var defs object
	for _, name := range names {
		defs.add(name, w.defs[name], true)
	}
	doc.add("$defs", defs, true)
	raw, err := plainJSON(doc)
	if err != nil {
		return nil // strings, numbers and lists always have a JSON form
	}
	return raw
}

// ref gives a reference to an entry, which is written when it is first asked for.
func (w *schemaWriter) ref(name string, write func() any) object {
	if _, there := w.defs[name]; !there {
		w.defs[name] = nil // it may hold itself
		w.defs[name] = write()
	}
	return object{{"$ref", "#/$defs/" + name}}
}

// name gives a reference to a kind of name or literal.
func (w *schemaWriter) name(kind string) object {
	return w.ref(kind, func() any {
		switch {
		case w.model == nil:
			return w.described(kind, nameDefs[kind])
		case kind == "options":
			return w.described(kind, w.model.options())
		case w.model.unions[kind] != nil:
			return w.described(kind, w.union(w.model.unions[kind]))
		case w.model.lists[kind] != nil:
			return w.described(kind, w.model.choice(kind))
		default: // a model narrows nothing here
			return w.described(kind, nameDefs[kind])
		}
	})
}

func (w *schemaWriter) described(kind string, schema object) object {
	return append(object{{"description", text.Say("frameql.about_" + kind)}}, schema...)
}

// object gives a reference to a type at a place.
func (w *schemaWriter) object(t reflect.Type, r jsonRole) object {
	name := strings.ToLower(t.Name())
	if r != roleNone {
		name = string(r) + "-" + name // makers of grammars lose a name with another mark where it holds itself
	}
	return w.ref(name, func() any { return w.described(strings.ToLower(t.Name()), w.written(t, r)) })
}

// written writes a type: one object, or one for each of its forms.
func (w *schemaWriter) written(t reflect.Type, r jsonRole) object {
	at := r
	if at == roleRow {
		at = roleNone
	}
	s := shapes()[jsonPlace{t, at}]
	forms := s.forms
	if w.model != nil {
		forms = w.model.forms(t, r, forms)
	}
	if len(forms) == 1 {
		return w.form(t, s, forms[0], r)
	}
	var all []any
	for _, f := range forms {
		all = append(all, w.form(t, s, f, r))
	}
	return object{{"oneOf", all}}
}

func (w *schemaWriter) form(t reflect.Type, s jsonShape, f jsonForm, r jsonRole) object {
	var properties object
	for _, k := range slices.Concat(f.needs, f.may) {
		field := s.fields[slices.Index(s.keys, k.key)]
		schema := w.value(field, k, w.under(f, field, r))
		if t == reflect.TypeFor[Query]() {
			schema = append(object{{"description", text.Say("frameql.about_query_" + k.key)}}, schema...)
		}
		properties.add(k.key, schema, true)
	}
	var required []any
	for _, k := range f.needs {
		required = append(required, k.key)
	}
	schema := object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
	if t == reflect.TypeFor[Query]() {
		schema.add("dependentRequired", object{{"offset", []any{"limit"}}}, true)
	}
	return schema
}

// under gives the role of what stands under a key: inside a reducer an expression may name columns.
func (w *schemaWriter) under(f jsonForm, field jsonField, r jsonRole) jsonRole {
	switch {
	case field.key == "of" && f.needs[0].key == "reduce":
		return roleRow
	case field.key == "of" || field.key == "args" || field.key == "metric" || field.key == "val_dim":
		return r
	default:
		return field.under(r)
	}
}

// value writes what stands under a key.
func (w *schemaWriter) value(f jsonField, k jsonKey, r jsonRole) object {
	list := func(items object, least, most int) object {
		s := object{{"type", "array"}, {"items", items}}
		s.add("minItems", least, least > 0)
		s.add("maxItems", most, most > 0)
		return s
	}
	one := func() object { return w.value(jsonField{key: f.key, typ: reflect.TypeFor[*Expr]()}, jsonKey{}, r) }
	switch k.shape {
	case "list":
		if k.narrowed != "" {
			return list(w.listed(k.narrowed), 1, 0)
		}
		return list(w.name("value"), 1, 0)
	case "pair":
		return list(w.name("value"), 2, 2)
	case "text":
		return object{{"type", "string"}}
	case "many":
		return list(one(), 2, 0)
	case "only":
		return list(one(), 1, 1)
	}
	if f.key == "ignoring" {
		return object{{"oneOf", []any{object{{"const", "filters"}}, list(w.name("dim"), 1, 0)}}}
	}
	if k.words != nil {
		return enum(k.words)
	}
	if k.narrowed != "" {
		return w.listed(k.narrowed)
	}
	t := f.typ
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[Dim]():
		switch {
		case f.what == "time":
			return w.name("time")
		case r == roleHaving: // a column of the result
			return w.name("out")
		}
		return w.name("dim")
	case reflect.TypeFor[Value]():
		return w.name("value")
	case reflect.TypeFor[[]Option]():
		return w.name("options")
	case reflect.TypeFor[Grain]():
		return w.ref("grain_list", func() any {
			return object{{"oneOf", []any{list(w.name("dim"), 0, 0), w.object(t, roleNone)}}}
		})
	}
	switch t.Kind() {
	case reflect.Slice:
		least := 0
		if f.what == "some" {
			least = 1
		}
		f.typ = t.Elem()
		return list(w.value(f, jsonKey{}, r), least, 0)
	case reflect.Struct:
		return w.object(t, r)
	case reflect.Bool:
		if f.what == "true" {
			return object{{"const", true}}
		}
		return object{{"type", "boolean"}}
	case reflect.Int:
		if f.what == "const:1" {
			return object{{"const", 1}}
		}
		bound := strings.TrimPrefix(f.what, "min:")
		s := object{{"type", "integer"}, {"minimum", json.Number(bound)}}
		s.add("maximum", maxInteger, w.model == nil || !w.model.brief)
		return s
	}
	if words := f.words(); words != nil {
		return enum(words)
	}
	if f.what == "metric" && r == roleRow {
		return w.name("column")
	}
	if f.what == "grain" {
		return w.name("cut")
	}
	return w.name(f.what)
}

// listed gives a reference to a list of the model, or to what several lists hold together.
func (w *schemaWriter) listed(name string) object {
	return w.ref(name, func() any {
		if parts := w.model.unions[name]; parts != nil {
			return w.union(parts)
		}
		return w.model.choice(name)
	})
}

func (w *schemaWriter) union(parts []string) object {
	var all []any
	for _, part := range parts {
		if len(w.model.lists[part]) > 0 {
			all = append(all, w.listed(part))
		}
	}
	if len(all) == 0 {
		return object{{"not", object{}}}
	}
	return object{{"anyOf", all}}
}

func enum(words []string) object {
	if len(words) == 1 {
		return object{{"const", words[0]}}
	}
	return object{{"enum", listOf(words)}}
}
