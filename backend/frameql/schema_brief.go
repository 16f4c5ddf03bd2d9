package frameql

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// Brief is Narrow for a model that fills in a form: measures and what they are split by, conditions on rows, a period, a comparison, an order and the first of it. It has at
// most about that many bytes of grammar: servers hold a reply to a schema by making a grammar of it, and some cut a long one, which then is none (Ollama v0.6.8: 32 KiB). Lists
// of values that are too long for it are left out, the longest first, and then names stay open, which the resolver judges.
func Brief(model *semantic.Model, values func(dimension string) []string, most int) json.RawMessage {
	var raw json.RawMessage
	for listed := most / 2; listed > 0; listed /= 2 {
		n := narrowed(model, values, listed)
		n.brief = true
		if raw = n.document(); grammarOf(raw) <= most {
			return raw
		}
	}
	n := narrowed(model, nil, 0)
	n.brief = true
	for _, list := range []string{"attribute", "cut_time", "member", "time", "metric", "entity"} {
		n.open = append(n.open, list)
		if raw = n.document(); grammarOf(raw) <= most {
			break
		}
	}
	return raw
}

func (n *narrowing) document() json.RawMessage {
	w := schemaWriter{defs: map[string]any{}, model: n}
	return w.document()
}

// briefKeys are what a form of a type may have, beside what it needs, in a brief schema.
var briefKeys = map[reflect.Type][]string{
	reflect.TypeFor[Query](): {"v", "at", "where", "time", "compare", "top", "order", "limit"},
	reflect.TypeFor[Item]():  {},
	reflect.TypeFor[Expr]():  {},
	reflect.TypeFor[Top]():   {"asc"},
}

// briefly leaves out of the forms of a type what a form seldom needs.
func (n *narrowing) briefly(t reflect.Type, all []jsonForm) []jsonForm {
	if !n.brief {
		return all
	}
	var kept []jsonForm
	for _, f := range all {
		switch first := f.needs[0].key; t {
		case reflect.TypeFor[Item]():
			if first != "dim" && first != "metric" {
				continue
			}
		case reflect.TypeFor[Expr]():
			if first != "metric" {
				continue
			}
		case reflect.TypeFor[Pred]():
			if first != "and" && first != "or" && first != "not" && first != "dim" || slices.ContainsFunc(f.needs, func(k jsonKey) bool { return k.key == "expr" || k.key == "val_dim" || k.key == "n" }) {
				continue
			}
		}
		if keys, cut := briefKeys[t]; cut {
			for _, k := range f.may {
				if !slices.Contains(keys, k.key) {
					f = f.without(k.key)
				}
			}
		}
		kept = append(kept, f)
	}
	return kept
}

// grammarOf estimates how many bytes of grammar a server makes of a schema: a rule for each key, and one for each way to leave it out; and a word of each list.
func grammarOf(raw json.RawMessage) int {
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return 0 // it was just written
	}
	return grammarUnder(doc, 12)
}

func grammarUnder(schema any, name int) int {
	bytes := 0
	switch s := schema.(type) {
	case []any:
		for _, one := range s {
			bytes += grammarUnder(one, name+4) + name + 10
		}
	case map[string]any:
		if words, ok := s["enum"].([]any); ok {
			for _, w := range words {
				word, _ := w.(string)
				bytes += len(word) + 2*strings.Count(word, `"`) + 12
			}
		}
		if keys, ok := s["properties"].(map[string]any); ok {
			required, _ := s["required"].([]any)
			for key, one := range keys {
				bytes += 2*(name+len(key)) + 3*len(key) + 45 + grammarUnder(one, name+len(key))
				if !slices.Contains(required, any(key)) {
					bytes += 3*(name+len(key)) + 40
				}
			}
			bytes += name + 30
		}
		for _, key := range []string{"oneOf", "anyOf", "items"} {
			if one, there := s[key]; there {
				bytes += grammarUnder(one, name+4) + 30
			}
		}
		if pattern, ok := s["pattern"].(string); ok {
			bytes += 6 * len(pattern)
		}
		if _, bound := s["maximum"]; bound {
			bytes += 950
		}
		if defs, ok := s["$defs"].(map[string]any); ok {
			for key, one := range defs {
				bytes += len(key) + 10 + grammarUnder(one, len(key))
			}
		}
	}
	return bytes
}
