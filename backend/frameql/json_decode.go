package frameql

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// ParseJSON reads the JSON form of a query.
func ParseJSON(raw []byte) (*Query, error) {
	q := &Query{}
	if err := q.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	return q, nil
}

// UnmarshalJSON reads the JSON form. Unknown keys and anything that text could not say are errors (fault.Invalid).
func (q *Query) UnmarshalJSON(raw []byte) error {
	if len(raw) > 4*maxText {
		return jsonFault(text.Say("frameql.text_too_long", "kilobytes", strconv.Itoa(4*maxText>>10)))
	}
	if jsonDepth(raw) > 4*maxDepth {
		return jsonFault(text.Say("frameql.too_deep", "depth", strconv.Itoa(maxDepth)))
	}
	var read Query
	if err := read.decode(raw); err != nil {
		return err
	}
	if _, err := Parse(read.String()); err != nil {
		return fault.Wrap(fault.CodeOf(err), "read query", text.Say("frameql.json_not_a_query", "reason", messageOf(err)), text.Say("frameql.json_hint"), err)
	}
	*q = read
	return nil
}

func messageOf(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}

func jsonFault(reason string) error {
	return fault.New(fault.Invalid, "read query", text.Say("frameql.json_not_a_query", "reason", reason), text.Say("frameql.json_hint"))
}

// jsonDepth counts the deepest nesting of brackets outside strings.
func jsonDepth(raw []byte) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// reading takes the members of one JSON object, one after the other, and keeps the first error.
type reading struct {
	what    string // the place, for messages: "select", "where"
	members map[string]json.RawMessage
	err     error
}

// read opens an object and refuses keys that are not among the known ones.
func read(raw []byte, what string, known string) *reading {
	r := &reading{what: what}
	if err := json.Unmarshal(raw, &r.members); err != nil || r.members == nil {
		r.err = wrongType(what, "{…}", raw)
		return r
	}
	keys := strings.Fields(known)
	unknown := ""
	for k := range r.members {
		if !slices.Contains(keys, k) && (unknown == "" || k < unknown) {
			unknown = k
		}
	}
	if unknown != "" {
		r.err = jsonFault(text.Say("frameql.json_unknown_key", "key", unknown, "place", what, "known", strings.Join(keys, ", ")))
	}
	return r
}

func wrongType(place, want string, raw []byte) error {
	return jsonFault(text.Say("frameql.json_wrong_type", "place", place, "want", want, "found", shorten(string(raw), 40)))
}

// take decodes a member into a value, if it is there.
func (r *reading) take(key string, into any, want string) {
	raw, ok := r.members[key]
	if !ok || r.err != nil {
		return
	}
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		r.err = wrongType(r.what+"."+key, want, raw)
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		if f := new(fault.Error); errors.As(err, &f) {
			r.err = err
			return
		}
		r.err = wrongType(r.what+"."+key, want, raw)
	}
}

func (r *reading) text(key string, into *string)  { r.take(key, into, `"…"`) }
func (r *reading) flag(key string, into *bool)    { r.take(key, into, "true, false") }
func (r *reading) count(key string, into *int)    { r.take(key, into, "1, 2, 3, …") }
func (r *reading) one(key string, into any)       { r.take(key, into, "{…}") }
func (r *reading) many(key string, into any)      { r.take(key, into, "[…]") }
func (r *reading) lower(key string, into *string) { r.text(key, into); *into = strings.ToLower(*into) }
func (r *reading) oneOf(key string, into *string, words string) {
	r.lower(key, into)
	if _, there := r.members[key]; there && r.err == nil && !slices.Contains(strings.Fields(words), *into) {
		r.err = jsonFault(text.Say("frameql.json_not_one_of", "place", r.what+"."+key, "found", *into,
			"known", strings.Join(strings.Fields(words), ", ")))
	}
}

