package semantic

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"assay/backend/text"
)

// Change is one object that differs between two models.
type Change struct {
	Kind   string        `json:"kind"`             // added | removed | changed
	Object string        `json:"object"`           // "metric revenue", "dimension orders.status"
	Fields []FieldChange `json:"fields,omitempty"` // of a changed object: the fields that differ
}

// FieldChange is one field of an object that differs.
type FieldChange struct {
	Field  string `json:"field"`  // as the files of the context layer name it, nearly: default_time
	Before string `json:"before"` // as JSON when it is no plain text; empty: not there
	After  string `json:"after"`
}

// Diff compares two models object by object: what b has, lacks or says otherwise than a. Where an object was read, and
// on what an inferred one rests, makes no difference. The order is that of the kinds of object, then of names.
func Diff(a, b *Model) []Change {
	var changes []Change
	compare := func(before, after []named) {
		for _, o := range before {
			i := slices.IndexFunc(after, func(x named) bool { return x.object == o.object })
			if i < 0 {
				changes = append(changes, Change{Kind: "removed", Object: o.object})
			} else if fields := differing(o.value, after[i].value); len(fields) > 0 {
				changes = append(changes, Change{Kind: "changed", Object: o.object, Fields: fields})
			}
		}
		for _, o := range after {
			if !slices.ContainsFunc(before, func(x named) bool { return x.object == o.object }) {
				changes = append(changes, Change{Kind: "added", Object: o.object})
			}
		}
	}
	for _, kind := range objectKinds {
		compare(kind(a), kind(b))
	}
	return changes
}

// named is one object under its name for people.
type named struct {
	object string
	value  any
}

var objectKinds = []func(*Model) []named{
	func(m *Model) []named {
		return []named{{text.Say("semantic.object_workspace"), m.Workspace}, {text.Say("semantic.object_registry"), m.Registry}}
	},
	func(m *Model) (all []named) {
		for _, c := range m.Calendars {
			all = append(all, named{text.Say("semantic.object_calendar", "name", c.Name), c})
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, e := range m.Entities {
			own := e
			own.Dimensions = nil
			all = append(all, named{text.Say("semantic.object_entity", "name", e.Name), own})
			for _, d := range e.Dimensions {
				all = append(all, named{text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name), d})
			}
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, j := range m.Joins {
			name := j.From + " -> " + j.To
			if j.Role != "" {
				name += " (" + j.Role + ")"
			}
			all = append(all, named{text.Say("semantic.object_join", "name", name), j})
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, x := range m.Metrics {
			all = append(all, named{text.Say("semantic.object_metric", "name", x.Name), x})
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, g := range m.Gotchas {
			all = append(all, named{text.Say("semantic.object_gotcha", "name", g.Name), g})
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, g := range m.Golden {
			all = append(all, named{text.Say("semantic.object_golden", "name", g.Name), g})
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, t := range m.Terms {
			all = append(all, named{text.Say("semantic.object_term", "name", t.Name), t})
		}
		return all
	},
	func(m *Model) (all []named) {
		for _, g := range m.Guides {
			all = append(all, named{text.Say("semantic.object_guide", "name", g.Name), g})
		}
		for _, g := range m.Business {
			all = append(all, named{text.Say("semantic.object_business", "name", g.Name), g})
		}
		for _, g := range m.Memos {
			all = append(all, named{text.Say("semantic.object_memo", "name", g.Level), g})
		}
		return all
	},
}

// differing names the fields in which two values of the same struct differ.
func differing(a, b any) []FieldChange {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	var fields []FieldChange
	for i := range va.NumField() {
		switch name := va.Type().Field(i).Name; name {
		case "Pos", "Basis", "Attested", "Misfit", "Buckets", "Imported", "Project":
		default:
			if !sameValue(va.Field(i), vb.Field(i)) {
				fields = append(fields, FieldChange{Field: strings.Join(camelWords(name), "_"), Before: shown(va.Field(i)), After: shown(vb.Field(i))})
			}
		}
	}
	return fields
}

// shown writes a value of a field for people: texts as they are, everything else as JSON; nothing for what is not there.
func shown(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0:
		return ""
	}
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return err.Error() // plain structs of strings and numbers always marshal
	}
	return string(raw)
}

// sameValue compares deeply; an empty list or map equals a missing one.
func sameValue(a, b reflect.Value) bool {
	if k := a.Kind(); (k == reflect.Slice || k == reflect.Map) && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
