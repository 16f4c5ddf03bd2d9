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

// formed is what has a JSON form: an object, a list, a string, ...
type formed interface{ form() any }

// writeJSON writes a value in one pass. "<" and its like stay as they are: the text is for people and hashes.
func writeJSON(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeScalar(b, m.key); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := writeJSON(b, m.val); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case []any:
		b.WriteByte('[')
		for i, one := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, one); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case formed:
		return writeJSON(b, v.form())
	default:
		return writeScalar(b, v)
	}
}

func writeScalar(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline
	return nil
}

func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	err := writeJSON(&b, v)
	return b.Bytes(), err
}

// listOf makes a list of anything.
func listOf[T any](all []T) []any {
	out := make([]any, len(all))
	for i, one := range all {
		out[i] = one
	}
	return out
}

// MarshalJSON writes the JSON form of the query.
func (q *Query) MarshalJSON() ([]byte, error) { return plainJSON(q.form()) }

func (q *Query) form() any {
	o := object{{"v", 1}}
	o.add("explain", true, q.Explain)
	o.add("with", listOf(q.With), len(q.With) > 0)
	o.add("select", listOf(q.Select), true)
	o.add("at", q.At, q.At != nil)
	o.add("from", listOf(q.From), len(q.From) > 0)
	o.add("where", q.Where, q.Where != nil)
	o.add("time", q.Time, q.Time != nil)
	o.add("compare", listOf(q.Compare), len(q.Compare) > 0)
	o.add("having", q.Having, q.Having != nil)
	o.add("top", q.Top, q.Top != nil)
	o.add("fill", q.Fill, q.Fill != "")
	var totals []any
	for _, set := range q.Totals {
		totals = append(totals, listOf(set))
	}
	o.add("totals", totals, len(totals) > 0)
	o.add("order", listOf(q.Order), len(q.Order) > 0)
	if q.Limit != nil {
		o.add("limit", *q.Limit, true)
	}
	o.add("offset", q.Offset, q.Offset > 0)
	var options object
	for _, opt := range q.Options {
		options.add(opt.Name, opt.Value, true)
	}
	o.add("options", options, len(options) > 0)
	return o
}

func (d Def) form() any { return object{{"name", d.Name}, {"expr", d.Expr}} }

// MarshalJSON flattens the item: {"dim":"order_date","grain":"month","as":"month"} or the expression with "as".
func (it Item) MarshalJSON() ([]byte, error) { return plainJSON(it) }

func (it Item) form() any {
	var o object
	if it.Dim != nil {
		o.cut(*it.Dim)
	} else if it.Expr != nil {
		o = it.Expr.form().(object)
	}
	o.add("as", it.As, it.As != "")
	return o
}

// cut adds a dimension with its grain beside it.
func (o *object) cut(d Dim) {
	o.add("dim", Dim{Name: d.Name}.dottedString(), true)
	o.add("grain", d.Grain, d.Grain != "")
}

// MarshalJSON writes the dimension as a dotted string.
func (d Dim) MarshalJSON() ([]byte, error) { return plainJSON(d) }

func (d Dim) form() any { return d.dottedString() }

// dottedString is the name with its grain; a last segment that only looks like a grain stands in quotes.
func (d Dim) dottedString() string {
	if d.Grain != "" {
		return d.joined()
	}
	if i := strings.LastIndexByte(d.Name, '.'); i >= 0 && looksLikeGrain(d.Name[i+1:]) {
		return d.Name[:i+1] + `"` + d.Name[i+1:] + `"`
	}
	return d.Name
}

// MarshalJSON writes an array of dotted strings, or an object when the grain ignores something.
func (g Grain) MarshalJSON() ([]byte, error) { return plainJSON(g) }

func (g Grain) form() any {
	switch {
	case g.IgnoreFilters:
		return object{{"dims", listOf(g.Dims)}, {"ignoring", "filters"}}
	case len(g.IgnoreDims) > 0:
		return object{{"dims", listOf(g.Dims)}, {"ignoring", listOf(g.IgnoreDims)}}
	default:
		return listOf(g.Dims)
	}
}

// MarshalJSON writes the expression.
func (e *Expr) MarshalJSON() ([]byte, error) { return plainJSON(e) }

func (e *Expr) form() any {
	var o object
	o.add("num", json.Number(e.Num), e.Num != "")
	o.add("metric", e.Metric, e.Metric != "")
	o.add("reduce", e.Reduce, e.Reduce != "")
	o.add("fn", e.Fn, e.Fn != "")
	o.add("op", e.Op, e.Op != "")
	o.add("star", true, e.Star)
	o.add("distinct", true, e.Dist)
	o.add("of", e.Of, e.Of != nil)
	o.add("args", listOf(e.Args), len(e.Args) > 0)
	o.add("params", listOf(e.Params), len(e.Params) > 0)
	o.add("unit", e.Unit, e.Unit != "")
	o.add("at", e.At, e.At != nil)
	o.add("filter", e.Filter, e.Filter != nil)
	return o
}