func (q *Query) decode(raw []byte) error {
	r := read(raw, "query", "v explain with select at from where time compare having top fill totals order limit offset options")
	version := 1
	r.count("v", &version)
	if r.err == nil && version != 1 {
		return jsonFault(text.Say("frameql.json_version", "version", strconv.Itoa(version)))
	}
	q.V = 1
	r.flag("explain", &q.Explain)
	r.many("with", &q.With)
	r.many("select", &q.Select)
	r.many("at", &q.At)
	r.many("from", &q.From)
	r.one("where", &q.Where)
	r.one("time", &q.Time)
	r.many("compare", &q.Compare)
	r.one("having", &q.Having)
	r.one("top", &q.Top)
	r.oneOf("fill", &q.Fill, "zero null last none")
	r.many("totals", &q.Totals)
	r.many("order", &q.Order)
	r.take("limit", &q.Limit, "1, 2, 3, …")
	r.count("offset", &q.Offset)
	var options map[string]Value
	r.one("options", &options)
	for name, v := range options {
		q.Options = append(q.Options, Option{Name: strings.ToLower(name), Value: v})
	}
	slices.SortFunc(q.Options, func(a, b Option) int { return strings.Compare(a.Name, b.Name) })
	if r.err == nil && (q.Offset < 0 || q.Offset > 0 && q.Limit == nil) {
		return jsonFault(text.Say("frameql.json_offset"))
	}
	return r.err
}

// UnmarshalJSON reads {"name":…,"expr":…}.
func (d *Def) UnmarshalJSON(raw []byte) error {
	r := read(raw, "with", "name expr")
	r.text("name", &d.Name)
	r.one("expr", &d.Expr)
	return r.err
}

const exprKeys = "num metric reduce fn op star distinct of args params unit at filter"

// UnmarshalJSON reads a dimension or an expression with its name.
func (it *Item) UnmarshalJSON(raw []byte) error {
	r := read(raw, "select", "dim grain as "+exprKeys)
	r.text("as", &it.As)
	if _, ok := r.members["dim"]; !ok {
		if _, grain := r.members["grain"]; grain && r.err == nil {
			return jsonFault(text.Say("frameql.json_unknown_key", "key", "grain", "place", "select", "known", "as, "+exprKeys))
		}
		it.Expr = &Expr{}
		it.Expr.take(r)
		return r.err
	}
	for k := range r.members {
		if r.err == nil && k != "dim" && k != "grain" && k != "as" {
			return jsonFault(text.Say("frameql.json_unknown_key", "key", k, "place", "select", "known", "dim, grain, as"))
		}
	}
	it.Dim = &Dim{}
	r.text("dim", &it.Dim.Name)
	r.oneOf("grain", &it.Dim.Grain, strings.ToLower(grainWords))
	return r.err
}

const grainWords = "HOUR DAY WEEK MONTH QUARTER YEAR FISCAL_QUARTER FISCAL_YEAR"

// UnmarshalJSON reads a dotted string; the last segment is a time grain when it is one and not in quotes.
func (d *Dim) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return wrongType("dim", `"…"`, raw)
	}
	*d = Dim{Name: s}
	i := strings.LastIndexByte(s, '.')
	switch {
	case i < 0:
	case timeGrains[strings.ToUpper(s[i+1:])]:
		*d = Dim{Name: s[:i], Grain: strings.ToLower(s[i+1:])}
	case len(s) > i+3 && s[i+1] == '"' && s[len(s)-1] == '"':
		d.Name = s[:i+1] + s[i+2:len(s)-1]
	}
	return nil
}

// UnmarshalJSON reads an array of dimensions, or an object that ignores something.
func (g *Grain) UnmarshalJSON(raw []byte) error {
	if t := bytes.TrimSpace(raw); len(t) > 0 && t[0] == '[' {
		err := json.Unmarshal(raw, &g.Dims)
		g.Dims = noneIfEmpty(g.Dims)
		return err
	}
	r := read(raw, "at", "dims ignoring")
	r.many("dims", &g.Dims)
	g.Dims = noneIfEmpty(g.Dims)
	ignoring, ok := r.members["ignoring"]
	if !ok || r.err != nil {
		return r.err
	}
	var word string
	if json.Unmarshal(ignoring, &word) == nil && strings.EqualFold(word, "filters") {
		g.IgnoreFilters = true
		return nil
	}
	r.many("ignoring", &g.IgnoreDims)
	return r.err
}

// noneIfEmpty makes an empty list nil, as the parser leaves it.
func noneIfEmpty(dims []Dim) []Dim {
	if len(dims) == 0 {
		return nil
	}
	return dims
}

// UnmarshalJSON reads an expression.
func (e *Expr) UnmarshalJSON(raw []byte) error {
	r := read(raw, "expr", exprKeys)
	e.take(r)
	return r.err
}

