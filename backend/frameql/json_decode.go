package frameql

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"assay/backend/fault"
	"assay/backend/text"
)

// ParseJSON reads the JSON form of a query. The error is a fault.Invalid around a *JSONError, or a fault.Limit for a text
// that is too long or nested too deeply.
func ParseJSON(raw []byte) (*Query, error) {
	q := &Query{}
	if err := q.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	return q, nil
}

// UnmarshalJSON reads the JSON form. Unknown keys and anything that text could not say are errors.
func (q *Query) UnmarshalJSON(raw []byte) error {
	r, n, err := readJSON(raw)
	if err != nil {
		return err
	}
	read := Query{V: 1}
	if err := r.object(n, reflect.ValueOf(&read).Elem(), roleNone); err != nil {
		return err
	}
	if read.Offset > 0 && read.Limit == nil {
		return r.fault(n.get("offset"), JSONError{Reason: text.Say("frameql.json_offset")})
	}
	defined := map[string]bool{}
	for i, d := range read.With {
		name := strings.ToLower(d.Name)
		if defined[name] {
			return r.fault(n.get("with").kids[i].get("name"), JSONError{Found: d.Name, Reason: text.Say("frameql.definition_twice", "name", d.Name)})
		}
		defined[name] = true
	}
	// What the checks above let pass and text cannot say would have no canonical form, and so no identity.
	if _, err := Parse(read.String()); err != nil {
		e := JSONError{Line: 1, Column: 1, Reason: messageOf(err)}
		return fault.Wrap(fault.CodeOf(err), "read query", e.Error(), e.hint(), &e)
	}
	*q = read
	return nil
}

// decode reads a value into what a field holds.
func (r *jsonReader) decode(n *jsonNode, f jsonField, into reflect.Value, at jsonRole) error {
	switch into.Interface().(type) {
	case Dim:
		return r.dim(n, f, into)
	case Value:
		return r.scalar(n, into)
	case Grain:
		return r.grain(n, into)
	case Item:
		return r.item(n, into)
	case []Option:
		return r.options(n, into)
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return r.decode(n, f, into.Elem(), at)
	case reflect.Slice:
		return r.list(n, f, into, at)
	case reflect.Struct:
		return r.object(n, into, at)
	case reflect.Bool:
		return r.flag(n, f, into)
	case reflect.Int:
		return r.integer(n, f, into)
	default:
		return r.word(n, f, into)
	}
}

func (r *jsonReader) wrongType(n *jsonNode, want string) error {
	return r.fault(n, JSONError{Found: n.shown(), Reason: text.Say("frameql.json_wrong_type", "want", want, "found", n.shown())})
}

// shown gives the beginning of a value.
func (n *jsonNode) shown() string {
	switch n.kind {
	case '{':
		return "{…}"
	case '[':
		return "[…]"
	case 's':
		return strconv.Quote(shorten(n.text, 40))
	case '0':
		return "null"
	default:
		return shorten(n.text, 40)
	}
}

func (r *jsonReader) list(n *jsonNode, f jsonField, into reflect.Value, at jsonRole) error {
	if n.kind != '[' {
		return r.wrongType(n, "[…]")
	}
	if len(n.kids) == 0 {
		switch {
		case f.what == "some":
			return r.fault(n, JSONError{Reason: text.Say("frameql.json_empty_list")})
		case f.typ == reflect.TypeFor[[][]Dim]() && into.Type() == reflect.TypeFor[[]Dim]():
			into.Set(reflect.ValueOf([]Dim{})) // the grand total
		}
		return nil
	}
	all := reflect.MakeSlice(into.Type(), len(n.kids), len(n.kids))
	for i, kid := range n.kids {
		if err := r.decode(kid, f, all.Index(i), at); err != nil {
			return err
		}
	}
	into.Set(all)
	return nil
}

// object reads the members of an object and checks that they go together.
func (r *jsonReader) object(n *jsonNode, into reflect.Value, at jsonRole) error {
	if n.kind != '{' {
		return r.wrongType(n, "{…}")
	}
	s := shapes()[jsonPlace{into.Type(), at}]
	if err := r.fits(n, s); err != nil {
		return err
	}
	for i, key := range n.keys {
		f := s.fields[slices.Index(s.keys, key)]
		if key == "val" && n.kids[i].kind == '[' {
			f = jsonField{key: key, typ: reflect.TypeFor[[]Value](), index: valsIndex}
		}
		if key == "dir" {
			if err := r.word(n.kids[i], f, reflect.New(f.typ).Elem()); err != nil {
				return err
			}
			into.FieldByName("Desc").SetBool(strings.EqualFold(n.kids[i].text, "desc"))
			continue
		}
		if err := r.decode(n.kids[i], f, fieldAt(into, f.index), f.under(at)); err != nil {
			return err
		}
	}
	switch x := into.Addr().Interface().(type) {
	case *Expr:
		x.fold()
	case *Pred:
		return r.tidy(n, x, at)
	case *Key:
		x.settle()
	case *Order:
		x.settle()
	}
	return nil
}

