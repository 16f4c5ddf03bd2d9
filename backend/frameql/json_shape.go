package frameql

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// This file says what the JSON form looks like, once: the decoder checks it and the JSON Schema is written from it.

// jsonForm is one way to write an object: keys that must stand there, and keys that may. A key may be bound to some words
// ("op=in,not_in") and a value to a shape ("val:list").
type jsonForm struct{ needs, may []jsonKey }

type jsonKey struct {
	key   string
	words []string // of a key with few words; empty: any
	shape string   // of "val": one, list, pair, text; of "args": only, many; empty: as its type says
	// narrowed names the list of a model that the value is one of, in a schema; empty: none
	narrowed string
}

// forms reads "needs; may" lines.
func forms(lines ...string) []jsonForm {
	var all []jsonForm
	for _, line := range lines {
		needs, may, _ := strings.Cut(line, ";")
		all = append(all, jsonForm{needs: jsonKeys(needs), may: jsonKeys(may)})
	}
	return all
}

func jsonKeys(words string) []jsonKey {
	var keys []jsonKey
	for _, w := range strings.Fields(words) {
		var k jsonKey
		k.key, k.shape, _ = strings.Cut(w, ":")
		if key, list, bound := strings.Cut(w, "="); bound {
			k = jsonKey{key: key, words: strings.Split(list, ",")}
		}
		keys = append(keys, k)
	}
	return keys
}

// jsonRole says where a predicate or an expression stands: what it may be depends on it.
type jsonRole string

const (
	roleNone   jsonRole = ""
	roleWhere  jsonRole = "where"  // a predicate over rows
	roleHaving jsonRole = "having" // a predicate over the result
	roleRow    jsonRole = "row"    // an expression inside a reducer: it may name columns
)

// jsonShape is how a type is written at a place.
type jsonShape struct {
	fields []jsonField
	keys   []string // of fields
	forms  []jsonForm
}

type jsonPlace struct {
	typ  reflect.Type
	role jsonRole
}

// shapes holds the shape of every type; it is made when it is first asked for and never changes.
var shapes = sync.OnceValue(func() map[jsonPlace]jsonShape {
	all := map[jsonPlace]jsonShape{}
	for _, t := range []reflect.Type{
		reflect.TypeFor[Query](), reflect.TypeFor[Def](), reflect.TypeFor[Item](), reflect.TypeFor[Expr](), reflect.TypeFor[Grain](),
		reflect.TypeFor[Pred](), reflect.TypeFor[During](), reflect.TypeFor[Period](), reflect.TypeFor[Comparand](),
		reflect.TypeFor[Top](), reflect.TypeFor[Key](), reflect.TypeFor[Order](),
	} {
		for _, r := range []jsonRole{roleNone, roleWhere, roleHaving} {
			s := jsonShape{fields: fieldsOf(t), forms: formsOf(t, r)}
			for _, f := range s.fields {
				s.keys = append(s.keys, f.key)
			}
			all[jsonPlace{t, r}] = s
		}
	}
	return all
})

// formsOf gives the ways to write a type.
func formsOf(t reflect.Type, r jsonRole) []jsonForm {
	switch t {
	case reflect.TypeFor[Query]():
		return forms("select; v explain with at from where time compare having top fill totals order limit offset options")
	case reflect.TypeFor[Def]():
		return forms("name expr")
	case reflect.TypeFor[Item]():
		all := forms("dim; grain as")
		for _, f := range formsOf(reflect.TypeFor[Expr](), roleNone) {
			all = append(all, jsonForm{f.needs, append(f.may, jsonKey{key: "as"})})
		}
		return all
	case reflect.TypeFor[Expr]():
		return forms("num; at", "metric; at filter", "reduce of; distinct params at filter", "reduce star; distinct params at filter",
			"fn of; params unit at filter", "op=+,-,*,/ args:many; at", "op=at args:only at")
	case reflect.TypeFor[Grain]():
		return forms("dims; ignoring")
	case reflect.TypeFor[Pred]():
		return predForms(r)
	case reflect.TypeFor[During]():
		return forms("period; on")
	case reflect.TypeFor[Period]():
		return forms("kind=literal value", "kind=last n unit; including_current", "kind=this unit; to_date", "kind=previous unit",
			"kind=range from; to", "kind=between from to", "kind=all_time,today,yesterday,ytd,qtd,mtd,wtd")
	case reflect.TypeFor[Comparand]():
		return forms("kind=previous_period", "kind=previous,same_period_last unit", "kind=during period", "kind=target metric")
	case reflect.TypeFor[Top]():
		return forms("n dim by; asc per other")
	case reflect.TypeFor[Key]():
		return forms("out", "expr")
	case reflect.TypeFor[Order]():
		return forms("out; dir", "expr; dir")
	}
	return nil
}