// MarshalJSON writes the predicate; the values of IN and BETWEEN are an array under "val".
func (p *Pred) MarshalJSON() ([]byte, error) { return plainJSON(p) }

func (p *Pred) form() any {
	var o object
	o.add("and", listOf(p.And), len(p.And) > 0)
	o.add("or", listOf(p.Or), len(p.Or) > 0)
	o.add("not", p.Not, p.Not != nil)
	o.add("quant", p.Quant, p.Quant != "")
	o.add("entity", p.Entity, p.Entity != "")
	o.add("pred", p.Pred, p.Pred != nil)
	if p.Dim != "" {
		o.cut(Dim{Name: p.Dim, Grain: p.Grain})
	}
	o.add("out", p.Out, p.Out != "")
	o.add("left", p.Left, p.Left != nil)
	o.add("op", p.Op, p.Op != "")
	o.add("val", p.Val, p.Val != nil)
	o.add("val", listOf(p.Vals), p.Vals != nil)
	o.add("val_dim", p.ValDim, p.ValDim != nil)
	o.add("n", p.N, p.N > 0)
	o.add("expr", p.Expr, p.Expr != nil)
	return o
}

// MarshalJSON writes the literal as a JSON scalar.
func (v Value) MarshalJSON() ([]byte, error) { return plainJSON(v) }

func (v Value) form() any {
	switch v.Kind {
	case Null:
		return nil
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	default:
		return v.Text
	}
}

func (d *During) form() any {
	var o object
	o.add("on", d.On, d.On != nil)
	return append(o, member{"period", &d.Period})
}

func (p *Period) form() any {
	o := object{{"kind", p.Kind}}
	o.add("value", p.Value, p.Value != "")
	o.add("n", p.N, p.N != 0)
	o.add("unit", p.Unit, p.Unit != "")
	o.add("including_current", true, p.Incl)
	o.add("to_date", true, p.ToDay)
	o.add("from", p.From, p.From != "")
	o.add("to", p.To, p.To != "")
	return o
}

func (c Comparand) form() any {
	o := object{{"kind", c.Kind}}
	o.add("unit", c.Unit, c.Unit != "")
	o.add("period", c.Period, c.Period != nil)
	o.add("metric", c.Metric, c.Metric != "")
	return o
}

func (t *Top) form() any {
	o := object{{"n", t.N}, {"dim", t.Dim}, {"by", t.By}}
	o.add("asc", true, t.Asc)
	o.add("per", t.Per, t.Per != nil)
	o.add("other", true, t.Other)
	return o
}

// MarshalJSON writes {"out":"r"} or the expression.
func (k Key) MarshalJSON() ([]byte, error) { return plainJSON(k) }

func (k Key) form() any {
	if k.Expr != nil {
		return object{{"expr", k.Expr}}
	}
	return object{{"out", k.Out}}
}

// MarshalJSON writes the key and its direction.
func (o Order) MarshalJSON() ([]byte, error) { return plainJSON(o.form()) }

func (o Order) form() any {
	dir := "asc"
	if o.Desc {
		dir = "desc"
	}
	return append(o.Key.form().(object), member{"dir", dir})
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
	ServedFrom *string `json:"served_from"`
	Format     *string `json:"format"`
	Scale      string  `json:"scale,omitempty"`
	Decimals   *int    `json:"decimals,omitempty"`

	Derived  *Derived `json:"derived"`
	Personal bool     `json:"personal,omitempty"`
}

// MarshalJSON writes null for what a column does not have.
func (c Column) MarshalJSON() ([]byte, error) {
	return json.Marshal(column{
		c.Name, c.Label, c.Role, c.Type, orNull(c.Unit), orNull(c.Grain), orNull(c.Metric),
		orNull(c.Dimension), orNull(c.Additivity), orNull(c.ServedFrom), orNull(c.Format), c.Scale, c.Decimals, c.Derived, c.Personal,
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
		Metric: orEmpty(j.Metric), Dimension: orEmpty(j.Dimension), Additivity: orEmpty(j.Additivity), ServedFrom: orEmpty(j.ServedFrom),
		Format: orEmpty(j.Format), Scale: j.Scale, Decimals: j.Decimals, Derived: j.Derived, Personal: j.Personal,
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
