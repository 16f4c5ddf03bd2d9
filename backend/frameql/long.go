package frameql

import (
	"math/big"
	"slices"
	"strings"
)

// What a query may have at most. Engines plan long lists in time that grows with their square, and cannot be stopped
// while they plan. The values of IN do not count.
const (
	mostConditions = 2_000
	mostColumns    = 1_000
	mostKeys       = 100 // of ORDER BY, AT and TOTALS
	mostComparands = 100
)

// longList is how many parts of an AND or an OR are written shorter where that means the same. Fewer stay as they were
// written.
const longList = 50

// shorten writes long lists of conditions shorter.
func (r *resolver) shorten() {
	long := func(p *Pred) {
		if comparisons(p) > longList {
			shortest(p)
		}
	}
	long(r.q.Where)
	long(r.q.Having)
	r.q.eachExpr(func(e *Expr) { long(e.Filter) })
}

// tooLong refuses a query with more parts than may be.
func (r *resolver) tooLong() bool {
	conditions := comparisons(r.q.Where) + comparisons(r.q.Having)
	r.q.eachExpr(func(e *Expr) { conditions += comparisons(e.Filter) }) // those of HAVING twice
	keys := len(r.q.Order) + len(r.q.Totals)
	if r.q.At != nil {
		keys += len(r.q.At.Dims)
	}
	for _, part := range []struct {
		name    string
		n, most int
	}{
		{"conditions", conditions, mostConditions},
		{"columns", len(r.q.Select), mostColumns},
		{"keys", keys, mostKeys},
		{"comparands", len(r.q.Compare), mostComparands},
	} {
		if part.n > part.most {
			r.refuse(nil, refusal("CARDINALITY_LIMIT", "frameql.too_many_"+part.name, "count", part.n, "limit", part.most))
		}
	}
	return len(r.problems) > 0
}

// comparisons counts what is compared in a condition, also in the filters of the numbers that it compares.
func comparisons(p *Pred) int {
	if p == nil {
		return 0
	}
	var within func(e *Expr) int
	within = func(e *Expr) int {
		if e == nil {
			return 0
		}
		n := comparisons(e.Filter) + within(e.Of)
		for _, a := range e.Args {
			n += within(a)
		}
		return n
	}
	n := comparisons(p.Not) + comparisons(p.Pred) + within(p.Left) + within(p.Expr)
	for _, all := range [][]*Pred{p.And, p.Or} {
		for _, c := range all {
			n += comparisons(c)
		}
	}
	if p.Op != "" {
		n++
	}
	return n
}

// shortest merges nested ANDs and ORs, and what long ones say about one thing: equalities to IN, several bounds to the one
// that decides, and what stands twice. Missing values make no difference to any of these.
func shortest(p *Pred) {
	if p == nil {
		return
	}
	flattened(p)
	for _, c := range append([]*Pred{p.Not, p.Pred}, append(p.And, p.Or...)...) {
		shortest(c)
	}
	switch {
	case len(p.And) > longList:
		p.And = merged(p.And, "ne", "not_in", 1)
	case len(p.Or) > longList:
		p.Or = merged(p.Or, "eq", "in", -1)
	}
	for _, all := range [][]*Pred{p.And, p.Or} {
		if len(all) == 1 {
			*p = *all[0]
			return
		}
	}
}

// merged merges the parts of an AND or an OR. equal and list are the comparison with one and with several values that
// belong together; tighter is 1 when the tightest of several bounds decides, -1 when the loosest does.
func merged(all []*Pred, equal, list string, tighter int) []*Pred {
	var out []*Pred
	first := map[string]*Pred{}
	taken := map[*Pred]map[Value]bool{} // the values of a list
	for _, p := range all {
		side := p.side()
		switch {
		case side == "":
		case p.Op == equal && p.Val != nil && p.Val.Kind != Null, p.Op == list && !slices.ContainsFunc(p.Vals, func(v Value) bool { return v.Kind == Null }):
			values := p.Vals
			if p.Val != nil {
				values = []Value{*p.Val}
			}
			into := first[list+side]
			if into == nil {
				into = p
				first[list+side], taken[p] = p, map[Value]bool{}
				p.Op, p.Val, p.Vals = list, nil, nil
				out = append(out, p)
			}
			for _, v := range values {
				if !taken[into][v] {
					taken[into][v] = true
					into.Vals = append(into.Vals, v)
				}
			}
			continue
		case p.bound() != nil:
			key := p.Op[:1] + side // l or g
			if before := first[key]; before != nil {
				if before.decides(p, tighter) {
					before.Op, before.Val = p.Op, p.Val
				}
				continue
			}
			first[key] = p
			out = append(out, p)
			continue
		}
		if same := p.String(); first[same] == nil {
			first[same] = p
			out = append(out, p)
		}
	}
	return out
}

// side names what a comparison with literals looks at; empty: it is none.
func (p *Pred) side() string {
	switch {
	case p.Op == "" || p.ValDim != nil || p.Expr != nil:
		return ""
	case p.Left != nil:
		return "left " + p.Left.String()
	case p.Out != "":
		return "out " + strings.ToLower(p.Out)
	}
	return "dim " + strings.ToLower(p.Dim) + " " + p.Grain
}

// bound gives the number of a comparison with less or more; nil: it is none.
func (p *Pred) bound() *big.Rat {
	if (p.Op != "lt" && p.Op != "le" && p.Op != "gt" && p.Op != "ge") || p.Val == nil || p.Val.Kind != Number || strings.ContainsAny(p.Val.Text, "eE") {
		return nil
	}
	n, ok := new(big.Rat).SetString(p.Val.Text)
	if !ok {
		return nil
	}
	return n
}

// decides says whether another bound of the same direction decides instead of this one: the tighter of the two, or with
// tighter -1 the looser.
func (p *Pred) decides(other *Pred, tighter int) bool {
	order := other.bound().Cmp(p.bound())
	if p.Op[0] == 'l' {
		order = -order
	}
	if order == 0 && len(other.Op) == len(p.Op) && other.Op != p.Op { // of > and >= the first is tighter
		order = 1
		if other.Op[1] == 'e' {
			order = -1
		}
	}
	return order*tighter > 0
}
