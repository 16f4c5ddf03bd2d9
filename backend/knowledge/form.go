package knowledge

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/frameql"
)

// form is a condition in normal form: nothing is negated as a whole, every list is sorted, and nothing is said twice.
type form struct {
	join  string // and, or; empty: a comparison
	parts []form
	left  string
	op    string
	right []string
}

// opposites are the operators that say the contrary of each other.
var opposites = map[string]string{
	"eq": "ne", "lt": "ge", "le": "gt", "in": "not_in", "between": "not_between", "like": "not_like", "contains": "not_contains",
	"starts_with": "not_starts_with", "is_null": "not_null", "and": "or", "holds": "fails",
}

// contrary is the other one of a pair.
func contrary(op string) string {
	if other, ok := opposites[op]; ok {
		return other
	}
	for one, other := range opposites {
		if other == op {
			return one
		}
	}
	return op
}

// normal is the normal form of a condition, or of its contrary. Rows without a value count as on the side that the words leave them.
func normal(p *frameql.Pred, negate bool) form {
	var f form
	switch {
	case p.Not != nil:
		return normal(p.Not, !negate)
	case p.Quant == "no":
		any := *p
		any.Quant = "any"
		return normal(&any, !negate)
	case len(p.And) > 0, len(p.Or) > 0:
		f.join = "and"
		parts := p.And
		if len(p.Or) > 0 {
			f.join, parts = "or", p.Or
		}
		for _, part := range parts {
			f.parts = append(f.parts, normal(part, false))
		}
		f = f.flat()
	case p.Dim == "" || p.Expr != nil || p.ValDim != nil || p.N > 0 || p.Quant != "":
		f = form{left: p.String(), op: "holds"} // taken whole
	default:
		f = form{left: strings.ToLower(frameql.Dim{Name: p.Dim, Grain: p.Grain}.String()), op: p.Op}
		values := p.Vals
		if p.Val != nil {
			values = append(slices.Clone(values), *p.Val)
		}
		for _, v := range values {
			f.right = append(f.right, string(v.Kind)+" "+v.Text)
		}
		f = f.listed()
	}
	if negate {
		return f.negated()
	}
	return f
}

// listed sorts a list of values, and writes one of a single value as a comparison.
func (f form) listed() form {
	if f.op != "in" && f.op != "not_in" {
		return f
	}
	slices.Sort(f.right)
	f.right = slices.Compact(f.right)
	if len(f.right) == 1 {
		f.op = map[string]string{"in": "eq", "not_in": "ne"}[f.op]
	}
	return f
}

// flat takes parts of the same kind into their whole, sorts them, and writes several values of one column as a list.
func (f form) flat() form {
	var parts []form
	lists := map[string]int{} // column -> its place among the parts
	single, list := "eq", "in"
	if f.join == "and" {
		single, list = "ne", "not_in"
	}
	var add func(p form)
	add = func(p form) {
		if p.join == f.join {
			for _, inner := range p.parts {
				add(inner)
			}
			return
		}
		if p.op != single && p.op != list {
			parts = append(parts, p)
			return
		}
		at, there := lists[p.left]
		if !there {
			lists[p.left] = len(parts)
			parts = append(parts, form{left: p.left, op: list, right: slices.Clone(p.right)})
			return
		}
		parts[at].right = append(parts[at].right, p.right...)
	}
	for _, p := range f.parts {
		add(p)
	}
	for i := range parts {
		parts[i] = parts[i].listed()
	}
	slices.SortFunc(parts, func(a, b form) int { return cmp.Compare(a.text(), b.text()) })
	parts = slices.CompactFunc(parts, func(a, b form) bool { return a.text() == b.text() })
	if len(parts) == 1 {
		return parts[0]
	}
	return form{join: f.join, parts: parts}
}

func (f form) negated() form {
	if f.join == "" {
		f.op = contrary(f.op)
		return f
	}
	out := form{join: contrary(f.join)}
	for _, p := range f.parts {
		out.parts = append(out.parts, p.negated())
	}
	return out.flat()
}

// all are the conditions that hold together.
func (f form) all() []form {
	if f.join == "and" {
		return f.parts
	}
	return []form{f}
}

func (f form) text() string {
	if f.join == "" {
		return f.left + " " + f.op + " (" + strings.Join(f.right, ", ") + ")"
	}
	var all []string
	for _, p := range f.parts {
		all = append(all, p.text())
	}
	return f.join + "[" + strings.Join(all, "; ") + "]"
}
