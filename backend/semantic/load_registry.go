package semantic

import (
	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

func (r *reading) registry(m *Model, file string, n ast.Node) {
	f, ok := r.mapping(file, "", n, "model_version", "owners", "freshness", "generated_from", "sources", "exposures", "project", "imported")
	if !ok {
		return
	}
	m.Registry = Registry{ModelVersion: f.text("model_version"), GeneratedFrom: f.text("generated_from")}
	if fresh := f.freshness(); fresh != nil {
		m.Registry.Freshness = *fresh
	}
	for _, o := range f.items("owners") {
		if s, ok := r.mapping(file, "", o, "name", "response_hours"); ok {
			m.Registry.Owners = append(m.Registry.Owners, Owner{Name: s.required("name"), ResponseHours: s.integer("response_hours")})
		}
	}
	for _, o := range f.items("sources") {
		if s, ok := r.mapping(file, "", o, "name", "table", "description", "loader", "loaded_at", "warn_after", "error_after", "tags"); ok {
			m.Registry.Sources = append(m.Registry.Sources, Origin{
				Name: s.required("name"), Table: s.text("table"), Description: s.text("description"), Loader: s.text("loader"),
				LoadedAt: s.text("loaded_at"), WarnAfter: s.span("warn_after"), ErrorAfter: s.span("error_after"), Tags: s.texts("tags"),
			})
		}
	}
	for _, x := range f.items("exposures") {
		if s, ok := r.mapping(file, "", x, "name", "label", "kind", "maturity", "url", "description", "owner", "uses", "tags"); ok {
			m.Registry.Exposures = append(m.Registry.Exposures, Exposure{
				Name: s.required("name"), Label: s.text("label"), Kind: s.text("kind"), Maturity: s.choice("maturity", "high", "medium", "low"),
				URL: s.text("url"), Description: s.text("description"), Owner: s.owner(), Uses: s.texts("uses"), Tags: s.texts("tags"),
			})
		}
	}
	for _, x := range f.items("project") {
		if s, ok := r.mapping(file, "", x, "metric", "measure", "label", "description", "says", "left_out", "place"); ok {
			stated := Stated{Kind: "measure", Name: s.text("measure"), Label: s.text("label"), Description: s.text("description"), Says: s.text("says"), LeftOut: s.text("left_out"), Place: s.text("place")}
			if stated.Name == "" {
				stated.Kind, stated.Name = "metric", s.required("metric")
			}
			m.Registry.Project = append(m.Registry.Project, stated)
		}
	}
	if _, files := f.pairs("imported"); len(files) > 0 {
		m.Registry.Imported = files
	}
}

// span reads a number of units ("7 day"); nil when the key is absent.
func (f *fields) span(key string) *Span {
	s := f.text(key)
	if s == "" {
		return nil
	}
	span, ok := parseSpan(s)
	if !ok {
		f.fail(key, text.Say("semantic.bad_span", "key", key, "value", s), text.Say("semantic.bad_span_hint", "key", key))
		return nil
	}
	return &span
}