func (e *Expr) take(r *reading) {
	var num json.Number
	r.take("num", &num, "1, 2.5, …")
	e.Num = num.String()
	r.text("metric", &e.Metric)
	r.oneOf("reduce", &e.Reduce, "sum avg min max count median percentile stddev first last any all")
	r.oneOf("fn", &e.Fn, "prev delta pct_change share cumulative moving rank index")
	r.oneOf("op", &e.Op, "+ - * / at")
	r.flag("star", &e.Star)
	r.flag("distinct", &e.Dist)
	r.one("of", &e.Of)
	r.many("args", &e.Args)
	r.many("params", &e.Params)
	r.lower("unit", &e.Unit)
	r.many("at", &e.At)
	r.one("filter", &e.Filter)
	if r.err == nil {
		r.err = e.check()
	}
}

// check refuses an expression that is nothing or several things at once.
func (e *Expr) check() error {
	kinds := 0
	for _, is := range []bool{e.Num != "", e.Metric != "", e.Reduce != "", e.Fn != "", e.Op != ""} {
		if is {
			kinds++
		}
	}
	wrong := kinds != 1 ||
		e.Op != "" && e.Op != "at" && len(e.Args) < 2 ||
		e.Op == "at" && (len(e.Args) != 1 || e.At == nil) ||
		e.Op == "" && len(e.Args) > 0 ||
		e.Fn != "" && e.Of == nil ||
		e.Reduce != "" && (e.Of == nil) != e.Star ||
		e.Reduce == "" && (e.Star || e.Dist) ||
		e.Reduce == "" && e.Fn == "" && (e.Of != nil || len(e.Params) > 0) ||
		e.Fn == "" && e.Unit != "" ||
		e.Filter != nil && (e.Op != "" || e.Num != "")
	for _, a := range e.Args {
		wrong = wrong || a == nil
	}
	if wrong {
		return jsonFault(text.Say("frameql.json_expr"))
	}
	for len(e.Args) > 2 { // a + b + c is (a + b) + c
		e.Args = append([]*Expr{{Op: e.Op, Args: e.Args[:2:2]}}, e.Args[2:]...)
	}
	return nil
}

// UnmarshalJSON reads a sort key.
func (k *Key) UnmarshalJSON(raw []byte) error {
	r := read(raw, "by", "out expr")
	r.text("out", &k.Out)
	r.one("expr", &k.Expr)
	return k.check(r)
}

func (k *Key) check(r *reading) error {
	if r.err == nil && (k.Out == "") == (k.Expr == nil) {
		return jsonFault(text.Say("frameql.json_key"))
	}
	return r.err
}

// UnmarshalJSON reads a sort key with its direction.
func (o *Order) UnmarshalJSON(raw []byte) error {
	r := read(raw, "order", "out expr dir")
	r.text("out", &o.Out)
	r.one("expr", &o.Expr)
	dir := ""
	r.oneOf("dir", &dir, "asc desc")
	o.Desc = dir == "desc"
	return o.Key.check(r)
}

// UnmarshalJSON reads TOP.
func (t *Top) UnmarshalJSON(raw []byte) error {
	r := read(raw, "top", "n dim by asc per other")
	r.count("n", &t.N)
	r.take("dim", &t.Dim, `"…"`)
	r.one("by", &t.By)
	r.flag("asc", &t.Asc)
	r.take("per", &t.Per, `"…"`)
	r.flag("other", &t.Other)
	return r.err
}

// UnmarshalJSON reads a period with its dimension.
func (d *During) UnmarshalJSON(raw []byte) error {
	r := read(raw, "time", "on period")
	r.take("on", &d.On, `"…"`)
	r.one("period", &d.Period)
	return r.err
}

// UnmarshalJSON reads a period.
func (p *Period) UnmarshalJSON(raw []byte) error {
	r := read(raw, "period", "kind value n unit including_current to_date from to")
	r.oneOf("kind", &p.Kind, "literal last this previous range between all_time today yesterday ytd qtd mtd wtd")
	r.text("value", &p.Value)
	p.Value = strings.ToUpper(p.Value)
	r.count("n", &p.N)
	r.lower("unit", &p.Unit)
	r.flag("including_current", &p.Incl)
	r.flag("to_date", &p.ToDay)
	r.text("from", &p.From)
	r.text("to", &p.To)
	return r.err
}

