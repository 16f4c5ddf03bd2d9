package reuse

import (
	"assay/backend/compile"
	"assay/backend/semantic"
)

// condition is a conjunct that was read once.
type condition struct {
	of    *compile.Scalar
	sign  string
	needs []string     // the columns in it
	term  string       // what it speaks of; empty: not understood
	yes   domain       // the values of term for which it is true
	rest  domain       // the values that are there and are not in yes
	parts []*condition // of or
}

func conditionOf(f *compile.Scalar, nodes []string) *condition {
	c := &condition{of: f, sign: signature(f, nodes), needs: columnsOf(nil, f, nodes)}
	c.term, c.yes, _ = truth(f, nodes)
	c.rest = c.yes.not()
	if f.Op == "or" {
		for _, a := range f.Args {
			c.parts = append(c.parts, conditionOf(a, nodes))
		}
	}
	return c
}

// implied is clause 7: the conditions of the branch let through only rows that the frame's conditions let through. A
// condition of the frame holds when the branch has the same one, or when both speak of one term and the values that the
// branch leaves over lie within those of the frame. What is not understood is not implied.
func (c *comparison) implied() (Reason, bool) {
	for _, f := range c.frame.filters {
		holds, known := c.implies[f.sign]
		if !known {
			holds = c.branch.imply(f)
			c.implies[f.sign] = holds
		}
		if !holds && !c.without(clauseImplied) {
			return c.refuse(FilterNotImplied), false
		}
	}
	return Reason{}, true
}

// residual is clause 8: the conditions of the branch that the frame does not have already, over its columns.
func (c *comparison) residual() (Reason, bool) {
	for _, f := range c.branch.filters {
		if c.frame.imply(f) {
			continue // it lets through every row of the frame
		}
		over := c.rewrite(f.of)
		if over == nil {
			if c.without(clauseResidual) {
				continue
			}
			return c.refuse(FilterLost), false
		}
		c.served.Where = append(c.served.Where, over)
	}
	return Reason{}, true
}

// imply says whether every row that a branch selects satisfies a condition.
func (s *shape) imply(f *condition) bool {
	for _, own := range s.filters {
		if own.sign == f.sign {
			return true
		}
	}
	for _, p := range f.parts {
		if s.imply(p) {
			return true
		}
	}
	left, known := s.domains[f.term]
	if !known {
		left = everything(true)
	}
	return left.within(f.yes, f.rest)
}

// domainsOf gives for each term the values that the conjuncts and the period leave over.
func (s *shape) domainsOf() map[string]domain {
	all := map[string]domain{}
	narrow := func(term string, d domain) {
		now, known := all[term]
		if !known {
			now = everything(true)
		}
		if now.comparable(d) {
			all[term] = now.and(d)
		}
	}
	for _, f := range s.filters {
		if f.term != "" {
			narrow(f.term, f.yes)
		}
	}
	if s.time != "" && s.bounded() {
		period := everything(false)
		if !s.of.From.IsZero() {
			period = period.and(domain{kind: kindTime, spans: []span{{from: edge{value: value{kind: kindTime, at: s.of.From}}}}})
		}
		if !s.of.To.IsZero() {
			period = period.and(domain{kind: kindTime, spans: []span{{to: edge{value: value{kind: kindTime, at: s.of.To}}}}})
		}
		narrow(s.time, period)
	}
	return all
}

// truth reads a condition on one term: the values for which it is true, and those for which it is false. For the others it
// is neither, which is how SQL treats what is missing. The term is empty when the condition is not understood.
func truth(f *compile.Scalar, nodes []string) (term string, yes, no domain) {
	switch f.Op {
	case "not":
		term, yes, no = truth(f.Args[0], nodes)
		return term, no, yes
	case "and", "or":
		return truthOfBoth(f, nodes)
	case "is_null", "not_null":
		missing, there := domain{missing: true}, everything(false)
		if f.Op == "not_null" {
			missing, there = there, missing
		}
		return termOf(f.Args[0], nodes), missing, there
	case "in", "not_in":
		return truthOfList(f, nodes)
	case "=", "<>", "<", "<=", ">", ">=", "same":
		return truthOfComparison(f, nodes)
	case "col":
		if f.Type == semantic.Boolean {
			return signature(f, nodes), point(value{kind: kindBool, text: "true"}), point(value{kind: kindBool, text: "false"})
		}
	}
	return "", yes, no
}

