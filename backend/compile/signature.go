package compile

import (
	"fmt"
	"strconv"
	"strings"

	"assay/backend/semantic"
)

// Signature is equal for equal expressions over the same source, and stable between runs: a cache stores it.
func (s *Scalar) Signature() string {
	if s == nil {
		return "-"
	}
	var b strings.Builder
	s.sign(&b)
	return b.String()
}

func (s *Scalar) sign(b *strings.Builder) {
	b.WriteString(s.Op)
	word := func(name, value string) {
		if value != "" {
			b.WriteString(" " + name + strconv.Quote(value))
		}
	}
	number := func(name string, value int) {
		if value != 0 {
			b.WriteString(" " + name + strconv.Itoa(value))
		}
	}
	word("", s.Text)
	number("@", s.Node)
	number("#", s.Index)
	number("c", s.Ctx)
	number("n", s.N)
	number("s", s.Shift)
	word("u", s.Unit)
	word("p", s.Param)
	word("z", s.Zone)
	word("f", s.From)
	if len(s.Keys) > 0 {
		b.WriteString(fmt.Sprint(" k", s.Keys))
	}
	if s.HasElse {
		b.WriteString(" else")
	}
	for _, u := range s.Buckets {
		b.WriteString(" " + u.From.Format("20060102") + "-" + u.To.Format("20060102"))
	}
	if s.Sub != nil {
		b.WriteString(" " + s.Sub.signature())
	}
	if s.step != nil {
		fmt.Fprintf(b, " %p", s.step)
	}
	if len(s.Args) > 0 {
		b.WriteByte('(')
		for i, a := range s.Args {
			if i > 0 {
				b.WriteByte(',')
			}
			a.sign(b)
		}
		b.WriteByte(')')
	}
}

func (s *Sub) signature() string {
	var b strings.Builder
	for _, n := range s.Nodes {
		b.WriteString(n.Signature() + ";")
	}
	for _, p := range s.On {
		b.WriteString(p.Parent.Signature() + "=" + p.Own.Signature() + ";")
	}
	for _, w := range s.Where {
		b.WriteString(w.Signature() + ";")
	}
	if s.Lookup != nil {
		for _, k := range s.Lookup.Keys {
			b.WriteString(k.Signature() + ";")
		}
		b.WriteString(s.Lookup.Query.signature())
	}
	return "{" + b.String() + "}"
}

// Signature is equal for nodes that read and join the same.
func (n Node) Signature() string {
	s := strconv.Quote(n.Table) + " " + strconv.Quote(n.SQL) + " " + strconv.Itoa(n.Parent)
	for _, p := range n.On {
		s += " " + p.Parent.Signature() + "=" + p.Own.Signature()
	}
	return s
}

// signature tells queries of lookups apart; equal queries have equal ones.
func (q *Query) signature() string {
	var b strings.Builder
	for _, s := range q.Sources {
		for _, n := range s.Nodes {
			b.WriteString(n.Signature() + ";")
		}
		for _, w := range s.Where {
			b.WriteString(w.Signature() + ";")
		}
	}
	for _, k := range q.Keys {
		for _, e := range k.Exprs {
			b.WriteString(e.Signature() + ";")
		}
		b.WriteString(k.Cut.Signature() + k.Part.Signature() + fmt.Sprint(k.DependsOn, k.Declared, k.Within))
	}
	for _, l := range q.Leaves {
		b.WriteString(l.signature() + ";")
	}
	for _, c := range q.Contexts {
		b.WriteString(c.signature() + ";")
	}
	for _, o := range q.Outputs {
		b.WriteString(o.Cell.Signature() + o.Flag + ";")
	}
	b.WriteString(q.Having.Signature() + fmt.Sprint(q.Grain, q.Totals, q.Offset, q.Listing))
	if q.Limit != nil {
		b.WriteString(" limit " + strconv.Itoa(*q.Limit))
	}
	if t := q.Top; t != nil {
		b.WriteString(fmt.Sprint(" top ", t.N, t.Members, t.Asc, t.Per, t.Other) + t.By.Signature())
	}
	for _, o := range q.Order {
		b.WriteString(fmt.Sprint(" by ", o.Output, o.Desc) + o.Cell.Signature())
	}
	return "{" + b.String() + "}"
}

func (l Leaf) signature() string {
	var ties string
	for _, t := range l.Tie {
		ties += t.Signature()
	}
	pick := ""
	if l.Pick != nil {
		pick = fmt.Sprint(" pick ", l.Pick.Last)
		for _, p := range l.Pick.Per {
			pick += p.Signature()
		}
	}
	return fmt.Sprint(l.Source, l.Reducer, l.Distinct, l.Param, l.Discrete, l.Zero) + l.Map.signature() + l.Expr.Signature() + l.Filter.Signature() + l.Time.Signature() + ties + pick
}

func (m TimeMap) signature() string {
	if m.Kind == "" {
		return ""
	}
	return fmt.Sprint(m.Kind, m.N, m.Unit, m.Offset, m.OffsetUnit, m.within) + m.Cut.Signature()
}

func (c Context) signature() string {
	return fmt.Sprint(c.From.Unix(), c.To.Unix(), c.Shift, c.Unit, c.Lag, c.IgnoreFilters, c.Ignored, c.Peers, c.warm.Unix())
}

// each visits the expression and everything in it; not what is inside of a Sub.
func (s *Scalar) each(visit func(*Scalar)) {
	if s == nil {
		return
	}
	visit(s)
	for _, a := range s.Args {
		a.each(visit)
	}
}

// any says whether something in the expression passes.
func (s *Scalar) any(test func(*Scalar) bool) bool {
	found := false
	s.each(func(x *Scalar) { found = found || test(x) })
	return found
}

// replace gives the expression with every part for which change gives something put in its place.
func (s *Scalar) replace(change func(*Scalar) *Scalar) *Scalar {
	if s == nil {
		return nil
	}
	if other := change(s); other != nil {
		return other
	}
	if len(s.Args) == 0 {
		return s
	}
	whole := *s
	whole.Args = make([]*Scalar, len(s.Args))
	for i, a := range s.Args {
		whole.Args[i] = a.replace(change)
	}
	return &whole
}

// and joins conditions; nil parts are left out.
func and(all ...*Scalar) *Scalar {
	var whole *Scalar
	for _, s := range all {
		switch {
		case s == nil:
		case whole == nil:
			whole = s
		default:
			whole = &Scalar{Op: "and", Args: []*Scalar{whole, s}, Type: semantic.Boolean}
		}
	}
	return whole
}

// conjuncts takes a condition apart.
func conjuncts(s *Scalar) []*Scalar {
	if s == nil {
		return nil
	}
	if s.Op == "and" {
		return append(conjuncts(s.Args[0]), conjuncts(s.Args[1])...)
	}
	return []*Scalar{s}
}

func op2(op string, a, b *Scalar, typ semantic.Type) *Scalar {
	return &Scalar{Op: op, Args: []*Scalar{a, b}, Type: typ}
}

func compare(op string, a, b *Scalar) *Scalar { return op2(op, a, b, semantic.Boolean) }

func number(n int) *Scalar { return &Scalar{Op: "num", Text: strconv.Itoa(n), Type: semantic.Integer} }

func null(t semantic.Type) *Scalar { return &Scalar{Op: "null", Type: t} }

func isPlainNumber(s *Scalar) bool {
	return s.Op == "num" || s.Op == "neg" && s.Args[0].Op == "num"
}
