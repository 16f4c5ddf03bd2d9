package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/backend/frameview"
	"assay/backend/text"
)

// maxArguments bounds the bytes of the arguments of one call.
const maxArguments = 64 << 10

// Arguments are structs whose tags say the rest: json the name (omitempty: it may be missing), doc what it is, enum what it may be,
// min and max of a number, most of the items of a list or of the characters of a text. Types are string, bool, int, json.Number, lists,
// structs, and written.

// written is a query as a mind writes it: text, or an object.
type written struct{ text string }

var (
	numberType  = reflect.TypeFor[json.Number]()
	writtenType = reflect.TypeFor[written]()
)

// schemaOf makes the JSON Schema of a type of arguments.
func schemaOf(t reflect.Type) json.RawMessage {
	var b bytes.Buffer
	writeSchema(&b, t, "")
	return b.Bytes()
}

func writeSchema(b *bytes.Buffer, t reflect.Type, tag reflect.StructTag) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	b.WriteByte('{')
	put := func(key string, value any) {
		if b.Bytes()[b.Len()-1] != '{' {
			b.WriteByte(',')
		}
		raw, err := json.Marshal(value)
		if err != nil {
			panic(err) // texts and numbers
		}
		fmt.Fprintf(b, "%q:%s", key, raw)
	}
	if doc := tag.Get("doc"); doc != "" {
		put("description", doc)
	}
	bound := func(tagged, key string) {
		if n := tag.Get(tagged); n != "" {
			put(key, json.Number(n))
		}
	}
	switch {
	case t == writtenType:
		put("type", []string{"string", "object"})
	case t == numberType:
		put("type", "number")
	case t.Kind() == reflect.String:
		put("type", "string")
		if enum := tag.Get("enum"); enum != "" {
			put("enum", strings.Split(enum, ","))
		}
		bound("most", "maxLength")
	case t.Kind() == reflect.Bool:
		put("type", "boolean")
	case t.Kind() == reflect.Int:
		put("type", "integer")
		bound("min", "minimum")
		bound("max", "maximum")
	case t.Kind() == reflect.Slice:
		put("type", "array")
		bound("least", "minItems")
		bound("most", "maxItems")
		b.WriteString(`,"items":`)
		writeSchema(b, t.Elem(), "")
	case t.Kind() == reflect.Struct:
		put("type", "object")
		writeFields(b, t)
	default:
		panic("no arguments are of type " + t.String())
	}
	b.WriteByte('}')
}

func writeFields(b *bytes.Buffer, t reflect.Type) {
	var required []string
	b.WriteString(`,"properties":{`)
	for i := range t.NumField() {
		name, optional := fieldName(t.Field(i))
		if !optional {
			required = append(required, name)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:", name)
		writeSchema(b, t.Field(i).Type, t.Field(i).Tag)
	}
	b.WriteByte('}')
	if len(required) > 0 {
		raw, err := json.Marshal(required)
		if err != nil {
			panic(err) // texts
		}
		fmt.Fprintf(b, `,"required":%s`, raw)
	}
	b.WriteString(`,"additionalProperties":false`)
}

func fieldName(f reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, strings.Contains(options, "omitempty")
}

// ReadArguments reads arguments into a pointer, or says what is wrong with them and where.
func ReadArguments(raw json.RawMessage, into any) *Problem {
	if len(raw) > maxArguments {
		return &Problem{Kind: "bad_arguments", Message: text.Say("tool.arguments_large", "most", maxArguments)}
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		raw = json.RawMessage("{}")
	}
	tree, err := treeOf(raw)
	if err != nil {
		return &Problem{Kind: "bad_arguments", Message: text.Say("tool.arguments_no_json", "reason", clean(err.Error(), longestText))}
	}
	return place(reflect.ValueOf(into).Elem(), tree, "", "")
}

// treeOf decodes JSON strictly: numbers keep their digits, a name stands once in an object, and nothing follows the value.
func treeOf(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	tree, err := branch(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New(text.Say("tool.json_more"))
	}
	return tree, nil
}

func branch(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			if _, twice := object[name]; twice {
				return nil, errors.New(text.Say("tool.json_twice", "name", clean(name, longestName)))
			}
			if object[name], err = branch(dec); err != nil {
				return nil, err
			}
		}
		_, err := dec.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			one, err := branch(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
}

// place puts a decoded value where its type says.
func place(v reflect.Value, x any, tag reflect.StructTag, path string) *Problem {
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		v.Set(reflect.New(t.Elem()))
		return place(v.Elem(), x, tag, path)
	}
	switch {
	case t == writtenType:
		return placeWritten(v, x, path)
	case t == numberType:
		n, ok := x.(json.Number)
		if !ok {
			return wrongType(path, "number", x)
		}
		v.SetString(string(n))
	case t.Kind() == reflect.String:
		s, ok := x.(string)
		if !ok {
			return wrongType(path, "string", x)
		}
		if enum := tag.Get("enum"); enum != "" && !slices.Contains(strings.Split(enum, ","), s) {
			return wrong(path, text.Say("tool.argument_choice", "field", path, "choices", strings.ReplaceAll(enum, ",", ", ")))
		}
		if most, err := strconv.Atoi(tag.Get("most")); err == nil && utf8.RuneCountInString(s) > most {
			return wrong(path, text.Say("tool.argument_long", "field", path, "most", most))
		}
		v.SetString(s)
	case t.Kind() == reflect.Bool:
		is, ok := x.(bool)
		if !ok {
			return wrongType(path, "boolean", x)
		}
		v.SetBool(is)
	case t.Kind() == reflect.Int:
		return placeInt(v, x, tag, path)
	case t.Kind() == reflect.Slice:
		return placeList(v, x, tag, path)
	default:
		return placeFields(v, x, path)
	}
	return nil
}