func truthOfBoth(f *compile.Scalar, nodes []string) (term string, yes, no domain) {
	var ys, ns []domain
	for i, a := range f.Args {
		t, y, n := truth(a, nodes)
		if t == "" || i > 0 && (t != term || !y.comparable(yes)) {
			return "", domain{}, domain{}
		}
		term, yes.kind, no.kind = t, max(yes.kind, y.kind), max(no.kind, n.kind)
		ys, ns = append(ys, y), append(ns, n)
	}
	switch {
	case len(ys) == 0:
		return "", domain{}, domain{}
	case f.Op == "and":
		return term, merged(ys, domain.and), merged(ns, domain.or)
	default:
		return term, merged(ys, domain.or), merged(ns, domain.and)
	}
}

func truthOfList(f *compile.Scalar, nodes []string) (term string, yes, no domain) {
	if len(f.Args) == 0 {
		return "", yes, no
	}
	term = termOf(f.Args[0], nodes)
	missing := false
	var points []domain
	for _, a := range f.Args[1:] {
		if a.Op == "null" {
			missing = true
			continue
		}
		v, ok := literalOf(a, f.Args[0].Type)
		if !ok || len(points) > 0 && !points[0].comparable(point(v)) {
			return "", domain{}, domain{}
		}
		points = append(points, point(v))
	}
	if len(points) > 0 {
		yes = merged(points, domain.or)
	}
	no = yes.not()
	if missing { // x = NULL is unknown: no value is certainly outside of the list
		no = domain{kind: yes.kind}
	}
	if f.Op == "not_in" {
		yes, no = no, yes
	}
	return term, yes, no
}

// mirrored are the comparisons read from the other side.
var mirrored = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<=", "same": "same"}

func truthOfComparison(f *compile.Scalar, nodes []string) (term string, yes, no domain) {
	if len(f.Args) != 2 {
		return "", yes, no
	}
	op, of, with := f.Op, f.Args[0], f.Args[1]
	if isLiteral(of) {
		op, of, with = mirrored[op], with, of
	}
	if with.Op == "null" {
		if op == "same" {
			return termOf(of, nodes), domain{missing: true}, everything(false)
		}
		return termOf(of, nodes), domain{}, domain{} // never true, never false
	}
	v, ok := literalOf(with, of.Type)
	if !ok {
		return "", yes, no
	}
	switch op {
	case "=", "same":
		yes = point(v)
	case "<>":
		yes = point(v).not()
	case "<":
		yes = domain{kind: v.kind, spans: []span{{to: edge{value: v}}}}
	case "<=":
		yes = domain{kind: v.kind, spans: []span{{to: edge{value: v, behind: true}}}}
	case ">":
		yes = domain{kind: v.kind, spans: []span{{from: edge{value: v, behind: true}}}}
	case ">=":
		yes = domain{kind: v.kind, spans: []span{{from: edge{value: v}}}}
	}
	no = yes.not()
	if op == "same" {
		no = no.withMissing(true)
	}
	return termOf(of, nodes), yes, no
}

func isLiteral(s *compile.Scalar) bool {
	switch s.Op {
	case "num", "str", "bool", "null", "date", "timestamp", "time":
		return true
	default:
		return false
	}
}

// termOf gives the signature of what a condition speaks of; empty for a literal.
func termOf(s *compile.Scalar, nodes []string) string {
	if isLiteral(s) {
		return ""
	}
	return signature(s, nodes)
}