// valsIndex is where the list under "val" goes.
var valsIndex = func() []int { f, _ := reflect.TypeFor[Pred]().FieldByName("Vals"); return f.Index }()

// fieldAt follows an index, making what pointers on the way point to.
func fieldAt(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// fold gives an expression the form that text reads: a + b + c is (a + b) + c, and a grain stands on the expression itself
// unless that has one or is a function.
func (e *Expr) fold() {
	for e.Op != "at" && len(e.Args) > 2 {
		e.Args = append([]*Expr{{Op: e.Op, Args: e.Args[:2:2]}}, e.Args[2:]...)
	}
	if inner := e.Args; e.Op == "at" && inner[0].At == nil && inner[0].Fn == "" {
		at := e.At
		*e = *inner[0]
		e.At = at
	}
}

// tidy gives a predicate the form that text reads: a connective over one is that one, HAVING tests outputs by name, and a
// dimension brings its grain with it or beside it, not both. A number that rows are compared with says at which grain.
func (r *jsonReader) tidy(n *jsonNode, p *Pred, at jsonRole) error {
	switch {
	case len(p.And) == 1:
		*p = *p.And[0]
		return nil
	case len(p.Or) == 1:
		*p = *p.Or[0]
		return nil
	case p.Dim != "":
		d, err := r.cut(n, p.Dim, p.Grain)
		if err != nil {
			return err
		}
		if p.Dim, p.Grain = d.Name, d.Grain; at == roleHaving {
			p.Out, p.Dim, p.Grain = d.joined(), "", ""
		}
	}
	if at == roleHaving {
		p.settle()
		return nil
	}
	if e := p.Left; e != nil && !e.ownGrain() {
		return r.fault(n.get("left"), JSONError{Reason: text.Say("frameql.operand_needs_grain")})
	}
	if e := p.Expr; e != nil && p.Op != "in_top" && !e.ownGrain() {
		return r.fault(n.get("expr"), JSONError{Reason: text.Say("frameql.operand_needs_grain")})
	}
	return nil
}

// cut puts a dimension and the grain beside it together. A grain that is not built in becomes a segment of the name.
func (r *jsonReader) cut(n *jsonNode, name, grain string) (Dim, error) {
	d := undotted(name)
	switch {
	case grain == "" || d.Grain == grain:
		return d, nil
	case d.Grain != "":
		return d, r.fault(n.get("grain"), JSONError{Found: grain, Reason: text.Say("frameql.json_two_grains", "dim", name, "grain", grain)})
	case timeGrains[keyword(grain)]:
		return Dim{Name: d.Name, Grain: grain}, nil
	default:
		return Dim{Name: d.Name + "." + grain}, nil
	}
}

// joined is the name with its grain as one dotted name.
func (d Dim) joined() string {
	if d.Grain == "" {
		return d.Name
	}
	return d.Name + "." + d.Grain
}

func (r *jsonReader) item(n *jsonNode, into reflect.Value) error {
	if err := r.object(n, into, roleNone); err != nil {
		return err
	}
	it := into.Addr().Interface().(*Item)
	if it.Expr != nil {
		it.Expr.fold()
	}
	if it.Dim == nil {
		return nil
	}
	d, err := r.cut(n, it.Dim.Name, it.Dim.Grain)
	*it.Dim = d
	return err
}

// grain reads a list of dimensions, or an object that ignores something.
func (r *jsonReader) grain(n *jsonNode, into reflect.Value) error {
	dims := jsonField{key: "dims", typ: reflect.TypeFor[[]Dim]()}
	g := into.Addr().Interface().(*Grain)
	if n.kind == '[' {
		return r.list(n, dims, reflect.ValueOf(&g.Dims).Elem(), roleNone)
	}
	if n.kind != '{' {
		return r.wrongType(n, "[…], {…}")
	}
	if err := r.fits(n, shapes()[jsonPlace{into.Type(), roleNone}]); err != nil {
		return err
	}
	if err := r.list(n.get("dims"), dims, reflect.ValueOf(&g.Dims).Elem(), roleNone); err != nil {
		return err
	}
	ignoring := n.get("ignoring")
	switch {
	case ignoring == nil:
		return nil
	case ignoring.kind == 's' && strings.EqualFold(ignoring.text, "filters"):
		g.IgnoreFilters = true
		return nil
	case ignoring.kind != '[':
		return r.fault(ignoring, JSONError{Found: ignoring.shown(), Allowed: []string{`"filters"`, "[…]"}, Reason: text.Say("frameql.json_wrong_type", "want", `"filters", […]`, "found", ignoring.shown())})
	}
	dims.what = "some"
	return r.list(ignoring, dims, reflect.ValueOf(&g.IgnoreDims).Elem(), roleNone)
}

// dim reads a dotted string.
func (r *jsonReader) dim(n *jsonNode, f jsonField, into reflect.Value) error {
	name := ""
	if err := r.word(n, jsonField{key: f.key, what: "dim"}, reflect.ValueOf(&name).Elem()); err != nil {
		return err
	}
	into.Set(reflect.ValueOf(undotted(name)))
	return nil
}

// undotted reads the dotted string of a dimension: the last segment is a time grain when it is one and not in quotes.
func undotted(s string) Dim {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return Dim{Name: s}
	}
	last := s[i+1:]
	if timeGrains[keyword(last)] {
		return Dim{Name: s[:i], Grain: strings.ToLower(last)}
	}
	if looksLikeGrain(last) { // in quotes, one layer of which is ours
		return Dim{Name: s[:i+1] + last[1:len(last)-1]}
	}
	return Dim{Name: s}
}