func placeWritten(v reflect.Value, x any, path string) *Problem {
	switch x := x.(type) {
	case string:
		v.Set(reflect.ValueOf(written{x}))
	case map[string]any:
		raw, err := json.Marshal(x)
		if err != nil {
			return wrongType(path, "string", x)
		}
		v.Set(reflect.ValueOf(written{string(raw)}))
	default:
		return wrongType(path, "string", x)
	}
	return nil
}

// placeInt reads a whole number, also where it is written 10.0 or 1e1.
func placeInt(v reflect.Value, x any, tag reflect.StructTag, path string) *Problem {
	n, ok := x.(json.Number)
	if !ok {
		return wrongType(path, "integer", x)
	}
	if len(n) > 20 {
		return wrongType(path, "integer", x)
	}
	whole, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil {
		f, err := n.Float64()
		if err != nil || f != float64(int64(f)) {
			return wrongType(path, "integer", x)
		}
		whole = int64(f)
	}
	least, errLeast := strconv.ParseInt(tag.Get("min"), 10, 64)
	most, errMost := strconv.ParseInt(tag.Get("max"), 10, 64)
	if errLeast == nil && whole < least || errMost == nil && whole > most {
		return wrong(path, text.Say("tool.argument_range", "field", path, "least", tag.Get("min"), "most", tag.Get("max")))
	}
	v.SetInt(whole)
	return nil
}

func placeList(v reflect.Value, x any, tag reflect.StructTag, path string) *Problem {
	list, ok := x.([]any)
	if !ok {
		return wrongType(path, "array", x)
	}
	if most, err := strconv.Atoi(tag.Get("most")); err == nil && len(list) > most {
		return wrong(path, text.Say("tool.argument_many", "field", path, "most", most))
	}
	if least, err := strconv.Atoi(tag.Get("least")); err == nil && len(list) < least {
		return wrong(path, text.Say("tool.argument_few", "field", path, "least", least))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, one := range list {
		if p := place(v.Index(i), one, "", fmt.Sprintf("%s[%d]", path, i)); p != nil {
			return p
		}
	}
	return nil
}

func placeFields(v reflect.Value, x any, path string) *Problem {
	object, ok := x.(map[string]any)
	if !ok {
		return wrongType(path, "object", x)
	}
	inside := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	var known []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, optional := fieldName(f)
		known = append(known, name)
		value, there := object[name]
		switch {
		case there && value != nil:
			if p := place(v.Field(i), value, f.Tag, inside(name)); p != nil {
				return p
			}
		case !optional:
			return wrong(inside(name), text.Say("tool.argument_missing", "field", inside(name)))
		}
	}
	var others []string
	for name := range object {
		if !slices.Contains(known, name) {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		slices.Sort(others)
		p := wrong(inside(others[0]), text.Say("tool.argument_unknown", "field", clean(inside(others[0]), longestText)))
		p.Available = known
		return p
	}
	return nil
}

func wrong(path, message string) *Problem {
	return &Problem{Kind: "bad_arguments", Message: message, Name: clean(path, longestName)}
}

func wrongType(path, want string, got any) *Problem {
	if path == "" {
		return wrong(path, text.Say("tool.arguments_no_object"))
	}
	return wrong(path, text.Say("tool.argument_type", "field", path, "want", want, "got", kindOf(got)))
}

func kindOf(x any) string {
	switch x.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// rat reads a number of arguments exactly. false: it has more digits than anybody means.
func rat(n json.Number) (*big.Rat, bool) {
	if len(n) > 60 {
		return nil, false
	}
	return frameview.Number(n)
}
