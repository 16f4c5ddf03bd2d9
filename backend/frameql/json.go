package frameql

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	key string
	val any
}

// add appends a member unless it is empty.
func (o *object) add(key string, val any, present bool) {
	if present {
		*o = append(*o, member{key, val})
	}
}

// MarshalJSON writes the members in order. "<" and its like stay as they are: the text is for people and hashes.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + m.key + `":`)
		raw, err := plainJSON(m.val)
		if err != nil {
			return nil, err
		}
		b.Write(raw)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// MarshalJSON writes the JSON form of the query.
func (q *Query) MarshalJSON() ([]byte, error) {
	o := object{{"v", 1}}
	o.add("explain", true, q.Explain)
	o.add("with", q.With, len(q.With) > 0)
	o.add("select", q.Select, true)
	o.add("at", q.At, q.At != nil)
	o.add("from", q.From, len(q.From) > 0)
	o.add("where", q.Where, q.Where != nil)
	o.add("time", q.Time, q.Time != nil)
	o.add("compare", q.Compare, len(q.Compare) > 0)
	o.add("having", q.Having, q.Having != nil)
	o.add("top", q.Top, q.Top != nil)
	o.add("fill", q.Fill, q.Fill != "")
	o.add("totals", q.Totals, len(q.Totals) > 0)
	o.add("order", q.Order, len(q.Order) > 0)
	o.add("limit", q.Limit, q.Limit != nil)
	o.add("offset", q.Offset, q.Offset > 0)
	var options object
	for _, opt := range q.Options {
		key, err := plainJSON(opt.Name)
		if err != nil {
			return nil, err
		}
		options.add(strings.Trim(string(key), `"`), opt.Value, true)
	}
	o.add("options", options, len(options) > 0)
	return o.MarshalJSON()
}

// MarshalJSON flattens the item: {"dim":"order_date","grain":"month","as":"month"} or the expression with "as".
func (it Item) MarshalJSON() ([]byte, error) {
	var o object
	if it.Dim != nil {
		o.add("dim", it.Dim.Name, true)
		o.add("grain", it.Dim.Grain, it.Dim.Grain != "")
	} else if it.Expr != nil {
		o = it.Expr.object()
	}
	o.add("as", it.As, it.As != "")
	return o.MarshalJSON()
}

// MarshalJSON writes the dimension as a dotted string.
func (d Dim) MarshalJSON() ([]byte, error) { return plainJSON(d.dottedString()) }

// dottedString is the name with its grain; a last segment that only looks like a grain stands in quotes.
func (d Dim) dottedString() string {
	if d.Grain != "" {
		return d.Name + "." + d.Grain
	}
	if i := strings.LastIndexByte(d.Name, '.'); i >= 0 && timeGrains[strings.ToUpper(d.Name[i+1:])] {
		return d.Name[:i+1] + inQuotes(d.Name[i+1:])
	}
	return d.Name
}

// MarshalJSON writes an array of dotted strings, or an object when the grain ignores something.
func (g Grain) MarshalJSON() ([]byte, error) {
	dims := g.Dims
	if dims == nil {
		dims = []Dim{}
	}
	if !g.IgnoreFilters && len(g.IgnoreDims) == 0 {
		return plainJSON(dims)
	}
	o := object{{"dims", dims}}
	if g.IgnoreFilters {
		o.add("ignoring", "filters", true)
	} else {
		o.add("ignoring", g.IgnoreDims, true)
	}
	return o.MarshalJSON()
}

// MarshalJSON writes the expression.
func (e *Expr) MarshalJSON() ([]byte, error) { return e.object().MarshalJSON() }

func (e *Expr) object() object {
	var o object
	o.add("num", json.Number(e.Num), e.Num != "")
	o.add("metric", e.Metric, e.Metric != "")
	o.add("reduce", e.Reduce, e.Reduce != "")
	o.add("fn", e.Fn, e.Fn != "")
	o.add("op", e.Op, e.Op != "")
	o.add("star", true, e.Star)
	o.add("distinct", true, e.Dist)
	o.add("of", e.Of, e.Of != nil)
	o.add("args", e.Args, len(e.Args) > 0)
	o.add("params", e.Params, len(e.Params) > 0)
	o.add("unit", e.Unit, e.Unit != "")
	o.add("at", e.At, e.At != nil)
	o.add("filter", e.Filter, e.Filter != nil)
	return o
}

// MarshalJSON writes the predicate; the values of IN and BETWEEN are an array under "val".
func (p *Pred) MarshalJSON() ([]byte, error) {
	var o object
	o.add("and", p.And, len(p.And) > 0)
	o.add("or", p.Or, len(p.Or) > 0)
	o.add("not", p.Not, p.Not != nil)
	o.add("quant", p.Quant, p.Quant != "")
	o.add("entity", p.Entity, p.Entity != "")
	o.add("pred", p.Pred, p.Pred != nil)
	o.add("dim", p.Dim, p.Dim != "")
	o.add("grain", p.Grain, p.Grain != "")
	o.add("out", p.Out, p.Out != "")
	o.add("left", p.Left, p.Left != nil)
	o.add("op", p.Op, p.Op != "")
	o.add("val", p.Val, p.Val != nil)
	o.add("val", p.Vals, p.Vals != nil)
	o.add("val_dim", p.ValDim, p.ValDim != nil)
	o.add("n", p.N, p.N > 0)
	o.add("expr", p.Expr, p.Expr != nil)
	return o.MarshalJSON()
}

// MarshalJSON writes the literal as a JSON scalar.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.Kind {
	case Null:
		return []byte("null"), nil
	case Bool:
		return plainJSON(v.Text == "true")
	case Number:
		return plainJSON(json.Number(v.Text))
	default:
		return plainJSON(v.Text)
	}
}

// MarshalJSON writes {"out":"r"} or the expression.
func (k Key) MarshalJSON() ([]byte, error) { return k.object().MarshalJSON() }

func (k Key) object() object {
	if k.Expr != nil {
		return object{{"expr", k.Expr}}
	}
	return object{{"out", k.Out}}
}

// MarshalJSON writes the key and its direction.
func (o Order) MarshalJSON() ([]byte, error) {
	dir := "asc"
	if o.Desc {
		dir = "desc"
	}
	return append(o.Key.object(), member{"dir", dir}).MarshalJSON()
}

// column is Column without its methods.
type column struct {
	Name       string  `json:"name"`
	Label      string  `json:"label,omitempty"`
	Role       Role    `json:"role"`
	Type       string  `json:"type"`
	Unit       *string `json:"unit"`
	Grain      *string `json:"grain"`
	Metric     *string `json:"metric"`
	Dimension  *string `json:"dimension"`
	Additivity *string `json:"additivity"`
}

// MarshalJSON writes null for what a column does not have.
func (c Column) MarshalJSON() ([]byte, error) {
	return json.Marshal(column{
		c.Name, c.Label, c.Role, c.Type, orNull(c.Unit), orNull(c.Grain), orNull(c.Metric),
		orNull(c.Dimension), orNull(c.Additivity),
	})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Column) UnmarshalJSON(raw []byte) error {
	var j column
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	*c = Column{
		Name: j.Name, Label: j.Label, Role: j.Role, Type: j.Type, Unit: orEmpty(j.Unit), Grain: orEmpty(j.Grain),
		Metric: orEmpty(j.Metric), Dimension: orEmpty(j.Dimension), Additivity: orEmpty(j.Additivity),
	}
	return nil
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