// looksLikeGrain says whether a segment is a time grain in any number of quotes.
func looksLikeGrain(segment string) bool {
	for len(segment) > 2 && segment[0] == '"' && segment[len(segment)-1] == '"' {
		segment = segment[1 : len(segment)-1]
	}
	return timeGrains[keyword(segment)]
}

// scalar reads a literal.
func (r *jsonReader) scalar(n *jsonNode, into reflect.Value) error {
	v := into.Addr().Interface().(*Value)
	switch n.kind {
	case 's':
		*v = Value{Kind: String, Text: n.text}
	case 'b':
		*v = Value{Kind: Bool, Text: n.text}
	case '0':
		*v = Value{Kind: Null}
	case 'n':
		number, err := r.number(n)
		*v = Value{Kind: Number, Text: number}
		return err
	default:
		return r.wrongType(n, `"…", 1, true, null`)
	}
	return nil
}

func (r *jsonReader) number(n *jsonNode) (string, error) {
	number, ok := numeral(n.text)
	if !ok {
		return "", r.fault(n, JSONError{Found: n.shown(), Reason: text.Say("frameql.number_range", "number", shorten(number, 60))})
	}
	return number, nil
}

func (r *jsonReader) flag(n *jsonNode, f jsonField, into reflect.Value) error {
	if n.kind != 'b' || f.what == "true" && n.text != "true" {
		want := "true, false"
		if f.what == "true" {
			want = "true"
		}
		return r.wrongType(n, want)
	}
	into.SetBool(n.text == "true")
	return nil
}

func (r *jsonReader) integer(n *jsonNode, f jsonField, into reflect.Value) error {
	if n.kind != 'n' {
		return r.wrongType(n, "1, 2, 3, …")
	}
	i, err := strconv.Atoi(n.text)
	bound, _ := strings.CutPrefix(f.what, "min:")
	least, _ := strconv.Atoi(bound) // a tag: 0 or 1
	switch {
	case f.what == "const:1" && (err != nil || i != 1):
		return r.fault(n, JSONError{Found: n.shown(), Allowed: []string{"1"}, Reason: text.Say("frameql.json_version", "version", n.shown())})
	case err != nil || i < least || i > maxInteger:
		return r.fault(n, JSONError{Found: n.shown(), Reason: text.Say("frameql.bad_integer", "number", n.shown(), "least", strconv.Itoa(least))})
	}
	into.SetInt(int64(i))
	return nil
}

// options reads an object of settings.
func (r *jsonReader) options(n *jsonNode, into reflect.Value) error {
	if n.kind != '{' {
		return r.wrongType(n, "{…}")
	}
	var all []Option
	seen := map[string]bool{}
	for i, key := range n.keys {
		o := Option{Name: strings.ToLower(norm.NFC.String(key))}
		if reason := nameProblem(o.Name); reason != "" || seen[o.Name] {
			if reason == "" {
				reason = text.Say("frameql.option_twice", "option", o.Name)
			}
			return r.fault(n.kids[i], JSONError{Found: key, Reason: reason})
		}
		seen[o.Name] = true
		if err := r.scalar(n.kids[i], reflect.ValueOf(&o.Value).Elem()); err != nil {
			return err
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b Option) int { return strings.Compare(a.Name, b.Name) })
	into.Set(reflect.ValueOf(all))
	return nil
}
