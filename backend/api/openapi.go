package api

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// OpenAPI gives the description of the routes as JSON. The page's types are generated from it.
func (s *Server) OpenAPI() ([]byte, error) {
	doc := s.api.OpenAPI()
	for name, schema := range doc.Components.Schemas.Map() {
		t := doc.Components.Schemas.TypeFromRef("#/components/schemas/" + name)
		if t != nil {
			tellNulls(schema, t)
		}
	}
	return json.MarshalIndent(doc, "", " ")
}

// emptyIsNull are the text fields that are written as null when there is nothing to say.
var emptyIsNull = map[string]bool{
	"Column.unit": true, "Column.grain": true, "Column.metric": true, "Column.dimension": true, "Column.additivity": true,
	"Column.served_from": true, "Column.format": true,
}

// tellNulls makes the description say what the answers hold: a pointer may be null, a list never is.
func tellNulls(schema *huma.Schema, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			tellNulls(schema, field.Type)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := schema.Properties[name]
		if property == nil || strings.Contains(options, "omitempty") {
			continue
		}
		switch {
		case field.Type.Kind() == reflect.Slice && property.Type == huma.TypeArray:
			property.Nullable = false
		case field.Type == reflect.TypeFor[json.RawMessage]():
			schema.Properties[name] = &huma.Schema{}
		case field.Type.Kind() == reflect.Pointer || emptyIsNull[t.Name()+"."+name]:
			schema.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{property, {Type: "null"}}}
		}
	}
}
