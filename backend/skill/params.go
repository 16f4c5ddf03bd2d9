package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"assay/backend/text"
	"assay/backend/tool"
)

// parameter is one argument of a skill.
type parameter struct {
	name     string
	kind     string // string number integer boolean
	doc      string
	enum     []string
	optional bool
	fallback starlark.Value // of an optional one; nil: the function has its own
}

// parametersOf reads params: a name and its type, "metric": "string", or more of it, "metric": {"type": "string", "doc": "...", "enum": [...], "default": "revenue"}.
func parametersOf(d *starlark.Dict) ([]parameter, error) {
	if d.Len() > mostParams {
		return nil, errors.New(text.Say("skill.params_many", "most", mostParams))
	}
	var all []parameter
	for _, item := range d.Items() {
		key, ok := starlark.AsString(item[0])
		if !ok || !nameForm.MatchString(key) {
			return nil, errors.New(text.Say("skill.param_name", "name", tool.Clean(fmt.Sprint(item[0]), 40)))
		}
		p := parameter{name: key}
		if kind, ok := starlark.AsString(item[1]); ok {
			p.kind = kind
		} else if more, ok := item[1].(*starlark.Dict); ok {
			if err := p.read(more); err != nil {
				return nil, err
			}
		}
		if !slices.Contains([]string{"string", "number", "integer", "boolean"}, p.kind) {
			return nil, errors.New(text.Say("skill.param_type", "name", key))
		}
		all = append(all, p)
	}
	return all, nil
}

func (p *parameter) read(d *starlark.Dict) error {
	for _, item := range d.Items() {
		key, _ := starlark.AsString(item[0])
		word, isText := starlark.AsString(item[1])
		switch key {
		case "type":
			p.kind = word
		case "doc":
			p.doc = tool.Clean(word, 300)
		case "default":
			p.optional, p.fallback = true, item[1]
		case "enum":
			list, ok := item[1].(*starlark.List)
			if !ok {
				return errors.New(text.Say("skill.param_enum", "name", p.name))
			}
			for i := range list.Len() {
				one, ok := starlark.AsString(list.Index(i))
				if !ok || one == "" || strings.Contains(one, ",") {
					return errors.New(text.Say("skill.param_enum", "name", p.name))
				}
				p.enum = append(p.enum, one)
			}
		default:
			return errors.New(text.Say("skill.param_key", "name", p.name, "key", tool.Clean(key, 40)))
		}
		if (key == "type" || key == "doc") && !isText {
			return errors.New(text.Say("skill.param_type", "name", p.name))
		}
	}
	if p.fallback != nil && p.fallback != starlark.None && !p.takes(p.fallback) {
		return errors.New(text.Say("skill.param_default", "name", p.name))
	}
	return nil
}

func (p *parameter) takes(v starlark.Value) bool {
	switch v.(type) {
	case starlark.String:
		return p.kind == "string"
	case starlark.Int:
		return p.kind == "integer" || p.kind == "number"
	case starlark.Float:
		return p.kind == "number"
	case starlark.Bool:
		return p.kind == "boolean"
	}
	return false
}

// structOf makes the type of the arguments, so that they are held to a schema like those of the tools that are built in.
func structOf(params []parameter) reflect.Type {
	var fields []reflect.StructField
	for i, p := range params {
		t := map[string]reflect.Type{
			"string": reflect.TypeFor[string](), "number": reflect.TypeFor[json.Number](), "integer": reflect.TypeFor[int](), "boolean": reflect.TypeFor[bool](),
		}[p.kind]
		name := p.name
		if p.optional {
			name += ",omitempty"
			t = reflect.PointerTo(t) // to tell one that is missing
		}
		tag := fmt.Sprintf(`json:%q`, name)
		if p.doc != "" {
			tag += " doc:" + strconv.Quote(p.doc)
		}
		if p.kind == "string" {
			tag += ` most:"2000"`
		}
		if len(p.enum) > 0 {
			tag += " enum:" + strconv.Quote(strings.Join(p.enum, ","))
		}
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: t, Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

// keywords gives arguments as the function takes them.
func keywords(params []parameter, v reflect.Value) (all []starlark.Tuple) {
	for i, p := range params {
		f := v.Field(i)
		var value starlark.Value
		switch {
		case p.optional && f.IsNil():
			value = p.fallback
		case p.optional:
			f = f.Elem()
		}
		if value == nil {
			switch p.kind {
			case "string":
				value = starlark.String(f.String())
			case "integer":
				value = starlark.MakeInt64(f.Int())
			case "boolean":
				value = starlark.Bool(f.Bool())
			default:
				value = numberOf(json.Number(f.String()))
			}
		}
		all = append(all, starlark.Tuple{starlark.String(p.name), value})
	}
	return all
}

// example gives arguments that fit: defaults, the first of a choice, or something of the type.
func example(params []parameter) string {
	out := map[string]any{}
	for _, p := range params {
		switch {
		case len(p.enum) > 0:
			out[p.name] = p.enum[0]
		case p.fallback != nil && p.fallback != starlark.None:
			out[p.name], _ = plainOf(p.fallback, 0)
		case p.optional:
		case p.kind == "string":
			out[p.name] = "..."
		case p.kind == "boolean":
			out[p.name] = true
		default:
			out[p.name] = 1
		}
	}
	return string(tool.Encode(out))
}