// UnmarshalJSON reads one side of COMPARE TO.
func (c *Comparand) UnmarshalJSON(raw []byte) error {
	r := read(raw, "compare", "kind unit period metric")
	r.oneOf("kind", &c.Kind, "previous_period previous same_period_last during target")
	r.lower("unit", &c.Unit)
	r.one("period", &c.Period)
	r.text("metric", &c.Metric)
	return r.err
}

// UnmarshalJSON reads a JSON scalar.
func (v *Value) UnmarshalJSON(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var any any
	if err := dec.Decode(&any); err != nil {
		return wrongType("val", `"…", 1, true, null`, raw)
	}
	switch x := any.(type) {
	case nil:
		*v = Value{Kind: Null}
	case bool:
		*v = Value{Kind: Bool, Text: strconv.FormatBool(x)}
	case json.Number:
		*v = Value{Kind: Number, Text: x.String()}
	case string:
		*v = Value{Kind: String, Text: x}
	default:
		return wrongType("val", `"…", 1, true, null`, raw)
	}
	return nil
}

// UnmarshalJSON reads a predicate.
func (p *Pred) UnmarshalJSON(raw []byte) error {
	r := read(raw, "where", "and or not quant entity pred dim grain out left op val val_dim expr n")
	r.many("and", &p.And)
	r.many("or", &p.Or)
	r.one("not", &p.Not)
	r.oneOf("quant", &p.Quant, "any all no")
	r.text("entity", &p.Entity)
	r.one("pred", &p.Pred)
	r.text("dim", &p.Dim)
	r.oneOf("grain", &p.Grain, strings.ToLower(grainWords))
	r.text("out", &p.Out)
	r.one("left", &p.Left)
	r.oneOf("op", &p.Op, "eq ne lt le gt ge in not_in between not_between like not_like contains not_contains starts_with not_starts_with is_null not_null in_top")
	r.take("val_dim", &p.ValDim, `"…"`)
	r.one("expr", &p.Expr)
	r.count("n", &p.N)
	if val, ok := r.members["val"]; ok && r.err == nil {
		if t := bytes.TrimSpace(val); len(t) > 0 && t[0] == '[' {
			r.err = json.Unmarshal(val, &p.Vals)
		} else {
			p.Val = &Value{}
			r.err = p.Val.UnmarshalJSON(val)
		}
	}
	if r.err != nil {
		return r.err
	}
	return p.check()
}

// check refuses a predicate that is nothing or several things at once, or whose operand does not fit its operator.
func (p *Pred) check() error {
	if len(p.And) == 1 && p.And[0] != nil {
		*p = *p.And[0]
	}
	if len(p.Or) == 1 && p.Or[0] != nil {
		*p = *p.Or[0]
	}
	operands := 0
	for _, is := range []bool{p.Val != nil, p.Vals != nil, p.ValDim != nil, p.Expr != nil} {
		if is {
			operands++
		}
	}
	kinds, lefts := 0, 0
	for _, is := range []bool{len(p.And) > 0, len(p.Or) > 0, p.Not != nil, p.Quant != "", p.Op != ""} {
		if is {
			kinds++
		}
	}
	for _, is := range []bool{p.Dim != "", p.Out != "", p.Left != nil} {
		if is {
			lefts++
		}
	}
	wrong := kinds != 1 || slices.Contains(p.And, nil) || slices.Contains(p.Or, nil) ||
		(p.Quant != "") != (p.Entity != "") || p.Quant == "" && p.Pred != nil ||
		p.Op == "" && (lefts > 0 || operands > 0) || p.Op != "" && lefts != 1 || p.Grain != "" && p.Dim == ""
	if !wrong && p.Op != "" {
		wrong = !p.operandFits(operands)
	}
	if wrong {
		return jsonFault(text.Say("frameql.json_pred"))
	}
	return nil
}

func (p *Pred) operandFits(operands int) bool {
	switch p.Op {
	case "is_null", "not_null":
		return operands == 0
	case "in", "not_in":
		return operands == 1 && len(p.Vals) > 0
	case "between", "not_between":
		return operands == 1 && len(p.Vals) == 2
	case "in_top":
		return operands == 1 && p.Expr != nil && p.N > 0
	case "eq", "ne", "lt", "le", "gt", "ge":
		return operands == 1 && p.Vals == nil
	default: // patterns
		return operands == 1 && p.Val != nil && p.Val.Kind == String
	}
}