// predForms are the connectives, the quantifier, and each operator with its operand for each left side.
func predForms(r jsonRole) []jsonForm {
	all := forms("and", "or", "not", "quant entity; pred")
	lefts := []string{"dim; grain", "left;"}
	if r == roleHaving {
		lefts = []string{"out;", "left;", "dim; grain"}
	}
	for _, left := range lefts {
		subject, may, _ := strings.Cut(left, ";")
		for _, test := range []string{
			"op=eq,ne,lt,le,gt,ge val:one", "op=eq,ne,lt,le,gt,ge val_dim", "op=eq,ne,lt,le,gt,ge expr",
			"op=in,not_in val:list", "op=between,not_between val:pair",
			"op=like,not_like,contains,not_contains,starts_with,not_starts_with val:text", "op=is_null,not_null", "op=in_top n expr",
		} {
			if r != roleHaving && subject == "left" && strings.HasPrefix(test, "op=in_top") {
				continue
			}
			all = append(all, forms(subject+" "+test+"; "+may)...)
		}
	}
	return all
}

// jsonField is one key of the JSON form and where its value goes.
type jsonField struct {
	key   string
	what  string // the tag "ql": what the value is
	index []int  // of reflect
	typ   reflect.Type
}

// fieldsOf gives the keys of a type in order. The keys of an Item are those of a dimension and of an expression.
func fieldsOf(t reflect.Type) []jsonField {
	var all []jsonField
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			all = append(all, embedded(fieldsOf(f.Type), i)...)
			continue
		}
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		all = append(all, jsonField{key: key, what: f.Tag.Get("ql"), index: f.Index, typ: f.Type})
	}
	switch t {
	case reflect.TypeFor[Item]():
		dim, _ := t.FieldByName("Dim")
		expr, _ := t.FieldByName("Expr")
		all = slices.Concat(embedded(fieldsOf(dim.Type.Elem()), dim.Index[0]), embedded(fieldsOf(expr.Type.Elem()), expr.Index[0]), all)
	case reflect.TypeFor[Order]():
		all = append(all, jsonField{key: "dir", what: "enum:asc,desc", typ: reflect.TypeFor[string]()})
	case reflect.TypeFor[Grain]():
		all = append(all, jsonField{key: "ignoring", typ: reflect.TypeFor[[]Dim]()})
	}
	return all
}

func embedded(fields []jsonField, at int) []jsonField {
	for i := range fields {
		fields[i].index = append([]int{at}, fields[i].index...)
	}
	return fields
}

// words gives the list of a tag "enum:a,b".
func (f jsonField) words() []string {
	if list, ok := strings.CutPrefix(f.what, "enum:"); ok {
		return strings.Split(list, ",")
	}
	return nil
}

// under gives the role of what stands under this key in an object of the given role.
func (f jsonField) under(outer jsonRole) jsonRole {
	switch {
	case f.what == "having":
		return roleHaving
	case f.typ != reflect.TypeFor[*Pred]() && f.typ != reflect.TypeFor[[]*Pred]():
		return roleNone
	case f.what == "where":
		return roleWhere
	default: // of a connective
		return outer
	}
}
